//! `read`: the text of places. `contextpack read` for agents.

use super::{Call, Limit, Reply};
use crate::door::browse::read;
use crate::mcp::fault::Fault;
use crate::pipeline::inside_tree;

pub fn run(call: &Call, limit: Limit) -> Result<Reply, Fault> {
    let root = call.root()?;
    let wanted = call.arguments.list("what")?.filter(|wanted| !wanted.is_empty());
    let wanted = wanted.ok_or_else(|| call.arguments.missing("what"))?;
    let wanted: Vec<String> = wanted.iter().map(|one| inside_tree(root.watched.tree(), one).to_string()).collect();
    let (reading, opened) = call.browse(root, |view| read(view, &wanted, limit.room() as usize, limit.tokenizer))?;
    let mut reply = Reply { text: reading.text, ..Reply::default() };
    if !reading.rest.is_empty() {
        let rest = reading.rest.into_iter().take(MAX_REST).collect::<Vec<_>>();
        reply.notes.push(format!("[not all fits; the rest is {}]", rest.join(", ")));
        reply.fact("next", rest);
    }
    reply.of_index(&opened);
    Ok(reply)
}

/// Facts and notes have to fit what a reply keeps for them.
const MAX_REST: usize = 4;
