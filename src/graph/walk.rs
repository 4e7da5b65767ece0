//! Breadth-first search over any graph. It goes level by level, so the first path to a node is a shortest one;
//! of several paths of the same length it keeps the best. Every node is expanded once: O(N + E).

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use rustc_hash::FxHashMap;

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
    type Node: Copy + Ord + Hash;
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
    let mut reached = Arrivals { all: Vec::new(), places: FxHashMap::default() };
    for (start, state) in &starts {
        let arrival = Arrival { distance: 0, from: None, state: *state };
        reached.add(*start, arrival, usize::MAX, |_, _| false);
    }
    let (mut front, mut successors) = (starts, Vec::new());
    for distance in 1..=max_distance {
        let first = reached.all.len();
        for (from, state) in &front {
            graph.successors(*from, state, &mut successors);
            for (to, state) in successors.drain(..) {
                let arrival = Arrival { distance, from: Some(*from), state };
                reached.add(to, arrival, first, |state, known| graph.is_better(state, known));
            }
        }
        front.clear();
        front.extend(reached.all[first..].iter().map(|(node, arrival)| (*node, arrival.state)));
        if front.is_empty() {
            break;
        }
        front.sort_unstable_by_key(|(node, _)| *node);
    }
    reached.all.into_iter().collect()
}

/// The nodes reached so far, level by level.
struct Arrivals<N, S> {
    all: Vec<(N, Arrival<N, S>)>,
    /// The position of each node in `all`.
    places: FxHashMap<N, usize>,
}

impl<N: Copy + Eq + Hash, S: Copy> Arrivals<N, S> {
    /// Adds an arrival. Where the node is known on the level that starts at `first`, the better path is kept.
    fn add(&mut self, node: N, arrival: Arrival<N, S>, first: usize, is_better: impl Fn(&S, &S) -> bool) {
        match self.places.entry(node) {
            Entry::Vacant(place) => {
                place.insert(self.all.len());
                self.all.push((node, arrival));
            }
            Entry::Occupied(place) if *place.get() >= first => {
                let known = &mut self.all[*place.get()].1;
                if is_better(&arrival.state, &known.state) {
                    *known = arrival;
                }
            }
            Entry::Occupied(_) => {}
        }
    }
}

/// The nodes from a start to a node, both included. It ends: each node is farther from a start than the one before.
pub fn path<N: Copy + Ord, S>(reached: &Reached<N, S>, to: N) -> Vec<N> {
    let mut path: Vec<N> =
        std::iter::successors(Some(to), |at| reached.get(at).and_then(|arrival| arrival.from)).collect();
    path.reverse();
    path
}
