//! Ranks the units of a text: those come first that have the words of the query, that share words with the rest of the
//! text, and that stand early. Only the text and the query have an influence.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Kept;
use super::units::units;
use crate::search::{NumberedTerms, words};

/// Ranks units by one query.
pub struct Extractor {
    terms: NumberedTerms,
    /// Terms of the query have the numbers below it.
    query_count: u32,
}

/// The units of a text, with the order in which they are taken.
pub struct Ranking {
    units: Vec<Range<usize>>,
    /// Positions among the units, the best first.
    order: Vec<usize>,
}

/// Everything is in millionths.
const ONE: u64 = 1_000_000;

impl Extractor {
    pub fn new(query_terms: &BTreeSet<String>) -> Self {
        let mut terms = NumberedTerms::default();
        for term in query_terms {
            terms.number(term);
        }
        Extractor { query_count: terms.count() as u32, terms }
    }

    pub fn rank(&mut self, text: &str, is_code: bool) -> Ranking {
        let units = units(text, is_code);
        let terms: Vec<Vec<u32>> = units.iter().map(|unit| self.terms_of(&text[unit.clone()])).collect();
        let scores = self.scores(&terms);
        let mut order: Vec<usize> = (0..units.len()).collect();
        order.sort_by_key(|unit| Reverse(scores[*unit]));
        Ranking { units, order }
    }

    /// The distinct terms of a unit.
    fn terms_of(&mut self, unit: &str) -> Vec<u32> {
        let mut all = Vec::new();
        for (_, word) in words(unit) {
            let list = self.terms.of_word(word);
            all.extend_from_slice(self.terms.list(list));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// By unit: half for the query, three tenths for what it shares with other units, two for its place.
    fn scores(&self, units: &[Vec<u32>]) -> Vec<u64> {
        let mut counts: FxHashMap<u32, u64> = FxHashMap::default();
        units.iter().flatten().for_each(|term| *counts.entry(*term).or_default() += 1);
        let count = units.len() as u64;
        let score = |(place, terms): (usize, &Vec<u32>)| {
            let asked = terms.iter().filter(|term| **term < self.query_count).count() as u64;
            let others: u64 = terms.iter().map(|term| counts[term] - 1).sum();
            let query = share(asked, u64::from(self.query_count));
            let common = share(others, terms.len() as u64 * (count - 1));
            let early = share(count - place as u64, count);
            (5 * query + 3 * common + 2 * early) / 10
        };
        units.iter().enumerate().map(score).collect()
    }
}

/// 0 of nothing.
fn share(part: u64, whole: u64) -> u64 {
    (ONE * part).checked_div(whole).unwrap_or(0)
}

impl Ranking {
    pub fn count(&self) -> usize {
        self.units.len()
    }

    pub fn best(&self) -> Option<Range<usize>> {
        self.order.first().map(|unit| self.units[*unit].clone())
    }

    /// So many of the best, in their order in the text, with what stands between neighbours.
    pub fn best_units(&self, count: usize) -> Kept {
        let mut taken = self.order[..count].to_vec();
        taken.sort_unstable();
        let runs = taken.chunk_by(|unit, next| unit + 1 == *next);
        runs.map(|run| self.units[run[0]].start..self.units[run[run.len() - 1]].end).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(query: &[&str], text: &str) -> Vec<usize> {
        let terms = query.iter().map(ToString::to_string).collect();
        Extractor::new(&terms).rank(text, false).order
    }

    #[test]
    fn units_of_the_query_come_first_then_what_others_repeat_then_early_ones() {
        assert_eq!(order(&[], "One. Two. Three."), [0, 1, 2]);
        assert_eq!(order(&["renew"], "Ship it. Pay now. Renewed certificates."), [2, 0, 1]);
        assert_eq!(order(&[], "Budget. Weather news. Budget plan. Plan weather budget."), [0, 2, 1, 3]);
    }

    #[test]
    fn scores_are_as_they_are_documented() {
        let mut extractor = Extractor::new(&["plan".to_string(), "other".to_string()].into());
        let units: Vec<Vec<u32>> =
            ["plan budget", "budget", ""].into_iter().map(|unit| extractor.terms_of(unit)).collect();
        // Half of the query; one of two terms in one of two other units; the first of three.
        let first = (5 * 500_000 + 3 * (ONE / 4) + 2 * ONE) / 10;
        let second = (3 * (ONE / 2) + 2 * (ONE * 2 / 3)) / 10;
        assert_eq!(extractor.scores(&units), [first, second, 2 * (ONE / 3) / 10]);
    }

    #[test]
    fn neighbours_keep_what_stands_between_them() {
        let text = "One.  Two.\nThree. Four.";
        let ranking = Extractor::new(&["four".to_string()].into()).rank(text, false);
        let best = |count| ranking.best_units(count).into_iter().map(|part| &text[part]).collect::<Vec<_>>();
        assert_eq!(best(2), ["One.", "Four."]);
        assert_eq!(best(3), ["One.  Two.", "Four."]);
        assert_eq!(best(4), [text]);
    }
}
