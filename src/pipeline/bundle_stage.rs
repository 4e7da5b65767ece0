//! Writes many bundles to `context_bundles`. The output of an earlier run is the cache: a bundle's id covers all its
//! inputs, so a bundle with the same id is not built again.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;

use super::SpecSource;
use super::pack_stage::write_shards;
use crate::assemble::ReadError;
use crate::door::spec::{Library, RULESET_VERSION, bundle, bundle_id};
use crate::record::bundle::{BundleRequest, ContextBundle};
use crate::record::write_line;
use crate::store::{ArtifactEntry, Disk, Draft, Index, Manifest, Recorder, StoreError, WhenLocked};

const STAGE: &str = "spec";

/// The target size of a shard.
const SHARD_BYTES: u64 = 24 << 20;

#[derive(Debug)]
pub struct BundleSummary {
    pub manifest: Manifest,
    pub bundles: u64,
    /// Bundles copied from an earlier run.
    pub cached: u64,
    /// In the order of the requests.
    pub notes: Vec<BundleNotes>,
}

/// Warnings for the reader of a bundle.
#[derive(Clone, Debug)]
pub struct BundleNotes {
    pub warnings: Vec<String>,
    /// Whether any of its seeds is the id of a document.
    pub is_of_known: bool,
}

impl BundleNotes {
    pub fn new(bundle: &ContextBundle) -> Self {
        BundleNotes { warnings: bundle.warnings.clone(), is_of_known: bundle.is_of_known() }
    }
}

/// Writes the bundles of some requests to a directory; duplicates are written once.
pub fn run_bundles(
    source: &SpecSource,
    requests: &[BundleRequest],
    out: &Path,
    when_locked: WhenLocked<'_>,
) -> Result<BundleSummary, StoreError> {
    let recorder = Recorder::open(out, Disk::real(), when_locked)?;
    let old = old_bundles(&recorder)?;
    let all = source.with(|library| {
        let bundles = requests.par_iter().map(|request| build_or_reuse(library, request, &old));
        bundles.collect::<Result<Vec<(String, StoredBundle)>, ReadError>>()
    })?;
    let notes = all.iter().map(|(_, bundle)| bundle.notes.clone()).collect();
    let bundles: BTreeMap<String, StoredBundle> = all.into_iter().collect();
    let cached = bundles.keys().filter(|id| old.contains_key(*id)).count() as u64;
    let lines = bundles.iter().map(|(id, bundle)| (id.as_str(), bundle.line.as_slice())).collect();
    let draft = Draft {
        stage: STAGE.to_string(),
        ruleset_version: RULESET_VERSION,
        source_date: source.source_date().to_string(),
        settings: serde_json::json!({ "maxShardBytes": SHARD_BYTES }),
        inputs: source.inputs(),
        artifacts: vec![ArtifactEntry::of::<ContextBundle>(write_shards::<ContextBundle>(
            &recorder,
            &lines,
            SHARD_BYTES,
        )?)],
        accelerators: Vec::new(),
    };
    let manifest = recorder.commit(draft)?;
    Ok(BundleSummary { manifest, bundles: bundles.len() as u64, cached, notes })
}

/// A serialized bundle and its notes.
#[derive(Clone)]
struct StoredBundle {
    line: Vec<u8>,
    notes: BundleNotes,
}

impl StoredBundle {
    fn new(bundle: &ContextBundle) -> Self {
        let mut line = Vec::new();
        write_line(bundle, &mut line);
        StoredBundle { line, notes: BundleNotes::new(bundle) }
    }
}

/// Builds a bundle, or takes it from an earlier run, and returns it with its id.
fn build_or_reuse(
    library: &Library,
    request: &BundleRequest,
    old: &BTreeMap<String, StoredBundle>,
) -> Result<(String, StoredBundle), ReadError> {
    let id = bundle_id(library, request);
    let stored = match old.get(&id) {
        Some(stored) => stored.clone(),
        None => StoredBundle::new(&bundle(library, request)?),
    };
    Ok((id, stored))
}

/// The bundles that an earlier run with the same rules wrote, by id.
fn old_bundles(recorder: &Recorder) -> Result<BTreeMap<String, StoredBundle>, StoreError> {
    let is_same = |old: &&Index| old.manifest().stage == STAGE && old.manifest().ruleset_version == RULESET_VERSION;
    let Some(old) = recorder.old().filter(is_same) else { return Ok(BTreeMap::new()) };
    let mut bundles = BTreeMap::new();
    for record in old.records::<ContextBundle>()? {
        let record = record?;
        let stored = StoredBundle::new(&record);
        bundles.insert(record.bundle_id, stored);
    }
    Ok(bundles)
}
