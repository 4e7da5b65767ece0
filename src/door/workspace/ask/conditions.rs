//! Conditions that a query sets for tasks: when they are due, whether they are done, whose they are, how urgent.

use std::ops::Range;

use super::intents::Asked;
use crate::assemble::blocks::ReadableBlocks;
use crate::record::workspace::RequestUser;
use crate::record::{BlockNo, Date};
use crate::search::words;

const DAY: i64 = 86_400;

/// What the conditions of a query say of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The query sets no conditions.
    NoCondition,
    NotATask,
    Meets,
    Fails,
}

/// A task has one date, one state and one priority. Therefore several conditions on one of them are alternatives:
/// "overdue or due today" asks for two ranges of dates. A task has to meet the conditions on each of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// Seconds since 1970 at which a task may be due. Empty: any time, and none.
    due: Vec<Range<i64>>,
    /// Whether a task may be done. Empty: either.
    done: Vec<bool>,
    /// Empty: any, and none.
    priorities: Vec<String>,
    /// Names of the user: a task has to be assigned to one of them. Absent: to anybody, or nobody.
    assignees: Option<Vec<String>>,
}

impl Conditions {
    /// `today` is a day, from midnight to midnight in UTC, as due dates are.
    pub(super) fn new(asked: &[Asked], user: Option<&RequestUser>, today: &Date) -> Self {
        let start = today.to_seconds().div_euclid(DAY) * DAY;
        let mut conditions = Conditions::default();
        for asked in asked {
            conditions.add(asked, user, start);
        }
        if !conditions.due.is_empty() && conditions.done.is_empty() {
            conditions.done.push(false);
        }
        conditions
    }

    fn add(&mut self, asked: &Asked, user: Option<&RequestUser>, today: i64) {
        let row = &asked.intent.row;
        if row.overdue {
            self.due.push(i64::MIN..today);
        }
        if let Some(days) = row.due_within {
            self.due.push(today..today + (i64::from(asked.days.unwrap_or(days)) + 1) * DAY);
        }
        self.done.extend(row.done);
        self.priorities.extend(row.priority.iter().cloned());
        if row.mine {
            let names = user.into_iter().flat_map(RequestUser::names);
            self.assignees = Some(names.map(str::to_string).collect());
        }
    }

    fn is_empty(&self) -> bool {
        *self == Conditions::default()
    }

    pub fn judge(&self, view: &ReadableBlocks, block: BlockNo) -> Judgement {
        match () {
            () if self.is_empty() => Judgement::NoCondition,
            () if !view.is_task(block) => Judgement::NotATask,
            () if self.are_met(view, block) => Judgement::Meets,
            () => Judgement::Fails,
        }
    }

    /// All tasks that meet the conditions, in document order. Without conditions none.
    pub fn meeting(&self, view: &ReadableBlocks) -> Vec<BlockNo> {
        let meets = |block: &BlockNo| view.is_task(*block) && self.are_met(view, *block);
        if self.is_empty() { Vec::new() } else { view.in_order().iter().copied().filter(meets).collect() }
    }

    /// Of a task. What takes longest to find out comes last.
    fn are_met(&self, view: &ReadableBlocks, task: BlockNo) -> bool {
        self.admit_due(view.due_seconds(task))
            && self.admit_priority(view.priority(task))
            && self.admit_assignees(|name| view.is_assigned_to(task, name))
            && (self.done.is_empty() || view.done(task).is_some_and(|done| self.done.contains(&done)))
    }

    fn admit_due(&self, due: Option<i64>) -> bool {
        self.due.is_empty() || due.is_some_and(|due| self.due.iter().any(|range| range.contains(&due)))
    }

    /// A priority may have more than its word: "High 🔥", "P1 - critical".
    fn admit_priority(&self, priority: Option<&str>) -> bool {
        let is_one = |word: &str| self.priorities.iter().any(|one| one.eq_ignore_ascii_case(word));
        let has_one = |priority: &str| is_one(priority) || words(priority).any(|(_, word)| is_one(word));
        self.priorities.is_empty() || priority.is_some_and(has_one)
    }

    fn admit_assignees(&self, is_assigned_to: impl Fn(&str) -> bool) -> bool {
        self.assignees.as_ref().is_none_or(|names| names.iter().any(|name| is_assigned_to(name)))
    }
}
