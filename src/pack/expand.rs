//! The walk over the graph from the seeds: breadth first, so that the first path to a node is a shortest
//! one, and of those the one whose evidence is best.

use std::collections::{BTreeMap, BTreeSet};

use super::seeds::Seeds;
use super::{ChunkNodes, PackIndex, Shelf};
use crate::graph::adjacency::{Adjacency, Direction, Neighbour};
use crate::record::pack::{CapReport, Step, StepEvidence};
use crate::record::request::{PackRequest, WalkDirection};
use crate::record::{Chunk, EdgeType, NodeId, Score, SymbolId};

/// Chunks that the walk came to, and how.
#[derive(Default)]
pub struct Walk {
    pub reached: BTreeMap<u32, Reached>,
    pub edges_walked: BTreeMap<EdgeType, u32>,
    pub caps: Vec<CapReport>,
    pub max_hop: u32,
}

/// The best path from a seed to a chunk.
#[derive(Clone, Debug)]
pub struct Reached {
    pub distance: u32,
    /// Of all edges of the path, multiplied.
    pub evidence: Score,
    pub path: Vec<Walked>,
    /// A step of the path rests on a kind of evidence that was not asked for.
    pub gap: bool,
}

/// An edge, and which way it was walked. Thousands are for each that is shown, so nodes are numbers here.
#[derive(Clone, Copy, Debug)]
pub struct Walked {
    pub edge_type: EdgeType,
    pub direction: Direction,
    from: u32,
    to: u32,
    evidence: StepEvidence,
}

impl Walked {
    pub fn step(&self, graph: &Adjacency) -> Step {
        let id = |node: u32| NodeId::of_symbol(graph.id(node));
        Step { edge_type: self.edge_type, evidence_id: self.evidence.evidence_id, from: id(self.from), to: id(self.to) }
    }

    pub fn evidence(&self) -> StepEvidence {
        self.evidence
    }
}

/// A node on the edge of what is known so far.
#[derive(Clone)]
struct Front {
    node: u32,
    evidence: Score,
    path: Vec<Walked>,
    gap: bool,
}

/// Seeds that are walked from. More of them say less about the question.
const MAX_STARTS: usize = 8;

pub fn walk<S: Shelf>(index: &PackIndex<S>, request: &PackRequest, seeds: &Seeds) -> Result<Walk, S::Fault> {
    let Some((graph, nodes)) = index.linked() else { return Ok(Walk::default()) };
    let starts: Vec<u32> = seeds.hits.iter().take(MAX_STARTS).map(|hit| hit.chunk).collect();
    let mut walker = Walker {
        graph,
        nodes,
        request,
        types: request.edge_types(),
        walk: Walk::default(),
        seen: BTreeSet::new(),
        left: request.expansion.max_edges,
    };
    let mut front = Vec::new();
    for start in starts {
        if let Some(chunk) = seeds.chunks.get(&start) {
            front.extend(nodes_of(graph, chunk).into_iter().map(|node| Front {
                node,
                evidence: Score::ONE,
                path: Vec::new(),
                gap: false,
            }));
        }
    }
    walker.seen.extend(front.iter().map(|front| front.node));
    for hop in 1..=request.expansion.max_hops {
        front = walker.step(front, hop);
        if front.is_empty() {
            break;
        }
    }
    Ok(walker.finish())
}

/// What stands for a chunk in the graph: its symbol or itself, and its file, whose imports are its too.
fn nodes_of(graph: &Adjacency, chunk: &Chunk) -> Vec<u32> {
    let own = match &chunk.symbol_id {
        Some(symbol) => graph.node(symbol.as_str()),
        None => graph.node(&chunk.chunk_uid.to_string()),
    };
    let file = graph.node(SymbolId::of_file(&chunk.file_rel_path).as_str());
    own.into_iter().chain(file).collect()
}

struct Walker<'w> {
    graph: &'w Adjacency<'w>,
    nodes: &'w ChunkNodes,
    request: &'w PackRequest,
    types: BTreeSet<EdgeType>,
    walk: Walk,
    seen: BTreeSet<u32>,
    /// Edges that may still be walked.
    left: u32,
}

impl Walker<'_> {
    fn step(&mut self, front: Vec<Front>, hop: u32) -> Vec<Front> {
        let mut next: BTreeMap<u32, Front> = BTreeMap::new();
        for from in front {
            for (direction, neighbour) in self.neighbours(from.node) {
                if self.left == 0 {
                    break;
                }
                self.left -= 1;
                *self.walk.edges_walked.entry(neighbour.edge_type).or_default() += 1;
                if self.seen.contains(&neighbour.node) {
                    continue;
                }
                let evidence = from.evidence.times(neighbour.confidence);
                if next.get(&neighbour.node).is_none_or(|known| known.evidence < evidence) {
                    next.insert(neighbour.node, self.front(&from, direction, &neighbour));
                }
            }
        }
        self.seen.extend(next.keys());
        for front in next.values() {
            self.reach(front, hop);
        }
        next.into_values().collect()
    }

    /// The best neighbours of a node, in both directions as far as they are asked for.
    fn neighbours(&mut self, node: u32) -> Vec<(Direction, Neighbour)> {
        let directions: &[Direction] = match self.request.expansion.direction {
            WalkDirection::Out => &[Direction::Out],
            WalkDirection::In => &[Direction::In],
            WalkDirection::Both => &[Direction::Out, Direction::In],
        };
        let mut all = Vec::new();
        for direction in directions {
            for edge_type in &self.types {
                all.extend(
                    self.graph.neighbours(node, *direction, *edge_type).map(|neighbour| (*direction, neighbour)),
                );
            }
        }
        // Tests, prose and specs that speak of a seed are found by their own edges, whatever else is walked.
        for edge_type in [EdgeType::Test, EdgeType::Doc, EdgeType::Trace] {
            all.extend(
                self.graph.neighbours(node, Direction::In, edge_type).map(|neighbour| (Direction::In, neighbour)),
            );
        }
        all.retain(|(_, neighbour)| self.graph.chunk_uid(neighbour.node).is_some());
        let order = |(_, a): &(Direction, Neighbour), (_, b): &(Direction, Neighbour)| {
            let surer = b.confidence.cmp(&a.confidence).then(a.tier.cmp(&b.tier));
            surer.then(a.edge.cmp(&b.edge)).then(a.node.cmp(&b.node))
        };
        let limit = self.request.expansion.max_fanout as usize;
        if all.len() > limit {
            self.report("maxFanout", self.graph.id(node), limit as u32, all.len() as u32);
            if limit > 0 {
                all.select_nth_unstable_by(limit - 1, order);
            }
            all.truncate(limit);
        }
        all.sort_by(order);
        all
    }

    fn front(&self, from: &Front, direction: Direction, neighbour: &Neighbour) -> Front {
        let (source, target) = match direction {
            Direction::Out => (from.node, neighbour.node),
            Direction::In => (neighbour.node, from.node),
        };
        let evidence = StepEvidence {
            confidence: neighbour.confidence,
            evidence_id: neighbour.evidence_id,
            kind: neighbour.evidence_kind,
        };
        let expansion = &self.request.expansion;
        let gap = expansion.require_evidence && !expansion.evidence_kinds.contains(&neighbour.evidence_kind);
        let mut path = from.path.clone();
        path.push(Walked { edge_type: neighbour.edge_type, direction, from: source, to: target, evidence });
        Front { node: neighbour.node, evidence: from.evidence.times(neighbour.confidence), path, gap: from.gap || gap }
    }

    fn reach(&mut self, front: &Front, hop: u32) {
        let Some(chunk) = self.nodes.chunk(front.node) else { return };
        let better = self
            .walk
            .reached
            .get(&chunk)
            .is_none_or(|known| known.distance > hop || (known.distance == hop && known.evidence < front.evidence));
        if better {
            let reached = Reached { distance: hop, evidence: front.evidence, path: front.path.clone(), gap: front.gap };
            self.walk.reached.insert(chunk, reached);
        }
        self.walk.max_hop = self.walk.max_hop.max(hop);
    }

    fn report(&mut self, cap: &str, scope: &str, limit: u32, observed: u32) {
        self.walk.caps.push(CapReport {
            cap: cap.to_string(),
            limit,
            observed,
            omitted: observed - limit,
            scope: scope.to_string(),
        });
    }

    fn finish(mut self) -> Walk {
        if self.left == 0 {
            let limit = self.request.expansion.max_edges;
            self.report("maxEdges", "expansion", limit, limit);
        }
        self.walk
    }
}
