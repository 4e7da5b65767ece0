//! The graph stage: turns a chunk index into `nodes`, `edges`, `evidence`, `coverage`, `problems`.

#![expect(clippy::disallowed_methods, reason = "times its phases, for the log alone")]

use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use xxhash_rust::xxh64::xxh64;

use super::access::is_restricted;
use super::graph_input::InputLines;
use super::tooling::ScipFile;
use super::{ChunkSettings, PipelineError, RESTRICTED};
use crate::chunk::blocks::LANGUAGE;
use crate::graph::{self, Graph, adjacency, blocks, notes};
use crate::language::Languages;
use crate::record::{
    Artifact, ArtifactType, Chunk, ChunkNo, Coverage, Edge, Evidence, Node, Problem, SourceKind, write_line,
};
use crate::source::shards::plan_by;
use crate::store::{
    AcceleratorEntry, ArtifactEntry, Batch, Compression, Disk, Draft, Index, Input as InputManifest, Manifest, Part,
    Recorder, StoreError, WhenLocked,
};

pub const STAGE: &str = "graph";

pub struct GraphStage {
    /// The directory that contains `chunk/` and receives `graph/`.
    pub index: PathBuf,
    /// SCIP indexes of the tree, made by other tools.
    pub scip: Vec<PathBuf>,
    pub max_shard_bytes: u64,
    pub jobs: usize,
}

impl GraphStage {
    /// The default target size of a shard, uncompressed.
    pub const SHARD_BYTES: u64 = 16 << 20;
}

pub struct GraphSummary {
    pub manifest: Manifest,
    pub nodes: u64,
    pub edges: u64,
    /// Chunks with evidence for edges.
    pub evidence: u64,
    pub coverage: Vec<Coverage>,
    pub problems: u64,
    /// Nothing had changed, so the old index was kept.
    pub kept: bool,
    pub timings: GraphTimings,
}

/// Per-phase timings. They go to the log, never into an artifact.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphTimings {
    pub read: Duration,
    pub resolve: Duration,
    pub write: Duration,
    pub total: Duration,
}

pub fn run_graph(stage: &GraphStage, disk: Disk, when_locked: WhenLocked<'_>) -> Result<GraphSummary, PipelineError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(stage.jobs).build();
    let threads = threads.map_err(|_| PipelineError::Threads(stage.jobs))?;
    let started = Instant::now();
    let chunk_index = Index::open(&stage.index.join("chunk"))?;
    let disk = disk.private_if(is_restricted(&chunk_index));
    let recorder = Recorder::open(&stage.index.join(STAGE), disk, when_locked)?.with_compression(Compression::Fast);
    threads.install(|| run(stage, &chunk_index, recorder, started))
}

fn run(
    stage: &GraphStage,
    chunk_index: &Index,
    recorder: Recorder,
    started: Instant,
) -> Result<GraphSummary, PipelineError> {
    let scip = stage.scip.iter().map(|path| ScipFile::read(path)).collect::<Result<Vec<_>, _>>()?;
    let settings = settings(stage, &scip, is_restricted(chunk_index));
    let inputs = vec![chunk_index.manifest().as_input()];
    // A damaged index that passed for a current one would never be rebuilt.
    let is_current = |old: &&Index| is_current(old.manifest(), &settings, &inputs) && old.check_files().is_ok();
    if let Some(old) = recorder.old().filter(is_current) {
        return Ok(summarize_kept(old, started.elapsed())?);
    }
    let languages = Languages::of_run(&ChunkSettings::of(chunk_index)?.languages)?;
    let mut lines = InputLines::open(chunk_index)?;
    let input = lines.input(chunk_index)?;
    let read = started.elapsed();
    let indexes = scip.into_iter().map(|file| file.index(chunk_index, &input)).collect::<Result<Vec<_>, _>>()?;
    let graph = graph::graph(&input, &languages, &indexes);
    let resolved = started.elapsed();
    let artifacts = write(&recorder, &graph, stage.max_shard_bytes)?;
    let accelerator = |name: &str, version: u32, bytes: Vec<u8>| {
        let parts = vec![recorder.write_accelerator(name, 0, &bytes)?];
        Ok::<_, StoreError>(AcceleratorEntry { name: name.to_string(), version, parts })
    };
    let mut accelerators = vec![accelerator(adjacency::NAME, adjacency::VERSION, graph.adjacency())?];
    if let Some(bytes) = graph.notes() {
        accelerators.push(accelerator(notes::NAME, notes::VERSION, bytes)?);
    }
    if input.files.iter().any(|file| file.source_kind.is_some_and(SourceKind::is_workspace))
        && let Some(bytes) = graph.blocks(&block_texts(chunk_index)?)
    {
        accelerators.push(accelerator(blocks::NAME, blocks::VERSION, bytes)?);
    }
    let draft = Draft {
        stage: STAGE.to_string(),
        ruleset_version: graph::RULESET_VERSION,
        source_date: chunk_index.manifest().source_date.clone(),
        settings,
        inputs,
        artifacts,
        accelerators,
    };
    let manifest = recorder.commit(draft)?;
    let total = started.elapsed();
    Ok(GraphSummary {
        manifest,
        nodes: graph.node_count() as u64,
        edges: graph.edge_count() as u64,
        evidence: graph.evidence_count() as u64,
        problems: graph.problems.len() as u64,
        coverage: graph.coverage,
        kept: false,
        timings: GraphTimings { read, resolve: resolved - read, write: total - resolved, total },
    })
}

/// The texts of the blocks of a workspace, and the numbers of their chunks.
pub fn block_texts(chunks: &Index) -> Result<blocks::Texts, StoreError> {
    let mut texts = blocks::Texts::default();
    for (number, chunk) in chunks.records::<Chunk>()?.enumerate() {
        let Chunk { chunk_uid, language_id, text, .. } = chunk?;
        if language_id.as_str() == LANGUAGE {
            texts.insert(chunk_uid, (ChunkNo(number as u32), text));
        }
    }
    Ok(texts)
}

/// The inputs of the records besides the chunks and the program.
fn settings(stage: &GraphStage, scip: &[ScipFile], is_restricted: bool) -> serde_json::Value {
    let digests: Vec<&str> = scip.iter().map(|file| file.digest().as_str()).collect();
    let mut settings = serde_json::json!({ "maxShardBytes": stage.max_shard_bytes });
    if !digests.is_empty() {
        settings["scip"] = digests.into();
    }
    if is_restricted {
        settings[RESTRICTED] = true.into();
    }
    settings
}

fn is_current(old: &Manifest, settings: &serde_json::Value, inputs: &[InputManifest]) -> bool {
    old.stage == STAGE
        && old.ruleset_version == graph::RULESET_VERSION
        && old.settings == *settings
        && old.inputs == inputs
}

fn summarize_kept(old: &Index, total: Duration) -> Result<GraphSummary, StoreError> {
    let records = |name: &str| old.artifact(name).map(|entry| entry.records);
    Ok(GraphSummary {
        manifest: old.manifest().clone(),
        nodes: records(Node::NAME)?,
        edges: records(Edge::NAME)?,
        evidence: records(Evidence::NAME)?,
        problems: records(Problem::NAME)?,
        coverage: old.records::<Coverage>()?.collect::<Result<_, _>>()?,
        kept: true,
        timings: GraphTimings { total, ..GraphTimings::default() },
    })
}

fn write(recorder: &Recorder, graph: &Graph, max_shard_bytes: u64) -> Result<Vec<ArtifactEntry>, StoreError> {
    let writer = Writer { recorder, max_shard_bytes };
    let hash = |text: &str| xxh64(text.as_bytes(), 0);
    let nodes: Vec<u64> = (0..graph.node_count()).map(|at| hash(graph.node_id(at))).collect();
    let from = |at: usize| nodes[graph.edge_from(at)];
    let file = |at: usize| hash(graph.evidence_file(at));
    let equal_weights = |count: usize| vec![BYTES_PER_RECORD; count];
    let evidence_weight = |at: usize| BYTES_PER_RECORD + BYTES_PER_PLACE * graph.place_count(at) as u64;
    let evidence: Vec<u64> = (0..graph.evidence_count()).map(evidence_weight).collect();
    Ok(vec![
        writer.entry::<Node>(
            &equal_weights(graph.node_count()),
            |at| nodes[at],
            |at, lines| write_line(&graph.node(at), lines),
        )?,
        writer
            .entry::<Edge>(&equal_weights(graph.edge_count()), from, |at, lines| write_line(&graph.edge(at), lines))?,
        writer.entry::<Evidence>(&evidence, file, |at, lines| write_line(&graph.evidence(at), lines))?,
        writer.records(&graph.coverage)?,
        writer.records(&graph.problems)?,
    ])
}

/// The estimated size of a record. Shards are planned before lines are written.
const BYTES_PER_RECORD: u64 = 256;
/// The estimated size of each evidence place in a record.
const BYTES_PER_PLACE: u64 = 96;

struct Writer<'r> {
    recorder: &'r Recorder,
    max_shard_bytes: u64,
}

impl Writer<'_> {
    /// Writes records in shards of about `max_shard_bytes`. The hashes decide where shards are cut. Each shard is
    /// written by one thread. `write` appends the line of a record.
    fn entry<A: Artifact>(
        &self,
        weights: &[u64],
        hash: impl Fn(usize) -> u64,
        write: impl Fn(usize, &mut Vec<u8>) + Sync,
    ) -> Result<ArtifactEntry, StoreError> {
        let shards = plan_by(weights, self.max_shard_bytes, hash);
        let artifact = ArtifactType::named(A::NAME).expect("every record type is in the table");
        let write = |lines: &mut Vec<u8>, (number, shard): (usize, &Range<usize>)| {
            lines.clear();
            shard.clone().for_each(|at| write(at, lines));
            // The buffer is reused: allocating memory for each shard would take longer than filling it.
            let batch = Batch::of_counted_lines(artifact, std::mem::take(lines), shard.len() as u64);
            let batch = batch.expect("the lines were written by this program").expect("a shard has records");
            let part = self.recorder.write_piece(A::NAME, number as u32, &batch);
            *lines = batch.lines;
            part
        };
        let parts = shards.par_iter().enumerate().map_init(Vec::new, write);
        Ok(ArtifactEntry::of::<A>(parts.collect::<Result<Vec<Part>, StoreError>>()?))
    }

    /// Writes a small number of records.
    fn records<A: Artifact>(&self, records: &[A]) -> Result<ArtifactEntry, StoreError> {
        let weights = vec![BYTES_PER_RECORD; records.len()];
        self.entry::<A>(&weights, |_| 0, |at, lines| write_line(&records[at], lines))
    }
}
