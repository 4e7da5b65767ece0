//! `contextpack workspace context`.

use clap::{Args, ValueEnum};

use super::TreeArguments;
use super::request::RequestArguments;
use crate::cli::{DONE, Failure, REFUSED, json, print};
use crate::record::workspace::{ContextPayload, WarningCode};

/// Print what a model should read of a workspace to answer a request
///
/// Collects what the user looks at, what is like the question, what is linked with it and what the user did lately, and
/// keeps as much of each as its share of the budget holds. What one section does not need goes to the others.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack workspace context \"what is overdue?\" --repo . --as user:7\n  \
    contextpack workspace context \"how far are we?\" --focus page:page-123 --max-tokens 8k --as user:7\n  \
    contextpack workspace context --request request.json --as user:7 --format json\n\n\
    Exit code: 0 done, 1 nothing found that the reader may see, 2 could not run.")]
pub struct ContextArguments {
    #[command(flatten)]
    asked: RequestArguments,
    #[command(flatten)]
    tree: TreeArguments,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Output::Markdown)]
    format: Output,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Ask the command for summaries again where it failed before
    #[arg(long)]
    retry_summaries: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    Json,
    Markdown,
}

pub fn run(arguments: &ContextArguments) -> Result<u8, Failure> {
    let request = arguments.asked.request()?;
    request.check().map_err(crate::pipeline::ContextError::from)?;
    let source = arguments.tree.workspace()?;
    let asked = source.ask(request, arguments.tree.reader().as_ref())?;
    let summarize = source.summarizer(arguments.retry_summaries);
    let payload = source.context(&asked, &summarize)?.payload;
    match arguments.json || arguments.format == Output::Json {
        true => print(&json(&payload))?,
        false => print(&payload.serialized)?,
    }
    for warning in &payload.metadata.warnings {
        arguments.tree.warn(&warning.message);
    }
    if !is_empty(&payload) {
        return Ok(DONE);
    }
    if arguments.tree.reader().is_none() && asked.request.user.is_none() {
        arguments.tree.warn("nobody said who asks, so only what is public was read; `--as user:7` names somebody");
    }
    if arguments.tree.default_read.is_empty() {
        // The same words whether something is hidden or there is nothing.
        arguments.tree.warn("--default-read says who may read what nobody grants to anybody");
    }
    Ok(REFUSED)
}

fn is_empty(payload: &ContextPayload) -> bool {
    payload.metadata.warnings.iter().any(|warning| warning.code == WarningCode::NoContext)
}
