//! `contextpack workspace eval`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::TreeArguments;
use crate::cli::pack::read_text;
use crate::cli::{DONE, Failure, print, print_json};
use crate::eval::{ContextOutcome, ContextRow, ContextSummary, context_outcome};
use crate::pipeline::WorkspaceSource;
use crate::record::ErrorCode;

/// Measure how well payloads answer questions whose right blocks are known
///
/// A row is {"id", "request", "relevant", "acceptable"}, all ids of blocks. Precision is the share of the items of
/// Related Content and Connected Items that show a relevant or acceptable block; recall is the share of the relevant
/// blocks that any section shows. Both are means with the interval that holds the mean in 95 of 100 resamples.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack workspace eval --bench context-rows.jsonl --repo . --operator\n  \
    contextpack workspace eval --bench context-rows.jsonl --repo . --operator --json > outcomes.json\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct EvalArguments {
    /// The rows, one JSON object per line
    #[arg(long, value_name = "FILE")]
    bench: PathBuf,
    /// Only rows with this name in `export`
    #[arg(long, value_name = "NAME")]
    export: Option<String>,
    #[command(flatten)]
    tree: TreeArguments,
    /// Print every row with what is wrong and what is missing, as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &EvalArguments) -> Result<u8, Failure> {
    let rows = rows(arguments)?;
    let source = arguments.tree.workspace()?;
    let outcomes = rows.iter().map(|row| outcome(arguments, &source, row)).collect::<Result<Vec<_>, _>>()?;
    let summary = ContextSummary::new(&outcomes);
    match arguments.json {
        true => print_json(&serde_json::json!({ "summary": summary, "rows": outcomes }))?,
        false => print(&in_words(&summary))?,
    }
    Ok(DONE)
}

fn rows(arguments: &EvalArguments) -> Result<Vec<ContextRow>, Failure> {
    let text = read_text(&arguments.bench)?;
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let bad = |error| format!("line {number} of `{}` is no row\n  because {error}", arguments.bench.display());
        let row: ContextRow =
            serde_json::from_str(line).map_err(|error| Failure::coded(ErrorCode::BadRequest, bad(error)))?;
        if arguments.export.is_none() || row.export == arguments.export {
            rows.push(row);
        }
    }
    Ok(rows)
}

fn outcome(arguments: &EvalArguments, source: &WorkspaceSource, row: &ContextRow) -> Result<ContextOutcome, Failure> {
    let asked = source.ask(row.request.clone(), arguments.tree.reader().as_ref())?;
    let summarize = source.summarizer(false);
    let measured = source.with(&asked.reader, |view| {
        let answered = source.answer(view, &asked.request, &summarize)?;
        Ok(context_outcome(row, &answered.payload, &answered.found, view))
    })?;
    measured.map_err(|error: crate::pipeline::ContextError| error.into())
}

fn in_words(summary: &ContextSummary) -> String {
    let ContextSummary { questions, precision, recall, tokens } = summary;
    let mut text = format!("{questions} questions, {tokens:.0} tokens per payload\n");
    for (name, mean) in [("precision", precision), ("recall", recall)] {
        let [low, high] = mean.interval.map(|value| value * 100.0);
        let _ = writeln!(text, "{name:<10} {:5.1} % ({low:.1} to {high:.1})", mean.mean * 100.0);
    }
    text
}
