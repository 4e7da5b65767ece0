//! Which document owns which, and the ids of the workspace that give documents their roles.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::docs::{DocKind, Docs};
use super::system::MERGED_INTO;
use crate::dialect::export::{Forest, NONE, Troubles};
use crate::record::ProblemCode;

pub struct Owners {
    pub forest: Forest,
    /// Every document, owners first.
    pub preorder: Vec<u32>,
    /// Which documents hold what is said about another one.
    pub is_meta: Vec<bool>,
    /// Which documents are another name of their owner.
    pub is_merged: Vec<bool>,
    /// The id of the workspace.
    pub workspace: Option<String>,
    roots: BTreeSet<String>,
}

/// What is at a place of a workspace that Tana makes itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    Trash,
    System,
    Users,
    Container,
}

impl Owners {
    pub fn new(docs: &Docs, troubles: &mut Troubles) -> Self {
        let count = docs.list.len();
        let mut owners: Vec<u32> = docs.numbers().map(|doc| docs.owner(doc).unwrap_or(NONE)).collect();
        let mut is_meta: Vec<bool> = docs.list.iter().map(|doc| doc.kind == DocKind::Metanode).collect();
        for doc in docs.numbers() {
            if let Some(meta) = docs.meta(doc).filter(|meta| *meta != doc) {
                is_meta[meta as usize] = true;
                give(&mut owners, meta, doc);
            }
        }
        let listers = only_listers(docs);
        (0..count as u32).for_each(|doc| give(&mut owners, doc, listers[doc as usize]));
        let is_merged = merge(docs, &mut owners, &is_meta);
        let places = places(docs, &owners);
        let by_id = |a: u32, b: u32| docs.doc(a).id.cmp(&docs.doc(b).id);
        let by_place = |a: u32, b: u32| places[a as usize].cmp(&places[b as usize]).then_with(|| by_id(a, b));
        let roots = roots(docs);
        let is_root = |doc: u32| roots.contains(docs.doc(doc).id.as_ref());
        let roots_first = |a: u32, b: u32| -> Ordering { is_root(b).cmp(&is_root(a)).then_with(|| by_id(a, b)) };
        let (forest, cut) = Forest::new(owners, by_place, roots_first, by_id);
        for doc in cut.iter().map(|doc| docs.doc(*doc)) {
            let message = format!("the owners of `{}` form a loop; its own is left out", doc.id);
            troubles.add(ProblemCode::ItemParent, doc.span, message);
        }
        let is_merged = is_merged.into_iter().zip(0..).map(|(is, doc)| is && forest.owner(doc).is_some()).collect();
        let mut known: Vec<&String> = roots.iter().filter(|root| docs.number(root).is_some()).collect();
        known.sort();
        let workspace = known.first().or(roots.first().as_ref()).map(|root| root.to_string());
        Owners { preorder: forest.preorder(), forest, is_meta, is_merged, workspace, roots }
    }

    /// The area that an id stands for.
    pub fn area(&self, id: &str) -> Option<Area> {
        if id.ends_with("_TRASH") {
            return Some(Area::Trash);
        }
        if self.roots.contains(id) {
            return Some(Area::Container);
        }
        let (_, area) = AREAS.iter().find(|(end, _)| {
            id.strip_suffix(end).and_then(|id| id.strip_suffix('_')).is_some_and(|root| self.roots.contains(root))
        })?;
        Some(*area)
    }
}

/// How the ids of the places of a workspace end.
const AREAS: [(&str, Area); 11] = [
    ("STASH", Area::Container),
    ("CAPTURE_INBOX", Area::Container),
    ("SEARCHES", Area::Container),
    ("SCHEMA", Area::Container),
    ("USERS", Area::Users),
    ("MOVETO", Area::System),
    ("WORKSPACE", Area::System),
    ("CHATDRAFTS", Area::System),
    ("SIDEBAR_AREAS", Area::System),
    ("QUICK_ADD", Area::System),
    ("AVATAR", Area::System),
];

/// Gives a document an owner if it has none.
fn give(owners: &mut [u32], doc: u32, owner: u32) {
    let own = &mut owners[doc as usize];
    if *own == NONE && owner != doc {
        *own = owner;
    }
}

/// The documents that list each document, where that is one only.
fn only_listers(docs: &Docs) -> Vec<u32> {
    const MANY: u32 = NONE - 1;
    let mut listers = vec![NONE; docs.list.len()];
    for doc in docs.numbers() {
        for child in docs.children(doc).iter().filter(|child| child.doc != NONE) {
            let lister = &mut listers[child.doc as usize];
            *lister = if *lister == NONE || *lister == doc { doc } else { MANY };
        }
    }
    listers.iter_mut().filter(|lister| **lister == MANY).for_each(|lister| *lister = NONE);
    listers
}

/// Makes the document that another one was merged into its owner. Returns which ones were merged.
fn merge(docs: &Docs, owners: &mut [u32], is_meta: &[bool]) -> Vec<bool> {
    let mut is_merged = vec![false; docs.list.len()];
    let mut merges: Vec<(u32, u32)> = Vec::new();
    for tuple in docs.numbers().filter(|doc| docs.doc(*doc).kind == DocKind::Tuple) {
        let meta = owners[tuple as usize];
        if meta == NONE || !is_meta[meta as usize] || docs.label_id(tuple) != Some(MERGED_INTO) {
            continue;
        }
        let merged = owners[meta as usize];
        let target = docs.children(tuple).get(1).map_or(NONE, |child| child.doc);
        if merged != NONE && target != NONE && target != merged {
            merges.push((merged, target));
        }
    }
    merges.sort_by_key(|(merged, target)| (*merged, &docs.doc(*target).id));
    merges.dedup_by_key(|(merged, _)| *merged);
    for (merged, target) in merges {
        owners[merged as usize] = target;
        is_merged[merged as usize] = true;
    }
    is_merged
}

/// The place of each document among the children of its owner; the last place if that does not list it.
fn places(docs: &Docs, owners: &[u32]) -> Vec<u32> {
    let mut places = vec![NONE; docs.list.len()];
    for doc in docs.numbers() {
        for (place, child) in docs.children(doc).iter().enumerate().filter(|(_, child)| child.doc != NONE) {
            if owners[child.doc as usize] == doc {
                let own = &mut places[child.doc as usize];
                *own = (*own).min(place as u32);
            }
        }
    }
    places
}

/// The ids of workspaces: those that have a trash or a stash.
fn roots(docs: &Docs) -> BTreeSet<String> {
    let root = |id: &str| id.strip_suffix("_TRASH").or(id.strip_suffix("_STASH")).map(str::to_string);
    docs.list.iter().filter_map(|doc| root(&doc.id)).filter(|root| !root.is_empty()).collect()
}
