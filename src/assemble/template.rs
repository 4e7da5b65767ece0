//! What a door tells the engine about its answer: the units, their order, and how each is printed.

use std::cmp::Ordering;

use super::{Block, Cost, Found, IndexView, Placed, ReadError};
use crate::record::pack::DropReason;

/// A group's index in the answer.
pub type GroupNo = usize;

pub trait Template {
    /// A candidate that is shown, shortened or left out.
    type Unit;
    /// A unit in the form that is shown.
    type Item;
    /// The key of a page: items with the same key are printed together.
    type Page: Ord + Clone;

    /// All units that could be shown, in any order.
    fn units(&self, view: &IndexView, found: &Found) -> Result<Vec<Self::Unit>, ReadError>;

    /// Puts the better unit first. Must be a total order that does not depend on the budget.
    fn compare(&self, view: &IndexView, a: &Self::Unit, b: &Self::Unit) -> Ordering;

    /// Rearranges the sorted units. Must not depend on the budget.
    fn arrange(&self, _: &IndexView, units: Vec<Self::Unit>) -> Result<Vec<Self::Unit>, ReadError> {
        Ok(units)
    }

    /// The groups that may contain the unit, the preferred one first. Never empty.
    fn groups(&self, view: &IndexView, unit: &Self::Unit) -> Vec<GroupNo>;

    /// A reason not to show the unit that does not depend on the budget.
    fn refusal(&self, _: &Self::Unit) -> Option<DropReason> {
        None
    }

    /// The unit in full.
    fn whole(&self, view: &IndexView, unit: &Self::Unit) -> Result<Self::Item, ReadError>;

    /// The largest line count for [`Template::head`].
    fn line_count(&self, item: &Self::Item) -> usize;

    /// The item shortened to its first lines because of a cap; absent if this form is not allowed.
    fn head(&self, item: &Self::Item, lines: usize, cap: &str) -> Option<Self::Item>;

    /// The item by itself.
    fn print<'t>(&self, item: &'t Self::Item) -> Block<'t>;

    /// The page of the next item. `spent` is the cost of the answer without it, `last` the item before it.
    fn page(&self, item: &Self::Item, spent: Cost, last: Option<&Placed<Self>>) -> Self::Page
    where
        Self: Sized;

    /// The text of a page, from all its items in the order of their rank. The tokens of the blocks must add up to the
    /// tokens of the whole.
    fn print_page(&self, items: &[&Self::Item]) -> Vec<Block<'static>>;

    /// An item that stands for the place of another one on the page of the first, until that page has items of its
    /// own.
    fn around(&self, _: &Self::Item) -> Option<Self::Item> {
        None
    }

    /// The text before the first item of a group and after its last one.
    fn heading(&self, unit: &Self::Unit, group: GroupNo) -> Block<'static>;

    /// The text before and after everything else.
    fn frame(&self) -> Block<'static>;
}
