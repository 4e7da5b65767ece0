//! The packs of this session that a client can get without the index, also after the tree has changed.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::record::pack::{ContextPack, PackId};

const MAX_PACKS: usize = 64;
const MAX_CHARS: u64 = 16 << 20;

/// The newest is the last.
#[derive(Default)]
pub struct RecentPacks(VecDeque<Arc<ContextPack>>);

impl RecentPacks {
    /// Drops the oldest ones if there are too many. Returns the ids of all that are left.
    pub fn add(&mut self, pack: &Arc<ContextPack>) -> Vec<PackId> {
        self.0.retain(|kept| kept.pack_id != pack.pack_id);
        self.0.push_back(Arc::clone(pack));
        while self.0.len() > MAX_PACKS || self.0.len() > 1 && self.chars() > MAX_CHARS {
            self.0.pop_front();
        }
        self.0.iter().map(|pack| pack.pack_id.clone()).collect()
    }

    pub fn find(&self, id: &PackId) -> Option<Arc<ContextPack>> {
        self.0.iter().find(|pack| pack.pack_id == *id).map(Arc::clone)
    }

    /// Ids and queries.
    pub fn all(&self) -> impl Iterator<Item = (PackId, String)> {
        self.0.iter().map(|pack| (pack.pack_id.clone(), pack.request.query.clone()))
    }

    fn chars(&self) -> u64 {
        self.0.iter().map(|pack| u64::from(pack.stats.rendered_chars.largest())).sum()
    }
}
