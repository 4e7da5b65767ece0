//! A spec document as a page, and what its front matter adds to the facts: its id is a definition, what it links to are
//! mentions.

use super::front_matter::{REQUIRED, fields, links};
use crate::dialect::Page;
use crate::document::front_matter::{Block, Places};
use crate::document::spec_id::link_target;
use crate::language::{Complaint, Definition, Facts, Mention, capped_name, markdown_headings};
use crate::record::{Field, FieldValue, Kind, SpecRole};

/// Absent if the text is not a spec document.
pub fn read(text: &str) -> Option<Page<'_>> {
    let block = Block::find(text).filter(Block::is_of_spec)?;
    let fields = fields(&block).unwrap_or_else(|fault| {
        vec![Field::new(Field::FRONT_MATTER_ERROR, [FieldValue::at(fault.line, fault.reason)])]
    });
    let word = |key| Field::value(&fields, key).map_or("", FieldValue::as_str).to_string();
    Some(Page {
        kind: "spec",
        id: word("id"),
        title: word("spec_title"),
        front_lines: block.lines(),
        body_start: block.end,
        headings: markdown_headings(text),
        fields,
    })
}

/// Adds what the front matter of a spec document says.
pub fn annotate(page: &Page, text: &str, facts: &mut Facts) {
    let places = Places::new(text, page.front_lines);
    let value = |key| Field::value(&page.fields, key);
    facts.complaints.extend(complaints(&page.fields, &places));
    if let Some(id) = value("id") {
        let place = places.word(id.line_or_first(), &page.id);
        let mut spec = Definition::new(Kind::Spec, capped_name(&page.id).to_string(), place, places.whole);
        spec.value_type = Some(SpecRole::of_id(&page.id).name().into());
        facts.definitions.push(spec);
    }
    for link in links(&page.fields) {
        let target = link_target(link.text);
        if !target.is_empty() {
            facts.mentions.push(Mention::new(link.role, target.to_string(), places.word(link.line, target)));
        }
    }
    facts.settle();
}

fn complaints(fields: &[Field], places: &Places) -> Vec<Complaint> {
    if let Some(error) = Field::value(fields, Field::FRONT_MATTER_ERROR) {
        let message = format!("a spec document's front matter cannot be read: {}", error.as_str());
        return vec![Complaint { span: places.line(error.line_or_first()), message }];
    }
    let missing = REQUIRED.iter().filter(|key| Field::value(fields, key).is_none());
    let complaint = |key| Complaint { span: places.line(1), message: format!("a spec document has no `{key}`") };
    missing.map(complaint).collect()
}
