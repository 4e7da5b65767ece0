//! One shard of the chunk stage: reads its files, analyses or reuses them, and writes their records.

#![expect(clippy::disallowed_methods, reason = "times its phases, for the log alone")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rayon::prelude::*;

use crate::record::{
    Artifact, ArtifactType, Audience, Chunk, ChunkUid, Digest, File, Item, Problem, ProblemCode, References, Symbol,
};
use crate::search::terms::{self, Counters, FileTerms};
use crate::source::{Content, Entry};
use crate::store::{AcceleratorEntry, AcceleratorPart, ArtifactEntry, Batch, Manifest, Part, StoreError};
use crate::text::RepoPath;

use super::PipelineError;
use super::analyse::{AnalysisContext, FileRecords, LINE_ARTIFACTS, analyse, unread};
use super::chunk_stage::{Progress, Run, Summary, Timings};
use super::note_sources::read_file;
use super::previous_index::PreviousIndex;

/// A range of the sorted file list, with the walk's problems for the paths in it.
pub struct Shard<'s> {
    pub run: &'s Run<'s>,
    pub number: u32,
    pub entries: &'s [Entry],
    pub problems: Vec<Problem>,
}

/// What to do with a file after it was read.
enum Step {
    Analyse(Content),
    Unread(Problem),
    Reuse,
}

impl Shard<'_> {
    pub fn record(
        self,
        previous: Option<&PreviousIndex>,
        taken: &mut BTreeSet<ChunkUid>,
        parts: &mut Parts,
        tally: &mut Tally,
    ) -> Result<(), PipelineError> {
        let started = Instant::now();
        let steps = self.read(previous, taken);
        let read = Instant::now();
        let is_reused = |(_, step): &(&Entry, &Step)| matches!(step, Step::Reuse);
        let paths: Vec<_> = self.entries.iter().zip(&steps).filter(is_reused).map(|(entry, _)| &entry.path).collect();
        tally.carried += paths.len() as u64;
        let kept = previous
            .filter(|_| paths.len() == steps.len())
            .and_then(|previous| Some((previous, previous.shard_of(&paths)?)));
        match kept {
            Some((previous, shard)) => self.keep(previous, shard, taken, parts, tally)?,
            None => {
                let counters = Counters::default();
                let records = self.analyse(previous, &paths, steps, taken, &counters)?;
                tally.timings.analyse += read.elapsed();
                self.write(records, counters, parts, tally)?;
            }
        }
        tally.timings.read += read - started;
        Ok(())
    }

    /// Reads every file. Unchanged files are marked for reuse and their content is dropped.
    fn read(&self, previous: Option<&PreviousIndex>, taken: &BTreeSet<ChunkUid>) -> Vec<Step> {
        let stage = self.run.stage;
        let is_unchanged = |path: &RepoPath, digest: &Digest| {
            previous.is_some_and(|previous| previous.is_unchanged(path, digest, taken))
        };
        let read = |entry: &Entry| {
            let content = read_file(&stage.source, entry, &stage.settings);
            match content {
                Err(problem) => Step::Unread(problem),
                Ok(content) if is_unchanged(&entry.path, &content.digest) => {
                    (self.run.watch)(Progress::Done { files: 1, bytes: entry.bytes });
                    Step::Reuse
                }
                Ok(content) => Step::Analyse(content),
            }
        };
        self.entries.par_iter().map(read).collect()
    }

    /// Keeps the pieces of an unchanged shard. Only the problems of the walk may differ.
    fn keep(
        &self,
        previous: &PreviousIndex,
        shard: u32,
        taken: &mut BTreeSet<ChunkUid>,
        parts: &mut Parts,
        tally: &mut Tally,
    ) -> Result<(), PipelineError> {
        let records: Vec<_> = self.entries.iter().filter_map(|entry| previous.file(&entry.path)).collect();
        taken.extend(records.iter().flat_map(|records| &records.file.chunks));
        for artifact in LINE_ARTIFACTS {
            let keep = |part| self.run.recorder.keep_piece(part, self.number);
            parts.add(artifact, previous.part(artifact, shard).map(keep).transpose()?);
        }
        let keep_terms = |part| self.run.recorder.keep_accelerator(part, self.number);
        parts.terms.extend(previous.terms(shard).map(keep_terms).transpose()?);
        self.write_files_and_problems(&records, parts, tally)
    }

    /// The records of every file of the shard, in path order.
    fn analyse(
        &self,
        previous: Option<&PreviousIndex>,
        reused: &[&RepoPath],
        steps: Vec<Step>,
        taken: &mut BTreeSet<ChunkUid>,
        counters: &Counters,
    ) -> Result<Vec<FileRecords>, PipelineError> {
        let mut reused = previous.map(|previous| previous.reuse(reused, counters)).transpose()?.unwrap_or_default();
        let context = self.run.analysis_context(counters);
        let analyse = |(entry, step): (&Entry, Step)| match step {
            Step::Reuse => None,
            Step::Unread(problem) => Some(unread(entry, problem)),
            Step::Analyse(content) => {
                let records = analyse(&context, entry, content, &BTreeSet::new());
                (self.run.watch)(Progress::Done { files: 1, bytes: entry.bytes });
                Some(records)
            }
        };
        let analysed: Vec<_> = self.entries.par_iter().zip(steps).map(analyse).collect();
        let records = self.entries.iter().zip(analysed).filter_map(|(entry, records)| {
            let records = records.or_else(|| reused.take(&entry.path))?;
            let records = self.with_own_uids(&context, entry, records, taken);
            taken.extend(&records.file.chunks);
            Some(records)
        });
        Ok(records.collect())
    }

    /// Analyses a file again if an earlier file already uses one of its uids.
    fn with_own_uids(
        &self,
        context: &AnalysisContext,
        entry: &Entry,
        records: FileRecords,
        taken: &BTreeSet<ChunkUid>,
    ) -> FileRecords {
        let collides = records.file.chunks.iter().any(|uid| taken.contains(uid));
        let stage = self.run.stage;
        match collides.then(|| read_file(&stage.source, entry, &stage.settings)) {
            Some(Ok(content)) => analyse(context, entry, content, taken),
            Some(Err(problem)) => unread(entry, problem),
            None => records,
        }
    }

    fn write(
        &self,
        mut records: Vec<FileRecords>,
        counters: Counters,
        parts: &mut Parts,
        tally: &mut Tally,
    ) -> Result<(), PipelineError> {
        let started = Instant::now();
        if !records.is_empty() {
            let files: Vec<(&File, &FileTerms)> =
                records.iter().map(|records| (&records.file, &records.terms)).collect();
            let terms = terms::build(&files, counters);
            parts.terms.push(self.run.recorder.write_accelerator(terms::NAME, self.number, &terms)?);
            records.iter_mut().for_each(|records| records.terms = FileTerms::default());
        }
        let buffers = |at: usize| records.iter_mut().map(|records| std::mem::take(&mut records.lines[at])).collect();
        let buffers: [Vec<Vec<u8>>; LINE_ARTIFACTS.len()] = std::array::from_fn(buffers);
        let lines: Vec<_> = LINE_ARTIFACTS.into_iter().zip(buffers).collect();
        let written: Vec<_> =
            lines.into_par_iter().map(|(name, buffers)| (name, self.write_lines(name, join(buffers)))).collect();
        for (name, part) in written {
            parts.add(name, part?);
        }
        self.write_files_and_problems(&records, parts, tally)?;
        tally.timings.write += started.elapsed();
        Ok(())
    }

    fn write_lines(&self, name: &str, lines: Vec<u8>) -> Result<Option<Part>, StoreError> {
        let artifact = ArtifactType::named(name).expect("every record type is in the table");
        let batch = Batch::of_lines(artifact, lines).expect("the lines were written by this program");
        self.write_batch(name, batch)
    }

    fn write_batch(&self, name: &str, batch: Option<Batch>) -> Result<Option<Part>, StoreError> {
        batch.map(|batch| self.run.recorder.write_piece(name, self.number, &batch)).transpose()
    }

    fn write_files_and_problems(
        &self,
        records: &[FileRecords],
        parts: &mut Parts,
        tally: &mut Tally,
    ) -> Result<(), PipelineError> {
        let files: Vec<File> = records.iter().map(|records| self.file(records)).collect();
        let own = records.iter().flat_map(|records| &records.problems);
        let mut problems: Vec<Problem> = self.problems.iter().chain(own).cloned().collect();
        if self.run.notes.is_restricted() {
            // They name files and blocks, whoever may read these.
            problems.iter_mut().for_each(|problem| problem.audience = Audience::nobody());
        }
        problems.sort_by(|a, b| a.key().cmp(&b.key()));
        problems.dedup();
        parts.add(File::NAME, self.write_batch(File::NAME, Batch::of(&files))?);
        parts.add(Problem::NAME, self.write_batch(Problem::NAME, Batch::of(&problems))?);
        tally.add(&files, &problems);
        Ok(())
    }
}

impl Shard<'_> {
    /// The path of a file may be a title, and its size tells of all that is in it.
    fn file(&self, records: &FileRecords) -> File {
        let is_restricted = self.run.notes.is_restricted();
        let audience = if is_restricted { Audience::nobody() } else { Audience::default() };
        File { audience, ..records.file.clone() }
    }
}

/// Joins one buffer per file into one. Each is freed as soon as it is copied; a file that is alone is not copied.
fn join(buffers: Vec<Vec<u8>>) -> Vec<u8> {
    let size: usize = buffers.iter().map(Vec::len).sum();
    let mut buffers = buffers.into_iter();
    let mut lines = buffers.next().unwrap_or_default();
    lines.reserve_exact(size - lines.len());
    buffers.for_each(|buffer| lines.extend_from_slice(&buffer));
    lines
}

/// Counts that are summed up shard by shard.
#[derive(Default)]
pub struct Tally {
    pub files: u64,
    pub bytes: u64,
    pub carried: u64,
    pub chunks: u64,
    pub symbols: u64,
    pub references: u64,
    pub problems: BTreeMap<ProblemCode, u64>,
    pub timings: Timings,
}

/// The parts of each artifact that were written so far.
#[derive(Default)]
pub struct Parts {
    artifacts: BTreeMap<&'static str, Vec<Part>>,
    pub terms: Vec<AcceleratorPart>,
}

impl Parts {
    fn add(&mut self, artifact: &'static str, part: Option<Part>) {
        self.artifacts.entry(artifact).or_default().extend(part);
    }

    pub fn accelerators(&mut self) -> Vec<AcceleratorEntry> {
        let parts = std::mem::take(&mut self.terms);
        vec![AcceleratorEntry { name: terms::NAME.to_string(), version: terms::VERSION, parts }]
    }

    pub fn entries(mut self) -> Vec<ArtifactEntry> {
        vec![
            self.entry::<File>(),
            self.entry::<Chunk>(),
            self.entry::<Symbol>(),
            self.entry::<References>(),
            self.entry::<Item>(),
            self.entry::<Problem>(),
        ]
    }

    fn entry<A: Artifact>(&mut self) -> ArtifactEntry {
        ArtifactEntry::of::<A>(self.artifacts.remove(A::NAME).unwrap_or_default())
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

    pub fn finish(self, manifest: Manifest, ignored: u64, old_fault: Option<String>) -> Summary {
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
            is_closed: false,
            timings: self.timings,
        }
    }
}
