//! `contextpack diff`.

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;

use super::pack::stored_pack;
use super::{DONE, Failure, REFUSED, RootArguments, diff_markdown, diff_words, json, print};
use crate::door::pack::{ItemChange, PackDiff, diff};
use crate::pipeline::{IndexDiff, PackMove, diff_indexes};

/// Compare two packs or two indexes
///
/// For packs: which items were added, removed, moved or edited, and which input caused it. For indexes (directories
/// that hold `chunk/`): which files changed, how many records of each kind changed with them, and, if both store packs,
/// how their items changed. --markdown prints tables for a comment on a pull request.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack diff old.json new.json                      exit code 1: they differ\n  \
    contextpack diff index.old index --json\n  \
    contextpack diff base/index index --markdown >> \"$GITHUB_STEP_SUMMARY\"\n\n\
    Exit code: 0 the same, 1 different, 2 could not run.")]
pub struct DiffArguments {
    /// A pack as a JSON file, the id of a stored pack, or the directory of an index
    #[arg(value_name = "A")]
    a: String,
    /// Another of the same kind, compared with the first
    #[arg(value_name = "B")]
    b: String,
    #[command(flatten)]
    root: RootArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print markdown, for a comment
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

pub fn run(arguments: &DiffArguments) -> Result<u8, Failure> {
    let (a, b) = (Path::new(&arguments.a), Path::new(&arguments.b));
    if a.is_dir() && b.is_dir() {
        let (a, b) = (arguments.root.reader.index(a)?, arguments.root.reader.index(b)?);
        let found = diff_indexes(&a, &b, arguments.root.reader.access())?;
        print(&arguments.drawn(&found, diff_markdown::index, drawn_index))?;
        return Ok(if found.is_empty() { DONE } else { REFUSED });
    }
    let root = arguments.root.find_for_reader("diff")?;
    if a.is_dir() || b.is_dir() {
        // What is not there at all is blamed first.
        stored_pack(if a.is_dir() { &arguments.b } else { &arguments.a }, &root)?;
        let (a, b) = (a.display(), b.display());
        let because = "one is a directory and the other a pack";
        return Err(Failure::other(format!("cannot compare `{a}` with `{b}`\n  because {because}")));
    }
    let (a, b) = (stored_pack(&arguments.a, &root)?, stored_pack(&arguments.b, &root)?);
    let found = diff(&a, &b);
    print(&arguments.drawn(&found, diff_markdown::pack, drawn_pack))?;
    Ok(if a == b { DONE } else { REFUSED })
}

impl DiffArguments {
    /// In the form that was asked for.
    fn drawn<D: serde::Serialize>(&self, diff: &D, markdown: fn(&D) -> String, text: fn(&D) -> String) -> String {
        match () {
            () if self.json => json(diff),
            () if self.markdown => markdown(diff),
            () => text(diff),
        }
    }
}

fn drawn_pack(diff: &PackDiff) -> String {
    let mut text = String::new();
    if diff.index_changed {
        text += "the indexes differ\n";
    }
    if !diff.request.is_empty() {
        let _ = writeln!(text, "the requests differ in {}", diff.request.join(", "));
    }
    for ItemChange { file_rel_path, title, change, cause, .. } in &diff.items {
        let (change, cause) = (diff_words::change(change), diff_words::cause(*cause));
        let _ = writeln!(text, "{file_rel_path} {title}\n  {change}, because of {cause}");
    }
    let _ = writeln!(text, "{} items differ, {} are the same", diff.items.len(), diff.same);
    text
}

fn drawn_index(diff: &IndexDiff) -> String {
    let mut text = String::new();
    let files = [("+", &diff.files_added), ("-", &diff.files_removed), ("~", &diff.files_changed)];
    for (sign, paths) in files {
        paths.iter().for_each(|path| text += &format!("{sign} {path}\n"));
    }
    diff.other_rules.iter().for_each(|rules| text += &format!("{rules}\n"));
    for (artifact, change) in &diff.artifacts {
        let _ = writeln!(
            text,
            "{artifact}: {} added, {} removed; {} of them of files that changed",
            change.added, change.removed, change.of_changed_files
        );
    }
    for pack in &diff.packs.changed {
        let PackMove { query, added, removed, edited, moved, resized, same, .. } = pack;
        let _ = writeln!(
            text,
            "pack `{query}`: {added} items came, {removed} went, {edited} edited, {moved} moved, {resized} resized, \
            {same} the same"
        );
    }
    diff.packs.added.iter().for_each(|query| text += &format!("pack `{query}`: new\n"));
    diff.packs.removed.iter().for_each(|query| text += &format!("pack `{query}`: gone\n"));
    if text.is_empty() {
        text += "the same\n";
    }
    text
}
