//! An adjacency against a list of edges that is searched from end to end, and against damage.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::layout::FORM;
use super::*;
use crate::record::{Artifact, Audience, Digest, Edge, Node, NodeId};

/// A graph as records, in key order, with the kind and line of every piece of evidence.
#[derive(Clone, Debug)]
struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    kinds: BTreeMap<EvidenceId, Seen>,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn everything_is_as_in_the_records(graph in graphs()) {
        let bytes = graph.build();
        check(&graph, &Adjacency::parse(&bytes).unwrap());
    }

    #[test]
    fn rows_make_what_records_make(graph in graphs()) {
        let mut builder = Builder::new(graph.nodes.iter().map(NodeRow::from));
        for (number, edge) in graph.edges.iter().enumerate() {
            prop_assert_eq!(builder.edge_count() as usize, number);
            builder.push(graph.row(edge));
        }
        prop_assert_eq!(builder.finish(), graph.build());
    }

    #[test]
    fn changed_bytes_are_refused_or_harmless(
        graph in graphs(),
        changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = graph.build();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        walk(&bytes);
    }

    #[test]
    fn a_cut_or_longer_file_is_refused(graph in graphs(), at in any::<Index>(), more in 1usize..20) {
        let bytes = graph.build();
        prop_assert!(Adjacency::parse(&bytes[..at.index(bytes.len())]).is_err());
        let longer = [bytes, vec![0; more]].concat();
        prop_assert_eq!(Adjacency::parse(&longer).err(), Some(AdjacencyFault::Form(FlatFault::Size)));
    }

    #[test]
    fn any_bytes_behind_a_right_header_do_no_harm(graph in graphs(), noise in prop::collection::vec(any::<u8>(), 4000)) {
        let mut bytes = graph.build();
        let header = FORM.ranges(&bytes).unwrap()[0].start;
        bytes[header..].iter_mut().zip(&noise).for_each(|(byte, noise)| *byte = *noise % 5);
        walk(&bytes);
    }
}

/// Every bit of a small graph, one after the other.
#[test]
fn a_flipped_bit_is_refused_or_harmless() {
    let whole = small().build();
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        walk(&bytes);
    }
}

#[test]
fn every_fault_is_told_apart() {
    let whole = small().build();
    let ranges = FORM.ranges(&whole).unwrap();
    let fault = |at: usize, value: u8| {
        let mut bytes = whole.clone();
        bytes[at] = value;
        Adjacency::parse(&bytes).err()
    };
    let in_section = |section: Section, at: usize, value| fault(ranges[section as usize].start + at, value);
    assert_eq!(fault(0, 0), Some(AdjacencyFault::Form(FlatFault::Foreign)));
    assert_eq!(fault(8, 9), Some(AdjacencyFault::Form(FlatFault::Version { found: 9, wanted: VERSION })));
    assert_eq!(fault(12, 200), Some(AdjacencyFault::Form(FlatFault::Size)));
    assert_eq!(fault(23, 255), Some(AdjacencyFault::Form(FlatFault::Size)));
    // A node less in the section of kinds, whose padding hides that from the length of the file.
    assert_eq!(fault(32, 2), Some(AdjacencyFault::Sections));
    assert_eq!(in_section(Section::Ids, 0, 0xff), Some(AdjacencyFault::Ids));
    assert_eq!(in_section(Section::IdOffsets, 8, 255), Some(AdjacencyFault::Ids));
    assert_eq!(in_section(Section::NodeKinds, 0, 4), Some(AdjacencyFault::Code));
    assert_eq!(in_section(Section::OutOffsets, 0, 1), Some(AdjacencyFault::Offsets));
    assert_eq!(in_section(Section::InOffsets, 4, 255), Some(AdjacencyFault::Offsets));
    assert_eq!(in_section(Section::OutNodes, 0, 3), Some(AdjacencyFault::Number));
    assert_eq!(in_section(Section::InEdges, 0, 4), Some(AdjacencyFault::Number));
    assert_eq!(in_section(Section::OutTypes, 0, 6), Some(AdjacencyFault::TypeOrder));
    assert_eq!(in_section(Section::InTypes, 0, EdgeType::ALL.len() as u8), Some(AdjacencyFault::Code));
}

/// Whoever changes this digest changes the form: readers of the last version would misread it.
#[test]
fn the_form_is_version_4() {
    assert_eq!(VERSION, 4);
    assert_eq!(Digest::blake3(&small().build()).short(), "93213c9e397d310f");
}

#[test]
fn edges_of_two_labels_are_two() {
    let mut graph = small();
    let edge = graph.edges.pop().unwrap();
    for label in ["Owner", "Status"] {
        graph.edges.push(Edge { label: Some(label.to_string()), edge_type: EdgeType::Tag, ..edge.clone() });
    }
    let bytes = graph.build();
    let adjacency = Adjacency::parse(&bytes).unwrap();
    let labels: Vec<_> = (0..adjacency.edge_count()).map(|edge| adjacency.label(edge)).collect();
    assert_eq!(labels[labels.len() - 2..], [Some("Owner"), Some("Status")]);
    assert!(labels[..labels.len() - 2].iter().all(Option::is_none));
}

#[test]
fn nothing_is_a_graph_too() {
    let graph = Graph { nodes: vec![], edges: vec![], kinds: BTreeMap::new() };
    let bytes = graph.build();
    let adjacency = Adjacency::parse(&bytes).unwrap();
    assert_eq!((adjacency.node_count(), adjacency.edge_count(), adjacency.node("ext:c:x")), (0, 0, None));
}

#[test]
fn an_edge_that_names_what_is_not_there_is_told() {
    let Graph { nodes, edges, kinds } = small();
    let kind_of = |id| kinds.get(&id).copied();
    assert!(matches!(build(&nodes[1..], &edges, kind_of), Err(Dangling::Node { .. })));
    assert!(matches!(build(&nodes, &edges, |_| None), Err(Dangling::Evidence { .. })));
}

#[test]
#[should_panic(expected = "comes out of order")]
fn nodes_out_of_order_are_refused() {
    let graph = small();
    Builder::new(graph.nodes.iter().rev().map(NodeRow::from));
}

#[test]
#[should_panic(expected = "comes out of order")]
fn an_edge_comes_once() {
    let graph = small();
    let mut builder = Builder::new(graph.nodes.iter().map(NodeRow::from));
    builder.push(graph.row(&graph.edges[0]));
    builder.push(graph.row(&graph.edges[0]));
}

impl Graph {
    fn build(&self) -> Vec<u8> {
        build(&self.nodes, &self.edges, |id| self.kinds.get(&id).copied()).unwrap()
    }

    fn number(&self, id: &NodeId) -> u32 {
        self.nodes.iter().position(|node| node.node_id == *id).unwrap() as u32
    }

    fn row<'e>(&self, edge: &'e Edge) -> EdgeRow<'e> {
        EdgeRow {
            from: self.number(&edge.from),
            to: self.number(&edge.to),
            edge_type: edge.edge_type,
            label: edge.label.as_deref(),
            confidence: edge.confidence,
            tier: edge.tier,
            status: edge.status,
            evidence_id: edge.evidence[0],
            evidence_kind: self.kinds[&edge.evidence[0]].kind,
            line: edge.evidence.iter().filter_map(|id| self.kinds.get(id)).map(|seen| seen.line).min().unwrap(),
        }
    }

    /// By looking at every edge there is.
    fn neighbours(&self, node: NodeNo, direction: Direction, edge_type: EdgeType) -> Vec<Neighbour> {
        let rows = self.edges.iter().map(|edge| self.row(edge)).enumerate();
        let of = |row: &EdgeRow| match direction {
            Direction::Out => (row.from, row.to),
            Direction::In => (row.to, row.from),
        };
        let ours = rows.filter(|(_, row)| of(row).0 == node.0 && row.edge_type == edge_type);
        let neighbour = |(edge, row): (usize, EdgeRow)| {
            let EdgeRow { edge_type, confidence, tier, status, evidence_id, evidence_kind, line, .. } = row;
            let (node, edge) = (NodeNo(of(&row).1), edge as u32);
            Neighbour { node, edge, edge_type, confidence, tier, status, evidence_id, evidence_kind, line }
        };
        ours.map(neighbour).collect()
    }
}

fn check(graph: &Graph, adjacency: &Adjacency<'_>) {
    assert_eq!(adjacency.node_count() as usize, graph.nodes.len());
    assert_eq!(adjacency.edge_count() as usize, graph.edges.len());
    assert_eq!(adjacency.node("scip:contextpack . . . nowhere#"), None);
    for (number, node) in graph.nodes.iter().enumerate() {
        let number = NodeNo(number as u32);
        assert_eq!(adjacency.node(node.node_id.as_str()), Some(number));
        assert_eq!(adjacency.id(number), node.node_id.as_str());
        assert_eq!((adjacency.kind(number), adjacency.chunk_uid(number)), (node.kind, node.chunk_uid));
        for direction in [Direction::Out, Direction::In] {
            let of_type = |edge_type: &EdgeType| adjacency.neighbours(number, direction, *edge_type).collect();
            let by_type: Vec<Vec<Neighbour>> = EdgeType::ALL.iter().map(of_type).collect();
            for (found, edge_type) in by_type.iter().zip(EdgeType::ALL) {
                assert_eq!(*found, graph.neighbours(number, direction, *edge_type));
            }
            assert!(adjacency.all_neighbours(number, direction).eq(by_type.concat()));
        }
    }
}

/// Asks for everything that can be asked for, if the bytes are taken for an adjacency at all.
fn walk(bytes: &[u8]) {
    let Ok(adjacency) = Adjacency::parse(bytes) else {
        return;
    };
    for node in (0..adjacency.node_count()).map(NodeNo) {
        adjacency.node(adjacency.id(node));
        adjacency.kind(node);
        adjacency.chunk_uid(node);
        for direction in [Direction::Out, Direction::In] {
            let ends = adjacency.all_neighbours(node, direction);
            ends.for_each(|end| assert!(end.node.0 < adjacency.node_count() && end.edge < adjacency.edge_count()));
            for edge_type in EdgeType::ALL {
                assert!(adjacency.neighbours(node, direction, *edge_type).all(|end| end.edge_type == *edge_type));
            }
        }
    }
}

/// Three nodes, four edges, one of them from a node to itself.
fn small() -> Graph {
    let nodes = [("ext:python:日本", 3), ("scip:contextpack . . . a.py/f().", 0), ("xxh64:0123456789abcdef", 1)];
    let nodes = nodes.iter().zip([0, 7, u64::MAX]).map(|((id, kind), hash)| node(id, NodeKind::ALL[*kind], hash));
    let nodes: Vec<Node> = nodes.collect();
    let ends = [(1, 0, 0), (1, 0, 1), (1, 4, 0), (2, 6, 1)];
    let edges = ends.iter().enumerate().map(|(number, (from, edge_type, to))| Edge {
        confidence: Score::millionths(900_000 + number as u32),
        evidence: vec![EvidenceId::from_hash(number as u64)],
        tier: Tier::ALL[number],
        status: EdgeStatus::ALL[number % 3],
        ..edge(&nodes[*from], EdgeType::ALL[*edge_type], &nodes[*to])
    });
    let edges = edges.collect();
    let seen = |number: u64| Seen { kind: EvidenceKind::ALL[number as usize], line: 300 + number as u32 };
    let kinds = (0..4).map(|number| (EvidenceId::from_hash(number), seen(number))).collect();
    Graph { nodes, edges, kinds }
}

fn graphs() -> impl Strategy<Value = Graph> {
    let ids = prop::collection::btree_set("(ext|scip|xxh64):[a-c日😀]{1,4}", 0..12);
    ids.prop_flat_map(|ids| (nodes(&ids), edges(ids.len()))).prop_map(|(nodes, edges)| {
        let mut kinds = BTreeMap::new();
        let edges = edges.into_iter().enumerate().map(|(number, ((from, edge_type, to), row))| {
            let (confidence, tier, status, kind, lines) = row;
            let evidence = [2 * number as u64, 2 * number as u64 + 1].map(EvidenceId::from_hash).to_vec();
            // The kind is that of the first, the line the smallest.
            kinds.extend(evidence.iter().zip(lines).map(|(id, line)| (*id, Seen { kind, line })));
            Edge { confidence, evidence, tier, status, ..edge(&nodes[from], edge_type, &nodes[to]) }
        });
        let edges: Vec<Edge> = edges.collect();
        assert!(edges.is_sorted_by(|a, b| a.key() < b.key()));
        Graph { nodes, edges, kinds }
    })
}

fn nodes(ids: &BTreeSet<String>) -> impl Strategy<Value = Vec<Node>> + use<> {
    let ids: Vec<String> = ids.iter().cloned().collect();
    let rows = prop::collection::vec((select(NodeKind::ALL), any::<u64>(), any::<bool>()), ids.len());
    rows.prop_map(move |rows| {
        let rows = ids.iter().zip(rows);
        rows.map(|(id, (kind, hash, shown))| node(id, kind, if shown { hash } else { 0 })).collect()
    })
}

type Ends = (usize, EdgeType, usize);
type Row = (Score, Tier, EdgeStatus, EvidenceKind, [u32; 2]);

fn edges(node_count: usize) -> impl Strategy<Value = BTreeMap<Ends, Row>> {
    let ends = (0..node_count.max(1), select(EdgeType::ALL), 0..node_count.max(1));
    let score = (0..=1_000_000u32).prop_map(Score::millionths);
    let row = (score, select(Tier::ALL), select(EdgeStatus::ALL), select(EvidenceKind::ALL), any::<[u32; 2]>());
    prop::collection::btree_map(ends, row, 0..if node_count == 0 { 1 } else { 60 })
}

fn node(id: &str, kind: NodeKind, hash: u64) -> Node {
    Node {
        audience: Audience::default(),
        chunk_uid: (hash != 0).then(|| ChunkUid::from_hash(hash)),
        file_rel_path: None,
        kind,
        language_id: None,
        name: String::new(),
        node_id: NodeId::try_from(id.to_string()).unwrap(),
        unresolved: 0,
    }
}

fn edge(from: &Node, edge_type: EdgeType, to: &Node) -> Edge {
    Edge {
        audience: Audience::default(),
        label: None,
        candidates: None,
        confidence: Score::ONE,
        evidence: vec![],
        evidence_omitted: 0,
        from: from.node_id.clone(),
        status: EdgeStatus::Resolved,
        tier: Tier::Name,
        to: to.node_id.clone(),
        edge_type,
    }
}
