//! A spec document's front matter: its id is a definition, what it links to are mentions.

use super::front_matter::{self, FieldValue, Found, LinkKind, REQUIRED};
use crate::document::spec_id::link_target;
use crate::language::{Complaint, Definition, Facts, Mention, capped_name};
use crate::record::{Kind, Role, SpecRole};
use crate::text::{LineIndex, Span};

/// Adds what the front matter of a text says, if it is a spec document's.
pub fn annotate(text: &str, facts: &mut Facts) {
    let Some(found) = front_matter::find(text) else { return };
    add(found, &LineIndex::new(text), facts);
    facts.settle();
}

fn add(found: Found, lines: &LineIndex, facts: &mut Facts) {
    let text = lines.text();
    let end = lines.start(found.lines.end) as usize;
    let whole = Span::new(0, text[..end].trim_end().len());
    let front = match found.front {
        Ok(front) => front,
        Err(fault) => {
            let span = line_span(fault.line, whole, lines);
            let message = format!("a spec document's front matter cannot be read: {}", fault.reason);
            return facts.complaints.push(Complaint { span, message });
        }
    };
    for key in REQUIRED.iter().filter(|key| !front.words.contains_key(**key)) {
        let message = format!("a spec document has no `{key}`");
        facts.complaints.push(Complaint { span: line_span(1, whole, lines), message });
    }
    if let Some(value) = front.words.get("id") {
        let name = capped_name(&value.text).to_string();
        let mut spec = Definition::new(Kind::Spec, name, place(value, &value.text, whole, lines), whole);
        spec.value_type = Some(SpecRole::of_id(&value.text).name().into());
        facts.definitions.push(spec);
    }
    for (kind, value) in front.links() {
        let role = match kind {
            LinkKind::Trace => Role::Trace,
            LinkKind::ReadNext => Role::ReadNext,
        };
        let target = link_target(&value.text);
        if !target.is_empty() {
            facts.mentions.push(Mention::new(role, target.to_string(), place(value, target, whole, lines)));
        }
    }
}

/// The span of a word, or of its whole line when the word is not written there.
fn place(value: &FieldValue, word: &str, whole: Span, lines: &LineIndex) -> Span {
    let start = lines.start(value.line - 1) as usize;
    match lines.text()[start..whole.end as usize].find(word) {
        Some(at) => Span::new(start + at, start + at + word.len()),
        None => line_span(value.line, whole, lines),
    }
}

/// A line of the front matter, from 1.
fn line_span(line: u32, whole: Span, lines: &LineIndex) -> Span {
    let start = lines.start(line - 1).min(whole.end);
    let text = &lines.text()[start as usize..whole.end as usize];
    Span::new(start as usize, start as usize + text.lines().next().map_or(0, str::len))
}
