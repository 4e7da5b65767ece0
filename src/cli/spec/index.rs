//! `contextpack spec index`.

use clap::Args;

use super::{TreeArguments, json, json_flag};
use crate::cli::{DONE, Failure, print};
use crate::spec::index;

/// Print what every spec document of a tree says of itself, as JSON
#[derive(Args)]
#[command(arg = json_flag(), after_help = "Example:\n  \
    contextpack spec index --repo . | jq -r '.nodes[] | .id + \" \" + .file'")]
pub struct IndexArguments {
    #[command(flatten)]
    tree: TreeArguments,
}

pub fn run(arguments: &IndexArguments) -> Result<u8, Failure> {
    let source = arguments.tree.open()?;
    print(&json(&index(&source.catalog, &source.schema)))?;
    Ok(DONE)
}
