//! The pack stage: turns many requests into sharded `context_packs`. The output of an earlier run is the cache: a
//! pack for the same index and request is not built again.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh64::xxh64;

use super::PackSource;
use crate::assemble::{IndexView, ReadError};
use crate::door::pack::{self, pack, pack_id};
use crate::record::codec::projection;
use crate::record::pack::{ContextPack, PackId};
use crate::record::request::PackRequest;
use crate::record::{Artifact, ArtifactType, ErrorCode, Lines, Problem, ProblemCode, write_line};
use crate::source::shards::plan_by;
use crate::store::{ArtifactEntry, Batch, Disk, Draft, Index, Input, Manifest, Part, Recorder, StoreError, WhenLocked};
use crate::text::RepoPath;

pub const STAGE: &str = "pack";

/// One run of the stage.
pub struct PackStage {
    /// The directory that receives `packs/`.
    pub index: PathBuf,
    pub max_shard_bytes: u64,
    /// Keep packs that an earlier run made from the same index, even if they are not requested now.
    pub keep: bool,
    pub jobs: usize,
}

/// Parsed requests with their line numbers, or the reason why a line is not a valid request.
pub struct Requests {
    /// The name of the file that they come from, for problems.
    pub name: RepoPath,
    pub all: Vec<(u32, Result<PackRequest, String>)>,
}

#[derive(Debug)]
pub struct PackSummary {
    pub manifest: Manifest,
    pub packs: u64,
    /// Packs copied from an earlier run.
    pub cached: u64,
    /// Invalid requests.
    pub refused: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum PackStageError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot start {0} threads")]
    Threads(usize),
}

/// A pack's id, its line and whether it was cached; or why the request is invalid.
type PackOutcome = Result<(PackId, Vec<u8>, bool), String>;

impl PackStage {
    /// The target size of a shard.
    pub const SHARD_BYTES: u64 = 24 << 20;
}

impl Requests {
    /// Parses a file with one request per line. Blank lines are skipped.
    pub fn parse(file: &Path, text: &str, repo_id: &str) -> Self {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.and_then(|name| RepoPath::try_from(name).ok());
        let name = name.unwrap_or_else(|| RepoPath::try_from("requests".to_string()).expect("it is a name"));
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let all = lines.map(|(at, line)| (at as u32 + 1, parse(line, repo_id)));
        Requests { name, all: all.collect() }
    }
}

/// Parses and checks one request. Reports the first problem.
fn parse(line: &str, repo_id: &str) -> Result<PackRequest, String> {
    let mut request: PackRequest =
        serde_json::from_str(line).map_err(|error| format!("{}: {error}", ErrorCode::BadRequest))?;
    if request.repo_id.is_empty() {
        request.repo_id = repo_id.to_string();
    }
    request.check().map_err(|fault| format!("{}: {fault}", fault.code()))?;
    Ok(request)
}

pub fn run_packs(
    stage: &PackStage,
    source: &PackSource,
    requests: &Requests,
    disk: Disk,
    when_locked: WhenLocked<'_>,
    watch: &(dyn Fn(u64) + Sync),
) -> Result<PackSummary, PackStageError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(stage.jobs).build();
    let threads = threads.map_err(|_| PackStageError::Threads(stage.jobs))?;
    let recorder = Recorder::open(&stage.index.join("packs"), disk, when_locked)?;
    let old = old_packs(&recorder, source)?;
    threads.install(|| {
        let outcomes = source.with(|view| build_all(view, requests, &old, watch))?;
        Ok(write(stage, source, requests, recorder, old, outcomes)?)
    })
}

/// Stores a pack of the index beside the existing ones. Every call writes all packs again, so when there are
/// `max_kept` or more, only those that are still wanted are kept.
pub fn keep_pack(
    stage: &PackStage,
    source: &PackSource,
    pack: &ContextPack,
    max_kept: usize,
    is_wanted: impl Fn(&PackId) -> bool,
    when_locked: WhenLocked<'_>,
) -> Result<(), StoreError> {
    let recorder = Recorder::open(&stage.index.join("packs"), Disk::real(), when_locked)?;
    let mut packs = old_packs(&recorder, source)?;
    if packs.contains_key(&pack.pack_id) {
        return Ok(());
    }
    if packs.len() >= max_kept {
        packs.retain(|id, _| is_wanted(id));
    }
    let mut line = Vec::new();
    write_line(pack, &mut line);
    packs.insert(pack.pack_id.clone(), line);
    let name = RepoPath::try_from("request".to_string()).expect("it is a name");
    let stage = PackStage { keep: true, index: stage.index.clone(), ..*stage };
    write(&stage, source, &Requests { name, all: Vec::new() }, recorder, packs, Vec::new())?;
    Ok(())
}

fn build_all(
    view: &IndexView,
    requests: &Requests,
    old: &BTreeMap<PackId, Vec<u8>>,
    watch: &(dyn Fn(u64) + Sync),
) -> Result<Vec<PackOutcome>, ReadError> {
    let build_one = |(_, request): &(u32, Result<PackRequest, String>)| {
        let pack = request.as_ref().map_err(Clone::clone).map(|request| build_or_reuse(view, request, old));
        watch(1);
        pack.map_or_else(|fault| Ok(Err(fault)), |pack| pack.map(Ok))
    };
    let all: Vec<Result<PackOutcome, ReadError>> = requests.all.par_iter().map(build_one).collect();
    all.into_iter().collect()
}

fn build_or_reuse(
    view: &IndexView,
    request: &PackRequest,
    old: &BTreeMap<PackId, Vec<u8>>,
) -> Result<(PackId, Vec<u8>, bool), ReadError> {
    let id = pack_id(view.facts().signature, request);
    if let Some(line) = old.get(&id) {
        return Ok((id, line.clone(), true));
    }
    let mut line = Vec::new();
    write_line(&pack(view, request)?, &mut line);
    Ok((id, line, false))
}

fn write(
    stage: &PackStage,
    source: &PackSource,
    requests: &Requests,
    recorder: Recorder,
    old: BTreeMap<PackId, Vec<u8>>,
    outcomes: Vec<PackOutcome>,
) -> Result<PackSummary, StoreError> {
    let mut packs = if stage.keep { old } else { BTreeMap::new() };
    let (mut problems, mut cached) = (Vec::new(), 0);
    for ((line, _), outcome) in requests.all.iter().zip(outcomes) {
        match outcome {
            Ok((id, record, was_cached)) => {
                cached += u64::from(was_cached);
                packs.insert(id, record);
            }
            Err(fault) => problems.push(Problem {
                lines: Some(Lines { start: *line, end: *line }),
                ..Problem::new(&requests.name, ProblemCode::BadRequest, fault)
            }),
        }
    }
    problems.sort_by(|a, b| a.key().cmp(&b.key()));
    let refused = problems.len() as u64;
    let problems = Batch::of(&problems).map(|batch| recorder.write_piece(Problem::NAME, 0, &batch)).transpose()?;
    let lines = packs.iter().map(|(id, line)| (id.as_str(), line.as_slice())).collect();
    let draft = Draft {
        stage: STAGE.to_string(),
        ruleset_version: pack::RULESET_VERSION,
        source_date: source.source_date().to_string(),
        settings: serde_json::json!({ "maxShardBytes": stage.max_shard_bytes }),
        inputs: source.inputs(),
        artifacts: vec![
            ArtifactEntry::of::<ContextPack>(write_shards::<ContextPack>(&recorder, &lines, stage.max_shard_bytes)?),
            ArtifactEntry::of::<Problem>(problems.into_iter().collect()),
        ],
        accelerators: Vec::new(),
    };
    let manifest = recorder.commit(draft)?;
    Ok(PackSummary { manifest, packs: packs.len() as u64, cached, refused })
}

/// Writes lines, sorted by id, in as many shards as they need.
pub fn write_shards<A: Artifact>(
    recorder: &Recorder,
    lines: &BTreeMap<&str, &[u8]>,
    max_shard_bytes: u64,
) -> Result<Vec<Part>, StoreError> {
    let records: Vec<(&str, &[u8])> = lines.iter().map(|(id, line)| (*id, *line)).collect();
    let sizes: Vec<u64> = records.iter().map(|(_, line)| line.len() as u64).collect();
    let shards = plan_by(&sizes, max_shard_bytes, |at| xxh64(records[at].0.as_bytes(), 0));
    let artifact = ArtifactType::named(A::NAME).expect("every record type is in the table");
    let write = |(number, shard): (usize, &Range<usize>)| {
        let lines: Vec<&[u8]> = records[shard.clone()].iter().map(|(_, line)| *line).collect();
        let batch = Batch::of_lines(artifact, lines.concat()).expect("the lines were written by this program");
        batch.map(|batch| recorder.write_piece(A::NAME, number as u32, &batch)).transpose()
    };
    let parts: Vec<Option<Part>> = shards.par_iter().enumerate().map(write).collect::<Result<_, StoreError>>()?;
    Ok(parts.into_iter().flatten().collect())
}

projection! {
    struct PackIdRow of ContextPack {
        pack_id: PackId,
    }
}

projection! {
    struct QueryRow of ContextPack {
        pack_id: PackId,
        request: PackRequest,
    }
}

/// The lines of packs that an earlier run with the same rules made from this index.
fn old_packs(recorder: &Recorder, source: &PackSource) -> Result<BTreeMap<PackId, Vec<u8>>, StoreError> {
    let has_same_inputs = |old: &&Index| {
        let manifest = old.manifest();
        manifest.ruleset_version == pack::RULESET_VERSION && manifest.inputs == source.inputs()
    };
    let Some(old) = recorder.old().filter(has_same_inputs) else { return Ok(BTreeMap::new()) };
    let mut packs = BTreeMap::new();
    for part in &old.artifact(ContextPack::NAME)?.parts {
        let piece = old.piece(part)?;
        piece.for_each_line(|line| {
            let row: PackIdRow =
                serde_json::from_slice(line).map_err(|error| piece.not_a_record::<ContextPack>(&error))?;
            packs.insert(row.pack_id, [line, b"\n"].concat());
            Ok::<(), StoreError>(())
        })?;
    }
    Ok(packs)
}

/// Reads a stored pack by id.
pub fn read_pack(index: &std::path::Path, id: &str) -> Result<Option<ContextPack>, StoreError> {
    KeptPacks::open(index)?.pack(id)
}

/// The stored packs of an index.
pub struct KeptPacks(Index);

impl KeptPacks {
    /// Opens the packs in the directory that contains `packs/`.
    pub fn open(index: &std::path::Path) -> Result<Self, StoreError> {
        Ok(KeptPacks(Index::open(&index.join("packs"))?))
    }

    /// The inputs that all of them were made from.
    pub fn inputs(&self) -> &[Input] {
        &self.0.manifest().inputs
    }

    pub fn pack(&self, id: &str) -> Result<Option<ContextPack>, StoreError> {
        Ok(self.0.find_records::<ContextPack>(&[id.into()])?.into_iter().next())
    }

    /// The ids of all packs, each with its query.
    pub fn all(&self) -> Result<Vec<(PackId, String)>, StoreError> {
        let mut kept = Vec::new();
        for part in &self.0.artifact(ContextPack::NAME)?.parts {
            let piece = self.0.piece(part)?;
            piece.for_each_line(|line| {
                let row: QueryRow =
                    serde_json::from_slice(line).map_err(|error| piece.not_a_record::<ContextPack>(&error))?;
                kept.push((row.pack_id, row.request.query));
                Ok::<(), StoreError>(())
            })?;
        }
        Ok(kept)
    }
}
