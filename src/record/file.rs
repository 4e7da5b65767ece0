//! One record per file of the tree, including files that were not read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, Audience, ChunkUid, Digest, LanguageId};
use crate::text::RepoPath;

/// A file of the source tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct File {
    pub analysis: Analysis,
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
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
    /// What the items of the file come from. Absent for code and other text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_kind: Option<SourceKind>,
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

/// A kind of file that holds items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SourceKind {
    /// Who did what to which block.
    Activity,
    /// A tree of blocks in one JSON object.
    BlockTree,
    /// One block per line.
    Blocks,
    /// Links between blocks.
    Links,
    /// A Logseq graph.
    Logseq,
    /// Who belongs to which team.
    Members,
    /// One note per line.
    Nodes,
    /// Pages with markdown inside, as JSON.
    Notes,
    /// A page or database of a Notion export.
    Notion,
    /// Who may read which block.
    Permissions,
    /// A spec document.
    Spec,
    /// A Tana export.
    Tana,
    /// A page of an Obsidian vault.
    Vault,
}

impl SourceKind {
    /// Whether it is a part of a workspace: who may read it is said by its blocks.
    pub fn is_workspace(self) -> bool {
        match self {
            SourceKind::Activity
            | SourceKind::BlockTree
            | SourceKind::Blocks
            | SourceKind::Links
            | SourceKind::Members
            | SourceKind::Notes
            | SourceKind::Notion
            | SourceKind::Permissions => true,
            SourceKind::Logseq | SourceKind::Nodes | SourceKind::Spec | SourceKind::Tana | SourceKind::Vault => false,
        }
    }

    /// Whether briefs are made from it.
    pub fn is_notes(self) -> bool {
        match self {
            SourceKind::Vault | SourceKind::Logseq | SourceKind::Tana | SourceKind::Nodes => true,
            SourceKind::Activity
            | SourceKind::BlockTree
            | SourceKind::Blocks
            | SourceKind::Links
            | SourceKind::Members
            | SourceKind::Notes
            | SourceKind::Notion
            | SourceKind::Permissions
            | SourceKind::Spec => false,
        }
    }
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
    /// 1: first version. 2: audience, what the items of a file come from.
    const VERSION: u32 = 2;
    type Key<'k> = (&'k RepoPath,);

    fn key(&self) -> Self::Key<'_> {
        (&self.file_rel_path,)
    }
}
