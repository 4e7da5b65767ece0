//! The terms of a query, for finding them in a text that is not indexed.

use std::collections::BTreeSet;

use super::words::{Analyser, words};

pub struct TermSet {
    analyser: Analyser,
    terms: BTreeSet<String>,
    /// The words of the query with their terms, each once.
    words: Vec<(String, Vec<String>)>,
}

impl TermSet {
    pub fn new(query: &str) -> Self {
        let analyser = Analyser::default();
        let mut known = BTreeSet::new();
        let words = words(query).filter(|(_, word)| known.insert(word.to_lowercase()));
        let words: Vec<(String, Vec<String>)> =
            words.map(|(_, word)| (word.to_string(), analyser.terms(word))).collect();
        let terms = words.iter().flat_map(|(_, terms)| terms).cloned().collect();
        TermSet { analyser, terms, words }
    }

    /// Whether a text contains any of the terms.
    pub fn occurs_in(&self, text: &str) -> bool {
        words(text).flat_map(|(_, word)| self.analyser.terms(word)).any(|term| self.terms.contains(&term))
    }

    /// The words of the query that a text contains, each with its terms, in the order of the query.
    pub fn words_in(&self, text: &str) -> Vec<(&str, &[String])> {
        let contained = words(text).flat_map(|(_, word)| self.analyser.terms(word));
        let contained: BTreeSet<String> = contained.filter(|term| self.terms.contains(term)).collect();
        let is_contained = |terms: &[String]| !terms.is_empty() && terms.iter().all(|term| contained.contains(term));
        let found = self.words.iter().filter(|(_, terms)| is_contained(terms));
        found.map(|(word, terms)| (word.as_str(), terms.as_slice())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_their_terms() {
        let terms = TermSet::new("how are Redirects of user_name built? redirects");
        let found = |text| terms.words_in(text).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        assert_eq!(found("let redirect = userName;"), ["Redirects", "user_name"]);
        assert_eq!(found("the user"), Vec::<&str>::new());
    }
}
