//! The pack stage: turns many requests into sharded `context_packs`.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::batch_stage::{Answer, AnswerStore, MadeFrom, Outcome, Requests, StoredAnswers, line};
use super::{Access, PackSource, PipelineError};
use crate::assemble::{IndexView, ReadError, scope};
use crate::door::pack::{self, pack, pack_id};
use crate::record::codec::projection;
use crate::record::pack::{ContextPack, PackId};
use crate::record::request::PackRequest;
use crate::record::{ErrorCode, Problem};
use crate::store::{Disk, Index, Input, Manifest, StoreError, WhenLocked};

projection! {
    pub struct PackIdRow of ContextPack {
        pack_id: PackId,
    }
}

impl Answer for ContextPack {
    const STAGE: &'static str = "pack";
    const RULESET_VERSION: u32 = pack::RULESET_VERSION;
    const IS_OF_ONE_INDEX: bool = true;
    type IdRow = PackIdRow;

    fn id(row: PackIdRow) -> String {
        row.pack_id.to_string()
    }
}

/// One run of the stage.
pub struct PackStage {
    /// The directory that receives `packs/`.
    pub index: PathBuf,
    /// Keep packs that an earlier run made from the same index, even if they are not requested now.
    pub keep: bool,
    pub jobs: usize,
}

#[derive(Debug)]
pub struct PackSummary {
    pub manifest: Manifest,
    pub packs: u64,
    /// Packs copied from an earlier run.
    pub cached: u64,
    /// Invalid requests.
    pub refused: u64,
    /// One for each invalid request, with its line.
    pub problems: Vec<Problem>,
}

impl Requests<PackRequest> {
    /// Parses, completes and checks one request per line.
    pub fn of_packs(file: &Path, text: &str, complete: impl Fn(&mut PackRequest)) -> Self {
        Requests::parse(file, text, |line| parse(line, &complete))
    }
}

/// Parses, completes and checks one request. Reports the first problem.
fn parse(line: &str, complete: impl Fn(&mut PackRequest)) -> Result<PackRequest, String> {
    let mut request = PackRequest::read(line).map_err(|reason| format!("{}: {reason}", ErrorCode::BadRequest))?;
    complete(&mut request);
    request.check().map_err(|fault| format!("{}: {fault}", fault.code()))?;
    Ok(request)
}

pub fn run_packs(
    stage: &PackStage,
    source: &PackSource,
    requests: &Requests<PackRequest>,
    disk: Disk,
    when_locked: WhenLocked<'_>,
    watch: &(dyn Fn(u64) + Sync),
) -> Result<PackSummary, PipelineError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(stage.jobs).build();
    let threads = threads.map_err(|_| PipelineError::Threads(stage.jobs))?;
    let store =
        AnswerStore::open::<ContextPack>(&stage.index.join("packs"), MadeFrom::index(source), disk, when_locked)?;
    threads.install(|| {
        let outcomes = source.with(|view| build_all(view, requests, &store, watch))?;
        let stored = store.write::<ContextPack>(stage.keep, requests, outcomes)?;
        let StoredAnswers { manifest, answers: packs, cached, problems } = stored;
        Ok(PackSummary { manifest, packs, cached, refused: problems.len() as u64, problems })
    })
}

/// Stores a pack of an index beside the existing ones. Every call writes all packs again, so when there are
/// `max_kept` or more, only those that are still wanted are kept.
pub fn keep_pack(
    index: &Path,
    source: &PackSource,
    pack: &ContextPack,
    max_kept: usize,
    is_wanted: impl Fn(&str) -> bool,
    when_locked: WhenLocked<'_>,
) -> Result<(), StoreError> {
    let mut store =
        AnswerStore::open::<ContextPack>(&index.join("packs"), MadeFrom::index(source), Disk::real(), when_locked)?;
    let mut packs = std::mem::take(&mut store.old);
    if packs.contains_key(pack.pack_id.as_str()) {
        return Ok(());
    }
    if packs.len() >= max_kept {
        packs.retain(|id, _| is_wanted(id));
    }
    packs.insert(pack.pack_id.to_string(), line(pack));
    store.commit_with_problems::<ContextPack>(&packs, &[])?;
    Ok(())
}

fn build_all(
    view: &IndexView,
    requests: &Requests<PackRequest>,
    store: &AnswerStore,
    watch: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Outcome>, ReadError> {
    let signature = view.facts().signature;
    let answer = |request: &PackRequest| store.answer(pack_id(signature, request).to_string(), || pack(view, request));
    let checked = |request: &PackRequest| match scope::check(view, request)? {
        Ok(()) => answer(request).map(Ok),
        Err(fault) => Ok(Err(format!("{}: {fault}", fault.code()))),
    };
    let build_one = |(_, request): &(u32, Result<PackRequest, String>)| {
        let outcome = request.as_ref().map_or_else(|fault| Ok(Err(fault.clone())), checked);
        watch(1);
        outcome
    };
    let all: Vec<Result<Outcome, ReadError>> = requests.all.par_iter().map(build_one).collect();
    all.into_iter().collect()
}

projection! {
    struct QueryRow of ContextPack {
        pack_id: PackId,
        request: PackRequest,
    }
}

/// Reads a stored pack by id.
pub fn read_pack(index: &Path, id: &str, access: Access) -> Result<Option<ContextPack>, StoreError> {
    KeptPacks::open(index, access)?.pack(id)
}

/// The stored packs of an index.
pub struct KeptPacks(Index);

impl KeptPacks {
    /// Opens the packs in the directory that contains `packs/`.
    pub fn open(index: &Path, access: Access) -> Result<Self, StoreError> {
        let packs = Index::open(&index.join("packs"))?;
        access.check(&packs)?;
        Ok(KeptPacks(packs))
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
        self.0.for_each_row::<ContextPack, QueryRow>(|row, _| kept.push((row.pack_id, row.request.query)))?;
        Ok(kept)
    }
}
