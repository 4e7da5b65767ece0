//! The options of `contextpack pack` that say what a pack is about, and what it leaves out.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::pack::stored_pack;
use crate::pipeline::service::Root;
use crate::record::pack::ContextPack;
use crate::record::request::{PackRequest, split_lines};

#[derive(Args)]
pub struct ScopeArguments {
    /// Answer only from this file, folder, PATH:LINE, symbol or item handle; without a question, show what depends on
    /// it. May be repeated
    #[arg(long, value_name = "WHAT")]
    pub focus: Vec<String>,
    /// Only files that match GLOB, as in .gitignore: `src`, `*.py`, `src/**/*.rs`. May be repeated
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,
    /// No files that match GLOB. May be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Only files of this language, such as `python`. May be repeated
    #[arg(long, value_name = "ID")]
    lang: Vec<String>,
    /// No tests
    #[arg(long)]
    no_tests: bool,
    /// Show what this pack did not: a pack as a JSON file, or the id of a stored pack. Without a question, its question
    /// is asked again. May be repeated
    #[arg(long, value_name = "PACK")]
    pub not_in: Vec<String>,
    /// The largest number of items [default: 80, and more for more than 8000 tokens]
    #[arg(long, value_name = "N")]
    max_items: Option<u32>,
    /// The largest number of items in one section [default: 25, and more for more than 8000 tokens]
    #[arg(long, value_name = "N")]
    max_items_per_section: Option<u32>,
}

impl ScopeArguments {
    /// The packs of `--not-in`.
    pub fn known_packs(&self, root: &Root) -> Result<Vec<ContextPack>, Failure> {
        self.not_in.iter().map(|name| stored_pack(name, root)).collect()
    }

    /// Adds the options to a request.
    pub fn add_to(&self, request: &mut PackRequest, root: &Root, known: &[ContextPack]) -> Result<(), Failure> {
        if !self.focus.is_empty() {
            let focuses = self.focus.iter().map(|typed| in_tree(root, typed).parse());
            request.focus = focuses.collect::<Result<_, _>>()?;
        }
        let filter = &mut request.filter;
        filter.paths.extend(self.path.iter().map(|typed| pattern(root, typed)));
        filter.exclude.extend(self.exclude.iter().map(|typed| pattern(root, typed)));
        filter.languages.extend(self.lang.iter().cloned());
        filter.no_tests |= self.no_tests;
        known.iter().for_each(|pack| request.leave_out(pack.shown_chunks()));
        let budgets = &mut request.budgets;
        budgets.max_items = self.max_items.unwrap_or(budgets.max_items);
        budgets.max_items_per_section = self.max_items_per_section.unwrap_or(budgets.max_items_per_section);
        Ok(())
    }
}

/// A pattern relative to the tree. One that is typed as a path matches only there, not at any depth.
pub fn pattern(root: &Root, typed: &str) -> String {
    let is_path = ["/", "./", "../"].iter().any(|start| typed.starts_with(start)) || matches!(typed, "." | "..");
    let path = in_tree(root, typed);
    if is_path { format!("/{}", path.trim_start_matches("./")) } else { typed.to_string() }
}

/// A path as it is typed, relative to the tree: it may be absolute, or relative to the current directory. What is not
/// a path of the tree stays as it is.
fn in_tree(root: &Root, typed: &str) -> String {
    let (kind, text) = match typed.strip_prefix("file:") {
        Some(path) => ("file:", path),
        None => ("", typed),
    };
    let tree = root.tree().and_then(|tree| tree.canonicalize().ok());
    let (path, lines) = split_lines(text);
    let relative = tree.and_then(|tree| relative_to(&tree, path)).filter(|path| !path.is_empty());
    match (relative, lines) {
        (None, _) => typed.to_string(),
        (Some(path), None) => format!("{kind}{path}"),
        (Some(path), Some(lines)) => format!("{kind}{path}:{}-{}", lines.start, lines.end),
    }
}

/// The path inside the tree of a file or folder that exists there.
fn relative_to(tree: &Path, path: &str) -> Option<String> {
    let is_path = path.starts_with(['.', '/']) || path.contains('/') || Path::new(path).exists();
    let real: PathBuf = is_path.then(|| Path::new(path).canonicalize().ok()).flatten()?;
    real.strip_prefix(tree).ok()?.to_str().map(str::to_string)
}
