//! All nodes that the topics of a brief reach, the best first.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::index::{NodeClass, NoteIndex};
use super::rank::{Ranking, compare_facts};
use super::score;
use super::topic::Topic;
use super::walk::{NoteWalk, walk};
use crate::record::brief::ScoreParts;
use crate::record::lens::Lens;
use crate::record::pack::CapReport;
use crate::record::{NodeNo, NoteNo, Score};

/// The nodes of a brief before anything is left out.
pub struct ReachedNotes {
    /// By topic.
    pub walks: Vec<NoteWalk>,
    /// The best first.
    pub nodes: Vec<RankedNode>,
    /// How many there were before the cap.
    pub observed: u32,
    pub caps: Vec<CapReport>,
}

#[derive(Clone, Debug)]
pub struct RankedNode {
    pub node: NodeNo,
    /// The topic that is nearest to it.
    pub topic: usize,
    pub distance: u32,
    pub score: Score,
    pub parts: ScoreParts,
    pub lexical: Score,
    /// Whether it is a part of a topic: a section of the page that was asked for.
    is_part_of_topic: bool,
    /// Its place among the nodes that are a topic themselves.
    place: Option<(usize, usize)>,
}

/// How many nodes a brief considers.
pub const MAX_NODES: usize = 20_000;

/// Walks from every topic alone, then scores and sorts what they reach together.
pub fn reach(
    index: &NoteIndex,
    topics: &[Topic],
    lens: &Lens,
    as_of: Option<i64>,
    depth: u32,
    within: Option<&str>,
) -> ReachedNotes {
    let found: Vec<&Topic> = topics.iter().collect();
    let rankings: Vec<Ranking> =
        found.iter().map(|topic| Ranking::new(index, lens, as_of, &topic.text(index))).collect();
    let walks: Vec<NoteWalk> =
        rankings.iter().zip(&found).map(|(ranking, topic)| walk(ranking, &topic.starts, depth, within)).collect();
    let mut nodes = rank(index, topics, &rankings, &walks);
    nodes.sort_by(|a, b| compare(index, a, b));
    keep_code_once(index, &mut nodes);
    let observed = nodes.len() as u32;
    let mut caps: Vec<CapReport> = walks.iter().flat_map(|walk| walk.caps.iter().cloned()).collect();
    if nodes.len() > MAX_NODES {
        nodes.truncate(MAX_NODES);
        let limit = MAX_NODES as u32;
        let (cap, scope) = ("maxNodes".to_string(), "walk".to_string());
        caps.push(CapReport { cap, limit, observed, omitted: observed - limit, scope });
    }
    ReachedNotes { walks, nodes, observed, caps }
}

/// A file of code and the first symbol in it have the same text: only the better of them is kept.
fn keep_code_once(index: &NoteIndex, nodes: &mut Vec<RankedNode>) {
    let mut shown = BTreeSet::new();
    let is_code = |node: NodeNo| index.class(node) == Some(NodeClass::Code);
    nodes.retain(|ranked| match index.chunk(ranked.node) {
        Some(chunk) if is_code(ranked.node) => shown.insert(chunk),
        _ => true,
    });
}

fn rank(index: &NoteIndex, topics: &[Topic], rankings: &[Ranking], walks: &[NoteWalk]) -> Vec<RankedNode> {
    let places = places(topics);
    let unit = |node: NodeNo| index.notes.note(node).map(|note| index.notes.unit(note));
    let units: BTreeSet<NoteNo> = places.keys().filter_map(|node| unit(*node)).collect();
    // A page that is not written has nothing to show: walks lead through it.
    let has_text = |node: &NodeNo| places.contains_key(node) || index.class(*node) != Some(NodeClass::Unwritten);
    let mut all: BTreeMap<NodeNo, Vec<usize>> = BTreeMap::new();
    for (topic, walk) in walks.iter().enumerate() {
        walk.reached.keys().filter(|node| has_text(node)).for_each(|node| all.entry(*node).or_default().push(topic));
    }
    let found = topics.iter().filter(|topic| topic.by.is_some()).count();
    let ranked = all.into_iter().map(|(node, reached_by)| {
        let path = |topic: usize| walks[topic].reached[&node].state;
        let order = |topic: &usize| (path(*topic).distance, std::cmp::Reverse(path(*topic).proximity), *topic);
        let topic = reached_by.iter().copied().min_by_key(order).unwrap_or_default();
        let proximity = score::blended(reached_by.iter().map(|topic| path(*topic).proximity), found);
        let parts = rankings[topic].parts(node, proximity);
        let lexical = reached_by.iter().map(|topic| rankings[*topic].lexical(node)).max().unwrap_or_default();
        let (distance, score) = (path(topic).distance, score::total(&parts));
        let is_part_of_topic = unit(node).is_some_and(|unit| units.contains(&unit));
        RankedNode { node, topic, distance, score, parts, lexical, is_part_of_topic, place: places.get(&node).copied() }
    });
    ranked.collect()
}

/// The nodes that are a topic themselves, each with its topic and its place among them.
fn places(topics: &[Topic]) -> BTreeMap<NodeNo, (usize, usize)> {
    let mut places = BTreeMap::new();
    for (number, topic) in topics.iter().enumerate() {
        for (place, start) in topic.starts.iter().take(topic.own).enumerate() {
            places.entry(start.node).or_insert((number, place));
        }
    }
    places
}

impl RankedNode {
    /// Whether it is a topic itself.
    pub fn is_topic(&self) -> bool {
        self.place.is_some()
    }
}

fn compare(index: &NoteIndex, a: &RankedNode, b: &RankedNode) -> Ordering {
    let place = |node: &RankedNode| node.place.unwrap_or((usize::MAX, usize::MAX));
    place(a)
        .cmp(&place(b))
        .then(b.score.cmp(&a.score))
        .then(a.distance.cmp(&b.distance))
        .then(b.is_part_of_topic.cmp(&a.is_part_of_topic))
        .then(b.lexical.cmp(&a.lexical))
        .then_with(|| compare_facts(index, a.node, b.node))
}
