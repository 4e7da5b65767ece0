//! The symbols of a file, or the files and subdirectories of a directory.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::BrowseError;
use super::definitions::{OutlineEntry, nest, top_level};
use super::find::{likeliest, with_text};
use crate::assemble::IndexView;
use crate::assemble::target::{Target, is_below, last_line, name_parts, resolve};
use crate::record::{FileNo, Lines};
use crate::text::{RepoPath, counted, one_line};

/// Of a signature.
const MAX_CHARS: usize = 160;
/// Top-level names that a directory shows per file.
const MAX_NAMES: usize = 12;
const MAX_NAME_CHARS: usize = 40;
/// Files of a directory that are shown with their names; the others are only listed.
const MAX_OPENED: usize = 300;

/// The outline of a file or directory, as text. An empty path is the root of the tree.
pub fn outline(view: &IndexView, wanted: &str) -> Result<String, BrowseError> {
    let wanted = wanted.trim();
    // A bare word could be a symbol; this is always a path.
    let path = format!("./{}", wanted.strip_prefix("file:").unwrap_or(wanted).trim_start_matches('/'));
    let unknown = |near: Vec<String>| BrowseError::Unknown { wanted: wanted.to_string(), near };
    match resolve(view, &path)? {
        Target::Folder(folder) => directory(view, &folder),
        Target::Files(files) => file_outline(view, likeliest(view, wanted, &files)?),
        Target::Definitions(all) => Err(unknown(vec![all[0].symbol.file_rel_path.to_string()])),
        Target::Line { path, .. } | Target::NoLine { path, .. } => Err(unknown(vec![path.to_string()])),
        Target::Nothing { near } => Err(unknown(near)),
        Target::Chunk(_) | Target::Externals(_) => Err(unknown(Vec::new())),
    }
}

fn file_outline(view: &IndexView, path: &RepoPath) -> Result<String, BrowseError> {
    let (file, _) = with_text(view, path)?;
    let entries = nest(&view.symbols(path)?);
    let mut text = format!("{} ({})\n", one_line(path.as_str()), counted_lines(view, file));
    let mut around: Vec<&str> = Vec::new();
    for entry in &entries {
        around.truncate(entry.depth as usize);
        let indent = "  ".repeat(around.len());
        let _ = writeln!(text, "{indent}{} {}", lines(entry.lines), title(entry, &around));
        around.push(&entry.own_name);
    }
    if entries.is_empty() {
        text += "no symbols\n";
    }
    Ok(text)
}

/// The signature; before it the whole name, if neither the signature nor what is around it names the owner.
fn title(entry: &OutlineEntry, around: &[&str]) -> String {
    let kind = serde_json::to_value(entry.kind).ok();
    let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default();
    let plain = || format!("{kind} {}", entry.own_name);
    let signature = entry.signature.clone().unwrap_or_else(plain);
    let owner = entry.name.strip_suffix(&entry.own_name).unwrap_or_default();
    let owner = name_parts(owner).last().copied().unwrap_or_default();
    let is_named = around.contains(&owner) || signature.contains(owner);
    let title = if is_named { signature } else { format!("{}: {signature}", entry.name) };
    cut(&one_line(&title), MAX_CHARS)
}

fn lines(Lines { start, end }: Lines) -> String {
    if start == end { start.to_string() } else { format!("{start}-{end}") }
}

fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_string(),
    }
}

fn directory(view: &IndexView, folder: &str) -> Result<String, BrowseError> {
    let depth = if folder.is_empty() { 0 } else { folder.len() + 1 };
    let mut directories: BTreeMap<&str, usize> = BTreeMap::new();
    let mut files: Vec<&RepoPath> = Vec::new();
    for path in view.paths()?.iter().filter(|path| is_below(path, folder)) {
        match path.as_str()[depth..].split_once('/') {
            Some((directory, _)) => *directories.entry(directory).or_default() += 1,
            None => files.push(path),
        }
    }
    files.sort();
    let count = directories.values().sum::<usize>() + files.len();
    let name = if folder.is_empty() { "." } else { folder };
    let mut text = format!("{}/ ({})\n", one_line(name), counted(count, "file"));
    for (directory, count) in directories {
        let _ = writeln!(text, "{}/ ({})", one_line(directory), counted(count, "file"));
    }
    for (number, path) in files.into_iter().enumerate() {
        let names = if number < MAX_OPENED { top_names(view, path)? } else { String::new() };
        let lines = view.corpus().file(path.as_str()).map_or("no text".to_string(), |file| counted_lines(view, file));
        let _ = writeln!(text, "{} ({lines}){names}", one_line(path.file_name()));
    }
    Ok(text)
}

fn counted_lines(view: &IndexView, file: FileNo) -> String {
    match last_line(view, file) {
        0 => "no text".to_string(),
        lines => counted(lines as usize, "line"),
    }
}

/// The names of the symbols that no other symbol contains.
fn top_names(view: &IndexView, path: &RepoPath) -> Result<String, BrowseError> {
    let outline = top_level(&view.symbols(path)?, MAX_NAMES);
    let names = outline.definitions.iter().map(|entry| cut(&one_line(&entry.own_name), MAX_NAME_CHARS));
    let mut names: Vec<String> = names.collect();
    names.dedup();
    let more = if outline.omitted > 0 { ", …" } else { "" };
    Ok(if names.is_empty() { String::new() } else { format!(": {}{more}", names.join(", ")) })
}
