//! The graph stage: a chunk index into `nodes`, `edges`, `evidence`, `coverage`, `problems`.

#![expect(clippy::disallowed_methods, reason = "times its phases, for the log alone")]

use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use xxhash_rust::xxh64::xxh64;

use super::ChunkSettings;
use super::graph_input::InputLines;
use super::tooling::{ScipFile, ToolingError};
use crate::graph::{self, Graph, adjacency};
use crate::language::{LanguageError, Languages};
use crate::record::{Artifact, ArtifactType, Coverage, Edge, Evidence, Node, Problem, write_line};
use crate::source::shards::plan_by;
use crate::store::{
    AcceleratorEntry, ArtifactEntry, Batch, Compression, Disk, Draft, Index, Input as InputManifest, Manifest, Part,
    Recorder, StoreError, WhenLocked,
};

pub const STAGE: &str = "graph";

pub struct GraphStage {
    /// The folder that holds `chunk/` and gets `graph/`.
    pub index: PathBuf,
    /// Indexes that other tools made of the tree.
    pub scip: Vec<PathBuf>,
    pub max_shard_bytes: u64,
    pub jobs: usize,
}

impl GraphStage {
    /// About how large a shard is unless it is said otherwise, uncompressed.
    pub const SHARD_BYTES: u64 = 16 << 20;
}

pub struct GraphSummary {
    pub manifest: Manifest,
    pub nodes: u64,
    pub edges: u64,
    /// Chunks that show edges.
    pub evidence: u64,
    pub coverage: Vec<Coverage>,
    pub problems: u64,
    /// Nothing had changed, so nothing was done.
    pub kept: bool,
    pub timings: GraphTimings,
}

/// Wall time a phase. Goes to the log, never into an artifact.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphTimings {
    pub read: Duration,
    pub resolve: Duration,
    pub write: Duration,
    pub total: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Language(#[from] LanguageError),
    #[error(transparent)]
    Tooling(#[from] ToolingError),
    #[error("cannot start {0} threads")]
    Threads(usize),
}

pub fn run_graph(stage: &GraphStage, disk: Disk, when_locked: WhenLocked<'_>) -> Result<GraphSummary, GraphError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(stage.jobs).build();
    let threads = threads.map_err(|_| GraphError::Threads(stage.jobs))?;
    let started = Instant::now();
    let chunk_index = Index::open(&stage.index.join("chunk"))?;
    let recorder = Recorder::open(&stage.index.join(STAGE), disk, when_locked)?.with_compression(Compression::Fast);
    threads.install(|| run(stage, &chunk_index, recorder, started))
}

fn run(
    stage: &GraphStage,
    chunk_index: &Index,
    recorder: Recorder,
    started: Instant,
) -> Result<GraphSummary, GraphError> {
    let scip = stage.scip.iter().map(|path| ScipFile::read(path)).collect::<Result<Vec<_>, _>>()?;
    let settings = settings(stage, &scip);
    let inputs = vec![InputManifest {
        stage: chunk_index.manifest().stage.clone(),
        digest: chunk_index.manifest().digest.clone(),
    }];
    let is_current = |old: &&Index| is_current(old.manifest(), &settings, &inputs) && is_whole(old);
    if let Some(old) = recorder.old().filter(is_current) {
        return Ok(kept(old, started.elapsed())?);
    }
    let languages = Languages::of_run(&ChunkSettings::of(chunk_index)?.languages)?;
    let mut lines = InputLines::open(chunk_index)?;
    let input = lines.input(chunk_index)?;
    let read = started.elapsed();
    let indexes = scip.into_iter().map(|file| file.index(chunk_index, &input)).collect::<Result<Vec<_>, _>>()?;
    let made = graph::graph(&input, &languages, &indexes);
    let resolved = started.elapsed();
    let artifacts = write(&recorder, &made, stage.max_shard_bytes)?;
    let adjacency = recorder.write_accelerator(adjacency::NAME, 0, &made.adjacency())?;
    let accelerators = vec![AcceleratorEntry {
        name: adjacency::NAME.to_string(),
        version: adjacency::VERSION,
        parts: vec![adjacency],
    }];
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
        nodes: made.node_count() as u64,
        edges: made.edge_count() as u64,
        evidence: made.evidence_count() as u64,
        problems: made.problems.len() as u64,
        coverage: made.coverage,
        kept: false,
        timings: GraphTimings { read, resolve: resolved - read, write: total - resolved, total },
    })
}

/// What the records depend on besides the chunks and the program.
fn settings(stage: &GraphStage, scip: &[ScipFile]) -> serde_json::Value {
    let digests: Vec<&str> = scip.iter().map(|file| file.digest().as_str()).collect();
    match digests.is_empty() {
        true => serde_json::json!({ "maxShardBytes": stage.max_shard_bytes }),
        false => serde_json::json!({ "maxShardBytes": stage.max_shard_bytes, "scip": digests }),
    }
}

fn is_current(old: &Manifest, settings: &serde_json::Value, inputs: &[InputManifest]) -> bool {
    old.stage == STAGE
        && old.ruleset_version == graph::RULESET_VERSION
        && old.settings == *settings
        && old.inputs == inputs
}

/// Whether every piece is there and is what the manifest says: half an index would stay so for ever.
fn is_whole(old: &Index) -> bool {
    let (parts, accelerators): (Vec<_>, Vec<_>) =
        (old.manifest().parts().collect(), old.manifest().accelerator_parts().collect());
    parts.par_iter().all(|part| old.piece(part).is_ok())
        && accelerators.par_iter().all(|part| old.accelerator_part(part).is_ok())
}

fn kept(old: &Index, total: Duration) -> Result<GraphSummary, StoreError> {
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

fn write(recorder: &Recorder, made: &Graph, max_shard_bytes: u64) -> Result<Vec<ArtifactEntry>, StoreError> {
    let writer = Writer { recorder, max_shard_bytes };
    let hash = |text: &str| xxh64(text.as_bytes(), 0);
    let nodes: Vec<u64> = (0..made.node_count()).map(|at| hash(made.node_id(at))).collect();
    let from = |at: usize| nodes[made.edge_from(at)];
    let file = |at: usize| hash(made.evidence_file(at));
    let alike = |count: usize| vec![BYTES_PER_RECORD; count];
    let weigh = |at: usize| BYTES_PER_RECORD + BYTES_PER_PLACE * made.place_count(at) as u64;
    let evidence: Vec<u64> = (0..made.evidence_count()).map(weigh).collect();
    Ok(vec![
        writer.entry::<Node>(
            &alike(made.node_count()),
            |at| nodes[at],
            |at, lines| write_line(&made.node(at), lines),
        )?,
        writer.entry::<Edge>(&alike(made.edge_count()), from, |at, lines| write_line(&made.edge(at), lines))?,
        writer.entry::<Evidence>(&evidence, file, |at, lines| write_line(&made.evidence(at), lines))?,
        writer.records(&made.coverage)?,
        writer.records(&made.problems)?,
    ])
}

/// What a record of the graph weighs, about; its lines are not written yet when shards are cut.
const BYTES_PER_RECORD: u64 = 256;
/// And what each of the places in it weighs.
const BYTES_PER_PLACE: u64 = 96;

struct Writer<'r> {
    recorder: &'r Recorder,
    max_shard_bytes: u64,
}

impl Writer<'_> {
    /// Records in shards of at most about so many bytes, cut where the hash of what they are of says so, each
    /// made and written by one thread. `write` appends a record's line.
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
            // The buffer goes round: fresh memory for each shard costs more than filling it.
            let batch = Batch::of_counted_lines(artifact, std::mem::take(lines), shard.len() as u64);
            let batch = batch.expect("the lines were written by this program").expect("a shard has records");
            let part = self.recorder.write_piece(A::NAME, number as u32, &batch);
            *lines = batch.lines;
            part
        };
        let parts = shards.par_iter().enumerate().map_init(Vec::new, write);
        Ok(ArtifactEntry::of::<A>(parts.collect::<Result<Vec<Part>, StoreError>>()?))
    }

    /// Records that are few.
    fn records<A: Artifact>(&self, records: &[A]) -> Result<ArtifactEntry, StoreError> {
        let weights = vec![BYTES_PER_RECORD; records.len()];
        self.entry::<A>(&weights, |_| 0, |at, lines| write_line(&records[at], lines))
    }
}
