//! What a file or a directory defines, and what it imports.

use std::collections::BTreeSet;

use super::{LookRequest, Looked, MAX_CHARS, Row, cut, page_rows, row, symbol_row};
use crate::assemble::IndexView;
use crate::assemble::target::{Target, is_below, resolve};
use crate::door::browse::BrowseError;
use crate::door::browse::definitions::{outline_folder, top_level};
use crate::record::{Direction, EdgeType, Lines, SymbolId};
use crate::text::{RepoPath, one_line};

/// What a target names.
enum Where {
    File(RepoPath),
    Folder(String),
}

fn place(view: &IndexView, target: &str) -> Result<Where, BrowseError> {
    let unknown = |near| Err(BrowseError::Unknown { wanted: target.to_string(), near });
    match resolve(view, if target == "." { "" } else { target })? {
        Target::Files(files) => match &files[..] {
            [one] => Ok(Where::File(one.clone())),
            many => Err(BrowseError::Ambiguous {
                wanted: target.to_string(),
                candidates: many.iter().take(10).map(RepoPath::to_string).collect(),
                more: many.len().saturating_sub(10),
            }),
        },
        Target::Folder(folder) => Ok(Where::Folder(folder)),
        // A definition stands for its file.
        Target::Definitions(found) => Ok(Where::File(found[0].symbol.file_rel_path.clone())),
        Target::Nothing { near } => unknown(near),
        _ => unknown(Vec::new()),
    }
}

/// Every definition of a file, or of the files of a directory, by path and line.
pub fn symbols(view: &IndexView, request: &LookRequest) -> Result<Looked, BrowseError> {
    let paths: Vec<RepoPath> = match place(view, request.target)? {
        Where::File(path) => vec![path],
        Where::Folder(folder) => view.paths()?.iter().filter(|path| is_below(path, &folder)).cloned().collect(),
    };
    let (mut total, mut rows) = (0, Vec::new());
    for path in paths.iter().filter(|path| request.has(path)) {
        let mut symbols = view.symbols(path)?;
        symbols.sort_by_key(|symbol| (symbol.lines.start, symbol.site.start));
        for symbol in &symbols {
            if total >= request.offset && rows.len() < page_rows(request.op) {
                rows.push(symbol_row(symbol));
            }
            total += 1;
        }
    }
    Ok(Looked { rows, total, ..Looked::default() })
}

/// A directory's files with their outermost definitions; a file's own, and its imports in both directions.
pub fn structure(view: &IndexView, request: &LookRequest) -> Result<Looked, BrowseError> {
    let rows = match place(view, request.target)? {
        Where::File(path) => file_rows(view, &path)?,
        Where::Folder(folder) => folder_rows(view, request, &folder)?,
    };
    Ok(request.page(rows))
}

fn file_rows(view: &IndexView, path: &RepoPath) -> Result<Vec<Row>, BrowseError> {
    let symbols = view.symbols(path)?;
    let own =
        |name: &str, lines: Lines| symbols.iter().find(|symbol| symbol.qualified_name == name && symbol.lines == lines);
    let outline = top_level(&symbols, usize::MAX);
    let mut rows: Vec<Row> =
        outline.definitions.iter().filter_map(|entry| own(&entry.name, entry.lines)).map(symbol_row).collect();
    let Some(graph) = view.graph() else { return Ok(rows) };
    let Some(node) = graph.node(SymbolId::of_file(path).as_str()) else { return Ok(rows) };
    let first = Lines { end: 1, start: 1 };
    for (direction, verb) in [(Direction::Out, "imports"), (Direction::In, "is imported by")] {
        let neighbours = graph.neighbours(node, direction, EdgeType::Import);
        let names = neighbours.map(|edge| match graph.chunk_uid(edge.node).and_then(|uid| view.corpus().chunk(uid)) {
            Some(chunk) => view.corpus().path(view.corpus().file_of(chunk)).to_string(),
            None => graph.id(edge.node).to_string(),
        });
        let names: BTreeSet<String> = names.collect();
        rows.extend(names.iter().map(|name| Row {
            lines: Vec::new(),
            path: None,
            ..row(path, first, &format!("{verb} {}", one_line(name)), Vec::new())
        }));
    }
    Ok(rows)
}

/// How many names one row lists.
const MAX_NAMES: usize = 6;

fn folder_rows(view: &IndexView, request: &LookRequest, folder: &str) -> Result<Vec<Row>, BrowseError> {
    let shown = outline_folder(view, folder, MAX_NAMES)?;
    let mut rows = Vec::new();
    for file in shown.files.iter().filter(|file| request.has(&file.file_rel_path)) {
        let path = &file.file_rel_path;
        let names: Vec<String> = file.outline.definitions.iter().map(|entry| one_line(&entry.own_name)).collect();
        let more = if file.outline.omitted > 0 { ", …" } else { "" };
        let text = format!("{}: {}{more}\n", one_line(path.as_str()), cut(&names.join(", "), MAX_CHARS));
        // A list of names shows no line of the file; the definitions are seen all the same.
        let symbols = view.symbols(path)?;
        let is_listed = |name: &str| file.outline.definitions.iter().any(|entry| entry.name == name);
        let ids = symbols.iter().filter(|symbol| is_listed(&symbol.qualified_name));
        let ids = ids.map(|symbol| symbol.symbol_id.clone()).collect();
        rows.push(Row { text, path: None, lines: Vec::new(), symbols: ids });
    }
    rows.extend(shown.omitted_in.iter().map(|count| Row {
        text: format!("{}/: {} more files\n", one_line(&count.folder), count.files),
        path: None,
        lines: Vec::new(),
        symbols: Vec::new(),
    }));
    Ok(rows)
}
