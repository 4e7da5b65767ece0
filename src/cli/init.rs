//! `contextpack init`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use clap::Args;

use super::{DONE, Failure, print, say};
use crate::pipeline::Pipeline;

/// A pipeline in which everything stands with its default.
const TEMPLATE: &str = include_str!("init.toml");

/// Write a pipeline file with every setting, its default and what it does
///
/// Nothing in it needs to be changed: `contextpack build` runs it as it is. A file that is there is kept.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack init\n  \
    contextpack init --out nightly.toml\n  \
    contextpack init --stdout\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct InitArguments {
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = Pipeline::FILE_NAME)]
    out: PathBuf,
    /// Print it instead
    #[arg(long, conflicts_with = "out")]
    stdout: bool,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    /// Print nothing but the result and errors
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(arguments: &InitArguments) -> Result<u8, Failure> {
    if arguments.stdout {
        print(TEMPLATE)?;
        return Ok(DONE);
    }
    let path = arguments.out.display();
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).create_new(!arguments.force);
    let written = options.open(&arguments.out).and_then(|mut file| file.write_all(TEMPLATE.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::other(format!("`{path}` exists already\n  hint: `contextpack init --force` overwrites it"))
        }
        _ => Failure::writing(&arguments.out)(error),
    })?;
    let build = match arguments.out.as_os_str() == Pipeline::FILE_NAME {
        true => "contextpack build".to_string(),
        false => format!("contextpack build --pipeline {path}"),
    };
    if !arguments.quiet {
        say(&format!("init: wrote `{path}`\n  next: `{build}`, then `contextpack pack --index index --query \"…\"`"));
    }
    Ok(DONE)
}
