//! Writes many payloads to `context_payloads`. Requests of one reader share what they may see, and the same request is
//! answered once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::PipelineError;
use super::batch_stage::{Answer, AnswerStore, Answered, MadeFrom, Outcome, Requests, StoredAnswers, line};
use super::workspace_source::{Asked, ContextError, Summarize, WorkspaceSource};
use crate::record::codec::projection;
use crate::record::workspace::{ContextPayload, ContextRequest, StoredPayload};
use crate::record::{Audience, Principal, Reader};
use crate::store::{Disk, Index, WhenLocked};

projection! {
    pub struct StoredPayloadRow of StoredPayload {
        payload: ContextPayload,
        request: ContextRequest,
    }
}

impl Answer for StoredPayload {
    const STAGE: &'static str = "workspace";
    const RULESET_VERSION: u32 = 1;
    const IS_OF_ONE_INDEX: bool = true;
    type IdRow = StoredPayloadRow;

    fn id(row: StoredPayloadRow) -> String {
        id(&row.payload, &row.request)
    }
}

/// Whether a directory holds payloads. Each of them says who may read it.
pub fn holds_payloads(stage: &Index) -> bool {
    stage.manifest().stage == StoredPayload::STAGE
}

/// In the order of the records' keys.
fn id(payload: &ContextPayload, request: &ContextRequest) -> String {
    let request = serde_json::to_string(request).expect("a request is JSON");
    format!("{}{request}", payload.payload_id)
}

/// One run of the stage.
pub struct PayloadStage<'s> {
    /// The directory that receives the payloads.
    pub out: PathBuf,
    pub jobs: usize,
    /// Who reads, whatever requests say.
    pub given: Option<Reader>,
    pub summarize: Summarize<'s>,
}

impl Requests<ContextRequest> {
    /// Parses one request per line.
    pub fn of_contexts(file: &Path, text: &str) -> Self {
        Requests::parse(file, text, |line| {
            serde_json::from_str(line).map_err(|error| format!("POC_E_BAD_REQUEST: {error}"))
        })
    }
}

/// Stores the payloads of some requests. What the manifest says does not depend on what the index holds: the payloads
/// may be read by people who may not see all of it.
pub fn run_payloads(
    stage: &PayloadStage,
    source: &WorkspaceSource,
    requests: &Requests<ContextRequest>,
    when_locked: WhenLocked<'_>,
    watch: &(dyn Fn(u64) + Sync),
) -> Result<StoredAnswers, PipelineError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(stage.jobs).build();
    let threads = threads.map_err(|_| PipelineError::Threads(stage.jobs))?;
    let made_from = MadeFrom { source_date: NO_DATE.to_string(), is_restricted: true, ..MadeFrom::default() };
    let store = AnswerStore::open::<StoredPayload>(&stage.out, made_from, Disk::real(), when_locked)?;
    let asked: Vec<Result<Asked, String>> =
        requests.all.iter().map(|(_, request)| asked(stage, source, request)).collect();
    let payloads = threads.install(|| payloads(stage, source, &asked, watch))?;
    let outcomes = asked.into_iter().zip(&payloads).map(|(asked, payload)| outcome(asked, payload.clone()));
    Ok(store.write::<StoredPayload>(false, requests, outcomes.collect())?)
}

const NO_DATE: &str = "1970-01-01T00:00:00Z";

fn asked(
    stage: &PayloadStage,
    source: &WorkspaceSource,
    request: &Result<ContextRequest, String>,
) -> Result<Asked, String> {
    let request = request.clone()?;
    source.ask(request, stage.given.as_ref()).map_err(|error| said(&error))
}

fn said(error: &ContextError) -> String {
    format!("{}: {error}", error.code())
}

/// In the order of the requests.
fn payloads(
    stage: &PayloadStage,
    source: &WorkspaceSource,
    asked: &[Result<Asked, String>],
    watch: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Result<ContextPayload, String>>, PipelineError> {
    let mut payloads: Vec<Result<ContextPayload, String>> =
        asked.iter().map(|asked| Err(asked.as_ref().err().cloned().unwrap_or_default())).collect();
    for OfReader { reader, requests } in by_reader(asked) {
        let made = source.with(&reader, |view| {
            let make = |(request, _): (&String, &Vec<usize>)| {
                let request: ContextRequest = serde_json::from_str(request).expect("it was a request");
                let answered = source.answer(view, &request, stage.summarize);
                watch(1);
                answered.map(|answered| answered.payload).map_err(|error| said(&error))
            };
            requests.par_iter().map(make).collect::<Vec<_>>()
        });
        let made = made.map_err(|error| PipelineError::Forbidden(error.to_string()))?;
        for (same, payload) in requests.values().zip(made) {
            same.iter().for_each(|number| payloads[*number] = payload.clone());
        }
    }
    Ok(payloads)
}

/// The requests of one reader, each once, with the numbers of those that are the same.
struct OfReader {
    reader: Reader,
    requests: BTreeMap<String, Vec<usize>>,
}

fn by_reader(asked: &[Result<Asked, String>]) -> Vec<OfReader> {
    let mut readers: BTreeMap<Vec<Principal>, OfReader> = BTreeMap::new();
    for (number, asked) in asked.iter().enumerate() {
        let Ok(Asked { request, reader }) = asked else { continue };
        let request = serde_json::to_string(request).expect("a request is JSON");
        let new = || OfReader { reader: reader.clone(), requests: BTreeMap::new() };
        let of_reader = readers.entry(principals(reader)).or_insert_with(new);
        of_reader.requests.entry(request).or_default().push(number);
    }
    readers.into_values().collect()
}

/// Of an operator none.
fn principals(reader: &Reader) -> Vec<Principal> {
    match reader {
        Reader::Operator => Vec::new(),
        Reader::As(principals) => principals.iter().cloned().collect(),
    }
}

fn outcome(asked: Result<Asked, String>, payload: Result<ContextPayload, String>) -> Outcome {
    let (Asked { request, reader }, payload) = (asked?, payload?);
    let id = id(&payload, &request);
    let clauses = match reader {
        Reader::Operator => Audience::nobody(),
        Reader::As(principals) => Audience::new(principals.into_iter().map(|one| vec![one]).collect()),
    };
    let answer = StoredPayload { audience: clauses, payload, request };
    Ok(Answered { line: line(&answer), id, was_cached: false })
}
