//! A session as a pure fold over its events: no index, no clock, no file. What was looked up stands in the events; what
//! the session has seen, and what follows, is decided here.

mod blame;
mod evaluate;
mod evidence;
mod extraction;
mod guards;
mod hypotheses;
mod phases;
mod replay;
mod seen;
mod state;
mod write_gate;

use std::collections::{BTreeMap, BTreeSet};

use super::{facts, risk, route};
use crate::record::frame::{
    CodeOp, FrameIntent, IntentSource, QueryFrame, RiskLevel, RiskRule, RoutingDecision, SessionPhase, Slot, SlotSource,
};
use crate::record::session::{
    Blame, CheckItem, Event, Extraction, Hypothesis, OutcomeKind, SessionId, SessionOp, Started, Submitted, Verdict,
};
use crate::record::{Digest, ErrorCode, Score, SymbolId};
use crate::text::RepoPath;

pub use extraction::{extraction_of, frame_of};
pub use guards::{MAX_HYPOTHESES, MAX_SEARCHES, MAX_VISITS};
pub use phases::phases_of;
pub use replay::{Difference, Folded, LogFault, fold, fold_with_current_rules};
pub use seen::{Call, Explored};

/// After so many submits in a row that failed, the user should be asked.
pub const ASK_AFTER: u32 = 3;

/// The state, with what the printed one leaves out.
#[derive(Clone, Debug)]
pub struct Session {
    pub id: SessionId,
    pub rules: Digest,
    pub intent: FrameIntent,
    pub intent_source: IntentSource,
    pub phase: SessionPhase,
    pub frame: QueryFrame,
    pub routing: RoutingDecision,
    pub risk: RiskLevel,
    pub risk_rules: BTreeSet<RiskRule>,
    pub explored: BTreeMap<RepoPath, Explored>,
    pub hypotheses: Vec<Supposed>,
    pub checklist: Vec<CheckItem>,
    pub confidence: Score,
    /// Submits in a row that failed.
    pub failed_submits: u32,
    pub new_files: BTreeSet<RepoPath>,
    pub written: BTreeMap<RepoPath, u32>,
    pub refusals: BTreeMap<String, u32>,
    pub outcome: Option<OutcomeKind>,
    pub blame: Vec<Blame>,
    pub seq: u32,
    pub index: String,
    pub submitted: Option<Submitted>,
    /// Every phase with the event that began it.
    pub phases: Vec<(SessionPhase, u32)>,
    /// How each slot became known.
    pub trail: Vec<SlotStep>,
    /// A crash cut off an event; the next submit decides again.
    pub is_torn: bool,
    counts: BTreeMap<CodeOp, u32>,
    calls: Vec<Call>,
    seen: seen::Seen,
    /// Files that evidence comes from, as they were then.
    cited: BTreeMap<RepoPath, Digest>,
    /// Files that this session was allowed to write, as long as its facts are kept.
    trusted: BTreeSet<RepoPath>,
    /// The stated value of each slot.
    stated: BTreeMap<Slot, Option<String>>,
    visits: u32,
    visit: Visit,
    verification_start: u32,
    semantic_reasons: Vec<crate::record::session::SemanticReason>,
}

/// A stay in the semantic phase.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    start: u32,
    searches: u32,
}

/// A hypothesis, and what its slot was before.
#[derive(Clone, Debug)]
pub struct Supposed {
    pub shown: Hypothesis,
    before: Option<(Option<String>, Option<SlotSource>)>,
}

/// That a slot became known in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotStep {
    pub seq: u32,
    pub slot: Slot,
    pub from: Option<SlotSource>,
    pub to: Option<SlotSource>,
    pub tool: String,
}

/// An operation that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub op: SessionOp,
    pub code: ErrorCode,
    pub detail: String,
}

/// The operation that an event comes from; none of its own for what no caller asks for.
pub fn op_of(event: &Event) -> Option<SessionOp> {
    Some(match event {
        Event::Started(_) => SessionOp::Start,
        Event::Framed { .. } | Event::Said { .. } => SessionOp::Frame,
        Event::Called(called) if called.op == CodeOp::SemanticSearch => SessionOp::SemanticSearch,
        Event::Called(_) => SessionOp::Call,
        Event::Mapped(_) => SessionOp::Map,
        Event::Submitted(_) => SessionOp::Submit,
        Event::SemanticOpened { .. } => SessionOp::Semantic,
        Event::Hypothesised(_) => SessionOp::Hypothesis,
        Event::Verified(_) => SessionOp::Verify,
        Event::Reverted { .. } => SessionOp::Revert,
        Event::IntentChanged { .. } => SessionOp::Intent,
        Event::WriteChecked(_) => SessionOp::CheckWrite,
        Event::Outcome(_) => SessionOp::Outcome,
        Event::Refused(_) | Event::Torn { .. } => return None,
    })
}

impl Session {
    /// The state after the first event.
    pub fn start(id: SessionId, index: &str, started: &Started) -> Self {
        let frame = frame_of(&started.raw_query, started.lang, &started.extraction);
        let routing = routed(&frame, started.intent);
        let stated = Slot::ALL.into_iter().map(|slot| (slot, frame.slot(slot).map(str::to_string))).collect();
        Session {
            id,
            rules: started.rules.clone(),
            intent: started.intent,
            intent_source: started.intent_source,
            phase: SessionPhase::Exploration,
            risk: routing.risk_level,
            risk_rules: routing.risk_rules.iter().copied().collect(),
            frame,
            routing,
            explored: BTreeMap::new(),
            hypotheses: Vec::new(),
            checklist: Vec::new(),
            confidence: Score::default(),
            failed_submits: 0,
            new_files: BTreeSet::new(),
            written: BTreeMap::new(),
            refusals: BTreeMap::new(),
            outcome: None,
            blame: Vec::new(),
            seq: 0,
            index: index.to_string(),
            submitted: None,
            phases: vec![(SessionPhase::Exploration, 0)],
            trail: Vec::new(),
            is_torn: false,
            counts: BTreeMap::new(),
            calls: Vec::new(),
            seen: seen::Seen::default(),
            cited: BTreeMap::new(),
            trusted: BTreeSet::new(),
            stated,
            visits: 0,
            visit: Visit::default(),
            verification_start: 0,
            semantic_reasons: Vec::new(),
        }
    }

    /// Why an event may not happen now.
    pub fn refusal(&self, event: &Event) -> Option<Refusal> {
        let op = op_of(event)?;
        let refused = |code, detail: String| Some(Refusal { op, code, detail });
        if self.phase == SessionPhase::Closed {
            return refused(ErrorCode::SessionClosed, "the session has its outcome".to_string());
        }
        if phases::rows(self.phase, op).next().is_none() {
            return refused(ErrorCode::Phase, self.phase_detail(op));
        }
        let detail = match event {
            Event::SemanticOpened { reason, slot } => guards::gate_fault(self, *slot, *reason),
            Event::Hypothesised(event) => guards::hypothesis_fault(self, event),
            Event::Called(_) if op == SessionOp::SemanticSearch && self.visit.searches >= MAX_SEARCHES => {
                Some(format!("a visit has at most {MAX_SEARCHES} searches"))
            }
            Event::IntentChanged { intent } if !intent.writes() && self.phase == SessionPhase::Ready => {
                Some("the session is ready for an intent that writes".to_string())
            }
            _ => None,
        };
        detail.and_then(|detail| refused(ErrorCode::Gate, detail))
    }

    fn phase_detail(&self, op: SessionOp) -> String {
        let phases = phases_of(op);
        let names: Vec<String> = phases.iter().map(word).collect();
        let first = if op == SessionOp::SemanticSearch { "facts first: " } else { "" };
        format!("{first}the phase is {} and has to be {}", word(&self.phase), names.join(" or "))
    }

    /// Takes an event in and says what followed. An event that is not allowed changes nothing but the counts.
    pub fn apply(&mut self, seq: u32, index: &str, event: &Event) -> Verdict {
        self.seq = seq;
        self.index = index.to_string();
        let before = (self.phase, self.risk, self.frame.slot_source.clone());
        let mut verdict = match event {
            Event::Refused(refused) => self.refuse(&refused.code),
            Event::Torn { .. } => {
                self.is_torn = true;
                return Verdict::default();
            }
            event => match self.refusal(event) {
                Some(refusal) => self.refuse(refusal.code.as_str()),
                None => self.take(event),
            },
        };
        if self.phase != before.0 {
            self.phases.push((self.phase, seq));
            verdict.phase = Some(self.phase);
        }
        verdict.risk = (self.risk != before.1).then_some(self.risk);
        verdict.slots = self.changed_slots(&before.2, event);
        verdict
    }

    fn refuse(&mut self, code: &str) -> Verdict {
        *self.refusals.entry(code.to_string()).or_default() += 1;
        Verdict { refused: Some(code.to_string()), ..Verdict::default() }
    }

    fn take(&mut self, event: &Event) -> Verdict {
        let mut verdict = Verdict::default();
        match event {
            Event::Framed { extraction } => self.take_extraction(extraction),
            Event::Said { extraction, text } => {
                self.frame.said.push(text.clone());
                self.take_extraction(extraction);
            }
            Event::Called(called) => self.take_call(called, &mut verdict),
            Event::Mapped(mapped) => self.take_map(mapped, &mut verdict),
            Event::Submitted(submitted) => self.take_submit(submitted, &mut verdict),
            Event::SemanticOpened { reason, .. } => self.semantic_reasons.push(*reason),
            Event::Hypothesised(event) => self.take_hypotheses(event, &mut verdict),
            Event::Verified(event) => self.take_verified(event, &mut verdict),
            Event::Reverted { keep } => self.revert(*keep),
            Event::IntentChanged { intent } => self.change_intent(*intent),
            Event::WriteChecked(checked) => self.take_write(checked, &mut verdict),
            Event::Outcome(event) => {
                self.blame = blame::blame(self, event);
                self.outcome = Some(event.outcome);
                verdict.blame.clone_from(&self.blame);
            }
            Event::Started(_) | Event::Refused(_) | Event::Torn { .. } => {}
        }
        self.step(event);
        verdict
    }

    /// Goes where the table of phases leads.
    fn step(&mut self, event: &Event) {
        let Some(op) = op_of(event) else { return };
        let Some(to) = phases::taken(self, op, event).and_then(|row| row.to) else { return };
        match (self.phase, to) {
            (_, SessionPhase::Ready) => self.enter_ready(),
            (from, SessionPhase::Exploration) if from != to => self.leave_for_exploration(),
            (_, SessionPhase::Semantic) => {
                self.visits += 1;
                self.visit = Visit { start: self.seq, searches: 0 };
            }
            (_, SessionPhase::Verification) => self.verification_start = self.seq,
            _ => {}
        }
        self.phase = to;
    }

    fn enter_ready(&mut self) {
        let facts = self.frame.mapped_symbols.iter().filter(|symbol| symbol.source == SlotSource::Fact);
        self.frame.confirmed_symbols = Some(facts.filter_map(|symbol| symbol.symbol_id.clone()).collect());
    }

    /// What was ready is no longer; hypotheses that nobody verified go.
    fn leave_for_exploration(&mut self) {
        self.frame.confirmed_symbols = None;
        self.new_files.clear();
        self.drop_open_hypotheses();
    }

    /// A slot is only replaced by one that was extracted.
    fn take_extraction(&mut self, extraction: &Extraction) {
        extraction::merge(&mut self.frame, extraction);
        for slot in extraction.values.keys() {
            self.stated.insert(*slot, self.frame.slot(*slot).map(str::to_string));
        }
        if extraction.values.contains_key(&Slot::TargetFeature) {
            // They were related to another target.
            self.frame.mapped_symbols.iter_mut().for_each(|symbol| symbol.related = None);
        }
        self.route_again();
    }

    fn change_intent(&mut self, intent: FrameIntent) {
        self.intent = intent;
        self.intent_source = IntentSource::Given;
        self.route_again();
    }

    /// The risk rises and never falls.
    fn route_again(&mut self) {
        self.routing = routed(&self.frame, self.intent);
        self.risk_rules.extend(self.routing.risk_rules.iter().copied());
        self.raise_risk(self.routing.risk_level);
    }

    fn raise_risk(&mut self, level: RiskLevel) {
        self.risk = self.risk.max(level);
    }

    fn revert(&mut self, keep: bool) {
        self.drop_open_hypotheses();
        if keep {
            return;
        }
        self.frame.mapped_symbols.clear();
        self.frame.slot_evidence.clear();
        for slot in Slot::ALL {
            let stated = self.stated.get(&slot).cloned().flatten();
            match &stated {
                Some(_) => self.frame.slot_source.insert(slot, SlotSource::Stated),
                None => self.frame.slot_source.remove(&slot),
            };
            *self.frame.slot_mut(slot) = stated;
        }
        self.refresh_missing();
        self.explored.clear();
        self.calls.clear();
        self.seen = seen::Seen::default();
        self.cited.clear();
        self.trusted.clear();
        self.submitted = None;
        self.checklist.clear();
        self.confidence = Score::default();
    }

    fn refresh_missing(&mut self) {
        self.frame.missing_slots = Slot::ALL.into_iter().filter(|slot| self.frame.slot(*slot).is_none()).collect();
    }

    /// Whether everything on the checklist of the last submit holds.
    pub fn is_whole(&self) -> bool {
        !self.checklist.is_empty() && self.checklist.iter().all(|item| item.ok)
    }

    pub fn has_related_fact(&self) -> bool {
        self.facts().any(|symbol| symbol.related.is_some())
    }

    fn facts(&self) -> impl Iterator<Item = &crate::record::frame::MappedSymbol> {
        self.frame.mapped_symbols.iter().filter(|symbol| symbol.source == SlotSource::Fact)
    }

    /// Ids of the symbols that are facts.
    pub fn fact_ids(&self) -> BTreeSet<SymbolId> {
        self.facts().filter_map(|symbol| symbol.symbol_id.clone()).collect()
    }

    fn changed_slots(&mut self, before: &BTreeMap<Slot, SlotSource>, event: &Event) -> BTreeMap<Slot, SlotSource> {
        let tool = match event {
            Event::Called(called) => called.op.name().to_string(),
            event => op_of(event).map(|op| word(&op)).unwrap_or_default(),
        };
        for slot in Slot::ALL {
            let (from, to) = (before.get(&slot).copied(), self.frame.slot_source.get(&slot).copied());
            if from != to {
                self.trail.push(SlotStep { seq: self.seq, slot, from, to, tool: tool.clone() });
            }
        }
        let now = self.frame.slot_source.iter().filter(|(slot, source)| before.get(slot) != Some(source));
        now.map(|(slot, source)| (*slot, *source)).collect()
    }
}

/// What follows from a frame before more code is seen.
fn routed(frame: &QueryFrame, intent: FrameIntent) -> RoutingDecision {
    route(&frame.raw_query, &frame.missing_slots, intent, frame.lang, risk(&facts(frame, intent)))
}

/// As it is written in JSON.
pub fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).expect("it is a word");
    value.as_str().unwrap_or_default().to_string()
}
