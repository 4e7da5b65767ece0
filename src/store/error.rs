//! Why an index cannot be used, in words for people and a code for programs.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::SHARE_STAGE;
use crate::record::ErrorCode;

/// An index that cannot be read or written. Path, cause and hint are separate, so that every front
/// door can lay them out its own way; the `Display` here is the one of the command line.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no index, or not the part of it that was asked for.
    Missing { path: PathBuf, cause: String, hint: Option<String> },
    /// Written by a build whose records this one would misread.
    Version { path: PathBuf, cause: String, hint: Option<String> },
    /// Not what its manifest promises.
    Corrupt { path: PathBuf, cause: String, hint: Option<String> },
    /// A part of an index where a whole one is needed.
    Share { path: PathBuf },
    /// The folder belongs to another stage, whose pieces a commit would sweep away.
    OtherStage { path: PathBuf, found: String, wanted: String },
    /// The folder holds files that no stage wrote.
    NotAnIndex { path: PathBuf },
    /// Another process writes this folder now.
    Locked { path: PathBuf, holder: String },
    /// The file system refused.
    Io { path: PathBuf, action: &'static str, source: io::Error },
}

impl StoreError {
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        StoreError::Io { path: path.to_path_buf(), action, source }
    }

    pub(crate) fn corrupt(path: &Path, cause: impl fmt::Display, hint: Option<String>) -> Self {
        StoreError::Corrupt { path: path.to_path_buf(), cause: cause.to_string(), hint }
    }

    /// Stable: scripts and MCP clients compare it.
    pub fn code(&self) -> ErrorCode {
        match self {
            StoreError::Missing { .. } => ErrorCode::IndexMissing,
            StoreError::Version { .. } => ErrorCode::ContractVersion,
            StoreError::Corrupt { .. } => ErrorCode::IndexCorrupt,
            StoreError::Share { .. } => ErrorCode::IndexShare,
            StoreError::OtherStage { .. } => ErrorCode::IndexOtherStage,
            StoreError::NotAnIndex { .. } => ErrorCode::NotAnIndex,
            StoreError::Locked { .. } => ErrorCode::Locked,
            StoreError::Io { .. } => ErrorCode::Io,
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            StoreError::Missing { path, .. }
            | StoreError::Version { path, .. }
            | StoreError::Corrupt { path, .. }
            | StoreError::Share { path }
            | StoreError::OtherStage { path, .. }
            | StoreError::NotAnIndex { path }
            | StoreError::Locked { path, .. }
            | StoreError::Io { path, .. } => path,
        }
    }

    /// Reads on after "because".
    pub fn cause(&self) -> String {
        match self {
            StoreError::Missing { cause, .. }
            | StoreError::Version { cause, .. }
            | StoreError::Corrupt { cause, .. } => cause.clone(),
            StoreError::Share { .. } => "it holds one share of the chunks and not all of them".to_string(),
            StoreError::OtherStage { found, wanted, .. } => {
                format!("it is the index of stage `{found}` and this run writes stage `{wanted}`")
            }
            StoreError::NotAnIndex { .. } => "it holds files, and none that contextpack wrote".to_string(),
            StoreError::Locked { holder, .. } => format!("{holder} is writing it"),
            StoreError::Io { source, .. } => source.to_string(),
        }
    }

    /// A command that would help.
    pub fn hint(&self) -> Option<&str> {
        match self {
            StoreError::Missing { hint, .. } | StoreError::Version { hint, .. } | StoreError::Corrupt { hint, .. } => {
                hint.as_deref()
            }
            StoreError::Share { .. } => Some("run `contextpack merge` over all shares"),
            StoreError::NotAnIndex { .. } => Some("name a folder that is empty or not there yet"),
            StoreError::OtherStage { .. } | StoreError::Locked { .. } | StoreError::Io { .. } => None,
        }
    }

    fn action(&self) -> &'static str {
        match self {
            StoreError::Io { action, .. } => action,
            StoreError::NotAnIndex { .. } => "write to",
            _ => "use",
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} `{}`\n  because {}", self.action(), self.path().display(), self.cause())?;
        match self.hint() {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// The command that makes a stage's index again. Only for stages that this build knows: the word may
/// come from a damaged manifest, and nobody should paste that into a shell.
pub(super) fn rerun_hint(stage: &str) -> Option<String> {
    let command = match stage {
        "chunk" => "chunk",
        SHARE_STAGE => "chunk --shard",
        "graph" => "graph",
        "pack" | "packs" => "pack",
        _ => return None,
    };
    Some(format!("rerun `contextpack {command}`"))
}

/// The same, when only the folder's name tells the stage.
pub(super) fn rerun_hint_of_folder(folder: &Path) -> Option<String> {
    folder.file_name().and_then(|name| name.to_str()).and_then(rerun_hint)
}
