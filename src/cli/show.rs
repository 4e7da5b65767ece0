//! `contextpack show`.

use clap::Args;

use super::{DONE, Failure, IndexArguments, print};
use crate::graph::neighbourhood::{Bounds, View};
use crate::pipeline::{ShowError, show, show_json, show_text};

/// Show what lies around a symbol, file or chunk in the graph
///
/// WHAT is a node's id, a path, a chunk's uid, a name such as `Order.cost` or its last part, or PATH::NAME. Where
/// several have the name, the others are listed. Without a view, all that have something to show are shown.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack show Order.cost --callers --hops 2\n  \
    contextpack show src/main.rs --imports --json\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct ShowArguments {
    /// An id, a path or a name
    #[arg(value_name = "WHAT")]
    wanted: String,
    #[command(flatten)]
    index: IndexArguments,
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
    let graph = arguments.index.folder().join("graph");
    let shown = show(&graph, &arguments.wanted, views, bounds).map_err(|error| match error {
        ShowError::Store(error) => arguments.index.failure("show", &error),
        error => Failure::new("show", error),
    })?;
    print(&if arguments.json { show_json(&shown) } else { show_text(&shown, chosen.is_empty()) })?;
    Ok(DONE)
}

impl ShowArguments {
    fn views(&self) -> Vec<View> {
        let asked =
            [self.callers, self.callees, self.usages, self.imports, self.exports, self.dataflow, self.tests, self.docs];
        View::ALL.into_iter().zip(asked).filter(|(_, asked)| *asked).map(|(view, _)| view).collect()
    }
}
