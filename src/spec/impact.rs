//! What a change of some documents may touch: what they name, and what names them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::catalog::{Catalog, DocNo};
use super::walk::{self, Step};
use crate::graph::walk::path;
use crate::record::SpecRole;
use crate::record::bundle::LinkDirection;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImpactMode {
    /// What the changed documents name: downstream.
    Forward,
    /// What names the changed documents: upstream.
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

/// What is asked, and what was found.
#[derive(Debug, Serialize)]
pub struct Impact<'c> {
    pub changed_ids: Vec<String>,
    pub mode: ImpactMode,
    pub max_distance: u32,
    pub roles: Option<Vec<SpecRole>>,
    pub include_doc_links: bool,
    pub unknown_ids: Vec<String>,
    /// The near before the far, then by category and id.
    pub nodes: Vec<ImpactNode<'c>>,
}

#[derive(Debug, Serialize)]
pub struct ImpactNode<'c> {
    pub id: &'c str,
    pub file: &'c str,
    pub kind: &'c str,
    pub scope: &'c str,
    pub role: SpecRole,
    pub status: &'c str,
    pub category: Category,
    pub distance: u32,
    /// The changed documents that reach it, in the order of their ids.
    pub from_changed: Vec<&'c str>,
    /// Ids from a changed document to it, along a shortest way.
    pub sample_path: Vec<&'c str>,
}

/// How to look for it.
pub struct ImpactRequest {
    pub changed_ids: Vec<String>,
    pub mode: ImpactMode,
    pub max_distance: u32,
    pub roles: Option<Vec<SpecRole>>,
    pub include_doc_links: bool,
}

pub fn impact<'c>(catalog: &'c Catalog, request: &ImpactRequest) -> Impact<'c> {
    let (mut changed, unknown_ids) = catalog.seeds(&request.changed_ids);
    changed.sort_by_key(|at| catalog.documents[*at].word("id"));
    let mut found: BTreeMap<DocNo, ImpactNode> = BTreeMap::new();
    for start in &changed {
        for direction in directions(request.mode) {
            let bounds = walk::Bounds {
                direction: *direction,
                max_distance: request.max_distance,
                read_next: request.include_doc_links,
            };
            take(catalog, *start, *direction, &walk::reached(catalog, &[*start], bounds), &mut found);
        }
    }
    let wanted = |node: &ImpactNode| request.roles.as_ref().is_none_or(|roles| roles.contains(&node.role));
    let mut nodes: Vec<ImpactNode> = found.into_values().filter(wanted).collect();
    nodes.sort_by_key(|node| (node.distance, node.category, node.id));
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

/// Takes what one walk came to; of several ways to a document the shortest is kept, the first of equal ones.
fn take<'c>(
    catalog: &'c Catalog,
    start: DocNo,
    direction: LinkDirection,
    steps: &BTreeMap<DocNo, Step>,
    found: &mut BTreeMap<DocNo, ImpactNode<'c>>,
) {
    let start_id = catalog.documents[start].word("id");
    for (at, step) in steps {
        let node = found.entry(*at).or_insert_with(|| node(catalog, *at));
        if step.distance < node.distance {
            node.distance = step.distance;
            node.category = category(direction, step.distance);
            let path = path(steps, *at);
            node.sample_path = path.into_iter().map(|at| catalog.documents[at].word("id")).collect();
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

fn node(catalog: &Catalog, at: DocNo) -> ImpactNode<'_> {
    let document = &catalog.documents[at];
    ImpactNode {
        id: document.word("id"),
        file: document.path.as_str(),
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
