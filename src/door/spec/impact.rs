//! Finds documents that a change may affect: those that the changed documents link to, and those that link to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::library::{DocNo, Library};
use super::walk_rules;
use crate::assemble::{Walk, expand};
use crate::record::SpecRole;
use crate::record::bundle::LinkDirection;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// The request and its result.
#[derive(Debug, Serialize)]
pub struct Impact<'v> {
    pub changed_ids: Vec<String>,
    pub mode: ImpactMode,
    pub max_distance: u32,
    pub roles: Option<Vec<SpecRole>>,
    pub include_doc_links: bool,
    pub unknown_ids: Vec<String>,
    /// Sorted by distance, then by category and id.
    pub nodes: Vec<ImpactNode<'v>>,
}

#[derive(Debug, Serialize)]
pub struct ImpactNode<'v> {
    pub id: &'v str,
    pub file: &'v str,
    pub kind: &'v str,
    pub scope: &'v str,
    pub role: SpecRole,
    pub status: &'v str,
    pub category: Category,
    pub distance: u32,
    /// The changed documents that reach it, sorted by id.
    pub from_changed: Vec<&'v str>,
    /// The ids on a shortest path from a changed document to it.
    pub sample_path: Vec<&'v str>,
}

/// What to look for.
pub struct ImpactRequest {
    pub changed_ids: Vec<String>,
    pub mode: ImpactMode,
    pub max_distance: u32,
    pub roles: Option<Vec<SpecRole>>,
    pub include_doc_links: bool,
}

pub fn impact<'v>(library: &Library<'v>, request: &ImpactRequest) -> Impact<'v> {
    let (mut changed, unknown_ids) = library.seeds(&request.changed_ids);
    changed.sort_by_key(|document| (library.documents[*document].id(), *document));
    let all = library.nodes();
    let mut found: BTreeMap<DocNo, ImpactNode> = BTreeMap::new();
    for start in &changed {
        for direction in directions(request.mode) {
            let rules = walk_rules(*direction, request.max_distance, request.include_doc_links, &all);
            let walk = expand::walk(library.view, &rules, library.nodes_of(&[*start]));
            add(library, *start, *direction, &walk, &mut found);
        }
    }
    let is_wanted = |node: &ImpactNode| request.roles.as_ref().is_none_or(|roles| roles.contains(&node.role));
    let mut nodes: Vec<ImpactNode> = found.into_values().filter(is_wanted).collect();
    nodes.sort_by_key(|node| (node.distance, node.category, node.id, node.file));
    Impact {
        changed_ids: request.changed_ids.clone(),
        mode: request.mode,
        max_distance: request.max_distance,
        roles: request.roles.clone(),
        include_doc_links: request.include_doc_links,
        unknown_ids,
        nodes,
    }
}

fn directions(mode: ImpactMode) -> &'static [LinkDirection] {
    match mode {
        ImpactMode::Forward => &[LinkDirection::Out],
        ImpactMode::Backward => &[LinkDirection::In],
        ImpactMode::Both => &[LinkDirection::Out, LinkDirection::In],
    }
}

/// Adds the documents that one walk reached. Keeps the shortest path to each; of equally short ones, the first.
fn add<'v>(
    library: &Library<'v>,
    start: DocNo,
    direction: LinkDirection,
    walk: &Walk,
    found: &mut BTreeMap<DocNo, ImpactNode<'v>>,
) {
    let start_id = library.documents[start].id();
    let reached = walk.nodes.iter().filter_map(|(node, arrival)| Some((library.with_node(*node)?, *node, arrival)));
    for (document, node_number, arrival) in reached {
        let node = found.entry(document).or_insert_with(|| node(library, document));
        if arrival.distance < node.distance {
            node.distance = arrival.distance;
            node.category = category(direction, arrival.distance);
            let path = walk.path(node_number).into_iter().filter_map(|node| library.with_node(node));
            node.sample_path = path.map(|document| library.documents[document].id()).collect();
        }
        if node.from_changed.last() != Some(&start_id) {
            node.from_changed.push(start_id);
        }
    }
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

fn node<'v>(library: &Library<'v>, document: DocNo) -> ImpactNode<'v> {
    let document = &library.documents[document];
    ImpactNode {
        id: document.id(),
        file: document.file(),
        kind: document.word("kind"),
        scope: document.word("scope"),
        role: document.role(),
        status: document.word("status"),
        category: Category::Changed,
        distance: u32::MAX,
        from_changed: Vec::new(),
        sample_path: Vec::new(),
    }
}
