//! The fields of notes, as briefs show them.

use super::content::PrintedLines;
use crate::assemble::notes::{NoteIndex, is_or_begins, plain_name};
use crate::graph::adjacency::Direction;
use crate::record::brief::BriefValue;
use crate::record::{EdgeType, Field, FieldValue, Item, NodeNo};
use crate::text::fold;

/// A field with values that are texts.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownField {
    pub name: String,
    pub values: Vec<BriefValue>,
    /// Whether the text of the note says it already, or says nothing about the topic.
    pub is_hidden: bool,
}

impl ShownField {
    pub fn texts(&self) -> (&str, Vec<&str>) {
        (&self.name, self.values.iter().map(|value| value.text.as_str()).collect())
    }
}

/// Fields that say when a note was changed, as its date does.
const MODIFIED: [&str; 7] =
    ["modified", "updated", "updated-at", "last-modified", "lastmod", "date-modified", "date-updated"];
/// The field that lists a note's attachments.
const ATTACHMENTS: &str = "attachments";
/// Fields that say how to read a note and are no part of it.
const RESERVED: [&str; 5] =
    [ATTACHMENTS, "template", Field::HIDDEN_LINES, Field::WHITE_LINES, Field::FRONT_MATTER_ERROR];

/// Fields that steer how a program shows or publishes a note.
const DISPLAY: [&str; 4] = ["cssclass", "cssclasses", "permalink", "publish"];

/// The fields of a note that have values. `text` are the lines of its text.
pub fn shown_fields(index: &NoteIndex, item: &Item, printed: &PrintedLines, text: &[String]) -> Vec<ShownField> {
    let is_shown = |field: &&Field| !RESERVED.contains(&field.name.as_str());
    let is_date_of_note = |field: &Field| {
        MODIFIED.contains(&plain_name(&field.name).as_str())
            && field.values.iter().all(|value| value.date.is_some() && value.date == item.modified)
    };
    let first_paragraph = first_paragraph(text);
    let shown = item.fields.iter().filter(is_shown).map(|field| {
        let linked = linked_notes(index, item, &field.name);
        let values: Vec<BriefValue> = field.values.iter().map(|value| shown_value(index, value, &linked)).collect();
        let is_printed = is_printed(&field.values, printed) || is_repeated(&values, &first_paragraph);
        let is_hidden = is_printed || is_date_of_note(field) || DISPLAY.contains(&plain_name(&field.name).as_str());
        ShownField { name: field.name.clone(), values, is_hidden }
    });
    shown.filter(|field| field.values.iter().any(|value| !value.text.is_empty())).collect()
}

/// Whether all values stand on lines that are shown.
fn is_printed(values: &[FieldValue], printed: &PrintedLines) -> bool {
    let is_shown = |value: &FieldValue| value.line.is_some_and(|line| printed.shows(line));
    !values.is_empty() && values.iter().all(is_shown)
}

/// Shorter values may be in a text by chance.
const MIN_REPEATED_CHARS: usize = 20;

/// Whether the first paragraph of the text says the only value again, as descriptions of pages often do.
fn is_repeated(values: &[BriefValue], first_paragraph: &str) -> bool {
    let [BriefValue { text, .. }] = values else { return false };
    let is_long = text.chars().nth(MIN_REPEATED_CHARS).is_some();
    is_long && first_paragraph.contains(&*fold(text))
}

fn first_paragraph(lines: &[String]) -> String {
    let lines: Vec<&str> = lines.iter().map(String::as_str).take_while(|line| !line.is_empty()).collect();
    fold(&lines.join(" "))
}

/// The notes that the links in a field lead to.
fn linked_notes(index: &NoteIndex, item: &Item, field: &str) -> Vec<NodeNo> {
    let Some(node) = index.graph.node(item.node_id.as_str()) else { return Vec::new() };
    let edges = index.graph.neighbours(node, Direction::Out, EdgeType::Field);
    let edges = edges.filter(|edge| index.graph.label(edge.edge) == Some(field));
    edges.map(|edge| edge.node).collect()
}

/// A value that is another note is shown by that note's name. A dialect that does not know the note gives the text of the
/// link; then `linked` has the note of that name.
fn shown_value(index: &NoteIndex, value: &FieldValue, linked: &[NodeNo]) -> BriefValue {
    let named = || {
        let text = value.text.as_deref().map(fold)?;
        linked.iter().copied().find(|node| fold(index.name(*node)) == text || fold(index.id(*node)) == text)
    };
    let target = value.reference.as_ref().map_or_else(named, |id| index.graph.node(id.as_str()));
    let unknown = value.reference.as_ref().map(|id| id.to_string());
    let reference = target.map(|node| index.id(node).to_string()).or(unknown);
    let name = target.map(|node| index.name(node)).filter(|name| !name.is_empty());
    let date = value.date.as_ref().map(|date| date.as_str());
    let text = value.text.as_deref().or(name).or(date).or(reference.as_deref()).unwrap_or_default().to_string();
    BriefValue { date: value.date.clone(), reference, text }
}

/// The paths of attachments that the text of the note does not name already.
pub fn unnamed_attachments(item: &Item, printed: &PrintedLines) -> Vec<String> {
    let all = item.field(ATTACHMENTS).unwrap_or_default();
    if is_printed(all, printed) { Vec::new() } else { attachments(item) }
}

pub fn attachments(item: &Item) -> Vec<String> {
    item.field(ATTACHMENTS).unwrap_or_default().iter().map(|value| value.as_str().to_string()).collect()
}

/// Whether a lens shows a field.
pub fn is_wanted(wanted: &[String], name: &str) -> bool {
    let name = plain_name(name);
    wanted.iter().any(|wanted| wanted == "*" || is_or_begins(&name, &plain_name(wanted), '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_that_the_text_starts_with_is_not_shown_again() {
        let value = |text: &str| BriefValue { date: None, reference: None, text: text.to_string() };
        let text = first_paragraph(&["Properties organize  information".to_string(), "about a note.".to_string()]);
        assert!(is_repeated(&[value("Properties organize information about")], &text));
        assert!(!is_repeated(&[value("Properties")], &text), "too short");
        assert!(!is_repeated(&[value("Tags organize information about notes")], &text));
    }

    #[test]
    fn a_lens_names_fields_by_their_beginning() {
        let wanted = ["due".to_string(), "Blocked_by".to_string()];
        for (name, expected) in
            [("Due date", true), ("due", true), ("Duet", false), ("blocked by", true), ("Status", false)]
        {
            assert_eq!(is_wanted(&wanted, name), expected, "{name}");
        }
        assert!(is_wanted(&["*".to_string()], "anything"));
    }
}
