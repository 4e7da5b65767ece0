//! Fills groups with units, in order, until a budget is spent.
//!
//! There are two policies: one budget for all groups, or a share of it per group. With the first, a smaller budget
//! shows a prefix of the items that a larger budget shows: the order of units does not depend on the budget, no unit
//! is skipped for being too long, and the first unit that does not fit is shortened and ends the answer.
//!
//! Items of one page are printed together, so an item costs what the page grows by. Nothing about a page depends on
//! the budget.

use std::collections::BTreeMap;

use super::budget::largest_that_fits;
use super::shares::shares;
use super::{Block, Budget, Cost, GroupNo, IndexView, Job, Ledger, ReadError, Template};
use crate::record::pack::DropReason;

/// How the budget is spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fill {
    /// The best units of all groups, until the budget is spent.
    Prefix,
    /// The best units of each group, until its share is spent.
    Categories {
        /// By group, in the unit of the budget's first measure. A group with a share of 0 shows nothing.
        shares: Vec<u32>,
        /// Whether groups may use what others do not need.
        borrow: bool,
    },
}

/// The shown items, by group.
pub struct Filled<T: Template> {
    /// Groups with at least one unit.
    pub groups: BTreeMap<GroupNo, FilledGroup<T>>,
    pub items: u32,
    /// The cap that ended the answer.
    pub full: Option<&'static str>,
    /// The last item is shortened.
    pub is_last_shortened: bool,
    pub ledger: Ledger,
}

pub struct FilledGroup<T: Template> {
    /// How many units were assigned to the group.
    pub considered: u32,
    /// Units that are not shown, by reason.
    pub dropped: BTreeMap<DropReason, u32>,
    pub items: Vec<Placed<T>>,
    /// The cost of the items, each printed by itself, and of the group's heading.
    pub cost: Cost,
    /// The group's share is spent.
    is_full: bool,
}

pub struct Placed<T: Template> {
    pub item: T::Item,
    /// Its position in the order of selection over all groups, from 1.
    pub rank: u32,
    pub page: T::Page,
    /// Printed by itself, without the group's heading.
    pub cost: Cost,
}

/// The items that are printed together, and the blocks of their text.
struct Page {
    /// Each as its group and its index there.
    items: Vec<(GroupNo, usize)>,
    blocks: Vec<Counted>,
}

/// A block with its cost, and the cost of its text alone.
struct Counted {
    block: Block<'static>,
    cost: Cost,
    text: Cost,
}

/// A page and its blocks.
type PrintedPage<P> = (P, Vec<Counted>);

/// The text of a page with an additional item.
struct Printed<P> {
    page: P,
    blocks: Vec<Counted>,
    /// The new page of what is around the item, and its blocks.
    around: Option<PrintedPage<P>>,
    /// The cost of the item printed by itself.
    own: Cost,
}

pub fn fill<T: Template>(view: &IndexView, job: &Job<T>, units: &[T::Unit]) -> Result<Filled<T>, ReadError> {
    let mut filler = Filler::new(view, job.template, &job.budget);
    if let Fill::Categories { shares, borrow } = &job.fill {
        filler.limits = Some(limits(view, job, units, shares, *borrow)?);
    }
    filler.take_all(units)
}

/// What each group may spend, after borrowing.
fn limits<T: Template>(
    view: &IndexView,
    job: &Job<T>,
    units: &[T::Unit],
    asked: &[u32],
    borrow: bool,
) -> Result<Vec<u32>, ReadError> {
    let unlimited = job.budget.without_limits();
    let all = Filler::new(view, job.template, &unlimited).take_all(units)?;
    let needed = |group| all.groups.get(&group).map_or(0, |group: &FilledGroup<T>| group.cost.by(0));
    let needed: Vec<u32> = (0..asked.len()).map(needed).collect();
    let frame = Ledger::new(&job.budget, &job.template.frame()).spent().by(0);
    let total = job.budget.measures.first().map_or(0, |measure| measure.limit).saturating_sub(frame);
    Ok(shares(total, asked, &needed, borrow))
}

/// Places units one at a time.
pub struct Filler<'f, T: Template> {
    view: &'f IndexView<'f>,
    template: &'f T,
    budget: &'f Budget,
    /// What each group may spend by the first measure; absent: there is only a limit for all groups together.
    limits: Option<Vec<u32>>,
    pages: BTreeMap<T::Page, Page>,
    /// The largest cost that the answer had. An item that closes a gap can make the answer cheaper.
    peak: Cost,
    pub filled: Filled<T>,
}

impl<'f, T: Template> Filler<'f, T> {
    pub fn new(view: &'f IndexView<'f>, template: &'f T, budget: &'f Budget) -> Self {
        let ledger = Ledger::new(budget, &template.frame());
        let filled = Filled { groups: BTreeMap::new(), items: 0, full: None, is_last_shortened: false, ledger };
        Filler { view, template, budget, limits: None, pages: BTreeMap::new(), peak: Cost::default(), filled }
    }

    fn take_all(mut self, units: &[T::Unit]) -> Result<Filled<T>, ReadError> {
        for unit in units {
            self.take(unit)?;
        }
        Ok(self.filled)
    }

    /// Shows a unit, shortened if necessary, or returns the reason why it is not shown.
    pub fn take(&mut self, unit: &T::Unit) -> Result<Option<DropReason>, ReadError> {
        let (group, has_room) = self.group_for(unit);
        let filled = self.filled.groups.entry(group).or_default();
        filled.considered += 1;
        let is_full = filled.is_full || self.filled.full.is_some();
        let reason = if let Some(reason) = self.template.refusal(unit) {
            Some(reason)
        } else if !has_room {
            Some(DropReason::SectionFull)
        } else if is_full {
            Some(DropReason::Budget)
        } else {
            self.place(unit, group)?
        };
        if let Some(reason) = reason {
            *self.filled.groups.entry(group).or_default().dropped.entry(reason).or_default() += 1;
        }
        Ok(reason)
    }

    /// The first group of a unit that has room, or its preferred group; and whether there is room.
    pub fn group_for(&self, unit: &T::Unit) -> (GroupNo, bool) {
        let groups = self.template.groups(self.view, unit);
        let count = |group: &GroupNo| self.filled.groups.get(group).map_or(0, |group| group.items.len());
        let has_room = |group: &&GroupNo| count(group) < self.budget.max_items_per_group as usize;
        match groups.iter().find(has_room) {
            Some(group) => (*group, true),
            None => (groups[0], false),
        }
    }

    /// The budget that one more item needs: the cost of the answer with it and with the heading of its group.
    pub fn cost_with(&self, item: &T::Item, unit: &T::Unit, group: GroupNo) -> Cost {
        let (printed, heading) = (self.print(item), self.heading_cost(unit, group));
        self.total(&printed).and(heading).max(self.own_total(&printed, heading))
    }

    /// The budget that the items so far needed.
    pub fn peak(&self) -> Cost {
        self.peak
    }

    fn heading_cost(&self, unit: &T::Unit, group: GroupNo) -> Cost {
        if self.filled.ledger.has_opened(group) {
            Cost::default()
        } else {
            self.filled.ledger.cost(&self.template.heading(unit, group))
        }
    }

    /// Prints the page of an item with the item on it. Blocks and texts that stay as they were are not counted again.
    fn print(&self, item: &T::Item) -> Printed<T::Page> {
        let ledger = &self.filled.ledger;
        let page = self.template.page(item, ledger.spent(), self.filled.last());
        let known = self.pages.get(&page);
        let placed = known.iter().flat_map(|page| &page.items);
        let mut items: Vec<&T::Item> = placed.map(|(group, at)| &self.filled.groups[group].items[*at].item).collect();
        items.push(item);
        let own = self.template.print(item);
        let own_text = ledger.text_cost(&own.text);
        let counted = |block: Block<'static>| {
            let mut known = known.iter().flat_map(|page| &page.blocks).filter(|known| known.block.text == block.text);
            let text = match known.clone().next() {
                Some(known) => known.text,
                None if own.text == block.text => own_text,
                None => ledger.text_cost(&block.text),
            };
            let same = known.find(|known| known.block == block);
            let cost = same.map_or_else(|| ledger.framed_cost(&block, text), |same| same.cost);
            Counted { block, cost, text }
        };
        let blocks = self.template.print_page(&items).into_iter().map(counted).collect();
        Printed { page, blocks, around: self.print_around(item), own: ledger.framed_cost(&own, own_text) }
    }

    /// The page of what is around an item, if there is none yet.
    fn print_around(&self, item: &T::Item) -> Option<PrintedPage<T::Page>> {
        let ledger = &self.filled.ledger;
        let around = self.template.around(item)?;
        let page = self.template.page(&around, ledger.spent(), self.filled.last());
        let is_new = !self.pages.contains_key(&page);
        let blocks = is_new.then(|| self.template.print_page(&[&around]))?;
        let counted = |block: Block<'static>| {
            let text = ledger.text_cost(&block.text);
            Counted { cost: ledger.framed_cost(&block, text), text, block }
        };
        Some((page, blocks.into_iter().map(counted).collect()))
    }

    /// The cost of the answer with this text of a page.
    fn total(&self, printed: &Printed<T::Page>) -> Cost {
        let before = self.pages.get(&printed.page).map_or(Cost::default(), |page| sum(&page.blocks));
        let around = printed.around.as_ref().map_or(Cost::default(), |(_, blocks)| sum(blocks));
        self.filled.ledger.spent().without(before).and(sum(&printed.blocks)).and(around)
    }

    fn place(&mut self, unit: &T::Unit, group: GroupNo) -> Result<Option<DropReason>, ReadError> {
        if self.filled.items == self.budget.max_items {
            self.filled.full = Some("maxItems");
            return Ok(Some(DropReason::Budget));
        }
        let mut item = self.template.whole(self.view, unit)?;
        let heading = self.heading_cost(unit, group);
        let mut printed = self.print(&item);
        if let Some(cap) = self.exceeded(&printed, heading, group) {
            match cap {
                GROUP_SHARE => self.filled.groups.entry(group).or_default().is_full = true,
                cap => self.filled.full = Some(cap),
            }
            match self.shorten(&item, heading, group, cap) {
                None => return Ok(Some(DropReason::Budget)),
                Some(head) => item = head,
            }
            printed = self.print(&item);
            self.filled.is_last_shortened = true;
        }
        self.show(item, printed, heading, group);
        Ok(None)
    }

    /// The limit that an item would exceed: that of its group, or one for the whole answer. The items, each printed by
    /// itself, must keep the limits too: readers of the record add them up.
    fn exceeded(&self, printed: &Printed<T::Page>, heading: Cost, group: GroupNo) -> Option<&'static str> {
        let spent = self.filled.groups.get(&group).map_or(0, |group| group.cost.by(0));
        let limit = self.limits.as_ref().map_or(u32::MAX, |limits| limits.get(group).copied().unwrap_or(0));
        if spent.saturating_add(printed.own.and(heading).by(0)) > limit {
            return Some(GROUP_SHARE);
        }
        self.filled.ledger.exceeded(self.total(printed).and(heading).max(self.own_total(printed, heading)))
    }

    /// The cost of all items, each printed by itself.
    fn own_total(&self, printed: &Printed<T::Page>, heading: Cost) -> Cost {
        self.filled.groups.values().fold(printed.own.and(heading), |sum, group| sum.and(group.cost))
    }

    /// As many of the first lines as still fit.
    fn shorten(&self, item: &T::Item, heading: Cost, group: GroupNo, cap: &str) -> Option<T::Item> {
        let head = |lines: usize| self.template.head(item, lines, cap);
        let fits = |item: T::Item| self.exceeded(&self.print(&item), heading, group).is_none();
        largest_that_fits(self.template.line_count(item), |lines| head(lines).is_some_and(fits)).and_then(head)
    }

    fn show(&mut self, item: T::Item, printed: Printed<T::Page>, heading: Cost, group: GroupNo) {
        let total = self.total(&printed).and(heading);
        self.peak = self.peak.max(total).max(self.own_total(&printed, heading));
        let Printed { page, blocks, around, own } = printed;
        if let Some((page, blocks)) = around {
            self.pages.insert(page, Page { items: Vec::new(), blocks });
        }
        let filled = &mut self.filled;
        filled.items += 1;
        filled.ledger.spend(total, group);
        let shown = filled.groups.entry(group).or_default();
        shown.cost = shown.cost.and(own).and(heading);
        let known = self.pages.entry(page.clone()).or_insert_with(|| Page { items: Vec::new(), blocks: Vec::new() });
        known.items.push((group, shown.items.len()));
        known.blocks = blocks;
        shown.items.push(Placed { item, rank: filled.items, page, cost: own });
    }
}

fn sum(blocks: &[Counted]) -> Cost {
    blocks.iter().fold(Cost::default(), |sum, counted| sum.and(counted.cost))
}

/// The name of the limit for a group's share.
const GROUP_SHARE: &str = "groupShare";

impl<T: Template> Filled<T> {
    /// The item that was placed last. The items of a group are in the order of their ranks.
    pub fn last(&self) -> Option<&Placed<T>> {
        let items = self.groups.values().filter_map(|group| group.items.last());
        items.max_by_key(|placed| placed.rank)
    }

    /// How many units are not shown, by reason, over all groups.
    pub fn dropped(&self) -> BTreeMap<DropReason, u32> {
        let mut dropped = BTreeMap::new();
        for (reason, count) in self.groups.values().flat_map(|group| &group.dropped) {
            *dropped.entry(*reason).or_default() += count;
        }
        dropped
    }
}

impl<T: Template> Default for FilledGroup<T> {
    fn default() -> Self {
        FilledGroup {
            considered: 0,
            dropped: BTreeMap::new(),
            items: Vec::new(),
            cost: Cost::default(),
            is_full: false,
        }
    }
}
