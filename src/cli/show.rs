//! `contextpack show`.

use std::sync::LazyLock;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::{DONE, Failure, RootArguments, index_failure, print};
use crate::pipeline::service::{self, Freshness, Root};
use crate::pipeline::{
    Answer, Bounds, Drawing, DrawingFormat, GraphView, PathRequest, ShowError, ShowRequest, answer_text, path_text,
    show_json,
};
use crate::record::View;

/// Show the graph around a symbol or file, the outline of a directory, or a path
///
/// WHAT is one of: a name (`cost`, `Order.cost`; the last parts are enough), a path, PATH:LINE (the definition around
/// that line), PATH::NAME, a directory, or an id. If several definitions have the name, sources come before tests, and
/// the others are listed. Without a view, all that have something to show are shown.
///
/// `show path FROM TO` shows the shortest path between two of them: along the edges, else against them.
#[derive(Args)]
#[command(override_usage = "contextpack show [OPTIONS] <WHAT>\n       contextpack show [OPTIONS] path <FROM> <TO>")]
#[command(after_help = "Examples:\n  \
    contextpack show Order.cost --callers --hops 2   who calls it, and who calls those\n  \
    contextpack show src/order.py:7                  the definition around line 7\n  \
    contextpack show src/order.py                    all definitions of a file, and its imports\n  \
    contextpack show src                             the files of a directory, outlined\n  \
    contextpack show cost --all --json               every definition that is called `cost`\n  \
    contextpack show path main Order.cost            how the first leads to the second\n  \
    contextpack show Order.cost --mermaid            a diagram; --dot for Graphviz\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct ShowArguments {
    /// A name, a path, PATH:LINE, a directory or an id; or `path` and two of them
    #[arg(value_name = "WHAT", required = true, num_args = 1..=3)]
    wanted: Vec<String>,
    #[command(flatten)]
    root: RootArguments,
    #[command(flatten)]
    views: ViewFlags,
    /// How far to walk
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    hops: u32,
    /// How many neighbours of one node, or definitions of one file in a directory, to show
    #[arg(long, value_name = "N", default_value_t = 25)]
    fanout: usize,
    /// If several definitions have the name, show each of them; for a path, take any of them
    #[arg(long)]
    all: bool,
    /// Print a Mermaid diagram of what would be shown
    #[arg(long, conflicts_with = "dot")]
    mermaid: bool,
    /// Print a Graphviz diagram of what would be shown
    #[arg(long)]
    dot: bool,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["mermaid", "dot"])]
    json: bool,
}

pub fn run(arguments: &ShowArguments) -> Result<u8, Failure> {
    let wanted: Vec<&str> = arguments.wanted.iter().map(String::as_str).collect();
    let root = arguments.root.find_for_reader("show")?;
    match wanted[..] {
        [wanted] => show(arguments, &root, &root.read_path(wanted)),
        ["path", from, to] => show_path(arguments, &root, &root.read_path(from), &root.read_path(to)),
        _ => Err(Failure::other(format!(
            "show takes one name, not {}\n  hint: quote a name with blanks, or ask for `show path FROM TO`",
            wanted.len()
        ))),
    }
}

fn show(arguments: &ShowArguments, root: &Root, wanted: &str) -> Result<u8, Failure> {
    let chosen = &arguments.views.0;
    let views = if chosen.is_empty() { &View::all() } else { chosen };
    let bounds = Bounds { hops: arguments.hops, fanout: arguments.fanout };
    let request = ShowRequest { wanted, views, bounds, all: arguments.all };
    let answer = open(root)?.answer(request).map_err(|error| failure(root, error))?;
    let text = match arguments.drawing() {
        Some(format) => draw(&answer, format)?,
        None if arguments.json => show_json(&answer),
        None => answer_text(&answer, chosen.is_empty()),
    };
    print(&text)?;
    Ok(DONE)
}

fn show_path(arguments: &ShowArguments, root: &Root, from: &str, to: &str) -> Result<u8, Failure> {
    let request = PathRequest { from, to, all: arguments.all };
    let path = open(root)?.path(request).map_err(|error| failure(root, error))?;
    let text = match arguments.drawing() {
        Some(format) => Drawing::of_path(&path).print(format),
        None if arguments.json => show_json(&path),
        None => path_text(&path),
    };
    print(&text)?;
    Ok(DONE)
}

impl ShowArguments {
    fn drawing(&self) -> Option<DrawingFormat> {
        match (self.mermaid, self.dot) {
            (true, _) => Some(DrawingFormat::Mermaid),
            (_, true) => Some(DrawingFormat::Dot),
            _ => None,
        }
    }
}

fn open(root: &Root) -> Result<GraphView, Failure> {
    let opened = service::open(root, Freshness::AsIs)?;
    GraphView::open(&opened.index.join("graph"), opened.access).map_err(|error| index_failure(root, error))
}

fn draw(answer: &Answer, format: DrawingFormat) -> Result<String, Failure> {
    let no_edges = || Failure::other("a directory has no edges to draw\n  hint: name a file or a definition in it");
    Ok(Drawing::of_answer(answer).ok_or_else(no_edges)?.print(format))
}

fn failure(root: &Root, error: ShowError) -> Failure {
    match error {
        ShowError::Store(error) => index_failure(root, error),
        error => error.into(),
    }
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
