//! Breadth first over any graph: level by level, so that the first way to a node is a shortest
//! one, and of those on one level the best. Every node is left once: O(N + E).

use std::collections::BTreeMap;

/// How a node was come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival<N, W> {
    /// Edges from the nearest start, which is at 0.
    pub distance: u32,
    /// The node before it.
    pub from: Option<N>,
    pub way: W,
}

/// Every node that a walk came to.
pub type Reached<N, W> = BTreeMap<N, Arrival<N, W>>;

/// A walk's ground: where one can go, and which way is better.
pub trait Ground {
    type Node: Copy + Ord;
    /// What is known of a way besides where it leads.
    type Way: Copy;

    /// Where one can go from a node that was come to by a way.
    fn onward(&mut self, node: Self::Node, way: &Self::Way, onward: &mut Vec<(Self::Node, Self::Way)>);

    /// Whether a way is better than one of the same length that was found before it.
    fn is_better(&self, way: &Self::Way, known: &Self::Way) -> bool;
}

/// All that lies within so many steps.
pub fn breadth_first<G: Ground>(
    ground: &mut G,
    starts: Vec<(G::Node, G::Way)>,
    max_distance: u32,
) -> Reached<G::Node, G::Way> {
    let mut reached = Reached::new();
    for (start, way) in &starts {
        reached.entry(*start).or_insert(Arrival { distance: 0, from: None, way: *way });
    }
    let (mut front, mut onward) = (starts, Vec::new());
    for distance in 1..=max_distance {
        let mut next: Reached<G::Node, G::Way> = Reached::new();
        for (from, way) in &front {
            ground.onward(*from, way, &mut onward);
            for (to, way) in onward.drain(..).filter(|(to, _)| !reached.contains_key(to)) {
                if next.get(&to).is_none_or(|known| ground.is_better(&way, &known.way)) {
                    next.insert(to, Arrival { distance, from: Some(*from), way });
                }
            }
        }
        if next.is_empty() {
            break;
        }
        front = next.iter().map(|(node, arrival)| (*node, arrival.way)).collect();
        reached.append(&mut next);
    }
    reached
}

/// The nodes from a start to a node, both included.
pub fn path<N: Copy + Ord, W>(reached: &Reached<N, W>, to: N) -> Vec<N> {
    let mut path: Vec<N> =
        std::iter::successors(Some(to), |at| reached.get(at).and_then(|arrival| arrival.from)).collect();
    path.reverse();
    path
}
