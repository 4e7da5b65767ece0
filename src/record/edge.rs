//! What leads from one node to another, and how that is known.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::identity::hex_id;
use super::is_zero;
use super::{Artifact, ChunkUid, IdentityError, Lines, NodeId, Range, Score};
use crate::text::RepoPath;

/// All references of one type from one node to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Edge {
    /// Among how many nodes the reference could not choose. Absent when there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<u32>,
    pub confidence: Score,
    /// The best evidence, first the most confident; at least one.
    pub evidence: Vec<EvidenceId>,
    /// How much more evidence there was.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub evidence_omitted: u32,
    pub from: NodeId,
    pub status: EdgeStatus,
    pub tier: Tier,
    pub to: NodeId,
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
}

/// `from` does this to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EdgeType {
    Call,
    /// Names it without calling it: reads, passes, inherits, has as its type.
    Usage,
    Import,
    /// Gives it to other files.
    Export,
    /// A value of the one reaches a call of the other.
    Dataflow,
    /// Tests it.
    Test,
    /// Prose that names it.
    Doc,
}

/// How an edge is known. A better one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Tier {
    /// A compiler's or an indexer's word.
    Tooling,
    /// An import, include or path says where the name comes from.
    Import,
    /// The rules of scope, package or type of the language.
    Scope,
    /// Nothing but the name itself.
    Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EdgeStatus {
    /// There is one node that it leads to.
    Resolved,
    /// There were several; each has an edge with its share of the confidence.
    Ambiguous,
    /// It leads out of the tree.
    External,
}

/// `ev:` and 16 hex digits, over host chunk, kind and place inside the chunk: an edit elsewhere does not
/// change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct EvidenceId(u64);

/// One place in the tree that shows an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Evidence {
    /// The chunk that holds the place.
    pub chunk_uid: ChunkUid,
    pub confidence: Score,
    pub evidence_id: EvidenceId,
    pub file_rel_path: RepoPath,
    pub kind: EvidenceKind,
    pub lines: Lines,
    pub range: Range,
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

impl EvidenceId {
    pub fn from_hash(hash: u64) -> Self {
        EvidenceId(hash)
    }

    pub fn to_hash(self) -> u64 {
        self.0
    }
}

impl TryFrom<String> for EvidenceId {
    type Error = IdentityError;

    fn try_from(text: String) -> Result<Self, IdentityError> {
        let hex =
            text.strip_prefix("ev:").filter(|hex| hex.len() == 16 && !hex.bytes().any(|b| b.is_ascii_uppercase()));
        match hex.and_then(|hex| u64::from_str_radix(hex, 16).ok()) {
            Some(hash) => Ok(EvidenceId(hash)),
            None => Err(IdentityError::new(text, "`ev:` and 16 hex digits")),
        }
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

impl Artifact for Edge {
    const NAME: &'static str = "edges";
    /// 1: first version.
    const VERSION: u32 = 1;
    type Key<'k> = (&'k NodeId, EdgeType, &'k NodeId);

    fn key(&self) -> Self::Key<'_> {
        (&self.from, self.edge_type, &self.to)
    }
}

impl Artifact for Evidence {
    const NAME: &'static str = "evidence";
    /// 1: first version.
    const VERSION: u32 = 1;
    type Key<'k> = (&'k RepoPath, u32, EvidenceKind, EvidenceId);

    fn key(&self) -> Self::Key<'_> {
        (&self.file_rel_path, self.range.start, self.kind, self.evidence_id)
    }
}
