//! The chunk stage's records as the graph needs them: no texts, no docs, no signatures.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::record::{ChunkUid, File, Kind, LanguageId, Lines, Mark, Range, References, Site};

/// Everything that the graph is made of. Files are in the order of their paths; the rest is in the order
/// of its artifact, which starts with the path.
#[derive(Default)]
pub struct Input {
    pub files: Vec<File>,
    pub chunks: Vec<ChunkRow>,
    pub symbols: Vec<SymbolRow>,
    pub references: Vec<References>,
    /// The texts of files that say where modules lie, by path.
    pub manifests: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChunkRow {
    pub chunk_uid: ChunkUid,
    pub file_rel_path: Box<str>,
    pub kind: Kind,
    pub language_id: LanguageId,
    pub lines: Lines,
    #[serde(default)]
    pub qualified_name: Option<Box<str>>,
    pub range: Range,
    #[serde(default)]
    pub symbol_id: Option<Box<str>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SymbolRow {
    pub chunk_uid: ChunkUid,
    pub exported: bool,
    pub file_rel_path: Box<str>,
    pub kind: Kind,
    pub language_id: LanguageId,
    pub name: Box<str>,
    #[serde(default)]
    pub parameters: Vec<ParameterRow>,
    pub qualified_name: Box<str>,
    pub range: Range,
    pub site: Site,
    pub symbol_id: Box<str>,
    #[serde(rename = "type", default)]
    pub value_type: Option<Box<str>>,
}

#[derive(Debug, Deserialize)]
pub struct ParameterRow {
    pub name: Box<str>,
    #[serde(rename = "type", default)]
    pub value_type: Option<Box<str>>,
}

/// As much of a chunk as it takes to put a file's text together again.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextRow<'l> {
    pub byte_range: crate::record::ByteRange,
    #[serde(borrow)]
    pub text: Cow<'l, str>,
}

/// Files by these names say where modules lie.
pub const MANIFEST_NAMES: &[&str] =
    &["package.json", "tsconfig.json", "jsconfig.json", "Cargo.toml", "go.mod", "composer.json", "pubspec.yaml"];

pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFEST_NAMES.contains(&name) || (name.starts_with("tsconfig.") && name.ends_with(".json"))
}

/// Puts a chunk's text where it stood. What no chunk holds is blank.
pub fn place_text(whole: &mut String, row: &TextRow) {
    let start = row.byte_range.start as usize;
    if whole.len() < start {
        whole.extend(std::iter::repeat_n('\n', start - whole.len()));
    }
    if whole.len() == start {
        whole.push_str(&row.text);
    }
}

impl Input {
    pub fn file(&self, path: &str) -> Option<usize> {
        self.files.binary_search_by(|file| file.file_rel_path.as_str().cmp(path)).ok()
    }

    pub fn is_test(&self, file: usize) -> bool {
        self.files[file].marks.contains(&Mark::Test)
    }
}
