//! The walk over links, by the code that walks packs' graphs.

use std::collections::BTreeMap;

use super::catalog::{Catalog, DocNo};
use crate::dialect::spec::LinkKind;
use crate::graph::walk::{Arrival, WalkGraph, breadth_first};
use crate::record::bundle::LinkDirection;

/// How far a document is from the nearest start, and over which one it was reached.
pub type Step = Arrival<DocNo, ()>;

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
    let starts = starts.iter().map(|start| (*start, ())).collect();
    breadth_first(&mut Links { catalog, bounds }, starts, bounds.max_distance)
}

struct Links<'c> {
    catalog: &'c Catalog,
    bounds: Bounds,
}

impl WalkGraph for Links<'_> {
    type Node = DocNo;
    type PathState = ();

    fn successors(&mut self, document: DocNo, (): &(), successors: &mut Vec<(DocNo, ())>) {
        let follow = |kind| self.bounds.read_next || kind == LinkKind::Trace;
        let links = self.catalog.links(document, self.bounds.direction);
        successors.extend(links.filter(|link| follow(link.kind)).map(|link| (link.to, ())));
    }

    /// All links are alike.
    fn is_better(&self, (): &(), (): &()) -> bool {
        false
    }
}
