//! `contextpack chunk`.

use std::path::PathBuf;

use clap::Args;

use super::progress::Bar;
use super::root::{NoteArguments, pipeline};
use super::{DONE, Failure, REFUSED, RunArguments, print_json, say, waiting, write_timings};
use crate::pipeline::{ChunkStage, Disk, Pipeline, Share, ShareMark, Summary, operator_flag, run_share};
use crate::record::Severity;
use crate::text::shell_word;

/// Cut a source tree into chunks, symbols and references
///
/// Reads every file of the tree that no `.gitignore`, `.ignore` or `.contextpackignore` in it excludes,
/// and writes `files`, `chunk_meta`, `symbols`, `references` and `problems` as sharded JSONL below OUT.
/// What an earlier run wrote there is the cache: files that have not changed are not parsed again, and
/// a run that changes nothing writes nothing.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack chunk --repo . --out index/chunk\n  \
    contextpack chunk --pipeline pipelines/default.toml --strict\n  \
    contextpack chunk --shard 2/3        # then `contextpack merge index/shares/*`\n\n\
    Exit code: 0 done, 1 done with problems that --strict refuses, 2 could not run.")]
pub struct ChunkArguments {
    /// The tree to read, with default settings [default: that of contextpack.toml; else the nearest directory upwards
    /// that has .git, else the current one]
    #[arg(long, aliases = ["source", "root"], value_name = "DIR")]
    repo: Option<PathBuf>,
    /// The directory to write to [default: the pipeline's, or index/chunk; of a share index/shares/I-of-N]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A TOML file with settings and language rules; options given here win [default: contextpack.toml, without
    /// --repo]
    #[arg(long, value_name = "FILE")]
    pipeline: Option<PathBuf>,
    /// Definitions longer than this are cut at statement borders [default: 4096]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(64..))]
    max_chunk_bytes: Option<u32>,
    /// Larger files are listed but not read [default: 8388608]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    max_file_bytes: Option<u64>,
    /// The most input that goes into one shard; shards are two thirds of it on average [default: 25165824]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1024..))]
    max_shard_bytes: Option<u64>,
    /// Keep keys, tokens and passwords that are found in the tree; without it a placeholder takes their place
    #[arg(long)]
    allow_secrets: bool,
    #[command(flatten)]
    notes: NoteArguments,
    /// Make only share I of N of the shards, for `contextpack merge`. It helps where there are several: a tree below
    /// --max-shard-bytes is one, and a smaller value makes more
    #[arg(long, value_name = "I/N")]
    shard: Option<Share>,
    /// Exit with 1 when a file could not be read or analysed
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    run: RunArguments,
    /// Visit directories in an order made from this seed, to show that no order matters
    #[arg(long, value_name = "SEED", hide = true)]
    shuffle: Option<u64>,
}

pub fn run(arguments: &ChunkArguments) -> Result<u8, Failure> {
    let stage = stage(arguments)?;
    let bar = Bar::new(arguments.run.quiet);
    let waiting = waiting("chunk", &stage.out, arguments.run.quiet);
    let when_locked = arguments.run.when_locked(&waiting);
    let watch = |progress| bar.show(progress);
    let summary = run_share(&stage, arguments.shard, Disk::real(), when_locked, &watch);
    bar.finish();
    let summary = summary?;
    if let Some(path) = &arguments.run.timings {
        let timings = &summary.timings;
        let phases = [
            ("walk", timings.walk),
            ("read", timings.read),
            ("analyse", timings.analyse),
            ("write", timings.write),
            ("total", timings.total),
        ];
        write_timings(path, "chunk", &phases)?;
    }
    if arguments.run.json {
        print_json(&made(&summary))?;
    }
    if !arguments.run.quiet {
        say(report(&stage, &summary).trim_end());
    }
    let refused = summary.problems.keys().any(|code| code.severity() == Severity::Error);
    Ok(if arguments.strict && refused { REFUSED } else { DONE })
}

fn stage(arguments: &ChunkArguments) -> Result<ChunkStage, Failure> {
    let mut pipeline = match (&arguments.pipeline, &arguments.repo) {
        // A tree that is named is not configured by the contextpack.toml of the current directory.
        (None, Some(_)) => Pipeline::default(),
        (named, _) => pipeline("chunk", named.as_deref(), arguments.run.quiet)?,
    };
    arguments.notes.apply(&mut pipeline);
    let section = &mut pipeline.chunk;
    section.allow_secrets = arguments.allow_secrets.then_some(true).or(section.allow_secrets);
    section.max_chunk_bytes = arguments.max_chunk_bytes.map(|bytes| bytes as usize).or(section.max_chunk_bytes);
    section.max_file_bytes = arguments.max_file_bytes.or(section.max_file_bytes);
    section.max_shard_bytes = arguments.max_shard_bytes.or(section.max_shard_bytes);
    let stage = pipeline.chunk_stage(arguments.run.jobs);
    Ok(ChunkStage {
        source: arguments.repo.clone().unwrap_or(pipeline.source),
        out: arguments.out.clone().unwrap_or_else(|| pipeline.index.join(folder(arguments.shard))),
        shuffle: arguments.shuffle,
        ..stage
    })
}

/// Where a run writes in an index's directory.
fn folder(share: Option<Share>) -> String {
    share.map_or_else(|| "chunk".to_string(), |Share { index, of }| format!("shares/{index}-of-{of}"))
}

/// What somebody may not expect who has just exported a workspace of their own.
const CLOSED: &str = "chunk: nobody may read any block of the workspace, because nothing is granted\n  \
    hint: say who may read it in `default_read` of [workspace], or `contextpack workspace … --default-read user:me`\n";

/// What the run did, for programs.
fn made(summary: &Summary) -> serde_json::Value {
    serde_json::json!({
        "indexSignature": summary.manifest.index_signature,
        "files": summary.files,
        "carriedOver": summary.carried,
        "ignored": summary.ignored,
        "chunks": summary.chunks,
        "symbols": summary.symbols,
        "references": summary.references,
        "problems": summary.problems,
    })
}

/// What the run did, one fact per line.
fn report(stage: &ChunkStage, summary: &Summary) -> String {
    let mut text = String::new();
    if summary.is_closed {
        text += CLOSED;
    }
    if let Some(fault) = &summary.old_fault {
        text += &format!("chunk: the old index was not used as a cache\n  because {fault}\n");
    }
    if let Some(ShareMark { share, shards, planned, .. }) = ShareMark::read(&summary.manifest) {
        text += &format!("chunk: share {} of {}, {} of {planned} shards\n", share.index, share.of, shards.len());
    }
    text += &format!(
        "chunk: {} files, {} carried over, {} ignored; {} chunks, {} symbols, {} references\n",
        summary.files, summary.carried, summary.ignored, summary.chunks, summary.symbols, summary.references,
    );
    let problems: Vec<_> = summary.problems.iter().map(|(code, count)| format!("{count} {code}")).collect();
    if !problems.is_empty() {
        text += &format!(
            "chunk: problems: {} (see `contextpack cat {} problems{}`)\n",
            problems.join(", "),
            shell_word(&stage.out),
            operator_flag(&summary.manifest),
        );
    }
    let signature = &summary.manifest.index_signature;
    text + &format!(
        "chunk: wrote `{}`, {signature}, in {:.2} s\n",
        stage.out.display(),
        summary.timings.total.as_secs_f64()
    )
}
