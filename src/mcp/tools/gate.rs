//! `session`: the query frame gate. `contextpack session` for agents.

use serde_json::{Map, Value};

use super::{Call, Limit, Reply};
use crate::door::frame::Synonyms;
use crate::mcp::fault::Fault;
use crate::mcp::root::Opened;
use crate::pipeline::session::{SessionReply, SessionRequest, Workbench};
use crate::record::ErrorCode;
use crate::record::session::SessionId;

/// Tokens of a reply by default.
pub const DEFAULT_TOKENS: u32 = 1_000;

pub fn run(call: &Call, limit: Limit) -> Result<Reply, Fault> {
    let arguments = call.arguments;
    let op = arguments.required("op")?;
    let mut data = arguments.object("data")?.unwrap_or_default();
    let offset = data.remove("offset").as_ref().and_then(Value::as_u64).unwrap_or_default() as usize;
    let session = if op == "start" || op == "stats" { None } else { named_session(call)? };
    let id = match op.as_str() {
        "start" => named_session(call)?,
        _ => None,
    };
    let query = arguments.text("query")?;
    let intent = arguments.word("intent")?;
    let request = SessionRequest { op, session, query, intent, lang: None, id, data, offset };
    with_bench(call, limit, |bench, opened| {
        let answer = call.appends(|| bench.session(&request))?;
        if answer.code == Some(ErrorCode::WriteDenied) {
            return Err(denied(&answer).stale(opened.stale.as_deref()));
        }
        Ok(reply(answer))
    })
}

fn denied(answer: &SessionReply) -> Fault {
    let text = answer.text.trim_end();
    let text = text.strip_prefix(ErrorCode::WriteDenied.as_str()).map_or(text, |rest| rest.trim_start_matches(": "));
    Fault::new(ErrorCode::WriteDenied, text)
}

/// The session that a call names. One client has one standard input; over HTTP there may be many.
pub fn named_session(call: &Call) -> Result<Option<SessionId>, Fault> {
    let bad = |_| Fault::bad_request("`session` has to be 1 to 64 lower-case letters, digits and hyphens");
    let named = call.arguments.name("session")?.map(|id| SessionId::try_from(id).map_err(bad)).transpose()?;
    let op = call.arguments.name("op")?.unwrap_or_default();
    let needs_one = call.settings.is_shared && call.is_of_session() && op != "start" && op != "stats";
    if named.is_none() && needs_one {
        return Err(call.arguments.missing("session"));
    }
    Ok(named)
}

/// Opens the index and the sessions of a tree.
pub fn with_bench(
    call: &Call,
    limit: Limit,
    work: impl FnOnce(&Workbench, &Opened) -> Result<Reply, Fault>,
) -> Result<Reply, Fault> {
    let root = call.root()?;
    let sessions = root.sessions.as_ref().ok_or_else(|| {
        Fault::new(ErrorCode::NotSupported, "there is no directory for sessions").hint("set HOME, or give --sessions")
    })?;
    let opened = root.open(call.progress)?;
    let source = root.source(&opened)?;
    let synonyms: Synonyms = root.watched.root().synonyms()?;
    let bench = Workbench {
        sessions,
        source: &source,
        tree: root.watched.tree(),
        index: root.watched.index(),
        repo_id: &root.repo_id,
        synonyms: &synonyms,
        room: limit.room() as usize,
        tokenizer: limit.tokenizer,
    };
    work(&bench, &opened)
}

pub fn reply(answer: SessionReply) -> Reply {
    Reply { text: answer.text, notes: Vec::new(), facts: answer.facts }
}

/// Arguments of the specification's tools, as ours.
pub fn renamed(alias: &str, mut given: Map<String, Value>) -> Map<String, Value> {
    let mut made = Map::new();
    let mut take = |given: &mut Map<String, Value>, to: &str, from: &[&str]| {
        let found = from.iter().find_map(|name| given.remove(*name));
        if let Some(value) = found {
            made.insert(to.to_string(), value);
        }
    };
    take(&mut given, "session", &["session", "session_id"]);
    take(&mut given, "root", &["root"]);
    take(&mut given, "max_tokens", &["max_tokens"]);
    IGNORED.iter().for_each(|name| drop(given.remove(*name)));
    match alias_op(alias) {
        Some((op, true)) => {
            let names = ["target", "symbol", "pattern", "question", "text", "query", "path", "file_path"];
            take(&mut given, "target", &names);
            take(&mut given, "path", &["path", "file_path"]);
            take(&mut given, "offset", &["offset"]);
            made.insert("op".to_string(), op.into());
        }
        Some((op, false)) => {
            take(&mut given, "query", &["query"]);
            take(&mut given, "intent", &["intent"]);
            let mut data = given.remove("data").and_then(|data| data.as_object().cloned()).unwrap_or_default();
            if let Some(path) = given.remove("file_path") {
                data.insert("path".to_string(), path);
            }
            data.extend(std::mem::take(&mut given));
            if !data.is_empty() {
                made.insert("data".to_string(), Value::Object(data));
            }
            made.insert("op".to_string(), op.into());
        }
        None => {}
    }
    // What is left is refused and named.
    made.extend(given);
    made
}

/// Arguments that say nothing here.
const IGNORED: [&str; 6] = ["language", "show_plan", "context_lines", "max_results", "case_sensitive", "exact_match"];

/// The op of an alias, and whether it shows code.
pub fn alias_op(alias: &str) -> Option<(&'static str, bool)> {
    ALIASES.iter().find(|(name, ..)| *name == alias).map(|(_, op, is_code)| (*op, *is_code))
}

/// The tools of the specification: name, op, and whether it shows code.
pub const ALIASES: &[(&str, &str, bool)] = &[
    ("find_definitions", "find_definitions", true),
    ("find_references", "find_references", true),
    ("search_text", "search_text", true),
    ("get_symbols", "get_symbols", true),
    ("analyze_structure", "analyze_structure", true),
    ("query", "query", true),
    ("semantic_search", "semantic_search", true),
    ("devrag_search", "semantic_search", true),
    ("add_explored_files", "read", true),
    ("start_session", "start", false),
    ("set_query_frame", "frame", false),
    ("submit_understanding", "submit", false),
    ("submit_semantic", "hypothesis", false),
    ("submit_verification", "verify", false),
    ("check_write_target", "check_write", false),
    ("record_outcome", "outcome", false),
    ("get_outcome_stats", "stats", false),
    ("get_session_status", "show", false),
    ("revert_to_exploration", "revert", false),
];
