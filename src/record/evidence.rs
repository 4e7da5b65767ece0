//! The places in the source that prove edges.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::codec::text;
use super::identity::{hex_hash, hex_id};
use super::{Artifact, Audience, ChunkUid, IdentityError, Score, Site};
use crate::text::RepoPath;

/// All places of one chunk that show edges. A chunk that shows none has no record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(rename = "Evidence")]
pub struct Evidence<Path = RepoPath> {
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
    /// The chunk that holds the places.
    pub chunk_uid: ChunkUid,
    pub file_rel_path: Path,
    /// In the order of their sites; at least one.
    pub places: Vec<EvidencePlace>,
}

/// One place in the tree that shows an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct EvidencePlace {
    pub confidence: Score,
    pub evidence_id: EvidenceId,
    pub kind: EvidenceKind,
    pub site: Site,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EvidenceKind {
    Callsite,
    Identifier,
    ImportStmt,
    /// A stretch of text: prose, or the way of a value.
    Span,
    /// An occurrence in an index that another tool made.
    Tooling,
}

/// `ev:` and 16 hex digits, over host chunk, kind and place inside the chunk: an edit elsewhere does not
/// change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EvidenceId(u64);

impl EvidenceId {
    pub fn from_hash(hash: u64) -> Self {
        EvidenceId(hash)
    }

    pub fn to_hash(self) -> u64 {
        self.0
    }
}

impl<'l> Deserialize<'l> for EvidenceId {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        let text = text(deserializer)?;
        let hash = text.strip_prefix("ev:").and_then(hex_hash);
        let fault = || D::Error::custom(IdentityError::new(text.to_string(), "`ev:` and 16 hex digits"));
        hash.map(EvidenceId).ok_or_else(fault)
    }
}

impl std::fmt::Display for EvidenceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ev:{:016x}", self.0)
    }
}

impl Serialize for EvidenceId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(hex_id(b"ev:", self.0, &mut [0; 19]))
    }
}

impl JsonSchema for EvidenceId {
    fn schema_name() -> Cow<'static, str> {
        "EvidenceId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string", "pattern": "^ev:[0-9a-f]{16}$"})
    }
}

impl Artifact for Evidence {
    const NAME: &'static str = "evidence";
    /// 1: a record for each place.
    /// 2: a record for each chunk, with all its places: two thirds of the lines said where they stood.
    /// 3: audience.
    const VERSION: u32 = 3;
    type Key<'k> = (&'k RepoPath, u32, ChunkUid);

    fn key(&self) -> Self::Key<'_> {
        (&self.file_rel_path, self.places.first().map_or(0, |place| place.site.start), self.chunk_uid)
    }
}
