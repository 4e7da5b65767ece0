//! `contextpack merge`.

use std::path::PathBuf;

use clap::Args;

use super::root::pipeline;
use super::{DONE, Failure, print_json, say, waiting};
use crate::pipeline::{Disk, MergeSummary, WhenLocked, run_merge};

/// Merge shares into one chunk index
///
/// `contextpack chunk --shard I/N` makes share I of N of a tree's chunks, on any machine that has the tree. The merged
/// index has the same bytes as that of one run over the tree, whatever the order of the shares. All shares must come
/// from the same tree, version, source date and settings, with none missing or repeated; otherwise nothing is written
/// and the error names the share that does not fit.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack chunk --shard 1/2        # on one machine\n  \
    contextpack chunk --shard 2/2        # on another\n  \
    contextpack merge index/shares/*     # where both were brought to\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct MergeArguments {
    /// The directories of all shares
    #[arg(value_name = "SHARE", required = true)]
    shares: Vec<PathBuf>,
    /// The directory to write to [default: chunk/ of the index of contextpack.toml, or index/chunk]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Fail if another run is writing to the same directory, instead of waiting for it
    #[arg(long)]
    no_wait: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
    /// Print what was done as JSON, on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &MergeArguments) -> Result<u8, Failure> {
    let folder = match &arguments.out {
        Some(out) => out.clone(),
        None => pipeline("merge", None, arguments.quiet)?.index.join("chunk"),
    };
    let out = folder.display();
    let waiting = waiting("merge", &folder, arguments.quiet);
    let when_locked = if arguments.no_wait { WhenLocked::Refuse } else { WhenLocked::Wait(&waiting) };
    let merged = run_merge(&arguments.shares, &folder, Disk::real(), when_locked)?;
    let MergeSummary { manifest, shares, shards } = merged;
    let pieces = manifest.parts().count() + manifest.accelerator_parts().count();
    if arguments.json {
        let signature = &manifest.index_signature;
        print_json(
            &serde_json::json!({ "shares": shares, "shards": shards, "pieces": pieces, "indexSignature": signature }),
        )?;
    }
    if !arguments.quiet {
        say(&format!("merge: {shares} shares, {shards} shards, {pieces} pieces"));
        say(&format!("merge: wrote `{out}`, {}", manifest.index_signature));
    }
    Ok(DONE)
}
