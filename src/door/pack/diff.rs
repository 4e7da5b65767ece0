//! Compares two packs item by item: which items were added, removed or moved, and which input caused it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::record::pack::{ContextPack, Item};
use crate::record::{ChunkUid, Score, SymbolId};

#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackDiff {
    /// The fields of the requests that differ.
    pub request: Vec<String>,
    /// Whether they were made of different indexes.
    pub index_changed: bool,
    /// In the order of the second pack's ranks, then what is gone in the order of the first's.
    pub items: Vec<ItemChange>,
    /// Items that are the same in both.
    pub same: u32,
}

/// What became of one item.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemChange {
    pub chunk_uid: ChunkUid,
    pub file_rel_path: String,
    pub title: String,
    pub change: Change,
    pub cause: Cause,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    Added {
        rank: u32,
    },
    Removed {
        rank: u32,
    },
    /// The same symbol with another text.
    Edited {
        was: ChunkUid,
    },
    Moved {
        from: u32,
        to: u32,
    },
    /// Shown longer or shorter, in lines.
    Resized {
        from: u32,
        to: u32,
    },
    Rescored {
        from: Score,
        to: Score,
    },
}

/// The input whose change is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// The source of the item itself.
    Text,
    /// Something else in the tree.
    Tree,
    Request,
    /// Both differ, and which of them it was cannot be told.
    TreeOrRequest,
    /// Neither: another version of the program made it.
    Program,
}

pub fn diff(a: &ContextPack, b: &ContextPack) -> PackDiff {
    let request = changed_fields(a, b);
    let index_changed = a.index_signature != b.index_signature;
    let cause = match (index_changed, !request.is_empty()) {
        (true, true) => Cause::TreeOrRequest,
        (true, false) => Cause::Tree,
        (false, true) => Cause::Request,
        (false, false) => Cause::Program,
    };
    let before: BTreeMap<ChunkUid, &Item> = a.items().into_iter().map(|item| (item.chunk_uid, item)).collect();
    let after: BTreeMap<ChunkUid, &Item> = b.items().into_iter().map(|item| (item.chunk_uid, item)).collect();
    let missing: BTreeMap<&SymbolId, &Item> = a
        .items()
        .into_iter()
        .filter(|item| !after.contains_key(&item.chunk_uid))
        .filter_map(|item| Some((item.symbol_id.as_ref()?, item)))
        .collect();
    let (mut items, mut same, mut edited) = (Vec::new(), 0, Vec::new());
    for item in b.items() {
        let was = item.symbol_id.as_ref().and_then(|symbol| missing.get(symbol));
        let (change, cause) = match (before.get(&item.chunk_uid), was) {
            (Some(before), _) => match compare_items(before, item) {
                None => {
                    same += 1;
                    continue;
                }
                Some(change) => (change, cause),
            },
            (None, Some(was)) => {
                edited.push(was.chunk_uid);
                (Change::Edited { was: was.chunk_uid }, Cause::Text)
            }
            (None, None) => (Change::Added { rank: item.rank }, cause),
        };
        items.push(item_change(item, change, cause));
    }
    let removed =
        a.items().into_iter().filter(|item| !after.contains_key(&item.chunk_uid) && !edited.contains(&item.chunk_uid));
    items.extend(removed.map(|item| item_change(item, Change::Removed { rank: item.rank }, cause)));
    PackDiff { request, index_changed, items, same }
}

fn item_change(item: &Item, change: Change, cause: Cause) -> ItemChange {
    ItemChange {
        chunk_uid: item.chunk_uid,
        file_rel_path: item.file_rel_path.to_string(),
        title: item.title.clone(),
        change,
        cause,
    }
}

/// How an item that both packs contain differs.
fn compare_items(before: &Item, after: &Item) -> Option<Change> {
    if before.excerpt != after.excerpt {
        Some(Change::Resized { from: shown_lines(before), to: shown_lines(after) })
    } else if before.rank != after.rank {
        Some(Change::Moved { from: before.rank, to: after.rank })
    } else if before.scores != after.scores {
        Some(Change::Rescored { from: before.scores.hybrid_score, to: after.scores.hybrid_score })
    } else {
        None
    }
}

fn shown_lines(item: &Item) -> u32 {
    item.excerpt.shown.iter().map(|lines| lines.end - lines.start + 1).sum()
}

/// The paths of the fields in which two requests differ.
fn changed_fields(a: &ContextPack, b: &ContextPack) -> Vec<String> {
    let value = |pack: &ContextPack| serde_json::to_value(&pack.request).expect("a request is JSON");
    let mut fields = Vec::new();
    compare_values("", &value(a), &value(b), &mut fields);
    fields
}

fn compare_values(path: &str, a: &Value, b: &Value, fields: &mut Vec<String>) {
    let (Value::Object(x), Value::Object(y)) = (a, b) else {
        if a != b {
            fields.push(path.to_string());
        }
        return;
    };
    let keys: std::collections::BTreeSet<&String> = x.keys().chain(y.keys()).collect();
    for key in keys {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        compare_values(&path, x.get(key).unwrap_or(&Value::Null), y.get(key).unwrap_or(&Value::Null), fields);
    }
}
