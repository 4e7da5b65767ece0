//! What `nodes.jsonl` may say: notes of any program, one JSON object per line. It is read, never written.

use std::collections::BTreeMap;

use schemars::JsonSchema;

/// One line of `nodes.jsonl`. It is read value by value, so that one bad value does not cost the line.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum NoteInput {
    /// The first line.
    Header(NoteHeader),
    /// Every other line.
    Node(Box<NoteNode>),
}

#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "camelCase")]
pub struct NoteHeader {
    /// The version of the format: 1.
    #[schemars(extend("const" = 1))]
    pub contextpack_nodes: u32,
    /// When the notes were written, as a date. Nothing is read from it.
    pub exported: Option<String>,
    /// Where the ids are unique. Ids of nodes have it in them.
    pub workspace: Option<String>,
}

/// One note. Its parent and the notes that it names may stand anywhere in the file.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename_all = "camelCase")]
pub struct NoteNode {
    /// Other names of it.
    pub aliases: Option<Vec<String>>,
    pub created: Option<DateInput>,
    /// It is not read, and neither is what is in it.
    pub deleted: Option<bool>,
    /// Whether a task is done, or when it was.
    pub done: Option<DoneInput>,
    /// Values by the names of their fields.
    pub fields: Option<BTreeMap<String, FieldInput>>,
    pub id: String,
    pub modified: Option<DateInput>,
    pub name: Option<String>,
    /// Its place among the notes of its parent. Without one, notes stand in the order of their lines.
    pub order: Option<f64>,
    /// The id of the note that it is in.
    pub parent: Option<String>,
    /// The ids of notes that it links to.
    pub refs: Option<Vec<String>>,
    /// Names of tags; `a/b` is also `a`.
    pub tags: Option<Vec<String>>,
    /// What it says, as markdown.
    pub text: Option<String>,
    /// What the program calls such a note.
    #[schemars(rename = "type")]
    pub note_type: Option<String>,
    /// Whether it is shown under a heading of its own. Else it is if it has a tag or no parent.
    pub unit: Option<bool>,
    pub url: Option<String>,
}

/// A day, a day and a time, or a count of seconds, milliseconds, microseconds or nanoseconds since 1970.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum DateInput {
    Text(String),
    Number(f64),
}

#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum DoneInput {
    IsDone(bool),
    Since(DateInput),
}

#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum FieldInput {
    Many(Vec<ValueInput>),
    One(ValueInput),
}

#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum ValueInput {
    Text(String),
    Number(f64),
    YesOrNo(bool),
    Reference(ReferenceInput),
    Date(DateValueInput),
}

/// Another note.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReferenceInput {
    /// Its id.
    #[schemars(rename = "ref")]
    pub reference: String,
}

/// A date.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DateValueInput {
    pub date: DateInput,
}

impl NoteInput {
    pub const NAME: &'static str = "note_input";
    /// The file of the committed schema, below `artifacts-schema/`.
    pub const SCHEMA_FILE: &'static str = "note_input.v1.schema.json";

    /// JSON Schema (2020-12) of one line, pretty-printed, with a final line break.
    pub fn schema_text() -> String {
        super::artifact::schema_text(schemars::schema_for!(NoteInput), Self::SCHEMA_FILE)
    }
}
