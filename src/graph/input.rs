//! The chunk stage's records as the graph needs them: no texts, no docs, no signatures; strings are
//! borrowed from the lines they stand in.

mod rows;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Deref;

use serde::Deserialize;

pub use rows::Row;

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

/// See [`crate::record::Symbol`].
#[derive(Debug)]
pub struct SymbolRow<'l> {
    pub chunk_uid: ChunkUid,
    pub exported: bool,
    pub file_rel_path: Cow<'l, str>,
    pub kind: Kind,
    pub language_id: Cow<'l, str>,
    pub name: Cow<'l, str>,
    pub parameters: Parameters<'l>,
    pub qualified_name: Cow<'l, str>,
    pub range: Range,
    pub site: Site,
    pub symbol_id: Cow<'l, str>,
    pub value_type: Option<Cow<'l, str>>,
}

/// Their number tells overloads apart, the first one's type what a function extends.
#[derive(Debug, Default)]
pub struct Parameters<'l> {
    pub count: u32,
    pub first_type: Option<Cow<'l, str>>,
}

/// See [`crate::record::References`].
#[derive(Debug)]
pub struct References<'l> {
    pub chunk_uid: ChunkUid,
    pub file_rel_path: Cow<'l, str>,
    pub language_id: Cow<'l, str>,
    pub references: Vec<Reference<'l>>,
    pub start: u32,
    pub symbol_id: Option<Cow<'l, str>>,
}

/// See [`crate::record::Reference`].
#[derive(Debug)]
pub struct Reference<'l> {
    pub arguments: Option<u32>,
    pub binding: Option<Box<Binding>>,
    pub flow: Option<Box<FlowRow<'l>>>,
    pub name: Cow<'l, str>,
    pub receiver: Option<Cow<'l, str>>,
    pub receiver_type: Option<Cow<'l, str>>,
    pub role: Role,
    pub sites: Sites,
}

/// Where a name stands. Most stand in one place, which needs no memory of its own.
#[derive(Debug)]
pub enum Sites {
    One([Site; 1]),
    Several(Vec<Site>),
}

/// See [`crate::record::Flow`].
#[derive(Debug)]
pub struct FlowRow<'l> {
    pub name: Cow<'l, str>,
    pub receiver: Option<Cow<'l, str>>,
    pub source: FlowSource,
}

impl Default for Sites {
    fn default() -> Self {
        Sites::Several(Vec::new())
    }
}

impl Deref for Sites {
    type Target = [Site];

    fn deref(&self) -> &[Site] {
        match self {
            Sites::One(site) => site,
            Sites::Several(sites) => sites,
        }
    }
}

impl Sites {
    fn push(&mut self, site: Site) {
        match self {
            Sites::One([first]) => *self = Sites::Several(vec![*first, site]),
            Sites::Several(sites) if sites.is_empty() => *self = Sites::One([site]),
            Sites::Several(sites) => sites.push(site),
        }
    }
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
