//! `spec_context`: sections of spec documents. `contextpack spec context` for agents.

use serde::Deserialize;

use super::{Call, Limit, Reply};
use crate::door::spec::{bundle, render};
use crate::mcp::arguments::quoted;
use crate::mcp::fault::Fault;
use crate::pipeline::SpecSource;
use crate::record::ErrorCode;
use crate::record::bundle::{BundleRequest, ContextBundle, TokenCounter};

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum SpecFormat {
    #[default]
    Markdown,
    Json,
}

pub fn run(call: &Call, limit: Limit) -> Result<Reply, Fault> {
    let root = call.root()?;
    let format: SpecFormat = call.format()?;
    let request = request(call, limit)?;
    let opened = root.open(call.progress)?;
    (call.progress)(86, "reading the documents");
    let source = SpecSource::new(&root.seen_tree(&opened), root.source(&opened)?, None)?;
    let bundle = source.with(|library| bundle(library, &request))?;
    check_known(&bundle)?;
    let text = match format {
        SpecFormat::Markdown => render(&bundle),
        SpecFormat::Json => serde_json::to_string_pretty(&bundle).expect("it is JSON") + "\n",
    };
    let mut reply = call.paged(&text, limit, "call again with")?;
    reply.fact("bundleId", bundle.bundle_id.as_str());
    reply.fact("documents", bundle.items.len());
    reply.fact("omitted", bundle.omitted);
    reply.fact("maxTokens", limit.room());
    reply.stale(opened.stale.as_deref());
    reply.notes.extend(bundle.warnings.iter().map(|warning| format!("[{warning}]")));
    Ok(reply)
}

fn request(call: &Call, limit: Limit) -> Result<BundleRequest, Fault> {
    let arguments = call.arguments;
    let seed_ids = arguments.list("ids")?.filter(|ids| !ids.is_empty()).ok_or_else(|| arguments.missing("ids"))?;
    Ok(BundleRequest {
        seed_ids,
        depth: arguments.count("depth")?.unwrap_or(1),
        roles: arguments.words("roles")?,
        scopes: arguments.list("scopes")?,
        direction: arguments.word("direction")?.unwrap_or_default(),
        max_tokens: Some(limit.room()),
        strategy: arguments.word("strategy")?.unwrap_or_default(),
        tokenizer: TokenCounter::O200kBase,
        with_code: arguments.switch("with_code")?.unwrap_or_default(),
    })
}

fn check_known(bundle: &ContextBundle) -> Result<(), Fault> {
    if bundle.is_of_known() {
        return Ok(());
    }
    let ids: Vec<String> = bundle.unknown_ids.iter().take(5).map(|id| quoted(id)).collect();
    Err(Fault::new(ErrorCode::NotFound, format!("no document has the id {}", ids.join(", "))))
}
