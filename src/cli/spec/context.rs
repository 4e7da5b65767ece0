//! `contextpack spec context`.

use clap::{Args, ValueEnum};

use super::{TreeArguments, json};
use crate::cli::words::words;
use crate::cli::{DONE, Failure, REFUSED, print};
use crate::door::spec::{bundle, render};
use crate::record::SpecRole;
use crate::record::bundle::{BundleRequest, ContextBundle, LinkDirection, Strategy, TokenCounter};

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
    /// What goes first when not all of it fits
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = words::<Strategy>())]
    strategy: Strategy,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Output::Json)]
    format: Output,
    /// Print JSON: short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
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
    /// Only documents of these roles
    #[arg(long, value_name = "ROLES", value_delimiter = ',', value_parser = words::<SpecRole>())]
    pub roles: Option<Vec<SpecRole>>,
    /// Only documents of these scopes and what lies below them
    #[arg(long, value_name = "SCOPES", value_delimiter = ',')]
    pub scopes: Option<Vec<String>>,
    /// Which links to follow: out (what a document names), in (who names it), both [default: out]
    #[arg(long, value_name = "WAY", value_parser = words::<LinkDirection>())]
    pub direction: Option<LinkDirection>,
    /// The most tokens that the bundle may have as markdown [default: all]
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// What counts the tokens; approx is three characters a token
    #[arg(long, value_name = "NAME", default_value = "o200k_base", value_parser = words::<TokenCounter>())]
    pub tokenizer: TokenCounter,
    /// Show the code that the documents name and the code that names them
    #[arg(long)]
    pub with_code: bool,
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
            with_code: self.with_code,
        }
    }
}

pub fn run(arguments: &ContextArguments) -> Result<u8, Failure> {
    let request = arguments.walk.request(arguments.strategy, LinkDirection::Out);
    let bundle = arguments.walk.tree.open()?.with(|library| bundle(library, &request))?;
    match arguments.format {
        Output::Json => print(&json(&bundle))?,
        Output::Markdown => {
            print(&render(&bundle))?;
            left_out(&bundle).iter().for_each(|said| arguments.walk.tree.warn(said));
        }
    }
    Ok(outcome(&arguments.walk.tree, &bundle))
}

/// What the budget took from a bundle, which its markdown does not tell.
fn left_out(bundle: &ContextBundle) -> Option<String> {
    let is_cut = bundle.items.iter().flat_map(|item| &item.sections).any(|section| section.truncated);
    let sections = if bundle.omitted == 1 { "section" } else { "sections" };
    let cut = if is_cut { " and cut one short" } else { "" };
    (bundle.omitted > 0 || is_cut).then(|| format!("the budget left out {} {sections}{cut}", bundle.omitted))
}

/// Says what a reader should know, and whether any of the ids is a document's.
pub fn outcome(tree: &TreeArguments, bundle: &ContextBundle) -> u8 {
    bundle.warnings.iter().for_each(|warning| tree.warn(warning));
    if bundle.is_of_known() { DONE } else { REFUSED }
}
