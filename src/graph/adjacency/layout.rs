//! Where things stand in an adjacency: a header, then sections, each at a multiple of eight bytes.
//! Little-endian throughout. The counts alone decide the layout, so there is one for each graph.

use super::AdjacencyFault;

pub const MAGIC: [u8; 8] = *b"ctxpkadj";
/// 1: first version.
pub const VERSION: u32 = 1;

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
}

/// How many rows a section has.
#[derive(Clone, Copy)]
enum Rows {
    Nodes,
    /// Starts, and the end of the last.
    NodesAndEnd,
    Edges,
    IdBytes,
}

pub const SECTION_COUNT: usize = SECTIONS.len();

/// Rows and bytes a row of each [`Section`], in its order.
const SECTIONS: [(Rows, u64); 16] = [
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
];

/// Magic, four counts of 32 bits, the bytes of all ids, the sections' starts and the file's end.
const HEADER_BYTES: usize = 8 + 4 * 4 + 8 + 8 * (SECTION_COUNT + 1);

/// Everything that decides where things stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    pub nodes: u32,
    pub edges: u32,
    pub id_bytes: u64,
}

pub struct Layout {
    counts: Counts,
    /// The last is the end of the file.
    offsets: [u64; SECTION_COUNT + 1],
}

impl Layout {
    /// None if no file could be that long.
    pub fn of(counts: Counts) -> Option<Layout> {
        let mut offsets = [HEADER_BYTES as u64; SECTION_COUNT + 1];
        for (at, section) in SECTIONS.iter().enumerate() {
            offsets[at + 1] = offsets[at].checked_add(counts.bytes_of(*section))?.checked_next_multiple_of(8)?;
        }
        Some(Layout { counts, offsets })
    }

    /// The layout of these bytes, if they are as long as their own header says.
    pub fn parse(bytes: &[u8]) -> Result<Layout, AdjacencyFault> {
        let header = bytes.get(..HEADER_BYTES).ok_or(AdjacencyFault::Size)?;
        let (numbers, _) = header.as_chunks::<4>();
        let number = |at: usize| u32::from_le_bytes(numbers[at]);
        if header[..MAGIC.len()] != MAGIC {
            return Err(AdjacencyFault::Foreign);
        }
        if number(2) != VERSION {
            return Err(AdjacencyFault::Version { found: number(2) });
        }
        let id_bytes = u64::from(number(6)) | u64::from(number(7)) << 32;
        let layout = Layout::of(Counts { nodes: number(3), edges: number(4), id_bytes }).ok_or(AdjacencyFault::Size)?;
        if layout.bytes() != bytes.len() as u64 {
            return Err(AdjacencyFault::Size);
        }
        if layout.header() != header {
            return Err(AdjacencyFault::Header);
        }
        Ok(layout)
    }

    pub fn header(&self) -> Vec<u8> {
        let counts = [VERSION, self.counts.nodes, self.counts.edges, SECTION_COUNT as u32];
        let mut header = MAGIC.to_vec();
        header.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
        header.extend(self.counts.id_bytes.to_le_bytes());
        header.extend(self.offsets.iter().flat_map(|offset| offset.to_le_bytes()));
        header
    }

    /// Of the whole.
    pub fn bytes(&self) -> u64 {
        self.offsets[SECTION_COUNT]
    }

    /// Where a section stands, without what fills it up to a multiple of eight bytes.
    pub fn range(&self, section: Section) -> std::ops::Range<usize> {
        let start = self.offsets[section as usize];
        let end = start + self.counts.bytes_of(SECTIONS[section as usize]);
        start as usize..end as usize
    }
}

impl Counts {
    /// Cannot overflow: a count of 32 bits times eight, or the bytes of ids themselves.
    fn bytes_of(&self, (rows, row_bytes): (Rows, u64)) -> u64 {
        let rows = match rows {
            Rows::Nodes => u64::from(self.nodes),
            Rows::NodesAndEnd => u64::from(self.nodes) + 1,
            Rows::Edges => u64::from(self.edges),
            Rows::IdBytes => self.id_bytes,
        };
        rows * row_bytes
    }
}
