//! A chunk: the unit that is retrieved, scored and shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, Audience, ByteRange, ChunkUid, Kind, LanguageId, Lines, Range, SymbolId, is_false, is_zero};
use crate::text::RepoPath;

/// A contiguous piece of one source file, or the skeleton of one.
///
/// The text is exactly the file's text, unless it is `derived`. Chunks of a file do not overlap and cover every
/// line that is not blank; only a skeleton repeats lines, the signatures of members that are chunks of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Chunk {
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
    /// Empty lines behind it, at most two: they are in no chunk, and where something can be added.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub blank_after: u32,
    pub byte_range: ByteRange,
    pub chunk_uid: ChunkUid,
    /// The text is not the file's own but made from it: the ranges say where what it was made from stands.
    #[serde(skip_serializing_if = "is_false", default)]
    pub derived: bool,
    pub file_rel_path: RepoPath,
    pub kind: Kind,
    /// The language of this piece; in a fence or a script it is not the file's.
    pub language_id: LanguageId,
    pub lines: Lines,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which part this is of a definition that is longer than the cap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualified_name: Option<String>,
    pub range: Range,
    /// Added to the uid's hash because another chunk of the index had the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<u32>,
    /// The lines of which a skeleton's text consists; empty for a piece of a line that is longer than a chunk may
    /// be. Absent when the text is all of its lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Vec<Lines>>,
    /// The definition up to its body, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<SymbolId>,
    pub text: String,
}

/// 1-based.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub count: u32,
    pub index: u32,
}

impl Chunk {
    /// Whether its text is some lines of its range, without those between them.
    pub fn is_skeleton(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| !shown.is_empty())
    }

    /// The lines that its text shows whole.
    pub fn shown_lines(&self) -> &[Lines] {
        self.shown.as_deref().unwrap_or(std::slice::from_ref(&self.lines))
    }
}

impl Artifact for Chunk {
    const NAME: &'static str = "chunk_meta";
    /// 1: first version. 2: empty lines behind it. 3: audience, derived texts, kinds of items.
    const VERSION: u32 = 3;
    type Key<'k> = (&'k RepoPath, u32, ChunkUid);

    fn key(&self) -> Self::Key<'_> {
        (&self.file_rel_path, self.byte_range.start, self.chunk_uid)
    }
}
