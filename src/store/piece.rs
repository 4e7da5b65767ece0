//! One piece of an artifact, mapped and checked.

use std::path::Path;
use std::sync::Arc;

use super::frames::{FrameFault, Frames};
use super::manifest::Part;
use super::mapped::Mapped;
use super::{Index, StoreError};
use crate::record::Artifact;

/// A file whose size, digest and seek table are what the manifest promises.
pub struct Piece {
    stored: Mapped,
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
        let stored = Mapped::open(index, &part.path, part.stored_bytes, &part.stored_digest)?;
        let frames = Frames::parse(&stored, part.bytes).map_err(|fault| stored.corrupt(fault))?;
        Ok(Piece { stored, frames })
    }

    pub fn path(&self) -> &Path {
        self.stored.path()
    }

    pub fn frame_count(&self) -> usize {
        self.frames.count()
    }

    /// The frame that holds a byte of the lines, and where its lines start among them.
    pub fn frame_holding(&self, at: u64) -> Option<(usize, u64)> {
        self.frames.holding(at)
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
        self.stored.corrupt(cause)
    }

    pub fn not_a_record<A: Artifact>(&self, error: &serde_json::Error) -> StoreError {
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
