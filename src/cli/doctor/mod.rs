//! `contextpack doctor`: problems of a tree and its index, and how to fix them.

mod determinism;

use clap::{Args, Subcommand};

use super::{DONE, Failure, REFUSED, RootArguments, print, print_json};
use crate::pipeline::{Finding, doctor, open_stage};
use crate::record::{ErrorCode, Reader, Severity};

/// Report problems of a tree and its index, and how to fix them
///
/// Checks the tree: is it readable, are submodules and large files checked out? Checks the index: is it intact, was it
/// built by this version from the tree as it is now, which problems did the stages report? Changes nothing.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:\n  \
    contextpack doctor\n  \
    contextpack doctor --repo . --index index --json\n  \
    contextpack doctor determinism --repo .\n\n\
    Exit code: 0 nothing is wrong, 1 something is, 2 could not run.")]
pub struct DoctorArguments {
    #[command(subcommand)]
    command: Option<DoctorCommand>,
    #[command(flatten)]
    root: RootArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum DoctorCommand {
    Determinism(determinism::DeterminismArguments),
}

pub fn run(arguments: &DoctorArguments) -> Result<u8, Failure> {
    if let Some(DoctorCommand::Determinism(arguments)) = &arguments.command {
        return determinism::run(arguments);
    }
    if let Some(Reader::As(_)) = arguments.root.reader.reader() {
        let refused = "it tells what not everybody may read\n  hint: --operator says that you may read everything";
        return Err(Failure::coded(ErrorCode::Forbidden, refused));
    }
    let root = arguments.root.find_tree("doctor")?;
    // What cannot be read has nothing to hide, and is a finding.
    if let Ok(chunks) = open_stage(&root.index().join("chunk")) {
        arguments.root.reader.access().check(&chunks)?;
    }
    let findings = doctor(&root);
    match arguments.json {
        true => print_json(&findings)?,
        false => print(&findings.iter().map(said).collect::<String>())?,
    }
    let wrong = findings.iter().any(|finding| finding.severity > Severity::Info);
    if !wrong && !arguments.json {
        print("nothing is wrong\n")?;
    }
    Ok(if wrong { REFUSED } else { DONE })
}

fn said(finding: &Finding) -> String {
    let severity = match finding.severity {
        Severity::Info if finding.fix.is_none() => "ok  ",
        Severity::Info => "note",
        Severity::Warning => "warn",
        Severity::Error => "bad ",
    };
    let fix = finding.fix.as_ref().map_or(String::new(), |fix| format!("       fix: {fix}\n"));
    format!("{severity} {}: {}\n{fix}", finding.code, finding.what.replace('\n', "\n       "))
}
