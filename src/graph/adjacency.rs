//! The graph as an accelerator: every node's neighbours at hand, in bytes that are read where they lie.
//!
//! Pure: [`Builder`] makes the bytes, [`Adjacency`] reads them, neither opens a file. Bytes that were
//! parsed cannot lead a reader astray, whatever they say: every number in them was checked. That they
//! say what the records say is for a deep verification to find out, which makes them again.

mod builder;
mod code;
mod layout;

pub use builder::{Builder, Dangling, EdgeRow, NodeRow, Seen, build};
pub use layout::VERSION;

pub use crate::record::Direction;

use std::ops::Range;

pub(super) use self::code::Code;
use self::layout::{Counts, Section};
use crate::flat::{FlatFault, Strings, is_rising, number};
use crate::record::{
    ChunkUid, EdgeStatus, EdgeType, EvidenceId, EvidenceKind, NodeKind, NodeNo, Score, Tier, last_name,
};

/// In the manifest and in file names.
pub const NAME: &str = "adjacency";

/// Nodes by number and id, edges by the nodes at their ends. A node's number is its place among the
/// `nodes` records and an edge's number its place among the `edges` records. A number that is neither
/// panics, as an index does.
#[derive(Clone, Copy)]
pub struct Adjacency<'a> {
    ids: Strings<'a, 8>,
    node_kinds: &'a [u8],
    chunk_uids: &'a [[u8; 8]],
    out_lists: Lists<'a>,
    in_lists: Lists<'a>,
    in_edges: &'a [[u8; 4]],
    confidences: &'a [[u8; 4]],
    tiers: &'a [u8],
    statuses: &'a [u8],
    evidence_ids: &'a [[u8; 8]],
    evidence_kinds: &'a [u8],
    lines: &'a [[u8; 4]],
    labelled_edges: &'a [[u8; 4]],
    edge_labels: &'a [[u8; 4]],
    labels: Strings<'a>,
}

/// The other end of an edge, and the edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    pub node: NodeNo,
    pub edge: u32,
    pub edge_type: EdgeType,
    pub confidence: Score,
    pub tier: Tier,
    pub status: EdgeStatus,
    /// The best.
    pub evidence_id: EvidenceId,
    pub evidence_kind: EvidenceKind,
    /// The first line of its evidence, in the file of the node that the edge comes from.
    pub line: u32,
}

/// An edge as one of its nodes sees it, before the rest is read: a node may have thousands, of which few are followed.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub direction: Direction,
    pub node: NodeNo,
    pub edge: u32,
    /// Its position in the lists of its direction.
    at: u32,
}

/// Why bytes are no adjacency. Reads on after "because".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdjacencyFault {
    #[error(transparent)]
    Form(#[from] FlatFault),
    #[error("its sections do not fit each other")]
    Sections,
    #[error("its ids are not text, or their borders do not follow each other")]
    Ids,
    #[error("its labels are not text, or their borders do not follow each other")]
    Labels,
    #[error("the edges of its nodes do not follow each other")]
    Offsets,
    #[error("it names a node or an edge that it does not have")]
    Number,
    #[error("it holds a kind, type, tier or status that this build does not know")]
    Code,
    #[error("the edges of a node are not sorted by type")]
    TypeOrder,
}

/// The edges of one direction: those of a node follow each other, sorted by type. That a type's are
/// found by bisection, and not by offsets of its own, keeps most of a node's size out of the file.
#[derive(Clone, Copy)]
struct Lists<'a> {
    offsets: &'a [[u8; 4]],
    nodes: &'a [[u8; 4]],
    types: &'a [u8],
}

impl<'a> Adjacency<'a> {
    /// Looks at every byte once, and holds on to nothing but the bytes.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, AdjacencyFault> {
        let sections = Counts::parse(bytes)?;
        let section = |section: Section| sections[section as usize];
        let lists = |offsets, nodes, types| Lists {
            offsets: section(offsets).as_chunks().0,
            nodes: section(nodes).as_chunks().0,
            types: section(types),
        };
        let adjacency = Adjacency {
            ids: Strings::parse(section(Section::IdOffsets), section(Section::Ids)).ok_or(AdjacencyFault::Ids)?,
            node_kinds: section(Section::NodeKinds),
            chunk_uids: section(Section::ChunkUids).as_chunks().0,
            out_lists: lists(Section::OutOffsets, Section::OutNodes, Section::OutTypes),
            in_lists: lists(Section::InOffsets, Section::InNodes, Section::InTypes),
            in_edges: section(Section::InEdges).as_chunks().0,
            confidences: section(Section::Confidences).as_chunks().0,
            tiers: section(Section::Tiers),
            statuses: section(Section::Statuses),
            evidence_ids: section(Section::EvidenceIds).as_chunks().0,
            evidence_kinds: section(Section::EvidenceKinds),
            lines: section(Section::Lines).as_chunks().0,
            labelled_edges: section(Section::LabelledEdges).as_chunks().0,
            edge_labels: section(Section::EdgeLabels).as_chunks().0,
            labels: Strings::parse(section(Section::LabelOffsets), section(Section::Labels))
                .ok_or(AdjacencyFault::Labels)?,
        };
        adjacency.check()?;
        Ok(adjacency)
    }

    pub fn node_count(&self) -> u32 {
        self.node_kinds.len() as u32
    }

    pub fn edge_count(&self) -> u32 {
        self.tiers.len() as u32
    }

    /// The number of the node with this id.
    pub fn node(&self, id: &str) -> Option<NodeNo> {
        self.ids.find(id).map(|node| NodeNo(node as u32))
    }

    pub fn id(&self, node: NodeNo) -> &'a str {
        self.ids.get(node.index())
    }

    pub fn kind(&self, node: NodeNo) -> NodeKind {
        decode(self.node_kinds[node.index()])
    }

    pub fn chunk_uid(&self, node: NodeNo) -> Option<ChunkUid> {
        let hash = u64::from_le_bytes(self.chunk_uids[node.index()]);
        (hash != 0).then(|| ChunkUid::from_hash(hash))
    }

    /// The other ends of a node's edges of one type, by number.
    pub fn neighbours(
        &self,
        node: NodeNo,
        direction: Direction,
        edge_type: EdgeType,
    ) -> impl ExactSizeIterator<Item = Neighbour> {
        let range = self.lists(direction).range_of_type(node, edge_type);
        range.map(move |at| self.neighbour(direction, at))
    }

    /// A node's edges of one type, by number.
    pub fn links(
        &self,
        node: NodeNo,
        direction: Direction,
        edge_type: EdgeType,
    ) -> impl ExactSizeIterator<Item = Link> {
        let lists = self.lists(direction);
        lists.range_of_type(node, edge_type).map(move |at| {
            let node = NodeNo(u32::from_le_bytes(lists.nodes[at]));
            Link { direction, node, edge: self.edge(direction, at), at: at as u32 }
        })
    }

    /// How sure an edge is.
    pub fn certainty(&self, edge: u32) -> (Score, Tier) {
        let edge = edge as usize;
        (Score::millionths(u32::from_le_bytes(self.confidences[edge])), decode(self.tiers[edge]))
    }

    pub fn neighbour_of(&self, link: &Link) -> Neighbour {
        self.neighbour(link.direction, link.at as usize)
    }

    /// The other ends of all of a node's edges, by type and number.
    pub fn all_neighbours(&self, node: NodeNo, direction: Direction) -> impl ExactSizeIterator<Item = Neighbour> {
        self.lists(direction).range(node).map(move |at| self.neighbour(direction, at))
    }

    /// The name of the field that makes an edge, by the edge's number.
    pub fn label(&self, edge: u32) -> Option<&'a str> {
        let at = self.labelled_edges.binary_search_by_key(&edge, |number| u32::from_le_bytes(*number)).ok()?;
        Some(self.labels.get(number(&self.edge_labels[at])))
    }

    /// The definitions of a node that only declares something: a prototype of C and its function have one name.
    pub fn definitions(&self, declaration: NodeNo) -> impl Iterator<Item = NodeNo> {
        let name = last_name(self.id(declaration));
        let is_definition = move |neighbour: &Neighbour| {
            let is_declared = neighbour.tier == Tier::Scope && neighbour.evidence_kind == EvidenceKind::Identifier;
            is_declared && neighbour.node != declaration && last_name(self.id(neighbour.node)) == name
        };
        let used = self.neighbours(declaration, Direction::Out, EdgeType::Usage).filter(is_definition);
        used.map(|neighbour| neighbour.node)
    }

    fn lists(&self, direction: Direction) -> &Lists<'a> {
        match direction {
            Direction::Out => &self.out_lists,
            Direction::In => &self.in_lists,
        }
    }

    /// The number of the edge at a position in the lists of a direction.
    fn edge(&self, direction: Direction, at: usize) -> u32 {
        match direction {
            Direction::Out => at as u32,
            Direction::In => u32::from_le_bytes(self.in_edges[at]),
        }
    }

    fn neighbour(&self, direction: Direction, at: usize) -> Neighbour {
        let lists = self.lists(direction);
        let edge = self.edge(direction, at) as usize;
        Neighbour {
            node: NodeNo(u32::from_le_bytes(lists.nodes[at])),
            edge: edge as u32,
            edge_type: decode(lists.types[at]),
            confidence: Score::millionths(u32::from_le_bytes(self.confidences[edge])),
            tier: decode(self.tiers[edge]),
            status: decode(self.statuses[edge]),
            evidence_id: EvidenceId::from_hash(u64::from_le_bytes(self.evidence_ids[edge])),
            evidence_kind: decode(self.evidence_kinds[edge]),
            line: u32::from_le_bytes(self.lines[edge]),
        }
    }

    /// Everything that an access relies on.
    fn check(&self) -> Result<(), AdjacencyFault> {
        self.out_lists.check(self.node_count())?;
        self.in_lists.check(self.node_count())?;
        check_numbers(self.in_edges, self.edge_count())?;
        check_numbers(self.labelled_edges, self.edge_count())?;
        check_numbers(self.edge_labels, self.labels.count() as u32)?;
        check_codes::<NodeKind>(self.node_kinds)?;
        check_codes::<Tier>(self.tiers)?;
        check_codes::<EdgeStatus>(self.statuses)?;
        check_codes::<EvidenceKind>(self.evidence_kinds)
    }
}

impl Lists<'_> {
    fn range(&self, node: NodeNo) -> Range<usize> {
        number(&self.offsets[node.index()])..number(&self.offsets[node.index() + 1])
    }

    fn range_of_type(&self, node: NodeNo, edge_type: EdgeType) -> Range<usize> {
        let Range { start, end } = self.range(node);
        let types = &self.types[start..end];
        let before = types.partition_point(|code| *code < edge_type.code());
        let count = types[before..].partition_point(|code| *code == edge_type.code());
        start + before..start + before + count
    }

    fn check(&self, node_count: u32) -> Result<(), AdjacencyFault> {
        let ends = (self.offsets.first().map(number), self.offsets.last().map(number));
        if !is_rising(self.offsets) || ends != (Some(0), Some(self.nodes.len())) {
            return Err(AdjacencyFault::Offsets);
        }
        check_numbers(self.nodes, node_count)?;
        check_codes::<EdgeType>(self.types)?;
        match self.is_sorted_by_type() {
            true => Ok(()),
            false => Err(AdjacencyFault::TypeOrder),
        }
    }

    /// Whether the types fall nowhere but where another node's edges start.
    fn is_sorted_by_type(&self) -> bool {
        let falls = |pair: &[u8]| usize::from(pair[0] > pair[1]);
        let all: usize = self.types.windows(2).map(falls).sum();
        let with_edges = self.offsets.windows(2).filter(|pair| pair[0] != pair[1]);
        let before = with_edges.filter_map(|pair| number(&pair[0]).checked_sub(1));
        let between: usize = before.map(|before| falls(&self.types[before..before + 2])).sum();
        all == between
    }
}

/// Looks at all numbers, whatever it finds: the compiler makes such a loop compare many at a time.
fn check_numbers(numbers: &[[u8; 4]], count: u32) -> Result<(), AdjacencyFault> {
    let largest = numbers.iter().fold(0, |largest, number| u32::from_le_bytes(*number).max(largest));
    match numbers.is_empty() || largest < count {
        true => Ok(()),
        false => Err(AdjacencyFault::Number),
    }
}

fn check_codes<C: Code>(codes: &[u8]) -> Result<(), AdjacencyFault> {
    let largest = codes.iter().fold(0, |largest, code| largest.max(*code));
    match codes.is_empty() || usize::from(largest) < C::ALL.len() {
        true => Ok(()),
        false => Err(AdjacencyFault::Code),
    }
}

fn decode<C: Code>(code: u8) -> C {
    C::of(code).expect("codes were checked when the bytes were parsed")
}

#[cfg(test)]
mod tests;
