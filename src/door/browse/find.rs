//! Finds the places that a reader means: a path with or without lines, a symbol, or the handle of an item.

use std::collections::BTreeSet;

use super::BrowseError;
use super::near::near;
use crate::assemble::IndexView;
use crate::assemble::target::path_of;
use crate::record::{ChunkNo, FileNo, Lines, Symbol, SymbolId};
use crate::search::FileFlags;

/// Lines of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Excerpt {
    pub file: FileNo,
    pub lines: Lines,
}

/// So many definitions of one name are read without asking which one is meant.
const MAX_BODIES: usize = 4;
/// How many candidates an error lists.
const MAX_LISTED: usize = 10;
/// Files in which one name is looked up.
const MAX_FILES: usize = 1_000;
/// Files and names that are compared with a name that nothing has, and how many are suggested.
const MAX_SIMILAR_FILES: usize = 50;
const MAX_SIMILAR_BYTES: usize = 200;
const MAX_SIMILAR: usize = 5;
/// A shorter prefix of a chunk's uid is more likely a word.
const MIN_HANDLE: usize = 6;
const HASH_DIGITS: usize = 16;

/// The places that a text stands for, in order.
pub fn find(view: &IndexView, wanted: &str) -> Result<Vec<Excerpt>, BrowseError> {
    let wanted = wanted.trim();
    let (path, lines) = split_lines(view, wanted);
    if let Some(file) = find_file(view, path)? {
        return in_file(view, file, lines).map(|excerpt| vec![excerpt]);
    }
    let named = find_symbols(view, wanted)?;
    let found = if named.is_empty() { by_handle(view, wanted) } else { named };
    match found.len() {
        0 => Err(unknown(view, path, wanted)?),
        1..=MAX_BODIES => Ok(found),
        _ => outside_tests(view, &found).ok_or_else(|| ambiguous(view, wanted, &found)),
    }
}

/// A file by its path, or by the end of a path that no other file has.
pub fn find_file(view: &IndexView, path: &str) -> Result<Option<FileNo>, BrowseError> {
    let path = clean_path(path);
    if let Some(file) = view.corpus().file(&path) {
        return Ok(Some(file));
    }
    if !path.contains(['.', '/']) {
        return Ok(None);
    }
    let is_end = |whole: &str| whole.strip_suffix(&*path).is_some_and(|before| before.ends_with('/'));
    let found: Vec<(FileNo, &str)> = view.corpus().paths().filter(|(_, whole)| is_end(whole)).collect();
    match found.as_slice() {
        [] => Ok(None),
        [(file, _)] => Ok(Some(*file)),
        many => {
            let candidates = many.iter().take(MAX_LISTED).map(|(_, path)| path.to_string()).collect();
            let more = many.len().saturating_sub(MAX_LISTED);
            Err(BrowseError::Ambiguous { wanted: path, candidates, more })
        }
    }
}

/// A path from the root of the tree: without `file:`, empty parts, `.` and `..`.
pub fn clean_path(path: &str) -> String {
    let path = path.strip_prefix("file:").unwrap_or(path);
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether files of the tree are below a path.
pub fn is_directory(view: &IndexView, path: &str) -> bool {
    let below = |whole: &str| whole.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    view.corpus().paths().any(|(_, whole)| path.is_empty() || below(whole))
}

/// The file was skipped when the tree was read, or is empty.
pub fn no_text(view: &IndexView, file: FileNo) -> BrowseError {
    BrowseError::NoText { path: view.corpus().path(file).to_string(), why: "it is empty".to_string() }
}

/// The last line of a file that is not blank.
pub fn last_line(view: &IndexView, file: FileNo) -> u32 {
    view.corpus().chunks_of(file).map(|chunk| view.corpus().lines(chunk).1).max().unwrap_or(0)
}

/// What the reader asks of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    /// The definition around a line.
    Around(u32),
    Lines(Lines),
}

/// Takes `:12`, `:12-40` or `#L12-L40` off the end, unless a file has that name.
fn split_lines<'w>(view: &IndexView, wanted: &'w str) -> (&'w str, Wanted) {
    let split = || {
        let (path, lines) = wanted.rsplit_once("#L").or_else(|| wanted.rsplit_once(':'))?;
        Some((path, parse_lines(lines)?))
    };
    match view.corpus().file(&clean_path(wanted)) {
        Some(_) => (wanted, Wanted::All),
        None => split().unwrap_or((wanted, Wanted::All)),
    }
}

fn parse_lines(text: &str) -> Option<Wanted> {
    let number = |text: &str| text.trim_start_matches('L').parse::<u32>().ok();
    match text.split_once('-') {
        None => Some(Wanted::Around(number(text)?)),
        Some((start, "")) => Some(Wanted::Lines(Lines { start: number(start)?, end: u32::MAX })),
        Some((start, end)) => Some(Wanted::Lines(Lines { start: number(start)?, end: number(end)? })),
    }
}

fn in_file(view: &IndexView, file: FileNo, wanted: Wanted) -> Result<Excerpt, BrowseError> {
    let last = last_line(view, file);
    if last == 0 {
        return Err(no_text(view, file));
    }
    let all = Lines { start: 1, end: last };
    let lines = match wanted {
        Wanted::All => all,
        Wanted::Around(line) => lines_around(view, file, line)?,
        Wanted::Lines(Lines { start, end }) => Lines { start: start.max(1), end: end.max(start).min(last) },
    };
    if lines.start > last {
        return Err(BrowseError::NoLines { path: view.corpus().path(file).to_string(), last });
    }
    Ok(Excerpt { file, lines })
}

/// The lines of the smallest definition that holds a line, all of its parts included.
fn lines_around(view: &IndexView, file: FileNo, line: u32) -> Result<Lines, BrowseError> {
    let lines = |chunk: ChunkNo| {
        let (start, end) = view.corpus().lines(chunk);
        Lines { start, end }
    };
    let holds = |chunk: &ChunkNo| (lines(*chunk).start..=lines(*chunk).end).contains(&line);
    let smallest =
        view.corpus().chunks_of(file).filter(holds).min_by_key(|chunk| lines(*chunk).end - lines(*chunk).start);
    let Some(chunk) = smallest else { return Ok(Lines { start: line, end: line }) };
    let own = view.chunk(chunk)?;
    if own.part.is_none() || own.symbol_id.is_none() {
        return Ok(own.lines);
    }
    let mut whole = own.lines;
    for other in view.corpus().chunks_of(file) {
        let other = view.chunk(other)?;
        if other.part.is_some() && other.symbol_id == own.symbol_id {
            whole = Lines { start: whole.start.min(other.lines.start), end: whole.end.max(other.lines.end) };
        }
    }
    Ok(whole)
}

/// The definitions with a name, an id, or a name in a file (`PATH::NAME`). A whole name comes before the end of one.
fn find_symbols(view: &IndexView, wanted: &str) -> Result<Vec<Excerpt>, BrowseError> {
    let wanted = wanted.strip_prefix("symbol:").unwrap_or(wanted);
    if let Ok(id) = SymbolId::try_from(wanted.to_string()) {
        let files = view.chunk_of_symbol(&id).map(|chunk| view.corpus().file_of(chunk));
        return bodies(view, files, |symbol| symbol.symbol_id == id);
    }
    if let Some((path, name)) = wanted.split_once("::")
        && let Some(file) = view.corpus().file(&clean_path(path))
    {
        return by_name(view, &plain_name(name), BTreeSet::from([file]));
    }
    let name = plain_name(wanted);
    let last = name.rsplit('.').next().unwrap_or(&name).to_string();
    let files = view.corpus().definitions(&last).map(|chunk| view.corpus().file_of(chunk)).collect();
    by_name(view, &name, files)
}

fn by_name(view: &IndexView, name: &str, files: BTreeSet<FileNo>) -> Result<Vec<Excerpt>, BrowseError> {
    if name.is_empty() {
        return Ok(Vec::new());
    }
    let whole = bodies(view, files.iter().copied(), |symbol| plain_name(&symbol.qualified_name) == name)?;
    if !whole.is_empty() {
        return Ok(whole);
    }
    let is_end = |symbol: &Symbol| {
        let own = plain_name(&symbol.qualified_name);
        own.strip_suffix(name).is_some_and(|before| before.ends_with('.')) || symbol.name == name
    };
    bodies(view, files, is_end)
}

/// One spelling for the ways in which languages join names.
fn plain_name(name: &str) -> String {
    name.trim().trim_end_matches("()").replace("::", ".").replace(['#', '/', '\\'], ".")
}

fn bodies(
    view: &IndexView,
    files: impl IntoIterator<Item = FileNo>,
    is_wanted: impl Fn(&Symbol) -> bool,
) -> Result<Vec<Excerpt>, BrowseError> {
    let mut found = BTreeSet::new();
    for file in files.into_iter().take(MAX_FILES) {
        for symbol in symbols_of(view, file)?.iter().filter(|symbol| is_wanted(symbol)) {
            found.insert(Excerpt { file, lines: body(view, symbol)? });
        }
    }
    let mut found: Vec<Excerpt> = found.into_iter().collect();
    found.sort_by_key(|excerpt| (view.corpus().path(excerpt.file), excerpt.lines));
    Ok(found)
}

/// A definition with the comment and the attributes above it, which are in its chunk.
fn body(view: &IndexView, symbol: &Symbol) -> Result<Lines, BrowseError> {
    let chunk = view.corpus().chunk(symbol.chunk_uid).map(|chunk| view.chunk(chunk)).transpose()?;
    let own = chunk.filter(|chunk| chunk.symbol_id.as_ref() == Some(&symbol.symbol_id));
    let start = own.map_or(symbol.lines.start, |chunk| chunk.lines.start.min(symbol.lines.start));
    Ok(Lines { start, end: symbol.lines.end })
}

/// The chunks whose uid begins with a handle.
fn by_handle(view: &IndexView, wanted: &str) -> Vec<Excerpt> {
    let digits = wanted.trim_start_matches(['#', '@']);
    let digits = digits.strip_prefix("chunk:").unwrap_or(digits);
    let digits = digits.strip_prefix("xxh64:").unwrap_or(digits);
    let is_handle = (MIN_HANDLE..=HASH_DIGITS).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let Some(prefix) = is_handle.then(|| u64::from_str_radix(digits, 16).ok()).flatten() else { return Vec::new() };
    let rest = 4 * (HASH_DIGITS - digits.len());
    let chunks = (0..view.corpus().chunk_count() as u32).map(ChunkNo);
    let held = chunks.filter(|chunk| view.chunk_uid(*chunk).to_hash() >> rest == prefix);
    let excerpt = |chunk: ChunkNo| {
        let (start, end) = view.corpus().lines(chunk);
        Excerpt { file: view.corpus().file_of(chunk), lines: Lines { start, end } }
    };
    held.map(excerpt).collect()
}

/// The definitions in code that is not a test, if they are few.
fn outside_tests(view: &IndexView, found: &[Excerpt]) -> Option<Vec<Excerpt>> {
    let is_test = |excerpt: &Excerpt| view.corpus().file_flags(excerpt.file).has(FileFlags::TEST);
    let others: Vec<Excerpt> = found.iter().filter(|excerpt| !is_test(excerpt)).copied().collect();
    (1..=MAX_BODIES).contains(&others.len()).then_some(others)
}

fn ambiguous(view: &IndexView, wanted: &str, found: &[Excerpt]) -> BrowseError {
    BrowseError::Ambiguous {
        wanted: wanted.to_string(),
        candidates: found.iter().take(MAX_LISTED).map(|excerpt| excerpt.place(view)).collect(),
        more: found.len().saturating_sub(MAX_LISTED),
    }
}

/// Why nothing was found: a directory, or a name that nothing has.
fn unknown(view: &IndexView, path: &str, wanted: &str) -> Result<BrowseError, BrowseError> {
    let path = clean_path(path);
    if is_directory(view, &path) {
        return Ok(BrowseError::Directory { path });
    }
    let members = same_members(view, wanted)?;
    let near = if members.is_empty() { near(view, wanted) } else { members };
    Ok(BrowseError::Unknown { wanted: wanted.to_string(), near })
}

/// Whole names that end as a wanted one does, if only its owner is misspelt. The most similar first.
fn same_members(view: &IndexView, wanted: &str) -> Result<Vec<String>, BrowseError> {
    let name = plain_name(wanted);
    let Some((_, last)) = name.rsplit_once('.').filter(|_| name.len() <= MAX_SIMILAR_BYTES) else {
        return Ok(Vec::new());
    };
    let files: BTreeSet<FileNo> = view.corpus().definitions(last).map(|chunk| view.corpus().file_of(chunk)).collect();
    let mut names = BTreeSet::new();
    for file in files.into_iter().take(MAX_SIMILAR_FILES) {
        let symbols = symbols_of(view, file)?;
        let members = symbols.into_iter().filter(|symbol| symbol.name == last);
        let members = members.map(|symbol| symbol.qualified_name).filter(|own| own.len() <= MAX_SIMILAR_BYTES);
        names.extend(members.map(|own| (strsim::damerau_levenshtein(&plain_name(&own), &name), own)));
    }
    Ok(names.into_iter().take(MAX_SIMILAR).map(|(_, own)| own).collect())
}

impl Excerpt {
    /// As [`find`] takes it.
    pub fn place(&self, view: &IndexView) -> String {
        format!("{}:{}-{}", view.corpus().path(self.file), self.lines.start, self.lines.end)
    }
}

/// The symbols of a file, in record order.
pub fn symbols_of(view: &IndexView, file: FileNo) -> Result<Vec<Symbol>, BrowseError> {
    Ok(path_of(view, file).map_or(Ok(Vec::new()), |path| view.symbols(&path))?)
}
