//! Exports of notes: one JSON file that holds many. What all of them give, whatever program wrote them.

/// The keys at the beginning of JSON that may be cut off.
pub mod head;
/// Values of JSON as they are written, with their places.
pub mod json;
mod outline;
mod troubles;

use std::borrow::Cow;

use crate::record::{Date, Field, Role, SymbolId};
use crate::text::{Span, fold};

pub use outline::{Dates, Forest, NONE, OpenNotes, Place};
pub use troubles::{Trouble, Troubles};

/// What one export says. Notes are made one by one, because a large export has millions.
pub struct Export<'t> {
    pub workspace: Workspace,
    /// In the order of the outline: a parent comes before the notes in it.
    pub notes: Box<dyn Iterator<Item = Note<'t>> + 't>,
    pub troubles: Vec<Trouble>,
}

/// The export as a whole is not what its beginning promises.
#[derive(Debug, PartialEq, Eq)]
pub struct ExportFault(pub String);

/// Where the ids of an export are unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The word for the program in ids, and the language of the chunks.
    pub program: &'static str,
    /// Has no white space; `.` if the export does not name it.
    name: String,
}

/// One note, tag or container.
#[derive(Clone, Debug, PartialEq)]
pub struct Note<'t> {
    pub id: Cow<'t, str>,
    /// Where its id stands.
    pub id_span: Span,
    /// Its JSON object.
    pub span: Span,
    pub class: NoteClass,
    /// May have several lines; empty if it has none.
    pub name: String,
    /// What people see where there is room for one line.
    pub title: String,
    /// What it says below its name; may be empty.
    pub content: String,
    /// What the program calls its kind.
    pub note_type: Option<Cow<'t, str>>,
    /// Own tags as people see them, without `#`.
    pub tags: Vec<String>,
    pub fields: Vec<Field>,
    pub links: Vec<NoteLink>,
    /// The place of its parent among the notes.
    pub parent: Option<u32>,
    pub depth: u32,
    pub unit: bool,
    pub created: Option<Date>,
    pub modified: Option<Date>,
    pub due: Option<Date>,
    pub done: Option<bool>,
    pub aliases: Vec<String>,
}

/// Something that a note names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteLink {
    pub role: Role,
    /// The id of another note, or the folded name of a tag that has no id.
    pub target: String,
    /// The name of the field, or `search` for what a saved search found.
    pub receiver: Option<String>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteClass {
    Note,
    Tag,
    /// A place of the program that only holds notes.
    Container,
}

impl NoteClass {
    /// The kind of its item.
    pub fn word(self) -> &'static str {
        match self {
            NoteClass::Note => "note",
            NoteClass::Tag => "tag",
            NoteClass::Container => "container",
        }
    }
}

impl Workspace {
    pub fn new(program: &'static str, name: &str) -> Self {
        let name: Vec<&str> = name.split(|c: char| c.is_whitespace() || c.is_control()).collect();
        let name = name.join("-");
        Workspace { program, name: if name.is_empty() { ".".to_string() } else { name } }
    }

    /// The symbol of a note. It has no path in it, so that a renamed export keeps its notes.
    pub fn symbol_id(&self, id: &str) -> SymbolId {
        let Workspace { program, name } = self;
        let symbol = format!("scip:contextpack {program} {name} . `{}`.", id.replace('`', "``"));
        SymbolId::try_from(symbol).expect("no part is empty")
    }
}

/// What is shown of a note without a name.
pub const UNTITLED: &str = "(untitled)";
/// Longer names are cut where they stand for the note.
const MAX_TITLE_CHARS: usize = 400;

/// A name on one line, as people see it.
pub fn title(name: &str) -> String {
    shortened(name, MAX_TITLE_CHARS)
}

/// A name on one line with at most so many characters.
pub fn shortened(name: &str, max_chars: usize) -> String {
    let name = name.trim();
    let shown = cut(name, max_chars);
    let line = crate::text::one_line(shown).split_whitespace().collect::<Vec<_>>().join(" ");
    match line {
        line if line.is_empty() => UNTITLED.to_string(),
        line if shown.len() < name.len() => line + "…",
        line => line,
    }
}

/// The first characters of a text.
fn cut(text: &str, max_chars: usize) -> &str {
    text.char_indices().nth(max_chars).map_or(text, |(end, _)| &text[..end])
}

/// The first date of the fields that say when something is due.
pub fn due(fields: &[Field]) -> Option<Date> {
    let is_due = |field: &&Field| matches!(fold(&field.name).as_str(), "due" | "due date");
    let mut values = fields.iter().filter(is_due).flat_map(|field| &field.values);
    values.find_map(|value| value.date.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_one_line() {
        assert_eq!(title("  one\n\ttwo  "), "one two");
        assert_eq!(title(" \n"), UNTITLED);
        assert_eq!(shortened("äöü abc", 5), "äöü a…");
        assert_eq!(shortened("äöü a", 5), "äöü a");
    }

    #[test]
    fn ids_of_notes_are_symbols() {
        let id = |workspace: &str, id: &str| Workspace::new("nodes", workspace).symbol_id(id).to_string();
        assert_eq!(id("crm", "a7"), "scip:contextpack nodes crm . `a7`.");
        assert_eq!(id("my crm", "a `7`"), "scip:contextpack nodes my-crm . `a ``7```.");
        assert_eq!(id("", ""), "scip:contextpack nodes . . ``.");
    }
}
