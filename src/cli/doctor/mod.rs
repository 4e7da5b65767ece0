//! `contextpack doctor`.

mod determinism;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::chunk::read_pipeline;
use super::init::FILE_NAME;
use super::{DONE, Failure, REFUSED, kept_indexes, print, print_json};
use crate::pipeline::{Finding, doctor};
use crate::record::Severity;

/// Say what is wrong with a tree and its index, and what mends it
///
/// Of the tree: whether it can be read, submodules and large files that are not there. Of the index: whether its
/// pieces are what they should be, made by this program's rules, of this tree as it is now; what the stages complained
/// of. Changes nothing. Without --index, the index of `contextpack.toml` is looked at, or `index/`, or the one that
/// `contextpack pack --repo` keeps.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:\n  \
    contextpack doctor\n  \
    contextpack doctor --source . --index index --json\n  \
    contextpack doctor determinism --source .\n\n\
    Exit code: 0 nothing is wrong, 1 something is, 2 could not run.")]
pub struct DoctorArguments {
    #[command(subcommand)]
    command: Option<DoctorCommand>,
    /// The tree [default: the pipeline's, or the current folder]
    #[arg(long, alias = "repo", value_name = "DIR")]
    source: Option<PathBuf>,
    /// The folder that holds `chunk/` and `graph/`
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
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
    let (tree, index) = places(arguments)?;
    let findings = doctor(&tree, &index);
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

/// The tree and the index to look at.
fn places(arguments: &DoctorArguments) -> Result<(PathBuf, PathBuf), Failure> {
    let folder = arguments.source.clone().unwrap_or_else(|| PathBuf::from("."));
    let own = folder.join(FILE_NAME);
    let pipeline = own.is_file().then(|| read_pipeline(&own)).transpose();
    let pipeline = pipeline.map_err(|error| Failure::new("doctor", error))?;
    let tree = match (&arguments.source, &pipeline) {
        (None, Some(pipeline)) => pipeline.source.clone(),
        _ => folder.clone(),
    };
    let index = match (&arguments.index, pipeline) {
        (Some(index), _) => index.clone(),
        (None, Some(pipeline)) => pipeline.index,
        (None, None) => kept_indexes(&folder).swap_remove(0),
    };
    Ok((tree, index))
}

fn said(finding: &Finding) -> String {
    let severity = match finding.severity {
        Severity::Info if finding.mend.is_none() => "ok  ",
        Severity::Info => "note",
        Severity::Warning => "warn",
        Severity::Error => "bad ",
    };
    let mend = finding.mend.as_ref().map_or(String::new(), |mend| format!("       mend: {mend}\n"));
    format!("{severity} {}: {}\n{mend}", finding.code, finding.what.replace('\n', "\n       "))
}
