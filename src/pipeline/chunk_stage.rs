//! The chunk stage: a source tree into `files`, `chunk_meta`, `symbols`, `references`, `problems`.
//!
//! Shards are worked off one after the other, the files of a shard in parallel; what has not changed
//! since the last run is carried over without being parsed.

#![expect(clippy::disallowed_methods, reason = "times its phases, for the log alone")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::chunk::{self, Config};
use crate::language::{LanguageError, Languages};
use crate::record::{Artifact, ArtifactType, Chunk, ChunkUid, File, Problem, ProblemCode, Reference, Symbol};
use crate::source::{self, Content, Entry, SourceError, Walk, WalkOptions};
use crate::store::{ArtifactEntry, Batch, Disk, Draft, Index, Manifest, Part, Recorder, StoreError, WhenLocked};

use super::analyse::{FileRecords, analyse, unread};
use super::carry::Old;
use super::settings::ChunkSettings;

const STAGE: &str = "chunk";
/// Deep but legal code needs a deep stack; only what is touched of it costs memory.
const STACK_BYTES: usize = 256 << 20;

/// One run of the stage.
#[derive(Clone, Debug)]
pub struct ChunkStage {
    pub source: PathBuf,
    pub out: PathBuf,
    pub settings: ChunkSettings,
    /// 0: as many as there are cores.
    pub jobs: usize,
    /// `SOURCE_DATE_EPOCH`, if it is set.
    pub epoch: Option<String>,
    /// See [`WalkOptions::shuffle`].
    pub shuffle: Option<u64>,
}

/// What a run is at, for whoever watches.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    Found { files: u64, bytes: u64 },
    Done { files: u64, bytes: u64 },
}

#[derive(Debug)]
pub struct Summary {
    pub manifest: Manifest,
    pub files: u64,
    pub bytes: u64,
    /// Files whose records were carried over.
    pub carried: u64,
    pub ignored: u64,
    pub chunks: u64,
    pub symbols: u64,
    /// Sites.
    pub references: u64,
    pub problems: BTreeMap<ProblemCode, u64>,
    /// Why an index that was there could not serve as the cache.
    pub old_fault: Option<String>,
    pub timings: Timings,
}

/// Wall time a phase. Goes to the log, never into an artifact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    pub walk: Duration,
    pub read: Duration,
    pub analyse: Duration,
    pub write: Duration,
    pub total: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum StageError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Language(#[from] LanguageError),
    #[error("cannot start {0} threads")]
    Threads(usize),
}

pub fn run_chunk(
    stage: &ChunkStage,
    disk: Disk,
    when_locked: WhenLocked<'_>,
    watch: &(dyn Fn(Progress) + Sync),
) -> Result<Summary, StageError> {
    let started = Instant::now();
    let languages = Languages::with_rules(&stage.settings.languages)?;
    let source_date = source::source_date(&stage.source, stage.epoch.as_deref())?;
    let options = WalkOptions { exclude: vec![stage.out.clone()], shuffle: stage.shuffle };
    let walk = source::walk(&stage.source, &options)?;
    let walked = started.elapsed();
    watch(Progress::Found { files: walk.files.len() as u64, bytes: walk.files.iter().map(|entry| entry.bytes).sum() });
    let threads = rayon::ThreadPoolBuilder::new().num_threads(stage.jobs).stack_size(STACK_BYTES).build();
    let threads = threads.map_err(|_| StageError::Threads(stage.jobs))?;
    let recorder = Recorder::open(&stage.out, disk, when_locked)?;
    let run = Run { stage, languages: &languages, recorder: &recorder, walk: &walk, watch };
    let (old, bad_cache) = run.old();
    let (artifacts, mut summary) = threads.install(|| run.shards(old.as_ref()))?;
    let draft = Draft {
        stage: STAGE.to_string(),
        ruleset_version: chunk::RULESET_VERSION,
        source_date,
        settings: settings_value(&stage.settings),
        inputs: Vec::new(),
        artifacts,
    };
    drop(old);
    let old_fault = recorder.old_fault().map(ToString::to_string).or(bad_cache);
    let before_commit = Instant::now();
    let manifest = recorder.commit(draft)?;
    summary.timings.write += before_commit.elapsed();
    summary.timings.walk = walked;
    summary.timings.total = started.elapsed();
    Ok(summary.finish(manifest, walk.ignored, old_fault))
}

fn settings_value(settings: &ChunkSettings) -> serde_json::Value {
    serde_json::to_value(settings).expect("settings are JSON")
}

struct Run<'r> {
    stage: &'r ChunkStage,
    languages: &'r Languages,
    recorder: &'r Recorder,
    walk: &'r Walk,
    watch: &'r (dyn Fn(Progress) + Sync),
}

/// Counts as they come in, shard by shard.
#[derive(Default)]
struct Tally {
    files: u64,
    bytes: u64,
    carried: u64,
    chunks: u64,
    symbols: u64,
    references: u64,
    problems: BTreeMap<ProblemCode, u64>,
    timings: Timings,
}

/// The parts of each artifact so far.
#[derive(Default)]
struct Parts {
    files: Vec<Part>,
    chunks: Vec<Part>,
    symbols: Vec<Part>,
    references: Vec<Part>,
    problems: Vec<Part>,
}

impl Run<'_> {
    fn shards(&self, old: Option<&Old>) -> Result<(Vec<ArtifactEntry>, Tally), StageError> {
        let (mut parts, mut tally) = (Parts::default(), Tally::default());
        let mut taken = BTreeSet::new();
        let settings = &self.stage.settings;
        let mut plan = source::shards::plan(&self.walk.files, settings.max_shard_bytes, settings.max_file_bytes);
        if plan.is_empty() {
            // What the walk has to say of a tree without files still needs a shard to say it in.
            plan.push(0..0);
        }
        for (number, range) in plan.iter().enumerate() {
            let problems = self.walk_problems(range, number + 1 == plan.len());
            let shard = Shard { run: self, number: number as u32, entries: &self.walk.files[range.clone()], problems };
            shard.record(old, &mut taken, &mut parts, &mut tally)?;
        }
        Ok((parts.entries(), tally))
    }

    /// The old index, if its records are what this run would make; or why it cannot be read.
    fn old(&self) -> (Option<Old<'_>>, Option<String>) {
        let same = |index: &&Index| {
            let manifest = index.manifest();
            manifest.stage == STAGE
                && manifest.ruleset_version == chunk::RULESET_VERSION
                && manifest.settings == settings_value(&self.stage.settings)
        };
        match self.recorder.old().filter(same).map(Old::load) {
            None => (None, None),
            Some(Ok(old)) => (Some(old), None),
            Some(Err(fault)) => (None, Some(fault.to_string())),
        }
    }

    /// What the walk said of paths between this shard's first file and the next shard's.
    fn walk_problems(&self, range: &Range<usize>, last: bool) -> Vec<Problem> {
        let from = (range.start > 0).then(|| &self.walk.files[range.start].path);
        let to = (!last).then(|| &self.walk.files[range.end].path);
        let inside = |problem: &&Problem| {
            from.is_none_or(|from| problem.file_rel_path >= *from) && to.is_none_or(|to| problem.file_rel_path < *to)
        };
        self.walk.problems.iter().filter(inside).cloned().collect()
    }

    fn config(&self) -> Config {
        let settings = &self.stage.settings;
        Config { max_chunk_bytes: settings.max_chunk_bytes, uid_mask: settings.uid_mask }
    }
}

struct Shard<'s> {
    run: &'s Run<'s>,
    number: u32,
    entries: &'s [Entry],
    problems: Vec<Problem>,
}

/// A file after it was read and before it is analysed.
enum Step {
    Analyse(Content),
    Unread(Problem),
    Carry,
}

impl Shard<'_> {
    fn record(
        self,
        old: Option<&Old>,
        taken: &mut BTreeSet<ChunkUid>,
        parts: &mut Parts,
        tally: &mut Tally,
    ) -> Result<(), StageError> {
        let started = Instant::now();
        let steps = self.read(old, taken);
        let read = Instant::now();
        let carried: Vec<_> = self.entries.iter().zip(&steps).filter(|(_, step)| matches!(step, Step::Carry)).collect();
        let paths: Vec<_> = carried.iter().map(|(entry, _)| &entry.path).collect();
        tally.carried += paths.len() as u64;
        let kept = old.filter(|_| paths.len() == steps.len()).and_then(|old| Some((old, old.shard_of(&paths)?)));
        match kept {
            Some((old, shard)) => self.keep(old, shard, taken, parts, tally)?,
            None => {
                let records = self.analyse(old, &paths, steps, taken)?;
                tally.timings.analyse += read.elapsed();
                self.write(records, parts, tally)?;
            }
        }
        tally.timings.read += read - started;
        Ok(())
    }

    /// Reads every file; of those that have not changed only the digest is kept.
    fn read(&self, old: Option<&Old>, taken: &BTreeSet<ChunkUid>) -> Vec<Step> {
        let stage = self.run.stage;
        let read = |entry: &Entry| {
            let content = source::read(&stage.source, entry, stage.settings.max_file_bytes);
            match content {
                Err(problem) => Step::Unread(problem),
                Ok(content) if old.is_some_and(|old| old.holds(&entry.path, &content.digest, taken)) => {
                    (self.run.watch)(Progress::Done { files: 1, bytes: entry.bytes });
                    Step::Carry
                }
                Ok(content) => Step::Analyse(content),
            }
        };
        self.entries.par_iter().map(read).collect()
    }

    /// Nothing in this shard has changed: its pieces stay, only what the walk says is looked at again.
    fn keep(
        &self,
        old: &Old,
        shard: u32,
        taken: &mut BTreeSet<ChunkUid>,
        parts: &mut Parts,
        tally: &mut Tally,
    ) -> Result<(), StageError> {
        let records: Vec<_> = self.entries.iter().filter_map(|entry| old.file(&entry.path)).collect();
        taken.extend(records.iter().flat_map(|records| &records.file.chunks));
        let keep = |part: Option<&Part>| part.map(|part| self.run.recorder.keep_piece(part, self.number)).transpose();
        parts.chunks.extend(keep(old.part::<Chunk>(shard))?);
        parts.symbols.extend(keep(old.part::<Symbol>(shard))?);
        parts.references.extend(keep(old.part::<Reference>(shard))?);
        self.write_files_and_problems(&records, parts, tally)
    }

    /// The records of every file of the shard, in the order of their paths.
    fn analyse(
        &self,
        old: Option<&Old>,
        carried: &[&crate::text::RepoPath],
        steps: Vec<Step>,
        taken: &mut BTreeSet<ChunkUid>,
    ) -> Result<Vec<FileRecords>, StageError> {
        let mut carried = old.map(|old| old.carry(carried)).transpose()?.unwrap_or_default();
        let (languages, config) = (self.run.languages, self.run.config());
        let analyse = |(entry, step): (&Entry, Step)| match step {
            Step::Carry => None,
            Step::Unread(problem) => Some(unread(entry, problem)),
            Step::Analyse(content) => {
                let records = analyse(entry, content, languages, &config, &BTreeSet::new());
                (self.run.watch)(Progress::Done { files: 1, bytes: entry.bytes });
                Some(records)
            }
        };
        let analysed: Vec<_> = self.entries.par_iter().zip(steps).map(analyse).collect();
        let records = self.entries.iter().zip(analysed).filter_map(|(entry, records)| {
            let records = records.or_else(|| carried.take(&entry.path))?;
            let records = self.with_own_uids(entry, records, taken);
            taken.extend(&records.file.chunks);
            Some(records)
        });
        Ok(records.collect())
    }

    /// Analysed again with the uids of the files before it known, should it have given one of them.
    fn with_own_uids(&self, entry: &Entry, records: FileRecords, taken: &BTreeSet<ChunkUid>) -> FileRecords {
        let collides = records.file.chunks.iter().any(|uid| taken.contains(uid));
        let stage = self.run.stage;
        match collides.then(|| source::read(&stage.source, entry, stage.settings.max_file_bytes)) {
            Some(Ok(content)) => analyse(entry, content, self.run.languages, &self.run.config(), taken),
            Some(Err(problem)) => unread(entry, problem),
            None => records,
        }
    }

    fn write(&self, mut records: Vec<FileRecords>, parts: &mut Parts, tally: &mut Tally) -> Result<(), StageError> {
        let started = Instant::now();
        let chunks: Vec<_> = records.iter_mut().map(|records| std::mem::take(&mut records.chunks)).collect();
        let symbols: Vec<_> = records.iter_mut().map(|records| std::mem::take(&mut records.symbols)).collect();
        let references: Vec<_> = records.iter_mut().map(|records| std::mem::take(&mut records.references)).collect();
        let (chunks, (symbols, references)) = rayon::join(
            || self.write_lines::<Chunk>(chunks),
            || rayon::join(|| self.write_lines::<Symbol>(symbols), || self.write_lines::<Reference>(references)),
        );
        parts.chunks.extend(chunks?);
        parts.symbols.extend(symbols?);
        parts.references.extend(references?);
        self.write_files_and_problems(&records, parts, tally)?;
        tally.timings.write += started.elapsed();
        Ok(())
    }

    /// Each file's lines are freed as soon as they are in the piece.
    fn write_lines<A: Artifact>(&self, buffers: Vec<Vec<u8>>) -> Result<Option<Part>, StoreError> {
        let mut lines = Vec::with_capacity(buffers.iter().map(Vec::len).sum());
        buffers.into_iter().for_each(|buffer| lines.extend_from_slice(&buffer));
        let artifact = ArtifactType::named(A::NAME).expect("every record type is in the table");
        let batch = Batch::of_lines(artifact, lines).expect("the lines were written by this program");
        batch.map(|batch| self.run.recorder.write_piece(A::NAME, self.number, &batch)).transpose()
    }

    fn write_files_and_problems(
        &self,
        records: &[FileRecords],
        parts: &mut Parts,
        tally: &mut Tally,
    ) -> Result<(), StageError> {
        let files: Vec<File> = records.iter().map(|records| records.file.clone()).collect();
        let own = records.iter().flat_map(|records| &records.problems);
        let mut problems: Vec<Problem> = self.problems.iter().chain(own).cloned().collect();
        problems.sort_by(|a, b| a.key().cmp(&b.key()));
        problems.dedup();
        let write = |name, batch: Option<Batch>| {
            batch.map(|batch| self.run.recorder.write_piece(name, self.number, &batch)).transpose()
        };
        parts.files.extend(write(File::NAME, Batch::of(&files))?);
        parts.problems.extend(write(Problem::NAME, Batch::of(&problems))?);
        tally.add(&files, &problems);
        Ok(())
    }
}

impl Parts {
    fn entries(self) -> Vec<ArtifactEntry> {
        vec![
            ArtifactEntry::of::<File>(self.files),
            ArtifactEntry::of::<Chunk>(self.chunks),
            ArtifactEntry::of::<Symbol>(self.symbols),
            ArtifactEntry::of::<Reference>(self.references),
            ArtifactEntry::of::<Problem>(self.problems),
        ]
    }
}

impl Tally {
    fn add(&mut self, files: &[File], problems: &[Problem]) {
        for file in files {
            self.files += 1;
            self.bytes += file.bytes;
            self.chunks += file.chunks.len() as u64;
            self.symbols += u64::from(file.symbols);
            self.references += u64::from(file.references);
        }
        for problem in problems {
            *self.problems.entry(problem.code).or_default() += 1;
        }
    }

    fn finish(self, manifest: Manifest, ignored: u64, old_fault: Option<String>) -> Summary {
        Summary {
            manifest,
            files: self.files,
            bytes: self.bytes,
            carried: self.carried,
            ignored,
            chunks: self.chunks,
            symbols: self.symbols,
            references: self.references,
            problems: self.problems,
            old_fault,
            timings: self.timings,
        }
    }
}
