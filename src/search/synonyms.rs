//! Adds words to a query that code uses for the same things.
//!
//! `synonyms.toml` has groups of words: short forms (`directory`, `dir`), spellings, and verbs and nouns that questions
//! use where code uses others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::corpus::Corpus;
use super::query::Query;
use super::weights::Weights;
use super::words::Analyser;

/// `synonyms.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    groups: Vec<Vec<String>>,
}

/// For each term of the table, the other terms of its groups.
static OTHERS: LazyLock<BTreeMap<String, BTreeSet<String>>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("synonyms.toml")).expect("the built-in synonyms are valid");
    let analyser = Analyser::default();
    let mut others: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for group in &table.groups {
        let terms: BTreeSet<String> = group.iter().filter_map(|word| analyser.terms(word).into_iter().next()).collect();
        for term in &terms {
            let rest = terms.iter().filter(|other| *other != term).cloned();
            others.entry(term.clone()).or_default().extend(rest);
        }
    }
    others
});

/// Adds the other words of the groups of each word in a sentence, and of each translated word, that the tree contains.
/// Names and code mean what they say.
pub fn add_synonyms(corpus: &Corpus, query: &mut Query, weights: &Weights) {
    let analyser = Analyser::default();
    let written = query.words.iter().filter(|word| word.is_prose && !word.is_name).map(|word| &word.text);
    let translated = query.translations.iter().flat_map(|translation| &translation.to);
    let terms: BTreeSet<String> = written.chain(translated).flat_map(|word| analyser.terms(word)).collect();
    let mut added: BTreeMap<&str, f64> = BTreeMap::new();
    for term in &terms {
        let weight = query.terms.get(term).copied().unwrap_or_default() * weights.synonym;
        for other in OTHERS.get(term).into_iter().flatten().filter(|other| corpus.holders(other) > 0) {
            let known = added.entry(other).or_default();
            *known = known.max(weight);
        }
    }
    for (term, weight) in added {
        let known = query.terms.entry(term.to_string()).or_default();
        *known = known.max(weight);
    }
}

/// Whether the tree contains another term of the groups of a term.
pub fn has_synonym(corpus: &Corpus, term: &str) -> bool {
    OTHERS.get(term).into_iter().flatten().any(|other| corpus.holders(other) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_leads_to_the_others_of_its_groups() {
        let others = |word: &str| -> Vec<&str> {
            let term = Analyser::default().terms(word).remove(0);
            OTHERS[&term].iter().map(String::as_str).collect()
        };
        assert_eq!(others("directories"), ["dir", "folder"]);
        assert_eq!(others("colour"), ["color"]);
        assert!(others("remove").contains(&"delet"), "words are compared by their stems");
    }

    #[test]
    fn every_group_has_several_words_and_none_leads_to_itself() {
        let table: Table = toml::from_str(include_str!("synonyms.toml")).unwrap();
        for group in &table.groups {
            let terms: BTreeSet<String> =
                group.iter().filter_map(|word| Analyser::default().terms(word).into_iter().next()).collect();
            assert!(terms.len() > 1, "{group:?}");
        }
        assert!(OTHERS.iter().all(|(term, others)| !others.contains(term)));
    }
}
