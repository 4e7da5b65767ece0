//! What was searched for lately in one index, by reader and question. It changes no answer, and nothing of it is in one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::ask::Question;
use super::likeness::Likeness;
use crate::assemble::blocks::ReadableBlocks;

/// Searches that are kept. The one that was used longest ago goes first.
const MAX_SEARCHES: usize = 1024;

/// The searches of one index.
#[derive(Default)]
pub struct SearchCache {
    kept: Mutex<Kept>,
    lookups: AtomicU64,
    hits: AtomicU64,
}

#[derive(Default)]
struct Kept {
    searches: BTreeMap<String, (u64, Arc<Likeness>)>,
    /// By the number of their last use.
    uses: BTreeMap<u64, String>,
    last_use: u64,
}

/// How often a search was asked for, and how often it was there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    pub lookups: u64,
    pub hits: u64,
}

impl SearchCache {
    /// How like a question blocks are. What one reader asked for is never the answer for another.
    pub fn likeness(&self, view: &ReadableBlocks, question: &Question) -> Arc<Likeness> {
        let key = format!("{}\n{}", view.reader_key(), question.key());
        self.lookups.fetch_add(1, Ordering::Relaxed);
        if let Some(known) = self.lock().get(&key) {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return known;
        }
        let found = Arc::new(Likeness::new(view, question));
        self.lock().put(key, Arc::clone(&found));
        found
    }

    pub fn counts(&self) -> CacheCounts {
        CacheCounts { lookups: self.lookups.load(Ordering::Relaxed), hits: self.hits.load(Ordering::Relaxed) }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn get(&mut self, key: &str) -> Option<Arc<Likeness>> {
        let (_, found) = self.searches.get(key)?;
        let found = Arc::clone(found);
        self.put(key.to_string(), Arc::clone(&found));
        Some(found)
    }

    fn put(&mut self, key: String, found: Arc<Likeness>) {
        self.last_use += 1;
        if let Some((before, _)) = self.searches.insert(key.clone(), (self.last_use, found)) {
            self.uses.remove(&before);
        }
        self.uses.insert(self.last_use, key);
        if self.uses.len() > MAX_SEARCHES
            && let Some((_, oldest)) = self.uses.pop_first()
        {
            self.searches.remove(&oldest);
        }
    }
}
