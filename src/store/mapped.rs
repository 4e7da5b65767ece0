//! A file of the index, mapped, and checked against its digest before it is read.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use super::error::rerun_hint;
use super::piece_name::PieceName;
use super::{Index, StoreError};
use crate::record::Digest;

/// Bytes whose size and digest are what the manifest promises. They stay when a writer sweeps the file.
pub struct Mapped {
    path: PathBuf,
    stage: String,
    bytes: Mmap,
}

impl Mapped {
    pub(super) fn open(index: &Index, name: &str, bytes: u64, digest: &Digest) -> Result<Mapped, StoreError> {
        let path = index.folder().join(name);
        let stage = index.manifest().stage.clone();
        let bytes = match index.take_held(name) {
            Some(held) => held,
            None => Mapped::hold(index, name, bytes)?,
        };
        let mapped = Mapped { path, stage, bytes };
        if Digest::blake3(&mapped) != *digest {
            return Err(mapped.corrupt("its content is not what the manifest's digest says"));
        }
        Ok(mapped)
    }

    /// The file of a piece. Its size is checked, its content is not.
    pub(super) fn hold(index: &Index, name: &str, bytes: u64) -> Result<Mmap, StoreError> {
        let path = index.folder().join(name);
        let corrupt = |cause: &str| StoreError::corrupt(&path, cause, rerun_hint(&index.manifest().stage));
        // A manifest checks its names; this one may not have come from a manifest.
        if PieceName::parse(name).is_none() {
            return Err(corrupt("it is not the name of a piece"));
        }
        map(&path, bytes, &corrupt)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// For content that is what it was written as, and still makes no sense.
    pub fn corrupt(&self, cause: impl std::fmt::Display) -> StoreError {
        StoreError::corrupt(&self.path, cause, rerun_hint(&self.stage))
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

#[expect(unsafe_code, reason = "a memory map is only as still as its file")]
fn map(path: &Path, expected_bytes: u64, corrupt: &dyn Fn(&str) -> StoreError) -> Result<Mmap, StoreError> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => corrupt("it is missing"),
        _ => StoreError::io("read", path, error),
    };
    let metadata = fs::symlink_metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(corrupt("it is not a plain file"));
    }
    if metadata.len() != expected_bytes {
        return Err(corrupt(&format!("it has {} bytes and the manifest says {expected_bytes}", metadata.len())));
    }
    let file = File::open(path).map_err(unreadable)?;
    // SAFETY: the store never changes a piece in place: it writes another file and renames it in, so
    // a map keeps the bytes it had. Every byte read from it is checked, none is trusted as a value.
    unsafe { Mmap::map(&file) }.map_err(unreadable)
}
