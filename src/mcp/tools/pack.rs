//! `pack`: a question in, the code that answers it out. `contextpack pack` for agents.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::stored_pack::{self, PackFormat};
use super::{Call, Limit, RESERVE, Reply};
use crate::door::pack::{pack, pack_id};
use crate::mcp::arguments::{quoted, switch, texts, whole_number};
use crate::mcp::fault::Fault;
use crate::mcp::root::Root;
use crate::pipeline::PackSource;
use crate::record::ErrorCode;
use crate::record::pack::{ContextPack, PackId};
use crate::record::request::{Filter, PackRequest, plain_reason};

pub fn run(call: &Call, limit: &mut Limit) -> Result<Reply, Fault> {
    if call.arguments.name("pack_id")?.is_some() {
        return stored_pack::run(call, *limit);
    }
    let root = call.root()?;
    let format: PackFormat = call.format()?;
    let mut request = request(call, limit)?;
    root.watched.root().complete(&mut request);
    limit.tokenizer = request.tokenizer;
    let opened = root.open(call.progress)?;
    (call.progress)(90, "packing");
    let source = root.source(&opened)?;
    source.check(&request)??;
    let pack = made(root, &source, &request)?;
    let again = format!("call again with pack_id {}, this format and", pack.pack_id);
    let mut reply = call.paged(&format.print(&pack), *limit, &again)?;
    if reply.text.is_empty() {
        reply.notes.push("[nothing fits max_tokens]".to_string());
    }
    reply.fact("packId", pack.pack_id.as_str());
    reply.fact("items", pack.items().len());
    reply.fact("maxTokens", request.budgets.max_total_tokens);
    reply.of_index(&opened);
    Ok(reply)
}

/// A pack of the same index and request is the same pack.
fn made(root: &Root, source: &PackSource, request: &PackRequest) -> Result<Arc<ContextPack>, Fault> {
    let id = pack_id(source.signature(), request);
    if let Some(known) = root.kept(source, &id) {
        return Ok(known);
    }
    let pack = Arc::new(source.with(|view| pack(view, request))?);
    if let Err(error) = root.keep(source, &pack) {
        // The session still has it.
        eprintln!("mcp: a pack was not kept: {}", error.cause);
    }
    Ok(pack)
}

/// The request that the command line would make of the same words.
fn request(call: &Call, limit: &mut Limit) -> Result<PackRequest, Fault> {
    let whole = call.arguments.object("request")?.unwrap_or_default();
    let own_budget = whole.get("budgets").is_some_and(|budgets| budgets.get("maxTotalTokens").is_some());
    let mut request = parsed(whole)?;
    if let Some(query) = call.arguments.text("query")? {
        request.query = query;
    }
    if let Some(focuses) = call.arguments.list("focus")? {
        request.focus = focuses.iter().map(|focus| focus.parse()).collect::<Result<_, _>>()?;
    }
    add_filter(call, &mut request.filter)?;
    for id in call.arguments.list("not_in")?.unwrap_or_default() {
        add_shown(call.root()?, &id, &mut request)?;
    }
    request.intent = call.arguments.word("intent")?.unwrap_or(request.intent);
    if request.index_root.is_some() {
        return Err(Fault::new(ErrorCode::NotSupported, "`request.indexRoot` cannot be chosen by a client"));
    }
    if own_budget {
        take_budget(call, limit, request.budgets.max_total_tokens)?;
    } else {
        request.budgets = request.budgets.with_tokens(limit.room());
    }
    request.check()?;
    Ok(request)
}

/// The arguments that filter files, on top of what the request has.
pub fn add_filter(call: &Call, filter: &mut Filter) -> Result<(), Fault> {
    let list = |name: &str| call.arguments.list(name).map(Option::unwrap_or_default);
    filter.paths.extend(list("path")?);
    filter.exclude.extend(list("exclude")?);
    filter.languages.extend(list("lang")?);
    filter.no_tests |= call.arguments.switch("no_tests")?.unwrap_or(false);
    Ok(())
}

/// Leaves out what an earlier pack showed.
fn add_shown(root: &Root, id: &str, request: &mut PackRequest) -> Result<(), Fault> {
    let known = PackId::try_from(id.to_string()).ok().and_then(|id| root.pack(&id));
    let missing = || Fault::new(ErrorCode::PackMissing, format!("there is no pack {}", quoted(id)));
    request.leave_out(known.ok_or_else(missing)?.shown_chunks());
    Ok(())
}

/// A budget of the request's own is the pack's; the reply gets the reserve on top, if it may.
fn take_budget(call: &Call, limit: &mut Limit, budget: u32) -> Result<(), Fault> {
    let needed = budget.saturating_add(RESERVE);
    let most = call.arguments.count("max_tokens")?.unwrap_or(call.settings.max_tokens_cap);
    if needed > most {
        let message =
            format!("`request.budgets.maxTotalTokens` is {budget}: the reply may need {needed} tokens of {most}");
        return Err(Fault::new(ErrorCode::BudgetExceeded, message).hint("ask for less, or for more `max_tokens`"));
    }
    limit.max_tokens = call.arguments.count("max_tokens")?.unwrap_or(needed);
    Ok(())
}

fn parsed(mut whole: Map<String, Value>) -> Result<PackRequest, Fault> {
    whole.iter_mut().for_each(|(name, value)| loosen(name, value));
    let whole = Value::Object(whole);
    serde_json::from_value(whole.clone()).map_err(|error| {
        let place = culprit(&whole).map_or("request".to_string(), |place| format!("request.{place}"));
        Fault::bad_request(format!("`{place}` cannot be used\n  because {}", plain_reason(&error)))
    })
}

/// Numbers, switches and lists that came as texts; which field is what its name says.
fn loosen(name: &str, value: &mut Value) {
    let plain: Option<Value> = match (name, &*value) {
        (_, Value::Object(_)) => None,
        (name, text @ Value::String(_)) if name.starts_with("max") => whole_number(text).map(Value::from),
        (name, text @ Value::String(_)) if name.starts_with("include") || name == "requireEvidence" => {
            switch(text).map(Value::from)
        }
        ("edgeTypes" | "evidenceKinds" | "stableTieBreakers", text @ Value::String(_)) => texts(text).map(Value::from),
        _ => None,
    };
    match value {
        Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| loosen(name, value)),
        value => *value = plain.unwrap_or_else(|| value.take()),
    }
}

/// The field that a request cannot be read for.
fn culprit(request: &Value) -> Option<String> {
    let fails = |request: Value| serde_json::from_value::<PackRequest>(request).is_err();
    for (name, value) in request.as_object()? {
        if !fails(serde_json::json!({ name: value })) {
            continue;
        }
        let inner = value.as_object().and_then(|fields| {
            fields.iter().find(|(inner, value)| fails(serde_json::json!({ name: { inner.as_str(): value } })))
        });
        return Some(inner.map_or(name.clone(), |(inner, _)| format!("{name}.{inner}")));
    }
    None
}
