//! Merges occurrences into edges: one per type and label between two nodes, with its best evidence.

use std::cmp::Reverse;
use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh64::xxh64;

use super::adjacency::{Code, EdgeRow};
use super::buckets::by_number;
use super::nodes::Nodes;
use super::occurrences::{EdgeOccurrence, Endpoint, Finder, LabelNo};
use crate::record::{ChunkUid, EdgeStatus, EdgeType, EvidenceId, EvidenceKind, NodeNo, Score, Tier};

/// An edge lists no more evidence than this; the rest is counted.
const MAX_EVIDENCE: usize = 4;

/// An occurrence between numbered nodes.
#[derive(Clone, Copy)]
struct Row {
    from: NodeNo,
    /// Its position in the list of occurrences.
    occurrence: u32,
    /// Type, `to`, tier and lack of confidence in one number, which is compared in one step.
    rank: u64,
    evidence: EvidenceId,
}

/// How many bits of a rank hold the tier and the lack of confidence.
const CERTAINTY_BITS: u32 = 2 + 20;

impl Row {
    fn new(nodes: &Nodes, seen: &EdgeOccurrence, at: usize) -> Self {
        let unsure = Score::ONE.in_millionths() - seen.confidence.in_millionths();
        let certainty = u64::from(seen.tier.code()) << 20 | u64::from(unsure);
        let edge = u64::from(seen.edge_type.code()) << 32 | u64::from(nodes.number(seen.to).0);
        Row {
            from: nodes.number(seen.from),
            occurrence: at as u32,
            rank: edge << CERTAINTY_BITS | certainty,
            evidence: seen.evidence,
        }
    }

    /// What the occurrences of one edge have in common, besides their label.
    fn edge(&self) -> (NodeNo, u64) {
        (self.from, self.rank >> CERTAINTY_BITS)
    }

    /// Only fields have labels: for all other types no occurrence is looked at.
    fn label(&self, occurrences: &[EdgeOccurrence]) -> LabelNo {
        let is_field = self.rank >> (CERTAINTY_BITS + 32) == u64::from(EdgeType::Field.code());
        if is_field { occurrences[self.occurrence as usize].label } else { LabelNo::NONE }
    }

    fn to(&self) -> NodeNo {
        NodeNo((self.rank >> CERTAINTY_BITS) as u32)
    }
}

/// Edges and their evidence, in the order of their artifacts; records are made one at a time.
pub struct EdgeTable {
    occurrences: Vec<EdgeOccurrence>,
    rows: Vec<Row>,
    /// Where the rows of each edge start.
    edges: Vec<u32>,
    /// The occurrences that are listed as evidence, grouped by chunk.
    places: Vec<u32>,
    /// Where the places of each chunk are, in the order of the artifact.
    evidence: Vec<Range<u32>>,
}

/// See [`crate::record::Edge`].
pub struct Edge<'c> {
    pub from: NodeNo,
    pub to: NodeNo,
    pub best: &'c EdgeOccurrence,
    occurrences: &'c [EdgeOccurrence],
    same: &'c [Row],
}

/// See [`crate::record::Evidence`].
pub struct Places<'c> {
    pub first: &'c EdgeOccurrence,
    occurrences: &'c [EdgeOccurrence],
    places: &'c [u32],
}

impl EdgeTable {
    pub fn new(occurrences: Vec<EdgeOccurrence>, nodes: &Nodes, file_count: usize) -> Self {
        let rows: Vec<Row> = occurrences.par_iter().enumerate().map(|(at, seen)| Row::new(nodes, seen, at)).collect();
        let mut rows = by_number(&rows, nodes.all.len(), |row| row.from.0);
        rows.par_chunk_by_mut(|a, b| a.from == b.from).for_each(|same| {
            same.sort_unstable_by_key(|row| {
                (row.rank >> CERTAINTY_BITS, row.label(&occurrences), row.rank, row.evidence, row.occurrence)
            });
        });
        let (mut edges, mut listed, mut start) = (Vec::new(), Vec::new(), 0);
        let is_same = |a: &Row, b: &Row| a.edge() == b.edge() && a.label(&occurrences) == b.label(&occurrences);
        for same in rows.chunk_by(is_same) {
            edges.push(start);
            start += same.len() as u32;
            listed.extend(distinct(same).take(MAX_EVIDENCE).map(|row| row.occurrence));
        }
        edges.push(start);
        let (places, evidence) = by_chunk(&occurrences, &listed, file_count);
        EdgeTable { occurrences, rows, edges, places, evidence }
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len() - 1
    }

    pub fn edge(&self, edge: usize) -> Edge<'_> {
        let same = &self.rows[self.edges[edge] as usize..self.edges[edge + 1] as usize];
        let best = &self.occurrences[same[0].occurrence as usize];
        Edge { from: same[0].from, to: same[0].to(), best, occurrences: &self.occurrences, same }
    }

    /// How many chunks have evidence.
    pub fn evidence_count(&self) -> usize {
        self.evidence.len()
    }

    pub fn places(&self, at: usize) -> Places<'_> {
        let Range { start, end } = self.evidence[at];
        let places = &self.places[start as usize..end as usize];
        Places { first: &self.occurrences[places[0] as usize], occurrences: &self.occurrences, places }
    }
}

impl Edge<'_> {
    /// The best evidence, most confident first.
    pub fn evidence(&self) -> impl Iterator<Item = EvidenceId> {
        distinct(self.same).take(MAX_EVIDENCE).map(|row| row.evidence)
    }

    pub fn evidence_omitted(&self) -> u32 {
        distinct(self.same).skip(MAX_EVIDENCE).count() as u32
    }

    /// The first line of the evidence that is listed.
    fn line(&self) -> u32 {
        let listed = distinct(self.same).take(MAX_EVIDENCE);
        let lines = listed.map(|row| self.occurrences[row.occurrence as usize].site.line);
        lines.min().unwrap_or(self.best.site.line)
    }

    /// For the adjacency.
    pub fn row<'l>(&self, labels: &'l [String]) -> EdgeRow<'l> {
        let EdgeOccurrence { edge_type, confidence, tier, status, evidence, kind, .. } = *self.best;
        let (from, to, line) = (self.from.0, self.to.0, self.line());
        let label = self.best.label.text(labels);
        EdgeRow {
            from,
            to,
            edge_type,
            label,
            confidence,
            tier,
            status,
            evidence_id: evidence,
            evidence_kind: kind,
            line,
        }
    }
}

impl<'c> Places<'c> {
    pub fn count(&self) -> usize {
        self.places.len()
    }

    pub fn all(&self) -> impl Iterator<Item = &'c EdgeOccurrence> {
        self.places.iter().map(|at| &self.occurrences[*at as usize])
    }
}

/// The occurrences of an edge, each site once, best first.
fn distinct(same: &[Row]) -> impl Iterator<Item = &Row> {
    let mut last = None;
    same.iter().filter(move |row| last.replace(row.evidence) != Some(row.evidence))
}

/// Sorts occurrences by chunk and site, each site once, and says which are in one chunk.
fn by_chunk(occurrences: &[EdgeOccurrence], listed: &[u32], file_count: usize) -> (Vec<u32>, Vec<Range<u32>>) {
    let seen = |at: u32| &occurrences[at as usize];
    let listed: Vec<Listed> = listed.iter().map(|at| Listed::new(seen(*at), *at)).collect();
    let mut listed = by_number(&listed, file_count, |one| one.file);
    // If several edges share a site, the most confident one comes first.
    listed.par_chunk_by_mut(|a, b| a.file == b.file).for_each(|same| {
        same.sort_unstable_by(|a, b| {
            let rest = |one: &Listed| {
                (seen(one.occurrence).evidence, Reverse(seen(one.occurrence).confidence), one.occurrence)
            };
            (a.chunk_uid, a.place).cmp(&(b.chunk_uid, b.place)).then_with(|| rest(a).cmp(&rest(b)))
        });
    });
    listed.dedup_by_key(|one| seen(one.occurrence).evidence);
    let (mut chunks, mut start) = (Vec::new(), 0);
    for same in listed.chunk_by(|a, b| a.chunk_uid == b.chunk_uid) {
        chunks.push(start..start + same.len() as u32);
        start += same.len() as u32;
    }
    chunks.sort_unstable_by_key(|chunk| {
        let first = listed[chunk.start as usize];
        (first.file, first.place >> 8, first.chunk_uid)
    });
    (listed.iter().map(|one| one.occurrence).collect(), chunks)
}

/// Listed evidence with its sort keys, close together in memory.
#[derive(Clone, Copy)]
struct Listed {
    chunk_uid: ChunkUid,
    /// Its start, then its kind.
    place: u64,
    file: u32,
    occurrence: u32,
}

impl Listed {
    fn new(seen: &EdgeOccurrence, occurrence: u32) -> Self {
        let place = u64::from(seen.site.start) << 8 | u64::from(seen.kind.code());
        Listed { chunk_uid: seen.chunk_uid, place, file: seen.file, occurrence }
    }
}

/// The position of a name in its chunk is not known here, but its symbol is.
fn export_id(chunk: ChunkUid, symbol: &str) -> EvidenceId {
    EvidenceId::from_hash(xxh64(symbol.as_bytes(), chunk.to_hash()))
}

/// An edge from each file to what it exports.
pub fn exports(finder: &Finder) -> Vec<EdgeOccurrence> {
    let tree = finder.resolver.tree;
    let exported = tree
        .symbols
        .iter()
        .enumerate()
        .filter(|(_, symbol)| symbol.parent.is_none() && symbol.row.exported && symbol.is_code());
    let exported = exported.map(|(at, symbol)| {
        let (row, kind) = (symbol.row, EvidenceKind::Identifier);
        EdgeOccurrence {
            from: Endpoint::File(symbol.file),
            to: Endpoint::Symbol(at as u32),
            site: row.site,
            chunk_uid: row.chunk_uid,
            evidence: export_id(row.chunk_uid, &row.symbol_id),
            file: symbol.file,
            confidence: Score::ONE,
            candidates: 1,
            label: LabelNo::NONE,
            edge_type: EdgeType::Export,
            tier: Tier::Scope,
            status: EdgeStatus::Resolved,
            kind,
        }
    });
    exported.collect()
}
