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
    /// What there is to say of each, in the order of the requests.
    pub told: Vec<Told>,
}

/// What a reader of a bundle should know.
#[derive(Clone, Debug)]
pub struct Told {
    pub warnings: Vec<String>,
    /// Whether any of its seeds is a document's id.
    pub is_of_known: bool,
}

impl Told {
    pub fn of(bundle: &ContextBundle) -> Self {
        Told { warnings: bundle.warnings.clone(), is_of_known: bundle.is_of_known() }
    }
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
    let all: Vec<(String, Made)> = requests.par_iter().map(|request| made(source, request, &old)).collect();
    let told = all.iter().map(|(_, made)| made.told.clone()).collect();
    let made: BTreeMap<String, Made> = all.into_iter().collect();
    let cached = made.keys().filter(|id| old.contains_key(*id)).count() as u64;
    let lines = made.iter().map(|(id, made)| (id.as_str(), made.line.as_slice())).collect();
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
    Ok(BundleSummary { manifest, bundles: made.len() as u64, cached, told })
}

/// A bundle as it is written, and what there is to say of it.
#[derive(Clone)]
struct Made {
    line: Vec<u8>,
    told: Told,
}

impl Made {
    fn of(bundle: &ContextBundle) -> Self {
        let mut line = Vec::new();
        write_line(bundle, &mut line);
        Made { line, told: Told::of(bundle) }
    }
}

/// A bundle by its id; one that is there is taken over.
fn made(source: &SpecSource, request: &BundleRequest, old: &BTreeMap<String, Made>) -> (String, Made) {
    let id = bundle_id(&source.catalog, &source.schema, request);
    let new = || Made::of(&bundle(&source.catalog, &source.schema, request));
    let made = old.get(&id).cloned().unwrap_or_else(new);
    (id, made)
}

/// Those that this program's rules made, by their ids.
fn old_bundles(recorder: &Recorder) -> Result<BTreeMap<String, Made>, StoreError> {
    let same = |old: &&Index| old.manifest().stage == STAGE && old.manifest().ruleset_version == RULESET_VERSION;
    let Some(old) = recorder.old().filter(same) else { return Ok(BTreeMap::new()) };
    let mut bundles = BTreeMap::new();
    for record in old.records::<ContextBundle>()? {
        let record = record?;
        let made = Made::of(&record);
        bundles.insert(record.bundle_id, made);
    }
    Ok(bundles)
}
