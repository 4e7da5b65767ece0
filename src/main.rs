//! The tool `contextpack`, with all commands.

use std::process::ExitCode;

fn main() -> ExitCode {
    contextpack::cli::contextpack(std::env::args_os())
}
