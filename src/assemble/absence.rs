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
    let whole = job.template.whole(view, unit)?;
    let shortest = job.template.head(&whole, 0, "maxTotalTokens").unwrap_or(whole);
    let needed = filler.filled.ledger.spent().and(filler.cost(&shortest, unit, group));
    let last_before = filler.filled.last().cloned();
    let dropped = filler.take(unit)?;
    Ok(Fate { group, dropped, full: filler.filled.full, needed, last_before })
}
