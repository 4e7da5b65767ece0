//! Why an index cannot be used, in words for people and a code for programs.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::SHARE_STAGE;
use crate::record::ErrorCode;

/// An index that cannot be read or written. Path, cause and hint are separate, so that every front
/// door can lay them out its own way; the `Display` here is the one of the command line.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`\n  because {cause}{}", path.display(), hint_line(hint.as_deref()))]
pub struct StoreError {
    /// Stable: scripts and MCP clients compare it.
    pub code: ErrorCode,
    pub path: PathBuf,
    /// Reads on after "because".
    pub cause: String,
    /// A command that would help.
    pub hint: Option<String>,
    action: &'static str,
}

impl StoreError {
    pub(crate) fn new(code: ErrorCode, path: &Path, cause: impl fmt::Display, hint: Option<String>) -> Self {
        StoreError { code, path: path.to_path_buf(), cause: cause.to_string(), hint, action: "use" }
    }

    /// There is no index, or not the part of it that was asked for.
    pub(crate) fn missing(path: &Path, cause: impl fmt::Display, hint: Option<String>) -> Self {
        StoreError::new(ErrorCode::IndexMissing, path, cause, hint)
    }

    /// Not what its manifest promises.
    pub(crate) fn corrupt(path: &Path, cause: impl fmt::Display, hint: Option<String>) -> Self {
        StoreError::new(ErrorCode::IndexCorrupt, path, cause, hint)
    }

    /// The file system refused.
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        StoreError { action, ..StoreError::new(ErrorCode::Io, path, source, None) }
    }

    /// The folder holds files that no stage wrote.
    pub(super) fn not_an_index(path: &Path) -> Self {
        let hint = "name a directory that is empty or does not exist yet".to_string();
        let cause = "it holds files, and none that contextpack wrote";
        StoreError { action: "write to", ..StoreError::new(ErrorCode::NotAnIndex, path, cause, Some(hint)) }
    }

    pub fn is_missing(&self) -> bool {
        self.code == ErrorCode::IndexMissing
    }
}

fn hint_line(hint: Option<&str>) -> String {
    hint.map(|hint| format!("\n  hint: {hint}")).unwrap_or_default()
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

/// The same for a stage that may never have run.
pub(super) fn run_hint_of_folder(folder: &Path) -> Option<String> {
    rerun_hint_of_folder(folder).map(|hint| hint.replacen("rerun", "run", 1))
}
