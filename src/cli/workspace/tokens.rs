//! `contextpack workspace tokens`.

use std::path::PathBuf;

use clap::Args;

use super::read_payload;
use crate::cli::{DONE, Failure, print};
use crate::door::workspace::estimate_tokens;

/// Print how many tokens the text of a payload has, by its own tokenizer
#[derive(Args)]
#[command(after_help = "Example:\n  \
    contextpack workspace tokens payload.json\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct TokensArguments {
    /// A payload as a JSON file
    #[arg(value_name = "PAYLOAD")]
    payload: PathBuf,
}

pub fn run(arguments: &TokensArguments) -> Result<u8, Failure> {
    print(&format!("{}\n", estimate_tokens(&read_payload(&arguments.payload)?)))?;
    Ok(DONE)
}
