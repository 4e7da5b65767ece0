//! What files and directories define, in line order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::assemble::target::is_below;
use crate::assemble::{IndexView, ReadError};
use crate::record::{Cut, Kind, Lines, Symbol};
use crate::text::RepoPath;

/// How many definitions of one file are listed.
const MAX_DEFINITIONS: usize = 500;
/// How many files of a directory are listed.
const MAX_FILES: usize = 60;
/// How many directories are named of those whose files are left out.
const MAX_FOLDERS: usize = 12;

/// One definition, and how deep it stands in others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutlineEntry {
    pub depth: u32,
    pub kind: Kind,
    pub lines: Lines,
    /// The qualified name.
    pub name: String,
    /// The last part of the qualified name.
    #[serde(skip)]
    pub own_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// The definitions of one file.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutlineOfFile {
    pub definitions: Vec<OutlineEntry>,
    /// How many more there are.
    pub omitted: usize,
}

/// The files of a directory with their top-level definitions.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FolderShown {
    /// Without a slash at its end; the tree itself is empty.
    pub folder: String,
    pub file_count: usize,
    /// By path; of many, those that are nearest to the directory.
    pub files: Vec<FileShown>,
    /// How many files are not listed.
    pub omitted: usize,
    /// Where these are: directories in this one, with most files first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub omitted_in: Vec<FolderCount>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileShown {
    pub file_rel_path: RepoPath,
    #[serde(flatten)]
    pub outline: OutlineOfFile,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FolderCount {
    pub folder: String,
    pub files: usize,
}

/// All definitions of a file.
pub fn outline_file(view: &IndexView, path: &RepoPath) -> Result<OutlineOfFile, ReadError> {
    let mut definitions = nest(&view.symbols(path)?);
    let omitted = definitions.len().saturating_sub(MAX_DEFINITIONS);
    definitions.truncate(MAX_DEFINITIONS);
    Ok(OutlineOfFile { definitions, omitted })
}

/// The files of a directory, each with so many top-level definitions.
pub fn outline_folder(view: &IndexView, folder: &str, max_definitions: usize) -> Result<FolderShown, ReadError> {
    let mut paths: Vec<&RepoPath> = view.paths()?.iter().filter(|path| is_below(path, folder)).collect();
    let file_count = paths.len();
    paths.sort_by_key(|path| (path.folders().count(), *path));
    let left = paths.split_off(paths.len().min(MAX_FILES));
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let outline = top_level(&view.symbols(path)?, max_definitions);
        files.push(FileShown { file_rel_path: path.clone(), outline });
    }
    let omitted_in = count_folders(&left, folder);
    Ok(FolderShown { folder: folder.to_string(), file_count, files, omitted: left.len(), omitted_in })
}

/// Definitions that stand in no other. Namespaces do not count as ones.
pub fn top_level(symbols: &[Symbol], max_definitions: usize) -> OutlineOfFile {
    let mut namespaces = 0;
    let mut all: Vec<OutlineEntry> = Vec::new();
    for entry in nest(symbols) {
        namespaces = namespaces.min(entry.depth);
        if entry.depth > namespaces {
            continue;
        }
        namespaces += u32::from(entry.kind == Kind::Namespace);
        all.push(entry);
    }
    let count = all.len();
    if count > max_definitions {
        all.retain(|entry| entry.kind.cut() != Cut::Inline);
    }
    all.truncate(max_definitions);
    OutlineOfFile { omitted: count - all.len(), definitions: all }
}

/// Definitions in the order of the text, with their depth.
pub fn nest(symbols: &[Symbol]) -> Vec<OutlineEntry> {
    let mut symbols: Vec<&Symbol> = symbols.iter().collect();
    symbols.sort_by_key(|symbol| (symbol.range.start, Reverse(symbol.range.end), symbol.site.start));
    let mut around: Vec<&Symbol> = Vec::new();
    let mut entries = Vec::new();
    for symbol in symbols {
        while around.last().is_some_and(|outer| symbol.range.end > outer.range.end) {
            around.pop();
        }
        entries.push(OutlineEntry {
            depth: around.len() as u32,
            kind: symbol.kind,
            lines: symbol.lines,
            name: symbol.qualified_name.clone(),
            own_name: symbol.name.clone(),
            signature: symbol.signature.clone(),
        });
        around.push(symbol);
    }
    entries
}

/// How many files each directory inside a directory has, at any depth.
fn count_folders(paths: &[&RepoPath], folder: &str) -> Vec<FolderCount> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let depth = if folder.is_empty() { 0 } else { folder.split('/').count() };
    for path in paths {
        let inner: Vec<&str> = path.folders().take(depth + 1).collect();
        *counts.entry(inner.join("/")).or_default() += 1;
    }
    let mut counts: Vec<FolderCount> =
        counts.into_iter().map(|(folder, files)| FolderCount { folder, files }).collect();
    counts.sort_by_key(|count| (Reverse(count.files), count.folder.clone()));
    counts.truncate(MAX_FOLDERS);
    counts
}
