//! The door to the source tree: lists and reads files, and reports every skipped file as a [`Problem`].
//! Reads only below the root it is given, follows no link, and writes nothing.
//!
//! [`Problem`]: crate::record::Problem

#![expect(clippy::disallowed_methods, reason = "the door to the source tree")]

mod collisions;
mod date;
mod decode;
mod git_dates;
mod links;
mod marks;
mod place;
mod read;
mod rules;
/// Which files go into one shard.
pub mod shards;
mod snapshot;
mod text;
mod walk;

use std::path::{Path, PathBuf};

pub use date::source_date;
pub use decode::line_ending;
pub use git_dates::git_dates;
pub use marks::marks;
pub use place::{Place, PlaceFault, PlaceKind, Refused, digest_now, place, text_now};
pub use read::{Content, read, read_head};
pub use snapshot::Snapshot;
pub use text::{Text, text};
pub use walk::{Entry, OwnFolders, Walk, WalkOptions, walk};

/// Why a tree cannot be read at all. What is wrong with one of its files is a problem record.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    #[error("cannot read the source tree `{root}`\n  because it does not exist")]
    Missing { root: PathBuf },
    #[error("cannot read the source tree `{root}`\n  because it is not a folder")]
    NotAFolder { root: PathBuf },
    #[error("cannot read the source tree `{root}`\n  because {reason}")]
    Unreadable { root: PathBuf, reason: &'static str },
    #[error(
        "cannot use SOURCE_DATE_EPOCH `{value}`\n  because it is not a whole number of seconds between 1970 and 9999"
    )]
    BadEpoch { value: String },
}

impl SourceError {
    fn from_root(root: &Path, kind: std::io::ErrorKind) -> Self {
        let root = root.to_path_buf();
        match kind {
            std::io::ErrorKind::NotFound => SourceError::Missing { root },
            std::io::ErrorKind::NotADirectory => SourceError::NotAFolder { root },
            _ => SourceError::Unreadable { root, reason: reason(kind) },
        }
    }
}

/// Our own words for a failure: the system's depend on its language, and the standard library's on
/// its version, while these end up in artifacts.
fn reason(kind: std::io::ErrorKind) -> &'static str {
    use std::io::ErrorKind::*;
    match kind {
        NotFound => "it is gone",
        PermissionDenied => "permission is denied",
        InvalidFilename => "its path is too long",
        NotADirectory => "a folder on its path is no longer one",
        _ => "reading it failed",
    }
}

#[cfg(test)]
mod tests;
