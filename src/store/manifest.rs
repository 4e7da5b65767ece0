//! What an index consists of. The manifest is the only way to a piece, and it hashes itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::piece_name::PieceName;
use crate::record::{Artifact, Digest};

pub const FILE_NAME: &str = "manifest.json";
/// The stage of an index that holds some of the shards of another one, to be merged into it.
pub const SHARE_STAGE: &str = "share";
pub const SCHEMA: &str = "contextpack.manifest";
/// 1: first version.
/// 2: lists accelerators.
pub const VERSION: u32 = 2;

/// One stage's index, complete. Canonical JSON and a line break on the disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Manifest {
    pub schema: String,
    pub schema_version: u32,
    pub stage: String,
    pub ruleset_version: u32,
    /// ISO 8601, UTC; of the source, never of the run.
    pub source_date: String,
    pub settings: Value,
    pub inputs: Vec<Input>,
    /// Same records by the same rules, for any compression and any folder.
    pub index_signature: Digest,
    /// Sorted by name.
    pub artifacts: Vec<ArtifactEntry>,
    /// Sorted by name. Made from the artifacts, so they do not enter the signature.
    pub accelerators: Vec<AcceleratorEntry>,
    /// SHA-256 of this manifest without this field.
    pub digest: Digest,
}

/// An index that this one was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Input {
    pub stage: String,
    /// Of the input's manifest.
    pub digest: Digest,
}

/// All pieces of one record type. An artifact without records is listed, without parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ArtifactEntry {
    pub name: String,
    pub schema_version: u32,
    pub records: u64,
    /// Of the lines, uncompressed.
    pub bytes: u64,
    /// In key order: each part's last key is less than the next part's first.
    pub parts: Vec<Part>,
}

/// One piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Part {
    /// A file name in the manifest's own folder.
    pub path: String,
    pub records: u64,
    /// Of the lines, uncompressed.
    pub bytes: u64,
    /// BLAKE3 of the lines, uncompressed.
    pub digest: Digest,
    /// Of the file.
    pub stored_bytes: u64,
    /// BLAKE3 of the file, which every reader computes before it trusts a byte.
    pub stored_digest: Digest,
    /// The first record's key.
    pub first: Value,
    /// The last record's key.
    pub last: Value,
}

/// Something that the records say already, in a form that is fast to read when it is mapped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AcceleratorEntry {
    pub name: String,
    /// Of its binary form, which only its own module knows.
    pub version: u32,
    /// By number.
    pub parts: Vec<AcceleratorPart>,
}

/// One piece of an accelerator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AcceleratorPart {
    /// A file name in the manifest's own folder.
    pub path: String,
    pub bytes: u64,
    /// BLAKE3 of the file, which every reader computes before it trusts a byte.
    pub digest: Digest,
}

/// A manifest before its digests.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    pub stage: String,
    pub ruleset_version: u32,
    pub source_date: String,
    pub settings: Value,
    pub inputs: Vec<Input>,
    pub artifacts: Vec<ArtifactEntry>,
    pub accelerators: Vec<AcceleratorEntry>,
}

impl Draft {
    pub fn seal(mut self) -> Manifest {
        self.artifacts.sort_by(|a, b| a.name.cmp(&b.name));
        self.accelerators.sort_by(|a, b| a.name.cmp(&b.name));
        let index_signature = index_signature(&self.artifacts, self.ruleset_version);
        let mut manifest = Manifest {
            schema: SCHEMA.to_string(),
            schema_version: VERSION,
            stage: self.stage,
            ruleset_version: self.ruleset_version,
            source_date: self.source_date,
            settings: self.settings,
            inputs: self.inputs,
            artifacts: self.artifacts,
            accelerators: self.accelerators,
            digest: index_signature.clone(),
            index_signature,
        };
        manifest.digest = manifest.self_digest();
        manifest
    }
}

impl ArtifactEntry {
    pub fn of<A: Artifact>(parts: Vec<Part>) -> Self {
        ArtifactEntry {
            name: A::NAME.to_string(),
            schema_version: A::VERSION,
            records: parts.iter().map(|part| part.records).sum(),
            bytes: parts.iter().map(|part| part.bytes).sum(),
            parts,
        }
    }
}

impl Part {
    /// Its number among the shards, from its name; checked when the manifest was read.
    pub fn index(&self) -> u32 {
        PieceName::parse(&self.path).map_or(0, |name| name.index)
    }
}

impl AcceleratorPart {
    /// Its number, from its name; checked when the manifest was read.
    pub fn index(&self) -> u32 {
        PieceName::parse(&self.path).map_or(0, |name| name.index)
    }
}

impl Manifest {
    pub fn to_bytes(&self) -> Vec<u8> {
        [canonical_json(self), b"\n".to_vec()].concat()
    }

    /// As an input of an index that is made from this one.
    pub fn as_input(&self) -> Input {
        Input { stage: self.stage.clone(), digest: self.digest.clone() }
    }

    pub fn artifact(&self, name: &str) -> Option<&ArtifactEntry> {
        self.artifacts.iter().find(|entry| entry.name == name)
    }

    pub fn accelerator(&self, name: &str) -> Option<&AcceleratorEntry> {
        self.accelerators.iter().find(|entry| entry.name == name)
    }

    /// Every part of every accelerator.
    pub fn accelerator_parts(&self) -> impl Iterator<Item = &AcceleratorPart> {
        self.accelerators.iter().flat_map(|entry| &entry.parts)
    }

    /// Every part of every artifact.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.artifacts.iter().flat_map(|entry| &entry.parts)
    }

    pub(super) fn self_digest(&self) -> Digest {
        let mut value = serde_json::to_value(self).expect("a manifest holds only what JSON can say");
        if let Some(fields) = value.as_object_mut() {
            fields.remove("digest");
        }
        Digest::sha256(&canonical_json(&value))
    }
}

/// Over artifact name, part number, schema version and lines' digest of every piece, and the ruleset.
/// Neither compression nor an accelerator nor anything of the file system enters.
pub(super) fn index_signature(artifacts: &[ArtifactEntry], ruleset_version: u32) -> Digest {
    let pieces: Vec<(&str, Option<u32>, u32, &Digest)> = artifacts
        .iter()
        .flat_map(|entry| entry.parts.iter().map(move |part| (entry, part)))
        .map(|(entry, part)| {
            let index = PieceName::parse(&part.path).map(|name| name.index);
            (entry.name.as_str(), index, entry.schema_version, &part.digest)
        })
        .collect();
    Digest::sha256(&canonical_json(&(pieces, ruleset_version)))
}

/// RFC 8785. Not for records, whose own order is canonical already.
pub(super) fn canonical_json<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).expect("what is stored holds only what JSON can say")
}
