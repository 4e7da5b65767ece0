//! What is most like the question.

use std::cmp::Reverse;

use rustc_hash::FxHashSet;

use super::super::ask::{Judgement, Question};
use super::super::likeness::{FoundAs, Likeness};
use super::super::outline::class;
use super::{Candidate, Collected, Site};
use crate::record::workspace::PayloadPart;
use crate::record::{BlockClass, BlockNo, Score};

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
    let threshold = best(site, &units, in_focus).times(limits.relative_lexical).max(limits.min_lexical);
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

/// How like the question the best unit is. A title is so short that a page or a database is as like its words as no text
/// can be, so these decide only if there is nothing else.
fn best(site: &Site, units: &[(BlockNo, Score)], in_focus: &FxHashSet<BlockNo>) -> Score {
    let is_container = |unit: BlockNo| class(site.view, unit) == BlockClass::Container;
    let others = units.iter().filter(|(unit, _)| !in_focus.contains(unit));
    let key = |(unit, score): &(BlockNo, Score)| (!is_container(*unit), *score);
    others.map(key).max().map_or(Score::default(), |(_, score)| score)
}

/// Each unit with its score, the best first, then by id.
fn best_of_units(site: &Site, question: &Question, likeness: &Likeness) -> Vec<(BlockNo, Score)> {
    let Site { view, outline, profile, .. } = *site;
    let fails = |block: BlockNo| question.judge(view, block) == Judgement::Fails;
    let found_as = |block: BlockNo| {
        let around = outline.unit(view, block);
        let unit = if around != block && fails(around) { block } else { around };
        let is_found = !fails(block) && site.admits(block) && site.admits(unit);
        is_found.then(|| FoundAs { unit, heading: outline.heading(view, block) })
    };
    let is_meeting = |unit: BlockNo| question.judge(view, unit) == Judgement::Meets;
    let mut units = likeness.units(profile.semantic.scattered_lexical, found_as);
    units.retain(|(unit, score)| *score >= profile.semantic.min_lexical && !is_meeting(*unit));
    let tasks = likeness.meeting(&profile.semantic);
    units.extend(tasks.filter_map(|(task, score)| Some((found_as(task)?.unit, score))));
    // A part that meets the conditions is found as what is around it, as its other parts may be.
    units.sort_by_key(|(unit, score)| (view.place(*unit), Reverse(*score)));
    units.dedup_by_key(|(unit, _)| *unit);
    units.sort_by_key(|(unit, score)| (Reverse(*score), view.id(*unit)));
    units
}
