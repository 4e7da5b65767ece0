//! What a user typed, found in an index: a name, `Class.method`, a path, `PATH:LINE`, `PATH::NAME`, a handle, or an id. Every
//! command that takes such a text resolves it here, so that all of them mean the same thing by it.

use std::collections::BTreeSet;

use super::near::near_names;
use super::{IndexView, ReadError};
use crate::graph::adjacency::Adjacency;
use crate::record::request::plain_path;
use crate::record::{ChunkNo, ChunkUid, Cut, FileNo, Kind, NodeKind, NodeNo, Symbol, SymbolId};
use crate::search::FileFlags;
use crate::text::RepoPath;

/// What a text names.
#[derive(Debug)]
pub enum Target {
    /// Every definition with that name, the likeliest first; at least one.
    Definitions(Vec<Definition>),
    /// Files whose path is that, or ends so; at least one.
    Files(Vec<RepoPath>),
    /// A directory, without a slash at its end; the tree itself is empty.
    Folder(String),
    /// A line of a file that stands in no definition.
    Line {
        path: RepoPath,
        line: u32,
        chunk: ChunkNo,
    },
    /// A line after the end of a file, or one that is blank.
    NoLine {
        path: RepoPath,
        line: u32,
        last: u32,
    },
    Chunk(ChunkNo),
    /// Nodes outside the tree, such as a library's functions.
    Externals(Vec<NodeNo>),
    /// Nothing has that name; the most similar ones do, written so that they can be typed.
    Nothing {
        near: Vec<String>,
    },
}

/// A definition that a text may mean.
#[derive(Clone, Debug)]
pub struct Definition {
    pub symbol: Symbol,
    /// How likely it is meant: the smaller, the likelier.
    pub rank: Rank,
}

/// Sources before tests and fixtures, definitions before declarations of them, functions and types before fields and
/// variables, whole names before ends of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    place: u8,
    is_declaration: bool,
    is_inline: bool,
    is_member: bool,
}

impl Rank {
    /// A file's.
    pub fn of_file(view: &IndexView, path: &RepoPath) -> Self {
        Rank { place: place(view, path), is_declaration: false, is_inline: false, is_member: false }
    }

    /// A function or type of the sources or of an example.
    fn is_code(self) -> bool {
        self.place < 2 && !self.is_inline
    }
}

/// Between a path and a name.
const SEPARATOR: &str = "::";
/// How many files are read for definitions of a name. No reader looks through more.
const MAX_FILES: usize = 2_000;
/// Directories of texts that only tests read and that are not marked as tests.
const FIXTURES: [&str; 4] = ["golden", "goldens", "snapshots", "samples"];

/// Finds what a text names.
pub fn resolve(view: &IndexView, typed: &str) -> Result<Target, ReadError> {
    let typed = without_scheme(typed.trim());
    if let Some(target) = by_id(view, typed)? {
        return Ok(target);
    }
    let path = plain_path(typed);
    let whole = by_whole_path(view, &path)?;
    // A bare word may be a directory and a function or type; keys of data files are called as directories are.
    let is_bare = !typed.contains('/') && matches!(whole, Some(Target::Folder(_)));
    let is_code = is_bare && definitions(view, typed)?.first().is_some_and(|best| best.rank.is_code());
    if let Some(target) = whole.filter(|_| !is_bare || !is_code) {
        return Ok(target);
    }
    if let Some(target) = by_line(view, &path)? {
        return Ok(target);
    }
    let definitions = definitions(view, typed)?;
    if !definitions.is_empty() {
        return Ok(Target::Definitions(definitions));
    }
    if let Some(chunk) = by_handle(view, typed) {
        return Ok(Target::Chunk(chunk));
    }
    if let Some(target) = by_path_end(view, &path)? {
        return Ok(target);
    }
    let externals = externals(view, typed);
    match externals.is_empty() {
        true => Ok(Target::Nothing { near: near_names(view, typed)? }),
        false => Ok(Target::Externals(externals)),
    }
}

/// The innermost definition around a line: a function or type, else a field or variable.
pub fn definition_at(symbols: &[Symbol], line: u32) -> Option<&Symbol> {
    let around = symbols.iter().filter(|symbol| symbol.lines.start <= line && line <= symbol.lines.end);
    around.min_by_key(|symbol| (is_inline(symbol.kind), symbol.lines.end - symbol.lines.start, symbol.site.start))
}

/// The last line of a file that a chunk holds.
pub fn last_line(view: &IndexView, file: FileNo) -> u32 {
    let corpus = view.corpus();
    corpus.chunks_of(file).map(|chunk| corpus.lines(chunk).1).max().unwrap_or(0)
}

/// The text that names a definition: its path and qualified name.
pub fn written(symbol: &Symbol) -> String {
    format!("{}{SEPARATOR}{}", symbol.file_rel_path, symbol.qualified_name)
}

/// The names in a qualified name: `a.b`, `a::b`, `a#b` and `a->b` are the same.
pub fn name_parts(name: &str) -> Vec<&str> {
    let parts = name.split(['.', ':', '#', '/', '\\', '>']).map(|part| part.trim_end_matches(['-', '(', ')']));
    parts.filter(|part| !part.is_empty()).collect()
}

/// As `--focus` writes them.
fn without_scheme(typed: &str) -> &str {
    ["file:", "symbol:", "chunk:"].iter().find_map(|scheme| typed.strip_prefix(scheme)).unwrap_or(typed)
}

/// A chunk's uid or a symbol's id.
fn by_id(view: &IndexView, typed: &str) -> Result<Option<Target>, ReadError> {
    let uid = ChunkUid::try_from(typed.to_string()).ok();
    if let Some(chunk) = uid.and_then(|uid| view.corpus().chunk(uid)) {
        return Ok(Some(Target::Chunk(chunk)));
    }
    let graph_node = |id: &str| view.graph().and_then(|graph| Some((graph.node(id)?, graph)));
    let Some((node, graph)) = graph_node(typed).or_else(|| graph_node(&format!("scip:{typed}"))) else {
        return Ok(None);
    };
    if graph.kind(node) == NodeKind::External {
        return Ok(Some(Target::Externals(vec![node])));
    }
    let Some(chunk) = graph.chunk_uid(node).and_then(|uid| view.corpus().chunk(uid)) else { return Ok(None) };
    let Some(path) = path_of(view, view.corpus().file_of(chunk)) else { return Ok(None) };
    if SymbolId::of_file(&path).as_str() == graph.id(node) {
        return Ok(Some(Target::Files(vec![path])));
    }
    let symbols = view.symbols(&path)?;
    let own = symbols.into_iter().find(|symbol| symbol.symbol_id.as_str() == graph.id(node));
    Ok(Some(match own {
        Some(symbol) => Target::Definitions(vec![definition(view, symbol, 0)]),
        None => Target::Chunk(chunk),
    }))
}

/// The first digits of a chunk's uid.
fn by_handle(view: &IndexView, typed: &str) -> Option<ChunkNo> {
    let digits = typed.trim_start_matches(['#', '@']);
    let digits = digits.strip_prefix("xxh64:").unwrap_or(digits);
    view.corpus().chunk(view.corpus().handles().find(digits)?)
}

fn by_whole_path(view: &IndexView, path: &str) -> Result<Option<Target>, ReadError> {
    if let Some(file) = view.paths()?.iter().find(|own| own.as_str() == path) {
        return Ok(Some(Target::Files(vec![file.clone()])));
    }
    let is_folder = path.is_empty() || view.paths()?.iter().any(|own| is_below(own, path));
    Ok(is_folder.then(|| Target::Folder(path.to_string())))
}

/// Files and directories whose path ends so.
fn by_path_end(view: &IndexView, path: &str) -> Result<Option<Target>, ReadError> {
    let files = files_ending(view, path)?;
    if !files.is_empty() {
        return Ok(Some(Target::Files(files)));
    }
    let inner = format!("/{path}/");
    let folder = |own: &RepoPath| own.as_str().find(&inner).map(|at| own.as_str()[..at + inner.len() - 1].to_string());
    let folders: BTreeSet<String> = view.paths()?.iter().filter_map(folder).collect();
    // Of several, one would be a guess.
    Ok((folders.len() == 1).then(|| folders.into_iter().next().map(Target::Folder)).flatten())
}

fn files_ending(view: &IndexView, path: &str) -> Result<Vec<RepoPath>, ReadError> {
    let has_end = |own: &&RepoPath| {
        let before = own.as_str().strip_suffix(path);
        !path.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let mut files: Vec<RepoPath> = view.paths()?.iter().filter(has_end).cloned().collect();
    files.sort_by_key(|path| (place(view, path), path.as_str().matches('/').count(), path.clone()));
    Ok(files)
}

/// Whether a file is in a directory, at any depth.
pub fn is_below(path: &RepoPath, folder: &str) -> bool {
    is_in_folder(path.as_str(), folder)
}

pub fn is_in_folder(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// `PATH:LINE`, also with a column, with a second line, or as `PATH#L12`.
fn by_line(view: &IndexView, typed: &str) -> Result<Option<Target>, ReadError> {
    let Some((path, line)) = split_line(typed) else { return Ok(None) };
    let files = files_ending(view, path)?;
    let whole = files.iter().find(|file| file.as_str() == path);
    let is_likeliest = files.len() == 1 || files.len() > 1 && place(view, &files[0]) < place(view, &files[1]);
    let Some(path) = whole.or(files.first().filter(|_| is_likeliest)) else { return Ok(None) };
    let symbols = view.symbols(path)?;
    if let Some(symbol) = definition_at(&symbols, line) {
        return Ok(Some(Target::Definitions(vec![definition(view, symbol.clone(), 0)])));
    }
    let Some(file) = view.corpus().file(path.as_str()) else {
        return Ok(Some(Target::NoLine { path: path.clone(), line, last: 0 }));
    };
    let mut chunks = view.corpus().chunks_of(file);
    let holds = |chunk: &ChunkNo| {
        let (start, end) = view.corpus().lines(*chunk);
        start <= line && line <= end
    };
    Ok(Some(match chunks.find(holds) {
        Some(chunk) => Target::Line { path: path.clone(), line, chunk },
        None => Target::NoLine { path: path.clone(), line, last: last_line(view, file) },
    }))
}

fn split_line(typed: &str) -> Option<(&str, u32)> {
    if let Some((path, line)) = typed.rsplit_once("#L") {
        return Some((path, first_number(line)?));
    }
    let (before, last) = typed.rsplit_once(':')?;
    let line = first_number(last)?;
    match before.rsplit_once(':') {
        // PATH:LINE:COLUMN
        Some((path, first)) if first_number(first).is_some() => Some((path, first_number(first)?)),
        _ => Some((before, line)),
    }
}

/// The first line of `12` or `12-20`.
fn first_number(text: &str) -> Option<u32> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    last.trim_start_matches('L').parse::<u32>().ok()?;
    first.parse().ok().filter(|line| *line > 0)
}

/// All definitions that a name means, the likeliest first.
pub fn definitions(view: &IndexView, typed: &str) -> Result<Vec<Definition>, ReadError> {
    if let Some((path, name)) = typed.split_once(SEPARATOR) {
        let files = files_ending(view, &plain_path(path))?;
        let found = named_in(view, &files, name)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    named_in(view, &files_defining(view, typed), typed)
}

/// The files that define the last part of a name, the likeliest first.
fn files_defining(view: &IndexView, typed: &str) -> Vec<RepoPath> {
    let corpus = view.corpus();
    let last = name_parts(typed).last().copied().unwrap_or(typed);
    let chunks = corpus.definitions(typed).chain(corpus.definitions(last));
    let files: BTreeSet<FileNo> = chunks.map(|chunk| corpus.file_of(chunk)).collect();
    let mut files: Vec<RepoPath> = files.into_iter().filter_map(|file| path_of(view, file)).collect();
    files.sort_by_key(|path| (place(view, path), path.clone()));
    files.truncate(MAX_FILES);
    files
}

fn named_in(view: &IndexView, files: &[RepoPath], name: &str) -> Result<Vec<Definition>, ReadError> {
    let mut found: Vec<Definition> = Vec::new();
    // Modules are owners only if no type is.
    let mut in_modules: Vec<Definition> = Vec::new();
    for path in files {
        for symbol in view.symbols(path)? {
            match names_before(&symbol, name) {
                Some(more) => found.push(definition(view, symbol, more)),
                None if is_in_module(&symbol, name) => in_modules.push(definition(view, symbol, 0)),
                None => {}
            }
        }
    }
    if found.is_empty() {
        found = in_modules;
    }
    if found.iter().all(|found| found.rank.is_declaration) {
        found.extend(defined(view, &found)?);
    }
    let place = |found: &Definition| (found.rank, found.symbol.file_rel_path.clone(), found.symbol.site.start);
    found.sort_by_key(place);
    let mut seen = BTreeSet::new();
    found.retain(|found| seen.insert(found.symbol.symbol_id.clone()));
    Ok(found)
}

/// The definitions of what symbols only declare.
fn defined(view: &IndexView, declarations: &[Definition]) -> Result<Vec<Definition>, ReadError> {
    let Some(graph) = view.graph() else { return Ok(Vec::new()) };
    let declared = declarations.iter().filter_map(|found| graph.node(found.symbol.symbol_id.as_str()));
    let mut all = Vec::new();
    for node in declared.flat_map(|node| graph.definitions(node)) {
        let chunk = graph.chunk_uid(node).and_then(|uid| view.corpus().chunk(uid));
        let Some(path) = chunk.and_then(|chunk| path_of(view, view.corpus().file_of(chunk))) else { continue };
        let symbols = view.symbols(&path)?.into_iter();
        let own = symbols.filter(|symbol| symbol.symbol_id.as_str() == graph.id(node));
        all.extend(own.map(|symbol| definition(view, symbol, 0)));
    }
    Ok(all)
}

/// Whether the tree has the definition of what a symbol only declares.
fn is_declaration(view: &IndexView, symbol: &Symbol) -> bool {
    let node = |graph: &Adjacency| graph.node(symbol.symbol_id.as_str());
    view.graph().is_some_and(|graph| node(graph).is_some_and(|node| graph.definitions(node).next().is_some()))
}

/// How many names a symbol's qualified name has before the wanted ones; none if it is not named so.
fn names_before(symbol: &Symbol, wanted: &str) -> Option<usize> {
    let own = name_parts(&symbol.qualified_name);
    if symbol.qualified_name == wanted {
        return Some(0);
    }
    if symbol.name == wanted {
        return Some(own.len().saturating_sub(name_parts(wanted).len()));
    }
    let wanted = name_parts(wanted);
    (!wanted.is_empty() && own.ends_with(&wanted)).then(|| own.len() - wanted.len())
}

/// Whether a name is a symbol's whole name after the names of modules: its file without the ending, and its folders.
fn is_in_module(symbol: &Symbol, wanted: &str) -> bool {
    let wanted = name_parts(wanted);
    let Some(modules) = wanted.strip_suffix(name_parts(&symbol.qualified_name).as_slice()) else { return false };
    let path = symbol.file_rel_path.as_str();
    let file = symbol.file_rel_path.file_name();
    let stem = file.split('.').next().unwrap_or(file);
    let around = path.rsplit('/').skip(1);
    !modules.is_empty() && modules.iter().rev().copied().eq(std::iter::once(stem).chain(around).take(modules.len()))
}

fn definition(view: &IndexView, symbol: Symbol, names_before: usize) -> Definition {
    let rank = Rank {
        place: place(view, &symbol.file_rel_path),
        is_declaration: is_declaration(view, &symbol),
        is_inline: is_inline(symbol.kind),
        is_member: names_before > 0,
    };
    Definition { symbol, rank }
}

/// Sources, then examples, prose and data, tests, fixtures, and other people's code.
fn place(view: &IndexView, path: &RepoPath) -> u8 {
    let flags = view.corpus().file(path.as_str()).map_or(FileFlags(0), |file| view.corpus().file_flags(file));
    let is_fixture = path.folders().any(|folder| FIXTURES.contains(&folder));
    let places = [
        (flags.has(FileFlags::VENDORED), 6),
        (is_fixture, 5),
        (flags.has(FileFlags::TEST), 4),
        (flags.has(FileFlags::GENERATED), 3),
        (flags.has(FileFlags::PROSE) || flags.has(FileFlags::DATA), 2),
        (flags.has(FileFlags::EXAMPLE), 1),
    ];
    places.iter().find(|(is_here, _)| *is_here).map_or(0, |(_, place)| *place)
}

fn is_inline(kind: Kind) -> bool {
    kind.cut() == Cut::Inline && kind != Kind::Type
}

/// The path of a file, as records have it.
pub fn path_of(view: &IndexView, file: FileNo) -> Option<RepoPath> {
    RepoPath::try_from(view.corpus().path(file).to_string()).ok()
}

/// Nodes outside the tree whose id ends so.
fn externals(view: &IndexView, typed: &str) -> Vec<NodeNo> {
    let Some(graph) = view.graph() else { return Vec::new() };
    let is_wanted = |node: &NodeNo| {
        let before = graph.id(*node).strip_suffix(typed);
        graph.kind(*node) == NodeKind::External && before.is_some_and(|before| before.ends_with(['.', ':', '#', '/']))
    };
    (0..graph.node_count()).map(NodeNo).filter(is_wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::{first_number, name_parts, plain_path, split_line};

    #[test]
    fn separators_of_all_languages_are_the_same() {
        for name in ["a.b.c", "a::b::c", "a#b.c", "a->b->c", "a\\b\\c", "a.b.c()"] {
            assert_eq!(name_parts(name), ["a", "b", "c"], "{name}");
        }
        assert_eq!(name_parts("REQ-201"), ["REQ-201"]);
    }

    #[test]
    fn lines_are_read_as_tools_print_them() {
        for typed in ["src/a.py:12", "src/a.py:12:3", "src/a.py:12-20", "src/a.py#L12", "src/a.py#L12-L20"] {
            assert_eq!(split_line(typed), Some(("src/a.py", 12)), "{typed}");
        }
        for typed in ["a.py", "a::b", "a.py:", "a.py:x", "a.py:0"] {
            assert_eq!(split_line(typed), None, "{typed}");
        }
        assert_eq!(first_number("99999999999"), None);
    }

    #[test]
    fn paths_are_read_as_shells_complete_them() {
        for typed in ["src", "./src", "src/", "././src//"] {
            assert_eq!(plain_path(typed), "src", "{typed}");
        }
        assert_eq!(plain_path("web/../src"), "src");
        assert!(["", ".", "./", "/"].iter().all(|typed| plain_path(typed).is_empty()));
    }
}
