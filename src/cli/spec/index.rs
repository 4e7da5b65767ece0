//! `contextpack spec index`.

use clap::Args;

use super::{TreeArguments, json, json_flag};
use crate::cli::{DONE, Failure, print};

/// Print what every spec document of a tree says of itself, as JSON
#[derive(Args)]
#[command(arg = json_flag(), after_help = "Example:\n  \
    contextpack spec index --repo . | jq -r '.nodes[] | .id + \" \" + .file'")]
pub struct IndexArguments {
    #[command(flatten)]
    tree: TreeArguments,
}

pub fn run(arguments: &IndexArguments) -> Result<u8, Failure> {
    print(&arguments.tree.open()?.with_index(|index| json(index))?)?;
    Ok(DONE)
}
