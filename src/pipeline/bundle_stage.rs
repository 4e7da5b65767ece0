//! Many bundles into `context_bundles`. What an earlier run wrote is the cache: a bundle's id covers all that it is
//! made of, so one that is there is not made again.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;

use super::SpecSource;
use super::pack_stage::write_shards;
use crate::record::bundle::{BundleRequest, ContextBundle};
use crate::record::write_line;
use crate::spec::{RULESET_VERSION, bundle, bundle_id};
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
}

/// Writes the bundles of some requests to a folder, each once.
pub fn run_bundles(
    source: &SpecSource,
    source_date: String,
    requests: &[BundleRequest],
    out: &Path,
    when_locked: WhenLocked<'_>,
) -> Result<BundleSummary, StoreError> {
    let recorder = Recorder::open(out, Disk::real(), when_locked)?;
    let old = old_bundles(&recorder)?;
    let made: BTreeMap<String, (Vec<u8>, bool)> =
        requests.par_iter().map(|request| made(source, request, &old)).collect();
    let cached = made.values().filter(|(_, was_there)| *was_there).count() as u64;
    let lines = made.iter().map(|(id, (line, _))| (id.as_str(), line.as_slice())).collect();
    let draft = Draft {
        stage: STAGE.to_string(),
        ruleset_version: RULESET_VERSION,
        source_date,
        settings: serde_json::json!({ "maxShardBytes": SHARD_BYTES }),
        inputs: Vec::new(),
        artifacts: vec![ArtifactEntry::of::<ContextBundle>(write_shards::<ContextBundle>(
            &recorder,
            &lines,
            SHARD_BYTES,
        )?)],
        accelerators: Vec::new(),
    };
    let manifest = recorder.commit(draft)?;
    Ok(BundleSummary { manifest, bundles: made.len() as u64, cached })
}

/// A bundle's id, its line, and whether it was there.
fn made(source: &SpecSource, request: &BundleRequest, old: &BTreeMap<String, Vec<u8>>) -> (String, (Vec<u8>, bool)) {
    let id = bundle_id(&source.catalog, &source.schema, request);
    if let Some(line) = old.get(&id) {
        return (id, (line.clone(), true));
    }
    let mut line = Vec::new();
    write_line(&bundle(&source.catalog, &source.schema, request), &mut line);
    (id, (line, false))
}

/// Lines that this program's rules made, by their ids.
fn old_bundles(recorder: &Recorder) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
    let same = |old: &&Index| old.manifest().stage == STAGE && old.manifest().ruleset_version == RULESET_VERSION;
    let Some(old) = recorder.old().filter(same) else { return Ok(BTreeMap::new()) };
    let mut bundles = BTreeMap::new();
    for record in old.records::<ContextBundle>()? {
        let record = record?;
        let mut line = Vec::new();
        write_line(&record, &mut line);
        bundles.insert(record.bundle_id, line);
    }
    Ok(bundles)
}
