//! `outline`: the symbols of a file, or the files of a directory. `contextpack outline` for agents.

use super::{Call, Limit, Reply};
use crate::door::browse::outline;
use crate::mcp::fault::Fault;
use crate::pipeline::inside_tree;

pub fn run(call: &Call, limit: Limit) -> Result<Reply, Fault> {
    let root = call.root()?;
    let path = call.arguments.name("path")?.unwrap_or_default();
    let path = inside_tree(root.watched.tree(), &path);
    let (text, opened) = call.browse(root, |view| outline(view, path))?;
    let mut reply = call.paged(&text, limit, "call again with")?;
    reply.of_index(&opened);
    Ok(reply)
}
