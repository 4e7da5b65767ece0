//! `contextpack compare-scip`.

use std::path::PathBuf;

use clap::Args;

use super::{DONE, Failure, RootArguments, print, print_json};
use crate::pipeline::compare_scip;
use crate::pipeline::service::{self, Freshness};
use crate::record::Score;

/// Compare the graph's edges with a SCIP index of the same tree
///
/// Measures recall (places that the SCIP index resolves inside the tree, and we resolve to the same definition) and
/// precision (edges that the SCIP index contradicts). Lists the worst misses by cause.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    scip-python index . --project-name app --project-version 1\n  \
    contextpack chunk --repo . --out index/chunk\n  \
    contextpack compare-scip --index index index.scip\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct CompareScipArguments {
    /// The index that another tool made
    #[arg(value_name = "FILE")]
    scip: PathBuf,
    #[command(flatten)]
    root: RootArguments,
    /// Claims below this confidence, in per cent, do not count
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(0..=100))]
    threshold: u32,
    /// How many examples to show for each cause
    #[arg(long, value_name = "N", default_value_t = 10)]
    examples: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &CompareScipArguments) -> Result<u8, Failure> {
    let root = arguments.root.find_for_reader("compare-scip")?;
    let opened = service::open(&root, Freshness::AsIs)?;
    let comparison = compare_scip(
        &opened.index.join("chunk"),
        &arguments.scip,
        Score::percent(arguments.threshold),
        arguments.examples,
        opened.access,
    );
    let comparison = comparison.map_err(|error| root.explain(error))?;
    match arguments.json {
        true => print_json(&comparison)?,
        false => print(&format!("{}\n", comparison.to_string().trim_end()))?,
    }
    Ok(DONE)
}
