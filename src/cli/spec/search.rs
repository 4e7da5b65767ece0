//! `contextpack spec search`.

use clap::Args;

use super::{TreeArguments, json, json_flag};
use crate::cli::words::words;
use crate::cli::{DONE, Failure, print};
use crate::door::spec::search;
use crate::record::SpecRole;

/// Find the spec documents that speak of something, as JSON
#[derive(Args)]
#[command(arg = json_flag(), after_help = "Example:\n  \
    contextpack spec search \"latency of a query\" --repo . --roles req,if --limit 5")]
pub struct SearchArguments {
    /// What to look for: words, or an id
    #[arg(value_name = "QUERY")]
    query: String,
    #[command(flatten)]
    tree: TreeArguments,
    /// Only documents of these roles
    #[arg(long, value_name = "ROLES", value_delimiter = ',', value_parser = words::<SpecRole>())]
    roles: Option<Vec<SpecRole>>,
    /// How many hits to print
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
}

pub fn run(arguments: &SearchArguments) -> Result<u8, Failure> {
    let (roles, limit) = (arguments.roles.as_deref(), arguments.limit);
    let source = arguments.tree.open()?;
    print(&source.with(|library| Ok(json(&search(library, &arguments.query, roles, limit)?)))?)?;
    Ok(DONE)
}
