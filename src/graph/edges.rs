//! Sightings become edges: numbered nodes, one edge a type between two of them, its best evidence.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh64::Xxh64;

use super::adjacency::EdgeRow;
use super::input::Input;
use super::sight::{End, Sighting, Walk};
use crate::record::{
    ChunkUid, Edge, EdgeStatus, EdgeType, Evidence, EvidenceId, EvidenceKind, Lines, Node, NodeId, NodeKind, Range,
    Score, SymbolId, Tier,
};
use crate::text::RepoPath;

/// An edge lists no more evidence than this; the rest is counted.
const MAX_EVIDENCE: usize = 4;

/// The nodes in the order of their ids.
pub struct Nodes {
    pub all: Vec<Node>,
    of_symbols: Vec<u32>,
    of_chunks: Vec<u32>,
    of_files: Vec<u32>,
    outside: FxHashMap<String, u32>,
}

/// A sighting between numbered nodes.
#[derive(Clone, Copy)]
struct Row {
    from: u32,
    edge_type: EdgeType,
    to: u32,
    tier: Tier,
    confidence: Score,
    status: EdgeStatus,
    candidates: u32,
    evidence: EvidenceId,
    /// Its place among the sightings.
    sighting: u32,
}

pub struct Connected {
    pub edges: Vec<Edge>,
    /// The same edges between numbers.
    pub rows: Vec<EdgeRow>,
    pub evidence: Vec<Evidence>,
}

impl Nodes {
    pub fn new(walk: &Walk, sightings: &[Sighting], unresolved: &FxHashMap<u32, u32>) -> Self {
        let (input, tree) = (walk.input, walk.resolver.tree);
        let mut nodes: Vec<(Node, Option<End>)> = Vec::new();
        for (at, symbol) in tree.symbols.iter().enumerate() {
            let node = symbol_node(walk, at as u32, symbol.file as usize);
            nodes.push((node, Some(End::Symbol(at as u32))));
        }
        for at in 0..input.chunks.len() {
            if let End::Chunk(_) = walk.host(at as u32) {
                nodes.push((chunk_node(input, at), Some(End::Chunk(at as u32))));
            }
        }
        for (at, file) in input.files.iter().enumerate() {
            nodes.push((file_node(file), Some(End::File(at as u32))));
        }
        let mut outside: Vec<&String> = sightings
            .iter()
            .filter_map(|sighting| match &sighting.to {
                End::Outside(id) => Some(id),
                _ => None,
            })
            .collect();
        outside.sort_unstable();
        outside.dedup();
        nodes.extend(outside.iter().map(|id| (outside_node(id), Some(End::Outside((*id).clone())))));
        nodes.par_sort_by(|(a, _), (b, _)| a.node_id.cmp(&b.node_id));
        let mut numbered = Nodes {
            all: Vec::new(),
            of_symbols: vec![0; tree.symbols.len()],
            of_chunks: vec![0; input.chunks.len()],
            of_files: vec![0; input.files.len()],
            outside: FxHashMap::default(),
        };
        for (node, end) in nodes {
            // A type that is opened twice is one node.
            if numbered.all.last().is_none_or(|last| last.node_id != node.node_id) {
                numbered.all.push(node);
            }
            let number = numbered.all.len() as u32 - 1;
            match end {
                Some(End::Symbol(symbol)) => numbered.of_symbols[symbol as usize] = number,
                Some(End::Chunk(chunk)) => numbered.of_chunks[chunk as usize] = number,
                Some(End::File(file)) => numbered.of_files[file as usize] = number,
                Some(End::Outside(id)) => {
                    numbered.outside.insert(id, number);
                }
                None => {}
            }
        }
        for (chunk, count) in unresolved {
            let number = numbered.number(&walk.host(*chunk));
            numbered.all[number as usize].unresolved += count;
        }
        numbered
    }

    fn number(&self, end: &End) -> u32 {
        match end {
            End::Symbol(symbol) => self.of_symbols[*symbol as usize],
            End::Chunk(chunk) => self.of_chunks[*chunk as usize],
            End::File(file) => self.of_files[*file as usize],
            End::Outside(id) => self.outside[id],
        }
    }
}

fn symbol_node(walk: &Walk, symbol: u32, file: usize) -> Node {
    let row = walk.resolver.tree.row(symbol);
    let id = walk.tooling.symbol_ids.get(&symbol).cloned().unwrap_or_else(|| row.symbol_id.to_string());
    Node {
        chunk_uid: Some(row.chunk_uid),
        file_rel_path: Some(walk.input.files[file].file_rel_path.clone()),
        kind: NodeKind::Symbol,
        language_id: Some(row.language_id.clone()),
        name: row.qualified_name.to_string(),
        node_id: NodeId::try_from(id).expect("a symbol's id starts with `scip:`"),
        unresolved: 0,
    }
}

fn chunk_node(input: &Input, at: usize) -> Node {
    let chunk = &input.chunks[at];
    Node {
        chunk_uid: Some(chunk.chunk_uid),
        file_rel_path: RepoPath::try_from(chunk.file_rel_path.to_string()).ok(),
        kind: NodeKind::Chunk,
        language_id: Some(chunk.language_id.clone()),
        name: chunk.qualified_name.as_deref().unwrap_or_default().to_string(),
        node_id: chunk.chunk_uid.into(),
        unresolved: 0,
    }
}

fn file_node(file: &crate::record::File) -> Node {
    let path = &file.file_rel_path;
    Node {
        chunk_uid: file.chunks.first().copied(),
        file_rel_path: Some(path.clone()),
        kind: NodeKind::File,
        language_id: file.language_id.clone(),
        name: path.file_name().to_string(),
        node_id: (&SymbolId::of_file(path)).into(),
        unresolved: 0,
    }
}

fn outside_node(id: &str) -> Node {
    let mut parts = id.splitn(3, ':').skip(1);
    let (language, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    Node {
        chunk_uid: None,
        file_rel_path: None,
        kind: NodeKind::External,
        language_id: Some(language.into()),
        name: name.replace('#', "."),
        node_id: NodeId::try_from(id.to_string()).expect("it was made by this program"),
        unresolved: 0,
    }
}

/// Edges in key order with their evidence.
pub fn connect(walk: &Walk, sightings: &[Sighting], nodes: &Nodes) -> Connected {
    let mut seen: Vec<Row> =
        sightings.par_iter().enumerate().map(|(at, sighting)| row(walk, nodes, sighting, at)).collect();
    let order =
        |row: &Row| (row.from, row.edge_type, row.to, row.tier, std::cmp::Reverse(row.confidence), row.evidence);
    seen.par_sort_unstable_by_key(|row| (order(row), row.sighting));
    let (mut edges, mut rows) = (Vec::new(), Vec::new());
    let mut shown: BTreeMap<(u32, u32), (u32, Score)> = BTreeMap::new();
    for same in seen.chunk_by(|a, b| (a.from, a.edge_type, a.to) == (b.from, b.edge_type, b.to)) {
        edges.push(edge(nodes, same));
        rows.push(edge_row(&same[0], sightings));
        for row in distinct(same).take(MAX_EVIDENCE) {
            let sighting = &sightings[row.sighting as usize];
            let best = shown.entry((sighting.chunk, row.sighting)).or_insert((row.sighting, row.confidence));
            best.1 = best.1.max(row.confidence);
        }
    }
    let mut evidence: Vec<Evidence> =
        shown.values().map(|(at, confidence)| evidence(walk.input, &sightings[*at as usize], *confidence)).collect();
    use crate::record::Artifact;
    evidence.par_sort_by(|a, b| a.key().cmp(&b.key()).then(b.confidence.cmp(&a.confidence)));
    evidence.dedup_by(|later, first| later.key() == first.key());
    Connected { edges, rows, evidence }
}

fn row(walk: &Walk, nodes: &Nodes, sighting: &Sighting, at: usize) -> Row {
    let chunk = &walk.input.chunks[sighting.chunk as usize];
    Row {
        from: nodes.number(&sighting.from),
        edge_type: sighting.edge_type,
        to: nodes.number(&sighting.to),
        tier: sighting.tier,
        confidence: sighting.confidence,
        status: sighting.status,
        candidates: sighting.candidates,
        evidence: evidence_id(chunk.chunk_uid, chunk.range, sighting),
        sighting: at as u32,
    }
}

fn evidence_id(chunk: ChunkUid, range: Range, sighting: &Sighting) -> EvidenceId {
    let mut hash = Xxh64::new(0);
    hash.update(&chunk.to_hash().to_le_bytes());
    hash.update(&[sighting.kind as u8]);
    hash.update(&sighting.site.start().wrapping_sub(range.start).to_le_bytes());
    hash.update(&(sighting.site.1 - sighting.site.0).to_le_bytes());
    EvidenceId::from_hash(hash.digest())
}

/// The sightings of an edge, each place once, best first.
fn distinct<'r>(same: &'r [Row]) -> impl Iterator<Item = &'r Row> {
    let mut last = None;
    same.iter().filter(move |row| last.replace(row.evidence) != Some(row.evidence))
}

fn edge(nodes: &Nodes, same: &[Row]) -> Edge {
    let best = same[0];
    let evidence: Vec<EvidenceId> = distinct(same).take(MAX_EVIDENCE).map(|row| row.evidence).collect();
    let id = |node: u32| nodes.all[node as usize].node_id.clone();
    Edge {
        candidates: (best.candidates > 1).then_some(best.candidates),
        confidence: best.confidence,
        evidence_omitted: (distinct(same).count() - evidence.len()) as u32,
        evidence,
        from: id(best.from),
        status: best.status,
        tier: best.tier,
        to: id(best.to),
        edge_type: best.edge_type,
    }
}

fn edge_row(best: &Row, sightings: &[Sighting]) -> EdgeRow {
    EdgeRow {
        from: best.from,
        to: best.to,
        edge_type: best.edge_type,
        confidence: best.confidence,
        tier: best.tier,
        status: best.status,
        evidence_id: best.evidence,
        evidence_kind: sightings[best.sighting as usize].kind,
    }
}

fn evidence(input: &Input, sighting: &Sighting, confidence: Score) -> Evidence {
    let chunk = &input.chunks[sighting.chunk as usize];
    let Site { start, end, line } = place(sighting);
    Evidence {
        chunk_uid: chunk.chunk_uid,
        confidence,
        evidence_id: evidence_id(chunk.chunk_uid, chunk.range, sighting),
        file_rel_path: RepoPath::try_from(chunk.file_rel_path.to_string()).expect("a record's path is a path"),
        kind: sighting.kind,
        lines: Lines { start: line, end: line },
        range: Range { start, end },
    }
}

struct Site {
    start: u32,
    end: u32,
    line: u32,
}

fn place(sighting: &Sighting) -> Site {
    Site { start: sighting.site.0, end: sighting.site.1, line: sighting.site.2 }
}

/// Files give away what they define for others.
pub fn exports(walk: &Walk) -> Vec<Sighting> {
    let tree = walk.resolver.tree;
    let given = tree.symbols.iter().enumerate().filter(|(_, symbol)| {
        symbol.parent.is_none() && symbol.row.exported && symbol.family().is_some_and(|family| family != "prose")
    });
    let given = given.filter_map(|(at, symbol)| {
        Some(Sighting {
            from: End::File(symbol.file),
            edge_type: EdgeType::Export,
            to: End::Symbol(at as u32),
            tier: Tier::Scope,
            status: EdgeStatus::Resolved,
            confidence: Score::ONE,
            candidates: 1,
            kind: EvidenceKind::Identifier,
            chunk: *walk.chunks.get(&symbol.row.chunk_uid)?,
            site: symbol.row.site,
        })
    });
    given.collect()
}
