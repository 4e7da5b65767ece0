//! The sections of an adjacency, and how many rows each of them has.

use super::AdjacencyFault;
use crate::flat::{Draft, Form};

/// 1: first version. 2: the header says how long each section is, as in other accelerators. 3: the line of each edge.
/// 4: labels.
pub const VERSION: u32 = 4;

pub const FORM: Form = Form { magic: *b"ctxpkadj", version: VERSION, sections: SECTIONS.len() };

/// In the order in which they stand.
#[derive(Clone, Copy)]
pub enum Section {
    /// Where each node's id starts in `Ids`, and where the last one ends: u64.
    IdOffsets,
    /// The ids, sorted, one behind the other: UTF-8.
    Ids,
    NodeKinds,
    /// u64; 0 is none.
    ChunkUids,
    /// Where each node's edges start among all edges, and where the last one's end: u32. Edges are
    /// numbered in the order of their records, which is by `from`, then type, then `to`.
    OutOffsets,
    /// The `to` of each edge: u32.
    OutNodes,
    /// The type of each edge.
    OutTypes,
    /// Where the edges to each node start in the three sections below: u32. They stand in the order of
    /// `to`, then type, then `from`.
    InOffsets,
    /// `from`: u32.
    InNodes,
    /// The edge's number: u32.
    InEdges,
    InTypes,
    /// Of each edge, in millionths: u32.
    Confidences,
    Tiers,
    Statuses,
    /// Of each edge's best evidence: u64.
    EvidenceIds,
    EvidenceKinds,
    /// The first line, in the file of `from`, of the evidence that each edge lists: u32.
    Lines,
    /// The numbers of the edges that have a label, rising: u32.
    LabelledEdges,
    /// The number of the label of each of them: u32.
    EdgeLabels,
    /// Where each label starts in `Labels`, and where the last one ends: u32.
    LabelOffsets,
    Labels,
}

/// How many rows a section has.
#[derive(Clone, Copy)]
enum Rows {
    Nodes,
    /// Starts, and the end of the last.
    NodesAndEnd,
    Edges,
    IdBytes,
    Labelled,
    LabelsAndEnd,
    LabelBytes,
}

/// Rows, and bytes per row, of each [`Section`], in its order.
const SECTIONS: [(Rows, usize); 21] = [
    (Rows::NodesAndEnd, 8),
    (Rows::IdBytes, 1),
    (Rows::Nodes, 1),
    (Rows::Nodes, 8),
    (Rows::NodesAndEnd, 4),
    (Rows::Edges, 4),
    (Rows::Edges, 1),
    (Rows::NodesAndEnd, 4),
    (Rows::Edges, 4),
    (Rows::Edges, 4),
    (Rows::Edges, 1),
    (Rows::Edges, 4),
    (Rows::Edges, 1),
    (Rows::Edges, 1),
    (Rows::Edges, 8),
    (Rows::Edges, 1),
    (Rows::Edges, 4),
    (Rows::Labelled, 4),
    (Rows::Labelled, 4),
    (Rows::LabelsAndEnd, 4),
    (Rows::LabelBytes, 1),
];

/// Everything that decides how long the sections are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    pub nodes: usize,
    pub edges: usize,
    pub id_bytes: usize,
    pub labelled: usize,
    pub labels: usize,
    pub label_bytes: usize,
}

impl Counts {
    /// An adjacency with nothing in its sections yet.
    pub fn draft(&self) -> Draft {
        FORM.draft(self.lengths())
    }

    /// The sections of these bytes, if they fit each other.
    pub fn parse(bytes: &[u8]) -> Result<Vec<&[u8]>, AdjacencyFault> {
        let sections = FORM.parse(bytes)?;
        let length = |section: Section| sections[section as usize].len();
        let counts = Counts {
            nodes: length(Section::NodeKinds),
            edges: length(Section::Tiers),
            id_bytes: length(Section::Ids),
            labelled: length(Section::LabelledEdges) / 4,
            labels: (length(Section::LabelOffsets) / 4).saturating_sub(1),
            label_bytes: length(Section::Labels),
        };
        let has_numbers = counts.nodes.max(counts.edges) <= u32::MAX as usize;
        match has_numbers && counts.lengths().eq(sections.iter().map(|section| section.len())) {
            true => Ok(sections),
            false => Err(AdjacencyFault::Sections),
        }
    }

    fn lengths(&self) -> impl Iterator<Item = usize> {
        let rows = |rows: Rows| match rows {
            Rows::Nodes => self.nodes,
            Rows::NodesAndEnd => self.nodes + 1,
            Rows::Edges => self.edges,
            Rows::IdBytes => self.id_bytes,
            Rows::Labelled => self.labelled,
            Rows::LabelsAndEnd => self.labels + 1,
            Rows::LabelBytes => self.label_bytes,
        };
        SECTIONS.iter().map(move |(section_rows, row_bytes)| rows(*section_rows) * row_bytes)
    }
}
