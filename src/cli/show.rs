//! `contextpack show`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::{DONE, Failure};
use crate::graph::neighbourhood::{Bounds, View};
use crate::pipeline::{Item, NodeView, Shown, show};
use crate::record::{EdgeStatus, NodeKind};

/// Show what lies around a symbol, file or chunk in the graph
///
/// WHAT is a node's id, a path, a chunk's uid, or a name such as `Order.cost` or its last part. Without a
/// view, all that have something to show are shown.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack show Order.cost --callers --hops 2\n  \
    contextpack show src/main.rs --imports --json")]
pub struct ShowArguments {
    /// An id, a path or a name
    #[arg(value_name = "WHAT")]
    wanted: String,
    /// The folder that holds `graph/`
    #[arg(long, value_name = "DIR", default_value = "index")]
    index: PathBuf,
    /// Who calls it
    #[arg(long)]
    callers: bool,
    /// What it calls
    #[arg(long)]
    callees: bool,
    /// Who names it without calling it
    #[arg(long)]
    usages: bool,
    /// What the file imports
    #[arg(long)]
    imports: bool,
    /// What the file gives to others
    #[arg(long)]
    exports: bool,
    /// Which calls its values reach
    #[arg(long)]
    dataflow: bool,
    /// Which tests call it
    #[arg(long)]
    tests: bool,
    /// Which prose names it
    #[arg(long)]
    docs: bool,
    /// How far to walk
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    hops: u32,
    /// How many neighbours of one node to show
    #[arg(long, value_name = "N", default_value_t = 25)]
    fanout: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &ShowArguments) -> Result<u8, Failure> {
    let chosen = arguments.views();
    let views = if chosen.is_empty() { &View::ALL[..] } else { &chosen };
    let bounds = Bounds { hops: arguments.hops, fanout: arguments.fanout };
    let failure = |cause: &dyn std::fmt::Display| Failure::new("show", cause);
    let shown =
        show(&arguments.index.join("graph"), &arguments.wanted, views, bounds).map_err(|error| failure(&error))?;
    let text = match arguments.json {
        true => serde_json::to_string_pretty(&shown).map_err(|error| failure(&error))?,
        false => drawn(&shown, chosen.is_empty()),
    };
    super::print(&format!("{}\n", text.trim_end()));
    Ok(DONE)
}

impl ShowArguments {
    fn views(&self) -> Vec<View> {
        let asked =
            [self.callers, self.callees, self.usages, self.imports, self.exports, self.dataflow, self.tests, self.docs];
        View::ALL.into_iter().zip(asked).filter(|(_, asked)| *asked).map(|(view, _)| view).collect()
    }
}

fn drawn(shown: &Shown, only_filled: bool) -> String {
    let mut text = format!("{}\n", title(&shown.node));
    if shown.node.unresolved > 0 {
        let _ = writeln!(text, "  {} references from here lead to nothing known", shown.node.unresolved);
    }
    for view in shown.views.iter().filter(|view| !only_filled || !view.items.is_empty()) {
        let word = serde_json::to_value(view.view).ok();
        let _ = writeln!(text, "{}:", word.as_ref().and_then(|word| word.as_str()).unwrap_or_default());
        if view.items.is_empty() {
            let _ = writeln!(text, "  none");
        }
        draw_items(&mut text, &view.items, view.omitted, 1);
    }
    text
}

fn draw_items(text: &mut String, items: &[Item], omitted: usize, depth: usize) {
    let indent = "  ".repeat(depth);
    for item in items {
        let seen = item.seen.as_ref().map(|seen| format!("  at {}:{}", seen.file_rel_path, seen.line));
        let status = match item.status {
            EdgeStatus::Ambiguous => ", one of several",
            EdgeStatus::External => ", external",
            EdgeStatus::Resolved => "",
        };
        let tier = serde_json::to_value(item.tier).ok();
        let tier = tier.as_ref().and_then(|tier| tier.as_str()).unwrap_or_default();
        let again = if item.repeated { " (shown above)" } else { "" };
        let _ = writeln!(
            text,
            "{indent}{}{}  [{} {tier}{status}]{again}",
            title(&item.node),
            seen.unwrap_or_default(),
            item.confidence
        );
        draw_items(text, &item.items, item.omitted, depth + 1);
    }
    if omitted > 0 {
        let _ = writeln!(text, "{indent}… and {omitted} more (--fanout)");
    }
}

fn title(node: &NodeView) -> String {
    match (&node.file_rel_path, node.kind) {
        (Some(path), NodeKind::File) => path.to_string(),
        (Some(path), _) if node.name.is_empty() => format!("{path} (outside of definitions)"),
        (Some(path), _) => format!("{} ({path})", node.name),
        (None, _) => node.name.clone(),
    }
}
