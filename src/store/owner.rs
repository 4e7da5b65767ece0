//! Whose a folder is: an index's, or somebody's own. Told by names and marks, before anything in it is trusted.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::StoreError;
use super::{lock, manifest};

/// A manifest of any size names its schema among its last fields.
const TAIL_BYTES: u64 = 64 << 10;

/// The file that marks a view: an index for one reader, with the tree that it was made from.
pub const VIEW_FILE: &str = "view.json";
pub const VIEW_SCHEMA: &str = "contextpack.view";

/// A directory that this program wrote has one of these files.
pub const MARKS: [&str; 2] = [manifest::FILE_NAME, VIEW_FILE];

/// Whether a folder holds an index: one that this build may not be able to read is one too.
pub fn holds_index(folder: &Path) -> bool {
    has_schema(&folder.join(manifest::FILE_NAME), manifest::SCHEMA)
}

/// Whether a folder is a view, or was to become one.
pub fn holds_view(folder: &Path) -> bool {
    has_schema(&folder.join(VIEW_FILE), VIEW_SCHEMA)
}

/// Whether this program wrote all of a folder.
pub fn is_own(folder: &Path) -> bool {
    holds_index(folder) || holds_view(folder)
}

/// Whether a file names a schema near its end.
fn has_schema(path: &Path, schema: &str) -> bool {
    let tail = || {
        let is_file = fs::symlink_metadata(path).ok()?.is_file();
        let mut file = is_file.then(|| File::open(path).ok()).flatten()?;
        let bytes = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(bytes.saturating_sub(TAIL_BYTES))).ok()?;
        let mut tail = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut tail).ok()?;
        Some(tail)
    };
    let mark = format!("\"schema\":\"{schema}\"");
    tail().is_some_and(|tail| memchr::memmem::find(&tail, mark.as_bytes()).is_some())
}

/// Whether a stage ever wrote to a folder: its lock stays. A copy may come without it, but then holds an index.
pub fn is_written_to(folder: &Path) -> bool {
    folder.join(lock::FILE_NAME).is_file() || holds_index(folder)
}

/// The folders in a folder that a stage ever wrote to, by name.
pub fn written_folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut written: Vec<PathBuf> = entries.filter(|folder| is_written_to(folder)).collect();
    written.sort();
    written
}

/// Refuses to write where somebody keeps files of their own: a `manifest.json` of theirs would be replaced. Hidden
/// ones are those of tools, such as a stamp of make.
pub fn check(folder: &Path) -> Result<(), StoreError> {
    if is_empty(folder) || is_written_to(folder) { Ok(()) } else { Err(StoreError::not_an_index(folder)) }
}

/// The same for a view, which also replaces a directory with a tree.
pub fn check_view(folder: &Path) -> Result<(), StoreError> {
    let is_file = fs::metadata(folder).is_ok_and(|found| !found.is_dir());
    if !is_file && (is_empty(folder) || holds_view(folder)) { Ok(()) } else { Err(StoreError::not_an_index(folder)) }
}

fn is_empty(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.all(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."))
}
