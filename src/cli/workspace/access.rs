//! `contextpack workspace access`.

use std::fmt::Write as _;

use clap::Args;

use super::TreeArguments;
use crate::cli::{DONE, Failure, REFUSED, print, print_json, say};
use crate::pipeline::{BlockAccess, block_access};
use crate::record::{ErrorCode, Principal};

/// Explain who may read a block: every clause, and the file and line that it comes from
#[derive(Args)]
#[command(after_help = "Example:\n  \
    contextpack workspace access page-123 --repo . --operator\n\n\
    Exit code: 0 done, 1 no block has the id, 2 could not run.")]
pub struct AccessArguments {
    /// The id of a block
    #[arg(value_name = "BLOCK")]
    block: String,
    #[command(flatten)]
    tree: TreeArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &AccessArguments) -> Result<u8, Failure> {
    arguments.tree.check_operator()?;
    let (_, opened) = arguments.tree.open()?;
    let found = block_access(&opened.index, &arguments.block)?;
    if found.is_empty() {
        say(&format!("workspace: {}: no block has the id `{}`", ErrorCode::NotFound, arguments.block));
        return Ok(REFUSED);
    }
    match arguments.json {
        true => print_json(&found)?,
        false => print(&found.iter().map(in_words).collect::<String>())?,
    }
    Ok(DONE)
}

fn in_words(access: &BlockAccess) -> String {
    let mut text =
        format!("{} ({}) in {}\n", access.block_id, access.block_type, place(&access.file_rel_path, access.line));
    let clauses = access.clauses.iter().map(|clause| any_of(clause)).collect::<Vec<_>>();
    let readers = match clauses.as_slice() {
        [] => "everybody".to_string(),
        [clause] => clause.clone(),
        all => format!("whoever is all of: {}", all.join("; ")),
    };
    let _ = writeln!(text, "  may be read by {readers}");
    for grant in &access.grants {
        let who = if grant.read.is_empty() { "nobody".to_string() } else { grant.read.join(", ") };
        let from = grant.file_rel_path.as_ref().map_or("the settings".to_string(), |path| place(path, grant.line));
        let _ = writeln!(text, "  {} {} for {who}, from {from}", grant.mode, grant.of);
    }
    if access.grants.is_empty() {
        text += "  nobody grants anything\n";
    }
    text
}

fn place(path: &str, line: u32) -> String {
    if line == 0 { path.to_string() } else { format!("{path}:{line}") }
}

fn any_of(clause: &[Principal]) -> String {
    let words: Vec<&str> = clause.iter().map(Principal::as_str).collect();
    if words.is_empty() { "nobody".to_string() } else { words.join(" or ") }
}
