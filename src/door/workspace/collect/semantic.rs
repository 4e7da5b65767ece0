//! What is most like the question.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::ask::{Judgement, Question};
use super::super::likeness::Likeness;
use super::{Candidate, Collected, Site};
use crate::record::workspace::PayloadPart;
use crate::record::{BlockNo, Score};

/// Takes the best units. `in_focus` are blocks that the focus shows: they do not decide how like a unit has to be.
/// `elsewhere` are blocks that other parts show: they do not count towards the limit.
pub fn collect(
    site: &Site,
    question: &Question,
    likeness: &Likeness,
    in_focus: &FxHashSet<BlockNo>,
    elsewhere: &FxHashSet<BlockNo>,
) -> Collected {
    let limits = &site.profile.semantic;
    let units = best_of_units(site, question, likeness);
    let best = units.iter().filter(|(unit, _)| !in_focus.contains(unit)).map(|(_, score)| *score).max();
    let threshold = best.unwrap_or_default().times(limits.relative_lexical).max(limits.min_lexical);
    let mut found = Collected::default();
    let mut count = 0;
    for (unit, score) in units.into_iter().filter(|(_, score)| *score >= threshold) {
        let is_own = !elsewhere.contains(&unit);
        if is_own && count == limits.top_k {
            found.beyond.push(unit);
            continue;
        }
        count += u32::from(is_own);
        found.candidates.push(Candidate::new(PayloadPart::Semantic, unit, score));
    }
    found
}

/// Each unit with the score of its best block, the best first, then by id.
fn best_of_units(site: &Site, question: &Question, likeness: &Likeness) -> Vec<(BlockNo, Score)> {
    let Site { view, outline, profile, .. } = *site;
    let mut places: FxHashMap<BlockNo, usize> = FxHashMap::default();
    let mut units: Vec<(BlockNo, Score)> = Vec::new();
    for (block, score) in likeness.matching(view, question, profile.semantic.min_lexical) {
        let around = outline.unit(view, block);
        let fails = around != block && question.judge(view, around) == Judgement::Fails;
        let unit = if fails { block } else { around };
        if !site.admits(block) || !site.admits(unit) {
            continue;
        }
        let at = *places.entry(unit).or_insert_with(|| {
            units.push((unit, Score::default()));
            units.len() - 1
        });
        units[at].1 = units[at].1.max(score);
    }
    units.sort_by_key(|(unit, score)| (Reverse(*score), view.id(*unit)));
    units
}
