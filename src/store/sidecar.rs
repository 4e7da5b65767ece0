//! `<artifact>.meta.json`: what the manifest says of one artifact, for outside readers that want one
//! small file. Derived; no reader of this crate ever trusts it.

use serde::Deserialize;
use serde_json::json;

use super::manifest::{ArtifactEntry, Manifest, Part, canonical_json};
use crate::record::Digest;

pub const SUFFIX: &str = ".meta.json";

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
    let part = |Part { path, records, bytes, digest, .. }: &Part| json!({ "path": path, "records": records, "bytes": bytes, "digest": digest });
    let sidecar = json!({
        "schemaVersion": entry.schema_version,
        "artifact": entry.name,
        "format": "jsonl",
        "compression": "zstd",
        "totalRecords": entry.records,
        "totalBytes": entry.bytes,
        "parts": entry.parts.iter().map(part).collect::<Vec<_>>(),
        "manifest": manifest.digest,
    });
    [canonical_json(&sidecar), b"\n".to_vec()].concat()
}
