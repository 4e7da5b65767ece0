//! The chunk stage: turns a source tree into `files`, `chunk_meta`, `symbols`, `references`, `problems`.
//!
//! Shards are processed one after another, and the files of a shard in parallel. Records of unchanged files are
//! copied from the last run without parsing.

#![expect(clippy::disallowed_methods, reason = "times its phases, for the log alone")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::chunk::{self, Config};
use crate::dialect::spec::SectionSchema;
use crate::dialect::workspace::RIGHTS_FILES;
use crate::language::Languages;
use crate::record::{Problem, ProblemCode};
use crate::search::terms::Counters;
use crate::source::{self, OwnFolders, Walk, WalkOptions};
use crate::store::{self, Disk, Draft, Index, Manifest, Recorder, SHARE_STAGE, WhenLocked};
use crate::text::PathPatterns;

use super::analyse::AnalysisContext;
use super::note_sources::NoteSources;
use super::previous_index::PreviousIndex;
use super::service::STAGES;
use super::settings::ChunkSettings;
use super::shard::{Parts, Shard, Tally};
use super::share::{self, Plan, Share, ShareMark};
use super::views::VIEWS;
use super::{PipelineError, spec_source};

pub(super) const STAGE: &str = "chunk";
/// The setting of an index that holds something that not everybody may read.
pub const RESTRICTED: &str = "restricted";
/// Deeply nested code needs a deep stack. Only the touched part of it uses memory.
const STACK_BYTES: usize = 256 << 20;

/// One run of the stage.
#[derive(Clone, Debug)]
pub struct ChunkStage {
    pub source: PathBuf,
    pub out: PathBuf,
    pub settings: ChunkSettings,
    /// 0 means one per core.
    pub jobs: usize,
    /// `SOURCE_DATE_EPOCH`, if it is set.
    pub epoch: Option<String>,
    /// See [`WalkOptions::shuffle`].
    pub shuffle: Option<u64>,
}

/// The progress of a run.
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
    /// Files whose records were copied from the previous run.
    pub carried: u64,
    pub ignored: u64,
    pub chunks: u64,
    pub symbols: u64,
    /// Number of reference sites.
    pub references: u64,
    pub problems: BTreeMap<ProblemCode, u64>,
    /// Why an existing index could not be used as the cache.
    pub old_fault: Option<String>,
    /// Whether there are blocks of a workspace, and nobody may read any of them.
    pub is_closed: bool,
    pub timings: Timings,
}

/// Per-phase timings. They go to the log, never into an artifact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    pub walk: Duration,
    pub read: Duration,
    pub analyse: Duration,
    pub write: Duration,
    pub total: Duration,
}

pub fn run_chunk(
    stage: &ChunkStage,
    disk: Disk,
    when_locked: WhenLocked<'_>,
    watch: &(dyn Fn(Progress) + Sync),
) -> Result<Summary, PipelineError> {
    run_share(stage, None, disk, when_locked, watch)
}

/// Runs one share of the stage. [`run_merge`](super::run_merge) merges all shares into a whole index.
pub fn run_share(
    stage: &ChunkStage,
    share: Option<Share>,
    disk: Disk,
    when_locked: WhenLocked<'_>,
    watch: &(dyn Fn(Progress) + Sync),
) -> Result<Summary, PipelineError> {
    let started = Instant::now();
    let languages = Languages::of_run(&stage.settings.languages)?;
    let source_date = source::source_date(&stage.source, stage.epoch.as_deref())?;
    let options = WalkOptions { shuffle: stage.shuffle, ..walk_options(&stage.out, &stage.settings) };
    let mut walk = source::walk(&stage.source, &options)?;
    if let Some(path) = walk.not_files.first() {
        let reason = "it is not a file, so it is not known who may read what".to_string();
        return Err(PipelineError::Permissions { path: path.clone(), reason });
    }
    let own_sections = own_sections(stage, &mut walk);
    let (notes, note_problems) = NoteSources::find(&stage.source, &walk.files, &stage.settings)?;
    walk.problems.extend(note_problems);
    let settings = settings_value(&stage.settings, own_sections.as_ref(), &notes);
    let sections = Arc::new(own_sections.unwrap_or_else(SectionSchema::builtin));
    let walked = started.elapsed();
    let plan = Plan::of(&walk.files, &stage.settings, share);
    let own = plan.own_files(&walk);
    watch(Progress::Found { files: own.len() as u64, bytes: own.iter().map(|entry| entry.bytes).sum() });
    let threads = rayon::ThreadPoolBuilder::new().num_threads(stage.jobs).stack_size(STACK_BYTES).build();
    let threads = threads.map_err(|_| PipelineError::Threads(stage.jobs))?;
    let recorder = Recorder::open(&stage.out, disk.private_if(notes.is_restricted()), when_locked)?;
    recorder.check_stage(stage_of(share))?;
    let run = Run {
        stage,
        settings: &settings,
        sections,
        notes: &notes,
        languages: &languages,
        recorder: &recorder,
        walk: &walk,
        watch,
    };
    let digest_tree = || share::tree_digest(&stage.source, &walk, &stage.settings);
    let mark = share.map(|share| ShareMark::new(share, &plan, threads.install(digest_tree)));
    let (previous, bad_cache) = threads.install(|| run.previous(stage_of(share)));
    let (mut parts, mut summary) = threads.install(|| run.shards(&plan, previous.as_ref()))?;
    let draft = Draft {
        stage: stage_of(share).to_string(),
        ruleset_version: chunk::RULESET_VERSION,
        source_date,
        settings: mark.map_or_else(|| settings.clone(), |mark| mark.among(&settings)),
        inputs: Vec::new(),
        accelerators: parts.accelerators(),
        artifacts: parts.entries(),
    };
    drop(previous);
    let old_fault = recorder.old_fault().map(ToString::to_string).or(bad_cache);
    let before_commit = Instant::now();
    let manifest = recorder.commit(draft)?;
    summary.timings.write += before_commit.elapsed();
    summary.timings.walk = walked;
    summary.timings.total = started.elapsed();
    let is_closed = notes.is_closed();
    Ok(Summary { is_closed, ..summary.finish(manifest, walk.ignored, old_fault) })
}

/// How to walk a tree whose chunks are written to `out` with these settings: indexes are not part of the tree.
pub fn walk_options(out: &Path, settings: &ChunkSettings) -> WalkOptions {
    // Patterns are checked where settings are read.
    let ignored = if settings.exclude.is_empty() { None } else { PathPatterns::new(&settings.exclude).ok() };
    let always: &[&str] = if settings.workspace.is_some() { &RIGHTS_FILES } else { &[] };
    WalkOptions { exclude: index_folders(out), ignored, always, ..bare_walk_options() }
}

/// How to walk a tree of which nothing is left out but what this program wrote.
pub fn bare_walk_options() -> WalkOptions {
    WalkOptions::new(OwnFolders { marks: &store::MARKS, is_own: store::is_own })
}

/// Directories that belong to the index: those of the other stages, and those of shares.
fn index_folders(out: &Path) -> Vec<PathBuf> {
    let is_share = out.parent().and_then(Path::file_name).is_some_and(|name| name == share::FOLDER);
    let beside = if is_share { out.parent().unwrap_or(out) } else { out };
    let others = STAGES.map(|stage| beside.with_file_name(stage));
    let written = others.into_iter().filter(|folder| store::is_written_to(folder));
    let shares = store::written_folders(&beside.with_file_name(share::FOLDER));
    let views = store::written_folders(&beside.with_file_name(VIEWS));
    written.chain(shares).chain(views).chain([out.to_path_buf()]).collect()
}

fn stage_of(share: Option<Share>) -> &'static str {
    if share.is_some() { SHARE_STAGE } else { STAGE }
}

/// The inputs of the records besides the tree: the settings, and the tree's own section schema if it has one.
fn settings_value(
    settings: &ChunkSettings,
    own_sections: Option<&SectionSchema>,
    notes: &NoteSources,
) -> serde_json::Value {
    let mut value = serde_json::to_value(settings).expect("settings are JSON");
    if let Some(schema) = own_sections {
        value["sectionSchema"] = schema.hash.as_str().into();
    }
    if let Some(digest) = notes.digest() {
        value["noteSources"] = digest.as_str().into();
    }
    if notes.is_restricted() {
        value[RESTRICTED] = true.into();
    }
    value
}

/// The tree's own section schema. An unusable schema is reported as a problem and does not stop the run.
fn own_sections(stage: &ChunkStage, walk: &mut Walk) -> Option<SectionSchema> {
    let (path, reason) = match spec_source::own_schema(&stage.source, &walk.files, stage.settings.allow_secrets) {
        Ok(schema) => return schema,
        Err(PipelineError::Schema { path, fault }) => (path, fault.to_string()),
        Err(PipelineError::SchemaUnreadable { path, reason }) => (path, reason),
        Err(_) => return None,
    };
    let message = format!("this section schema cannot be used, and the built-in one is: {reason}");
    walk.problems.push(Problem::new(&path, ProblemCode::Spec, message));
    None
}

/// Shared inputs for all shards of a run.
pub(super) struct Run<'r> {
    pub stage: &'r ChunkStage,
    /// As recorded in the manifest.
    pub settings: &'r serde_json::Value,
    pub sections: Arc<SectionSchema>,
    pub languages: &'r Languages,
    pub notes: &'r NoteSources,
    pub recorder: &'r Recorder,
    pub walk: &'r Walk,
    pub watch: &'r (dyn Fn(Progress) + Sync),
}

impl Run<'_> {
    fn shards(&self, plan: &Plan, previous: Option<&PreviousIndex>) -> Result<(Parts, Tally), PipelineError> {
        let (mut parts, mut tally) = (Parts::default(), Tally::default());
        let mut taken = BTreeSet::new();
        for number in plan.own.clone() {
            let range = &plan.shards[number];
            let problems = self.walk_problems(range, number + 1 == plan.shards.len());
            let shard = Shard { run: self, number: number as u32, entries: &self.walk.files[range.clone()], problems };
            shard.record(previous, &mut taken, &mut parts, &mut tally)?;
        }
        Ok((parts, tally))
    }

    /// The previous index, if it was made with the same rules and settings; or the reason why it cannot be read.
    fn previous(&self, stage: &str) -> (Option<PreviousIndex<'_>>, Option<String>) {
        let has_same_rules = |index: &&Index| {
            let manifest = index.manifest();
            manifest.stage == stage
                && manifest.ruleset_version == chunk::RULESET_VERSION
                && share::unmarked(manifest) == *self.settings
        };
        match self.recorder.old().filter(has_same_rules).map(PreviousIndex::load) {
            None => (None, None),
            Some(Ok(previous)) => (Some(previous), None),
            Some(Err(fault)) => (None, Some(fault.to_string())),
        }
    }

    /// The walk's problems for paths from this shard's first file up to the next shard's first file.
    fn walk_problems(&self, range: &Range<usize>, last: bool) -> Vec<Problem> {
        let from = (range.start > 0).then(|| &self.walk.files[range.start].path);
        let to = (!last).then(|| &self.walk.files[range.end].path);
        let is_in_shard = |problem: &&Problem| {
            from.is_none_or(|from| problem.file_rel_path >= *from) && to.is_none_or(|to| problem.file_rel_path < *to)
        };
        self.walk.problems.iter().filter(is_in_shard).cloned().collect()
    }

    pub fn analysis_context<'c>(&'c self, counters: &'c Counters) -> AnalysisContext<'c> {
        let settings = &self.stage.settings;
        let config = Config {
            max_chunk_bytes: settings.max_chunk_bytes,
            uid_mask: settings.uid_mask,
            sections: Arc::clone(&self.sections),
            blocks: self.notes.blocks().cloned(),
        };
        let (languages, notes) = (self.languages, self.notes);
        AnalysisContext { allow_secrets: settings.allow_secrets, languages, notes, config, counters }
    }
}
