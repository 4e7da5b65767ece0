//! A node and its neighbours with their names and places, from a graph index.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::show_find::{FoundNode, Named, find};
use crate::graph::adjacency::{self, Adjacency};
use crate::graph::neighbourhood::{Bounds, Branch, around};
use crate::record::{Digest, EdgeStatus, Evidence, EvidenceId, Node, NodeId, NodeKind, Score, Tier, View};
use crate::store::{Index, Mapped, StoreError};
use crate::text::RepoPath;

#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("nothing is called `{wanted}`{}", hint_of(.near))]
    Unknown { wanted: String, near: Vec<String> },
    #[error("`{wanted}` is one of {}\n  hint: name one as it stands here", listed(.candidates))]
    Ambiguous { wanted: String, candidates: Named },
}

fn hint_of(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("\n  near are {}", names.join(", ")) }
}

fn listed(named: &Named) -> String {
    let more = (named.more > 0).then(|| format!("\n  and {} more", named.more));
    named.names.iter().map(|name| format!("\n  {name}")).chain(more).collect()
}

/// What is shown of a node.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    pub node: NodeView,
    /// What else has that name, as it can be asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// How many more have it.
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

/// Finds a node by id, path or name and shows the graph around it.
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
        let FoundNode { node, also } = find(nodes, wanted)?;
        let mut places = Places { index: &self.index, of_files: BTreeMap::new() };
        let mut shown = Vec::new();
        for view in views {
            let (branches, omitted) = around(&adjacency, node, *view, bounds);
            let items = items(&branches, nodes, node, *view, &mut places)?;
            shown.push(ViewShown { view: *view, items, omitted });
        }
        let node = node_view(&nodes[node as usize]);
        Ok(Shown { node, also: also.names, also_omitted: also.more, views: shown })
    }
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
        let source = match view.direction() {
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
                places.extend(record.places.iter().map(|place| (place.evidence_id, seen(place.site.line))));
            }
            self.of_files.insert(file.clone(), places);
        }
        Ok(self.of_files[file].get(&id).cloned())
    }
}
