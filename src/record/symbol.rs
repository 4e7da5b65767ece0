//! A name that the tree defines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, Audience, ByteRange, ChunkUid, Kind, LanguageId, Lines, Range, Site, SymbolId};
use crate::text::RepoPath;

/// One definition of a symbol. A type that is opened twice in a file has one record for each time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Symbol {
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
    pub byte_range: ByteRange,
    /// The chunk that holds the definition's first line.
    pub chunk_uid: ChunkUid,
    /// The doc comment without its markers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Whether other files may name it, by the language's own rule.
    pub exported: bool,
    pub file_rel_path: RepoPath,
    pub kind: Kind,
    pub language_id: LanguageId,
    pub lines: Lines,
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub parameters: Vec<Parameter>,
    /// The names from the file's top level down, joined as the language joins them.
    pub qualified_name: String,
    /// The whole definition without its leading comment.
    pub range: Range,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Where the name stands.
    pub site: Site,
    pub symbol_id: SymbolId,
    /// What a callable returns, or what a variable or field holds: an annotation as written, or
    /// `Name()` for the result of calling `Name`. Of a spec document its role, of its sections their rule.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub value_type: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Parameter {
    pub name: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub value_type: Option<String>,
}

impl Artifact for Symbol {
    const NAME: &'static str = "symbols";
    /// 1: first version. 2: audience, kinds of items.
    const VERSION: u32 = 2;
    type Key<'k> = (&'k RepoPath, u32, &'k SymbolId);

    fn key(&self) -> Self::Key<'_> {
        (&self.file_rel_path, self.site.start, &self.symbol_id)
    }
}
