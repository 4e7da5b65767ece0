//! `contextpack spec batch`.

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;

use super::{TreeArguments, json_flag};
use crate::cli::pack::read_text;
use crate::cli::{DONE, Failure, REFUSED, print, say, waiting};
use crate::door::spec::bundle;
use crate::pipeline::{Requests, SpecSource, WhenLocked, run_bundles};
use crate::record::bundle::{BundleRequest, ContextBundle};
use crate::record::write_line;

/// Print many bundles, a JSON line each, in the order of their requests
///
/// A request is a JSON object a line: `seed_ids`, and as far as they differ from the defaults of `spec context`
/// `depth`, `roles`, `scopes`, `direction`, `max_tokens`, `strategy`, `tokenizer` and `with_code`. The tree is read once.
#[derive(Args)]
#[command(arg = json_flag(), after_help = "Example:\n  \
    echo '{\"seed_ids\":[\"REQ-201\"],\"max_tokens\":2000}' > requests.jsonl\n  \
    contextpack spec batch requests.jsonl --repo . > bundles.jsonl\n  \
    contextpack spec batch requests.jsonl --repo . --out index/bundles\n\n\
    Exit code: 0 done, 1 done but for requests that were refused or whose ids no document has, 2 could not run.")]
pub struct BatchArguments {
    /// The requests
    #[arg(value_name = "FILE")]
    requests: PathBuf,
    #[command(flatten)]
    tree: TreeArguments,
    /// Keep the bundles in DIR instead of printing them; what is there already is not made again
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &BatchArguments) -> Result<u8, Failure> {
    let text = read_text(&arguments.requests)?;
    let (mut lines, mut requests, mut refused) = (Vec::new(), Vec::new(), false);
    for (line, request) in Requests::parse(&arguments.requests, &text, BundleRequest::parse).all {
        match request {
            Ok(request) => {
                lines.push(line);
                requests.push(request);
            }
            Err(reason) => {
                refused = true;
                say(&format!("spec: line {line} of the requests is not a valid request\n  because {reason}"));
            }
        }
    }
    let source = arguments.tree.open()?;
    let bundles = match &arguments.out {
        Some(out) => keep(arguments, &source, &requests, out)?,
        None => print_all(&source, &requests)?,
    };
    for (line, bundle) in lines.iter().zip(&bundles) {
        let warn = |warning: &String| arguments.tree.warn(&format!("line {line} of the requests: {warning}"));
        bundle.warnings.iter().for_each(warn);
    }
    let unknown = bundles.iter().any(|bundle| !bundle.is_of_known());
    Ok(if refused || unknown { REFUSED } else { DONE })
}

fn print_all(source: &SpecSource, requests: &[BundleRequest]) -> Result<Vec<ContextBundle>, Failure> {
    let bundles: Vec<ContextBundle> =
        source.with(|library| requests.par_iter().map(|request| bundle(library, request)).collect())?;
    let mut lines = Vec::new();
    bundles.iter().for_each(|bundle| write_line(bundle, &mut lines));
    print(&String::from_utf8(lines).expect("JSON is UTF-8"))?;
    Ok(bundles)
}

fn keep(
    arguments: &BatchArguments,
    source: &SpecSource,
    requests: &[BundleRequest],
    out: &Path,
) -> Result<Vec<ContextBundle>, Failure> {
    let waiting = waiting("spec", out, arguments.tree.root.quiet);
    let made = run_bundles(source, requests, out, WhenLocked::Wait(&waiting))?;
    let signature = &made.manifest.index_signature;
    let (written, cached, out) = (made.written, made.cached, out.display());
    arguments.tree.warn(&format!("{written} bundles, {cached} of them known; `{out}` is {signature}"));
    Ok(made.bundles)
}
