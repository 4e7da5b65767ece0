//! Chunks by where their records stand: one frame is decompressed for each, and kept for the next.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::assemble::{ChunkReader, ReadError};
use crate::record::{Artifact, Chunk};
use crate::search::RecordPlace;
use crate::store::{Index, Part, StoreError};

/// More than the frames of a pack or two, and far less than a machine has.
const MAX_KEPT_BYTES: usize = 48 << 20;

pub struct ChunkShelf<'i> {
    index: &'i Index,
    parts: BTreeMap<u32, &'i Part>,
    kept: Mutex<Kept>,
}

/// Frames by shard and number. When there are too many, all are let go: which ones come again nobody knows.
#[derive(Default)]
struct Kept {
    frames: BTreeMap<(u32, usize), Arc<Vec<u8>>>,
    bytes: usize,
}

impl<'i> ChunkShelf<'i> {
    pub fn new(index: &'i Index) -> Result<Self, StoreError> {
        let parts = index.artifact(Chunk::NAME)?.parts.iter().map(|part| (part.index(), part)).collect();
        Ok(ChunkShelf { index, parts, kept: Mutex::default() })
    }

    fn frame(&self, place: &RecordPlace) -> Result<(Arc<Vec<u8>>, u64), StoreError> {
        let misplaced = |cause: &str| StoreError::corrupt(self.index.folder(), cause, None);
        let part =
            self.parts.get(&place.shard).ok_or_else(|| misplaced("its terms speak of a shard it does not have"))?;
        let piece = self.index.piece(part)?;
        let found = piece.frame_holding(place.start);
        let (frame, start) = found.ok_or_else(|| misplaced("its terms speak of a record it does not have"))?;
        let known = self.kept().frames.get(&(place.shard, frame)).cloned();
        if let Some(frame) = known {
            return Ok((frame, start));
        }
        let mut lines = Vec::new();
        piece.read_frame(frame, &mut lines)?;
        let lines = Arc::new(lines);
        self.kept().keep((place.shard, frame), Arc::clone(&lines));
        Ok((lines, start))
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn keep(&mut self, key: (u32, usize), lines: Arc<Vec<u8>>) {
        if self.bytes + lines.len() > MAX_KEPT_BYTES {
            *self = Kept::default();
        }
        self.bytes += lines.len();
        self.frames.insert(key, lines);
    }
}

impl ChunkReader for ChunkShelf<'_> {
    fn chunk(&self, place: &RecordPlace) -> Result<Arc<Chunk>, ReadError> {
        self.read(place).map_err(|error| ReadError(Box::new(error)))
    }
}

impl ChunkShelf<'_> {
    fn read(&self, place: &RecordPlace) -> Result<Arc<Chunk>, StoreError> {
        let (lines, start) = self.frame(place)?;
        let range = (place.start - start) as usize..(place.end.saturating_sub(start)) as usize;
        let parsed = lines.get(range).map(serde_json::from_slice::<Chunk>);
        match parsed {
            Some(Ok(chunk)) => Ok(Arc::new(chunk)),
            _ => Err(StoreError::corrupt(self.index.folder(), "its terms point beside its records", None)),
        }
    }
}
