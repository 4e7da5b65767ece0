//! `contextpack workspace batch`.

use std::path::PathBuf;

use clap::Args;

use super::TreeArguments;
use crate::cli::pack::read_text;
use crate::cli::progress::Bar;
use crate::cli::{DONE, Failure, REFUSED, numbers, print_json, say, waiting};
use crate::pipeline::{PayloadStage, Requests, WhenLocked, run_payloads};
use crate::record::Artifact as _;
use crate::record::workspace::StoredPayload;
use crate::text::{counted, shell_word};

/// Answer many requests, one JSON object per line, and store their payloads
///
/// Each request has its own `user`, unless --as says who reads. The same request is answered once, and what was searched
/// for one budget is used for the next. A request that cannot be answered is a problem record with its line.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack workspace batch requests.jsonl --repo . --as user:7 --out payloads\n  \
    contextpack cat payloads context_payloads --operator | jq -r .payload.serialized\n\n\
    Exit code: 0 done, 1 done but for requests that were refused, 2 could not run.")]
pub struct BatchArguments {
    /// The requests
    #[arg(value_name = "FILE")]
    requests: PathBuf,
    #[command(flatten)]
    tree: TreeArguments,
    /// The directory for the payloads
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Ask the command for summaries again where it failed before
    #[arg(long)]
    retry_summaries: bool,
    /// Write how often a search was made before to FILE, as JSON
    #[arg(long, value_name = "FILE")]
    timings: Option<PathBuf>,
    /// Number of threads; 0 = one per core. The output does not depend on it
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = numbers::jobs, allow_negative_numbers = true)]
    jobs: usize,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &BatchArguments) -> Result<u8, Failure> {
    let requests = Requests::of_contexts(&arguments.requests, &read_text(&arguments.requests)?);
    let source = arguments.tree.workspace()?;
    let quiet = arguments.tree.root.quiet;
    let summarize = source.summarizer(arguments.retry_summaries);
    let stage = PayloadStage {
        out: arguments.out.clone(),
        jobs: arguments.jobs,
        given: arguments.tree.reader(),
        summarize: &summarize,
    };
    let bar = Bar::counting(quiet, "payloads", requests.all.len() as u64);
    let waiting = waiting("workspace", &stage.out, quiet);
    let made = run_payloads(&stage, &source, &requests, WhenLocked::Wait(&waiting), &|count| bar.advance(count));
    bar.finish();
    let stored = made?;
    if let Some(path) = &arguments.timings {
        let counts = source.searches();
        let text = serde_json::json!({ "searches": { "lookups": counts.lookups, "hits": counts.hits } });
        std::fs::write(path, format!("{text:#}\n")).map_err(Failure::writing(path))?;
    }
    let refused = stored.problems.len();
    if arguments.json {
        print_json(&serde_json::json!({ "payloads": stored.answers, "refused": refused }))?;
    }
    for problem in stored.problems.iter().take(MAX_SAID) {
        let line = problem.lines.map_or(0, |lines| lines.start);
        arguments.tree.warn(&format!("line {line} of the requests: {}", problem.message));
    }
    if !quiet {
        let payloads = counted(stored.answers as usize, "payload");
        let out = shell_word(&arguments.out);
        say(&format!(
            "workspace: {payloads}, {refused} refused; `contextpack cat {out} {} --operator` prints them",
            StoredPayload::NAME
        ));
    }
    Ok(if refused == 0 { DONE } else { REFUSED })
}

/// How many refused requests are named.
const MAX_SAID: usize = 10;
