//! Numbers terms, so that each word is split and stemmed once.

use std::ops::Range;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::words::Analyser;

/// Terms, numbered in the order in which they first occur.
pub type TermList = IndexSet<String, FxBuildHasher>;

/// The terms of all words so far.
#[derive(Default)]
pub struct NumberedTerms {
    analyser: Analyser,
    /// The range in `lists` with the terms of each known word.
    words: FxHashMap<String, (u32, u32)>,
    lists: Vec<u32>,
    terms: TermList,
}

impl NumberedTerms {
    /// Where [`NumberedTerms::list`] has the distinct terms of a word.
    pub fn of_word(&mut self, word: &str) -> Range<usize> {
        let (start, end) = match self.words.get(word) {
            Some(list) => *list,
            None => self.add_word(word),
        };
        start as usize..end as usize
    }

    pub fn list(&self, range: Range<usize>) -> &[u32] {
        &self.lists[range]
    }

    /// The number of a term, which becomes known if it was not.
    pub fn number(&mut self, term: &str) -> u32 {
        number(&mut self.terms, term)
    }

    /// How many terms are known.
    pub fn count(&self) -> usize {
        self.terms.len()
    }

    pub fn into_terms(self) -> TermList {
        self.terms
    }

    fn add_word(&mut self, word: &str) -> (u32, u32) {
        let NumberedTerms { analyser, lists, terms, .. } = self;
        let start = lists.len();
        analyser.each_term(word, &mut |term| {
            let number = number(terms, term);
            if !lists[start..].contains(&number) {
                lists.push(number);
            }
        });
        let list = (start as u32, lists.len() as u32);
        self.words.insert(word.to_string(), list);
        list
    }
}

fn number(terms: &mut TermList, term: &str) -> u32 {
    terms.get_index_of(term).unwrap_or_else(|| terms.insert_full(term.to_string()).0) as u32
}

#[cfg(test)]
mod tests {
    use super::NumberedTerms;

    #[test]
    fn a_term_has_one_number() {
        let mut terms = NumberedTerms::default();
        let budget = terms.number("budget");
        let words: Vec<Vec<u32>> = ["budgets", "the", "tokenBudget", "budgets"]
            .into_iter()
            .map(|word| {
                let range = terms.of_word(word);
                terms.list(range).to_vec()
            })
            .collect();
        assert_eq!(words, [vec![budget], vec![], vec![1, 2, budget], vec![budget]]);
        assert_eq!(terms.into_terms().into_iter().collect::<Vec<_>>(), ["budget", "tokenbudget", "token"]);
    }
}
