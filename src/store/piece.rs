//! One piece of an artifact, mapped and checked.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

use super::error::rerun_hint;
use super::frames::{FrameFault, Frames};
use super::manifest::Part;
use super::piece_name::PieceName;
use super::{Index, StoreError};
use crate::record::{Artifact, Digest};

/// A file whose size, digest and seek table are what the manifest promises.
pub struct Piece {
    path: PathBuf,
    stage: String,
    stored: Mmap,
    frames: Frames,
}

/// The lines of a piece, one after the other, without their line breaks. Holds one frame at a time.
pub struct LineReader {
    piece: Arc<Piece>,
    next_frame: usize,
    buffer: Vec<u8>,
    /// Where the next line starts in the buffer.
    at: usize,
}

impl Piece {
    pub(super) fn open(index: &Index, part: &Part) -> Result<Piece, StoreError> {
        let path = index.folder().join(&part.path);
        let stage = index.manifest().stage.clone();
        let corrupt = |cause: &str| StoreError::corrupt(&path, cause, rerun_hint(&stage));
        // A manifest checks its names; this one may not have come from a manifest.
        if PieceName::parse(&part.path).is_none() {
            return Err(corrupt("it is not the name of a piece"));
        }
        let stored = map(&path, part.stored_bytes, &corrupt)?;
        if Digest::blake3(&stored) != part.stored_digest {
            return Err(corrupt("its content is not what the manifest's digest says"));
        }
        let frames = Frames::parse(&stored, part.bytes).map_err(|fault| corrupt(&fault.to_string()))?;
        Ok(Piece { path, stage, stored, frames })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn frame_count(&self) -> usize {
        self.frames.count()
    }

    /// Puts a frame's lines, each with its line break, into the buffer.
    pub fn read_frame(&self, frame: usize, buffer: &mut Vec<u8>) -> Result<(), StoreError> {
        self.frames.read(&self.stored, frame, buffer).map_err(|fault: FrameFault| self.corrupt(fault))
    }

    /// Gives every line without its line break. One frame is in memory at a time.
    pub fn for_each_line<E: From<StoreError>>(&self, mut each: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut buffer = Vec::new();
        for frame in 0..self.frame_count() {
            self.read_frame(frame, &mut buffer)?;
            lines_of(&buffer).try_for_each(&mut each)?;
        }
        Ok(())
    }

    pub fn lines(self: &Arc<Self>) -> LineReader {
        LineReader { piece: Arc::clone(self), next_frame: 0, buffer: Vec::new(), at: 0 }
    }

    pub fn corrupt(&self, cause: impl std::fmt::Display) -> StoreError {
        StoreError::corrupt(&self.path, cause, rerun_hint(&self.stage))
    }

    pub(super) fn not_a_record<A: Artifact>(&self, error: &serde_json::Error) -> StoreError {
        self.corrupt(format!("a line is not a record of `{}`: {error}", A::NAME))
    }
}

impl LineReader {
    /// Not an [`Iterator`], because a line lives in the frame's buffer only until the next one.
    #[expect(clippy::should_implement_trait, reason = "a lending iterator has no trait to implement")]
    pub fn next(&mut self) -> Result<Option<&[u8]>, StoreError> {
        if self.at == self.buffer.len() {
            if self.next_frame == self.piece.frame_count() {
                return Ok(None);
            }
            self.piece.read_frame(self.next_frame, &mut self.buffer)?;
            self.next_frame += 1;
            self.at = 0;
        }
        let rest = &self.buffer[self.at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = (self.at + length + 1).min(self.buffer.len());
        Ok(Some(&rest[..length]))
    }

    pub fn piece(&self) -> &Piece {
        &self.piece
    }
}

/// The lines of one frame, which ends with a line break.
pub(super) fn lines_of(frame: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr::memchr_iter(b'\n', frame).map(move |end| &frame[std::mem::replace(&mut start, end + 1)..end])
}

#[expect(unsafe_code, reason = "a memory map is only as still as its file")]
fn map(path: &Path, stored_bytes: u64, corrupt: &dyn Fn(&str) -> StoreError) -> Result<Mmap, StoreError> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => corrupt("it is missing"),
        _ => StoreError::io("read", path, error),
    };
    let metadata = fs::symlink_metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(corrupt("it is not a plain file"));
    }
    if metadata.len() != stored_bytes {
        return Err(corrupt(&format!("it has {} bytes and the manifest says {stored_bytes}", metadata.len())));
    }
    let file = File::open(path).map_err(unreadable)?;
    // SAFETY: the store never changes a piece in place: it writes another file and renames it in, so
    // a map keeps the bytes it had. Every byte read from it is checked, none is trusted as a value.
    unsafe { Mmap::map(&file) }.map_err(unreadable)
}
