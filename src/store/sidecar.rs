//! `<artifact>.meta.json`: what the manifest says of one artifact, for outside readers that want one
//! small file. Derived; no reader of this crate ever trusts it.

use serde::{Deserialize, Serialize};

use super::manifest::{ArtifactEntry, Manifest, Part, canonical_json};
use crate::record::Digest;

pub const SUFFIX: &str = ".meta.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sidecar<'m> {
    schema_version: u32,
    artifact: &'m str,
    format: &'static str,
    compression: &'static str,
    total_records: u64,
    total_bytes: u64,
    parts: Vec<SidecarPart<'m>>,
    manifest: &'m Digest,
}

#[derive(Serialize)]
struct SidecarPart<'m> {
    path: &'m str,
    records: u64,
    bytes: u64,
    digest: &'m Digest,
}

/// File name and content of every sidecar that belongs to a manifest.
pub fn sidecars(manifest: &Manifest) -> impl Iterator<Item = (String, Vec<u8>)> {
    manifest.artifacts.iter().map(|entry| (format!("{}{SUFFIX}", entry.name), text(manifest, entry)))
}

/// The manifest that a sidecar says it belongs to.
pub fn manifest_named_in(sidecar: &[u8]) -> Option<Digest> {
    #[derive(Deserialize)]
    struct Owner {
        manifest: Digest,
    }
    serde_json::from_slice::<Owner>(sidecar).ok().map(|owner| owner.manifest)
}

fn text(manifest: &Manifest, entry: &ArtifactEntry) -> Vec<u8> {
    let mut bytes = canonical_json(&Sidecar {
        schema_version: entry.schema_version,
        artifact: &entry.name,
        format: "jsonl",
        compression: "zstd",
        total_records: entry.records,
        total_bytes: entry.bytes,
        parts: entry.parts.iter().map(sidecar_part).collect(),
        manifest: &manifest.digest,
    });
    bytes.push(b'\n');
    bytes
}

fn sidecar_part(part: &Part) -> SidecarPart<'_> {
    SidecarPart { path: &part.path, records: part.records, bytes: part.bytes, digest: &part.digest }
}
