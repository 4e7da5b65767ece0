//! Who uses a definition: every edge that leads to it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{LookRequest, Looked, MAX_CHARS, Row, cut, named, nothing_note, row};
use crate::assemble::IndexView;
use crate::assemble::target::{definition_at, path_of};
use crate::door::browse::BrowseError;
use crate::graph::adjacency::{Adjacency, Neighbour};
use crate::record::{Direction, EdgeType, Lines, Score, SymbolId, Tier};
use crate::text::{RepoPath, one_line};

/// Edges of code.
const EDGE_TYPES: [EdgeType; 6] =
    [EdgeType::Call, EdgeType::Usage, EdgeType::Import, EdgeType::Export, EdgeType::Test, EdgeType::Doc];

/// A line that names the definition.
struct Use {
    key: (Tier, Reverse<Score>, RepoPath, u32),
    verb: &'static str,
    from: String,
    id: Option<SymbolId>,
}

pub fn references(view: &IndexView, request: &LookRequest) -> Result<Looked, BrowseError> {
    let (found, near) = named(view, request.target)?;
    let mut uses = Vec::new();
    let wanted: BTreeSet<SymbolId> = found.iter().map(|symbol| symbol.symbol_id.clone()).collect();
    for id in &wanted {
        uses.extend(uses_of(view, id).into_iter().filter(|one| request.has(&one.key.2)));
    }
    uses.sort_by(|a, b| a.key.cmp(&b.key).then_with(|| a.from.cmp(&b.from)));
    let mut seen = BTreeSet::new();
    uses.retain(|one| seen.insert((one.key.2.clone(), one.key.3)));
    let rows: Vec<Row> = uses.into_iter().map(|one| use_row(view, one)).collect::<Result<_, BrowseError>>()?;
    let mut looked = request.page(rows);
    looked.note = nothing_note(found.is_empty(), &near);
    if looked.total == 0 && !found.is_empty() {
        looked.note = Some("nothing in the tree uses it".to_string());
    }
    Ok(looked)
}

fn uses_of(view: &IndexView, id: &SymbolId) -> Vec<Use> {
    let Some(graph) = view.graph() else { return Vec::new() };
    let Some(node) = graph.node(id.as_str()) else { return Vec::new() };
    let edges = graph.all_neighbours(node, Direction::In).filter(|edge| EDGE_TYPES.contains(&edge.edge_type));
    edges.filter_map(|edge| use_of(view, graph, &edge)).collect()
}

fn use_of(view: &IndexView, graph: &Adjacency, edge: &Neighbour) -> Option<Use> {
    let chunk = view.corpus().chunk(graph.chunk_uid(edge.node)?)?;
    let path = path_of(view, view.corpus().file_of(chunk))?;
    let id = graph.id(edge.node).to_string();
    Some(Use {
        key: (edge.tier, Reverse(edge.confidence), path, edge.line),
        verb: edge.edge_type.verb(Direction::In),
        from: crate::record::last_name(&id).to_string(),
        id: SymbolId::try_from(id).ok(),
    })
}

fn use_row(view: &IndexView, one: Use) -> Result<Row, BrowseError> {
    let (.., path, line) = one.key;
    let symbols = view.symbols(&path)?;
    // The definition around the line is shown with its name, so it counts as seen.
    let around = definition_at(&symbols, line).map(|symbol| symbol.symbol_id.clone()).or(one.id);
    let text = format!("{} {} it", cut(&one_line(&one.from), MAX_CHARS), one.verb);
    Ok(row(&path, Lines { end: line, start: line }, &text, around.into_iter().collect()))
}
