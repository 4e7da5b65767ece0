//! The structure of documents: an edge from each item to the items in it.

use super::occurrences::{EdgeOccurrence, Endpoint, Finder, LabelNo, evidence_id};
use super::resolve::confidence;
use crate::record::{EdgeStatus, Item, Role, SymbolId, Tier};

/// One edge per item that has a parent. Parents are looked up and never followed, so a loop of parents is just as
/// many edges.
pub fn occurrences(finder: &Finder) -> Vec<EdgeOccurrence> {
    let items = finder.input.items.iter().filter(|item| item.parent.as_ref() != Some(&item.node_id));
    items.filter_map(|item| occurrence(finder, item)).collect()
}

/// The evidence is the child's name.
fn occurrence(finder: &Finder, item: &Item) -> Option<EdgeOccurrence> {
    let tree = finder.resolver.tree;
    let symbol = tree.symbol(item.node_id.as_str())?;
    let row = tree.row(symbol);
    let (edge_type, kind) = Role::Child.edge();
    Some(EdgeOccurrence {
        from: parent(finder, item)?,
        edge_type,
        to: Endpoint::Symbol(symbol),
        tier: Tier::Scope,
        status: EdgeStatus::Resolved,
        confidence: confidence::SCOPE,
        candidates: 1,
        label: LabelNo::NONE,
        kind,
        chunk_uid: row.chunk_uid,
        evidence: evidence_id(row.chunk_uid, row.range.start, kind, &row.site),
        file: tree.file_of(symbol),
        site: row.site,
    })
}

/// The symbol of the item around another one, or the file if that is what holds it.
fn parent(finder: &Finder, item: &Item) -> Option<Endpoint> {
    let id = item.parent.as_ref()?.as_str();
    let file = || finder.input.file(item.file_rel_path.as_str()).map(|file| Endpoint::File(file as u32));
    let is_file = SymbolId::of_file(&item.file_rel_path).as_str() == id;
    if is_file { file() } else { finder.resolver.tree.symbol(id).map(Endpoint::Symbol) }
}
