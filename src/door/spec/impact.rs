//! Finds documents that a change may affect: those that the changed documents link to, and those that link to them.

use serde::{Deserialize, Serialize};

use super::library::{Header, Library};
use super::walk_rules;
use crate::assemble::{Document, Walk, expand};
use crate::record::SpecRole;
use crate::record::bundle::LinkDirection;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImpactMode {
    /// Documents that the changed ones link to: downstream.
    Forward,
    /// Documents that link to the changed ones: upstream.
    Backward,
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Changed,
    DownstreamDirect,
    DownstreamIndirect,
    UpstreamDirect,
    UpstreamIndirect,
}

/// What to look for.
#[derive(Debug, Serialize)]
pub struct ImpactRequest {
    pub changed_ids: Vec<String>,
    pub mode: ImpactMode,
    pub max_distance: u32,
    pub roles: Option<Vec<SpecRole>>,
    pub include_doc_links: bool,
}

#[derive(Debug, Serialize)]
pub struct Impact<'v> {
    #[serde(flatten)]
    pub request: &'v ImpactRequest,
    pub unknown_ids: Vec<String>,
    /// Sorted by distance, then by category and id.
    pub nodes: Vec<ImpactNode<'v>>,
}

#[derive(Debug, Serialize)]
pub struct ImpactNode<'v> {
    #[serde(flatten)]
    pub header: Header<'v>,
    pub status: &'v str,
    pub category: Category,
    pub distance: u32,
    /// The changed documents that reach it, sorted by id.
    pub from_changed: Vec<&'v str>,
    /// The ids on a shortest path from a changed document to it.
    pub sample_path: Vec<&'v str>,
}

pub fn impact<'v>(library: &Library<'v>, request: &'v ImpactRequest) -> Impact<'v> {
    let documents = &library.documents;
    let (mut changed, unknown_ids) = documents.with_ids(&request.changed_ids);
    changed.sort_by_key(|document| (documents[*document].id, *document));
    let all = documents.nodes();
    let mut walks: Vec<ChangeWalk> = Vec::new();
    for start in changed {
        walks.extend(directions(request.mode).iter().map(|direction| {
            let rules = walk_rules(*direction, request.max_distance, request.include_doc_links, &all);
            let walk = expand::walk(documents.view, &rules, documents.nodes_of(&[start]));
            ChangeWalk { start_id: documents[start].id, direction: *direction, walk }
        }));
    }
    let mut nodes: Vec<ImpactNode> = documents.iter().filter_map(|document| node(library, &walks, document)).collect();
    nodes.retain(|node| request.roles.as_ref().is_none_or(|roles| roles.contains(&node.header.role)));
    nodes.sort_by_key(|node| (node.distance, node.category, node.header.id, node.header.file));
    Impact { request, unknown_ids, nodes }
}

/// A walk from one changed document.
struct ChangeWalk<'v> {
    start_id: &'v str,
    direction: LinkDirection,
    walk: Walk,
}

fn directions(mode: ImpactMode) -> &'static [LinkDirection] {
    match mode {
        ImpactMode::Forward => &[LinkDirection::Out],
        ImpactMode::Backward => &[LinkDirection::In],
        ImpactMode::Both => &[LinkDirection::Out, LinkDirection::In],
    }
}

/// A document with the shortest path to it; of equally short ones, the first. Absent if no walk reached it.
fn node<'v>(library: &Library<'v>, walks: &[ChangeWalk<'v>], document: &Document<'v>) -> Option<ImpactNode<'v>> {
    let distance = |walk: &ChangeWalk| document.distance(&walk.walk);
    let reaching = || walks.iter().filter(|walk| distance(walk).is_some());
    let nearest = reaching().min_by_key(|walk| distance(walk))?;
    let distance = distance(nearest)?;
    let mut from_changed: Vec<&str> = reaching().map(|walk| walk.start_id).collect();
    from_changed.dedup();
    Some(ImpactNode {
        header: Header::new(document),
        status: document.item.word("status"),
        category: category(nearest.direction, distance),
        distance,
        from_changed,
        sample_path: library.documents.path_ids(&nearest.walk, document),
    })
}

fn category(direction: LinkDirection, distance: u32) -> Category {
    match (direction, distance) {
        (_, 0) => Category::Changed,
        (LinkDirection::In, 1) => Category::UpstreamDirect,
        (LinkDirection::In, _) => Category::UpstreamIndirect,
        (_, 1) => Category::DownstreamDirect,
        (_, _) => Category::DownstreamIndirect,
    }
}
