//! How relevant a block is to a request: five scores, weighed.

use super::affinity::UserAffinity;
use super::ask::Question;
use super::collect::Site;
use super::likeness::Likeness;
use super::now::Span;
use super::settings::Weights;
use crate::assemble::blocks::ReadableBlocks;
use crate::record::{BlockNo, Score};

/// What scores are made from.
pub struct Scorer<'s, 'b> {
    pub site: Site<'s, 'b>,
    pub question: &'s Question,
    pub likeness: &'s Likeness,
    pub affinity: &'s UserAffinity<'s>,
    pub range: Option<Span>,
    pub nearness: Nearness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scores {
    pub semantic: Score,
    pub structural: Score,
    pub recency: Score,
    pub type_match: Score,
    pub user_affinity: Score,
}

const UNKNOWN: Score = Score::percent(50);
const ONE: u32 = 1_000_000;
/// A block loses all of it in thirty days.
const RECENT_SECONDS: i64 = 2_592_000;
/// What is lost with each step from the focus.
const STEP: u32 = 100_000;

impl Scorer<'_, '_> {
    /// Of an item that shows some blocks, `block` first.
    pub fn scores(&self, block: BlockNo, shown: &[BlockNo], prior: Score) -> Scores {
        let Site { view, outline, .. } = self.site;
        let best = shown.iter().map(|shown| self.likeness.of(*shown)).max().unwrap_or_default();
        Scores {
            semantic: prior.max(best),
            structural: self.nearness.score(&self.site, block),
            recency: self.recency(shown),
            type_match: self.question.type_match(view, block),
            user_affinity: self.affinity.score(view, outline, block, shown.iter().copied()),
        }
    }

    fn recency(&self, shown: &[BlockNo]) -> Score {
        let view = self.site.view;
        if let Some(range) = &self.range {
            return in_range(view, shown, range);
        }
        let Some(newest) = shown.iter().filter_map(|block| view.modified_seconds(*block)).max() else {
            return UNKNOWN;
        };
        let left = RECENT_SECONDS - self.site.now.seconds.saturating_sub(newest).max(0);
        Score::millionths((left.max(0) * i64::from(ONE) / RECENT_SECONDS) as u32)
    }
}

fn in_range(view: &ReadableBlocks, shown: &[BlockNo], range: &Span) -> Score {
    let dates = |block: &BlockNo| [view.modified_seconds(*block), view.due_seconds(*block)];
    let mut dates = shown.iter().flat_map(dates).flatten().peekable();
    match (dates.peek().is_some(), dates.any(|date| range.holds(date))) {
        (false, _) => UNKNOWN,
        (true, true) => Score::ONE,
        (true, false) => Score::default(),
    }
}

impl Scores {
    pub fn relevance(&self, weights: &Weights) -> Score {
        let weighed = [
            (weights.semantic, self.semantic),
            (weights.structural, self.structural),
            (weights.recency, self.recency),
            (weights.type_match, self.type_match),
            (weights.user_affinity, self.user_affinity),
        ];
        let product =
            |(weight, score): &(Score, Score)| u64::from(weight.in_millionths()) * u64::from(score.in_millionths());
        let sum: u64 = weighed.iter().map(product).sum();
        Score::millionths((sum / u64::from(ONE)) as u32)
    }
}

/// The blocks from the focus up, as far as they count.
pub struct Nearness {
    focus: Option<BlockNo>,
    up: Vec<BlockNo>,
}

impl Nearness {
    pub fn new(site: &Site) -> Self {
        let focus = site.scope.focus();
        Nearness { focus, up: focus.map(|focus| chain(site, focus)).unwrap_or_default() }
    }

    fn score(&self, site: &Site, block: BlockNo) -> Score {
        if self.focus.is_none() {
            return UNKNOWN;
        }
        // Where the way up from the block meets the way up from the focus.
        let meets = |(steps, above): (usize, BlockNo)| {
            let from_focus = self.up.iter().position(|other| *other == above)?;
            Some(steps + from_focus)
        };
        let steps = chain(site, block).into_iter().enumerate().find_map(meets);
        let lost = steps.map_or(ONE, |steps| STEP * steps as u32);
        Score::millionths(ONE.saturating_sub(lost))
    }
}

/// A block and what is above it, as many steps as count.
fn chain(site: &Site, block: BlockNo) -> Vec<BlockNo> {
    let above = site.outline.ancestors(site.view, block);
    std::iter::once(block).chain(above).take((ONE / STEP) as usize).collect()
}
