//! `code`: facts about the code. `contextpack session call` for agents; without a session nothing is recorded.

use super::gate::{named_session, reply, with_bench};
use super::{Call, Limit, Reply};
use crate::mcp::fault::Fault;
use crate::pipeline::session::CodeRequest;

/// Tokens of a reply by default.
pub const DEFAULT_TOKENS: u32 = 2_000;

pub fn run(call: &Call, limit: Limit) -> Result<Reply, Fault> {
    let arguments = call.arguments;
    let request = CodeRequest {
        op: arguments.word("op")?.ok_or_else(|| arguments.missing("op"))?,
        target: arguments.text("target")?.ok_or_else(|| arguments.missing("target"))?,
        path: arguments.name("path")?,
        session: named_session(call)?,
        offset: arguments.count("offset")?.unwrap_or_default() as usize,
    };
    with_bench(call, limit, |bench, opened| {
        let answer = call.appends(|| bench.code(&request))?;
        let mut made = reply(answer);
        made.stale(opened.stale.as_deref());
        Ok(made)
    })
}
