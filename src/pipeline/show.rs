//! Shows a node of a graph index and its neighbours, with names and places.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::show_find::{Found, Named, Subject, find};
use super::show_path::{PathRequest, PathShown, find_path};
use super::{Access, PackSource};
use crate::assemble::{IndexView, ReadError};
use crate::door::browse::definitions::{FolderShown, OutlineEntry, OutlineOfFile, outline_folder};
use crate::graph::adjacency::{self, Adjacency};
use crate::graph::neighbourhood::{Bounds, Branch, around};
use crate::record::pack::TreeState;
use crate::record::{
    Digest, EdgeStatus, Evidence, EvidenceId, Kind, Lines, Node, NodeId, NodeKind, NodeNo, Score, Tier, View,
};
use crate::store::{Index, StoreError};
use crate::text::RepoPath;

#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("nothing is called `{wanted}`{}", near_hint(.near))]
    Unknown { wanted: String, near: Vec<String> },
    #[error("`{wanted}` is the name of {} definitions or files{}", .candidates.count(), list_names(.candidates))]
    Ambiguous { wanted: String, candidates: Named },
    #[error("`{path}` has no text in line {line}; its last line with text is {last}")]
    NoLine { path: RepoPath, line: u32, last: u32 },
    #[error("`{folder}` is a directory\n  hint: name a file or a definition in it")]
    Folder { folder: String },
}

fn near_hint(names: &[String]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => format!("\n  hint: similar names are{}", indented(names)),
    }
}

fn list_names(named: &Named) -> String {
    let more = (named.more > 0).then(|| format!("\n    and {} more", named.more));
    format!(
        "{}{}\n  hint: name one as it stands here, or show all of them (--all)",
        indented(&named.names),
        more.unwrap_or_default()
    )
}

fn indented(names: &[String]) -> String {
    names.iter().map(|name| format!("\n    {name}")).collect()
}

/// Every record here is read from a store.
impl From<ReadError> for ShowError {
    fn from(error: ReadError) -> Self {
        ShowError::Store(super::pack_source::store_error(error))
    }
}

/// What to show.
#[derive(Clone, Copy)]
pub struct ShowRequest<'r> {
    /// As the user typed it.
    pub wanted: &'r str,
    pub views: &'r [View],
    pub bounds: Bounds,
    /// Show everything with that name instead of asking for one.
    pub all: bool,
}

/// What a request shows.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    One(Box<Shown>),
    All(ShownAll),
    Folder(FolderShown),
}

/// Everything with one name.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownAll {
    pub shown: Vec<Shown>,
    /// How many more have that name.
    pub omitted: usize,
}

/// A node and the graph around it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    pub node: NodeView,
    /// What the node defines, if it is a definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<DefinitionView>,
    /// Other definitions with that name, written as the command accepts them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// How many more definitions have that name.
    #[serde(skip_serializing_if = "is_zero")]
    pub also_omitted: usize,
    /// What a file defines, in line order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<OutlineEntry>,
    /// How many more definitions the file has.
    #[serde(skip_serializing_if = "is_zero")]
    pub definitions_omitted: usize,
    pub views: Vec<ViewShown>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Where a definition stands and what it is.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DefinitionView {
    pub kind: Kind,
    pub lines: Lines,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewShown {
    pub view: View,
    pub items: Vec<Item>,
    /// How many more items there are.
    pub omitted: usize,
}

#[derive(Clone, Debug, Serialize)]
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

/// How many definitions `--all` shows.
const MAX_ALL: usize = 50;

/// An index opened for showing nodes.
pub struct GraphView {
    source: PackSource,
    nodes: Vec<Node>,
}

impl GraphView {
    /// Opens the index whose graph is in a directory; its chunks are beside it.
    pub fn open(graph: &Path, access: Access) -> Result<Self, StoreError> {
        let source = PackSource::open_with(graph.parent().unwrap_or(Path::new("")), TreeState::Unchecked, access)?;
        let nodes = source.graph().records::<Node>()?.collect::<Result<Vec<Node>, StoreError>>()?;
        Ok(GraphView { source, nodes })
    }

    /// The digest of its manifest, which identifies the index.
    pub fn digest(&self) -> &Digest {
        &self.source.graph().manifest().digest
    }

    /// The one definition, file or chunk that a text names, and the graph around it.
    pub fn show(&self, wanted: &str, views: &[View], bounds: Bounds) -> Result<Shown, ShowError> {
        match self.answer(ShowRequest { wanted, views, bounds, all: false })? {
            Answer::One(shown) => Ok(*shown),
            Answer::All(_) => unreachable!("only one was asked for"),
            Answer::Folder(folder) => Err(ShowError::Folder { folder: folder.folder }),
        }
    }

    /// What a text names: one node, all nodes of that name, or a directory.
    pub fn answer(&self, request: ShowRequest) -> Result<Answer, ShowError> {
        self.source.with(|view| Ok(self.answer_in(view, request)))?
    }

    fn answer_in(&self, view: &IndexView, request: ShowRequest) -> Result<Answer, ShowError> {
        let subjects = match find(view, &self.nodes, request.wanted)? {
            Found::Folder(folder) => {
                return Ok(Answer::Folder(outline_folder(view, &folder, request.bounds.fanout)?));
            }
            Found::Subjects(subjects) => subjects,
        };
        if !request.all {
            let (subject, also) = subjects.choose(request.wanted)?;
            let shown = self.shown(view, &subject, request)?;
            return Ok(Answer::One(Box::new(Shown { also: also.names, also_omitted: also.more, ..shown })));
        }
        let omitted = subjects.all.len().saturating_sub(MAX_ALL);
        let shown = subjects.all.iter().take(MAX_ALL).map(|subject| self.shown(view, subject, request));
        Ok(Answer::All(ShownAll { shown: shown.collect::<Result<_, _>>()?, omitted }))
    }

    /// The shortest path between two things over the edges of the graph.
    pub fn path(&self, request: PathRequest) -> Result<PathShown, ShowError> {
        let mut places = Places::new(self.source.graph());
        self.source.with(|view| Ok(find_path(view, &self.nodes, request, &mut places)))?
    }

    fn shown(&self, view: &IndexView, subject: &Subject, request: ShowRequest) -> Result<Shown, ShowError> {
        let mut places = Places::new(self.source.graph());
        let mut views = Vec::new();
        for chosen in request.views {
            let (items, omitted) = match (subject.node, view.graph()) {
                (Some(node), Some(graph)) => self.items(graph, node, *chosen, request.bounds, &mut places)?,
                _ => (Vec::new(), 0),
            };
            views.push(ViewShown { view: *chosen, items, omitted });
        }
        let OutlineOfFile { definitions, omitted } = subject.outline(view)?;
        Ok(Shown {
            node: subject.view.clone(),
            definition: subject.definition.clone(),
            also: Vec::new(),
            also_omitted: 0,
            definitions,
            definitions_omitted: omitted,
            views,
        })
    }

    fn items(
        &self,
        graph: &Adjacency,
        node: NodeNo,
        view: View,
        bounds: Bounds,
        places: &mut Places,
    ) -> Result<(Vec<Item>, usize), StoreError> {
        let (branches, omitted) = around(graph, node, view, bounds);
        Ok((items(&branches, &self.nodes, node, view, places)?, omitted))
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

pub fn node_view(node: &Node) -> NodeView {
    NodeView {
        file_rel_path: node.file_rel_path.clone(),
        kind: node.kind,
        name: node.name.clone(),
        node_id: node.node_id.clone(),
        unresolved: node.unresolved,
    }
}

/// Evidence places, cached by file.
pub struct Places<'i> {
    index: &'i Index,
    by_file: BTreeMap<RepoPath, BTreeMap<EvidenceId, Place>>,
}

impl<'i> Places<'i> {
    fn new(index: &'i Index) -> Self {
        Places { index, by_file: BTreeMap::new() }
    }

    pub fn find(&mut self, file: Option<&RepoPath>, id: EvidenceId) -> Result<Option<Place>, StoreError> {
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
