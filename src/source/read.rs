//! Reads one file whole, or says why not. Never follows a link, never waits for a pipe, and never
//! returns bytes of which some are older than others.

use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use super::{Entry, reason};
use crate::record::{Digest, Problem, ProblemCode};

/// How often a file that changed under the reader is read again.
const RETRIES: usize = 3;

/// Reads a file of the tree below `root`, as the walk listed it.
pub fn read(root: &Path, entry: &Entry, max_file_bytes: u64) -> Result<Content, Problem> {
    let path = root.join(OsStr::from_bytes(&entry.path.to_bytes()));
    let bytes = read_bytes(&path, max_file_bytes);
    let bytes = bytes.map_err(|fault| Problem::new(&entry.path, fault.code, fault.message))?;
    let digest = Digest::blake3(&bytes);
    Ok(Content { bytes, digest })
}

/// The first bytes of a file, if it can be read.
pub fn read_head(root: &Path, entry: &Entry, bytes: usize) -> Option<Vec<u8>> {
    let path = root.join(OsStr::from_bytes(&entry.path.to_bytes()));
    let (file, _) = open(&path, u64::MAX).ok()?;
    let mut head = Vec::with_capacity(bytes);
    file.take(bytes as u64).read_to_end(&mut head).ok()?;
    Some(head)
}

/// A file as it is stored.
#[derive(Debug, PartialEq)]
pub struct Content {
    pub bytes: Vec<u8>,
    pub digest: Digest,
}

/// Why a file was not read.
#[derive(Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) code: ProblemCode,
    pub(super) message: String,
}

pub(super) fn read_bytes(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Fault> {
    read_settled(path, max_bytes, || ())
}

/// Reads until nothing changed meanwhile. `after_each` runs between a read and its check, where the
/// tests change the file.
pub(super) fn read_settled(path: &Path, max_bytes: u64, mut after_each: impl FnMut()) -> Result<Vec<u8>, Fault> {
    for _ in 0..=RETRIES {
        let (file, before) = open(path, max_bytes)?;
        let bytes = read_up_to(file, &before, max_bytes).map_err(unreadable)?;
        after_each();
        // By its path, so that another file in its place is a change too.
        let after = std::fs::symlink_metadata(path).map_err(unreadable)?;
        if file_state(&before) == file_state(&after) && bytes.len() as u64 == before.len() {
            return Ok(bytes);
        }
    }
    Err(Fault { code: ProblemCode::ChangedWhileRead, message: "it kept changing while it was read".to_string() })
}

fn open(path: &Path, max_bytes: u64) -> Result<(File, Metadata), Fault> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(not_opened)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(not_a_file());
    }
    if metadata.len() > max_bytes {
        return Err(too_large(metadata.len(), max_bytes));
    }
    Ok((file, metadata))
}

/// One byte more than allowed, so that a file that grew is noticed.
fn read_up_to(file: File, metadata: &Metadata, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What tells one state of a file from another.
fn file_state(metadata: &Metadata) -> (u64, u64, u64, i64, i64) {
    (metadata.dev(), metadata.ino(), metadata.len(), metadata.mtime(), metadata.mtime_nsec())
}

/// A link is not followed (`ELOOP`), a socket or a device without a driver not opened (`ENXIO`).
fn not_opened(error: io::Error) -> Fault {
    match error.raw_os_error() {
        Some(libc::ELOOP | libc::ENXIO) => not_a_file(),
        _ => unreadable(error),
    }
}

pub(super) fn unreadable(error: io::Error) -> Fault {
    Fault { code: ProblemCode::Unreadable, message: reason(error.kind()).to_string() }
}

fn not_a_file() -> Fault {
    Fault { code: ProblemCode::NotAFile, message: "it is no longer a regular file".to_string() }
}

fn too_large(bytes: u64, max_bytes: u64) -> Fault {
    Fault { code: ProblemCode::TooLarge, message: format!("it has {bytes} bytes and the cap is {max_bytes}") }
}
