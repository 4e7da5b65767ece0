//! The shortest path between two things over the edges of the graph.

use std::collections::BTreeSet;

use serde::Serialize;

use super::ShowError;
use super::show::{NodeView, Place, Places, node_view};
use super::show_find::{Found, Subject, find};
use crate::assemble::IndexView;
use crate::assemble::target::name_parts;
use crate::graph::adjacency::{Adjacency, Direction, Neighbour};
use crate::graph::walk::{Reached, WalkGraph, breadth_first, path};
use crate::record::{EdgeStatus, EdgeType, Node, NodeKind, NodeNo, Score, Symbol, Tier};

/// How long a path may be.
pub const MAX_STEPS: u32 = 12;

/// A path, or that there is none.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PathShown {
    pub from: NodeView,
    pub to: NodeView,
    /// How the path runs; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<Course>,
    /// Longer paths were not looked for.
    pub max_steps: u32,
    /// The first node of the path: `from` or `to`, or something that is defined in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<NodeView>,
    pub steps: Vec<PathStep>,
}

/// How a path runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Course {
    /// Along the edges, from the first to the second.
    Forward,
    /// Along the edges, from the second to the first.
    Backward,
    /// From the first to the second, along some edges and against others.
    Mixed,
}

/// An edge of a path and the node that it leads to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PathStep {
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// Whether the path runs along the edge, not against it.
    pub along: bool,
    pub to: NodeView,
    pub confidence: Score,
    pub tier: Tier,
    pub status: EdgeStatus,
    /// The place of the edge's evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Place>,
}

/// The ends of a path, as the user typed them.
#[derive(Clone, Copy)]
pub struct PathRequest<'r> {
    pub from: &'r str,
    pub to: &'r str,
    /// If several definitions have a name, take any of them.
    pub all: bool,
}

/// Looks for a path along the edges from the first to the second, then back, then in both directions.
pub fn find_path(
    view: &IndexView,
    nodes: &[Node],
    request: PathRequest,
    places: &mut Places,
) -> Result<PathShown, ShowError> {
    let from = subjects(view, nodes, request.from, request.all)?;
    let to = subjects(view, nodes, request.to, request.all)?;
    let mut shown = PathShown {
        from: from[0].view.clone(),
        to: to[0].view.clone(),
        course: None,
        max_steps: MAX_STEPS,
        start: None,
        steps: Vec::new(),
    };
    let Some(graph) = view.graph() else { return Ok(shown) };
    let (starts, ends) = apart(all_nodes(view, &from)?, all_nodes(view, &to)?);
    let courses = [
        (Course::Forward, &starts, &ends, &[Direction::Out][..]),
        (Course::Backward, &ends, &starts, &[Direction::Out][..]),
        (Course::Mixed, &starts, &ends, &[Direction::Out, Direction::In][..]),
    ];
    for (course, starts, ends, directions) in courses {
        if let Some((start, steps)) = shortest(graph, starts, ends, directions) {
            shown.course = Some(course);
            shown.start = Some(node_view(&nodes[start.index()]));
            shown.steps = describe(nodes, start, &steps, places)?;
            break;
        }
    }
    Ok(shown)
}

/// At least one.
fn subjects(view: &IndexView, nodes: &[Node], wanted: &str, all: bool) -> Result<Vec<Subject>, ShowError> {
    match find(view, nodes, wanted)? {
        Found::Folder(folder) => Err(ShowError::Folder { folder }),
        Found::Subjects(subjects) if all => Ok(subjects.all),
        Found::Subjects(subjects) => Ok(vec![subjects.choose(wanted)?.0]),
    }
}

fn all_nodes(view: &IndexView, subjects: &[Subject]) -> Result<BTreeSet<NodeNo>, ShowError> {
    let mut all = BTreeSet::new();
    for subject in subjects {
        all.append(&mut own_nodes(view, subject)?);
    }
    Ok(all)
}

/// The node of a thing and the nodes of everything that it holds: a class its methods, a file its definitions.
fn own_nodes(view: &IndexView, subject: &Subject) -> Result<BTreeSet<NodeNo>, ShowError> {
    let mut own: BTreeSet<NodeNo> = subject.node.into_iter().collect();
    let number = |id: &str| view.graph().and_then(|graph| graph.node(id));
    match (&subject.view.file_rel_path, &subject.symbol) {
        (Some(path), Some(symbol)) => {
            let symbols = view.symbols(path)?;
            let members = symbols.iter().filter(|other| is_member(other, symbol));
            own.extend(members.filter_map(|member| number(member.symbol_id.as_str())));
        }
        (Some(path), None) if subject.view.kind == NodeKind::File => {
            let corpus = view.corpus();
            let chunks = corpus.file(path.as_str()).into_iter().flat_map(|file| corpus.chunks_of(file));
            let linked = view.linked_graph();
            own.extend(chunks.flat_map(|chunk| linked.map_or(&[][..], |(_, nodes)| nodes.nodes(chunk))));
        }
        _ => {}
    }
    Ok(own)
}

/// Of a class and its method, the method's nodes are not the class's.
fn apart(starts: BTreeSet<NodeNo>, ends: BTreeSet<NodeNo>) -> (BTreeSet<NodeNo>, BTreeSet<NodeNo>) {
    let own: BTreeSet<NodeNo> = starts.difference(&ends).copied().collect();
    let starts = if own.is_empty() { starts } else { own };
    let ends = ends.difference(&starts).copied().collect();
    (starts, ends)
}

fn is_member(symbol: &Symbol, of: &Symbol) -> bool {
    let is_inside = of.range.start <= symbol.range.start && symbol.range.end <= of.range.end;
    is_inside || name_parts(&symbol.qualified_name).starts_with(&name_parts(&of.qualified_name))
}

/// A start and the edges from there to an end.
fn shortest(
    graph: &Adjacency,
    starts: &BTreeSet<NodeNo>,
    ends: &BTreeSet<NodeNo>,
    directions: &[Direction],
) -> Option<(NodeNo, Vec<Edge>)> {
    let mut walked = Walked { graph, directions, ends };
    let first = |node: &NodeNo| (*node, Reach { confidence: CERTAIN, edge: None });
    let reached = breadth_first(&mut walked, starts.iter().map(first).collect(), MAX_STEPS);
    let end = ends.iter().filter_map(|end| Some((reached.get(end)?, *end)));
    let best = end.min_by_key(|(arrival, end)| (arrival.distance, std::cmp::Reverse(arrival.state.confidence), *end));
    let way: Vec<NodeNo> = path(&reached, best?.1);
    let edges = way.iter().filter_map(|node| edge_to(&reached, *node)).collect();
    Some((*way.first()?, edges))
}

fn edge_to(reached: &Reached<NodeNo, Reach>, node: NodeNo) -> Option<Edge> {
    reached.get(&node)?.state.edge
}

fn describe(nodes: &[Node], start: NodeNo, edges: &[Edge], places: &mut Places) -> Result<Vec<PathStep>, ShowError> {
    let mut from = start;
    let mut steps = Vec::new();
    for Edge { neighbour, direction } in edges {
        let along = *direction == Direction::Out;
        // The evidence of an edge is in the file of its source node.
        let source = &nodes[if along { from } else { neighbour.node }.index()];
        steps.push(PathStep {
            edge_type: neighbour.edge_type,
            along,
            to: node_view(&nodes[neighbour.node.index()]),
            confidence: neighbour.confidence,
            tier: neighbour.tier,
            status: neighbour.status,
            seen: places.find(source.file_rel_path.as_ref(), neighbour.evidence_id)?,
        });
        from = neighbour.node;
    }
    Ok(steps)
}

/// An edge as a path uses it.
#[derive(Clone, Copy)]
struct Edge {
    neighbour: Neighbour,
    direction: Direction,
}

/// How a node was reached.
#[derive(Clone, Copy)]
struct Reach {
    /// The product over the path, in millionths.
    confidence: u64,
    edge: Option<Edge>,
}

const CERTAIN: u64 = 1_000_000;

struct Walked<'w> {
    graph: &'w Adjacency<'w>,
    directions: &'w [Direction],
    ends: &'w BTreeSet<NodeNo>,
}

impl WalkGraph for Walked<'_> {
    type Node = NodeNo;
    type PathState = Reach;

    fn successors(&mut self, node: NodeNo, state: &Reach, successors: &mut Vec<(NodeNo, Reach)>) {
        for direction in self.directions {
            for neighbour in self.graph.all_neighbours(node, *direction) {
                // What two functions use of a library does not connect them.
                if self.graph.kind(neighbour.node) == NodeKind::External && !self.ends.contains(&neighbour.node) {
                    continue;
                }
                let confidence = state.confidence * u64::from(neighbour.confidence.in_millionths()) / CERTAIN;
                let edge = Some(Edge { neighbour, direction: *direction });
                successors.push((neighbour.node, Reach { confidence, edge }));
            }
        }
    }

    fn is_better(&self, state: &Reach, known: &Reach) -> bool {
        state.confidence > known.confidence
    }
}
