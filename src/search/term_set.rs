//! The terms of a query, for finding them in a text that is not indexed.

use std::collections::BTreeSet;

use super::words::{Analyser, words};

pub struct TermSet {
    analyser: Analyser,
    terms: BTreeSet<String>,
}

impl TermSet {
    pub fn new(query: &str) -> Self {
        let analyser = Analyser::default();
        let terms = words(query).flat_map(|(_, word)| analyser.terms(word)).collect();
        TermSet { analyser, terms }
    }

    /// Whether a text contains any of the terms.
    pub fn occurs_in(&self, text: &str) -> bool {
        words(text).flat_map(|(_, word)| self.analyser.terms(word)).any(|term| self.terms.contains(&term))
    }
}
