//! Reads a tree through its index: the text of a place, the lines that match a pattern, the symbols of a file or
//! directory. Pure.
//!
//! Everything comes from records, so secrets that the chunk stage replaced and files that it skipped cannot be shown,
//! and no argument is ever opened as a path.

pub mod definitions;
mod find;
mod outline;
mod read;
mod search;

#[cfg(test)]
mod tests;

use crate::assemble::ReadError;
use crate::record::ErrorCode;
use crate::record::request::RequestFault;

pub use find::{Excerpt, find};
pub use outline::outline;
pub use read::{Reading, read};
pub use search::{FoundLine, SearchPage, SearchRequest, escape, find_lines, search};

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum BrowseError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("nothing is called `{wanted}`")]
    Unknown { wanted: String, near: Vec<String> },
    #[error("`{wanted}` is one of{}", list(.candidates, *.more))]
    Ambiguous { wanted: String, candidates: Vec<String>, more: usize },
    #[error("`{path}` is a directory")]
    Directory { path: String },
    #[error("`{path}` has no text in the index\n  because {why}")]
    NoText { path: String, why: String },
    #[error("`{path}` ends at line {last}")]
    NoLines { path: String, last: u32 },
    #[error("cannot use the pattern\n  because {0}")]
    Pattern(String),
    #[error(transparent)]
    Filter(#[from] RequestFault),
    #[error("`{0}` is not a cursor")]
    Cursor(String),
    #[error("nothing fits {0} tokens")]
    NoRoom(usize),
}

impl BrowseError {
    pub fn code(&self) -> ErrorCode {
        match self {
            BrowseError::Read(_) => ErrorCode::Internal,
            BrowseError::Filter(fault) => fault.code(),
            BrowseError::Unknown { .. } | BrowseError::NoText { .. } | BrowseError::NoLines { .. } => {
                ErrorCode::NotFound
            }
            BrowseError::Ambiguous { .. } => ErrorCode::Ambiguous,
            BrowseError::NoRoom(_) => ErrorCode::BudgetExceeded,
            BrowseError::Directory { .. } | BrowseError::Pattern(_) | BrowseError::Cursor(_) => ErrorCode::BadRequest,
        }
    }

    pub fn hint(&self) -> Option<String> {
        match self {
            BrowseError::Unknown { near, .. } if !near.is_empty() => Some(format!(
                "did you mean {}?",
                near.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            )),
            BrowseError::Unknown { .. } => Some("search finds text anywhere in the tree".to_string()),
            BrowseError::Ambiguous { .. } => Some("name one as it stands here".to_string()),
            BrowseError::Directory { .. } => Some("outline lists its files and symbols".to_string()),
            BrowseError::Pattern(_) => Some("without `regex` the text is found as it is".to_string()),
            BrowseError::Filter(fault) => Some(fault.hint().to_string()),
            BrowseError::Cursor(_) => Some("use `next` of the page before".to_string()),
            _ => None,
        }
    }
}

fn list(names: &[String], more: usize) -> String {
    let more = (more > 0).then(|| format!("\n  and {more} more"));
    names.iter().map(|name| format!("\n  {name}")).chain(more).collect()
}
