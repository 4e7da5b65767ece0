//! The pack stage as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    contextpack::cli::contextpack_pack(std::env::args_os())
}
