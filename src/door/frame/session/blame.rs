//! What in a session led to a failure: for each file or symbol that the caller names, the first kind that fits.

use super::{Session, word};
use crate::record::frame::{CodeOp, Slot};
use crate::record::session::{Blame, BlameKind, HypothesisStatus, OutcomeEvent, OutcomeKind, SymbolLookup};
use crate::text::RepoPath;

pub fn blame(session: &Session, event: &OutcomeEvent) -> Vec<Blame> {
    let Some(analysis) = event.analysis.as_ref().filter(|_| event.outcome != OutcomeKind::Success) else {
        return Vec::new();
    };
    let files = analysis.related_files.iter().map(|file| of_file(session, file));
    let symbols = event.symbols.iter().map(|symbol| of_symbol(session, symbol));
    files.chain(symbols).collect()
}

/// What a session knows of a file or symbol.
struct Known {
    what: String,
    /// The first call that showed it.
    seen: Option<u32>,
    is_claimed: bool,
    /// Whether the evidence of the target names it.
    is_target: bool,
    hypothesis: Option<usize>,
}

fn of_file(session: &Session, given: &str) -> Blame {
    let path = RepoPath::try_from(given.to_string()).ok();
    let path = path.as_ref();
    let shows = |call: &&super::Call| call.files.iter().any(|file| Some(&file.path) == path);
    let submitted = session.submitted.as_ref();
    let is_claimed = submitted.is_some_and(|submitted| {
        let of_files = submitted.files.iter().any(|file| file.path.as_ref() == path);
        let of_symbols = submitted.symbols.iter().filter_map(|symbol| symbol.found.as_ref());
        of_files || of_symbols.into_iter().any(|symbol| Some(&symbol.path) == path)
    });
    let places = session.frame.slot_evidence.get(&Slot::TargetFeature).map(|evidence| &evidence.places);
    let known = Known {
        what: given.to_string(),
        seen: session.calls.iter().find(shows).map(|call| call.seq),
        is_claimed: path.is_some() && is_claimed,
        is_target: places.is_none_or(|places| places.iter().any(|place| Some(&place.path) == path)),
        hypothesis: None,
    };
    judge(session, known)
}

fn of_symbol(session: &Session, lookup: &SymbolLookup) -> Blame {
    let found = lookup.found.as_ref();
    let seen = found.and_then(|symbol| {
        let shows = |call: &&super::Call| {
            call.symbols.contains(&symbol.symbol_id) || call.shows(&symbol.path, symbol.lines.start).is_some()
        };
        session.calls.iter().find(shows).map(|call| call.seq)
    });
    let is_claimed = |symbol: &crate::record::session::FoundSymbol| session.fact_ids().contains(&symbol.symbol_id);
    let of_target = session.frame.slot_evidence.get(&Slot::TargetFeature);
    let is_target = match (found, of_target) {
        (Some(symbol), Some(evidence)) => evidence
            .places
            .iter()
            .any(|place| place.path == symbol.path && (symbol.lines.start..=symbol.lines.end).contains(&place.line)),
        _ => true,
    };
    let names = |one: &super::Supposed| {
        let name = one.shown.symbol.as_deref();
        name.is_some() && (name == Some(&lookup.given) || name == found.map(|symbol| symbol.name.as_str()))
    };
    let is_wrong = |one: &super::Supposed| one.shown.status == HypothesisStatus::Confirmed && names(one);
    let known = Known {
        what: lookup.given.clone(),
        seen,
        is_claimed: found.is_some_and(is_claimed),
        is_target,
        hypothesis: session.hypotheses.iter().position(is_wrong),
    };
    judge(session, known)
}

fn judge(session: &Session, known: Known) -> Blame {
    let Some(seq) = known.seen else {
        return Blame { call: None, kind: BlameKind::NeverSeen, notes: unused_tools(session), what: known.what };
    };
    if let Some(at) = known.hypothesis {
        let notes = session.semantic_reasons.iter().map(word).collect();
        let call = Some(session.hypotheses[at].shown.call);
        return Blame { call, kind: BlameKind::HypothesisWrong, notes, what: known.what };
    }
    if !known.is_claimed {
        let of_call = session.frame.slot_evidence.iter().filter(|(_, evidence)| evidence.seq == seq);
        let notes = of_call.map(|(slot, _)| slot.name().to_string()).collect();
        return Blame { call: Some(seq), kind: BlameKind::SeenNotClaimed, notes, what: known.what };
    }
    if let Some(evidence) = session.frame.slot_evidence.get(&Slot::TargetFeature).filter(|_| !known.is_target) {
        let target = evidence.params.get("target").cloned().unwrap_or_default();
        let notes = vec![evidence.tool.clone(), target, evidence.result_summary.clone()];
        return Blame { call: Some(evidence.seq), kind: BlameKind::WrongTarget, notes, what: known.what };
    }
    Blame { call: Some(seq), kind: BlameKind::Claimed, notes: Vec::new(), what: known.what }
}

/// The recommended tools that were not used.
fn unused_tools(session: &Session) -> Vec<String> {
    let planned = session.routing.recommended_tools.iter();
    let unused = planned.filter(|tool| session.calls_of(**tool).next().is_none());
    unused.map(|tool: &CodeOp| tool.name().to_string()).collect()
}
