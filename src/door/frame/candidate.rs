//! The surest value of each slot.

use super::extraction::{Claim, check};
use crate::record::Score;
use crate::record::frame::Slot;

/// A value that a rule found. Both texts are parts of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'t> {
    pub slot: Slot,
    pub value: &'t str,
    pub quote: &'t str,
    pub rule: &'static str,
    pub percent: u32,
}

/// The candidates so far, and whether something was asked.
#[derive(Debug, Default)]
pub struct Pool<'t> {
    best: [Option<Candidate<'t>>; 4],
    pub is_question: bool,
}

impl<'t> Pool<'t> {
    /// Of equals the first stays; of actions the last. What the validator would reject does not count.
    pub fn offer(&mut self, candidate: Candidate<'t>) {
        let value = candidate.value.trim();
        let candidate = Candidate { value, quote: candidate.quote.trim(), ..candidate };
        let best = &mut self.best[candidate.slot as usize];
        let is_better = best.as_ref().is_none_or(|best| match candidate.slot {
            Slot::DesiredAction => candidate.percent >= best.percent,
            _ => candidate.percent > best.percent,
        });
        let claim = Claim { value: candidate.value, quote: candidate.quote };
        if is_better && check(candidate.slot, claim, &[candidate.quote]).is_ok() {
            *best = Some(candidate);
        }
    }

    pub fn best(&self, slot: Slot) -> Option<Candidate<'t>> {
        self.best[slot as usize]
    }
}

impl Candidate<'_> {
    pub fn confidence(&self) -> Score {
        Score::percent(self.percent)
    }
}
