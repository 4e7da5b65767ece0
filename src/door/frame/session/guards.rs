//! What the guards of the phases mean.

use std::collections::BTreeSet;

use super::Session;
use super::phases::Guard;
use crate::record::frame::{CodeOp, Slot, SlotSource};
use crate::record::session::{Event, HypothesisStatus, SemanticReason};

/// Visits of the semantic phase in one session.
pub const MAX_VISITS: u32 = 3;
/// Semantic searches in one visit.
pub const MAX_SEARCHES: u32 = 20;
/// Hypotheses at once.
pub const MAX_HYPOTHESES: usize = 16;
/// Operations that come before semantic search.
pub const FACTS_FIRST: [CodeOp; 3] = [CodeOp::FindDefinitions, CodeOp::FindReferences, CodeOp::SearchText];

pub fn holds(session: &Session, guard: Guard, event: &Event) -> bool {
    match guard {
        Guard::Always => true,
        Guard::ChecklistIsWhole => session.is_whole(),
        Guard::FactsWereTried => match event {
            Event::SemanticOpened { reason, slot } => gate_fault(session, *slot, *reason).is_none(),
            _ => false,
        },
        Guard::SearchIsLeft => session.visit.searches < MAX_SEARCHES,
        Guard::HypothesesCite => match event {
            Event::Hypothesised(event) => hypothesis_fault(session, event).is_none(),
            _ => false,
        },
        Guard::SomeAreOpen => session.hypotheses.iter().any(|one| one.shown.status == HypothesisStatus::Open),
        Guard::Writes => match event {
            Event::IntentChanged { intent } => intent.writes(),
            _ => false,
        },
    }
}

/// Why the semantic phase stays closed.
pub fn gate_fault(session: &Session, slot: Slot, reason: SemanticReason) -> Option<String> {
    let untried: Vec<&str> =
        FACTS_FIRST.into_iter().filter(|op| session.calls_of(*op).next().is_none()).map(CodeOp::name).collect();
    if !untried.is_empty() {
        return Some(format!("facts first: call {}", untried.join(", ")));
    }
    if session.visits >= MAX_VISITS {
        return Some(format!("a session has at most {MAX_VISITS} visits"));
    }
    if !matches!(slot, Slot::TargetFeature | Slot::ObservedIssue) {
        return Some("the slot has to be target_feature or observed_issue".to_string());
    }
    if session.frame.slot_source.get(&slot) == Some(&SlotSource::Fact) {
        return Some(format!("{} is a fact already", slot.name()));
    }
    reason_fault(session, slot, reason)
}

fn reason_fault(session: &Session, slot: Slot, reason: SemanticReason) -> Option<String> {
    let fits = matches!(
        (slot, reason),
        (Slot::TargetFeature, SemanticReason::NoDefinitionFound | SemanticReason::ArchitectureUnknown)
            | (Slot::ObservedIssue, SemanticReason::NoSimilarImplementation | SemanticReason::ContextFragmented)
    );
    if !fits {
        return Some(format!("the reason is not one for {}", slot.name()));
    }
    let found_nothing = |op| session.calls_of(op).any(|call| call.total == 0 && call.is_of_request);
    let fault = match reason {
        SemanticReason::NoDefinitionFound if !found_nothing(CodeOp::FindDefinitions) => {
            "every find_definitions of a word of the request found something, or there was none"
        }
        SemanticReason::ArchitectureUnknown if !architecture_was_looked_at(session) => {
            "analyze_structure and get_symbols were not called"
        }
        SemanticReason::ArchitectureUnknown if session.has_related_fact() => "a symbol of the target is known",
        SemanticReason::NoSimilarImplementation if different_searches(session) < 2 => {
            "search_text was called with fewer than two targets"
        }
        SemanticReason::NoSimilarImplementation if !found_nothing(CodeOp::SearchText) => {
            "every search_text of a word of the request found something"
        }
        SemanticReason::ContextFragmented if searched_files(session) < 3 => "results are in fewer than three files",
        SemanticReason::ContextFragmented if session.frame.slot_evidence.contains_key(&Slot::ObservedIssue) => {
            "observed_issue has evidence"
        }
        _ => return None,
    };
    Some(fault.to_string())
}

fn architecture_was_looked_at(session: &Session) -> bool {
    [CodeOp::AnalyzeStructure, CodeOp::GetSymbols].into_iter().any(|op| session.calls_of(op).next().is_some())
}

fn different_searches(session: &Session) -> usize {
    session.calls_of(CodeOp::SearchText).map(|call| call.target.as_str()).collect::<BTreeSet<_>>().len()
}

fn searched_files(session: &Session) -> usize {
    let files = session.calls_of(CodeOp::SearchText).flat_map(|call| call.files.iter().map(|file| &file.path));
    files.collect::<BTreeSet<_>>().len()
}

/// Why hypotheses are refused.
pub fn hypothesis_fault(session: &Session, event: &crate::record::session::Hypothesised) -> Option<String> {
    let count = event.hypotheses.len();
    if !(1..=MAX_HYPOTHESES).contains(&count) {
        return Some(format!("there are {count} hypotheses and may be 1 to {MAX_HYPOTHESES}"));
    }
    for (claim, number) in event.hypotheses.iter().zip(1..) {
        let is_of_visit = |seq| seq >= session.visit.start && session.call_of_seq(seq, CodeOp::SemanticSearch);
        if !claim.call.is_some_and(is_of_visit) {
            return Some(format!("hypothesis {number} cites no semantic_search of this visit"));
        }
        if claim.slot.is_none() == claim.symbol.is_none() {
            return Some(format!("hypothesis {number} has to name a slot or a symbol"));
        }
        let is_fact = |slot| session.frame.slot_source.get(&slot) == Some(&SlotSource::Fact);
        if claim.slot.is_some_and(is_fact) {
            return Some(format!("the slot of hypothesis {number} is a fact already"));
        }
    }
    None
}
