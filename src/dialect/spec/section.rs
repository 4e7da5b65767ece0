//! The sections of a document that rules name.

use std::collections::BTreeMap;

use super::document::{Document, Head};
use super::schema::{Fit, Rule, SectionSchema};

/// A heading that a rule names.
pub struct Matched<'d> {
    pub rule: &'d Rule,
    pub head: &'d Head,
    /// The rule names another one and allows no second.
    pub again: bool,
}

/// In the order of the text; a heading is of one rule at most. What names the kind wins over what is for all
/// kinds, then what names the heading whole, then the earlier rule. Of several headings of a rule that allows but one,
/// the first that it names whole is the one, else the first.
pub fn sections<'d>(document: &'d Document, schema: &'d SectionSchema) -> Vec<Matched<'d>> {
    let kind = document.word("kind");
    let rules = schema.rules_of(kind);
    let mut found: Vec<(Matched, Fit)> = Vec::new();
    for head in &document.headings {
        let fitting = rules.iter().filter_map(|rule| Some((*rule, rule.fit(head)?)));
        if let Some((rule, fit)) = fitting.min_by_key(|(rule, fit)| (!rule.names(kind), *fit)) {
            found.push((Matched { rule, head, again: !rule.multiple }, fit));
        }
    }
    let mut best: BTreeMap<&str, (Fit, usize)> = BTreeMap::new();
    for (at, (section, fit)) in found.iter().enumerate() {
        let best = best.entry(&section.rule.id).or_insert((*fit, at));
        *best = (*best).min((*fit, at));
    }
    best.values().for_each(|(_, at)| found[*at].0.again = false);
    found.into_iter().map(|(section, _)| section).collect()
}

/// The rules of a document's sections, by where their names start in its text.
pub fn section_rules(document: &Document, schema: &SectionSchema) -> BTreeMap<u32, String> {
    let found = sections(document, schema).into_iter();
    found.map(|section| (section.head.name_start, section.rule.id.clone())).collect()
}
