//! Sightings become edges: one a type between two nodes, with its best evidence.

use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh64::xxh64;

use super::adjacency::EdgeRow;
use super::nodes::Nodes;
use super::sight::{End, Sighting, Walk};
use super::tree::FileNo;
use crate::record::{
    ChunkUid, Edge, EdgeStatus, EdgeType, Evidence, EvidenceId, EvidenceKind, EvidencePlace, File, Score, Tier,
};

/// An edge lists no more evidence than this; the rest is counted.
const MAX_EVIDENCE: usize = 4;

/// A sighting between numbered nodes.
#[derive(Clone, Copy)]
struct Row {
    from: u32,
    edge_type: EdgeType,
    to: u32,
    tier: Tier,
    confidence: Score,
    evidence: EvidenceId,
    /// Its place among the sightings.
    sighting: u32,
}

/// Edges and their evidence, in the order of their artifacts; records are made one at a time.
pub struct Connected {
    sightings: Vec<Sighting>,
    rows: Vec<Row>,
    /// Where in the rows each edge's start.
    edges: Vec<u32>,
    /// Which sightings are evidence that is listed, those of a chunk together.
    places: Vec<u32>,
    /// Where in the places each chunk's are, in the order of the artifact.
    evidence: Vec<Range<u32>>,
}

impl Connected {
    pub fn new(sightings: Vec<Sighting>, nodes: &Nodes) -> Self {
        let row = |(at, sighting)| row(nodes, sighting, at);
        let mut rows: Vec<Row> = sightings.par_iter().enumerate().map(row).collect();
        rows.par_sort_unstable_by_key(|row| {
            let best = (row.tier, std::cmp::Reverse(row.confidence), row.evidence);
            (row.from, row.edge_type, row.to, best, row.sighting)
        });
        let (mut edges, mut listed, mut start) = (Vec::new(), Vec::new(), 0);
        for same in rows.chunk_by(|a, b| (a.from, a.edge_type, a.to) == (b.from, b.edge_type, b.to)) {
            edges.push(start);
            start += same.len() as u32;
            listed.extend(distinct(same).take(MAX_EVIDENCE).map(|row| row.sighting));
        }
        edges.push(start);
        let (places, evidence) = by_chunk(&sightings, listed);
        Connected { sightings, rows, edges, places, evidence }
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len() - 1
    }

    fn rows(&self, edge: usize) -> &[Row] {
        &self.rows[self.edges[edge] as usize..self.edges[edge + 1] as usize]
    }

    /// The number of the node that an edge comes from.
    pub fn from(&self, edge: usize) -> u32 {
        self.rows(edge)[0].from
    }

    pub fn evidence_file(&self, at: usize) -> FileNo {
        self.sightings[self.places[self.evidence[at].start as usize] as usize].file
    }

    pub fn edge(&self, edge: usize, nodes: &Nodes) -> Edge {
        let same = self.rows(edge);
        let best = &self.sightings[same[0].sighting as usize];
        let evidence: Vec<EvidenceId> = distinct(same).take(MAX_EVIDENCE).map(|row| row.evidence).collect();
        let id = |node: u32| nodes.all[node as usize].node_id.clone();
        Edge {
            candidates: (best.candidates > 1).then_some(u32::from(best.candidates)),
            confidence: best.confidence,
            evidence_omitted: (distinct(same).count() - evidence.len()) as u32,
            evidence,
            from: id(same[0].from),
            status: best.status,
            tier: best.tier,
            to: id(same[0].to),
            edge_type: best.edge_type,
        }
    }

    /// The edge between numbers, for the adjacency.
    pub fn edge_row(&self, edge: usize) -> EdgeRow {
        let row = &self.rows(edge)[0];
        let best = &self.sightings[row.sighting as usize];
        EdgeRow {
            from: row.from,
            to: row.to,
            edge_type: row.edge_type,
            confidence: row.confidence,
            tier: row.tier,
            status: best.status,
            evidence_id: row.evidence,
            evidence_kind: best.kind,
        }
    }

    pub fn evidence_count(&self) -> usize {
        self.evidence.len()
    }

    pub fn place_count(&self, at: usize) -> usize {
        self.evidence[at].len()
    }

    pub fn evidence(&self, at: usize, files: &[File]) -> Evidence {
        let Range { start, end } = self.evidence[at];
        let seen = |at: &u32| &self.sightings[*at as usize];
        let places = self.places[start as usize..end as usize].iter().map(seen);
        let first = seen(&self.places[start as usize]);
        Evidence {
            chunk_uid: first.chunk_uid,
            file_rel_path: files[first.file as usize].file_rel_path.clone(),
            places: places.map(place).collect(),
        }
    }
}

fn place(seen: &Sighting) -> EvidencePlace {
    EvidencePlace { confidence: seen.confidence, evidence_id: seen.evidence, kind: seen.kind, site: seen.site }
}

/// Sightings by chunk and place, each place once, and which of them are of one chunk.
fn by_chunk(sightings: &[Sighting], mut listed: Vec<u32>) -> (Vec<u32>, Vec<Range<u32>>) {
    let seen = |at: u32| &sightings[at as usize];
    // Of one place that several edges show, what shows the surest.
    listed.par_sort_unstable_by_key(|at| {
        let seen = seen(*at);
        let place = (seen.site.start(), seen.kind, seen.evidence);
        (seen.file, seen.chunk_uid, place, std::cmp::Reverse(seen.confidence), *at)
    });
    listed.dedup_by_key(|at| seen(*at).evidence);
    let (mut chunks, mut start) = (Vec::new(), 0);
    for same in listed.chunk_by(|a, b| seen(*a).chunk_uid == seen(*b).chunk_uid) {
        chunks.push(start..start + same.len() as u32);
        start += same.len() as u32;
    }
    chunks.sort_unstable_by_key(|chunk| {
        let first = seen(listed[chunk.start as usize]);
        (first.file, first.site.start(), first.chunk_uid)
    });
    (listed, chunks)
}

fn row(nodes: &Nodes, sighting: &Sighting, at: usize) -> Row {
    Row {
        from: nodes.number(sighting.from),
        edge_type: sighting.edge_type,
        to: nodes.number(sighting.to),
        tier: sighting.tier,
        confidence: sighting.confidence,
        evidence: sighting.evidence,
        sighting: at as u32,
    }
}

/// The sightings of an edge, each place once, best first.
fn distinct(same: &[Row]) -> impl Iterator<Item = &Row> {
    let mut last = None;
    same.iter().filter(move |row| last.replace(row.evidence) != Some(row.evidence))
}

/// A name's place in its chunk is not known here, but its symbol is.
fn export_id(chunk: ChunkUid, symbol: &str) -> EvidenceId {
    EvidenceId::from_hash(xxh64(symbol.as_bytes(), chunk.to_hash()))
}

/// Files give away what they define for others.
pub fn exports(walk: &Walk) -> Vec<Sighting> {
    let tree = walk.resolver.tree;
    let given = tree.symbols.iter().enumerate().filter(|(_, symbol)| {
        symbol.parent.is_none() && symbol.row.exported && symbol.family().is_some_and(|family| family != "prose")
    });
    let given = given.map(|(at, symbol)| {
        let (row, kind) = (symbol.row, EvidenceKind::Identifier);
        Sighting {
            from: End::File(symbol.file),
            to: End::Symbol(at as u32),
            site: row.site,
            chunk_uid: row.chunk_uid,
            evidence: export_id(row.chunk_uid, &row.symbol_id),
            file: symbol.file,
            confidence: Score::ONE,
            candidates: 1,
            edge_type: EdgeType::Export,
            tier: Tier::Scope,
            status: EdgeStatus::Resolved,
            kind,
        }
    });
    given.collect()
}
