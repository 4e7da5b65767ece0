//! Walks from the notes of one topic along the edges of a lens.

use super::index::{NodeClass, NoteIndex, is_within};
use super::rank::{Ranking, Standing};
use super::score;
use crate::graph::adjacency::{Direction, Neighbour};
use crate::graph::notes::NoteClass;
use crate::graph::walk::{self, WalkGraph, breadth_first};
use crate::record::lens::{WHOLE_WEIGHT, WalkWord};
use crate::record::pack::CapReport;
use crate::record::{EvidenceId, NodeNo, Score};

/// Where a walk starts, and how sure it is that this is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    pub node: NodeNo,
    pub relevance: Score,
}

/// The result of a walk.
pub struct NoteWalk {
    pub reached: walk::Reached<NodeNo, NotePath>,
    pub caps: Vec<CapReport>,
}

/// The best path to a node.
#[derive(Clone, Copy, Debug)]
pub struct NotePath {
    /// What is left of the start's relevance.
    relevance: Score,
    pub proximity: Score,
    pub distance: u32,
    /// Absent for a start.
    pub last: Option<NoteStep>,
}

/// The last edge of a path, as it was walked.
#[derive(Clone, Copy, Debug)]
pub struct NoteStep {
    pub word: WalkWord,
    pub from: NodeNo,
    /// The edge's number.
    pub edge: u32,
    pub evidence_id: EvidenceId,
}

/// How many edges one walk looks at.
const MAX_EDGES: u32 = 200_000;

/// Walks at most `depth` edges far. Nodes outside `within` are not reached.
pub fn walk(ranking: &Ranking, starts: &[Start], depth: u32, within: Option<&str>) -> NoteWalk {
    let path = |start: &Start| NotePath {
        relevance: start.relevance,
        proximity: score::proximity(start.relevance, 0),
        distance: 0,
        last: None,
    };
    let mut first: Vec<(NodeNo, NotePath)> = starts.iter().map(|start| (start.node, path(start))).collect();
    first.sort_by_key(|(node, _)| *node);
    let words = WalkWord::ORDER.into_iter();
    let words = words.filter_map(|word| Some((word, *ranking.lens.edges.get(&word)?))).collect();
    let mut walker = Walker { ranking, words, within, left: MAX_EDGES, omitted: 0, caps: Vec::new() };
    let reached = breadth_first(&mut walker, first, depth);
    if walker.omitted > 0 {
        walker.report("maxEdges", "walk", MAX_EDGES, MAX_EDGES.saturating_add(walker.omitted));
    }
    NoteWalk { reached, caps: walker.caps }
}

impl NoteWalk {
    /// The steps from a start to a node, each with the node that it leads to.
    pub fn steps(&self, node: NodeNo) -> Vec<(NoteStep, NodeNo)> {
        let nodes = walk::path(&self.reached, node);
        nodes.into_iter().filter_map(|node| Some((self.reached.get(&node)?.state.last?, node))).collect()
    }
}

struct Walker<'w> {
    ranking: &'w Ranking<'w>,
    /// The words of the lens with their weights, in the order of preference.
    words: Vec<(WalkWord, u32)>,
    within: Option<&'w str>,
    /// How many edges may still be looked at.
    left: u32,
    /// How many were not, because of the limit.
    omitted: u32,
    caps: Vec<CapReport>,
}

impl WalkGraph for Walker<'_> {
    type Node = NodeNo;
    type PathState = NotePath;

    fn successors(&mut self, node: NodeNo, path: &NotePath, successors: &mut Vec<(NodeNo, NotePath)>) {
        let class = self.index().class(node);
        if path.last.is_some() && ends_walk(class) {
            return;
        }
        for (word, weight) in self.words_from(class, path) {
            self.follow(node, path, word, weight, successors);
        }
    }

    fn is_better(&self, path: &NotePath, known: &NotePath) -> bool {
        let order = |path: &NotePath| {
            let last = path.last.map(|last| (last.word.rank(), last.from));
            (std::cmp::Reverse(path.proximity), last)
        };
        order(path) < order(known)
    }
}

/// Containers and tags hold too much to lead from one note to another.
fn ends_walk(class: Option<NodeClass>) -> bool {
    matches!(class, Some(NodeClass::PlainTag | NodeClass::Note(_, NoteClass::Container | NoteClass::Tag)))
}

impl<'w> Walker<'w> {
    fn index(&self) -> &'w NoteIndex<'w> {
        self.ranking.index
    }

    /// The words to follow from a node. A topic that is a tag stands for the notes that have it.
    fn words_from(&self, class: Option<NodeClass>, path: &NotePath) -> Vec<(WalkWord, u32)> {
        let came_by = path.last.map(|last| last.word);
        let skips_children = came_by == Some(WalkWord::Parent) && !self.ranking.lens.siblings;
        let mut words = self.words.clone();
        words.retain(|(word, _)| !(skips_children && *word == WalkWord::Child));
        let is_tag = matches!(class, Some(NodeClass::PlainTag | NodeClass::Note(_, NoteClass::Tag)));
        if is_tag && !words.iter().any(|(word, _)| *word == WalkWord::Tagged) {
            words.push((WalkWord::Tagged, WHOLE_WEIGHT));
        }
        words
    }

    fn follow(
        &mut self,
        node: NodeNo,
        path: &NotePath,
        word: WalkWord,
        weight: u32,
        successors: &mut Vec<(NodeNo, NotePath)>,
    ) {
        let neighbours = self.neighbours(node, word);
        let paths = neighbours.into_iter().map(|neighbour| {
            let sureness = score::sureness(neighbour.tier, neighbour.status, neighbour.confidence);
            let relevance = score::through_edge(path.relevance, weight, sureness);
            let (distance, evidence_id) = (path.distance + 1, neighbour.evidence_id);
            let last = NoteStep { word, from: node, edge: neighbour.edge, evidence_id };
            let proximity = score::proximity(relevance, distance);
            (neighbour.node, NotePath { relevance, proximity, distance, last: Some(last) })
        });
        let mut paths: Vec<(NodeNo, NotePath)> = paths.collect();
        self.cut(node, word, &mut paths);
        successors.append(&mut paths);
    }

    /// The neighbours over one kind of edge that may be reached, each once.
    fn neighbours(&mut self, node: NodeNo, word: WalkWord) -> Vec<Neighbour> {
        let all = self.index().graph.neighbours(node, word.direction(), word.edge_type());
        let looked_at = (all.len() as u32).min(self.left);
        self.left -= looked_at;
        self.omitted = self.omitted.saturating_add(all.len() as u32 - looked_at);
        let mut neighbours: Vec<Neighbour> = all.take(looked_at as usize).collect();
        neighbours.retain(|neighbour| neighbour.node != node && self.may_reach(neighbour.node, word));
        neighbours.sort_by_key(|neighbour| (neighbour.node, neighbour.edge));
        neighbours.dedup_by_key(|neighbour| neighbour.node);
        neighbours
    }

    fn may_reach(&self, node: NodeNo, word: WalkWord) -> bool {
        let index = self.index();
        match index.class(node) {
            None => false,
            Some(NodeClass::Code) => word == WalkWord::Doc,
            Some(NodeClass::Note(note, _)) => {
                let is_inside = self.within.is_none_or(|outer| is_within(index.notes.path(note), outer));
                word != WalkWord::Doc && is_inside && !index.notes.is_template(note)
            }
            Some(NodeClass::Unwritten | NodeClass::PlainTag) => word != WalkWord::Doc,
        }
    }

    /// Keeps the best neighbours over one kind of edge, as if each were reached over this edge.
    fn cut(&mut self, node: NodeNo, word: WalkWord, paths: &mut Vec<(NodeNo, NotePath)>) {
        let limit = self.ranking.lens.max_children as usize;
        if paths.len() <= limit {
            return;
        }
        let scope = format!("{} of {}", word.name(), self.index().id(node));
        self.report("maxChildren", &scope, limit as u32, paths.len() as u32);
        let ranking = self.ranking;
        let standing = |(node, path): &(NodeNo, NotePath)| ranking.standing(*node, path.proximity, path.distance);
        let mut standings: Vec<(Standing, usize)> = paths.iter().map(standing).zip(0..).collect();
        standings.select_nth_unstable_by(limit - 1, |(a, _), (b, _)| ranking.compare(a, b));
        standings.truncate(limit);
        standings.sort_by_key(|(standing, _)| standing.node);
        *paths = standings.into_iter().map(|(_, at)| paths[at]).collect();
    }

    fn report(&mut self, cap: &str, scope: &str, limit: u32, observed: u32) {
        let (cap, scope) = (cap.to_string(), scope.to_string());
        self.caps.push(CapReport { cap, limit, observed, omitted: observed - limit, scope });
    }
}

impl NoteStep {
    /// The direction of the edge, seen from the node that the step leaves.
    pub fn direction(&self) -> Direction {
        self.word.direction()
    }
}
