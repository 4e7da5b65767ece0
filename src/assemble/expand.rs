//! Walks the graph from the start nodes. Finds a shortest path to each node; among equally short paths, the one with
//! the best evidence.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::seeds::Seeds;
use super::{ChunkNodes, IndexView, Question};
use crate::graph::adjacency::{Adjacency, Direction, Link, Neighbour};
use crate::graph::walk::{self, Arrival, WalkGraph, breadth_first};
use crate::record::pack::{CapReport, Step, StepEvidence};
use crate::record::request::WalkDirection;
use crate::record::{Chunk, ChunkNo, EdgeType, EvidenceKind, NodeId, NodeNo, Score, SymbolId};
use crate::search::{Corpus, Scope};

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
    /// Not empty.
    pub path: Vec<Walked>,
    /// A step of the path lacks required evidence.
    pub gap: bool,
    /// The path starts at a symbol that the query names.
    pub is_from_named: bool,
}

/// An edge, and the direction in which it was followed. Few of thousands are shown, so nodes stay numbers here.
#[derive(Clone, Copy, Debug)]
pub struct Walked {
    pub edge_type: EdgeType,
    pub direction: Direction,
    pub from: NodeNo,
    pub to: NodeNo,
    evidence: StepEvidence,
    /// The line of the evidence, in the file of `from`.
    pub line: u32,
}

impl Walk {
    /// Adds what another walk reached and this one did not.
    pub fn with_later(mut self, mut later: Walk) -> Walk {
        // The values of what is appended win.
        later.chunks.append(&mut self.chunks);
        later.nodes.append(&mut self.nodes);
        (self.chunks, self.nodes) = (later.chunks, later.nodes);
        for (edge_type, count) in later.edges_walked {
            *self.edges_walked.entry(edge_type).or_default() += count;
        }
        self.caps.extend(later.caps);
        self.max_hop = self.max_hop.max(later.max_hop);
        self
    }

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
        let (edge_type, evidence_id) = (self.edge_type, self.evidence.evidence_id);
        Step { edge_type, evidence_id, from: id(self.from), line: Some(self.line), to: id(self.to) }
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
    walk_from(view, rules, starts, false)
}

/// Walks from symbols that the query names. More of their neighbours are followed, because they are what is asked for.
pub fn walk_from_named(view: &IndexView, rules: &WalkRules, named: &[NodeNo]) -> Walk {
    walk_from(view, rules, named.to_vec(), true)
}

/// How many times as many neighbours of a named symbol are followed as of another node.
const NAMED_FANOUT_FACTOR: u32 = 8;

fn walk_from(view: &IndexView, rules: &WalkRules, starts: Vec<NodeNo>, is_from_named: bool) -> Walk {
    let Some((graph, nodes)) = view.linked_graph() else { return Walk::default() };
    let starts = starts.into_iter().map(|node| (node, PathState::START)).collect();
    let left = rules.max_edges;
    let mut walker = Walker { graph, nodes, rules, is_from_named, walk: Walk::default(), left, omitted: 0 };
    let arrivals = breadth_first(&mut walker, starts, rules.max_hops);
    walker.finish(view.corpus(), nodes, &arrivals)
}

struct Walker<'w> {
    graph: &'w Adjacency<'w>,
    nodes: &'w ChunkNodes,
    rules: &'w WalkRules<'w>,
    /// The starts are symbols that the query names.
    is_from_named: bool,
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
        for link in self.links(node, path) {
            if self.left == 0 {
                self.omitted += 1;
                continue;
            }
            self.left -= 1;
            let (direction, neighbour) = (link.direction, self.graph.neighbour_of(&link));
            *self.walk.edges_walked.entry(neighbour.edge_type).or_default() += 1;
            successors.push((neighbour.node, self.extend_path(node, path, direction, &neighbour)));
        }
    }

    fn is_better(&self, path: &PathState, known: &PathState) -> bool {
        path.evidence > known.evidence
    }
}

impl Walker<'_> {
    /// The best edges of a node, in the requested directions, the most certain first.
    fn links(&mut self, node: NodeNo, path: &PathState) -> impl Iterator<Item = Link> + use<> {
        let mut all = Vec::new();
        for direction in [Direction::Out, Direction::In] {
            for edge_type in EdgeType::ALL.iter().filter(|edge_type| self.walks(**edge_type, direction)) {
                let links = self.graph.links(node, direction, *edge_type).filter(|link| self.may_reach(link.node));
                all.extend(links.map(|link| (uncertainty(self.graph, &link), link)));
            }
        }
        let factor = if self.is_from_named && path.last.is_none() { NAMED_FANOUT_FACTOR } else { 1 };
        self.cut_to_fanout(node, self.rules.max_fanout.saturating_mul(factor), &mut all);
        all.sort_unstable_by_key(|(uncertainty, _)| *uncertainty);
        all.into_iter().map(|(_, link)| link)
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

    fn cut_to_fanout(&mut self, node: NodeNo, limit: u32, all: &mut Vec<(u64, Link)>) {
        let limit = limit as usize;
        if all.len() <= limit {
            return;
        }
        self.report("maxFanout", self.graph.id(node), limit as u32, all.len() as u32);
        if limit > 0 {
            all.select_nth_unstable_by_key(limit - 1, |(uncertainty, _)| *uncertainty);
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
        let (edge_type, line) = (neighbour.edge_type, neighbour.line);
        let last = Walked { edge_type, direction, from: source, to: target, evidence, line };
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
    fn finish(mut self, corpus: &Corpus, nodes: &ChunkNodes, arrivals: &walk::Reached<NodeNo, PathState>) -> Walk {
        if self.omitted > 0 {
            let limit = self.rules.max_edges;
            self.report("maxEdges", "expansion", limit, limit.saturating_add(self.omitted));
        }
        let mut best: BTreeMap<ChunkNo, (NodeNo, &Arrival<NodeNo, PathState>)> = BTreeMap::new();
        for (node, arrival) in arrivals.iter().filter(|(_, arrival)| arrival.distance > 0) {
            let Some(chunk) = nodes.chunk(*node) else { continue };
            let chunk = arrival.state.last.map_or(chunk, |last| chunk_with_line(corpus, chunk, &last));
            let order = |arrival: &Arrival<NodeNo, PathState>| (arrival.distance, Reverse(arrival.state.evidence));
            if best.get(&chunk).is_none_or(|(_, known)| order(arrival) < order(known)) {
                best.insert(chunk, (*node, arrival));
            }
        }
        self.walk.max_hop = best.values().map(|(_, arrival)| arrival.distance).max().unwrap_or(0);
        let is_from_named = self.is_from_named;
        let reached = best.into_iter().map(|(chunk, (node, arrival))| {
            let Arrival { distance, state: PathState { evidence, gap, .. }, .. } = *arrival;
            let path = walk::path(arrivals, node).iter().filter_map(|node| arrivals[node].state.last).collect();
            (chunk, Reached { distance, evidence, path, gap, is_from_named })
        });
        self.walk.chunks = reached.collect();
        let arrival =
            |arrival: &Arrival<NodeNo, PathState>| NodeArrival { distance: arrival.distance, from: arrival.from };
        self.walk.nodes = arrivals.iter().map(|(node, arrived)| (*node, arrival(arrived))).collect();
        self.walk
    }
}

/// The part of a long definition that contains the evidence of an edge from it.
fn chunk_with_line(corpus: &Corpus, chunk: ChunkNo, edge: &Walked) -> ChunkNo {
    let size = |chunk: ChunkNo| {
        let (start, end) = corpus.lines(chunk);
        (start..=end).contains(&edge.line).then_some(end - start)
    };
    if edge.direction == Direction::Out || size(chunk).is_some() {
        return chunk;
    }
    let all = corpus.chunks_of(corpus.file_of(chunk)).filter_map(|chunk| Some((size(chunk)?, chunk)));
    all.min().map_or(chunk, |(_, chunk)| chunk)
}

/// A number that is smaller for a more certain edge: by confidence, then by tier. The edge and the direction make the
/// order total, because an edge from a node to itself is seen in both directions.
fn uncertainty(graph: &Adjacency, link: &Link) -> u64 {
    let (confidence, tier) = graph.certainty(link.edge);
    let unsure = u64::from(Score::ONE.in_millionths() - confidence.in_millionths());
    ((unsure << 2 | tier as u64) << 32 | u64::from(link.edge)) << 1 | link.direction as u64
}
