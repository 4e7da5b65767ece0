//! One record a file of the tree, also when nothing of it was read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, ChunkUid, Digest, LanguageId};
use crate::text::RepoPath;

/// A file of the source tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct File {
    pub analysis: Analysis,
    /// Size as stored, before decoding.
    pub bytes: u64,
    /// The file's chunks in their order, so that ids can be compared without reading the chunks.
    pub chunks: Vec<ChunkUid>,
    /// Of the bytes as stored. Absent when the file was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// `utf-8`, `utf-8-bom`, or the WHATWG name of the encoding that the text was decoded from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    pub file_rel_path: RepoPath,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language_id: Option<LanguageId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_ending: Option<LineEnding>,
    pub lines: u32,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub marks: Vec<Mark>,
    /// The package or namespace that the file says it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Sites, not records: records group them.
    pub references: u32,
    pub symbols: u32,
}

/// How far the file was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Analysis {
    /// Parsed without an error.
    Parsed,
    /// Parsed around syntax errors.
    Recovered,
    /// Cut by lines: no grammar, or the parse was given up.
    Lines,
    /// Not read or not text; a problem record says why.
    Skipped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LineEnding {
    Lf,
    Crlf,
    Mixed,
}

/// What the ranking wants to know of a file before it knows its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    Binary,
    Generated,
    Minified,
    Test,
    TooLarge,
    Vendored,
}

impl Artifact for File {
    const NAME: &'static str = "files";
    /// 1: first version.
    const VERSION: u32 = 1;
    type Key<'k> = (&'k RepoPath,);

    fn key(&self) -> Self::Key<'_> {
        (&self.file_rel_path,)
    }
}
