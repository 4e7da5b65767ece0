//! `session check-write`, by hand and as the hook of an agent.

use std::io::Read as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::Args;
use serde_json::{Map, json};

use super::{Place, SESSION_TOKENS, session_id};
use crate::cli::{DONE, FAILED, Failure, REFUSED, print, say};
use crate::pipeline::session::{HookCall, SessionError, SessionReply, SessionRequest, Workbench};
use crate::record::session::SessionId;

#[derive(Args)]
pub struct CheckArguments {
    /// The session; with --hook it may be left out if only one is open
    #[arg(value_name = "ID", value_parser = session_id, required_unless_present = "hook")]
    id: Option<SessionId>,
    /// The files, relative to the tree or absolute
    #[arg(value_name = "PATH", required_unless_present = "hook", conflicts_with = "hook")]
    paths: Vec<String>,
    /// Read the call of a tool from standard input; exit with 0 if it may go on, else with 2 and the reason on standard error
    #[arg(long)]
    hook: bool,
    #[command(flatten)]
    place: Place,
}

/// A call of a tool is short; only a file's new content may be long.
const MAX_CALL_BYTES: u64 = 64 << 20;

pub fn run(arguments: &CheckArguments) -> Result<u8, Failure> {
    if arguments.hook {
        return Ok(hook(arguments));
    }
    let room = arguments.place.room(SESSION_TOKENS)?;
    let mut is_allowed = true;
    let replies = arguments.place.bench(room, |bench| checks(bench, arguments.id.as_ref(), &arguments.paths))?;
    for reply in replies {
        is_allowed &= reply.is_yes;
        print(&reply.text)?;
    }
    Ok(if is_allowed { DONE } else { REFUSED })
}

fn checks(bench: &Workbench, id: Option<&SessionId>, paths: &[String]) -> Result<Vec<SessionReply>, SessionError> {
    let check = |path: &String| {
        let data = Map::from_iter([("path".to_string(), json!(path))]);
        let op = "check_write".to_string();
        bench.session(&SessionRequest { op, session: id.cloned(), data, ..SessionRequest::default() })
    };
    paths.iter().map(check).collect()
}

/// Whatever goes wrong is a denial: agents take other codes than 2 for a yes.
fn hook(arguments: &CheckArguments) -> u8 {
    let answered = catch_unwind(AssertUnwindSafe(|| hook_denial(arguments)));
    match answered {
        Ok(Ok(None)) => DONE,
        Ok(Ok(Some(reason))) => deny(&reason),
        Ok(Err(failure)) => deny(&failure.to_string()),
        Err(_) => deny("the check failed"),
    }
}

fn deny(reason: &str) -> u8 {
    say(reason.trim_end());
    FAILED
}

fn hook_denial(arguments: &CheckArguments) -> Result<Option<String>, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().take(MAX_CALL_BYTES).read_to_string(&mut text);
    read.map_err(|error| Failure::other(format!("cannot read standard input: {error}")))?;
    let Some(call) = HookCall::parse(&text) else {
        return Ok(Some("POC_E_WRITE_DENIED: the call names no file".to_string()));
    };
    let room = arguments.place.room(SESSION_TOKENS)?;
    let replies = arguments.place.bench(room, |bench| checks(bench, arguments.id.as_ref(), &call.paths))?;
    Ok(replies.into_iter().find(|reply| !reply.is_yes).map(|reply| reply.text))
}
