//! One piece of an artifact, mapped and checked.

use std::path::Path;

use serde::Deserialize;

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

    /// The records of a frame.
    pub(super) fn read_records<A: Artifact>(&self, frame: usize) -> Result<Vec<A>, StoreError> {
        let mut lines = Vec::new();
        self.read_frame(frame, &mut lines)?;
        lines_of(&lines).map(|line| self.parse::<A, A>(line)).collect()
    }

    pub fn corrupt(&self, cause: impl std::fmt::Display) -> StoreError {
        self.stored.corrupt(cause)
    }

    /// A line as a record, or as some of its fields.
    pub fn parse<'l, A: Artifact, R: Deserialize<'l>>(&self, line: &'l [u8]) -> Result<R, StoreError> {
        let not_a_record = |error| self.corrupt(format!("a line is not a record of `{}`: {error}", A::NAME));
        serde_json::from_slice(line).map_err(not_a_record)
    }
}

/// The lines of one frame, which ends with a line break.
pub(super) fn lines_of(frame: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr::memchr_iter(b'\n', frame).map(move |end| &frame[std::mem::replace(&mut start, end + 1)..end])
}
