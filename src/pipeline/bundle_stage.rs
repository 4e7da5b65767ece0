//! Writes many bundles to `context_bundles`. A bundle's id covers all its inputs, so a bundle is built again only if one
//! of them changed.

use std::path::Path;

use rayon::prelude::*;

use super::SpecSource;
use super::batch_stage::{Answer, AnswerLines, AnswerStore, Answered, MadeFrom};
use crate::assemble::ReadError;
use crate::door::spec::{self, bundle, bundle_id};
use crate::record::bundle::{BundleRequest, ContextBundle};
use crate::record::codec::projection;
use crate::store::{Disk, Manifest, StoreError, WhenLocked};

projection! {
    pub struct BundleIdRow of ContextBundle {
        #[serde(rename = "bundle_id")]
        bundle_id: String,
    }
}

impl Answer for ContextBundle {
    const STAGE: &'static str = "spec";
    const RULESET_VERSION: u32 = spec::RULESET_VERSION;
    const IS_OF_ONE_INDEX: bool = false;
    type IdRow = BundleIdRow;

    fn id(row: BundleIdRow) -> String {
        row.bundle_id
    }
}

#[derive(Debug)]
pub struct BundleSummary {
    pub manifest: Manifest,
    /// How many were written; duplicates are written once.
    pub written: u64,
    /// Bundles copied from an earlier run.
    pub cached: u64,
    /// In the order of the requests.
    pub bundles: Vec<ContextBundle>,
}

/// Writes the bundles of some requests to a directory.
pub fn run_bundles(
    source: &SpecSource,
    requests: &[BundleRequest],
    out: &Path,
    when_locked: WhenLocked<'_>,
) -> Result<BundleSummary, StoreError> {
    let store = AnswerStore::open::<ContextBundle>(out, MadeFrom::index(source.packs()), Disk::real(), when_locked)?;
    let answers = source.with(|library| {
        let answer = |request| store.answer(bundle_id(library, request), || bundle(library, request));
        requests.par_iter().map(answer).collect::<Result<Vec<Answered>, ReadError>>()
    })?;
    let parse = |answer: &Answered| serde_json::from_slice(&answer.line).expect("it was written as a bundle");
    let bundles = answers.iter().map(parse).collect();
    let lines: AnswerLines = answers.into_iter().map(|answer| (answer.id, answer.line)).collect();
    let cached = lines.keys().filter(|id| store.old.contains_key(*id)).count() as u64;
    let manifest = store.commit::<ContextBundle>(&lines, Vec::new())?;
    Ok(BundleSummary { manifest, written: lines.len() as u64, cached, bundles })
}
