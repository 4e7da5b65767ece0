//! A node and its neighbours with their names and places, from a graph index.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::graph::adjacency::{self, Adjacency};
use crate::graph::neighbourhood::{Bounds, Branch, View, around};
use crate::record::{Digest, EdgeStatus, Evidence, EvidenceId, Node, NodeId, NodeKind, Score, SymbolId, Tier};
use crate::store::{Index, Mapped, StoreError};
use crate::text::RepoPath;

#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("nothing is called `{wanted}`{}", hint_of(.near))]
    Unknown { wanted: String, near: Vec<String> },
    #[error("`{wanted}` is one of {}\n  hint: name one by its id", listed(.candidates))]
    Ambiguous { wanted: String, candidates: Vec<String> },
}

fn hint_of(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("\n  near are {}", names.join(", ")) }
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("\n  {name}")).collect()
}

/// What is shown of a node.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    pub node: NodeView,
    pub views: Vec<ViewShown>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewShown {
    pub view: View,
    pub items: Vec<Item>,
    /// How many more there are.
    pub omitted: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeView {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_rel_path: Option<RepoPath>,
    pub kind: NodeKind,
    pub name: String,
    pub node_id: NodeId,
    pub unresolved: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    #[serde(flatten)]
    pub node: NodeView,
    pub confidence: Score,
    pub tier: Tier,
    pub status: EdgeStatus,
    pub evidence_id: EvidenceId,
    /// Where the edge is seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Place>,
    pub repeated: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Item>,
    pub omitted: usize,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub file_rel_path: RepoPath,
    pub line: u32,
}

/// Looks a node up by id, path or name and shows what lies around it.
pub fn show(folder: &Path, wanted: &str, views: &[View], bounds: Bounds) -> Result<Shown, ShowError> {
    GraphView::open(folder)?.show(wanted, views, bounds)
}

/// A graph index opened to look around in it.
pub struct GraphView {
    index: Index,
    adjacency: Mapped,
    nodes: Vec<Node>,
}

impl GraphView {
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let index = Index::open(folder)?;
        let mapped = index.accelerator(adjacency::NAME, adjacency::VERSION)?.into_iter().next();
        let adjacency = mapped.ok_or_else(|| StoreError::corrupt(folder, "it has no adjacency", None))?;
        let nodes = index.records::<Node>()?.collect::<Result<Vec<Node>, StoreError>>()?;
        Ok(GraphView { index, adjacency, nodes })
    }

    /// Of its manifest: another index has another one.
    pub fn digest(&self) -> &Digest {
        &self.index.manifest().digest
    }

    pub fn show(&self, wanted: &str, views: &[View], bounds: Bounds) -> Result<Shown, ShowError> {
        let adjacency = Adjacency::parse(&self.adjacency).map_err(|fault| self.adjacency.corrupt(fault))?;
        let nodes = &self.nodes;
        let node = find(nodes, wanted)?;
        let mut places = Places { index: &self.index, of_files: BTreeMap::new() };
        let mut shown = Vec::new();
        for view in views {
            let (branches, omitted) = around(&adjacency, node, *view, bounds);
            let items = items(&branches, nodes, node, *view, &mut places)?;
            shown.push(ViewShown { view: *view, items, omitted });
        }
        Ok(Shown { node: node_view(&nodes[node as usize]), views: shown })
    }
}

/// The node of an id, a path or a name; a name may be its last parts.
fn find(nodes: &[Node], wanted: &str) -> Result<u32, ShowError> {
    let by_id = |id: &str| nodes.binary_search_by(|node| node.node_id.as_str().cmp(id)).ok();
    let of_path = RepoPath::try_from(wanted.to_string()).ok().map(|path| SymbolId::of_file(&path));
    let exact = by_id(wanted).or_else(|| by_id(&format!("scip:{wanted}"))).or_else(|| by_id(of_path?.as_str()));
    if let Some(node) = exact {
        return Ok(node as u32);
    }
    let ends = |name: &str| {
        let before = name.strip_suffix(wanted);
        before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':', '#', '/']))
    };
    let ends_path = |node: &Node| {
        let path = node.file_rel_path.as_ref().filter(|_| node.kind == NodeKind::File);
        path.is_some_and(|path| ends(path.as_str()))
    };
    let fits = |node: &&(usize, &Node)| ends(&node.1.name) || ends_path(node.1);
    let all: Vec<(usize, &Node)> = nodes.iter().enumerate().collect();
    let found: Vec<&(usize, &Node)> = all.iter().filter(fits).collect();
    let whole: Vec<_> =
        found.iter().filter(|(_, node)| node.name == wanted && node.kind != NodeKind::External).collect();
    match (found.as_slice(), whole.as_slice()) {
        ([(node, _)], _) => Ok(*node as u32),
        (_, [(node, _)]) => Ok(*node as u32),
        ([], _) => Err(ShowError::Unknown { wanted: wanted.to_string(), near: similar(nodes, wanted) }),
        (many, _) => {
            let candidates = many.iter().take(MAX_NAMED).map(|(_, node)| node.node_id.to_string()).collect();
            Err(ShowError::Ambiguous { wanted: wanted.to_string(), candidates })
        }
    }
}

/// How many names an error lists.
const MAX_NAMED: usize = 10;

/// Names that hold the wanted one's last part, whatever the case.
fn similar(nodes: &[Node], wanted: &str) -> Vec<String> {
    let last = wanted.rsplit(['.', ':', '/', '#']).next().unwrap_or(wanted).to_lowercase();
    let holds = |node: &&Node| !last.is_empty() && node.name.to_lowercase().contains(&last);
    let mut names: Vec<String> = nodes.iter().filter(holds).map(|node| node.name.clone()).collect();
    names.sort_by_key(|name| (name.len(), name.clone()));
    names.dedup();
    names.truncate(MAX_NAMED);
    names
}

fn items(
    branches: &[Branch],
    nodes: &[Node],
    from: u32,
    view: View,
    places: &mut Places,
) -> Result<Vec<Item>, StoreError> {
    let mut items = Vec::new();
    for branch in branches {
        let neighbour = &branch.neighbour;
        let node = &nodes[neighbour.node as usize];
        // The evidence of an edge stands where it comes from.
        let source = match view.edges().0 {
            adjacency::Direction::In => node,
            adjacency::Direction::Out => &nodes[from as usize],
        };
        items.push(Item {
            node: node_view(node),
            confidence: neighbour.confidence,
            tier: neighbour.tier,
            status: neighbour.status,
            evidence_id: neighbour.evidence_id,
            seen: places.of(source.file_rel_path.as_ref(), neighbour.evidence_id)?,
            repeated: branch.repeated,
            items: self::items(&branch.branches, nodes, neighbour.node, view, places)?,
            omitted: branch.omitted,
        });
    }
    Ok(items)
}

fn node_view(node: &Node) -> NodeView {
    NodeView {
        file_rel_path: node.file_rel_path.clone(),
        kind: node.kind,
        name: node.name.clone(),
        node_id: node.node_id.clone(),
        unresolved: node.unresolved,
    }
}

/// The evidence of the files that were asked for so far.
struct Places<'i> {
    index: &'i Index,
    of_files: BTreeMap<RepoPath, BTreeMap<EvidenceId, Place>>,
}

impl Places<'_> {
    fn of(&mut self, file: Option<&RepoPath>, id: EvidenceId) -> Result<Option<Place>, StoreError> {
        let Some(file) = file else { return Ok(None) };
        if !self.of_files.contains_key(file) {
            let mut places = BTreeMap::new();
            for record in self.index.find_records::<Evidence>(&[file.as_str().into()])? {
                let seen = |line| Place { file_rel_path: file.clone(), line };
                places.extend(record.places.iter().map(|place| (place.evidence_id, seen(place.site.line()))));
            }
            self.of_files.insert(file.clone(), places);
        }
        Ok(self.of_files[file].get(&id).cloned())
    }
}
