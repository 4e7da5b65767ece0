//! Rebuilds each stage's accelerators for `verify`. The store knows only its own format and the pure modules open no
//! files, so this module connects the two.

use std::collections::BTreeSet;
use std::path::Path;
use std::slice;

use super::graph_stage::block_texts;
use super::{audience_check, is_restricted};
use crate::graph::adjacency::{self, Builder, NodeRow, Seen};
use crate::graph::{blocks, notes};
use crate::record::{
    Artifact, Chunk, ChunkUid, Edge, Evidence, EvidenceId, EvidencePlace, File, Item, Node, NodeNo, References, Symbol,
    write_line,
};
use crate::search::terms::{self, Counters, FileContent, FileTerms, only_importing};
use crate::store::{self, AcceleratorCheck, Fault, Index, PartSink, Report, StoreError};

/// Every accelerator that this build knows.
const CHECKS: &[AcceleratorCheck] = &[
    AcceleratorCheck { name: adjacency::NAME, version: adjacency::VERSION, build: build_adjacency },
    AcceleratorCheck { name: blocks::NAME, version: blocks::VERSION, build: build_blocks },
    AcceleratorCheck { name: notes::NAME, version: notes::VERSION, build: build_notes },
    AcceleratorCheck { name: terms::NAME, version: terms::VERSION, build: build_terms },
];

/// [`store::verify`] with the accelerators of this build, and with `deep` who may read each record.
pub fn verify(folder: &Path, deep: bool) -> Result<Report, Fault> {
    let report = store::verify(folder, deep, CHECKS)?;
    if deep {
        check_audiences(&Index::open_any(folder)?)?;
    }
    Ok(report)
}

/// A share of an index does not know the grants of other shares.
fn check_audiences(index: &Index) -> Result<(), Fault> {
    match index.manifest().stage.as_str() {
        "chunk" => audience_check::check_chunks(index),
        "graph" => match chunks_of(index) {
            Ok(chunks) => audience_check::check_graph(index, &chunks),
            Err(fault) if is_restricted(index) => Err(fault),
            Err(_) => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Builds one part. Records are read one at a time; their key order was checked before.
fn build_adjacency(index: &Index, each: PartSink<'_>) -> Result<(), Fault> {
    let all = evidence(index)?;
    let seen = |id| all.binary_search_by_key(&id, |(id, _)| *id).ok().map(|at| all[at].1);
    let mut builder = Builder::default();
    for node in index.records::<Node>()? {
        builder.push_node(NodeRow::from(&node?));
    }
    for part in &index.artifact(Edge::NAME)?.parts {
        for edge in index.records_of::<Edge>(slice::from_ref(part)) {
            let edge = edge?;
            let row = builder.row(&edge, seen).map_err(|dangling| Fault::new(&part.path, dangling.to_string()))?;
            builder.push(row);
        }
    }
    each(0, &builder.finish())
}

/// Builds one part from the items of the chunk index beside the graph.
fn build_notes(index: &Index, each: PartSink<'_>) -> Result<(), Fault> {
    let chunks = chunks_of(index)?;
    let files = chunks.records::<File>()?.collect::<Result<Vec<_>, _>>()?;
    let items = chunks.records::<Item>()?.collect::<Result<Vec<_>, _>>()?;
    let nodes = index.records::<Node>()?.map(|node| node.map(|node| node.node_id)).collect::<Result<Vec<_>, _>>()?;
    let number = |id: &str| nodes.binary_search_by(|node| node.as_str().cmp(id)).ok().map(|at| NodeNo(at as u32));
    match notes::build(&items, &files, number) {
        Some(bytes) => each(0, &bytes),
        None => Ok(()),
    }
}

/// Builds one part from the items and chunks of the chunk index beside the graph.
fn build_blocks(index: &Index, each: PartSink<'_>) -> Result<(), Fault> {
    let chunks = chunks_of(index)?;
    let files = chunks.records::<File>()?.collect::<Result<Vec<_>, _>>()?;
    let items = chunks.records::<Item>()?.collect::<Result<Vec<_>, _>>()?;
    match blocks::build(&items, &files, &block_texts(&chunks)?) {
        Some(bytes) => each(0, &bytes),
        None => Ok(()),
    }
}

/// The chunk index that a graph was made from.
fn chunks_of(graph: &Index) -> Result<Index, Fault> {
    let chunks = Index::open(&graph.folder().with_file_name("chunk"))?;
    let is_input = graph.manifest().inputs.iter().any(|input| input.digest == chunks.manifest().digest);
    let fault = "its notes and blocks cannot be checked without the chunks that it was made from";
    if is_input { Ok(chunks) } else { Err(Fault::new("manifest.json", fault)) }
}

/// Builds one part per shard.
fn build_terms(index: &Index, each: PartSink<'_>) -> Result<(), Fault> {
    for part in &index.artifact(File::NAME)?.parts {
        let files = index.records_of::<File>(slice::from_ref(part)).collect::<Result<Vec<_>, _>>()?;
        let (chunks, symbols) =
            (shard_records::<Chunk>(index, part.index())?, shard_records::<Symbol>(index, part.index())?);
        let importing = only_importing(&shard_records::<References>(index, part.index())?);
        let counters = Counters::default();
        let terms = count_terms(&files, &chunks, &symbols, &importing, &counters);
        let terms =
            terms.ok_or_else(|| Fault::new(&part.path, "its files do not have the chunks or symbols it says"))?;
        let files: Vec<_> = files.iter().zip(&terms).collect();
        each(part.index(), &terms::build(&files, counters))?;
    }
    Ok(())
}

fn shard_records<A: Artifact>(index: &Index, shard: u32) -> Result<Vec<A>, StoreError> {
    let part = index.artifact(A::NAME)?.parts.iter().find(|part| part.index() == shard);
    part.map_or_else(|| Ok(Vec::new()), |part| index.records_of::<A>(slice::from_ref(part)).collect())
}

/// The terms of each file. `None` if the chunks and symbols are not exactly those of the files, in order.
fn count_terms(
    files: &[File],
    chunks: &[Chunk],
    symbols: &[Symbol],
    importing: &[ChunkUid],
    counters: &Counters,
) -> Option<Vec<FileTerms>> {
    let (mut chunks, mut symbols) = (chunks, symbols);
    let importing: BTreeSet<ChunkUid> = importing.iter().copied().collect();
    let mut count = |file: &File| {
        let path = &file.file_rel_path;
        let chunks = chunks.split_off(..file.chunks.len())?;
        let symbols = symbols.split_off(..file.symbols as usize)?;
        let is_own = chunks.iter().all(|chunk| chunk.file_rel_path == *path)
            && symbols.iter().all(|symbol| symbol.file_rel_path == *path);
        let mut chunk_lines = Vec::new();
        chunks.iter().for_each(|chunk| write_line(chunk, &mut chunk_lines));
        let uids = chunks.iter().map(|chunk| chunk.chunk_uid);
        let only_importing: Vec<ChunkUid> = uids.filter(|uid| importing.contains(uid)).collect();
        let content = FileContent { chunks, chunk_lines: &chunk_lines, symbols, only_importing: &only_importing };
        is_own.then(|| counters.count(&content))
    };
    let terms = files.iter().map(&mut count).collect::<Option<Vec<_>>>()?;
    (chunks.is_empty() && symbols.is_empty()).then_some(terms)
}

/// A sorted list instead of a map: a graph may have a hundred million evidence places.
fn evidence(index: &Index) -> Result<Vec<(EvidenceId, Seen)>, StoreError> {
    let mut all = Vec::new();
    for record in index.records::<Evidence>()? {
        let seen = |place: &EvidencePlace| Seen { kind: place.kind, line: place.site.line };
        all.extend(record?.places.iter().map(|place| (place.evidence_id, seen(place))));
    }
    all.sort_unstable();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;
    use crate::record::{Audience, ChunkUid, EdgeStatus, EdgeType, EvidenceKind, NodeId, NodeKind, Score, Site, Tier};
    use crate::store::{AcceleratorEntry, ArtifactEntry, Batch, Disk, Draft, Recorder, WhenLocked};
    use crate::text::RepoPath;

    #[test]
    fn an_adjacency_is_made_again() {
        let (nodes, edges, evidence) = records();
        let right = adjacency_of(&nodes, &edges);
        let folder = write(&nodes, &edges, &evidence, &right);
        let pieces = verify(folder.path(), true).unwrap().pieces;
        assert_eq!(pieces, 4);
    }

    #[test]
    fn an_adjacency_of_other_records_is_named() {
        let (nodes, edges, evidence) = records();
        let other = adjacency_of(&nodes, &edges[1..]);
        let folder = write(&nodes, &edges, &evidence, &other);
        assert!(verify(folder.path(), false).is_ok());
        let fault = verify(folder.path(), true).unwrap_err();
        assert!(fault.piece.starts_with("adjacency.00000.") && fault.piece.ends_with(".bin"), "{fault}");
        assert_eq!(fault.reason, "it is not what its records make");
    }

    #[test]
    fn an_edge_that_names_what_is_not_there_is_found() {
        let (nodes, edges, evidence) = records();
        let right = adjacency_of(&nodes, &edges);
        for folder in [write(&nodes[1..], &edges, &evidence, &right), write(&nodes, &edges, &evidence[1..], &right)] {
            let fault = verify(folder.path(), true).unwrap_err();
            assert!(fault.piece.starts_with("edges.00000.") && fault.reason.contains("not there"), "{fault}");
        }
    }

    #[test]
    fn a_mapped_adjacency_answers() {
        let (nodes, edges, evidence) = records();
        let folder = write(&nodes, &edges, &evidence, &adjacency_of(&nodes, &edges));
        let index = Index::open(folder.path()).unwrap();
        let parts = index.accelerator(adjacency::NAME, adjacency::VERSION).unwrap();
        let graph = adjacency::Adjacency::parse(&parts[0]).unwrap();
        let node = graph.node("ext:c:b").unwrap();
        let callers = graph.neighbours(node, adjacency::Direction::In, EdgeType::Call);
        assert_eq!(callers.map(|end| graph.id(end.node)).collect::<Vec<_>>(), ["ext:c:a", "ext:c:b"]);
    }

    fn records() -> (Vec<Node>, Vec<Edge>, Vec<Evidence>) {
        let nodes: Vec<Node> = ["ext:c:a", "ext:c:b"].map(node).to_vec();
        let edge = |(number, from): (usize, &Node)| edge(from, &nodes[1], number as u64);
        let edges = nodes.iter().enumerate().map(edge).collect();
        (nodes, edges, vec![evidence(0), evidence(1)])
    }

    fn adjacency_of(nodes: &[Node], edges: &[Edge]) -> Vec<u8> {
        adjacency::build(nodes, edges, |_| Some(Seen { kind: EvidenceKind::Callsite, line: 1 })).unwrap()
    }

    fn write(nodes: &[Node], edges: &[Edge], evidence: &[Evidence], adjacency: &[u8]) -> TempDir {
        let folder = TempDir::new().unwrap();
        let recorder = Recorder::open(folder.path(), Disk::real(), WhenLocked::Refuse).unwrap();
        let parts = vec![recorder.write_accelerator(adjacency::NAME, 0, adjacency).unwrap()];
        let draft = Draft {
            stage: "graph".into(),
            ruleset_version: 1,
            source_date: "1970-01-01T00:00:00Z".into(),
            settings: json!({}),
            inputs: vec![],
            artifacts: vec![entry(&recorder, nodes), entry(&recorder, edges), entry(&recorder, evidence)],
            accelerators: vec![AcceleratorEntry { name: adjacency::NAME.into(), version: adjacency::VERSION, parts }],
        };
        recorder.commit(draft).unwrap();
        folder
    }

    fn entry<A: Artifact>(recorder: &Recorder, records: &[A]) -> ArtifactEntry {
        let batch = Batch::of(records).unwrap();
        ArtifactEntry::of::<A>(vec![recorder.write_piece(A::NAME, 0, &batch).unwrap()])
    }

    fn node(id: &str) -> Node {
        Node {
            audience: Audience::default(),
            chunk_uid: None,
            file_rel_path: None,
            kind: NodeKind::External,
            language_id: None,
            name: String::new(),
            node_id: NodeId::try_from(id.to_string()).unwrap(),
            unresolved: 0,
        }
    }

    fn edge(from: &Node, to: &Node, evidence: u64) -> Edge {
        Edge {
            audience: Audience::default(),
            label: None,
            candidates: None,
            confidence: Score::percent(90),
            evidence: vec![EvidenceId::from_hash(evidence)],
            evidence_omitted: 0,
            from: from.node_id.clone(),
            status: EdgeStatus::External,
            tier: Tier::Import,
            to: to.node_id.clone(),
            edge_type: EdgeType::Call,
        }
    }

    fn evidence(number: u32) -> Evidence {
        let place = EvidencePlace {
            confidence: Score::percent(90),
            evidence_id: EvidenceId::from_hash(u64::from(number)),
            kind: EvidenceKind::Callsite,
            site: Site { start: number, end: number + 1, line: 1, column: number },
        };
        Evidence {
            audience: Audience::default(),
            chunk_uid: ChunkUid::from_hash(1),
            file_rel_path: RepoPath::try_from("a.c".to_string()).unwrap(),
            places: vec![place],
        }
    }
}
