//! One call of a session: opens it, looks things up, appends the event, replies. The command line and the server both
//! come here.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::answer::{self, SessionReply};
use super::observe::Observer;
use super::store::Writing;
use super::{SessionError, Sessions, data, stats, times};
use crate::assemble::IndexView;
use crate::door::browse::BrowseError;
use crate::door::frame::session::{Session, extraction_of};
use crate::door::frame::{FrameOptions, Synonyms, frame, rules_digest};
use crate::pipeline::PackSource;
use crate::record::frame::{FrameIntent, FrameLang};
use crate::record::session::{Event, RefusedOp, SessionId, SessionOp, Started, Verdict};
use crate::record::{Digest, codec};
use crate::text::Tokenizer;

pub use crate::door::frame::session::word;

/// What calls need, of one tree.
#[derive(Clone, Copy)]
pub struct Workbench<'w> {
    pub sessions: &'w Sessions,
    pub source: &'w PackSource,
    pub tree: &'w Path,
    pub index: &'w Path,
    pub repo_id: &'w str,
    pub synonyms: &'w Synonyms,
    pub room: usize,
    pub tokenizer: Tokenizer,
}

/// A call that is not about code.
#[derive(Clone, Debug, Default)]
pub struct SessionRequest {
    pub op: String,
    pub session: Option<SessionId>,
    pub query: Option<String>,
    pub intent: Option<FrameIntent>,
    pub lang: Option<FrameLang>,
    /// The id that a new session should have.
    pub id: Option<SessionId>,
    pub data: Map<String, Value>,
    /// Where a long reply goes on.
    pub offset: usize,
}

impl Workbench<'_> {
    pub fn session(&self, request: &SessionRequest) -> Result<SessionReply, SessionError> {
        let reply = match request.op.as_str() {
            "start" => self.start(request)?,
            "show" => self.show(request)?,
            "stats" => stats::stats(self.sessions)?,
            _ => self.step(request)?,
        };
        reply.within(request.offset, self.room, self.tokenizer)
    }

    /// The session that a call names, or the one that this process started last, or the only open one.
    pub fn id(&self, given: Option<&SessionId>) -> Result<SessionId, SessionError> {
        if let Some(id) = given.cloned().or_else(|| self.sessions.last()) {
            return Ok(id);
        }
        let mut open = Vec::new();
        for id in self.sessions.ids()? {
            if !self.sessions.is_closed(&id)? {
                open.push(id);
            }
        }
        match &open[..] {
            [one] => Ok(one.clone()),
            [] => Err(SessionError::bad("no session is open: start one")),
            _ => Err(SessionError::bad(format!("{} sessions are open: name one", open.len()))),
        }
    }

    fn start(&self, request: &SessionRequest) -> Result<SessionReply, SessionError> {
        let query = request.query.as_deref().ok_or_else(|| SessionError::bad("start needs `query`"))?;
        let model: Map<String, Value> = request
            .data
            .iter()
            .filter(|(name, _)| *name != "expect_seq")
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let extraction = (!model.is_empty()).then_some(Value::Object(model));
        let options = FrameOptions {
            intent: request.intent,
            lang: request.lang,
            extraction: extraction.as_ref(),
            ..FrameOptions::default()
        };
        let answer = frame(query, &options)?;
        let event = Event::Started(Started {
            extraction: extraction_of(&answer.frame),
            intent: answer.intent,
            intent_source: answer.intent_source,
            lang: answer.frame.lang,
            raw_digest: Digest::blake3(query.as_bytes()),
            raw_query: answer.frame.raw_query.clone(),
            rules: rules_digest(),
        });
        let index = self.source.signature();
        let folded =
            self.sessions.start(|n| self.new_id(request, &answer.frame.raw_query, answer.intent, n), index, event)?;
        times::add_time(self.sessions, &folded.session.id, 0);
        Ok(answer::started(&folded.session))
    }

    /// Alike requests get ids of their own by counting.
    fn new_id(&self, request: &SessionRequest, raw_query: &str, intent: FrameIntent, n: u32) -> SessionId {
        if let Some(id) = &request.id {
            return id.clone();
        }
        let parts = json!({ "index": self.source.signature(), "intent": intent, "n": n, "raw_query": raw_query, "repo_id": self.repo_id });
        let mut bytes = Vec::new();
        codec::write(&parts, &mut bytes).expect("it is JSON");
        SessionId::try_from(format!("fs-{}", Digest::blake3(&bytes).short())).expect("hex digits are allowed")
    }

    fn show(&self, request: &SessionRequest) -> Result<SessionReply, SessionError> {
        let loaded = self.sessions.load(&self.id(request.session.as_ref())?)?;
        let torn = loaded.torn.len();
        let reply = match request.data.get("view").and_then(Value::as_str) {
            Some("decisions") => SessionReply::of_value(&loaded.folded.session, &loaded.folded.session.decisions()),
            Some("state") => SessionReply::of_value(&loaded.folded.session, &loaded.folded.session.state()),
            Some("times") => {
                let text = times::times(self.sessions, &loaded.folded.session.id);
                SessionReply::of_text(&loaded.folded.session, text)
            }
            Some(other) => {
                return Err(SessionError::bad(format!("there is no view `{other}`: state, decisions, times")));
            }
            None => answer::status(&loaded.folded.session, torn),
        };
        self.sessions.keep(loaded.folded);
        Ok(reply)
    }

    /// An op that appends an event.
    fn step(&self, request: &SessionRequest) -> Result<SessionReply, SessionError> {
        let op: SessionOp = serde_json::from_value(Value::String(request.op.clone()))
            .map_err(|_| SessionError::bad(format!("there is no op `{}`", request.op)))?;
        let mut given = request.data.clone();
        if let Some(intent) = request.intent {
            given.insert("intent".to_string(), json!(intent));
        }
        let op = if op == SessionOp::Intent { SessionOp::Frame } else { op };
        let id = self.id(request.session.as_ref())?;
        let mut writing = self.open(&id, &given)?;
        let event = self.observed(&writing.folded.session, |observer| observer.event(op, &given))?;
        let verdict = self.append(&mut writing, event)?;
        let session = &writing.folded.session;
        let reply = answer::stepped(session, op, &verdict, &given);
        writing.done();
        Ok(reply)
    }

    pub(super) fn open(&self, id: &SessionId, given: &Map<String, Value>) -> Result<Writing<'_>, SessionError> {
        let mut writing = self.sessions.write(id)?;
        writing.expect(data::expect_seq(given))?;
        writing.repair(self.source.signature())?;
        Ok(writing)
    }

    pub(super) fn observed<T>(
        &self,
        session: &Session,
        work: impl FnOnce(&Observer) -> Result<T, SessionError>,
    ) -> Result<T, SessionError> {
        self.viewed(|view| work(&Observer::new(self, view, session)))
    }

    pub(super) fn viewed<T>(
        &self,
        work: impl FnOnce(&IndexView) -> Result<T, SessionError>,
    ) -> Result<T, SessionError> {
        self.source.with(|view| match work(view) {
            Err(SessionError::Browse(BrowseError::Read(error))) => Err(error),
            other => Ok(other),
        })?
    }

    /// Appends an event, or its refusal.
    pub(super) fn append(&self, writing: &mut Writing, event: Event) -> Result<Verdict, SessionError> {
        let refusal = writing.folded.session.refusal(&event);
        let index = self.source.signature();
        let Some(refusal) = refusal else {
            let verdict = writing.append(index, event)?;
            times::add_time(self.sessions, &writing.folded.session.id, writing.folded.session.seq);
            return Ok(verdict);
        };
        // A closed session takes no events, not even refusals.
        if refusal.code != crate::record::ErrorCode::SessionClosed {
            let code = refusal.code.to_string();
            let event = Event::Refused(RefusedOp { code, detail: refusal.detail.clone(), op: refusal.op });
            writing.append(index, event)?;
        }
        Err(SessionError::Refused(Box::new(refusal)))
    }
}
