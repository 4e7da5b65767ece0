//! The chunk stage's records as the graph needs them: no texts, no docs, no signatures; strings are
//! borrowed from the lines they stand in.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::record::{Binding, ByteRange, ChunkUid, File, FlowSource, Kind, Mark, Range, Role, Site};

/// Everything that the graph is made of. Files are in the order of their paths; the rest is in the order
/// of its artifact, which starts with the path.
#[derive(Default)]
pub struct Input<'l> {
    pub files: Vec<File>,
    pub symbols: Vec<SymbolRow<'l>>,
    pub references: Vec<References<'l>>,
    /// The texts of files that say where modules lie, by path.
    pub manifests: BTreeMap<String, String>,
}

/// As much of a chunk as it takes to put a file's text together again.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextRow<'l> {
    pub byte_range: ByteRange,
    #[serde(borrow)]
    pub text: Cow<'l, str>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SymbolRow<'l> {
    pub chunk_uid: ChunkUid,
    pub exported: bool,
    #[serde(borrow)]
    pub file_rel_path: Cow<'l, str>,
    pub kind: Kind,
    #[serde(borrow)]
    pub language_id: Cow<'l, str>,
    #[serde(borrow)]
    pub name: Cow<'l, str>,
    /// Their number tells overloads apart, the first one's type what a function extends.
    #[serde(borrow, default)]
    pub parameters: Vec<ParameterRow<'l>>,
    #[serde(borrow)]
    pub qualified_name: Cow<'l, str>,
    pub range: Range,
    pub site: Site,
    #[serde(borrow)]
    pub symbol_id: Cow<'l, str>,
    #[serde(borrow, rename = "type", default, deserialize_with = "borrowed")]
    pub value_type: Option<Cow<'l, str>>,
}

#[derive(Debug, Deserialize)]
pub struct ParameterRow<'l> {
    #[serde(borrow, rename = "type", default, deserialize_with = "borrowed")]
    pub value_type: Option<Cow<'l, str>>,
}

/// See [`crate::record::References`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct References<'l> {
    pub chunk_uid: ChunkUid,
    #[serde(borrow)]
    pub file_rel_path: Cow<'l, str>,
    #[serde(borrow)]
    pub language_id: Cow<'l, str>,
    #[serde(borrow)]
    pub references: Vec<Reference<'l>>,
    pub start: u32,
    #[serde(borrow, default, deserialize_with = "borrowed")]
    pub symbol_id: Option<Cow<'l, str>>,
}

/// See [`crate::record::Reference`].
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reference<'l> {
    #[serde(default)]
    pub arguments: Option<u32>,
    #[serde(default)]
    pub binding: Option<Box<Binding>>,
    #[serde(borrow, default)]
    pub flow: Option<Box<FlowRow<'l>>>,
    #[serde(borrow)]
    pub name: Cow<'l, str>,
    #[serde(borrow, default, deserialize_with = "borrowed")]
    pub receiver: Option<Cow<'l, str>>,
    #[serde(borrow, default, deserialize_with = "borrowed")]
    pub receiver_type: Option<Cow<'l, str>>,
    pub role: Role,
    pub sites: Vec<Site>,
}

/// See [`crate::record::Flow`].
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FlowRow<'l> {
    #[serde(borrow)]
    pub name: Cow<'l, str>,
    #[serde(borrow, default, deserialize_with = "borrowed")]
    pub receiver: Option<Cow<'l, str>>,
    pub source: FlowSource,
}

/// What may be there without being copied: serde borrows a `Cow` only where it is the field itself.
fn borrowed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cow<'de, str>>, D::Error> {
    #[derive(Deserialize)]
    struct Borrowed<'l>(#[serde(borrow)] Cow<'l, str>);
    Ok(Option::<Borrowed>::deserialize(deserializer)?.map(|text| text.0))
}

/// Files by these names say where modules lie.
const MANIFEST_NAMES: &[&str] =
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

impl Input<'_> {
    pub fn file(&self, path: &str) -> Option<usize> {
        self.files.binary_search_by(|file| file.file_rel_path.as_str().cmp(path)).ok()
    }

    pub fn is_test(&self, file: usize) -> bool {
        self.files[file].marks.contains(&Mark::Test)
    }
}
