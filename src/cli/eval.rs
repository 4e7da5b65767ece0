//! `contextpack eval`.

mod comparison;
mod measure;
mod table;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::Failure;
use super::pack::read_text;
use crate::eval::LineFault;
use crate::record::ErrorCode;

/// Measure packs against the lines that real fixes changed
///
/// BENCH holds one question per line: an issue's text, and the files and lines that its fix changed. The tree of
/// each stands at TREES/INSTANCE_ID, or at TREES/TREE if the row names a `tree`; `benches/rows_from_history.py` makes both of a git history. Indexes are kept,
/// so that a second run measures the packs alone.
///
/// In per cent: R@k, the share of the changed files among the first k; acc@k, whether all of them are; packfile, the
/// share of them with a line shown; edit, of the changed blocks that are shown whole; func, of the changed functions
/// that are shown by half; whole@N, whether all changed lines are printed within the first N tokens of the text. First is
/// the median of the tokens before the first changed line; a pack without one counts as the budget. Tokens are the mean of cl100k_base; over, packs that break their budget; lies, lines that
/// are said to be shown and are not; failed, questions without a pack, which count as 0.
#[derive(Args)]
#[command(override_usage = "contextpack eval --bench <FILE> --trees <DIR> [OPTIONS]\n       \
    contextpack eval --compare <BEFORE> <AFTER> [--json]")]
#[command(after_help = "Examples:\n  \
    contextpack eval --bench rows.jsonl --trees trees --by language\n  \
    contextpack eval --bench rows.jsonl --trees trees --curve curve.svg\n  \
    contextpack eval --bench rows.jsonl --trees trees --save before.jsonl\n  \
    contextpack eval --compare before.jsonl after.jsonl\n\n\
    Exit code: 0 measured, 1 measured, and some packs failed, 2 could not run.")]
pub struct EvalArguments {
    /// The questions, one JSON object per line
    #[arg(long, value_name = "FILE", required_unless_present = "compare")]
    bench: Option<PathBuf>,
    /// The directory that holds their trees
    #[arg(long, value_name = "DIR", required_unless_present = "compare")]
    trees: Option<PathBuf>,
    /// Where indexes are kept
    #[arg(long, value_name = "DIR", default_value = "target/eval-indexes")]
    indexes: PathBuf,
    /// Only rows that are marked `core`
    #[arg(long)]
    core: bool,
    /// Only rows whose query names nothing of the answer
    #[arg(long)]
    hard: bool,
    /// Tokens a pack may have
    #[arg(long, value_name = "N", default_value_t = 8000)]
    budget: u32,
    /// A line for each
    #[arg(long, value_enum, value_name = "FIELD")]
    by: Option<By>,
    /// Measure at budgets from 2000 to 32000 tokens, one line per budget, and draw them to FILE
    #[arg(long, value_name = "FILE.svg", conflicts_with_all = ["budget", "by", "save"])]
    curve: Option<PathBuf>,
    /// Rank by other weights: TOML with those that differ
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Take indexes as they are, without looking at the trees again
    #[arg(long)]
    as_is: bool,
    /// Write one line per instance
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write what the ranking knew of every file and chunk it looked at, for benches/train_weights.py
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    /// Compare two saved runs: wins, losses, and how sure the difference is
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"], conflicts_with_all = ["bench", "trees", "save", "curve", "examples"])]
    compare: Option<Vec<PathBuf>>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Number of threads; 0 = one per core. The output does not depend on it
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = super::numbers::jobs, allow_negative_numbers = true)]
    jobs: usize,
    /// Print nothing but the result and errors
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    Language,
    Repo,
    Source,
}

pub fn run(arguments: &EvalArguments) -> Result<u8, Failure> {
    match (&arguments.compare, &arguments.bench, &arguments.trees) {
        (Some(files), ..) => comparison::run(&files[0], &files[1], arguments.json),
        (None, Some(bench), Some(trees)) => measure::run(arguments, bench, trees),
        (None, ..) => unreachable!("the parser asks for both"),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(Failure::writing(path))
}

/// With the code that scripts compare.
fn bad_line(path: &Path, fault: &LineFault) -> Failure {
    Failure::coded(ErrorCode::BadRequest, format!("cannot use `{}`\n  because of {fault}", path.display()))
}
