//! The state as it is printed, and its digest.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Session, SlotStep};
use crate::record::frame::{CodeOp, FrameIntent, RiskRule, SessionPhase, Slot, SlotSource};
use crate::record::session::{Blame, ExploredFile, OutcomeKind, SessionId, SessionState, WrittenFile};
use crate::record::{Digest, codec};

/// How a session came to its decisions.
#[derive(Debug, Serialize)]
pub struct DecisionLog {
    pub blame: Vec<Blame>,
    pub category: Option<crate::record::frame::QuestionCategory>,
    pub intent: FrameIntent,
    pub outcome: Option<OutcomeKind>,
    pub phases: Vec<PhaseSpan>,
    pub query: String,
    pub refusals: BTreeMap<String, u32>,
    pub risk_rules: Vec<RiskRule>,
    pub session: SessionId,
    pub slot_trail: BTreeMap<Slot, Vec<TrailStep>>,
    pub tools_planned: Vec<CodeOp>,
    pub tools_used: Vec<ToolUse>,
}

#[derive(Debug, Serialize)]
pub struct PhaseSpan {
    pub from_seq: u32,
    pub phase: SessionPhase,
    pub to_seq: u32,
}

#[derive(Debug, Serialize)]
pub struct TrailStep {
    pub from: Option<SlotSource>,
    pub seq: u32,
    pub source: Option<SlotSource>,
    pub tool: String,
}

#[derive(Debug, Serialize)]
pub struct ToolUse {
    pub count: u32,
    pub first_seq: u32,
    pub tool: CodeOp,
}

impl Session {
    pub fn state(&self) -> SessionState {
        let mut state = self.undigested();
        let mut bytes = Vec::new();
        codec::write(&state, &mut bytes).expect("a state holds only what JSON can say");
        state.state_digest = Digest::blake3(&bytes);
        state
    }

    /// The digest of the canonical state.
    pub fn digest(&self) -> Digest {
        self.state().state_digest
    }

    fn undigested(&self) -> SessionState {
        let explored = self.explored.iter();
        let explored = explored.map(|(path, seen)| ExploredFile {
            digest: seen.digest.clone(),
            path: path.clone(),
            seq: seen.seq,
        });
        let mut routing = self.routing.clone();
        routing.risk_level = self.risk;
        routing.risk_rules = self.risk_rules.iter().copied().collect();
        routing.requirements = super::super::requirements(self.intent, self.risk);
        SessionState {
            calls: self.counts.clone(),
            checklist: self.checklist.clone(),
            confidence: self.confidence,
            explored: explored.collect(),
            frame: self.frame.clone(),
            hypotheses: self.hypotheses.iter().map(|one| one.shown.clone()).collect(),
            index: self.index.clone(),
            intent: self.intent,
            intent_source: self.intent_source,
            new_files: self.new_files.iter().cloned().collect(),
            outcome: self.outcome,
            phase: self.phase,
            refusals: self.refusals.clone(),
            risk_level: self.risk,
            routing,
            seq: self.seq,
            session: self.id.clone(),
            state_digest: Digest::blake3(b""),
            understanding: self.submitted.as_ref().map(|submitted| submitted.data.clone()),
            written: self.written.iter().map(|(path, seq)| WrittenFile { path: path.clone(), seq: *seq }).collect(),
        }
    }

    pub fn decisions(&self) -> DecisionLog {
        let ends = self.phases.iter().skip(1).map(|(_, seq)| *seq).chain([self.seq]);
        let spans = self.phases.iter().zip(ends);
        let mut slot_trail: BTreeMap<Slot, Vec<TrailStep>> = BTreeMap::new();
        for SlotStep { seq, slot, from, to, tool } in &self.trail {
            let step = TrailStep { from: *from, seq: *seq, source: *to, tool: tool.clone() };
            slot_trail.entry(*slot).or_default().push(step);
        }
        let first = |tool| self.calls_of(tool).next().map_or(0, |call| call.seq);
        DecisionLog {
            blame: self.blame.clone(),
            category: self.routing.category,
            intent: self.intent,
            outcome: self.outcome,
            phases: spans.map(|((phase, from), to)| PhaseSpan { from_seq: *from, phase: *phase, to_seq: to }).collect(),
            query: self.frame.raw_query.clone(),
            refusals: self.refusals.clone(),
            risk_rules: self.risk_rules.iter().copied().collect(),
            session: self.id.clone(),
            slot_trail,
            tools_planned: self.routing.recommended_tools.clone(),
            tools_used: self
                .counts
                .iter()
                .map(|(tool, count)| ToolUse { count: *count, first_seq: first(*tool), tool: *tool })
                .collect(),
        }
    }
}
