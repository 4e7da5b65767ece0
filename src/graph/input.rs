//! The chunk stage's records as the graph needs them: no texts, no docs, no signatures; strings are
//! borrowed from the lines they stand in.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Deref;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::dialect::note_tree::NoteRoot;
use crate::record::codec::{ReadAs, optional_text, projection};
use crate::record::{
    self, Binding, ByteRange, Chunk, ChunkUid, File, Flow, FlowSource, Item, Kind, Mark, Parameter, Range, Role, Site,
    Symbol,
};

/// Everything that the graph is made of. Files are in the order of their paths; the rest is in the order
/// of its artifact, which starts with the path.
#[derive(Default)]
pub struct Input<'l> {
    pub files: Vec<File>,
    pub symbols: Vec<SymbolRow<'l>>,
    pub references: Vec<References<'l>>,
    pub items: Vec<Item>,
    /// What the user said about directories with notes.
    pub note_roots: Vec<NoteRoot>,
    /// The texts of files that say where modules lie, by path.
    pub manifests: BTreeMap<String, String>,
}

impl Input<'_> {
    /// Whether there is something that not everybody may read: then files are for nobody.
    pub fn is_restricted(&self) -> bool {
        self.files.iter().any(|file| !file.audience.is_everyone())
    }
}

projection! {
    /// As much of a chunk as it takes to put a file's text together again.
    pub struct TextRow<'l> of Chunk {
        pub byte_range: ByteRange,
        #[serde(borrow)]
        pub text: Cow<'l, str>,
    }
}

projection! {
    #[derive(Debug)]
    pub struct SymbolRow<'l> of Symbol {
        pub chunk_uid: ChunkUid,
        pub exported: bool,
        #[serde(borrow)]
        pub file_rel_path: Cow<'l, str>,
        pub kind: Kind,
        #[serde(borrow)]
        pub language_id: Cow<'l, str>,
        #[serde(borrow)]
        pub name: Cow<'l, str>,
        #[serde(borrow, default)]
        pub parameters: Parameters<'l>,
        #[serde(borrow)]
        pub qualified_name: Cow<'l, str>,
        pub range: Range,
        pub site: Site,
        #[serde(borrow)]
        pub symbol_id: Cow<'l, str>,
        #[serde(rename = "type", borrow, default, deserialize_with = "optional_text")]
        pub value_type: Option<Cow<'l, str>>,
    }
}

projection! {
    struct ParameterRow<'l> of Parameter {
        #[serde(rename = "type", borrow, default, deserialize_with = "optional_text")]
        value_type: Option<Cow<'l, str>>,
    }
}

/// Their number tells overloads apart, the first one's type what a function extends.
#[derive(Debug, Default)]
pub struct Parameters<'l> {
    pub count: u32,
    pub first_type: Option<Cow<'l, str>>,
}

projection! {
    #[derive(Debug)]
    pub struct References<'l> of record::References {
        pub chunk_uid: ChunkUid,
        #[serde(borrow)]
        pub file_rel_path: Cow<'l, str>,
        #[serde(borrow)]
        pub language_id: Cow<'l, str>,
        #[serde(borrow)]
        pub references: Vec<Reference<'l>>,
        pub start: u32,
        #[serde(borrow, default, deserialize_with = "optional_text")]
        pub symbol_id: Option<Cow<'l, str>>,
    }
}

projection! {
    #[derive(Debug)]
    pub struct Reference<'l> of record::Reference {
        pub arguments: Option<u32>,
        pub binding: Option<Box<Binding>>,
        #[serde(borrow)]
        pub flow: Option<Box<FlowRow<'l>>>,
        #[serde(borrow)]
        pub name: Cow<'l, str>,
        #[serde(borrow, default, deserialize_with = "optional_text")]
        pub receiver: Option<Cow<'l, str>>,
        #[serde(borrow, default, deserialize_with = "optional_text")]
        pub receiver_type: Option<Cow<'l, str>>,
        pub role: Role,
        pub sites: Sites,
    }
}

projection! {
    #[derive(Debug)]
    pub struct FlowRow<'l> of Flow {
        #[serde(borrow)]
        pub name: Cow<'l, str>,
        #[serde(borrow, default, deserialize_with = "optional_text")]
        pub receiver: Option<Cow<'l, str>>,
        pub source: FlowSource,
    }
}

impl<'l> ReadAs<Parameters<'l>> for Vec<Parameter> {}
impl<'l> ReadAs<Vec<Reference<'l>>> for Vec<record::Reference> {}
impl<'l> ReadAs<Option<Box<FlowRow<'l>>>> for Option<Flow> {}
impl ReadAs<Sites> for Vec<Site> {}

impl<'de: 'l, 'l> Deserialize<'de> for Parameters<'l> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Each(Parameters::default(), Parameters::push))
    }
}

impl<'l> Parameters<'l> {
    fn push(&mut self, row: ParameterRow<'l>) {
        if self.count == 0 {
            self.first_type = row.value_type;
        }
        self.count += 1;
    }
}

/// Where a name stands. Most stand in one place, which needs no memory of its own.
#[derive(Debug)]
pub enum Sites {
    One([Site; 1]),
    Several(Vec<Site>),
}

impl<'l> Deserialize<'l> for Sites {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Each(Sites::default(), Sites::push))
    }
}

/// Adds each value of a list to a whole.
struct Each<T, V>(T, fn(&mut T, V));

impl<'l, T, V: Deserialize<'l>> Visitor<'l> for Each<T, V> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'l>>(mut self, mut list: A) -> Result<T, A::Error> {
        while let Some(value) = list.next_element()? {
            (self.1)(&mut self.0, value);
        }
        Ok(self.0)
    }
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
