//! A spec document as a page, and what its front matter adds to the facts: its id is a definition, what it links to are
//! mentions.

use super::front_matter::{REQUIRED, fields, links};
use crate::dialect::{Details, Page};
use crate::document::front_matter::{Block, Places};
use crate::document::spec_id::link_target;
use crate::language::{Complaint, Definition, Facts, Mention, capped_name, markdown_headings};
use crate::record::{Field, FieldValue, Kind, ProblemCode, SpecRole};
use crate::text::Span;

/// Absent if the text is not a spec document.
pub fn read(text: &str) -> Option<Page> {
    let block = Block::find(text).filter(Block::is_of_spec)?;
    let fields = fields(&block).unwrap_or_else(|fault| {
        vec![Field::new(Field::FRONT_MATTER_ERROR, [FieldValue::at(fault.line, fault.reason)])]
    });
    let word = |key| Field::value(&fields, key).map_or("", FieldValue::as_str).to_string();
    Some(Page {
        kind: "spec",
        id: word("id"),
        title: word("spec_title"),
        front_lines: Some(block.lines()),
        body_start: block.end,
        parts: Page::sections(&markdown_headings(text), text),
        hidden_lines: Vec::new(),
        details: Details { fields, ..Details::default() },
    })
}

/// Adds what the front matter of a spec document says.
pub fn annotate(page: &Page, text: &str, facts: &mut Facts) {
    let Some(front_lines) = page.front_lines else { return };
    let fields = &page.details.fields;
    let places = Places::new(text, front_lines);
    let value = |key| Field::value(fields, key);
    facts.complaints.extend(complaints(fields, &places));
    if let Some(id) = value("id") {
        let place = places.word(id.line_or_first(), &page.id);
        let mut spec = Definition::new(Kind::Spec, capped_name(&page.id).to_string(), place, places.whole);
        spec.value_type = Some(SpecRole::of_id(&page.id).name().into());
        facts.definitions.push(spec);
    }
    for link in links(fields) {
        let target = link_target(link.text);
        if !target.is_empty() {
            facts.mentions.push(Mention::new(link.role, target.to_string(), places.word(link.line, target)));
        }
    }
    facts.settle();
}

fn complaint(span: Span, message: String) -> Complaint {
    Complaint { code: ProblemCode::Spec, span, message }
}

fn complaints(fields: &[Field], places: &Places) -> Vec<Complaint> {
    if let Some(error) = Field::value(fields, Field::FRONT_MATTER_ERROR) {
        let message = format!("a spec document's front matter cannot be read: {}", error.as_str());
        return vec![complaint(places.line(error.line_or_first()), message)];
    }
    let missing = REQUIRED.iter().filter(|key| Field::value(fields, key).is_none());
    missing.map(|key| complaint(places.line(1), format!("a spec document has no `{key}`"))).collect()
}
