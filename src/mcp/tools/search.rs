//! `search`: lines by their text. `contextpack search` for agents.

use super::pack::add_filter;
use super::{Call, Limit, Reply};
use crate::door::browse::{SearchRequest, search};
use crate::mcp::fault::Fault;
use crate::record::request::Filter;

pub fn run(call: &Call, limit: Limit) -> Result<Reply, Fault> {
    let root = call.root()?;
    let request = request(call)?;
    let (page, opened) = call.browse(root, |view| search(view, &request, limit.room() as usize, limit.tokenizer))?;
    let mut reply = Reply { text: page.printed(), ..Reply::default() };
    reply.fact("lines", page.lines);
    reply.fact("files", page.files);
    if let Some(next) = page.next {
        reply.notes.push(format!("[there is more; call again with cursor {next}]"));
        reply.fact("next", next);
    }
    reply.of_index(&opened);
    Ok(reply)
}

fn request(call: &Call) -> Result<SearchRequest, Fault> {
    let arguments = call.arguments;
    let mut filter = Filter::default();
    add_filter(call, &mut filter)?;
    Ok(SearchRequest {
        text: arguments.name("text")?.unwrap_or_default(),
        is_regex: arguments.switch("regex")?.unwrap_or_default(),
        filter,
        after: arguments.name("cursor")?,
    })
}
