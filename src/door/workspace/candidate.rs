//! The entries of a part as they can be shown: first as a whole or cut, then whole.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::render::{self, Around};
use super::source::{Extent, Shortening, Source};
use super::summaries::Summarizer;
use super::{Entry, Found, Hint, Profile, ShownBlock};
use crate::record::BlockType;
use crate::record::workspace::{PayloadItem, PayloadItemFacts, PayloadPart, Truncated, TruncationStrategy};

/// An entry that is not covered by others.
pub struct Candidate<'c> {
    entry: &'c Entry,
    facts: PayloadItemFacts,
    content: Source<'c>,
    /// What the first form is made from, if it is not the content.
    summary: Option<Source<'c>>,
    first: Extent,
    /// Its first form should be a summary, and there is none.
    lacks_summary: bool,
    pub first_cost: u32,
    pub whole_cost: u32,
}

/// The candidates of a part, the best first.
#[derive(Default)]
pub struct Candidates<'c> {
    pub all: Vec<Candidate<'c>>,
    /// How many entries stand in other items.
    pub covered: u32,
}

/// An item and its tokens, as printed.
pub struct Printed {
    pub item: PayloadItem,
    pub tokens: u32,
    /// Its place in the document.
    pub order: u32,
    /// It is cut, because there is no summary of it.
    pub lacks_summary: bool,
}

/// What does not depend on the budget.
pub struct Making<'m> {
    pub profile: &'m Profile,
    pub shortening: &'m Shortening,
    pub summarizer: &'m dyn Summarizer,
    pub is_explained: bool,
}

/// The parts in the order in which they may show a block. One that comes later leaves out what stands in an earlier one.
const COVERING: [PayloadPart; 4] =
    [PayloadPart::Focus, PayloadPart::Relations, PayloadPart::Semantic, PayloadPart::Activity];

/// The candidates of all parts that are on.
pub fn candidates<'c>(
    making: &Making<'c>,
    found: &'c Found,
    is_on: impl Fn(PayloadPart) -> bool,
) -> BTreeMap<PayloadPart, Candidates<'c>> {
    let mut shown = BTreeSet::new();
    let mut parts = BTreeMap::new();
    for part in COVERING.into_iter().filter(|part| is_on(*part)) {
        let mut candidates = Candidates::default();
        for entry in found.parts.get(&part).into_iter().flat_map(|found| &found.entries) {
            if is_covered(entry, &shown) {
                candidates.covered += 1;
                continue;
            }
            let rank = candidates.all.len() as u32 + 1;
            let candidate = Candidate::new(making, part, entry, rank);
            shown.extend(candidate.blocks_of_first_form());
            candidates.all.push(candidate);
        }
        parts.insert(part, candidates);
    }
    parts
}

/// Whether everything that an entry shows stands in the first forms of others.
fn is_covered(entry: &Entry, shown: &BTreeSet<&str>) -> bool {
    let is_shown = |id: &str| shown.contains(id);
    is_shown(&entry.block_id) && entry.blocks.iter().all(|block| is_shown(&block.block_id))
}

impl<'c> Candidate<'c> {
    fn new(making: &Making<'c>, part: PayloadPart, entry: &'c Entry, rank: u32) -> Self {
        let (shortening, is_code) = (making.shortening, entry.block_type == BlockType::Code);
        let max_tokens = making.profile.first_tokens(part);
        let content = Source::new(shortening, &entry.content, is_code, shortening.strategy.of_content());
        let is_cut = !entry.is_whole && content.needs_cut(max_tokens as usize);
        let answer = || making.summarizer.summary(&entry.content, max_tokens);
        let is_summarized = is_cut && shortening.strategy == TruncationStrategy::Summarize;
        let summary = is_summarized.then(answer).flatten().map(|summary| {
            // What a program printed is text.
            Source::new(shortening, summary, false, TruncationStrategy::Summarize)
        });
        let first = match &summary {
            Some(summary) => summary.within(max_tokens as usize),
            None if is_cut => content.within(max_tokens as usize),
            None => Extent::Whole,
        };
        let facts = facts(making, entry, rank);
        let lacks_summary = is_summarized && summary.is_none();
        let mut candidate =
            Candidate { entry, facts, content, summary, first, lacks_summary, first_cost: 0, whole_cost: 0 };
        candidate.first_cost = candidate.cost(candidate.first_source(), &candidate.first_source().kept(first));
        candidate.whole_cost = candidate.cost(&candidate.content, &candidate.content.kept(Extent::Whole));
        candidate
    }

    /// Whether its first form is not all of it.
    pub fn is_cut_first(&self) -> bool {
        self.summary.is_some() || self.first != Extent::Whole
    }

    pub fn in_first_form(&self) -> Printed {
        self.print(self.first_source(), self.first)
    }

    pub fn whole(&self) -> Printed {
        self.print(&self.content, Extent::Whole)
    }

    /// The most of its first form that fits, but not all of it.
    pub fn less_than_first_form(&self, max_tokens: u32) -> Option<Printed> {
        self.most_within(self.first_source(), self.first, max_tokens)
            .map(|extent| self.print(self.first_source(), extent))
    }

    /// The most of its content that fits, if that is more than its first form shows. A summary gives way only to the
    /// whole content.
    pub fn more_than_first_form(&self, max_tokens: u32) -> Option<Printed> {
        let extent = self.most_within(&self.content, Extent::Whole, max_tokens)?;
        let is_more = self.summary.is_none() && extent.shows_more_than(self.first);
        is_more.then(|| self.print(&self.content, extent))
    }

    fn most_within(&self, source: &Source, below: Extent, max_tokens: u32) -> Option<Extent> {
        source.less_than(below, |kept| self.cost(source, kept) <= max_tokens)
    }

    fn first_source(&self) -> &Source<'c> {
        self.summary.as_ref().unwrap_or(&self.content)
    }

    fn cost(&self, source: &Source, kept: &[Range<usize>]) -> u32 {
        let Around { before, after } = render::around(&self.facts, self.entry.block_type, &source.shown(kept));
        source.tokens_of(kept, &before, &after) as u32
    }

    fn print(&self, source: &Source, extent: Extent) -> Printed {
        let (entry, kept) = (self.entry, source.kept(extent));
        let is_all = extent == Extent::Whole && source.strategy() != TruncationStrategy::Summarize;
        let truncated = (!is_all).then(|| Truncated {
            of_tokens: self.content.tokens() as u32,
            shown_tokens: source.tokens_of(&kept, "", "") as u32,
            strategy: source.strategy(),
        });
        let item = PayloadItem {
            block_id: entry.block_id.clone(),
            block_type: entry.block_type,
            content: source.shown(&kept),
            metadata: PayloadItemFacts { truncated, ..self.facts.clone() },
            relevance: entry.relevance,
        };
        let lacks_summary = self.lacks_summary && !is_all;
        Printed { item, tokens: self.cost(source, &kept), order: entry.order, lacks_summary }
    }

    /// A summary shows none of them: it has other words.
    fn blocks_of_first_form(&self) -> Vec<&'c str> {
        if self.summary.is_some() {
            return Vec::new();
        }
        let kept = self.content.kept(self.first);
        let is_kept = |block: &&ShownBlock| {
            let text = &self.entry.content[block.range.clone()];
            let start = block.range.start + (text.len() - text.trim_start().len());
            let end = start + text.trim().len();
            kept.iter().any(|part| part.start <= start && end <= part.end)
        };
        self.entry.blocks.iter().filter(is_kept).map(|block| block.block_id.as_str()).collect()
    }
}

fn facts(making: &Making, entry: &Entry, rank: u32) -> PayloadItemFacts {
    let has = |hint| making.profile.assembly.hints.contains(&hint);
    PayloadItemFacts {
        language: entry.language.as_deref().and_then(render::fence_language),
        last_modified: entry.modified.clone().filter(|_| has(Hint::Modified)),
        page_title: entry.page_title.clone(),
        path: if has(Hint::Path) { entry.path.clone() } else { Vec::new() },
        rank,
        truncated: None,
        why: entry.why.clone().filter(|_| making.is_explained),
    }
}
