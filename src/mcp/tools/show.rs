//! `show`: the graph around a symbol or file, or the path between two. `contextpack show` for agents.

use serde::{Deserialize, Serialize};

use super::{Call, Limit, Reply};
use crate::mcp::fault::Fault;
use crate::pipeline::{
    Answer, Bounds, Item, PathRequest, ShowError, ShowRequest, Shown, answer_text, inside_tree, path_text, show_json,
};
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
    let tree = root.watched.tree();
    let wanted = inside_tree(tree, &symbol);
    let to = call.arguments.name("to")?;
    let all = call.arguments.switch("all")?.unwrap_or_default();
    let chosen: Vec<View> = call.arguments.words("views")?.unwrap_or_default();
    let views = if chosen.is_empty() { &View::all() } else { &chosen };
    let bounds = Bounds {
        hops: call.arguments.count_between("hops", 1, MAX_HOPS)?.unwrap_or(1),
        fanout: call.arguments.count_between("fanout", 1, MAX_FANOUT)?.unwrap_or(25) as usize,
    };
    let format: ShowFormat = call.format()?;
    let opened = root.open(call.progress)?;
    (call.progress)(90, "looking around");
    let graph = root.graph(&opened)?;
    let fault = |error: ShowError| Fault::from(error).stale(opened.stale.as_deref());
    let (text, items) = match to {
        Some(to) => {
            let request = PathRequest { from: wanted, to: inside_tree(tree, &to), all };
            let path = graph.path(request).map_err(fault)?;
            (format.print(&path, path_text), path.steps.len())
        }
        None => {
            let answer = graph.answer(ShowRequest { wanted, views, bounds, all }).map_err(fault)?;
            (format.print(&answer, |answer| answer_text(answer, chosen.is_empty())), count_answer(&answer))
        }
    };
    let mut reply = call.paged(&text, limit, "call again with")?;
    reply.fact("items", items);
    reply.of_index(&opened);
    Ok(reply)
}

impl ShowFormat {
    fn print<T: Serialize>(self, shown: &T, text: impl FnOnce(&T) -> String) -> String {
        match self {
            ShowFormat::Text => text(shown),
            ShowFormat::Json => show_json(shown),
        }
    }
}

fn count_answer(answer: &Answer) -> usize {
    let of_shown = |shown: &Shown| shown.views.iter().map(|view| count(&view.items)).sum::<usize>();
    match answer {
        Answer::One(shown) => of_shown(shown),
        Answer::All(all) => all.shown.iter().map(of_shown).sum(),
        Answer::Folder(folder) => folder.files.len(),
    }
}

fn count(items: &[Item]) -> usize {
    items.iter().map(|item| 1 + count(&item.items)).sum()
}
