//! Walks the graph from the start nodes. Finds a shortest path to each node; among equally short paths, the one with
//! the best evidence.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::seeds::Seeds;
use super::{ChunkNodes, IndexView, Question};
use crate::graph::adjacency::{Adjacency, Direction, Neighbour};
use crate::graph::walk::{self, Arrival, WalkGraph, breadth_first};
use crate::record::pack::{CapReport, Step, StepEvidence};
use crate::record::request::WalkDirection;
use crate::record::{Chunk, ChunkNo, EdgeType, EvidenceKind, NodeId, NodeNo, Score, SymbolId};
use crate::search::Scope;

/// Which edges are followed, and how far.
#[derive(Clone, Debug)]
pub struct WalkRules<'j> {
    pub direction: WalkDirection,
    pub edge_types: BTreeSet<EdgeType>,
    /// Also follow incoming edges of the types that need no request: tests, prose and specs that mention a node.
    pub walks_unasked: bool,
    /// Only these nodes may be reached; absent: all nodes that have a chunk.
    pub within: Option<&'j BTreeSet<NodeNo>>,
    /// Only nodes of these chunks may be reached.
    pub scope: &'j Scope,
    pub max_hops: u32,
    /// How many neighbours of one node are followed.
    pub max_fanout: u32,
    pub max_edges: u32,
    /// A step with another kind of evidence is a gap; absent: there are no gaps.
    pub required_evidence: Option<&'j BTreeSet<EvidenceKind>>,
}

impl WalkRules<'_> {
    /// Rules without limits, and without any edge type to follow.
    pub fn unlimited() -> Self {
        WalkRules {
            direction: WalkDirection::Both,
            edge_types: BTreeSet::new(),
            walks_unasked: false,
            within: None,
            scope: &Scope::EVERYTHING,
            max_hops: u32::MAX,
            max_fanout: u32::MAX,
            max_edges: u32::MAX,
            required_evidence: None,
        }
    }
}

/// The result of a walk.
#[derive(Default)]
pub struct Walk {
    /// Every reached node, including the start nodes.
    pub nodes: BTreeMap<NodeNo, NodeArrival>,
    /// Chunks of nodes that are not starts.
    pub chunks: BTreeMap<ChunkNo, Reached>,
    pub edges_walked: BTreeMap<EdgeType, u32>,
    pub caps: Vec<CapReport>,
    pub max_hop: u32,
}

/// How a node was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeArrival {
    /// Number of edges from the nearest start node.
    pub distance: u32,
    /// The previous node on its path.
    pub from: Option<NodeNo>,
}

/// The best path from a start to a chunk.
#[derive(Clone, Debug)]
pub struct Reached {
    pub distance: u32,
    /// The product of the confidences of all edges of the path.
    pub evidence: Score,
    pub path: Vec<Walked>,
    /// A step of the path lacks required evidence.
    pub gap: bool,
}

/// An edge, and the direction in which it was followed. Few of thousands are shown, so nodes stay numbers here.
#[derive(Clone, Copy, Debug)]
pub struct Walked {
    pub edge_type: EdgeType,
    pub direction: Direction,
    from: NodeNo,
    to: NodeNo,
    evidence: StepEvidence,
}

impl Walk {
    /// The nodes of the best path from a start node to `node`, including both.
    pub fn path(&self, node: NodeNo) -> Vec<NodeNo> {
        let before = |node: &NodeNo| self.nodes.get(node).and_then(|arrival| arrival.from);
        let mut path: Vec<NodeNo> = std::iter::successors(Some(node), before).collect();
        path.reverse();
        path
    }
}

impl Walked {
    pub fn step(&self, graph: &Adjacency) -> Step {
        let id = |node: NodeNo| NodeId::of_symbol(graph.id(node));
        Step { edge_type: self.edge_type, evidence_id: self.evidence.evidence_id, from: id(self.from), to: id(self.to) }
    }

    pub fn evidence(&self) -> StepEvidence {
        self.evidence
    }
}

/// How good the path to a node is, and its last edge.
#[derive(Clone, Copy)]
struct PathState {
    evidence: Score,
    gap: bool,
    last: Option<Walked>,
}

impl PathState {
    const START: PathState = PathState { evidence: Score::ONE, gap: false, last: None };
}

/// How many seeds the walk starts from. Later seeds are less related to the question.
const MAX_STARTS: usize = 8;

/// The start nodes for the seeds of a question: those of the focus, unless the query found something in it.
pub fn nodes_of_seeds(view: &IndexView, question: &Question, seeds: &Seeds) -> Vec<NodeNo> {
    let Some(graph) = view.graph() else { return Vec::new() };
    if let Some(focus) = &question.scope.focus
        && seeds.hits.iter().all(|hit| hit.focus)
    {
        return focus.nodes.clone();
    }
    let chunks = seeds.hits.iter().take(MAX_STARTS).filter_map(|hit| seeds.chunks.get(&hit.chunk));
    chunks.flat_map(|chunk| nodes_of_chunk(graph, chunk)).collect()
}

/// The nodes of a chunk: its symbol or the chunk itself, and its file, because the file's imports are also the
/// chunk's.
fn nodes_of_chunk(graph: &Adjacency, chunk: &Chunk) -> Vec<NodeNo> {
    let own = match &chunk.symbol_id {
        Some(symbol) => graph.node(symbol.as_str()),
        None => graph.node(&chunk.chunk_uid.to_string()),
    };
    let file = graph.node(SymbolId::of_file(&chunk.file_rel_path).as_str());
    own.into_iter().chain(file).collect()
}

pub fn walk(view: &IndexView, rules: &WalkRules, starts: Vec<NodeNo>) -> Walk {
    let Some((graph, nodes)) = view.linked_graph() else { return Walk::default() };
    let starts = starts.into_iter().map(|node| (node, PathState::START)).collect();
    let mut walker = Walker { graph, nodes, rules, walk: Walk::default(), left: rules.max_edges, omitted: 0 };
    let arrivals = breadth_first(&mut walker, starts, rules.max_hops);
    walker.finish(nodes, &arrivals)
}

struct Walker<'w> {
    graph: &'w Adjacency<'w>,
    nodes: &'w ChunkNodes,
    rules: &'w WalkRules<'w>,
    walk: Walk,
    /// How many edges may still be followed.
    left: u32,
    /// How many edges were not followed because of the limit.
    omitted: u32,
}

impl WalkGraph for Walker<'_> {
    type Node = NodeNo;
    type PathState = PathState;

    fn successors(&mut self, node: NodeNo, path: &PathState, successors: &mut Vec<(NodeNo, PathState)>) {
        for (direction, neighbour) in self.neighbours(node) {
            if self.left == 0 {
                self.omitted += 1;
                continue;
            }
            self.left -= 1;
            *self.walk.edges_walked.entry(neighbour.edge_type).or_default() += 1;
            successors.push((neighbour.node, self.extend_path(node, path, direction, &neighbour)));
        }
    }

    fn is_better(&self, path: &PathState, known: &PathState) -> bool {
        path.evidence > known.evidence
    }
}

impl Walker<'_> {
    /// The best neighbours of a node, in the requested directions.
    fn neighbours(&mut self, node: NodeNo) -> Vec<(Direction, Neighbour)> {
        let mut all = Vec::new();
        for direction in [Direction::Out, Direction::In] {
            for edge_type in EdgeType::ALL.iter().filter(|edge_type| self.walks(**edge_type, direction)) {
                all.extend(self.graph.neighbours(node, direction, *edge_type).map(|neighbour| (direction, neighbour)));
            }
        }
        all.retain(|(_, neighbour)| self.may_reach(neighbour.node));
        self.cut_to_fanout(node, &mut all);
        all.sort_by(by_confidence);
        all
    }

    fn may_reach(&self, node: NodeNo) -> bool {
        match self.rules.within {
            Some(nodes) => nodes.contains(&node),
            None if self.rules.scope.is_everything() => self.graph.chunk_uid(node).is_some(),
            None => self.nodes.chunk(node).is_some_and(|chunk| self.rules.scope.has(chunk)),
        }
    }

    /// Whether edges of a type are followed in a direction: because the request asks for them, or always.
    fn walks(&self, edge_type: EdgeType, direction: Direction) -> bool {
        let is_asked_direction = match self.rules.direction {
            WalkDirection::Out => direction == Direction::Out,
            WalkDirection::In => direction == Direction::In,
            WalkDirection::Both => true,
        };
        let is_asked = is_asked_direction && self.rules.edge_types.contains(&edge_type);
        is_asked || (self.rules.walks_unasked && direction == Direction::In && edge_type.is_walked_unasked())
    }

    fn cut_to_fanout(&mut self, node: NodeNo, all: &mut Vec<(Direction, Neighbour)>) {
        let limit = self.rules.max_fanout as usize;
        if all.len() <= limit {
            return;
        }
        self.report("maxFanout", self.graph.id(node), limit as u32, all.len() as u32);
        if limit > 0 {
            all.select_nth_unstable_by(limit - 1, by_confidence);
        }
        all.truncate(limit);
    }

    fn extend_path(&self, from: NodeNo, path: &PathState, direction: Direction, neighbour: &Neighbour) -> PathState {
        let (source, target) = match direction {
            Direction::Out => (from, neighbour.node),
            Direction::In => (neighbour.node, from),
        };
        let evidence = StepEvidence {
            confidence: neighbour.confidence,
            evidence_id: neighbour.evidence_id,
            kind: neighbour.evidence_kind,
        };
        let gap = self.rules.required_evidence.is_some_and(|kinds| !kinds.contains(&neighbour.evidence_kind));
        let last = Walked { edge_type: neighbour.edge_type, direction, from: source, to: target, evidence };
        PathState { evidence: path.evidence.times(neighbour.confidence), gap: path.gap || gap, last: Some(last) }
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

    /// Collects the best path to any node of each chunk.
    fn finish(mut self, nodes: &ChunkNodes, arrivals: &walk::Reached<NodeNo, PathState>) -> Walk {
        if self.omitted > 0 {
            let limit = self.rules.max_edges;
            self.report("maxEdges", "expansion", limit, limit.saturating_add(self.omitted));
        }
        let mut best: BTreeMap<ChunkNo, (NodeNo, &Arrival<NodeNo, PathState>)> = BTreeMap::new();
        for (node, arrival) in arrivals.iter().filter(|(_, arrival)| arrival.distance > 0) {
            let Some(chunk) = nodes.chunk(*node) else { continue };
            let order = |arrival: &Arrival<NodeNo, PathState>| (arrival.distance, Reverse(arrival.state.evidence));
            if best.get(&chunk).is_none_or(|(_, known)| order(arrival) < order(known)) {
                best.insert(chunk, (*node, arrival));
            }
        }
        self.walk.max_hop = best.values().map(|(_, arrival)| arrival.distance).max().unwrap_or(0);
        let reached = best.into_iter().map(|(chunk, (node, arrival))| {
            let Arrival { distance, state: PathState { evidence, gap, .. }, .. } = *arrival;
            let path = walk::path(arrivals, node).iter().filter_map(|node| arrivals[node].state.last).collect();
            (chunk, Reached { distance, evidence, path, gap })
        });
        self.walk.chunks = reached.collect();
        let arrival =
            |arrival: &Arrival<NodeNo, PathState>| NodeArrival { distance: arrival.distance, from: arrival.from };
        self.walk.nodes = arrivals.iter().map(|(node, arrived)| (*node, arrival(arrived))).collect();
        self.walk
    }
}

/// Sorts by confidence, the highest first; the last keys make the order total.
fn by_confidence((_, a): &(Direction, Neighbour), (_, b): &(Direction, Neighbour)) -> std::cmp::Ordering {
    let surer = b.confidence.cmp(&a.confidence).then(a.tier.cmp(&b.tier));
    surer.then(a.edge.cmp(&b.edge)).then(a.node.cmp(&b.node))
}
