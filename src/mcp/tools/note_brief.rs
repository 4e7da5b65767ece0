//! `note_brief`: what notes say about a topic. `contextpack brief` for agents.

use serde::Deserialize;

use super::{Call, Limit, RESERVE, Reply};
use crate::door::brief::{Brief, BriefQuery, LensChoice, json};
use crate::mcp::fault::Fault;
use crate::mcp::root::Root;
use crate::pipeline::{BriefError, BriefSource, read_brief};
use crate::record::ErrorCode;
use crate::record::brief::{BriefId, BriefRequest, ContextBrief};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum BriefFormat {
    #[default]
    Markdown,
    Json,
}

/// A page of JSON has at least so many tokens.
const MIN_PAGE: u32 = 1_000;

pub fn run(call: &Call, limit: &mut Limit) -> Result<Reply, Fault> {
    let root = call.root()?;
    let format: BriefFormat = call.format()?;
    let earlier = call.arguments.name("since")?.map(|id| earlier(root, &id)).transpose()?;
    let query = query(call, earlier.as_ref())?;
    let request = query.resolve(&root.watched.root().lenses()).map_err(BriefError::from)?;
    let opened = root.open(call.progress)?;
    (call.progress)(90, "walking the notes");
    let source = BriefSource::new(root.source(&opened)?);
    let Brief { record, markdown } = source.brief(&request, earlier.as_ref())?;
    limit.tokenizer = request.tokenizer;
    let text = match format {
        BriefFormat::Markdown => markdown,
        BriefFormat::Json => {
            limit.max_tokens = limit.max_tokens.max(MIN_PAGE + RESERVE).min(call.settings.max_tokens_cap);
            json(&record)
        }
    };
    let mut reply = call.paged(&text, *limit, "call again with")?;
    if text.is_empty() {
        reply.notes.extend(record.meta.warnings.iter().map(|warning| format!("[{warning}]")));
    }
    reply.fact("briefId", record.brief_id.as_str());
    reply.fact("nodes", record.nodes.len());
    reply.fact("summarized", record.meta.counts.summarized);
    reply.fact("maxTokens", request.max_tokens);
    reply.fact("embeddings", record.meta.embeddings.available);
    reply.of_index(&opened);
    Ok(reply)
}

/// A reply's limit: the budget of the brief, and the reserve on top of it.
pub fn reply_limit(budget: Option<u32>, cap: u32) -> u32 {
    budget.unwrap_or(BriefRequest::DEFAULT_TOKENS).saturating_add(RESERVE).min(cap)
}

fn query(call: &Call, earlier: Option<&ContextBrief>) -> Result<BriefQuery, Fault> {
    let arguments = call.arguments;
    Ok(BriefQuery {
        depth: arguments.count("depth")?,
        include_fields: arguments.switch("include_fields")?,
        lens: arguments.name("lens")?.map(LensChoice::Name),
        max_tokens: arguments.count("max_tokens")?,
        query: Some(arguments.required("query")?),
        since: earlier.map(|earlier| earlier.brief_id.clone()),
        with: arguments.list("with")?.unwrap_or_default(),
        ..BriefQuery::default()
    })
}

/// A brief that was stored in the index.
fn earlier(root: &Root, id: &str) -> Result<ContextBrief, Fault> {
    let id = BriefId::try_from(id.to_string()).map_err(|error| Fault::bad_request(error.to_string()))?;
    let missing = || Fault::new(ErrorCode::NotFound, format!("there is no brief `{id}`"));
    let Some(index) = root.seen_index() else { return Err(missing()) };
    match read_brief(&index, &id, root.access()) {
        Ok(brief) => brief.ok_or_else(missing),
        Err(error) if error.is_missing() => Err(missing()),
        Err(error) => Err(error.into()),
    }
}
