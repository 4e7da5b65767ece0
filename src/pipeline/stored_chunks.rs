//! Reads chunks of an index by the location of their records. Decompressed frames are cached.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::assemble::{ReadError, RecordReader};
use crate::record::{Artifact, Chunk, File, Item, LanguageId, Symbol};
use crate::search::RecordPlace;
use crate::store::{Index, Part, StoreError};
use crate::text::RepoPath;

/// Enough for the frames of one or two packs, and a small part of a machine's memory.
const MAX_CACHED_BYTES: usize = 48 << 20;

pub struct StoredChunks<'i> {
    index: &'i Index,
    parts: BTreeMap<u32, &'i Part>,
    cache: Mutex<FrameCache>,
}

/// Frames by shard and number. When they exceed the limit, all are dropped, because it is not known which ones are
/// needed again.
#[derive(Default)]
struct FrameCache {
    frames: BTreeMap<(u32, usize), Arc<Vec<u8>>>,
    bytes: usize,
}

impl<'i> StoredChunks<'i> {
    pub fn new(index: &'i Index) -> Result<Self, StoreError> {
        let parts = index.artifact(Chunk::NAME)?.parts.iter().map(|part| (part.index(), part)).collect();
        Ok(StoredChunks { index, parts, cache: Mutex::default() })
    }

    fn frame(&self, place: &RecordPlace) -> Result<(Arc<Vec<u8>>, u64), StoreError> {
        let corrupt = |cause: &str| StoreError::corrupt(self.index.folder(), cause, None);
        let part =
            self.parts.get(&place.shard).ok_or_else(|| corrupt("its terms speak of a shard it does not have"))?;
        let piece = self.index.piece(part)?;
        let found = piece.frame_holding(place.start);
        let (frame, start) = found.ok_or_else(|| corrupt("its terms speak of a record it does not have"))?;
        let known = self.cache().frames.get(&(place.shard, frame)).cloned();
        if let Some(frame) = known {
            return Ok((frame, start));
        }
        let mut lines = Vec::new();
        piece.read_frame(frame, &mut lines)?;
        let lines = Arc::new(lines);
        self.cache().insert((place.shard, frame), Arc::clone(&lines));
        Ok((lines, start))
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, FrameCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FrameCache {
    fn insert(&mut self, key: (u32, usize), lines: Arc<Vec<u8>>) {
        if self.bytes + lines.len() > MAX_CACHED_BYTES {
            *self = FrameCache::default();
        }
        self.bytes += lines.len();
        self.frames.insert(key, lines);
    }
}

impl RecordReader for StoredChunks<'_> {
    fn chunk(&self, place: &RecordPlace) -> Result<Arc<Chunk>, ReadError> {
        self.read(place).map_err(|error| ReadError(Box::new(error)))
    }

    fn items(&self) -> Result<Vec<Item>, ReadError> {
        let items = self.index.records::<Item>().and_then(|records| records.collect());
        items.map_err(|error| ReadError(Box::new(error)))
    }

    fn paths(&self) -> Result<Vec<RepoPath>, ReadError> {
        Ok(self.files()?.into_iter().map(|file| file.file_rel_path).collect())
    }

    fn languages(&self) -> Result<BTreeMap<RepoPath, LanguageId>, ReadError> {
        Ok(self.files()?.into_iter().filter_map(|file| Some((file.file_rel_path, file.language_id?))).collect())
    }

    fn symbols(&self, path: &RepoPath) -> Result<Vec<Symbol>, ReadError> {
        self.index.find_records(&[path.as_str().into()]).map_err(|error| ReadError(Box::new(error)))
    }
}

impl StoredChunks<'_> {
    fn files(&self) -> Result<Vec<File>, ReadError> {
        let files = self.index.records::<File>().and_then(|records| records.collect());
        files.map_err(|error| ReadError(Box::new(error)))
    }

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
