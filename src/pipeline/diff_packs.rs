//! Compares the packs of two indexes that answer the same request.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::door::pack::{Change, diff};
use crate::record::pack::ContextPack;
use crate::record::request::PackRequest;
use crate::store::{Index, StoreError};

/// How many items of a pack were added, removed or changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PackMove {
    pub query: String,
    /// The id of the later pack.
    pub pack_id: String,
    pub added: u32,
    pub removed: u32,
    /// Items with the same symbol and another text.
    pub edited: u32,
    /// Items with another rank.
    pub moved: u32,
    /// Items shown longer or shorter.
    pub resized: u32,
    /// Items that differ at most in their scores.
    pub same: u32,
}

/// The differences between the packs of two indexes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PacksDiff {
    /// Packs with a different item, in the order of their requests.
    pub changed: Vec<PackMove>,
    /// Queries that only the later index answers.
    pub added: Vec<String>,
    pub removed: Vec<String>,
}

impl PacksDiff {
    pub fn is_empty(&self) -> bool {
        *self == PacksDiff::default()
    }
}

/// Compares the packs of two indexes, if both have packs.
pub fn diff_packs(a: &Path, b: &Path) -> Result<PacksDiff, StoreError> {
    let (before, after) = match (Index::open(&a.join("packs")), Index::open(&b.join("packs"))) {
        (Err(error), _) | (_, Err(error)) if error.is_missing() => return Ok(PacksDiff::default()),
        (a, b) => (by_request(&a?)?, by_request(&b?)?),
    };
    let query = |pack: &ContextPack| pack.request.query.clone();
    let only = |packs: &BTreeMap<String, ContextPack>, others: &BTreeMap<String, ContextPack>| {
        packs.iter().filter(|(request, _)| !others.contains_key(*request)).map(|(_, pack)| query(pack)).collect()
    };
    let both = after.iter().filter_map(|(request, after)| Some(pack_move(before.get(request)?, after)));
    let changed = both.filter(|pack| pack.added + pack.removed + pack.edited + pack.moved + pack.resized > 0).collect();
    Ok(PacksDiff { changed, added: only(&after, &before), removed: only(&before, &after) })
}

/// Packs by request. The location of the tree and the signature of the index are not part of the key.
fn by_request(index: &Index) -> Result<BTreeMap<String, ContextPack>, StoreError> {
    let mut packs = BTreeMap::new();
    for pack in index.records::<ContextPack>()? {
        let pack = pack?;
        let request = PackRequest { repo_id: String::new(), index_signature: None, ..pack.request.clone() };
        packs.insert(serde_json::to_string(&request).expect("a request is JSON"), pack);
    }
    Ok(packs)
}

fn pack_move(before: &ContextPack, after: &ContextPack) -> PackMove {
    let found = diff(before, after);
    let mut pack = PackMove {
        query: after.request.query.clone(),
        pack_id: after.pack_id.as_str().to_string(),
        same: found.same,
        ..PackMove::default()
    };
    for item in &found.items {
        let count = match item.change {
            Change::Added { .. } => &mut pack.added,
            Change::Removed { .. } => &mut pack.removed,
            Change::Edited { .. } => &mut pack.edited,
            Change::Moved { .. } => &mut pack.moved,
            Change::Resized { .. } => &mut pack.resized,
            Change::Rescored { .. } => &mut pack.same,
        };
        *count += 1;
    }
    pack
}
