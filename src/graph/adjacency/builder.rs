//! Making an adjacency: nodes in the order of their ids, then edges in the order of their keys.

use indexmap::IndexSet;

use super::code::Code;
use super::layout::{Counts, Section};
use crate::flat::{self, Draft, string_sections};
use crate::record::{
    ChunkUid, Edge, EdgeStatus, EdgeType, EvidenceId, EvidenceKind, Node, NodeId, NodeKind, Score, Tier,
};

/// Makes an adjacency from records in key order. `seen` knows every piece of evidence that edges list.
pub fn build<'r>(
    nodes: impl IntoIterator<Item = &'r Node>,
    edges: impl IntoIterator<Item = &'r Edge>,
    seen: impl Fn(EvidenceId) -> Option<Seen>,
) -> Result<Vec<u8>, Dangling> {
    let mut builder = Builder::new(nodes.into_iter().map(NodeRow::from));
    for edge in edges {
        let row = builder.row(edge, &seen)?;
        builder.push(row);
    }
    Ok(builder.finish())
}

/// Holds about what the result will hold.
#[derive(Default)]
pub struct Builder {
    ids: String,
    id_ends: Vec<u64>,
    node_kinds: Vec<u8>,
    chunk_uids: Vec<u64>,
    /// For each node up to the last one with an edge, how many edges come before its own.
    out_offsets: Vec<u32>,
    out_nodes: Vec<u32>,
    out_types: Vec<u8>,
    confidences: Vec<u32>,
    tiers: Vec<u8>,
    statuses: Vec<u8>,
    evidence_ids: Vec<u64>,
    evidence_kinds: Vec<u8>,
    lines: Vec<u32>,
    /// The texts of labels, in the order in which edges bring them.
    labels: IndexSet<String>,
    /// The numbers of edges with a label, and of their labels.
    labelled: Vec<(u32, u32)>,
    /// From, type, to and label of the last edge.
    last: Option<(u32, EdgeType, u32, Option<String>)>,
}

/// What of a node is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeRow<'n> {
    pub id: &'n str,
    pub kind: NodeKind,
    pub chunk_uid: Option<ChunkUid>,
}

/// What of an edge is stored, with its ends as nodes' numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeRow<'l> {
    pub from: u32,
    pub to: u32,
    pub edge_type: EdgeType,
    pub label: Option<&'l str>,
    pub confidence: Score,
    pub tier: Tier,
    pub status: EdgeStatus,
    /// The best.
    pub evidence_id: EvidenceId,
    pub evidence_kind: EvidenceKind,
    /// The first line of all evidence that is listed.
    pub line: u32,
}

/// The kind and the line of a piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    pub kind: EvidenceKind,
    pub line: u32,
}

/// An edge that names what is not there.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Dangling {
    #[error("its edge from `{from}` to `{to}` leads from or to a node that is not there")]
    Node { from: NodeId, to: NodeId },
    #[error("its edge from `{from}` to `{to}` names no evidence, or some that is not there")]
    Evidence { from: NodeId, to: NodeId },
}

impl<'n> From<&'n Node> for NodeRow<'n> {
    fn from(node: &'n Node) -> Self {
        NodeRow { id: node.node_id.as_str(), kind: node.kind, chunk_uid: node.chunk_uid }
    }
}

impl Builder {
    pub fn new<'n>(nodes: impl IntoIterator<Item = NodeRow<'n>>) -> Self {
        let mut builder = Builder::default();
        nodes.into_iter().for_each(|row| builder.push_node(row));
        builder
    }

    /// Gives a node the next number. Panics if its id does not come after the last one's: then numbers
    /// would not be found again.
    pub fn push_node(&mut self, row: NodeRow<'_>) {
        let sorted = self.id_ends.is_empty() || self.id(self.node_count() - 1) < row.id;
        assert!(sorted, "node `{}` comes out of order", row.id);
        self.ids.push_str(row.id);
        self.id_ends.push(self.ids.len() as u64);
        self.node_kinds.push(row.kind.code());
        self.chunk_uids.push(row.chunk_uid.map_or(0, ChunkUid::to_hash));
    }

    /// Gives an edge the next number. Panics if its key does not come after the last one's, or if it
    /// has an end that is no node: a number would then name another record than the artifact's.
    pub fn push(&mut self, row: EdgeRow) {
        let key = (row.from, row.edge_type, row.to, row.label.map(str::to_string));
        assert!(self.last.as_ref().is_none_or(|last| *last < key), "edge {key:?} comes out of order");
        assert!(row.from.max(row.to) < self.node_count(), "edge {key:?} leads to no node");
        self.last = Some(key);
        self.out_offsets.resize(self.out_offsets.len().max(row.from as usize + 1), self.edge_count());
        self.out_nodes.push(row.to);
        self.out_types.push(row.edge_type.code());
        self.confidences.push(row.confidence.in_millionths());
        self.tiers.push(row.tier.code());
        self.statuses.push(row.status.code());
        self.evidence_ids.push(row.evidence_id.to_hash());
        self.evidence_kinds.push(row.evidence_kind.code());
        self.lines.push(row.line);
        if let Some(label) = row.label {
            let (label, _) = self.labels.insert_full(label.to_string());
            self.labelled.push((self.edge_count() - 1, label as u32));
        }
    }

    /// A record as a row.
    pub fn row<'e>(&self, edge: &'e Edge, seen: impl Fn(EvidenceId) -> Option<Seen>) -> Result<EdgeRow<'e>, Dangling> {
        let Some((from, to)) = self.node(edge.from.as_str()).zip(self.node(edge.to.as_str())) else {
            return Err(Dangling::Node { from: edge.from.clone(), to: edge.to.clone() });
        };
        let best = edge.evidence.first().and_then(|id| Some((*id, seen(*id)?)));
        let Some((evidence_id, Seen { kind: evidence_kind, line })) = best else {
            return Err(Dangling::Evidence { from: edge.from.clone(), to: edge.to.clone() });
        };
        let line = edge.evidence[1..].iter().filter_map(|id| Some(seen(*id)?.line)).fold(line, u32::min);
        let Edge { edge_type, confidence, tier, status, .. } = *edge;
        let label = edge.label.as_deref();
        Ok(EdgeRow { from, to, edge_type, label, confidence, tier, status, evidence_id, evidence_kind, line })
    }

    /// The number of the node with this id.
    pub fn node(&self, id: &str) -> Option<u32> {
        flat::find(self.id_ends.len(), id, |node| self.id(node as u32)).map(|node| node as u32)
    }

    pub fn node_count(&self) -> u32 {
        u32::try_from(self.id_ends.len()).expect("nodes have numbers of 32 bits")
    }

    pub fn edge_count(&self) -> u32 {
        u32::try_from(self.out_nodes.len()).expect("edges have numbers of 32 bits")
    }

    pub fn finish(mut self) -> Vec<u8> {
        let (nodes, edges) = (self.id_ends.len(), self.out_nodes.len());
        self.out_offsets.resize(nodes + 1, self.edge_count());
        let [label_offsets, label_texts] = string_sections(self.labels.iter().map(String::as_str));
        let (labels, label_bytes) = (self.labels.len(), label_texts.len());
        let counts =
            Counts { nodes, edges, id_bytes: self.ids.len(), labelled: self.labelled.len(), labels, label_bytes };
        let mut draft = counts.draft();
        draft.section(Section::LabelOffsets as usize).copy_from_slice(&label_offsets);
        draft.section(Section::Labels as usize).copy_from_slice(&label_texts);
        draft.fill(Section::LabelledEdges as usize, self.labelled.iter().map(|(edge, _)| edge.to_le_bytes()));
        draft.fill(Section::EdgeLabels as usize, self.labelled.iter().map(|(_, label)| label.to_le_bytes()));
        self.write_in(&mut draft);
        self.write_nodes(&mut draft);
        self.write_edges(&mut draft);
        draft.into_bytes()
    }

    /// The way back: edges by `to`, then type, then `from`. Every pass over the edges takes those of one
    /// type, by rising `from`, to the next free place of their `to`, so that nothing is left to sort.
    fn write_in(&self, draft: &mut Draft) {
        let mut next = self.in_offsets();
        draft.fill(Section::InOffsets as usize, next.iter().map(|offset| offset.to_le_bytes()));
        for code in EdgeType::ALL.iter().map(|edge_type| edge_type.code()) {
            for (from, range) in self.out_offsets.windows(2).enumerate() {
                for edge in (range[0]..range[1]).filter(|edge| self.out_types[*edge as usize] == code) {
                    let free = &mut next[self.out_nodes[edge as usize] as usize];
                    let at = *free as usize;
                    *free += 1;
                    draft.put(Section::InNodes as usize, at, (from as u32).to_le_bytes());
                    draft.put(Section::InEdges as usize, at, edge.to_le_bytes());
                    draft.put(Section::InTypes as usize, at, [code]);
                }
            }
        }
    }

    /// Where the edges to each node start, and where the last one's end.
    fn in_offsets(&self) -> Vec<u32> {
        let mut offsets = vec![0; self.id_ends.len() + 1];
        self.out_nodes.iter().for_each(|to| offsets[*to as usize + 1] += 1);
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        offsets
    }

    fn write_nodes(&self, draft: &mut Draft) {
        draft.fill(Section::IdOffsets as usize, [0].iter().chain(&self.id_ends).map(|offset| offset.to_le_bytes()));
        draft.section(Section::Ids as usize).copy_from_slice(self.ids.as_bytes());
        draft.section(Section::NodeKinds as usize).copy_from_slice(&self.node_kinds);
        draft.fill(Section::ChunkUids as usize, self.chunk_uids.iter().map(|uid| uid.to_le_bytes()));
    }

    fn write_edges(&self, draft: &mut Draft) {
        draft.fill(Section::OutOffsets as usize, self.out_offsets.iter().map(|offset| offset.to_le_bytes()));
        draft.fill(Section::OutNodes as usize, self.out_nodes.iter().map(|node| node.to_le_bytes()));
        draft.section(Section::OutTypes as usize).copy_from_slice(&self.out_types);
        draft.fill(Section::Confidences as usize, self.confidences.iter().map(|millionths| millionths.to_le_bytes()));
        draft.section(Section::Tiers as usize).copy_from_slice(&self.tiers);
        draft.section(Section::Statuses as usize).copy_from_slice(&self.statuses);
        draft.fill(Section::EvidenceIds as usize, self.evidence_ids.iter().map(|id| id.to_le_bytes()));
        draft.section(Section::EvidenceKinds as usize).copy_from_slice(&self.evidence_kinds);
        draft.fill(Section::Lines as usize, self.lines.iter().map(|line| line.to_le_bytes()));
    }

    fn id(&self, node: u32) -> &str {
        let node = node as usize;
        let start = if node == 0 { 0 } else { self.id_ends[node - 1] };
        &self.ids[start as usize..self.id_ends[node] as usize]
    }
}
