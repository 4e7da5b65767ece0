//! `contextpack workspace validate`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::request::read_request;
use super::{TreeArguments, read_payload};
use crate::cli::{DONE, Failure, REFUSED, json, print};
use crate::door::workspace::validate;
use crate::pipeline::{ContextError, Principals};
use crate::record::Reader;
use crate::record::workspace::{ContextPayload, ContextRequest, PayloadValidation};

/// Check a payload: its counts, its order and its text; with --request its budgets; with --as what its reader may see
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack workspace validate payload.json\n  \
    contextpack workspace validate payload.json --request request.json --repo . --as user:7\n\n\
    Exit code: 0 valid, 1 not valid, 2 could not run.")]
pub struct ValidateArguments {
    /// A payload as a JSON file
    #[arg(value_name = "PAYLOAD")]
    payload: PathBuf,
    /// The request that it answers
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    #[command(flatten)]
    tree: TreeArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &ValidateArguments) -> Result<u8, Failure> {
    let payload = read_payload(&arguments.payload)?;
    let request = arguments.request.as_deref().map(read_request).transpose()?;
    let found = match arguments.tree.reader() {
        None => validate(&payload, request.as_ref(), None),
        Some(reader) => seen_by(arguments, &payload, request.as_ref(), &reader)?,
    };
    match arguments.json {
        true => print(&json(&found))?,
        false => print(&in_words(&found))?,
    }
    Ok(if found.valid { DONE } else { REFUSED })
}

fn seen_by(
    arguments: &ValidateArguments,
    payload: &ContextPayload,
    request: Option<&ContextRequest>,
    reader: &Reader,
) -> Result<PayloadValidation, Failure> {
    let source = arguments.tree.workspace()?;
    let reader = match reader {
        Reader::Operator => Reader::Operator,
        Reader::As(claimed) => {
            let resolved = Principals::resolve(source.packs().folder(), claimed).map_err(ContextError::from)?;
            Reader::As(resolved.all().clone())
        }
    };
    Ok(source.with(&reader, |view| validate(payload, request, Some(view)))?)
}

fn in_words(found: &PayloadValidation) -> String {
    let mut text = String::new();
    for error in &found.errors {
        let code = serde_json::to_value(error.code).ok().and_then(|code| code.as_str().map(str::to_string));
        let _ = writeln!(text, "{}: {}: {}", code.unwrap_or_default(), error.path, error.message);
    }
    for warning in &found.warnings {
        let _ = writeln!(text, "warning: {}", warning.message);
    }
    text + if found.valid { "valid\n" } else { "not valid\n" }
}
