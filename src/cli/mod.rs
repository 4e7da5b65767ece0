//! The command line: parses arguments, calls the pipeline, prints. Which index is used is decided in
//! `pipeline::service`.

#![expect(clippy::disallowed_methods, reason = "reads the settings a user names and the environment")]

mod brief;
mod brief_report;
mod browse;
mod build;
mod cat;
mod chunk;
mod compare_scip;
mod completions;
mod diff;
mod diff_markdown;
mod diff_words;
mod doctor;
mod eval;
mod failure;
mod frame;
mod graph;
mod init;
mod mcp;
mod merge;
mod numbers;
mod output;
mod pack;
mod pack_report;
mod pack_scope;
mod progress;
mod root;
mod schema;
mod session;
mod show;
mod spec;
mod verify;
mod why_not;
mod words;
mod workspace;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::pipeline::WhenLocked;

use failure::Failure;
use output::{json, print, print_json, say, written};
use root::{RootArguments, index_failure};

pub use chunk::ChunkArguments;
pub use graph::GraphArguments;
pub use pack::PackArguments;

/// A run that ended as it should.
const DONE: u8 = 0;
/// Done, with problems that were asked to be refused; or an index that is not sound.
const REFUSED: u8 = 1;
/// Could not run at all.
const FAILED: u8 = 2;

/// Turns a source tree into reproducible, explainable, token-budgeted context for language models.
#[derive(Parser)]
#[command(name = "contextpack", version, arg_required_else_help = true, max_term_width = 100)]
#[command(help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{subcommands}{after-help}")]
#[command(before_help = PIPELINE, after_help = FIRST_STEPS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    // Commands that print to standard error declare it themselves; here it is accepted before every command.
    /// Print nothing but the result and errors
    #[arg(long, short, global = true)]
    quiet: bool,
}

const PIPELINE: &str = r"    source tree ──chunk──▶ chunks, symbols, references
                  graph──▶ edges that say how they are known
    question ─────pack───▶ the code it is about, within its budget to the token";

const FIRST_STEPS: &str = "\
First steps:\n  \
    contextpack pack --repo . --query \"where are budgets enforced?\"   index the tree if needed, answer\n  \
    contextpack init && contextpack build                             the same as a build step\n\
Every command has examples in its --help. Exit code: 0 done, 1 done but refused, 2 could not run.";

#[derive(Subcommand)]
enum Command {
    Pack(Box<PackArguments>),
    WhyNot(why_not::WhyNotArguments),
    Show(show::ShowArguments),
    Read(browse::ReadArguments),
    Search(browse::SearchArguments),
    Outline(browse::OutlineArguments),
    Spec(spec::SpecArguments),
    Brief(brief::BriefArguments),
    Workspace(workspace::WorkspaceArguments),
    Frame(frame::FrameArguments),
    Session(Box<session::SessionArguments>),
    Mcp(mcp::McpArguments),
    Init(init::InitArguments),
    Build(build::BuildArguments),
    Chunk(ChunkArguments),
    Merge(merge::MergeArguments),
    Graph(GraphArguments),
    Diff(diff::DiffArguments),
    Verify(verify::VerifyArguments),
    Doctor(doctor::DoctorArguments),
    Cat(cat::CatArguments),
    Schema(schema::SchemaArguments),
    Eval(eval::EvalArguments),
    CompareScip(compare_scip::CompareScipArguments),
    Completions(completions::CompletionsArguments),
    Man(completions::ManArguments),
}

/// A stage's own program: `contextpack-chunk` is `contextpack chunk`.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Program<A: Args> {
    #[command(flatten)]
    arguments: A,
}

/// The tool.
pub fn contextpack(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let matches = Arguments::command().try_get_matches_from(arguments);
    let command = matches.as_ref().ok().and_then(|matches| matches.subcommand_name()).unwrap_or_default().to_string();
    let arguments = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    ExitCode::from(ended(&command, arguments, |arguments| run(&arguments.command)))
}

fn run(command: &Command) -> Result<u8, Failure> {
    match command {
        Command::Init(arguments) => init::run(arguments),
        Command::Build(arguments) => build::run(arguments),
        Command::Chunk(arguments) => chunk::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Graph(arguments) => graph::run(arguments),
        Command::Pack(arguments) => pack::run(arguments),
        Command::WhyNot(arguments) => why_not::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Eval(arguments) => eval::run(arguments),
        Command::CompareScip(arguments) => compare_scip::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Read(arguments) => browse::run_read(arguments),
        Command::Search(arguments) => browse::run_search(arguments),
        Command::Outline(arguments) => browse::run_outline(arguments),
        Command::Spec(arguments) => spec::run(arguments),
        Command::Brief(arguments) => brief::run(arguments),
        Command::Workspace(arguments) => workspace::run(arguments),
        Command::Frame(arguments) => frame::run(arguments),
        Command::Session(arguments) => session::run(arguments),
        Command::Mcp(arguments) => mcp::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Cat(arguments) => cat::run(arguments),
        Command::Doctor(arguments) => doctor::run(arguments),
        Command::Schema(arguments) => schema::run(arguments),
        Command::Completions(arguments) => completions::completions(arguments),
        Command::Man(arguments) => completions::man(arguments),
    }
}

/// The chunk stage alone.
pub fn contextpack_chunk(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    program("contextpack-chunk", "chunk", arguments, chunk::run)
}

/// The graph stage alone.
pub fn contextpack_graph(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    program("contextpack-graph", "graph", arguments, graph::run)
}

/// The pack stage alone.
pub fn contextpack_pack(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    program("contextpack-pack", "pack", arguments, pack::run)
}

fn program<A: Args>(
    name: &'static str,
    command: &str,
    arguments: impl Iterator<Item = OsString>,
    run: fn(&A) -> Result<u8, Failure>,
) -> ExitCode {
    let matches = Program::<A>::command().name(name).try_get_matches_from(arguments);
    let program = matches.and_then(|matches| Program::from_arg_matches(&matches));
    ExitCode::from(ended(command, program, |program: Program<A>| run(&program.arguments)))
}

/// The exit code of a command. Prints why it could not run, if so.
fn ended<A>(command: &str, arguments: Result<A, clap::Error>, run: impl FnOnce(A) -> Result<u8, Failure>) -> u8 {
    let ended = match arguments {
        Ok(arguments) => run(arguments),
        // Help that was asked for is a result.
        Err(error) if !error.use_stderr() => written(error.print()).map(|()| DONE),
        Err(error) => {
            let _ = error.print();
            Ok(FAILED)
        }
    };
    ended.unwrap_or_else(|failure| {
        failure.print(command);
        FAILED
    })
}

/// How a stage runs. None of it changes the result.
#[derive(Args)]
struct RunArguments {
    /// Number of threads; 0 = one per core. The output does not depend on it
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = numbers::jobs, allow_negative_numbers = true)]
    jobs: usize,
    /// Fail if another run is writing to the same directory, instead of waiting for it
    #[arg(long)]
    no_wait: bool,
    /// Write per-phase timings to FILE, as JSON
    #[arg(long, value_name = "FILE")]
    timings: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
    /// Print what was done as JSON, on standard output
    #[arg(long)]
    json: bool,
}

impl RunArguments {
    fn when_locked<'w>(&self, waiting: &'w dyn Fn(&str)) -> WhenLocked<'w> {
        if self.no_wait { WhenLocked::Refuse } else { WhenLocked::Wait(waiting) }
    }
}

/// Says that another run has to end first.
fn waiting(command: &'static str, path: &Path, quiet: bool) -> impl Fn(&str) + Sync {
    let path = path.display().to_string();
    move |holder| {
        if !quiet {
            say(&format!("{command}: waiting for {holder}, which writes to `{path}`"));
        }
    }
}

/// Writes per-phase timings in milliseconds.
fn write_timings(path: &Path, stage: &str, phases: &[(&str, Duration)]) -> Result<(), Failure> {
    let milliseconds: serde_json::Map<String, serde_json::Value> =
        phases.iter().map(|(phase, time)| (phase.to_string(), (time.as_secs_f64() * 1000.0).into())).collect();
    let text = serde_json::json!({ "stage": stage, "milliseconds": milliseconds });
    std::fs::write(path, format!("{text:#}\n")).map_err(Failure::writing(path))
}
