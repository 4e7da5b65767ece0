//! `contextpack workspace`: commands for workspaces with permissions.

mod access;
mod batch;
mod context;
mod eval;
mod request;
mod tokens;
mod validate;
mod view;

use std::path::Path;
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::root::principal;
use super::{Failure, RootArguments, say, waiting};
use crate::cli::pack::read_text;
use crate::pipeline::service::{self, Freshness, Opened, Refresh, Root};
use crate::pipeline::{Access, ContextError, Pipeline, WorkspaceSource};
use crate::record::workspace::ContextPayload;
use crate::record::{ErrorCode, Principal, Reader};

/// Make context of a workspace, from what the one who asks may read
///
/// A workspace is a tree of pages, databases, tasks and texts: blocks.jsonl, a block tree as JSON, notes as JSON, or an
/// export of Notion. Who may read a block is said by grants in these files and in permissions.jsonl; what nobody grants
/// is for nobody. Each request says who asks (--as), and nothing that they may not read has any influence on the
/// answer.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack workspace context \"what is overdue?\" --repo . --as user:7\n  \
    contextpack workspace context --focus page:page-123 --as user:7 --as team:ops --format json\n  \
    contextpack workspace context \"next steps\" --repo Export --default-read user:me --as user:me\n  \
    contextpack workspace access page-123 --operator\n\n\
    Exit code: 0 done, 1 nothing found, not valid or in part refused, 2 could not run.")]
pub struct WorkspaceArguments {
    #[command(subcommand)]
    command: WorkspaceCommand,
}

#[derive(Subcommand)]
enum WorkspaceCommand {
    Context(Box<context::ContextArguments>),
    Batch(batch::BatchArguments),
    Validate(validate::ValidateArguments),
    Tokens(tokens::TokensArguments),
    View(view::ViewArguments),
    Access(access::AccessArguments),
    Eval(eval::EvalArguments),
}

pub fn run(arguments: &WorkspaceArguments) -> Result<u8, Failure> {
    match &arguments.command {
        WorkspaceCommand::Context(arguments) => context::run(arguments),
        WorkspaceCommand::Batch(arguments) => batch::run(arguments),
        WorkspaceCommand::Validate(arguments) => validate::run(arguments),
        WorkspaceCommand::Tokens(arguments) => tokens::run(arguments),
        WorkspaceCommand::View(arguments) => view::run(arguments),
        WorkspaceCommand::Access(arguments) => access::run(arguments),
        WorkspaceCommand::Eval(arguments) => eval::run(arguments),
    }
}

/// Where the blocks are, and who reads them.
#[derive(Args)]
pub struct TreeArguments {
    #[command(flatten)]
    root: RootArguments,
    /// Who may read roots that nobody grants to anybody; several times for more [default: as contextpack.toml says,
    /// else nobody]
    #[arg(long, value_name = "PRINCIPAL", value_parser = principal)]
    default_read: Vec<Principal>,
    /// Use the index as it is
    #[arg(long)]
    no_refresh: bool,
}

impl TreeArguments {
    fn reader(&self) -> Option<Reader> {
        self.root.reader.reader()
    }

    /// Says what is in an answer, too.
    fn warn(&self, text: &str) {
        if !self.root.quiet {
            say(&format!("workspace: {text}"));
        }
    }

    /// The index, up to date if that is allowed. Only an operator sees progress: it says how much there is.
    fn open(&self) -> Result<(Root, Opened), Failure> {
        let root = self.root.find("workspace")?.with_workspace(&self.default_read).for_operator();
        let is_operator = self.reader() == Some(Reader::Operator);
        let opened = {
            let waiting = waiting("workspace", root.index(), self.root.quiet || !is_operator);
            let refresh = Refresh { waiting: &waiting, ..Refresh::QUIET };
            let freshness = if self.no_refresh { Freshness::AsIs } else { Freshness::Refresh(&refresh) };
            service::open(&root, freshness)?
        };
        if !is_operator {
            let claimed = self.root.reader.principals.iter().cloned().collect();
            service::check_view_reader(&opened.index, Some(&claimed))?;
            service::check_default_read(&root, &opened)?;
        }
        Ok((root, opened))
    }

    /// The workspace, with the settings of contextpack.toml.
    fn workspace(&self) -> Result<WorkspaceSource, Failure> {
        let (root, opened) = self.open()?;
        let default = Pipeline::default();
        let settings = root.pipeline().unwrap_or(&default).workspace_settings();
        let settings = settings.map_err(|fault| Failure::coded(ErrorCode::Source, fault))?;
        let source = opened.packs().map_err(|error| root.explain(error.into()))?;
        Ok(WorkspaceSource::new(Arc::new(source), settings)?)
    }

    /// Only for those who may see everything.
    fn check_operator(&self) -> Result<(), Failure> {
        let is_operator = self.root.reader.access() == Access::Operator;
        let refused = || "it tells what not everybody may read\n  hint: --operator says that you may read everything";
        if is_operator { Ok(()) } else { Err(Failure::coded(ErrorCode::Forbidden, refused())) }
    }
}

impl From<ContextError> for Failure {
    fn from(error: ContextError) -> Self {
        match error {
            ContextError::Pipeline(error) => error.into(),
            error => {
                let hint = error.hint().map(|hint| format!("\n  hint: {hint}")).unwrap_or_default();
                Failure::coded(error.code(), format!("{error}{hint}"))
            }
        }
    }
}

/// A payload as a JSON file.
fn read_payload(path: &Path) -> Result<ContextPayload, Failure> {
    let text = read_text(path)?;
    let no_payload = |error| format!("`{}` is no payload\n  because {error}", path.display());
    serde_json::from_str(&text).map_err(|error| Failure::coded(ErrorCode::BadRequest, no_payload(error)))
}
