//! The walk over links: breadth first, so that the first way to a document is a shortest one. O(N + E).

use std::collections::{BTreeMap, VecDeque};

use super::catalog::{Catalog, DocNo};
use super::front_matter::LinkKind;
use crate::record::bundle::LinkDirection;

/// How far a document is from the nearest start, and over which one it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub distance: u32,
    pub from: Option<DocNo>,
}

/// How to walk.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub direction: LinkDirection,
    pub max_distance: u32,
    /// Follow `read_next` too.
    pub read_next: bool,
}

/// All that lies within the bounds, the starts at 0.
pub fn reached(catalog: &Catalog, starts: &[DocNo], bounds: Bounds) -> BTreeMap<DocNo, Step> {
    let mut steps: BTreeMap<DocNo, Step> =
        starts.iter().map(|start| (*start, Step { distance: 0, from: None })).collect();
    let mut front: VecDeque<(DocNo, u32)> = steps.keys().map(|start| (*start, 0)).collect();
    while let Some((from, distance)) = front.pop_front() {
        if distance == bounds.max_distance {
            continue;
        }
        for link in catalog.links(from, bounds.direction) {
            let follow = bounds.read_next || link.kind == LinkKind::Trace;
            if follow && !steps.contains_key(&link.to) {
                steps.insert(link.to, Step { distance: distance + 1, from: Some(from) });
                front.push_back((link.to, distance + 1));
            }
        }
    }
    steps
}
