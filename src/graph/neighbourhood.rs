//! The neighbours of a node, hop by hop, within limits.

use super::adjacency::{Adjacency, Neighbour};
use crate::record::{NodeNo, View};

/// A neighbour and its own neighbours.
pub struct Branch {
    pub neighbour: Neighbour,
    pub branches: Vec<Branch>,
    /// How many of its own neighbours are not shown.
    pub omitted: usize,
    /// It was shown before, nearer to the root.
    pub repeated: bool,
}

/// How far to go and how much to show.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub hops: u32,
    /// Neighbours per node.
    pub fanout: usize,
}

/// The neighbours of a node, most confident first, and how many are left out. Each node is expanded once.
pub fn around(adjacency: &Adjacency, node: NodeNo, view: View, bounds: Bounds) -> (Vec<Branch>, usize) {
    let mut shown = vec![node];
    grow(adjacency, node, view, bounds, &mut shown)
}

fn grow(
    adjacency: &Adjacency,
    node: NodeNo,
    view: View,
    bounds: Bounds,
    shown: &mut Vec<NodeNo>,
) -> (Vec<Branch>, usize) {
    if bounds.hops == 0 {
        return (Vec::new(), 0);
    }
    let mut neighbours: Vec<Neighbour> = adjacency.neighbours(node, view.direction(), view.edge_type()).collect();
    neighbours.sort_by_key(|neighbour| (neighbour.tier, std::cmp::Reverse(neighbour.confidence), neighbour.node));
    let omitted = neighbours.len().saturating_sub(bounds.fanout);
    neighbours.truncate(bounds.fanout);
    let known = shown.len();
    shown.extend(neighbours.iter().map(|neighbour| neighbour.node));
    let branches = neighbours.into_iter().map(|neighbour| {
        let repeated = shown[..known].contains(&neighbour.node);
        let deeper = Bounds { hops: if repeated { 0 } else { bounds.hops - 1 }, ..bounds };
        let (branches, omitted) = grow(adjacency, neighbour.node, view, deeper, shown);
        Branch { neighbour, branches, omitted, repeated }
    });
    (branches.collect(), omitted)
}
