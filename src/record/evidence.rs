//! The places in the source that prove edges.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, Audience, ChunkUid, EvidenceId, Score, Site};
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
