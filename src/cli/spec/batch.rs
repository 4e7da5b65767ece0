//! `contextpack spec batch`.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::TreeArguments;
use crate::cli::pack::read_text;
use crate::cli::{DONE, Failure, REFUSED, print, say};
use crate::record::bundle::BundleRequest;
use crate::record::write_line;
use crate::spec::bundle;

/// Print many bundles, a JSON line each, in the order of their requests
///
/// A request is a JSON object a line: `seed_ids`, and as far as they differ from the defaults of `spec context`
/// `depth`, `roles`, `scopes`, `direction`, `max_tokens`, `strategy` and `tokenizer`. The tree is read once.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    echo '{\"seed_ids\":[\"REQ-201\"],\"max_tokens\":2000}' > requests.jsonl\n  \
    contextpack spec batch requests.jsonl --repo . > bundles.jsonl\n\n\
    Exit code: 0 done, 1 done but for requests that were refused, 2 could not run.")]
pub struct BatchArguments {
    /// The requests
    #[arg(value_name = "FILE")]
    requests: PathBuf,
    #[command(flatten)]
    tree: TreeArguments,
}

pub fn run(arguments: &BatchArguments) -> Result<u8, Failure> {
    let text = read_text(&arguments.requests)?;
    let source = arguments.tree.open()?;
    let lines: Vec<(usize, &str)> = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
    let made = lines.par_iter().map(|(at, line)| {
        let request: BundleRequest = serde_json::from_str(line).map_err(|error| (at + 1, error.to_string()))?;
        let mut record = Vec::new();
        write_line(&bundle(&source.catalog, &source.schema, &request), &mut record);
        Ok(String::from_utf8(record).expect("JSON is UTF-8"))
    });
    let made: Vec<Result<String, (usize, String)>> = made.collect();
    for record in &made {
        match record {
            Ok(record) => print(record),
            Err((line, fault)) => say(&format!("spec: line {line} of the requests is none\n  because {fault}")),
        }
    }
    Ok(if made.iter().all(Result::is_ok) { DONE } else { REFUSED })
}
