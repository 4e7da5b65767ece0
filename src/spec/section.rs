//! The sections of a document that rules name.

use std::collections::BTreeMap;

use super::document::{Document, Head};
use super::schema::{Rule, SectionSchema};
use crate::record::Digest;
use crate::text::RepoPath;

/// A heading that a rule names.
pub struct Matched<'d> {
    pub rule: &'d Rule,
    pub head: &'d Head,
    /// The rule has named one before it and allows no second.
    pub again: bool,
}

/// In the order of the text; a heading is of one rule at most. What names the kind wins over what is for all
/// kinds, then what names the heading whole, then the earlier rule.
pub fn sections<'d>(document: &'d Document, schema: &'d SectionSchema) -> Vec<Matched<'d>> {
    let kind = document.word("kind");
    let rules = schema.rules_of(kind);
    let mut found: Vec<Matched> = Vec::new();
    for head in &document.headings {
        let fitting = rules.iter().filter(|rule| rule.fits(head.level, &head.name));
        let best = fitting.min_by_key(|rule| (!rule.names(kind), rule.prefix));
        if let Some(rule) = best {
            let again = !rule.multiple && found.iter().any(|before| before.rule == *rule);
            found.push(Matched { rule, head, again });
        }
    }
    found
}

/// The rules of a document's sections, by where their names start in its text.
pub fn sections_of(path: &RepoPath, text: &str, schema: &SectionSchema) -> BTreeMap<u32, String> {
    let document = Document::read(path.clone(), text.to_string(), Digest::sha256(text.as_bytes()));
    let found = document.iter().flat_map(|document| sections(document, schema));
    found.map(|section| (section.head.name_start, section.rule.id.clone())).collect()
}
