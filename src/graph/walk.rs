//! Breadth-first search over any graph. It goes level by level, so the first path to a node is a shortest one;
//! of several paths of the same length it keeps the best. Every node is expanded once: O(N + E).

use std::collections::BTreeMap;

/// How the walk reached a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival<N, S> {
    /// Edges from the nearest start, which is at 0.
    pub distance: u32,
    /// The node before it.
    pub from: Option<N>,
    pub state: S,
}

/// Every node that a walk reached.
pub type Reached<N, S> = BTreeMap<N, Arrival<N, S>>;

/// A graph that can be walked: where each node leads to, and which of two paths is better.
pub trait WalkGraph {
    type Node: Copy + Ord;
    /// What is known about a path besides its last node.
    type PathState: Copy;

    /// Adds the nodes that one edge leads to from here, for a node that was reached by this path.
    fn successors(
        &mut self,
        node: Self::Node,
        state: &Self::PathState,
        successors: &mut Vec<(Self::Node, Self::PathState)>,
    );

    /// Whether a path is better than one of the same length that was found before it.
    fn is_better(&self, state: &Self::PathState, known: &Self::PathState) -> bool;
}

/// All nodes within `max_distance` edges of the starts.
pub fn breadth_first<G: WalkGraph>(
    graph: &mut G,
    starts: Vec<(G::Node, G::PathState)>,
    max_distance: u32,
) -> Reached<G::Node, G::PathState> {
    let mut reached = Reached::new();
    for (start, state) in &starts {
        reached.entry(*start).or_insert(Arrival { distance: 0, from: None, state: *state });
    }
    let (mut front, mut successors) = (starts, Vec::new());
    for distance in 1..=max_distance {
        let mut next: Reached<G::Node, G::PathState> = Reached::new();
        for (from, state) in &front {
            graph.successors(*from, state, &mut successors);
            for (to, state) in successors.drain(..).filter(|(to, _)| !reached.contains_key(to)) {
                if next.get(&to).is_none_or(|known| graph.is_better(&state, &known.state)) {
                    next.insert(to, Arrival { distance, from: Some(*from), state });
                }
            }
        }
        if next.is_empty() {
            break;
        }
        front = next.iter().map(|(node, arrival)| (*node, arrival.state)).collect();
        reached.append(&mut next);
    }
    reached
}

/// The nodes from a start to a node, both included. It ends: each node is farther from a start than the one before.
pub fn path<N: Copy + Ord, S>(reached: &Reached<N, S>, to: N) -> Vec<N> {
    let mut path: Vec<N> =
        std::iter::successors(Some(to), |at| reached.get(at).and_then(|arrival| arrival.from)).collect();
    path.reverse();
    path
}
