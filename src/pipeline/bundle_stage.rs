//! Writes many bundles to `context_bundles`. What an earlier run wrote is the cache: a bundle's id covers everything it
//! is made from, so a bundle that is there is not made again.

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

/// Bundles beyond these go to another shard.
const SHARD_BYTES: u64 = 24 << 20;

#[derive(Debug)]
pub struct BundleSummary {
    pub manifest: Manifest,
    pub bundles: u64,
    /// Taken over from an earlier run.
    pub cached: u64,
    /// In the order of the requests.
    pub notes: Vec<BundleNotes>,
}

/// What a reader of a bundle should know.
#[derive(Clone, Debug)]
pub struct BundleNotes {
    pub warnings: Vec<String>,
    /// Whether any of its seeds is a document's id.
    pub is_of_known: bool,
}

impl BundleNotes {
    pub fn new(bundle: &ContextBundle) -> Self {
        BundleNotes { warnings: bundle.warnings.clone(), is_of_known: bundle.is_of_known() }
    }
}

/// Writes the bundles of some requests to a folder, each once.
pub fn run_bundles(
    source: &SpecSource,
    requests: &[BundleRequest],
    out: &Path,
    when_locked: WhenLocked<'_>,
) -> Result<BundleSummary, StoreError> {
    let recorder = Recorder::open(out, Disk::real(), when_locked)?;
    let old = old_bundles(&recorder)?;
    let all = source.with(|library| {
        let bundles = requests.par_iter().map(|request| written(library, request, &old));
        bundles.collect::<Result<Vec<(String, Written)>, ReadError>>()
    })?;
    let notes = all.iter().map(|(_, bundle)| bundle.notes.clone()).collect();
    let bundles: BTreeMap<String, Written> = all.into_iter().collect();
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

/// A bundle as it is written, and its notes.
#[derive(Clone)]
struct Written {
    line: Vec<u8>,
    notes: BundleNotes,
}

impl Written {
    fn new(bundle: &ContextBundle) -> Self {
        let mut line = Vec::new();
        write_line(bundle, &mut line);
        Written { line, notes: BundleNotes::new(bundle) }
    }
}

/// A bundle by its id; one of an earlier run is used again.
fn written(
    library: &Library,
    request: &BundleRequest,
    old: &BTreeMap<String, Written>,
) -> Result<(String, Written), ReadError> {
    let id = bundle_id(library, request);
    let written = match old.get(&id) {
        Some(written) => written.clone(),
        None => Written::new(&bundle(library, request)?),
    };
    Ok((id, written))
}

/// The bundles of an earlier run by the same rules, by their ids.
fn old_bundles(recorder: &Recorder) -> Result<BTreeMap<String, Written>, StoreError> {
    let is_same = |old: &&Index| old.manifest().stage == STAGE && old.manifest().ruleset_version == RULESET_VERSION;
    let Some(old) = recorder.old().filter(is_same) else { return Ok(BTreeMap::new()) };
    let mut bundles = BTreeMap::new();
    for record in old.records::<ContextBundle>()? {
        let record = record?;
        let written = Written::new(&record);
        bundles.insert(record.bundle_id, written);
    }
    Ok(bundles)
}
