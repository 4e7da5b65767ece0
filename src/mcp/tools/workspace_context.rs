//! `workspace_context`: what a model should read of a workspace. `contextpack workspace context` for agents. Who asks was
//! said when the server was started: a model can be talked into anything.

use serde_json::Value;

use super::{Call, Limit, Reply};
use crate::mcp::fault::Fault;
use crate::record::ErrorCode;
use crate::record::request::plain_reason;
use crate::record::workspace::{ContextRequest, Focus};

pub fn run(call: &Call, limit: &mut Limit) -> Result<Reply, Fault> {
    let root = call.root()?;
    let request = request(call)?;
    limit.tokenizer = request.tokenizer;
    let opened = root.open(call.progress)?;
    let source = root.workspace(&opened)?;
    let asked = source.ask(request, root.reader().as_ref())?;
    let payload = source.context(&asked, &source.summarizer(false))?.payload;
    let mut reply = call.paged(&payload.serialized, *limit, "call again with")?;
    reply.fact("payloadId", payload.payload_id.as_str());
    reply.fact("items", payload.metadata.blocks_included);
    let warnings = payload.metadata.warnings.iter();
    reply.notes.extend(warnings.map(|warning| format!("[{}]", warning.message)));
    Ok(reply)
}

/// The request that the command line would make of the same words.
fn request(call: &Call) -> Result<ContextRequest, Fault> {
    let arguments = call.arguments;
    let whole = arguments.object("request")?.unwrap_or_default();
    if whole.contains_key("user") {
        let fault = Fault::new(ErrorCode::Forbidden, "`request.user` cannot be chosen by a client");
        return Err(fault.hint("the server was started for its readers"));
    }
    let bad = |error| Fault::bad_request(format!("`request` is no request: {}", plain_reason(&error)));
    let mut request: ContextRequest = serde_json::from_value(Value::Object(whole)).map_err(bad)?;
    if let Some(query) = arguments.text("query")? {
        request.query = query;
    }
    if let Some(focus) = arguments.name("focus")? {
        request.focus = focus_of(&focus)?;
    }
    request.request_type = arguments.word("type")?.unwrap_or(request.request_type);
    request.token_budget.total = arguments.count("max_tokens")?.or(request.token_budget.total);
    Ok(request)
}

fn focus_of(text: &str) -> Result<Focus, Fault> {
    let id = |kind: &str| text.strip_prefix(kind).filter(|id| !id.is_empty()).map(str::to_string);
    let focus = Focus { block_id: id("block:"), database_id: id("database:"), page_id: id("page:") };
    let bad = "`focus` has to be block:ID, page:ID or database:ID";
    if focus.is_empty() { Err(Fault::bad_request(bad)) } else { Ok(focus) }
}
