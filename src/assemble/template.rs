//! What a door tells the engine about its answer: which units there are, how they compare, and how each is printed.

use std::cmp::Ordering;

use super::{Block, Found, IndexView, ReadError};
use crate::record::pack::DropReason;

/// A group's place in the answer, from 0.
pub type GroupNo = usize;

pub trait Template {
    /// Something that is shown, shortened or left out.
    type Unit;
    /// A unit as it is shown.
    type Item;

    /// All units that could be shown, in any order.
    fn units(&self, view: &IndexView, found: &Found) -> Result<Vec<Self::Unit>, ReadError>;

    /// The better unit first. Must be a total order that no budget influences.
    fn compare(&self, view: &IndexView, a: &Self::Unit, b: &Self::Unit) -> Ordering;

    /// The groups that the unit may stand in, the preferred one first. Never empty.
    fn groups(&self, view: &IndexView, unit: &Self::Unit) -> Vec<GroupNo>;

    /// Why the unit may not be shown, whatever the budget is.
    fn refusal(&self, _: &Self::Unit) -> Option<DropReason> {
        None
    }

    /// The unit as it is shown when there is room for all of it.
    fn whole(&self, view: &IndexView, unit: &Self::Unit) -> Result<Self::Item, ReadError>;

    /// How many lines [`Template::head`] can show at most.
    fn line_count(&self, item: &Self::Item) -> usize;

    /// The item cut to its first lines, because of a cap; absent if such a form is not allowed.
    fn head(&self, item: &Self::Item, lines: usize, cap: &str) -> Option<Self::Item>;

    fn print<'t>(&self, item: &'t Self::Item) -> Block<'t>;

    /// What is printed before the first item of a group and after its last one.
    fn heading(&self, unit: &Self::Unit, group: GroupNo) -> Block<'static>;

    /// What is printed around everything.
    fn frame(&self) -> Block<'static>;
}
