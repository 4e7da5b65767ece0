//! From bytes to a manifest that keeps its own promises. Pure; what the pieces hold is not its
//! business.

use serde::Deserialize;

use super::manifest::{AcceleratorEntry, ArtifactEntry, Manifest, SCHEMA, VERSION, index_signature};
use super::piece_name::PieceName;
use crate::record::ArtifactType;

/// Why a manifest is not one.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub struct ManifestFault {
    cause: String,
    /// Whether another build may well read this manifest.
    pub is_version: bool,
}

impl ManifestFault {
    fn new(cause: impl Into<String>) -> Self {
        ManifestFault { cause: cause.into(), is_version: false }
    }

    fn version(cause: String) -> Self {
        ManifestFault { cause, is_version: true }
    }
}

impl From<serde_json::Error> for ManifestFault {
    fn from(error: serde_json::Error) -> Self {
        ManifestFault::new(format!("it is not the JSON of a manifest: {error}"))
    }
}

/// The fields by which any version of a manifest is known.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Heading {
    schema: Option<String>,
    schema_version: Option<u64>,
    pub stage: Option<String>,
}

impl Manifest {
    pub fn parse(bytes: &[u8]) -> Result<Manifest, ManifestFault> {
        // The version comes first: another version's fields and digest mean nothing here.
        check_heading(&serde_json::from_slice(bytes)?)?;
        let manifest: Manifest = serde_json::from_slice(bytes)?;
        if manifest.to_bytes() != bytes {
            return Err(ManifestFault::new("it is not canonical JSON"));
        }
        if manifest.self_digest() != manifest.digest {
            return Err(ManifestFault::new("its digest is not the digest of what it says"));
        }
        check_artifacts(&manifest)?;
        check_accelerators(&manifest)?;
        if index_signature(&manifest.artifacts, manifest.ruleset_version) != manifest.index_signature {
            return Err(ManifestFault::new("its index signature is not the one of its pieces"));
        }
        Ok(manifest)
    }
}

fn check_heading(heading: &Heading) -> Result<(), ManifestFault> {
    match (heading.schema.as_deref(), heading.schema_version) {
        (Some(SCHEMA), Some(version)) if version == u64::from(VERSION) => Ok(()),
        (Some(SCHEMA), Some(found)) => {
            Err(ManifestFault::version(format!("it is version {found} and this build reads version {VERSION}")))
        }
        _ => Err(ManifestFault::new("it is not a manifest of contextpack")),
    }
}

fn check_artifacts(manifest: &Manifest) -> Result<(), ManifestFault> {
    if !manifest.artifacts.is_sorted_by(|a, b| a.name < b.name) {
        return Err(ManifestFault::new("its artifacts are not sorted by name"));
    }
    manifest.artifacts.iter().try_for_each(check_artifact)
}

fn check_artifact(entry: &ArtifactEntry) -> Result<(), ManifestFault> {
    let (name, found) = (&entry.name, entry.schema_version);
    let unknown = || ManifestFault::version(format!("it lists an artifact `{name}` that this build does not know"));
    let reads = ArtifactType::named(name).ok_or_else(unknown)?.version;
    if found != reads {
        let cause = format!("its artifact `{name}` is version {found} and this build reads version {reads}");
        return Err(ManifestFault::version(cause));
    }
    entry.parts.iter().try_fold(None, |last, part| {
        if part.records == 0 || part.bytes == 0 {
            return Err(part_fault(&part.path, "is empty"));
        }
        check_name(&part.path, |index| PieceName::new(&entry.name, index, &part.digest), last).map(Some)
    })?;
    let records = total(entry.parts.iter().map(|part| part.records));
    let bytes = total(entry.parts.iter().map(|part| part.bytes));
    if (records, bytes) != (Some(entry.records), Some(entry.bytes)) {
        return Err(ManifestFault::new(format!("the totals of its artifact `{name}` are not the sums of its parts")));
    }
    Ok(())
}

fn check_accelerators(manifest: &Manifest) -> Result<(), ManifestFault> {
    if !manifest.accelerators.is_sorted_by(|a, b| a.name < b.name) {
        return Err(ManifestFault::new("its accelerators are not sorted by name"));
    }
    manifest.accelerators.iter().try_for_each(check_accelerator)
}

/// Not its version: who reads an accelerator knows it, and who does not need not care.
fn check_accelerator(entry: &AcceleratorEntry) -> Result<(), ManifestFault> {
    entry.parts.iter().try_fold(None, |last, part| {
        if part.bytes == 0 {
            return Err(part_fault(&part.path, "is empty"));
        }
        check_name(&part.path, |index| PieceName::accelerator(&entry.name, index, &part.digest), last).map(Some)
    })?;
    Ok(())
}

/// Gives the part's number, which comes after the last one's.
fn check_name<'n>(
    path: &'n str,
    expected: impl Fn(u32) -> PieceName<'n>,
    last: Option<u32>,
) -> Result<u32, ManifestFault> {
    let name = PieceName::parse(path).ok_or_else(|| part_fault(path, "is not the name of a piece"))?;
    if name != expected(name.index) {
        return Err(part_fault(path, "is not named after its artifact and digest"));
    }
    if last.is_some_and(|last| last >= name.index) {
        return Err(part_fault(path, "does not come in its number's order"));
    }
    Ok(name.index)
}

fn part_fault(path: &str, reason: &str) -> ManifestFault {
    ManifestFault::new(format!("its part `{path}` {reason}"))
}

fn total(mut numbers: impl Iterator<Item = u64>) -> Option<u64> {
    numbers.try_fold(0u64, u64::checked_add)
}
