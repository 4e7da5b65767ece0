//! The parts of documents that are not code, with the fields that they declare.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, Audience, ChunkUid, Date, Lines, NodeId, is_false};
use crate::text::RepoPath;

/// One part of a document that is not code: a spec document, a section, a note, a page, a block, a row.
///
/// The text of an item is in chunks, not here. `head` and `body` say which lines of the file belong to it;
/// [`super::FileLines`] puts these lines together again from the file's chunks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Item {
    /// Other names that links may use. Of a heading its words without markup, where they differ from the title.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub aliases: Vec<String>,
    #[serde(skip_serializing_if = "is_false", default)]
    pub archived: bool,
    /// Who a task is assigned to.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub assignees: Vec<String>,
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
    /// The lines below `head` up to the next item that is not below this one, without blank lines around them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Lines>,
    /// The chunk that holds its first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_uid: Option<ChunkUid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<Date>,
    /// How deep it is in its document, which is at 0. Of a section the level of its heading.
    pub depth: u32,
    /// Whether a task is done. Absent for what is no task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
    /// What the document says of it by name.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub fields: Vec<Field>,
    pub file_rel_path: RepoPath,
    /// The lines of its heading, of a document's front matter, or of a block's own text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<Lines>,
    /// `spec`, `section`; of other sources the word that they use, such as `page` or `todo`.
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<Date>,
    /// The node that edges connect.
    pub node_id: NodeId,
    /// Its place in the file, outer items before what is in them.
    pub order: u32,
    /// The item around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<NodeId>,
    /// The id that people use: a spec document's id, a block's id; else the path, and the heading behind `#`.
    pub source_id: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tags: Vec<String>,
    /// As it is written.
    pub title: String,
    /// Whether it is shown under a heading of its own. What is not belongs to the nearest such item around it.
    #[serde(skip_serializing_if = "is_false", default)]
    pub unit: bool,
}

/// A named list of values. An empty list says that the document names the field and gives nothing.
///
/// Of a spec document: the required keys of its front matter; `trace.`, `dp.` and `doc.` with the keys of these
/// maps; [`Field::FRONT_MATTER_ERROR`] and [`Field::WHITE_LINES`]. Of a page of notes also [`Field::HIDDEN_LINES`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Field {
    pub name: String,
    pub values: Vec<FieldValue>,
}

/// One value, in as many forms as are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FieldValue {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// The line of the file that gives it, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The item that the value is.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Field {
    /// Why front matter could not be read, and the line that is at fault.
    pub const FRONT_MATTER_ERROR: &'static str = "frontMatterError";
    /// Lines of a page that are no content for readers: the first line, and as text the last one.
    pub const HIDDEN_LINES: &'static str = "hiddenLines";
    /// Blank lines that are in no chunk and are not just the line break of the line before them.
    pub const WHITE_LINES: &'static str = "whiteLines";

    pub fn new(name: impl Into<String>, values: impl IntoIterator<Item = FieldValue>) -> Self {
        Field { name: name.into(), values: values.into_iter().collect() }
    }

    /// The texts of its values.
    pub fn texts(&self) -> Vec<String> {
        self.values.iter().map(|value| value.as_str().to_string()).collect()
    }

    /// The first value of the field with this name.
    pub fn value<'f>(fields: &'f [Field], name: &str) -> Option<&'f FieldValue> {
        fields.iter().find(|field| field.name == name)?.values.first()
    }
}

impl FieldValue {
    /// A text and the line that gives it.
    pub fn at(line: u32, text: impl Into<String>) -> Self {
        FieldValue { line: Some(line), text: Some(text.into()), ..FieldValue::default() }
    }

    /// Its text; empty if it has none.
    pub fn as_str(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Its line, or the first line of the file if it is not known.
    pub fn line_or_first(&self) -> u32 {
        self.line.unwrap_or(1)
    }
}

impl Item {
    /// An item that says nothing but what and where it is.
    pub fn new(kind: &str, node_id: NodeId, path: &RepoPath) -> Self {
        Item {
            aliases: Vec::new(),
            archived: false,
            assignees: Vec::new(),
            audience: Audience::default(),
            body: None,
            chunk_uid: None,
            created: None,
            depth: 0,
            done: None,
            due: None,
            fields: Vec::new(),
            file_rel_path: path.clone(),
            head: None,
            kind: kind.to_string(),
            modified: None,
            node_id,
            order: 0,
            parent: None,
            source_id: String::new(),
            tags: Vec::new(),
            title: String::new(),
            unit: false,
        }
    }

    /// The lines of its heading or front matter; the first line of the file if it has none.
    pub fn head_lines(&self) -> Lines {
        self.head.unwrap_or(Lines { start: 1, end: 1 })
    }

    /// The values of a field; nothing if the document does not name it.
    pub fn field(&self, name: &str) -> Option<&[FieldValue]> {
        self.fields.iter().find(|field| field.name == name).map(|field| field.values.as_slice())
    }

    /// The texts of a field's values.
    pub fn texts(&self, name: &str) -> Vec<String> {
        self.fields.iter().find(|field| field.name == name).map(Field::texts).unwrap_or_default()
    }

    /// The text of a field's first value; empty if there is none.
    pub fn word(&self, name: &str) -> &str {
        Field::value(&self.fields, name).map_or("", FieldValue::as_str)
    }
}

impl Artifact for Item {
    const NAME: &'static str = "items";
    /// 1: first version.
    const VERSION: u32 = 1;
    type Key<'k> = (&'k RepoPath, u32);

    fn key(&self) -> Self::Key<'_> {
        (&self.file_rel_path, self.order)
    }
}
