//! Stores the answers of a door to many requests as one artifact. The output of an earlier run is the cache: an answer
//! that is already there is not made again.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh64::xxh64;

use super::{PackSource, RESTRICTED};
use crate::assemble::ReadError;
use crate::record::{Artifact, ArtifactType, Lines, Problem, ProblemCode, write_line};
use crate::source::shards::plan_by;
use crate::store::{ArtifactEntry, Batch, Disk, Draft, Index, Input, Manifest, Part, Recorder, StoreError, WhenLocked};
use crate::text::RepoPath;

/// The target size of a shard.
const SHARD_BYTES: u64 = 24 << 20;

/// A record that answers a request and is stored by an id that the request and its inputs give.
pub trait Answer: Artifact {
    const STAGE: &'static str;
    const RULESET_VERSION: u32;
    /// Whether answers are kept only as long as the index does not change.
    const IS_OF_ONE_INDEX: bool;
    /// The field with the id.
    type IdRow: DeserializeOwned;

    fn id(row: Self::IdRow) -> String;
}

/// An answer, or why the request is invalid.
pub type Outcome = Result<Answered, String>;

/// The result of a run that stores answers.
#[derive(Debug)]
pub struct StoredAnswers {
    pub manifest: Manifest,
    /// How many are stored now.
    pub answers: u64,
    /// Answers that an earlier run made.
    pub cached: u64,
    /// One for each invalid request, with its line.
    pub problems: Vec<Problem>,
}

/// Serialized answers, by id.
pub type AnswerLines = BTreeMap<String, Vec<u8>>;

/// The answer to one request.
pub struct Answered {
    pub id: String,
    pub line: Vec<u8>,
    pub was_cached: bool,
}

/// Parsed requests with their line numbers, or the reason why a line is not a valid request.
pub struct Requests<Q> {
    /// The name of the file that they come from, for problems.
    pub name: RepoPath,
    pub all: Vec<(u32, Result<Q, String>)>,
}

impl<Q> Requests<Q> {
    /// Parses a file with one request per line. Blank lines are skipped.
    pub fn parse(file: &Path, text: &str, parse: impl Fn(&str) -> Result<Q, String>) -> Self {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.and_then(|name| RepoPath::try_from(name).ok()).unwrap_or_else(|| file_name("requests"));
        let lines = text.trim_start_matches('\u{feff}').lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        Requests { name, all: lines.map(|(line, number)| (number, parse(line))).collect() }
    }

    /// A request that no file contains.
    pub fn one(request: Q) -> Self {
        Requests { name: file_name("request"), all: vec![(1, Ok(request))] }
    }
}

fn file_name(name: &str) -> RepoPath {
    RepoPath::try_from(name.to_string()).expect("it is a name")
}

/// The answers of one kind in a directory, while it is locked for writing.
pub struct AnswerStore {
    pub recorder: Recorder,
    made_from: MadeFrom,
    /// What an earlier run with the same rules wrote.
    pub old: AnswerLines,
}

/// What answers were made from, as their manifest says it.
#[derive(Debug, Default)]
pub struct MadeFrom {
    pub source_date: String,
    pub inputs: Vec<Input>,
    pub is_restricted: bool,
}

impl MadeFrom {
    pub fn index(source: &PackSource) -> Self {
        MadeFrom {
            source_date: source.source_date().to_string(),
            inputs: source.inputs(),
            is_restricted: source.is_restricted(),
        }
    }
}

impl AnswerStore {
    pub fn open<A: Answer>(
        folder: &Path,
        made_from: MadeFrom,
        disk: Disk,
        when_locked: WhenLocked<'_>,
    ) -> Result<Self, StoreError> {
        let recorder = Recorder::open(folder, disk.private_if(made_from.is_restricted), when_locked)?;
        let is_current = |old: &&Index| {
            let Manifest { stage, ruleset_version, inputs, .. } = old.manifest();
            let is_same_index = !A::IS_OF_ONE_INDEX || *inputs == made_from.inputs;
            stage == A::STAGE && *ruleset_version == A::RULESET_VERSION && is_same_index
        };
        let mut old = AnswerLines::new();
        if let Some(index) = recorder.old().filter(is_current) {
            index.for_each_row::<A, A::IdRow>(|row, line| drop(old.insert(A::id(row), [line, b"\n"].concat())))?;
        }
        Ok(AnswerStore { recorder, made_from, old })
    }

    /// Builds an answer, or takes it from the earlier run.
    pub fn answer<A: Answer>(
        &self,
        id: String,
        build: impl FnOnce() -> Result<A, ReadError>,
    ) -> Result<Answered, ReadError> {
        match self.old.get(&id) {
            Some(line) => Ok(Answered { id, line: line.clone(), was_cached: true }),
            None => Ok(Answered { id, line: line(&build()?), was_cached: false }),
        }
    }

    /// Writes the answers to some requests, and problems for those that are invalid. With `keep`, answers of earlier runs
    /// stay.
    pub fn write<A: Answer>(
        mut self,
        keep: bool,
        requests: &Requests<impl Sized>,
        outcomes: Vec<Outcome>,
    ) -> Result<StoredAnswers, StoreError> {
        let mut answers = if keep { std::mem::take(&mut self.old) } else { AnswerLines::new() };
        let (mut problems, mut cached) = (Vec::new(), 0);
        for ((line, _), outcome) in requests.all.iter().zip(outcomes) {
            match outcome {
                Ok(answered) => {
                    cached += u64::from(answered.was_cached);
                    answers.insert(answered.id, answered.line);
                }
                Err(fault) => problems.push(Problem {
                    lines: Some(Lines { start: *line, end: *line }),
                    ..Problem::new(&requests.name, ProblemCode::BadRequest, fault)
                }),
            }
        }
        problems.sort_by(|a, b| a.key().cmp(&b.key()));
        let manifest = self.commit_with_problems::<A>(&answers, &problems)?;
        Ok(StoredAnswers { manifest, answers: answers.len() as u64, cached, problems })
    }

    pub fn commit_with_problems<A: Answer>(
        self,
        answers: &AnswerLines,
        problems: &[Problem],
    ) -> Result<Manifest, StoreError> {
        let piece = Batch::of(problems).map(|batch| self.recorder.write_piece(Problem::NAME, 0, &batch)).transpose()?;
        self.commit::<A>(answers, vec![ArtifactEntry::of::<Problem>(piece.into_iter().collect())])
    }

    /// Writes the answers in as many shards as they need, sorted by id, and ends the run.
    pub fn commit<A: Answer>(self, answers: &AnswerLines, others: Vec<ArtifactEntry>) -> Result<Manifest, StoreError> {
        let mut artifacts = vec![ArtifactEntry::of::<A>(self.write_shards::<A>(answers)?)];
        let MadeFrom { source_date, inputs, is_restricted } = self.made_from;
        let mut settings = serde_json::json!({ "maxShardBytes": SHARD_BYTES });
        if is_restricted {
            settings[RESTRICTED] = true.into();
        }
        artifacts.extend(others);
        self.recorder.commit(Draft {
            stage: A::STAGE.to_string(),
            ruleset_version: A::RULESET_VERSION,
            source_date,
            settings,
            inputs,
            artifacts,
            accelerators: Vec::new(),
        })
    }

    fn write_shards<A: Artifact>(&self, answers: &AnswerLines) -> Result<Vec<Part>, StoreError> {
        let answers: Vec<(&String, &Vec<u8>)> = answers.iter().collect();
        let sizes: Vec<u64> = answers.iter().map(|(_, line)| line.len() as u64).collect();
        let shards = plan_by(&sizes, SHARD_BYTES, |at| xxh64(answers[at].0.as_bytes(), 0));
        let artifact = ArtifactType::named(A::NAME).expect("every record type is in the table");
        let write = |(number, shard): (usize, &Range<usize>)| {
            let lines: Vec<&[u8]> = answers[shard.clone()].iter().map(|(_, line)| line.as_slice()).collect();
            let batch = Batch::of_lines(artifact, lines.concat()).expect("the lines were written by this program");
            batch.map(|batch| self.recorder.write_piece(A::NAME, number as u32, &batch)).transpose()
        };
        let parts: Vec<Option<Part>> = shards.par_iter().enumerate().map(write).collect::<Result<_, StoreError>>()?;
        Ok(parts.into_iter().flatten().collect())
    }
}

/// An answer as it is stored.
pub fn line<A: Artifact>(answer: &A) -> Vec<u8> {
    let mut line = Vec::new();
    write_line(answer, &mut line);
    line
}
