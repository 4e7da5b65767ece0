//! `show`: the graph around a symbol or file. `contextpack show` for agents.

use serde::Deserialize;

use super::{Call, Limit, Reply};
use crate::mcp::fault::Fault;
use crate::pipeline::{Bounds, Item, show_json, show_text};
use crate::record::View;

const MAX_HOPS: u32 = 4;
const MAX_FANOUT: u32 = 100;

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ShowFormat {
    #[default]
    Text,
    Json,
}

pub fn run(call: &Call, limit: Limit) -> Result<Reply, Fault> {
    let root = call.root()?;
    let symbol = call.arguments.required("symbol")?;
    let chosen: Vec<View> = call.arguments.words("views")?.unwrap_or_default();
    let views = if chosen.is_empty() { &View::all() } else { &chosen };
    let bounds = Bounds {
        hops: call.arguments.count_between("hops", 1, MAX_HOPS)?.unwrap_or(1),
        fanout: call.arguments.count_between("fanout", 1, MAX_FANOUT)?.unwrap_or(25) as usize,
    };
    let format: ShowFormat = call.format()?;
    let opened = root.open(call.progress)?;
    (call.progress)(90, "looking around");
    let shown = root.graph(&opened)?.show(&symbol, views, bounds);
    let shown = shown.map_err(|error| Fault::from(error).stale(opened.stale.as_deref()))?;
    let text = match format {
        ShowFormat::Text => show_text(&shown, chosen.is_empty()),
        ShowFormat::Json => show_json(&shown),
    };
    let mut reply = call.paged(&text, limit, "call again with")?;
    reply.fact("items", shown.views.iter().map(|view| count(&view.items)).sum::<usize>());
    reply.of_index(&opened);
    Ok(reply)
}

fn count(items: &[Item]) -> usize {
    items.iter().map(|item| 1 + count(&item.items)).sum()
}
