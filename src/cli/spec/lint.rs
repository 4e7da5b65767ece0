//! `contextpack spec lint`.

use clap::{Args, ValueEnum};

use super::{TreeArguments, json};
use crate::cli::{DONE, Failure, REFUSED, print};
use crate::door::spec::{Finding, lint};
use crate::record::Severity;

/// Say what is wrong with the spec documents of a tree
///
/// Front matter that does not parse (FM-000) or lacks a key (FM-001), kinds and scopes (FM-002), statuses (FM-003)
/// and ids (ID-001) that are not known, ids that are used twice (ID-002), sections that are missing (SEC-001) or
/// there twice (SEC-002), traces (TR-001) and read_next (TR-002) that lead to nothing.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    contextpack spec lint --repo . --fail-level warning\n\n\
    Exit code: 0 nothing as bad as the level, 1 something is, 2 could not run.")]
pub struct LintArguments {
    #[command(flatten)]
    tree: TreeArguments,
    /// What is bad enough to fail
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::Error)]
    fail_level: Level,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    Warning,
    Error,
}

pub fn run(arguments: &LintArguments) -> Result<u8, Failure> {
    let findings = arguments.tree.open()?.with(|library| Ok(lint(library)))?;
    match arguments.json {
        true => print(&json(&findings))?,
        false => print(&findings.iter().map(said).collect::<String>())?,
    }
    let level = match arguments.fail_level {
        Level::Warning => Severity::Warning,
        Level::Error => Severity::Error,
    };
    Ok(if findings.iter().any(|finding| finding.severity >= level) { REFUSED } else { DONE })
}

fn said(finding: &Finding) -> String {
    let Finding { severity, rule, file, line, message } = finding;
    let severity = if *severity == Severity::Error { "error" } else { "warning" };
    format!("{file}:{line}: {severity} {rule}: {message}\n")
}
