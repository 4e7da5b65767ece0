//! `contextpack eval`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::{DONE, Failure, say};
use crate::eval::{Metric, Outcome, Row, Summary, score};
use crate::pack::pack;
use crate::pipeline::{PackSource, index_tree};
use crate::record::pack::TreeState;
use crate::record::request::PackRequest;
use crate::search::Weights;
use crate::text::Tokenizer;

/// Measure packs against the lines that real fixes changed
///
/// BENCH holds one question a line: an issue's text, and the files and lines that its fix changed. The tree of
/// each stands at TREES/INSTANCE_ID. Indexes are kept, so that a second run measures the packs alone.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack eval --bench issues.jsonl --trees trees --by language")]
pub struct EvalArguments {
    /// The questions, a JSON object a line
    #[arg(long, value_name = "FILE")]
    bench: PathBuf,
    /// The folder that holds their trees
    #[arg(long, value_name = "DIR")]
    trees: PathBuf,
    /// Where indexes are kept
    #[arg(long, value_name = "DIR", default_value = "target/eval-indexes")]
    indexes: PathBuf,
    /// Only rows that are marked `core`
    #[arg(long)]
    core: bool,
    /// Only rows whose query names nothing of the answer
    #[arg(long)]
    hard: bool,
    #[arg(long, value_name = "N", default_value_t = 8000)]
    budget: u32,
    /// A line for each
    #[arg(long, value_enum, value_name = "FIELD")]
    by: Option<By>,
    /// Rank by other weights: TOML with those that differ
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Take indexes as they are, without looking at the trees again
    #[arg(long)]
    as_is: bool,
    /// Write a line an instance
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    Language,
    Repo,
}

pub fn run(arguments: &EvalArguments) -> Result<u8, Failure> {
    let failure = |cause: &dyn std::fmt::Display| Failure::new("eval", cause);
    let text = std::fs::read_to_string(&arguments.bench).map_err(|error| failure(&error))?;
    let rows =
        text.lines().map(serde_json::from_str).collect::<Result<Vec<Row>, _>>().map_err(|error| failure(&error))?;
    let chosen = |row: &&Row| {
        arguments.trees.join(&row.instance_id).is_dir()
            && (!arguments.core || row.core)
            && (!arguments.hard || row.is_hard())
    };
    let rows: Vec<&Row> = rows.iter().filter(chosen).collect();
    let weights = weights(arguments)?;
    for (at, row) in rows.iter().enumerate().filter(|_| !arguments.as_is) {
        let index = arguments.indexes.join(&row.instance_id);
        if !index.join("graph/manifest.json").exists() {
            say(&format!("eval: indexing {} ({} of {})", row.instance_id, at + 1, rows.len()));
        }
        index_tree(&arguments.trees.join(&row.instance_id), &index).map_err(|error| failure(&error))?;
    }
    let outcomes: Vec<Result<Outcome, Failure>> =
        rows.par_iter().map(|row| outcome(arguments, row, &weights)).collect();
    let outcomes = outcomes.into_iter().collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &arguments.save {
        let lines: String = rows.iter().zip(&outcomes).map(|(row, outcome)| saved(row, outcome)).collect();
        std::fs::write(path, lines).map_err(|error| failure(&error))?;
    }
    let _ = std::io::stdout().write_all(table(arguments, &rows, &outcomes).as_bytes());
    Ok(DONE)
}

fn outcome(arguments: &EvalArguments, row: &Row, weights: &Weights) -> Result<Outcome, Failure> {
    let failure = |cause: &dyn std::fmt::Display| Failure::new("eval", cause);
    let tree = arguments.trees.join(&row.instance_id);
    let source = PackSource::open(&arguments.indexes.join(&row.instance_id), TreeState::Current)
        .map_err(|error| failure(&error))?;
    let source = source.with_weights(weights.clone());
    let mut request = PackRequest {
        query: row.query.clone(),
        repo_id: row.repo.clone(),
        tokenizer: Tokenizer::Cl100kBase,
        ..PackRequest::default()
    };
    request.budgets.max_total_tokens = arguments.budget;
    let made = source.with(|index| pack(index, &request)).and_then(|pack| pack).map_err(|error| failure(&error))?;
    Ok(score(row, &made, |path| lines_of(&tree, path)))
}

fn weights(arguments: &EvalArguments) -> Result<Weights, Failure> {
    let failure = |cause: &dyn std::fmt::Display| Failure::new("eval", cause);
    let Some(path) = &arguments.weights else { return Ok(Weights::default()) };
    let text = std::fs::read_to_string(path).map_err(|error| failure(&error))?;
    toml::from_str(&text).map_err(|error| failure(&error))
}

fn lines_of(tree: &Path, path: &str) -> Vec<String> {
    let bytes = std::fs::read(tree.join(path)).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect()
}

fn saved(row: &Row, outcome: &Outcome) -> String {
    let mut fields = serde_json::Map::new();
    fields.insert("instance_id".to_string(), row.instance_id.clone().into());
    for metric in Metric::ALL {
        if let Some(value) = metric.of(outcome) {
            fields.insert(metric.name().to_string(), value.into());
        }
    }
    fields.insert("tokens".to_string(), outcome.tokens.into());
    format!("{}\n", serde_json::Value::Object(fields))
}

fn table(arguments: &EvalArguments, rows: &[&Row], outcomes: &[Outcome]) -> String {
    let mut groups: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
    for (row, outcome) in rows.iter().zip(outcomes) {
        groups.entry(" all".to_string()).or_default().push(outcome);
        match arguments.by {
            Some(By::Language) => groups.entry(row.language.clone()).or_default().push(outcome),
            Some(By::Repo) => groups.entry(row.repo.clone()).or_default().push(outcome),
            None => {}
        }
    }
    let mut text = format!("{:24}{:>5}", "", "n");
    Metric::ALL.iter().for_each(|metric| text += &format!("{:>10}", metric.name()));
    let _ = writeln!(text, "{:>9}{:>6}{:>6}", "tokens", "over", "lies");
    for (name, outcomes) in &groups {
        let summary = Summary::of(outcomes.iter().copied());
        let _ = write!(text, "{:24}{:>5}", name.trim(), summary.instances);
        summary.means.iter().for_each(|mean| text += &format!("{:>10.1}", 100.0 * mean));
        let _ = writeln!(text, "{:>9.0}{:>6}{:>6}", summary.tokens, summary.over, summary.lies);
    }
    text
}
