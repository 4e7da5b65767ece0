//! What a request asks for. Only as much as the collectors need until the module itself is merged.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::blocks::ReadableBlocks;
use crate::door::workspace::Profile;
use crate::record::workspace::ContextRequest;
use crate::record::{BlockNo, Date, Score};
use crate::search::{Analyser, words};

#[derive(Default)]
pub struct Intents {}

pub struct Question {
    terms: BTreeSet<String>,
    today: Date,
    is_overdue: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    NoCondition,
    NotATask,
    Meets,
    Fails,
}

impl Question {
    pub fn new(
        view: &ReadableBlocks,
        request: &ContextRequest,
        profile: &Profile,
        _: &Intents,
        focus: Option<BlockNo>,
        focus_text: &str,
        today: Date,
    ) -> Question {
        let analyser = Analyser::default();
        let asked = words(&request.query).flat_map(|(_, word)| analyser.terms(word)).filter(|term| term != "overdu");
        let title = focus.map(|focus| view.title(focus).unwrap_or(focus_text)).unwrap_or_default();
        let of_focus =
            words(title).flat_map(|(_, word)| analyser.terms(word)).take(profile.semantic.focus_terms as usize);
        let terms = asked.chain(of_focus).filter(|term| !view.matches(term).is_empty()).collect();
        Question { terms, today, is_overdue: request.query.contains("overdue") }
    }

    pub fn terms(&self) -> &BTreeSet<String> {
        &self.terms
    }

    pub fn intents(&self) -> &[String] {
        &[]
    }

    pub fn asks_for_archived(&self) -> bool {
        self.terms.contains("archiv") || self.terms.contains("templat")
    }

    pub fn likeness(&self, view: &ReadableBlocks) -> Vec<(BlockNo, Score)> {
        let mut sums: BTreeMap<BlockNo, f64> = BTreeMap::new();
        let mut most = 0.0;
        for term in &self.terms {
            let matches = view.matches(term);
            let (all, own) = (view.text_count() as f64, matches.len() as f64);
            let idf = libm::log(1.0 + (all - own + 0.5).max(0.1) / (own + 0.5));
            most += idf;
            for found in matches {
                let length = f64::from(view.words(found.block)) / view.mean_words();
                let tf = (f64::from(found.count) + if found.in_title { 2.0 } else { 0.0 }) / (0.25 + 0.75 * length);
                *sums.entry(found.block).or_default() += idf * tf / (tf + 1.2);
            }
        }
        let score = |sum: f64| Score::millionths((1e6 * sum / most) as u32);
        sums.into_iter().map(|(block, sum)| (block, score(sum))).collect()
    }

    pub fn judge(&self, view: &ReadableBlocks, block: BlockNo) -> Judgement {
        if !self.is_overdue {
            return Judgement::NoCondition;
        }
        if !view.is_task(block) {
            return Judgement::NotATask;
        }
        let is_late = view.due(block).is_some_and(|due| due.as_str()[..10] < self.today.as_str()[..10]);
        if is_late && view.done(block) == Some(false) { Judgement::Meets } else { Judgement::Fails }
    }

    pub fn meeting(&self, view: &ReadableBlocks) -> Vec<BlockNo> {
        let meets = |block: &BlockNo| self.judge(view, *block) == Judgement::Meets;
        view.in_order().iter().copied().filter(meets).collect()
    }

    pub fn type_match(&self, _: &ReadableBlocks, _: BlockNo) -> Score {
        Score::percent(50)
    }
}
