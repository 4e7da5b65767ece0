//! `contextpack build`.

use std::path::PathBuf;

use clap::Args;

use super::progress::Bar;
use super::root::{NoteArguments, pipeline};
use super::{DONE, Failure, REFUSED, RunArguments, print_json, say, waiting, write_timings};
use crate::pipeline::service::repository_name;
use crate::pipeline::{Build, StageDone};
use crate::record::Severity;

/// Run every stage of a pipeline that is out of date
///
/// Runs chunk, then graph, then makes the packs and bundles that the pipeline has requests for. A stage whose input has
/// not changed is skipped; if the tree has changed, only the changed files are parsed. Prints one line per stage. Without --pipeline, `contextpack.toml` of the tree is used if it is there, and else the defaults: the
/// tree into `index/`. The tree is the nearest directory upwards that has contextpack.toml or .git, else the current one.
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
    #[command(flatten)]
    notes: NoteArguments,
    /// Exit with 1 when a file could not be read or analysed, or a request was refused
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    run: RunArguments,
}

pub fn run(arguments: &BuildArguments) -> Result<u8, Failure> {
    let mut pipeline = pipeline("build", arguments.pipeline.as_deref(), arguments.run.quiet)?;
    arguments.notes.apply(&mut pipeline);
    let bar = Bar::new(arguments.run.quiet);
    let waiting = waiting("build", &pipeline.index, arguments.run.quiet);
    let build = Build {
        pipeline: &pipeline,
        repo_id: repository_name(&pipeline.source),
        jobs: arguments.run.jobs,
        when_locked: arguments.run.when_locked(&waiting),
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
    made?;
    if let Some(path) = &arguments.run.timings {
        let phases: Vec<_> = stages.iter().map(|done| (done.stage, done.time)).collect();
        write_timings(path, "build", &phases)?;
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
