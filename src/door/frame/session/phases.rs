//! The phases of a session: one table of states, events and guards. What a guard means is in `guards.rs`.

use super::Session;
use crate::record::frame::SessionPhase::{self, Closed, Exploration, Ready, Semantic, Verification};
use crate::record::session::{Event, SessionOp};

/// What has to hold for a row to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    Always,
    /// Everything on the checklist holds.
    ChecklistIsWhole,
    /// The facts were looked for, the slot is open, the reason is borne out by the log.
    FactsWereTried,
    /// This visit has not used up its semantic searches.
    SearchIsLeft,
    /// There are some, not too many, and each cites a semantic search of this visit.
    HypothesesCite,
    SomeAreOpen,
    /// The new intent writes.
    Writes,
}

/// A step that is possible.
pub struct Row {
    pub from: &'static [SessionPhase],
    pub op: SessionOp,
    pub guard: Guard,
    /// Absent: the phase stays.
    pub to: Option<SessionPhase>,
}

const OPEN: &[SessionPhase] = &[Exploration, Semantic, Verification, Ready];

/// Of the rows for a phase and an operation, the first whose guard holds is taken. If there is no row, the phase does
/// not have the step; if no guard holds, what the session knows does not allow it.
pub const ROWS: &[Row] = &[
    Row { from: &[Exploration], op: SessionOp::Frame, guard: Guard::Always, to: None },
    Row { from: &[Exploration], op: SessionOp::Map, guard: Guard::Always, to: None },
    Row { from: OPEN, op: SessionOp::Call, guard: Guard::Always, to: None },
    Row { from: &[Exploration, Ready], op: SessionOp::Submit, guard: Guard::ChecklistIsWhole, to: Some(Ready) },
    Row { from: &[Exploration, Ready], op: SessionOp::Submit, guard: Guard::Always, to: Some(Exploration) },
    Row { from: &[Exploration], op: SessionOp::Semantic, guard: Guard::FactsWereTried, to: Some(Semantic) },
    Row { from: &[Semantic], op: SessionOp::SemanticSearch, guard: Guard::SearchIsLeft, to: None },
    Row { from: &[Semantic], op: SessionOp::Hypothesis, guard: Guard::HypothesesCite, to: Some(Verification) },
    Row { from: &[Verification], op: SessionOp::Verify, guard: Guard::SomeAreOpen, to: None },
    Row { from: &[Verification], op: SessionOp::Verify, guard: Guard::ChecklistIsWhole, to: Some(Ready) },
    Row { from: &[Verification], op: SessionOp::Verify, guard: Guard::Always, to: Some(Exploration) },
    Row { from: &[Semantic, Verification, Ready], op: SessionOp::Revert, guard: Guard::Always, to: Some(Exploration) },
    Row { from: OPEN, op: SessionOp::Intent, guard: Guard::Writes, to: Some(Exploration) },
    Row { from: &[Exploration, Semantic, Verification], op: SessionOp::Intent, guard: Guard::Always, to: None },
    // Whether it is allowed is the write gate's answer, not a step.
    Row { from: OPEN, op: SessionOp::CheckWrite, guard: Guard::Always, to: None },
    Row { from: OPEN, op: SessionOp::Outcome, guard: Guard::Always, to: Some(Closed) },
];

/// The rows that a phase has for an operation.
pub fn rows(phase: SessionPhase, op: SessionOp) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| row.op == op && row.from.contains(&phase))
}

/// The phases that have an operation.
pub fn phases_of(op: SessionOp) -> Vec<SessionPhase> {
    let has = |phase: &SessionPhase| rows(*phase, op).next().is_some();
    [Exploration, Semantic, Verification, Ready].into_iter().filter(has).collect()
}

/// The row that an event takes, after it was evaluated.
pub fn taken(session: &Session, op: SessionOp, event: &Event) -> Option<&'static Row> {
    rows(session.phase, op).find(|row| super::guards::holds(session, row.guard, event))
}
