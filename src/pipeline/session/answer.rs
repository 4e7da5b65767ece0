//! Replies in words. Each says what is missing and shows the next call.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::SessionError;
use super::write::shown;
use crate::door::frame::session::{ASK_AFTER, Session, word};
use crate::door::frame::{by_priority, guidance, requirements};
use crate::record::ErrorCode;
use crate::record::frame::{CodeOp, SessionPhase, Slot};
use crate::record::session::{ClaimFault, HypothesisStatus, SessionOp, Verdict, WriteDenial};
use crate::text::{RepoPath, Tokenizer, one_line};

/// Entries of one list.
const MAX_LISTED: usize = 20;

/// A text, and the same in facts for programs.
#[derive(Debug)]
pub struct SessionReply {
    pub text: String,
    pub facts: Map<String, Value>,
    /// Whether the answer is yes: ready, allowed, taken.
    pub is_yes: bool,
    /// The code of a no.
    pub code: Option<ErrorCode>,
}

impl SessionReply {
    pub fn plain(text: String) -> Self {
        SessionReply { text, facts: Map::new(), is_yes: true, code: None }
    }

    pub fn of_text(session: &Session, text: String) -> Self {
        let mut reply = SessionReply::plain(text);
        reply.fact("session", session.id.as_str());
        reply.fact("phase", word(&session.phase));
        reply.fact("seq", session.seq);
        reply
    }

    pub fn of_value(session: &Session, value: &impl Serialize) -> Self {
        let text = serde_json::to_string_pretty(value).expect("it is JSON") + "\n";
        SessionReply::of_text(session, text)
    }

    pub fn fact(&mut self, name: &str, value: impl Into<Value>) {
        self.facts.insert(name.to_string(), value.into());
    }

    /// The lines from an offset on that fit.
    pub fn within(mut self, offset: usize, room: usize, tokenizer: Tokenizer) -> Result<Self, SessionError> {
        let rest = self.text.get(offset..).filter(|rest| offset == 0 || !rest.is_empty());
        let rest = rest.ok_or_else(|| SessionError::bad(format!("no part begins at offset {offset}")))?;
        if tokenizer.count_until(rest, room).is_some() {
            self.text = rest.to_string();
            return Ok(self);
        }
        let note = 24;
        let end = tokenizer.prefix(rest, room.saturating_sub(note));
        let end = rest[..end].rfind('\n').map_or(end, |at| at + 1);
        if end == 0 {
            return Err(SessionError::Limit(format!("nothing fits {room} tokens")));
        }
        let next = offset + end;
        self.text = format!("{}[go on with offset {next}]\n", &rest[..end]);
        self.fact("next", next);
        Ok(self)
    }
}

/// So many names, and how many more there are.
pub fn listed(names: &[String], max: usize) -> String {
    let more = names.len().saturating_sub(max);
    let names: Vec<String> = names.iter().take(max).map(|name| one_line(name)).collect();
    let more = if more > 0 { format!(" +{more}") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

pub fn started(session: &Session) -> SessionReply {
    let mut text = head(session);
    text += &slots(session);
    text += &hints(session);
    text += &needs(session);
    text += &next(session);
    SessionReply::of_text(session, text)
}

pub fn status(session: &Session, torn: usize) -> SessionReply {
    let mut text = head(session);
    if torn > 0 || session.is_torn {
        text += "a crash cut off the last event; submit again before anything is written\n";
    }
    text += &slots(session);
    text += &checklist(session);
    text += &lists(session);
    text += &next(session);
    SessionReply::of_text(session, text)
}

/// What an op led to.
pub fn stepped(session: &Session, op: SessionOp, verdict: &Verdict, given: &Map<String, Value>) -> SessionReply {
    if op == SessionOp::CheckWrite {
        return checked(session, verdict, given);
    }
    let mut text = head(session);
    text += &faults(&verdict.faults);
    text += &match op {
        SessionOp::Submit | SessionOp::Verify => checklist(session),
        SessionOp::Outcome => blames(verdict),
        SessionOp::Frame => slots(session) + &hints(session),
        _ => slots(session),
    };
    if !verdict.mapped.is_empty() {
        text += &format!("mapped: {}\n", listed(&verdict.mapped, MAX_LISTED));
    }
    if session.failed_submits >= ASK_AFTER {
        text += "ask the user, and give the answer as `frame` with `said`\n";
    }
    text += &next(session);
    let mut reply = SessionReply::of_text(session, text);
    reply.is_yes = match op {
        SessionOp::Submit | SessionOp::Verify => session.is_ready(),
        SessionOp::Map => verdict.faults.is_empty(),
        _ => true,
    };
    reply
}

fn checked(session: &Session, verdict: &Verdict, given: &Map<String, Value>) -> SessionReply {
    let given = given.get("path").and_then(Value::as_str).unwrap_or_default();
    let path = RepoPath::try_from(given.to_string()).ok();
    let name = shown(path.as_ref(), given);
    let mut reply = match verdict.denied {
        None => SessionReply::of_text(session, format!("allowed: {name}\n")),
        Some(denial) => {
            let why = format!("{} ({})", word(&denial), reason(denial));
            let text = format!("{}: {name}: {why}\n{}", ErrorCode::WriteDenied, next(session));
            SessionReply { is_yes: false, code: Some(ErrorCode::WriteDenied), ..SessionReply::of_text(session, text) }
        }
    };
    reply.fact("allowed", verdict.allowed == Some(true));
    reply
}

/// Why a file may not be written, in words.
pub fn reason(denial: WriteDenial) -> &'static str {
    match denial {
        WriteDenial::Phase => "the session is not READY",
        WriteDenial::Intent => "the intent does not write",
        WriteDenial::Outside => "it is no path below the tree",
        WriteDenial::Reserved => "it belongs to version control or to this program",
        WriteDenial::NotIndexed => "an ignore rule excludes it",
        WriteDenial::LinkOutside => "a link leads out of the tree",
        WriteDenial::Twin => "another name differs only by letter case or Unicode form",
        WriteDenial::NotExplored => "this session did not see it",
        WriteDenial::NotDeclared => "no submit announced this new file",
        WriteDenial::Stale => "it, or a file that evidence comes from, has changed since it was seen",
        WriteDenial::Unreadable => "it could not be looked at",
    }
}

fn head(session: &Session) -> String {
    let rules: Vec<String> = session.risk_rules.iter().map(word).collect();
    let intent = format!("{} ({})", word(&session.intent), word(&session.intent_source));
    let parts = [
        format!("session {}", session.id.as_str()),
        word(&session.phase),
        intent,
        format!("risk {} {}", word(&session.risk), rules.join(",")).trim().to_string(),
    ];
    format!("{}\n", parts.join(" · "))
}

fn slots(session: &Session) -> String {
    let line = |slot: Slot| {
        let value = session.frame.slot(slot).map(one_line);
        let source = session.frame.slot_source.get(&slot).map(|source| format!(" [{}]", word(source)));
        let value: String = value.unwrap_or_else(|| "–".to_string()).chars().take(120).collect();
        format!("{}: {value}{}\n", slot.name(), source.unwrap_or_default())
    };
    let rejected = session.frame.rejected.iter().take(MAX_LISTED).map(|rejected| {
        let detail =
            if rejected.detail.is_empty() { String::new() } else { format!(" ({})", one_line(&rejected.detail)) };
        format!("rejected {}: {}{detail}\n", one_line(&rejected.slot), word(&rejected.reason))
    });
    Slot::ALL.into_iter().map(line).chain(rejected).collect()
}

/// What is not known, the most urgent first.
fn hints(session: &Session) -> String {
    let missing = by_priority(&session.frame.missing_slots, session.intent);
    let hints = guidance(&missing, session.frame.lang).hints;
    hints.iter().map(|hint| format!("missing {}: {} {}\n", hint.slot.name(), hint.hint, hint.action)).collect()
}

fn needs(session: &Session) -> String {
    let needs = requirements(session.intent, session.risk);
    let counts = format!(
        "needs: {} symbols, {} entry points, {} files, {} patterns",
        needs.symbols_identified, needs.entry_points, needs.files_analyzed, needs.existing_patterns
    );
    let slots: Vec<&str> = needs.required_slot_evidence.iter().map(|slot| slot.name()).collect();
    let tools: Vec<&str> = needs.required_tools.iter().map(|tool| tool.name()).collect();
    let evidence = if slots.is_empty() { String::new() } else { format!("; evidence for {}", slots.join(", ")) };
    let tools = if tools.is_empty() { String::new() } else { format!("; {}", tools.join(", ")) };
    format!("{counts}{evidence}{tools}\n")
}

fn checklist(session: &Session) -> String {
    let item = |item: &crate::record::session::CheckItem| {
        let mark = if item.ok { "ok" } else { "no" };
        let detail = if item.detail.is_empty() { String::new() } else { format!("  {}", item.detail) };
        format!("{mark} {} {}/{}{detail}\n", item.item, item.have, item.need)
    };
    let items: String = session.checklist.iter().map(item).collect();
    if items.is_empty() { items } else { format!("{items}confidence {}\n", session.confidence) }
}

fn faults(faults: &[ClaimFault]) -> String {
    let line = |fault: &ClaimFault| {
        let detail = if fault.detail.is_empty() { String::new() } else { format!(" ({})", one_line(&fault.detail)) };
        format!("fault {}: {}{detail}\n", one_line(&fault.claim), word(&fault.fault))
    };
    let more = faults.len().saturating_sub(MAX_LISTED);
    let shown: String = faults.iter().take(MAX_LISTED).map(line).collect();
    if more > 0 { format!("{shown}+{more} faults\n") } else { shown }
}

fn blames(verdict: &Verdict) -> String {
    let line = |blame: &crate::record::session::Blame| {
        let call = blame.call.map(|call| format!(", call {call}")).unwrap_or_default();
        let notes = if blame.notes.is_empty() { String::new() } else { format!(": {}", listed(&blame.notes, 4)) };
        format!("{} {}{call}{notes}\n", one_line(&blame.what), word(&blame.kind))
    };
    verdict.blame.iter().take(MAX_LISTED).map(line).collect()
}

fn lists(session: &Session) -> String {
    let explored: Vec<String> = session.explored.keys().map(RepoPath::to_string).collect();
    let symbols = session.frame.mapped_symbols.iter();
    let symbols: Vec<String> =
        symbols.map(|symbol| format!("{} [{}]", one_line(&symbol.name), word(&symbol.source))).collect();
    let open = session.hypotheses.iter().filter(|one| one.shown.status == HypothesisStatus::Open);
    let open: Vec<String> = open.map(|one| format!("{} {}", one.shown.id, one_line(&one.shown.text))).collect();
    let written: Vec<String> = session.written.keys().map(RepoPath::to_string).collect();
    let line = |name: &str, all: &[String]| match all.is_empty() {
        true => String::new(),
        false => format!("{name}: {}\n", listed(all, MAX_LISTED)),
    };
    line("explored", &explored) + &line("symbols", &symbols) + &line("open", &open) + &line("written", &written)
}

/// The next calls, filled in as far as they are known.
fn next(session: &Session) -> String {
    let id = session.id.as_str();
    let call = |tool: &str, value: Value| format!("next: {tool} {value}\n");
    match session.phase {
        SessionPhase::Exploration => {
            let target = session.frame.target_feature.clone().unwrap_or_else(|| "…".to_string());
            let op = next_op(session);
            let evidence = json!({ "observed_issue": { "call": 0, "place": "PATH:LINE" } });
            let data = json!({ "symbols_identified": ["NAME"], "entry_points": ["NAME"],
                "existing_patterns": [{ "pattern": "…", "places": ["PATH:LINE"] }],
                "files_analyzed": ["PATH"], "slot_evidence": evidence });
            call("code", json!({ "op": op, "session": id, "target": target }))
                + &call("session", json!({ "op": "submit", "session": id, "data": data }))
        }
        SessionPhase::Semantic => {
            let data = json!({ "hypotheses": [{ "slot": "target_feature", "text": "…", "call": session.seq }] });
            call("code", json!({ "op": "semantic_search", "session": id, "target": "…" }))
                + &call("session", json!({ "op": "hypothesis", "session": id, "data": data }))
        }
        SessionPhase::Verification => {
            let open = session.hypotheses.iter().find(|one| one.shown.status == HypothesisStatus::Open);
            let evidence = json!({ "call": 0, "place": "PATH:LINE" });
            let id_of = open.map_or(0, |one| one.shown.id);
            let data = json!({ "verified": [{ "id": id_of, "status": "confirmed", "evidence": evidence }] });
            call("session", json!({ "op": "verify", "session": id, "data": data }))
        }
        SessionPhase::Ready if session.intent.writes() => {
            call("session", json!({ "op": "check_write", "session": id, "data": { "path": "PATH" } }))
        }
        SessionPhase::Ready => {
            call("session", json!({ "op": "outcome", "session": id, "data": { "outcome": "success" } }))
        }
        SessionPhase::Closed => String::new(),
    }
}

/// The first recommended tool that was not called.
fn next_op(session: &Session) -> &'static str {
    let planned = session.routing.initial_tools.iter().chain(&session.routing.requirements.required_tools);
    let unused = planned.copied().find(|tool| session.calls_of(*tool).next().is_none());
    unused.unwrap_or(CodeOp::FindDefinitions).name()
}
