//! The walk over the graph from the seeds: a shortest path to each chunk, and of those the one whose evidence is
//! best.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::seeds::Seeds;
use super::{ChunkNodes, PackIndex, Shelf};
use crate::graph::adjacency::{Adjacency, Direction, Neighbour};
use crate::graph::breadth::{self, Arrival, Ground, breadth_first};
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

/// How good the way to a node is, and the last edge of it.
#[derive(Clone, Copy)]
struct Way {
    evidence: Score,
    gap: bool,
    last: Option<Walked>,
}

impl Way {
    const START: Way = Way { evidence: Score::ONE, gap: false, last: None };
}

/// Seeds that are walked from. More of them say less about the question.
const MAX_STARTS: usize = 8;

pub fn walk<S: Shelf>(index: &PackIndex<S>, request: &PackRequest, seeds: &Seeds) -> Result<Walk, S::Fault> {
    let Some((graph, nodes)) = index.linked() else { return Ok(Walk::default()) };
    let starts: Vec<u32> = seeds.hits.iter().take(MAX_STARTS).map(|hit| hit.chunk).collect();
    let mut front = Vec::new();
    for chunk in starts.iter().filter_map(|start| seeds.chunks.get(start)) {
        front.extend(nodes_of(graph, chunk).into_iter().map(|node| (node, Way::START)));
    }
    let left = request.expansion.max_edges;
    let mut walker = Walker { graph, request, types: request.edge_types(), walk: Walk::default(), left, omitted: 0 };
    let arrivals = breadth_first(&mut walker, front, request.expansion.max_hops);
    Ok(walker.finish(nodes, &arrivals))
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
    request: &'w PackRequest,
    types: BTreeSet<EdgeType>,
    walk: Walk,
    /// Edges that may still be walked.
    left: u32,
    /// Edges that were there to walk when none was left.
    omitted: u32,
}

impl Ground for Walker<'_> {
    type Node = u32;
    type Way = Way;

    fn onward(&mut self, node: u32, way: &Way, onward: &mut Vec<(u32, Way)>) {
        for (direction, neighbour) in self.neighbours(node) {
            if self.left == 0 {
                self.omitted += 1;
                continue;
            }
            self.left -= 1;
            *self.walk.edges_walked.entry(neighbour.edge_type).or_default() += 1;
            onward.push((neighbour.node, self.way(node, way, direction, &neighbour)));
        }
    }

    fn is_better(&self, way: &Way, known: &Way) -> bool {
        way.evidence > known.evidence
    }
}

impl Walker<'_> {
    /// The best neighbours of a node, in both directions as far as they are asked for.
    fn neighbours(&mut self, node: u32) -> Vec<(Direction, Neighbour)> {
        let mut all = Vec::new();
        for direction in [Direction::Out, Direction::In] {
            for edge_type in EdgeType::ALL.iter().filter(|edge_type| self.walks(**edge_type, direction)) {
                all.extend(self.graph.neighbours(node, direction, *edge_type).map(|neighbour| (direction, neighbour)));
            }
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

    /// Whether edges of a type are walked in a direction: because they are asked for, or in any case.
    fn walks(&self, edge_type: EdgeType, direction: Direction) -> bool {
        let is_asked_direction = match self.request.expansion.direction {
            WalkDirection::Out => direction == Direction::Out,
            WalkDirection::In => direction == Direction::In,
            WalkDirection::Both => true,
        };
        let is_asked = is_asked_direction && self.types.contains(&edge_type);
        is_asked || (direction == Direction::In && edge_type.is_walked_unasked())
    }

    fn way(&self, from: u32, way: &Way, direction: Direction, neighbour: &Neighbour) -> Way {
        let (source, target) = match direction {
            Direction::Out => (from, neighbour.node),
            Direction::In => (neighbour.node, from),
        };
        let evidence = StepEvidence {
            confidence: neighbour.confidence,
            evidence_id: neighbour.evidence_id,
            kind: neighbour.evidence_kind,
        };
        let expansion = &self.request.expansion;
        let gap = expansion.require_evidence && !expansion.evidence_kinds.contains(&neighbour.evidence_kind);
        let last = Walked { edge_type: neighbour.edge_type, direction, from: source, to: target, evidence };
        Way { evidence: way.evidence.times(neighbour.confidence), gap: way.gap || gap, last: Some(last) }
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

    /// Of each chunk the best way to any of its nodes.
    fn finish(mut self, nodes: &ChunkNodes, arrivals: &breadth::Reached<u32, Way>) -> Walk {
        if self.omitted > 0 {
            let limit = self.request.expansion.max_edges;
            self.report("maxEdges", "expansion", limit, limit + self.omitted);
        }
        let mut best: BTreeMap<u32, (u32, &Arrival<u32, Way>)> = BTreeMap::new();
        for (node, arrival) in arrivals.iter().filter(|(_, arrival)| arrival.distance > 0) {
            let Some(chunk) = nodes.chunk(*node) else { continue };
            let order = |arrival: &Arrival<u32, Way>| (arrival.distance, Reverse(arrival.way.evidence));
            if best.get(&chunk).is_none_or(|(_, known)| order(arrival) < order(known)) {
                best.insert(chunk, (*node, arrival));
            }
        }
        self.walk.max_hop = best.values().map(|(_, arrival)| arrival.distance).max().unwrap_or(0);
        let reached = best.into_iter().map(|(chunk, (node, arrival))| {
            let Arrival { distance, way: Way { evidence, gap, .. }, .. } = *arrival;
            let path = breadth::path(arrivals, node).iter().filter_map(|node| arrivals[node].way.last).collect();
            (chunk, Reached { distance, evidence, path, gap })
        });
        self.walk.reached = reached.collect();
        self.walk
    }
}
