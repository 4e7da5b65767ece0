//! `contextpack spec`.

mod batch;
mod context;
mod impact;
mod index;
mod lint;
mod prompt;
mod search;

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Args, Subcommand};

use super::pack::{default_index, read_text};
use super::{Failure, say};
use crate::dialect::spec::SectionSchema;
use crate::pipeline::{IndexTree, SpecSource};
use crate::record::bundle::BundleRequest;

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
    /// The tree that holds the documents
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// The section schema to use
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// Keep keys, tokens and passwords that are found in the tree; without it a placeholder takes their place
    #[arg(long)]
    allow_secrets: bool,
}

impl TreeArguments {
    fn open(&self) -> Result<SpecSource, Failure> {
        let schema = self.schema.as_ref().map(|path| {
            let text = read_text("spec", path)?;
            let unusable =
                |fault| failure(&format!("cannot use the section schema `{}`\n  because {fault}", path.display()));
            SectionSchema::parse(&text).map_err(unusable)
        });
        let source = SpecSource::read_with(&self.repo, schema.transpose()?, self.allow_secrets);
        let source = source.map_err(|error| failure(&error))?;
        for problem in &source.problems {
            say(&format!("spec: `{}` was not read: {}", problem.file_rel_path, problem.message));
        }
        Ok(source)
    }

    /// With the code of the documents if any of the requests wants it, from an index that is brought up to date first.
    fn open_for(&self, requests: &[BundleRequest], index: Option<&Path>) -> Result<SpecSource, Failure> {
        let source = self.open()?;
        if !requests.iter().any(|request| request.with_code) {
            return Ok(source);
        }
        let folder = index.map_or_else(|| default_index(&self.repo), |index| Ok(index.to_path_buf()))?;
        let allow_secrets = self.allow_secrets;
        let index = IndexTree { jobs: 0, allow_secrets, epoch: None, when_locked: &|_| (), watch: &|_| () };
        index.run(&self.repo, &folder).map_err(|error| failure(&error))?;
        source.with_code_for(requests, &folder).map_err(|error| failure(&error))
    }
}

/// For commands that print nothing else: whoever asks for JSON need not know which these are.
fn json_flag() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON, as it does anyway")
}

fn failure(cause: &dyn std::fmt::Display) -> Failure {
    Failure::new("spec", cause)
}

/// For people and programs alike.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("it is JSON") + "\n"
}
