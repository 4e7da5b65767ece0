//! Fills the sections of a payload, each with its share of the tokens.

use super::candidate::{Candidate, Candidates, Printed};
use super::render;
use crate::record::workspace::{PayloadItem, PayloadPart, PayloadSection};
use crate::text::Tokenizer;

/// What a part could show. Steps are taken in an order that does not depend on the budget, and every step shows more,
/// so a larger budget never shows less of any item.
pub trait Steps {
    /// The most tokens that the items take after any step.
    fn demand(&self) -> u32;

    /// The items that fit, in the order in which they are printed, and how many do not.
    fn fill(&self, max_tokens: u32) -> (Vec<Printed>, u32);

    /// Whether there is anything to show.
    fn is_empty(&self) -> bool;
}

/// A part that is on.
pub struct Section<'s> {
    pub part: PayloadPart,
    pub steps: Box<dyn Steps + 's>,
    pub tokenizer: Tokenizer,
}

/// A section with its items.
pub struct Filled {
    pub section: PayloadSection,
    /// Items that do not fit.
    pub left_out: u32,
    /// Items that are cut because there is no summary of them.
    pub lacking_summaries: u32,
}

impl Section<'_> {
    /// The tokens that it takes if it shows all it can.
    pub fn demand(&self) -> u32 {
        if self.steps.is_empty() { self.notice_cost(false) } else { self.heading_cost() + self.steps.demand() }
    }

    pub fn fill(&self, max_tokens: u32) -> Filled {
        let room = max_tokens.checked_sub(self.heading_cost());
        let (items, left_out) = self.steps.fill(room.unwrap_or(0));
        let tokens = items.iter().map(|printed| printed.tokens).sum::<u32>() + self.heading_cost();
        let notice = self.notice_cost(left_out > 0);
        let token_count = match items.is_empty() {
            false => tokens,
            true if notice <= max_tokens => notice,
            true => 0,
        };
        let lacking_summaries = items.iter().filter(|printed| printed.lacks_summary).count() as u32;
        let items = items.into_iter().map(|printed| printed.item).collect();
        Filled { section: PayloadSection { items, token_count, ..empty(self.part) }, left_out, lacking_summaries }
    }

    fn heading_cost(&self) -> u32 {
        self.tokenizer.count(&render::heading(self.part)) as u32
    }

    fn notice_cost(&self, lacks_room: bool) -> u32 {
        self.heading_cost() + self.tokenizer.count(render::notice(lacks_room)) as u32
    }
}

/// A section that is not printed.
pub fn empty(part: PayloadPart) -> PayloadSection {
    PayloadSection { items: Vec::new(), title: part.title().to_string(), token_count: 0, part }
}

/// The steps of a part that shows blocks: the first form of every candidate, then each that was cut as a whole.
pub struct BlockSteps<'b> {
    pub candidates: Candidates<'b>,
    /// Whether the items stand as in the document, not by relevance.
    pub is_in_document_order: bool,
}

/// Whether all first forms fit.
struct AllFit(bool);

impl BlockSteps<'_> {
    /// By candidate, what its whole form costs more than its first. Only of those that were cut.
    fn growths(&self) -> impl Iterator<Item = (usize, i64)> {
        let all = self.candidates.all.iter().enumerate();
        let growth = |(at, candidate): (usize, &Candidate)| {
            let more = i64::from(candidate.whole_cost) - i64::from(candidate.first_cost);
            candidate.is_cut_first().then_some((at, more))
        };
        all.filter_map(growth)
    }

    /// The first forms that fit; all of them, or the first that does not fit is cut and is the last.
    fn first_forms(&self, max_tokens: u32) -> (Vec<Printed>, AllFit) {
        let (mut items, mut room) = (Vec::new(), max_tokens);
        for candidate in &self.candidates.all {
            if candidate.first_cost > room {
                items.extend(candidate.less_than_first_form(room));
                return (items, AllFit(false));
            }
            room -= candidate.first_cost;
            items.push(candidate.in_first_form());
        }
        (items, AllFit(true))
    }

    /// Replaces cut items by whole ones while they fit. The first that does not shows as much as fits.
    fn grow(&self, items: &mut [Printed], max_tokens: u32) {
        let mut spent: i64 = items.iter().map(|printed| i64::from(printed.tokens)).sum();
        for (at, more) in self.growths() {
            let candidate = &self.candidates.all[at];
            if spent + more > i64::from(max_tokens) {
                let room = i64::from(max_tokens) - spent + i64::from(candidate.first_cost);
                if let Some(larger) = candidate.more_than_first_form(room as u32) {
                    items[at] = larger;
                }
                return;
            }
            spent += more;
            items[at] = candidate.whole();
        }
    }
}

impl Steps for BlockSteps<'_> {
    fn demand(&self) -> u32 {
        let first: i64 = self.candidates.all.iter().map(|candidate| i64::from(candidate.first_cost)).sum();
        let costs = self.growths().scan(first, |cost, (_, more)| {
            *cost += more;
            Some(*cost)
        });
        u32::try_from(costs.fold(first, i64::max)).unwrap_or(u32::MAX)
    }

    fn fill(&self, max_tokens: u32) -> (Vec<Printed>, u32) {
        let (mut items, AllFit(all_fit)) = self.first_forms(max_tokens);
        if all_fit {
            self.grow(&mut items, max_tokens);
        }
        let left_out = (self.candidates.all.len() - items.len()) as u32;
        if self.is_in_document_order {
            items.sort_by(|a, b| a.order.cmp(&b.order).then_with(|| a.item.block_id.cmp(&b.item.block_id)));
        }
        (items, left_out)
    }

    fn is_empty(&self) -> bool {
        self.candidates.all.is_empty()
    }
}

/// Something that is shown whole or not at all.
pub struct OneStep {
    pub item: PayloadItem,
    pub tokens: u32,
}

impl OneStep {
    pub fn new(item: PayloadItem, tokenizer: Tokenizer) -> Self {
        OneStep { tokens: tokenizer.count(&render::item(&item)) as u32, item }
    }
}

impl Steps for OneStep {
    fn demand(&self) -> u32 {
        self.tokens
    }

    fn fill(&self, max_tokens: u32) -> (Vec<Printed>, u32) {
        if self.tokens > max_tokens {
            return (Vec::new(), 1);
        }
        (vec![Printed { item: self.item.clone(), tokens: self.tokens, order: 0, lacks_summary: false }], 0)
    }

    fn is_empty(&self) -> bool {
        false
    }
}
