//! `contextpack build`.

use std::path::PathBuf;

use clap::Args;

use super::chunk::pipeline;
use super::pack::repo_name;
use super::progress::Bar;
use super::{DONE, Failure, REFUSED, RunArguments, print_json, say, write_timings};
use crate::pipeline::{Build, StageDone};
use crate::record::Severity;
use crate::store::WhenLocked;

/// Run every stage of a pipeline that is out of date
///
/// chunk, then graph, then the packs and bundles that the pipeline names requests for. A stage whose input has not
/// changed is left as it is; of a tree that has, only the changed files are parsed. One line a stage says what
/// was done. Without --pipeline, `contextpack.toml` of the current folder is used if it is there, and else the
/// defaults: the current folder into `index/`.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack build\n  \
    contextpack build --pipeline contextpack.toml --strict\n  \
    contextpack build --json | jq -r '.[] | select(.built) | .stage'\n\n\
    Exit code: 0 done, 1 done with problems that --strict refuses, 2 could not run.")]
pub struct BuildArguments {
    /// The pipeline to run [default: contextpack.toml]
    #[arg(long, value_name = "FILE")]
    pipeline: Option<PathBuf>,
    /// Exit with 1 when a file could not be read or analysed, or a request was refused
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    run: RunArguments,
}

pub fn run(arguments: &BuildArguments) -> Result<u8, Failure> {
    let failure = |cause: &dyn std::fmt::Display| Failure::new("build", cause);
    let pipeline = pipeline(arguments.pipeline.as_deref()).map_err(|error| failure(&error))?;
    let bar = Bar::new(arguments.run.quiet);
    let waiting = |holder: &str| say(&format!("build: waiting for {holder}, which writes to the index"));
    let build = Build {
        pipeline: &pipeline,
        repo_id: repo_name(&pipeline.source),
        jobs: arguments.run.jobs,
        epoch: std::env::var("SOURCE_DATE_EPOCH").ok(),
        when_locked: if arguments.run.no_wait { WhenLocked::Refuse } else { WhenLocked::Wait(&waiting) },
        watch: &|progress| bar.show(progress),
    };
    let mut stages = Vec::new();
    let made = build.run(&mut |done| {
        bar.finish();
        if !arguments.run.quiet {
            say(&line(done));
        }
        stages.push(done.clone());
    });
    bar.finish();
    made.map_err(|error| failure(&error))?;
    if let Some(path) = &arguments.run.timings {
        let phases: Vec<_> = stages.iter().map(|done| (done.stage, done.time)).collect();
        write_timings(path, "build", &phases).map_err(|error| failure(&error))?;
    }
    if arguments.run.json {
        print_json(&stages)?;
    }
    let codes = stages.iter().flat_map(|done| done.problems.keys());
    let refused = codes.into_iter().any(|code| code.severity() == Severity::Error);
    Ok(if arguments.strict && refused { REFUSED } else { DONE })
}

/// What became of a stage, on one line.
fn line(done: &StageDone) -> String {
    let state = if done.built { "built" } else { "up to date" };
    let counts: Vec<String> = done.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    let problems: Vec<String> = done.problems.iter().map(|(code, count)| format!("{count} {code}")).collect();
    let problems = match problems.is_empty() {
        true => String::new(),
        false => format!(" ({})", problems.join(", ")),
    };
    let (counts, folder) = (counts.join(", "), done.folder.display());
    format!("{:8} {state:11} {counts}{problems}, in `{folder}`, {:.2} s", done.stage, done.time.as_secs_f64())
}
