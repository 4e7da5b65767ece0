//! Shows a node of a graph index and its neighbours, with names and places.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::show_find::{FoundNode, Named, find};
use crate::graph::adjacency::{self, Adjacency};
use crate::graph::neighbourhood::{Bounds, Branch, around};
use crate::record::{Digest, EdgeStatus, Evidence, EvidenceId, Node, NodeId, NodeKind, NodeNo, Score, Tier, View};
use crate::store::{Index, Mapped, StoreError};
use crate::text::RepoPath;

#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("nothing is called `{wanted}`{}", near_hint(.near))]
    Unknown { wanted: String, near: Vec<String> },
    #[error("`{wanted}` is one of {}\n  hint: name one as it stands here", list_names(.candidates))]
    Ambiguous { wanted: String, candidates: Named },
}

fn near_hint(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("\n  near are {}", names.join(", ")) }
}

fn list_names(named: &Named) -> String {
    let more = (named.more > 0).then(|| format!("\n  and {} more", named.more));
    named.names.iter().map(|name| format!("\n  {name}")).chain(more).collect()
}

/// A node and the graph around it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    pub node: NodeView,
    /// Other nodes with that name, written as the command accepts them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// How many more nodes have that name.
    #[serde(skip_serializing_if = "is_zero")]
    pub also_omitted: usize,
    pub views: Vec<ViewShown>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewShown {
    pub view: View,
    pub items: Vec<Item>,
    /// How many more items there are.
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
    /// The place of the edge's evidence.
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

/// Finds a node by id, path or name and shows the graph around it.
pub fn show(folder: &Path, wanted: &str, views: &[View], bounds: Bounds) -> Result<Shown, ShowError> {
    GraphView::open(folder)?.show(wanted, views, bounds)
}

/// A graph index opened for showing nodes.
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

    /// The digest of its manifest, which identifies the index.
    pub fn digest(&self) -> &Digest {
        &self.index.manifest().digest
    }

    pub fn show(&self, wanted: &str, views: &[View], bounds: Bounds) -> Result<Shown, ShowError> {
        let adjacency = Adjacency::parse(&self.adjacency).map_err(|fault| self.adjacency.corrupt(fault))?;
        let nodes = &self.nodes;
        let FoundNode { node, also } = find(nodes, &adjacency, wanted)?;
        let mut places = Places { index: &self.index, by_file: BTreeMap::new() };
        let mut shown = Vec::new();
        for view in views {
            let (branches, omitted) = around(&adjacency, node, *view, bounds);
            let items = items(&branches, nodes, node, *view, &mut places)?;
            shown.push(ViewShown { view: *view, items, omitted });
        }
        let node = node_view(&nodes[node.index()]);
        Ok(Shown { node, also: also.names, also_omitted: also.more, views: shown })
    }
}

fn items(
    branches: &[Branch],
    nodes: &[Node],
    from: NodeNo,
    view: View,
    places: &mut Places,
) -> Result<Vec<Item>, StoreError> {
    let mut items = Vec::new();
    for branch in branches {
        let neighbour = &branch.neighbour;
        let node = &nodes[neighbour.node.index()];
        // The evidence of an edge is in the file of its source node.
        let source = match view.direction() {
            adjacency::Direction::In => node,
            adjacency::Direction::Out => &nodes[from.index()],
        };
        items.push(Item {
            node: node_view(node),
            confidence: neighbour.confidence,
            tier: neighbour.tier,
            status: neighbour.status,
            evidence_id: neighbour.evidence_id,
            seen: places.find(source.file_rel_path.as_ref(), neighbour.evidence_id)?,
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

/// Evidence places, cached by file.
struct Places<'i> {
    index: &'i Index,
    by_file: BTreeMap<RepoPath, BTreeMap<EvidenceId, Place>>,
}

impl Places<'_> {
    fn find(&mut self, file: Option<&RepoPath>, id: EvidenceId) -> Result<Option<Place>, StoreError> {
        let Some(file) = file else { return Ok(None) };
        if !self.by_file.contains_key(file) {
            let mut places = BTreeMap::new();
            for record in self.index.find_records::<Evidence>(&[file.as_str().into()])? {
                let at_line = |line| Place { file_rel_path: file.clone(), line };
                places.extend(record.places.iter().map(|place| (place.evidence_id, at_line(place.site.line))));
            }
            self.by_file.insert(file.clone(), places);
        }
        Ok(self.by_file[file].get(&id).cloned())
    }
}
