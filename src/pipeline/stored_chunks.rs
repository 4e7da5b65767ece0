//! Reads chunks of an index by the location of their records. Decompressed frames are cached.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::assemble::{ReadError, RecordReader};
use crate::record::{Artifact, Chunk, File, Item, LanguageId, Symbol, codec};
use crate::search::RecordPlace;
use crate::store::{Index, Part, StoreError};
use crate::text::RepoPath;

/// Enough for the frames of one or two packs, and a small part of a machine's memory.
const MAX_CACHED_BYTES: usize = 48 << 20;
/// A pack looks at about a hundred chunks, some of them several times.
const MAX_CACHED_CHUNKS: usize = 1024;

pub struct StoredChunks<'i> {
    index: &'i Index,
    parts: BTreeMap<u32, &'i Part>,
    cache: Mutex<FrameCache>,
    chunks: Mutex<BTreeMap<RecordPlace, Arc<Chunk>>>,
}

/// Frames by shard and number. When they exceed the limit, all are dropped, because it is not known which ones are
/// needed again.
#[derive(Default)]
struct FrameCache {
    frames: BTreeMap<(u32, usize), Arc<String>>,
    bytes: usize,
}

impl<'i> StoredChunks<'i> {
    pub fn new(index: &'i Index) -> Result<Self, StoreError> {
        let parts = index.artifact(Chunk::NAME)?.parts.iter().map(|part| (part.index(), part)).collect();
        Ok(StoredChunks { index, parts, cache: Mutex::default(), chunks: Mutex::default() })
    }

    fn frame(&self, place: &RecordPlace) -> Result<(Arc<String>, u64), StoreError> {
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
        let lines = String::from_utf8(lines).map_err(|_| corrupt("its records are not text"))?;
        let lines = Arc::new(lines);
        self.cache().insert((place.shard, frame), Arc::clone(&lines));
        Ok((lines, start))
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, FrameCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FrameCache {
    fn insert(&mut self, key: (u32, usize), lines: Arc<String>) {
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

    fn chunks(&self) -> std::sync::MutexGuard<'_, BTreeMap<RecordPlace, Arc<Chunk>>> {
        self.chunks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, place: &RecordPlace) -> Result<Arc<Chunk>, StoreError> {
        if let Some(chunk) = self.chunks().get(place) {
            return Ok(Arc::clone(chunk));
        }
        let (lines, start) = self.frame(place)?;
        let range = (place.start - start) as usize..(place.end.saturating_sub(start)) as usize;
        match lines.get(range).map(codec::read::<Chunk>) {
            Some(Ok(chunk)) => {
                let chunk = Arc::new(chunk);
                let mut known = self.chunks();
                if known.len() == MAX_CACHED_CHUNKS {
                    known.clear();
                }
                known.insert(place.clone(), Arc::clone(&chunk));
                Ok(chunk)
            }
            _ => Err(StoreError::corrupt(self.index.folder(), "its terms point beside its records", None)),
        }
    }
}
