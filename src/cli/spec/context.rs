//! `contextpack spec context`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{TreeArguments, failure, json};
use crate::cli::pack::{default_index, word};
use crate::cli::{DONE, Failure, REFUSED, print, say};
use crate::pipeline::{IndexTree, code_of};
use crate::record::SpecRole;
use crate::record::bundle::{BundleRequest, ContextBundle, LinkDirection, Strategy, TokenCounter};
use crate::spec::{Catalog, bundle, render};

/// Print what a model should read of some documents and of those that they name
///
/// Follows links from the documents of these ids, takes the sections that the schema marks for tools, and keeps as
/// much as the budget holds: the near before the far, requirements before the rest, briefs and summaries first.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack spec context REQ-201 IF-200 --repo . --format markdown\n  \
    contextpack spec context REQ-201 --roles req,if,data --depth 2 --direction both --format json\n  \
    contextpack spec context REQ-201 --max-tokens 2000 --strategy impl-focused\n  \
    contextpack spec context IF-200 --repo . --with-code --format markdown\n\n\
    Exit code: 0 done, 1 no document has any of the ids, 2 could not run.")]
pub struct ContextArguments {
    #[command(flatten)]
    walk: WalkArguments,
    /// What goes first when not all of it fits: default, req-focused, impl-focused
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = word::<Strategy>)]
    strategy: Strategy,
    /// Show the code that the documents name, too; the tree is indexed for that
    #[arg(long)]
    with_code: bool,
    /// The folder of that index [default: below the user's cache folder]
    #[arg(long, value_name = "DIR", requires = "with_code")]
    index: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Output::Json)]
    format: Output,
}

/// Where to start, how far to go and how much to take.
#[derive(Args)]
pub struct WalkArguments {
    /// The documents to start at
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    #[command(flatten)]
    pub tree: TreeArguments,
    /// How many links to follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub depth: u32,
    /// Only documents of these roles: req, if, data, test, task, arch, ref, steering, other
    #[arg(long, value_name = "ROLES", value_delimiter = ',', value_parser = word::<SpecRole>)]
    pub roles: Option<Vec<SpecRole>>,
    /// Only documents of these scopes and what lies below them
    #[arg(long, value_name = "SCOPES", value_delimiter = ',')]
    pub scopes: Option<Vec<String>>,
    /// Which links to follow: out (what a document names), in (who names it), both [default: out]
    #[arg(long, value_name = "WAY", value_parser = word::<LinkDirection>)]
    pub direction: Option<LinkDirection>,
    /// The most tokens that the bundle may have as markdown [default: all]
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// What counts the tokens: o200k_base, cl100k_base, or approx for three characters a token
    #[arg(long, value_name = "NAME", default_value = "o200k_base", value_parser = word::<TokenCounter>)]
    pub tokenizer: TokenCounter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    Json,
    Markdown,
}

impl WalkArguments {
    /// With what these arguments leave open.
    pub fn request(&self, strategy: Strategy, direction: LinkDirection) -> BundleRequest {
        BundleRequest {
            seed_ids: self.ids.clone(),
            depth: self.depth,
            roles: self.roles.clone(),
            scopes: self.scopes.clone(),
            direction: self.direction.unwrap_or(direction),
            max_tokens: self.max_tokens,
            strategy,
            tokenizer: self.tokenizer,
        }
    }
}

pub fn run(arguments: &ContextArguments) -> Result<u8, Failure> {
    let mut source = arguments.walk.tree.open()?;
    if arguments.with_code {
        source.catalog = with_code(arguments, source.catalog)?;
    }
    let request = arguments.walk.request(arguments.strategy, LinkDirection::Out);
    let bundle = bundle(&source.catalog, &source.schema, &request);
    match arguments.format {
        Output::Json => print(&json(&bundle)),
        Output::Markdown => print(&render(&bundle)),
    }
    Ok(outcome(&bundle))
}

fn with_code(arguments: &ContextArguments, catalog: Catalog) -> Result<Catalog, Failure> {
    let tree = &arguments.walk.tree.repo;
    let folder = arguments.index.clone().map_or_else(|| default_index(tree), Ok)?;
    let allow_secrets = arguments.walk.tree.allow_secrets;
    let index = IndexTree { jobs: 0, allow_secrets, epoch: None, when_locked: &|_| (), watch: &|_| () };
    index.run(tree, &folder).map_err(|error| failure(&error))?;
    let code = code_of(&folder, &catalog).map_err(|error| failure(&error))?;
    Ok(catalog.with_code(code))
}

/// Says what a reader should know, and whether any of the ids is a document's.
pub fn outcome(bundle: &ContextBundle) -> u8 {
    bundle.warnings.iter().for_each(|warning| say(&format!("spec: {warning}")));
    let known = bundle.seed_ids.iter().any(|id| !bundle.unknown_ids.contains(id));
    if known { DONE } else { REFUSED }
}
