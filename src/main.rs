//! The tool: every stage and every look at what they wrote.

use std::process::ExitCode;

fn main() -> ExitCode {
    contextpack::cli::contextpack(std::env::args_os())
}
