//! Matches the sections of a document with the rules of a section schema.

use std::collections::BTreeMap;

use super::schema::{Rule, SectionSchema};
use crate::document::heading::Fit;
use crate::record::Item;

/// A section whose heading matches a rule.
pub struct Section<'s> {
    pub rule: &'s Rule,
    pub item: &'s Item,
    /// The rule matches another section and allows only one.
    pub again: bool,
}

/// In the order of the text; a heading matches one rule at most. A rule that names the kind of the document wins over
/// one for all kinds, then one that names the whole heading, then the earlier rule. If a rule allows one heading and
/// several match, the first that it names whole is taken, else the first.
pub fn match_sections<'s>(kind: &str, items: &[&'s Item], schema: &'s SectionSchema) -> Vec<Section<'s>> {
    let rules = schema.rules_of(kind);
    let mut found: Vec<(Section, Fit)> = Vec::new();
    for item in items {
        let fitting = rules.iter().filter_map(|rule| Some((*rule, rule.fit(item)?)));
        if let Some((rule, fit)) = fitting.min_by_key(|(rule, fit)| (!rule.names(kind), *fit)) {
            found.push((Section { rule, item, again: !rule.multiple }, fit));
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
