//! `contextpack spec batch`.

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;

use super::{TreeArguments, failure};
use crate::cli::pack::read_text;
use crate::cli::{DONE, Failure, REFUSED, print, say};
use crate::pipeline::{SpecSource, run_bundles};
use crate::record::bundle::BundleRequest;
use crate::record::write_line;
use crate::source::source_date;
use crate::spec::bundle;
use crate::store::WhenLocked;

/// Print many bundles, a JSON line each, in the order of their requests
///
/// A request is a JSON object a line: `seed_ids`, and as far as they differ from the defaults of `spec context`
/// `depth`, `roles`, `scopes`, `direction`, `max_tokens`, `strategy`, `tokenizer` and `with_code`. The tree is read once.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    echo '{\"seed_ids\":[\"REQ-201\"],\"max_tokens\":2000}' > requests.jsonl\n  \
    contextpack spec batch requests.jsonl --repo . > bundles.jsonl\n  \
    contextpack spec batch requests.jsonl --repo . --out index/bundles\n\n\
    Exit code: 0 done, 1 done but for requests that were refused, 2 could not run.")]
pub struct BatchArguments {
    /// The requests
    #[arg(value_name = "FILE")]
    requests: PathBuf,
    #[command(flatten)]
    tree: TreeArguments,
    /// Keep the bundles in DIR instead of printing them; what is there already is not made again
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The folder of the index that requests with `with_code` are answered from [default: below the user's cache folder]
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
}

pub fn run(arguments: &BatchArguments) -> Result<u8, Failure> {
    let text = read_text("spec", &arguments.requests)?;
    let (requests, faults) = parsed(&text);
    let source = arguments.tree.open_for(&requests, arguments.index.as_deref())?;
    for (line, fault) in &faults {
        say(&format!("spec: line {line} of the requests is none\n  because {fault}"));
    }
    match &arguments.out {
        Some(out) => keep(arguments, &source, &requests, out)?,
        None => print(&printed(&source, &requests))?,
    }
    Ok(if faults.is_empty() { DONE } else { REFUSED })
}

/// Requests, and the lines that are none with the reason.
fn parsed(text: &str) -> (Vec<BundleRequest>, Vec<(usize, String)>) {
    let (mut requests, mut faults) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(request) => requests.push(request),
            Err(error) => faults.push((at + 1, error.to_string())),
        }
    }
    (requests, faults)
}

fn printed(source: &SpecSource, requests: &[BundleRequest]) -> String {
    let record = |request: &BundleRequest| {
        let mut line = Vec::new();
        write_line(&bundle(&source.catalog, &source.schema, request), &mut line);
        String::from_utf8(line).expect("JSON is UTF-8")
    };
    requests.par_iter().map(record).collect::<Vec<_>>().concat()
}

fn keep(
    arguments: &BatchArguments,
    source: &SpecSource,
    requests: &[BundleRequest],
    out: &Path,
) -> Result<(), Failure> {
    let epoch = std::env::var("SOURCE_DATE_EPOCH").ok();
    let date = source_date(&arguments.tree.repo, epoch.as_deref()).map_err(|error| failure(&error))?;
    let waiting = |holder: &str| say(&format!("spec: waiting for {holder}, which writes to `{}`", out.display()));
    let made = run_bundles(source, date, requests, out, WhenLocked::Wait(&waiting)).map_err(|error| failure(&error))?;
    let signature = &made.manifest.index_signature;
    say(&format!("spec: {} bundles, {} of them known; `{}` is {signature}", made.bundles, made.cached, out.display()));
    Ok(())
}
