//! Collects what may be shown for a request. Each part of a payload has a collector.

pub mod activity;
pub mod focus;
pub mod relations;
pub mod semantic;

use super::content::{Content, Contents, Shape};
use super::now::Now;
use super::outline::Outline;
use super::scope::Scope;
use crate::assemble::blocks::ReadableBlocks;
use crate::record::workspace::{ContextRequest, PayloadPart};
use crate::record::{BlockNo, Score};

use super::Profile;

/// What collectors look at.
#[derive(Clone, Copy)]
pub struct Site<'s, 'b> {
    pub view: &'s ReadableBlocks<'b>,
    pub outline: &'s Outline,
    pub scope: &'s Scope,
    pub request: &'s ContextRequest,
    pub profile: &'s Profile,
    pub now: &'s Now,
}

/// A block that may be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub part: PayloadPart,
    pub block: BlockNo,
    pub shape: Shape,
    pub prior: Score,
    /// Whether it is shown whole or not at all.
    pub is_whole: bool,
    /// How links lead to it, nearest to the focus first.
    pub edges: Vec<String>,
}

/// What a collector found.
#[derive(Debug, Default)]
pub struct Collected {
    pub candidates: Vec<Candidate>,
    /// What would have been found without the limits on numbers.
    pub beyond: Vec<BlockNo>,
}

impl Candidate {
    pub fn new(part: PayloadPart, block: BlockNo, prior: Score) -> Self {
        Candidate { part, block, shape: Shape::Full, prior, is_whole: false, edges: Vec::new() }
    }
}

impl<'s, 'b> Site<'s, 'b> {
    pub fn contents(&self) -> Contents<'s, 'b> {
        Contents {
            view: self.view,
            outline: self.outline,
            excluded: &self.scope.excluded,
            tokenizer: self.request.tokenizer,
            summary_tokens: self.profile.focus.page_summary_tokens as usize,
        }
    }

    pub fn content(&self, candidate: &Candidate) -> Content {
        self.contents().of(candidate.block, candidate.shape)
    }

    /// Whether a block may be found, and there is something to show of it.
    pub fn admits(&self, block: BlockNo) -> bool {
        self.outline.says_something(self.view, block) && self.scope.admits(self.view, self.outline, block)
    }

    /// A limit of the settings, or what the request says if that is less.
    pub fn depth(&self, limit: u32) -> u32 {
        self.request.hints.max_depth.map_or(limit, |depth| depth.min(limit))
    }

    /// Whether a part has a budget.
    pub fn is_on(&self, part: PayloadPart) -> bool {
        let Profile { focus, semantic, relations, activity, budget, .. } = self.profile;
        let is_enabled = match part {
            PayloadPart::Focus => focus.enabled,
            PayloadPart::Semantic => semantic.enabled,
            PayloadPart::Relations => relations.enabled,
            PayloadPart::Activity => activity.enabled,
            PayloadPart::System | PayloadPart::History => true,
        };
        is_enabled && self.request.token_budget.of(part).unwrap_or_else(|| budget.of(part)) > 0
    }
}

/// Cuts a list, and gives what is cut off.
pub fn cut(mut all: Vec<BlockNo>, limit: u32) -> (Vec<BlockNo>, Vec<BlockNo>) {
    let beyond = all.split_off(all.len().min(limit as usize));
    (all, beyond)
}

/// `first`, less so many `step`s, but not below `least`. In hundredths.
pub fn falling(first: u32, step: u32, times: usize, least: u32) -> Score {
    let fall = u32::try_from(times).unwrap_or(u32::MAX).saturating_mul(step);
    Score::percent(first.saturating_sub(fall).max(least))
}
