//! `contextpack workspace view`.

use std::path::PathBuf;

use clap::Args;

use super::TreeArguments;
use crate::cli::{DONE, Failure};
use crate::pipeline::{Principals, give_view};
use crate::record::{ErrorCode, Reader};
use crate::text::shell_word;

/// Write an index that holds only what somebody may read, to give it to them
///
/// The directory gets `chunk/` and `graph/`, and in `source/` the blocks that they were made from. Context from it has
/// the same bytes as context from the whole workspace for the same reader.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack workspace view --repo . --as user:7 --as team:ops --out for-ops\n  \
    contextpack workspace context \"what is overdue?\" --index for-ops --as user:7 --as team:ops\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct ViewArguments {
    #[command(flatten)]
    tree: TreeArguments,
    /// The directory to write: an empty or new one, or a view that an earlier run wrote, which is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(arguments: &ViewArguments) -> Result<u8, Failure> {
    let Some(Reader::As(claimed)) = arguments.tree.reader() else {
        let hint = "a view is made for somebody\n  hint: name them, as in `--as user:7`";
        return Err(Failure::coded(ErrorCode::BadRequest, hint));
    };
    let (_, opened) = arguments.tree.open()?;
    let principals = Principals::resolve(&opened.index, &claimed)?;
    give_view(&opened.index, &principals, &arguments.out)?;
    arguments.tree.warn(&format!("`contextpack workspace context … --index {}` reads it", shell_word(&arguments.out)));
    Ok(DONE)
}
