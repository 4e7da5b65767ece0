//! Matches the headings of a document with the rules of a section schema.

use std::collections::BTreeMap;

use super::document::{Document, Head};
use super::schema::{Fit, Rule, SectionSchema};

/// A heading of a document.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'h> {
    pub level: u32,
    /// As it is written, without its marks.
    pub name: &'h str,
    /// The same without its markup.
    pub words: &'h str,
}

/// A heading that a rule names.
pub struct Matched<'s> {
    pub rule: &'s Rule,
    /// Its place among the headings.
    pub heading: usize,
    /// The rule names another heading and allows only one.
    pub again: bool,
}

/// In the order of the text; a heading matches one rule at most. A rule that names the kind of the document wins over
/// one for all kinds, then one that names the whole heading, then the earlier rule. If a rule allows one heading and
/// several match, the first that it names whole is taken, else the first.
pub fn match_sections<'s>(kind: &str, headings: &[Heading], schema: &'s SectionSchema) -> Vec<Matched<'s>> {
    let rules = schema.rules_of(kind);
    let mut found: Vec<(Matched, Fit)> = Vec::new();
    for (heading, text) in headings.iter().enumerate() {
        let fitting = rules.iter().filter_map(|rule| Some((*rule, rule.fit(text)?)));
        if let Some((rule, fit)) = fitting.min_by_key(|(rule, fit)| (!rule.names(kind), *fit)) {
            found.push((Matched { rule, heading, again: !rule.multiple }, fit));
        }
    }
    let mut best: BTreeMap<&str, (Fit, usize)> = BTreeMap::new();
    for (place, (section, fit)) in found.iter().enumerate() {
        let best = best.entry(&section.rule.id).or_insert((*fit, place));
        *best = (*best).min((*fit, place));
    }
    best.values().for_each(|(_, place)| found[*place].0.again = false);
    found.into_iter().map(|(section, _)| section).collect()
}

/// The rules of a document's sections, by where their names start in its text.
pub fn section_rules(document: &Document, schema: &SectionSchema) -> BTreeMap<u32, String> {
    let headings: Vec<Heading> = document.headings.iter().map(Head::heading).collect();
    let matched = match_sections(document.word("kind"), &headings, schema).into_iter();
    matched.map(|section| (document.headings[section.heading].name_start, section.rule.id.clone())).collect()
}
