//! `session replay` and `session list`: logs without the index.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::Place;
use crate::cli::{DONE, Failure, REFUSED, print, print_json};
use crate::door::frame::session::{fold, fold_with_current_rules, word};
use crate::record::ErrorCode;

#[derive(Args)]
pub struct ReplayArguments {
    /// The log of a session
    #[arg(value_name = "FILE")]
    log: PathBuf,
    /// Decide with today's rules, and print every verdict that comes out otherwise
    #[arg(long)]
    with_current_rules: bool,
}

pub fn run(arguments: &ReplayArguments) -> Result<u8, Failure> {
    let bytes = std::fs::read(&arguments.log).map_err(Failure::reading(&arguments.log))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let unusable = |fault: crate::door::frame::session::LogFault| {
        let code = match fault {
            crate::door::frame::session::LogFault::Rules { .. } => ErrorCode::ContractVersion,
            _ => ErrorCode::SessionCorrupt,
        };
        Failure::coded(code, format!("cannot use `{}`\n  because {fault}", arguments.log.display()))
    };
    let (folded, differences) = match arguments.with_current_rules {
        true => fold_with_current_rules(&bytes[..whole]).map_err(unusable)?,
        false => (fold(&bytes[..whole]).map_err(unusable)?, Vec::new()),
    };
    let state = folded.session.state();
    print_json(&json!({
        "differences": differences,
        "events": folded.session.seq + 1,
        "phase": state.phase,
        "session": state.session,
        "state_digest": state.state_digest,
        "torn_bytes": bytes.len() - whole,
    }))?;
    Ok(if differences.is_empty() { DONE } else { REFUSED })
}

/// Every session with its phase, by id.
pub fn list(place: &Place) -> Result<u8, Failure> {
    let root = place.root.find_tree("session")?;
    let sessions = place.sessions(&root)?;
    let mut rows = Vec::new();
    for id in sessions.ids()? {
        let row = match sessions.load(&id) {
            Ok(loaded) => {
                let session = &loaded.folded.session;
                let query: String = crate::text::one_line(&session.frame.raw_query).chars().take(60).collect();
                json!({ "session": id, "phase": word(&session.phase), "seq": session.seq, "query": query })
            }
            Err(error) => json!({ "session": id, "fault": error.code().as_str() }),
        };
        rows.push(row);
    }
    if place.json {
        print_json(&rows)?;
        return Ok(DONE);
    }
    for row in rows {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_string();
        match row.get("fault") {
            Some(_) => print(&format!("{}  {}\n", text("session"), text("fault")))?,
            None => print(&format!("{}  {}  {}  {}\n", text("session"), text("phase"), row["seq"], text("query")))?,
        }
    }
    Ok(DONE)
}
