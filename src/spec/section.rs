//! The sections of a document that rules name.

use super::document::{Document, Head};
use super::schema::{Rule, SectionSchema};

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
