//! `contextpack show`.

use std::sync::LazyLock;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::{DONE, Failure, RootArguments, index_failure, print};
use crate::pipeline::service::{self, Freshness};
use crate::pipeline::{Bounds, ShowError, show, show_json, show_text};
use crate::record::View;

/// Show the graph around a symbol, file or chunk
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
    root: RootArguments,
    #[command(flatten)]
    views: ViewFlags,
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
    let chosen = &arguments.views.0;
    let views = if chosen.is_empty() { &View::all() } else { chosen };
    let bounds = Bounds { hops: arguments.hops, fanout: arguments.fanout };
    let root = arguments.root.find("show")?;
    let opened = service::open(&root, Freshness::AsIs)?;
    let shown = show(&opened.index.join("graph"), &arguments.wanted, views, bounds).map_err(|error| match error {
        ShowError::Store(error) => index_failure(&root, error),
        error => error.into(),
    })?;
    print(&if arguments.json { show_json(&shown) } else { show_text(&shown, chosen.is_empty()) })?;
    Ok(DONE)
}

/// The views that flags ask for.
struct ViewFlags(Vec<View>);

/// One flag for each view of the vocabulary, such as `--traced-by`.
static FLAGS: LazyLock<Vec<(View, String)>> = LazyLock::new(|| {
    let kebab = |c: char| if c.is_uppercase() { format!("-{}", c.to_ascii_lowercase()) } else { c.to_string() };
    View::all().into_iter().map(|view| (view, view.name().chars().map(kebab).collect())).collect()
});

impl Args for ViewFlags {
    fn augment_args(command: Command) -> Command {
        let argument = |(view, flag): &'static (View, String)| {
            Arg::new(view.name()).long(flag.as_str()).help(view.help()).action(ArgAction::SetTrue)
        };
        command.args(FLAGS.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ViewFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(ViewFlags(View::all().into_iter().filter(|view| matches.get_flag(view.name())).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
