//! Whose a folder is: an index's, or somebody's own. Told by names and marks, before anything in it is trusted.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::StoreError;
use super::{lock, manifest};

/// A manifest of any size names its schema among its last fields.
const TAIL_BYTES: u64 = 64 << 10;

/// Whether a folder holds an index: one that this build may not be able to read is one too.
pub fn holds_index(folder: &Path) -> bool {
    let tail = || {
        let path = folder.join(manifest::FILE_NAME);
        let is_file = fs::symlink_metadata(&path).ok()?.is_file();
        let mut file = is_file.then(|| File::open(path).ok()).flatten()?;
        let bytes = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(bytes.saturating_sub(TAIL_BYTES))).ok()?;
        let mut tail = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut tail).ok()?;
        Some(tail)
    };
    let mark = format!("\"schema\":\"{}\"", manifest::SCHEMA);
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
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_empty = entries.all(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."));
    if is_empty || is_written_to(folder) { Ok(()) } else { Err(StoreError::not_an_index(folder)) }
}
