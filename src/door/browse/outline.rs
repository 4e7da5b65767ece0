//! The symbols of a file, or the files and subdirectories of a directory.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::BrowseError;
use super::find::{clean_path, find_file, is_directory, last_line, no_text, symbols_of};
use super::near::near;
use crate::assemble::IndexView;
use crate::record::{FileNo, Lines, Symbol};
use crate::text::one_line;

/// Of a signature.
const MAX_CHARS: usize = 160;
/// Top-level names that a directory shows per file.
const MAX_NAMES: usize = 12;
const MAX_NAME_CHARS: usize = 40;
/// Files of a directory that are shown with their names; the others are only listed.
const MAX_OPENED: usize = 300;

/// The outline of a file or directory, as text. An empty path is the root of the tree.
pub fn outline(view: &IndexView, wanted: &str) -> Result<String, BrowseError> {
    let path = clean_path(wanted.trim());
    if view.corpus().file(&path).is_none() && is_directory(view, &path) {
        return directory(view, &path);
    }
    match find_file(view, &path)? {
        Some(file) if last_line(view, file) == 0 => Err(no_text(view, file)),
        Some(file) => file_outline(view, file),
        None => Err(BrowseError::Unknown { wanted: wanted.to_string(), near: near(view, &path) }),
    }
}

fn file_outline(view: &IndexView, file: FileNo) -> Result<String, BrowseError> {
    let path = view.corpus().path(file);
    let symbols = symbols(view, file)?;
    let mut text = format!("{} ({})\n", one_line(path), counted_lines(view, file));
    let mut around: Vec<&Symbol> = Vec::new();
    for symbol in &symbols {
        around.retain(|outer| outer.lines.start <= symbol.lines.start && symbol.lines.end <= outer.lines.end);
        let indent = "  ".repeat(around.len());
        let _ = writeln!(text, "{indent}{} {}", lines(symbol.lines), title(symbol, &around));
        around.push(symbol);
    }
    if symbols.is_empty() {
        text += "no symbols\n";
    }
    Ok(text)
}

/// The signature; before it the whole name, if neither the signature nor what is around it names the owner.
fn title(symbol: &Symbol, around: &[&Symbol]) -> String {
    let kind = serde_json::to_value(symbol.kind).ok();
    let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default();
    let plain = || format!("{kind} {}", symbol.name);
    let signature = symbol.signature.clone().unwrap_or_else(plain);
    let owner = symbol.qualified_name.strip_suffix(&symbol.name).unwrap_or_default();
    let owner_name = owner.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let last = owner_name.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let is_named = around.iter().any(|outer| outer.name == last) || signature.contains(last);
    let title = if is_named { signature } else { format!("{}: {signature}", symbol.qualified_name) };
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

/// By place, the outer one first.
fn symbols(view: &IndexView, file: FileNo) -> Result<Vec<Symbol>, BrowseError> {
    let mut symbols = symbols_of(view, file)?;
    symbols.sort_by_key(|symbol| (symbol.byte_range.start, u32::MAX - symbol.byte_range.end, symbol.symbol_id.clone()));
    Ok(symbols)
}

fn directory(view: &IndexView, path: &str) -> Result<String, BrowseError> {
    let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
    let mut directories: BTreeMap<&str, usize> = BTreeMap::new();
    let mut files: Vec<(&str, FileNo)> = Vec::new();
    for (file, whole) in view.corpus().paths() {
        let Some(rest) = whole.strip_prefix(prefix.as_str()) else { continue };
        match rest.split_once('/') {
            Some((directory, _)) => *directories.entry(directory).or_default() += 1,
            None => files.push((rest, file)),
        }
    }
    files.sort();
    let count = directories.values().sum::<usize>() + files.len();
    let mut text = format!("{}/ ({})\n", one_line(if path.is_empty() { "." } else { path }), counted(count));
    for (directory, count) in directories {
        let _ = writeln!(text, "{}/ ({})", one_line(directory), counted(count));
    }
    for (number, (name, file)) in files.into_iter().enumerate() {
        let names = if number < MAX_OPENED { top_names(view, file)? } else { String::new() };
        let _ = writeln!(text, "{} ({}){names}", one_line(name), counted_lines(view, file));
    }
    Ok(text)
}

fn counted(files: usize) -> String {
    if files == 1 { "1 file".to_string() } else { format!("{files} files") }
}

fn counted_lines(view: &IndexView, file: FileNo) -> String {
    match last_line(view, file) {
        0 => "no text".to_string(),
        1 => "1 line".to_string(),
        lines => format!("{lines} lines"),
    }
}

/// The names of the symbols that no other symbol contains.
fn top_names(view: &IndexView, file: FileNo) -> Result<String, BrowseError> {
    let mut names: Vec<String> = Vec::new();
    let mut end = 0;
    for symbol in symbols(view, file)? {
        if symbol.byte_range.start >= end {
            end = symbol.byte_range.end;
            names.push(cut(&one_line(&symbol.name), MAX_NAME_CHARS));
        }
    }
    names.dedup();
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    names.truncate(MAX_NAMES);
    Ok(if names.is_empty() { String::new() } else { format!(": {}{more}", names.join(", ")) })
}
