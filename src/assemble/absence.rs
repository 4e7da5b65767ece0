//! Explains why a unit is not shown, by filling the answer again up to that unit.

use super::fill::Filler;
use super::{Cost, GroupNo, IndexView, Job, ReadError, Template};
use crate::record::pack::DropReason;

/// The outcome for one unit.
pub struct Fate<T: Template> {
    /// The group that it was assigned to.
    pub group: GroupNo,
    /// Why it is not shown.
    pub dropped: Option<DropReason>,
    /// The cap that had ended the answer by then, if any.
    pub full: Option<&'static str>,
    /// The cost of the answer with everything before the unit and the unit's shortest form.
    pub needed: Cost,
    /// The last item shown before it.
    pub last_before: Option<T::Item>,
}

/// Fills the answer up to the unit at that index and returns the unit's outcome.
pub fn fate<T: Template>(view: &IndexView, job: &Job<T>, units: &[T::Unit], place: usize) -> Result<Fate<T>, ReadError>
where
    T::Item: Clone,
{
    let mut filler = Filler::new(view, job.template, &job.budget);
    for unit in &units[..place] {
        filler.take(unit)?;
    }
    let unit = &units[place];
    let (group, _) = filler.group_for(unit);
    let needed = filler.peak().max(cheapest(&filler, job.template, &job.template.whole(view, unit)?, unit, group));
    let last_before = filler.filled.last().map(|placed| placed.item.clone());
    let dropped = filler.take(unit)?;
    Ok(Fate { group, dropped, full: filler.filled.full, needed, last_before })
}

/// The cost of the answer with the cheapest form of an item. A few lines can cost less than none: they may touch a text
/// that is already on the page, where a title needs a mark of its own.
fn cheapest<T: Template>(filler: &Filler<T>, template: &T, whole: &T::Item, unit: &T::Unit, group: GroupNo) -> Cost {
    let lines = 0..=template.line_count(whole).min(MAX_LINES_TRIED);
    let heads = lines.filter_map(|lines| template.head(whole, lines, "maxTotalTokens"));
    let costs = heads.map(|head| filler.cost_with(&head, unit, group)).chain([filler.cost_with(whole, unit, group)]);
    costs.min_by_key(|cost| cost.by(0)).unwrap_or_default()
}

/// More lines than this cost more than fewer.
const MAX_LINES_TRIED: usize = 16;
