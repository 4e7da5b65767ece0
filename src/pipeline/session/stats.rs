//! What became of the sessions of a tree: counts, and the share of failures.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer::SessionReply;
use super::{SessionError, Sessions};
use crate::door::frame::session::{Session, word};
use crate::record::Score;
use crate::record::frame::CodeOp;
use crate::record::session::OutcomeKind;

#[derive(Debug, Default, Serialize)]
struct Stats {
    by_blame: BTreeMap<String, Count>,
    by_intent: BTreeMap<String, Count>,
    by_risk: BTreeMap<String, Count>,
    by_risk_rule: BTreeMap<String, Count>,
    by_semantic: BTreeMap<String, Count>,
    by_slot: BTreeMap<String, Count>,
    closed: u32,
    open: u32,
    total: Count,
    unusable: u32,
}

#[derive(Debug, Default, Serialize)]
struct Count {
    failure: u32,
    failure_share: Score,
    partial: u32,
    success: u32,
}

impl Count {
    fn add(&mut self, outcome: OutcomeKind) {
        match outcome {
            OutcomeKind::Success => self.success += 1,
            OutcomeKind::Failure => self.failure += 1,
            OutcomeKind::Partial => self.partial += 1,
        }
        let all = self.failure + self.partial + self.success;
        self.failure_share = Score::millionths((u64::from(self.failure) * 1_000_000 / u64::from(all)) as u32);
    }
}

/// Of all sessions of a tree.
pub fn stats(sessions: &Sessions) -> Result<SessionReply, SessionError> {
    let mut stats = Stats::default();
    for id in sessions.ids()? {
        match sessions.load(&id) {
            Ok(loaded) => stats.add(&loaded.folded.session),
            Err(_) => stats.unusable += 1,
        }
    }
    let text = serde_json::to_string_pretty(&stats).expect("it is JSON") + "\n";
    Ok(SessionReply::plain(text))
}

impl Stats {
    fn add(&mut self, session: &Session) {
        let Some(outcome) = session.outcome else {
            self.open += 1;
            return;
        };
        self.closed += 1;
        self.total.add(outcome);
        let count = |table: &mut BTreeMap<String, Count>, key: String| table.entry(key).or_default().add(outcome);
        count(&mut self.by_intent, word(&session.intent));
        count(&mut self.by_risk, word(&session.risk));
        session.risk_rules.iter().for_each(|rule| count(&mut self.by_risk_rule, word(rule)));
        let used = session.calls_of(CodeOp::SemanticSearch).next().is_some();
        count(&mut self.by_semantic, if used { "used" } else { "not_used" }.to_string());
        for (slot, quote) in &session.frame.slot_quotes {
            let tool = session.frame.slot_evidence.get(slot).map_or("none", |evidence| evidence.tool.as_str());
            count(&mut self.by_slot, format!("{} {} {tool}", slot.name(), quote.rule));
        }
        session.blame.iter().for_each(|blame| count(&mut self.by_blame, word(&blame.kind)));
    }
}
