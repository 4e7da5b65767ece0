//! The graph stage: a chunk index into `nodes`, `edges`, `evidence`, `coverage`, `problems`.

#![expect(clippy::disallowed_methods, reason = "times its phases, for the log alone")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::de::DeserializeOwned;

use crate::graph::input::{Input, TextRow, is_manifest, place_text};
use crate::graph::{self, Graph, Tooling, adjacency};
use crate::language::{LanguageError, LanguageRule, Languages};
use crate::record::{Artifact, Chunk, Coverage, Edge, Evidence, File, Node, Problem, References, Symbol};
use crate::store::{
    AcceleratorEntry, ArtifactEntry, Batch, Disk, Draft, Index, Input as InputManifest, Manifest, Part, Recorder,
    StoreError, WhenLocked,
};

pub const STAGE: &str = "graph";

pub struct GraphStage {
    /// The folder that holds `chunk/` and gets `graph/`.
    pub index: PathBuf,
    pub max_shard_bytes: u64,
    pub jobs: usize,
}

pub struct GraphSummary {
    pub manifest: Manifest,
    pub nodes: u64,
    pub edges: u64,
    pub evidence: u64,
    pub coverage: Vec<Coverage>,
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
    #[error("cannot start {0} threads")]
    Threads(usize),
}

pub fn run_graph(stage: &GraphStage, disk: Disk, when_locked: WhenLocked<'_>) -> Result<GraphSummary, GraphError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(stage.jobs).build();
    let threads = threads.map_err(|_| GraphError::Threads(stage.jobs))?;
    let started = Instant::now();
    let chunk_index = Index::open(&stage.index.join("chunk"))?;
    let recorder = Recorder::open(&stage.index.join(STAGE), disk, when_locked)?;
    threads.install(|| run(stage, &chunk_index, recorder, started))
}

fn run(
    stage: &GraphStage,
    chunk_index: &Index,
    recorder: Recorder,
    started: Instant,
) -> Result<GraphSummary, GraphError> {
    let settings = serde_json::json!({ "maxShardBytes": stage.max_shard_bytes });
    let inputs = vec![InputManifest {
        stage: chunk_index.manifest().stage.clone(),
        digest: chunk_index.manifest().digest.clone(),
    }];
    if let Some(old) = recorder.old().filter(|old| is_current(old.manifest(), &settings, &inputs)) {
        return Ok(kept(old, started.elapsed())?);
    }
    let input = read_input(chunk_index)?;
    let read = started.elapsed();
    let languages = Languages::with_rules(&user_rules(chunk_index))?;
    let made = graph::graph(&input, &languages, |_| Tooling::default());
    drop(input);
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
        nodes: made.nodes.len() as u64,
        edges: made.edges.len() as u64,
        evidence: made.evidence.len() as u64,
        coverage: made.coverage,
        kept: false,
        timings: GraphTimings { read, resolve: resolved - read, write: total - resolved, total },
    })
}

fn is_current(old: &Manifest, settings: &serde_json::Value, inputs: &[InputManifest]) -> bool {
    old.stage == STAGE
        && old.ruleset_version == graph::RULESET_VERSION
        && old.settings == *settings
        && old.inputs == inputs
}

fn kept(old: &Index, total: Duration) -> Result<GraphSummary, StoreError> {
    let records = |name: &str| old.artifact(name).map(|entry| entry.records);
    Ok(GraphSummary {
        manifest: old.manifest().clone(),
        nodes: records(Node::NAME)?,
        edges: records(Edge::NAME)?,
        evidence: records(Evidence::NAME)?,
        coverage: old.records::<Coverage>()?.collect::<Result<_, _>>()?,
        kept: true,
        timings: GraphTimings { total, ..GraphTimings::default() },
    })
}

/// The user's languages stand in the chunk stage's settings.
pub fn user_rules(index: &Index) -> Vec<LanguageRule> {
    let rules = index.manifest().settings.get("languages").cloned().unwrap_or_default();
    serde_json::from_value(rules).unwrap_or_default()
}

/// The chunk stage's records, without what the graph does not need.
pub fn read_input(index: &Index) -> Result<Input, StoreError> {
    let (files, (chunks, (symbols, references))) = rayon::join(
        || rows::<File, File>(index),
        || {
            rayon::join(
                || rows::<Chunk, _>(index),
                || rayon::join(|| rows::<Symbol, _>(index), || rows::<References, References>(index)),
            )
        },
    );
    let mut input =
        Input { files: files?, chunks: chunks?, symbols: symbols?, references: references?, ..Input::default() };
    for file in input.files.iter().filter(|file| is_manifest(file.file_rel_path.as_str())) {
        let path = file.file_rel_path.as_str();
        let mut text = String::new();
        index.find(Chunk::NAME, &[path.into()], |line| {
            if let Ok(row) = serde_json::from_slice::<TextRow>(line) {
                place_text(&mut text, &row);
            }
        })?;
        input.manifests.insert(path.to_string(), text);
    }
    Ok(input)
}

/// An artifact's lines as rows, its pieces in parallel.
fn rows<A: Artifact, R: DeserializeOwned + Send>(index: &Index) -> Result<Vec<R>, StoreError> {
    let of_part = |part: &Part| {
        let mut rows = Vec::with_capacity(part.records as usize);
        let piece = index.piece(part)?;
        piece.for_each_line(|line| {
            rows.push(serde_json::from_slice(line).map_err(|fault| piece.corrupt(fault))?);
            Ok::<(), StoreError>(())
        })?;
        Ok(rows)
    };
    let parts = index.artifact(A::NAME)?.parts.par_iter().map(of_part).collect::<Result<Vec<Vec<R>>, StoreError>>()?;
    Ok(parts.into_iter().flatten().collect())
}

fn write(recorder: &Recorder, made: &Graph, max_shard_bytes: u64) -> Result<Vec<ArtifactEntry>, StoreError> {
    Ok(vec![
        entry::<Node>(recorder, &made.nodes, max_shard_bytes)?,
        entry::<Edge>(recorder, &made.edges, max_shard_bytes)?,
        entry::<Evidence>(recorder, &made.evidence, max_shard_bytes)?,
        entry::<Coverage>(recorder, &made.coverage, max_shard_bytes)?,
        entry::<Problem>(recorder, &[], max_shard_bytes)?,
    ])
}

/// Records in shards of about so many bytes.
fn entry<A: Artifact>(recorder: &Recorder, records: &[A], max_shard_bytes: u64) -> Result<ArtifactEntry, StoreError> {
    const BYTES_PER_RECORD: u64 = 256;
    let per_shard = usize::try_from(max_shard_bytes / BYTES_PER_RECORD).unwrap_or(usize::MAX).max(1);
    let shards: Vec<(usize, &[A])> = records.chunks(per_shard).enumerate().collect();
    let write = |(number, records): &(usize, &[A])| {
        let batch = Batch::of(records).expect("a shard has records");
        recorder.write_piece(A::NAME, *number as u32, &batch)
    };
    let parts = shards.par_iter().map(write).collect::<Result<Vec<Part>, StoreError>>()?;
    Ok(ArtifactEntry::of::<A>(parts))
}
