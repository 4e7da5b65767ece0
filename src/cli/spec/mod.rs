//! `contextpack spec`: commands for spec documents.

mod batch;
mod context;
mod impact;
mod index;
mod lint;
mod prompt;
mod search;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgAction, Args, Subcommand};

use super::{Failure, RootArguments, json, say, waiting};
use crate::pipeline::service::{self, Freshness, Refresh, Secrets};
use crate::pipeline::{SpecSource, read_section_schema};

/// Work with spec documents: markdown whose front matter gives an id
///
/// Documents name each other in `trace` and `doc.read_next` of their front matter. A section schema says which of
/// their sections are for models: the one of --schema, the tree's own `spec_section_schema.yaml`, or a built-in one.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack spec context REQ-201 --repo . --depth 1 --max-tokens 2000\n  \
    contextpack spec search \"latency\" --repo .\n  \
    contextpack spec lint --repo .")]
pub struct SpecArguments {
    #[command(subcommand)]
    command: SpecCommand,
}

#[derive(Subcommand)]
enum SpecCommand {
    Context(context::ContextArguments),
    Batch(batch::BatchArguments),
    Index(index::IndexArguments),
    Search(search::SearchArguments),
    Impact(impact::ImpactArguments),
    Prompt(prompt::PromptArguments),
    Lint(lint::LintArguments),
}

pub fn run(arguments: &SpecArguments) -> Result<u8, Failure> {
    match &arguments.command {
        SpecCommand::Context(arguments) => context::run(arguments),
        SpecCommand::Batch(arguments) => batch::run(arguments),
        SpecCommand::Index(arguments) => index::run(arguments),
        SpecCommand::Search(arguments) => search::run(arguments),
        SpecCommand::Impact(arguments) => impact::run(arguments),
        SpecCommand::Prompt(arguments) => prompt::run(arguments),
        SpecCommand::Lint(arguments) => lint::run(arguments),
    }
}

/// Where the documents are.
#[derive(Args)]
pub struct TreeArguments {
    #[command(flatten)]
    root: RootArguments,
    /// The section schema to use [default: that of contextpack.toml]
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// Keep keys, tokens and passwords that are found in the tree; without it a placeholder takes their place
    #[arg(long)]
    allow_secrets: bool,
}

impl TreeArguments {
    /// The documents of an index that is brought up to date first.
    fn open(&self) -> Result<SpecSource, Failure> {
        let root = self.root.seen(self.root.find_tree("spec")?, false)?;
        let own_schema = root.pipeline().and_then(|pipeline| pipeline.spec.schema.as_ref());
        let schema = self.schema.as_ref().or(own_schema).map(|path| read_section_schema(path)).transpose()?;
        let secrets = if self.allow_secrets { Secrets::Keep } else { Secrets::Configured };
        let waiting = waiting("spec", root.index(), self.root.quiet);
        let refresh = Refresh { secrets, waiting: &waiting, ..Refresh::QUIET };
        let opened = service::open(&root, Freshness::Refresh(&refresh))?;
        Ok(SpecSource::new(root.tree().unwrap_or(Path::new(".")), Arc::new(opened.packs()?), schema)?)
    }

    /// Says what a reader should know but did not ask for.
    fn warn(&self, text: &str) {
        if !self.root.quiet {
            say(&format!("spec: {text}"));
        }
    }
}

/// For commands that print nothing else: whoever asks for JSON need not know which these are.
fn json_flag() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("No effect: output is always JSON")
}
