//! Writes many briefs to `context_briefs`. A brief's id covers all its inputs, so a brief is made again only if one of
//! them changed.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::PipelineError;
use super::batch_stage::{Answer, AnswerStore, MadeFrom, Outcome, Requests, StoredAnswers};
use super::brief_source::BriefSource;
use crate::assemble::ReadError;
use crate::assemble::notes::NoteIndex;
use crate::door::brief::{self, BriefQuery, Lenses, brief, brief_id, check_since};
use crate::record::brief::{BriefId, BriefRequest, ContextBrief};
use crate::record::codec::projection;
use crate::store::{Disk, WhenLocked};

projection! {
    pub struct BriefIdRow of ContextBrief {
        brief_id: BriefId,
    }
}

impl Answer for ContextBrief {
    const STAGE: &'static str = "brief";
    const RULESET_VERSION: u32 = brief::RULESET_VERSION;
    /// Later briefs are compared with earlier ones.
    const IS_OF_ONE_INDEX: bool = false;
    type IdRow = BriefIdRow;

    fn id(row: BriefIdRow) -> String {
        row.brief_id.to_string()
    }
}

/// One run of the stage.
pub struct BriefStage {
    /// The directory that receives the briefs.
    pub out: PathBuf,
    /// Keep the briefs of earlier runs that are not requested now.
    pub keep: bool,
    pub jobs: usize,
}

impl Requests<BriefRequest> {
    /// Parses, completes and checks one request per line.
    pub fn of_briefs(file: &Path, text: &str, lenses: &Lenses) -> Self {
        Requests::parse(file, text, |line| {
            let request = BriefQuery::parse(line)?.resolve(lenses).map_err(|fault| fault.to_string())?;
            request.check().map_err(|fault| format!("{}: {fault}", fault.code()))?;
            Ok(request)
        })
    }
}

/// Stores the briefs of some requests. `earlier` is the brief that requests are compared with which name it and which is
/// not among the stored ones.
pub fn run_briefs(
    stage: &BriefStage,
    source: &BriefSource,
    requests: &Requests<BriefRequest>,
    earlier: Option<ContextBrief>,
    disk: Disk,
    when_locked: WhenLocked<'_>,
    watch: &(dyn Fn(u64) + Sync),
) -> Result<StoredAnswers, PipelineError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(stage.jobs).build();
    let threads = threads.map_err(|_| PipelineError::Threads(stage.jobs))?;
    let store = AnswerStore::open::<ContextBrief>(&stage.out, MadeFrom::index(source.packs()), disk, when_locked)?;
    threads.install(|| {
        let outcomes = source.with(|index| {
            let make = |(_, request): &(u32, Result<BriefRequest, String>)| {
                let outcome = match request {
                    Ok(request) => answer(index, &store, earlier.as_ref(), request)?,
                    Err(fault) => Err(fault.clone()),
                };
                watch(1);
                Ok(outcome)
            };
            requests.all.par_iter().map(make).collect::<Result<Vec<_>, ReadError>>()
        })?;
        Ok(store.write::<ContextBrief>(stage.keep, requests, outcomes)?)
    })
}

/// A brief, or why the request is invalid.
fn answer(
    index: &NoteIndex,
    store: &AnswerStore,
    given: Option<&ContextBrief>,
    request: &BriefRequest,
) -> Result<Outcome, ReadError> {
    let stored = |id: &BriefId| {
        let line = store.old.get(id.as_str())?;
        Some(Cow::Owned(serde_json::from_slice(line).expect("it was written as a brief")))
    };
    let is_given = |id: &BriefId| given.filter(|given| given.brief_id == *id).map(Cow::Borrowed);
    let earlier: Option<Cow<ContextBrief>> = request.since.as_ref().and_then(|id| is_given(id).or_else(|| stored(id)));
    if let (Some(id), None) = (&request.since, &earlier) {
        return Ok(Err(format!("there is no brief `{id}`")));
    }
    if let Err(fault) = check_since(request, earlier.as_deref()) {
        return Ok(Err(format!("{}: {fault}", fault.code())));
    }
    let id = brief_id(index.view.facts().signature, request);
    let make = || Ok(brief(index, request, earlier.as_deref())?.record);
    store.answer(id.to_string(), make).map(Ok)
}
