//! What each intent changes: the order of sections, and how much the parts of a score weigh.

use crate::record::Score;
use crate::record::pack::SectionType::{self, *};
use crate::record::request::Intent;

/// Parts of the hybrid score; they add up to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    pub seed: Score,
    pub distance: Score,
    pub evidence: Score,
}

/// Seeds before what the graph adds.
const SEEDS_FIRST: Weights =
    Weights { seed: Score::percent(70), distance: Score::percent(20), evidence: Score::percent(10) };
/// Neighbours before seeds: the question is who is touched, not what it is.
const GRAPH_FIRST: Weights =
    Weights { seed: Score::percent(20), distance: Score::percent(50), evidence: Score::percent(30) };

/// Sections that come first; the others follow in their fixed order.
fn first(intent: Intent) -> &'static [SectionType] {
    match intent {
        Intent::Answer => &[Seeds, Callees, Callers, Imports, Docs],
        Intent::Summarize => &[Seeds, Exports, Docs, Imports],
        Intent::Refactor => &[Seeds, Usages, Callers, Tests, Exports],
        Intent::Debug => &[Seeds, Callers, Callees, Dataflow, Tests],
        Intent::Impact => &[Callers, Usages, Exports, Tests, Seeds],
        Intent::Contract => &[Exports, Seeds, Usages, Docs, Tests],
    }
}

pub fn sections(intent: Intent) -> Vec<SectionType> {
    let first = first(intent);
    let rest = SectionType::ALL.iter().copied().filter(|section| !first.contains(section));
    first.iter().copied().chain(rest).collect()
}

pub fn weights(intent: Intent) -> Weights {
    match graph_first(intent) {
        true => GRAPH_FIRST,
        false => SEEDS_FIRST,
    }
}

/// Whether what only the graph found may stand before what the query found.
pub fn graph_first(intent: Intent) -> bool {
    intent == Intent::Impact
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_intent_has_every_section_once() {
        use Intent::*;
        for intent in [Answer, Summarize, Refactor, Debug, Impact, Contract] {
            let mut all = sections(intent);
            all.sort();
            assert_eq!(all, SectionType::ALL);
        }
    }
}
