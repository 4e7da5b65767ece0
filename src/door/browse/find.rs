//! Finds the lines that a reader means: a path with or without lines, a symbol, or the handle of an item.

use super::BrowseError;
use crate::assemble::IndexView;
use crate::assemble::target::{Definition, Rank, Target, last_line, resolve};
use crate::record::{ChunkNo, FileNo, Lines, Symbol};
use crate::text::RepoPath;

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

/// The places that a text stands for, in order.
pub fn find(view: &IndexView, wanted: &str) -> Result<Vec<Excerpt>, BrowseError> {
    let wanted = wanted.trim();
    if view.corpus().file(wanted).is_none()
        && let Some((path, lines)) = split_lines(wanted)
        && let Target::Files(files) = resolve(view, path)?
    {
        return in_file(view, likeliest(view, wanted, &files)?, lines).map(|excerpt| vec![excerpt]);
    }
    match resolve(view, wanted)? {
        Target::Files(files) => {
            let all = Lines { start: 1, end: u32::MAX };
            in_file(view, likeliest(view, wanted, &files)?, Wanted::Lines(all)).map(|excerpt| vec![excerpt])
        }
        Target::Definitions(definitions) => bodies(view, wanted, &definitions),
        Target::Chunk(chunk) | Target::Line { chunk, .. } => Ok(vec![of_chunk(view, chunk)]),
        Target::NoLine { path, last, .. } => Err(BrowseError::NoLines { path: path.to_string(), last }),
        Target::Folder(path) => Err(BrowseError::Directory { path: if path.is_empty() { ".".into() } else { path } }),
        Target::Nothing { near } => Err(BrowseError::Unknown { wanted: wanted.to_string(), near }),
        Target::Externals(_) => Err(BrowseError::Unknown { wanted: wanted.to_string(), near: Vec::new() }),
    }
}

/// The file that is likelier than all others.
pub fn likeliest<'f>(view: &IndexView, wanted: &str, files: &'f [RepoPath]) -> Result<&'f RepoPath, BrowseError> {
    match files {
        [first, second, ..] if Rank::of_file(view, first) == Rank::of_file(view, second) => {
            Err(ambiguous(wanted, files.iter().map(RepoPath::to_string)))
        }
        [first, ..] => Ok(first),
        [] => Err(BrowseError::Unknown { wanted: wanted.to_string(), near: Vec::new() }),
    }
}

/// A file and its last line that is not blank. One that was skipped when the tree was read, or is empty, has none.
pub fn with_text(view: &IndexView, path: &RepoPath) -> Result<(FileNo, u32), BrowseError> {
    let file = view.corpus().file(path.as_str()).map(|file| (file, last_line(view, file)));
    let no_text = || BrowseError::NoText { path: path.to_string(), why: "it is empty".to_string() };
    file.filter(|(_, last)| *last > 0).ok_or_else(no_text)
}

/// What the reader asks of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// The definition around a line.
    Around(u32),
    Lines(Lines),
}

/// Takes `:12`, `:12-40` or `#L12-L40` off the end.
fn split_lines(wanted: &str) -> Option<(&str, Wanted)> {
    let (path, lines) = wanted.rsplit_once("#L").or_else(|| wanted.rsplit_once(':'))?;
    Some((path, parse_lines(lines)?))
}

fn parse_lines(text: &str) -> Option<Wanted> {
    let number = |text: &str| text.trim_start_matches('L').parse::<u32>().ok();
    match text.split_once('-') {
        None => Some(Wanted::Around(number(text)?)),
        Some((start, "")) => Some(Wanted::Lines(Lines { start: number(start)?, end: u32::MAX })),
        Some((start, end)) => Some(Wanted::Lines(Lines { start: number(start)?, end: number(end)? })),
    }
}

fn in_file(view: &IndexView, path: &RepoPath, wanted: Wanted) -> Result<Excerpt, BrowseError> {
    let (file, last) = with_text(view, path)?;
    let lines = match wanted {
        Wanted::Around(line) => lines_around(view, file, line)?,
        Wanted::Lines(Lines { start, end }) => Lines { start: start.max(1), end: end.max(start).min(last) },
    };
    if lines.start > last {
        return Err(BrowseError::NoLines { path: path.to_string(), last });
    }
    Ok(Excerpt { file, lines })
}

/// The lines of the smallest chunk that holds a line, all parts of its definition included. Unlike a symbol, a chunk
/// has the comment and the attributes above a definition.
fn lines_around(view: &IndexView, file: FileNo, line: u32) -> Result<Lines, BrowseError> {
    let lines = |chunk: ChunkNo| of_chunk(view, chunk).lines;
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

fn of_chunk(view: &IndexView, chunk: ChunkNo) -> Excerpt {
    let (start, end) = view.corpus().lines(chunk);
    Excerpt { file: view.corpus().file_of(chunk), lines: Lines { start, end } }
}

/// The definitions that are as likely as the first, if they are few.
fn bodies(view: &IndexView, wanted: &str, definitions: &[Definition]) -> Result<Vec<Excerpt>, BrowseError> {
    let likeliest = definitions.iter().take_while(|definition| definition.rank == definitions[0].rank);
    let mut found: Vec<Excerpt> = Vec::new();
    for definition in likeliest {
        let body = body(view, &definition.symbol)?;
        if !found.contains(&body) {
            found.push(body);
        }
    }
    match found.len() {
        0..=MAX_BODIES => Ok(found),
        _ => Err(ambiguous(wanted, found.iter().map(|excerpt| excerpt.place(view)))),
    }
}

/// A definition with the comment and the attributes above it, which are in its chunk.
fn body(view: &IndexView, symbol: &Symbol) -> Result<Excerpt, BrowseError> {
    let (file, _) = with_text(view, &symbol.file_rel_path)?;
    let chunk = view.corpus().chunk(symbol.chunk_uid).map(|chunk| view.chunk(chunk)).transpose()?;
    let own = chunk.filter(|chunk| chunk.symbol_id.as_ref() == Some(&symbol.symbol_id));
    let start = own.map_or(symbol.lines.start, |chunk| chunk.lines.start.min(symbol.lines.start));
    Ok(Excerpt { file, lines: Lines { start, end: symbol.lines.end } })
}

fn ambiguous(wanted: &str, names: impl ExactSizeIterator<Item = String>) -> BrowseError {
    let more = names.len().saturating_sub(MAX_LISTED);
    BrowseError::Ambiguous { wanted: wanted.to_string(), candidates: names.take(MAX_LISTED).collect(), more }
}

impl Excerpt {
    /// As [`find`] takes it.
    pub fn place(&self, view: &IndexView) -> String {
        format!("{}:{}-{}", view.corpus().path(self.file), self.lines.start, self.lines.end)
    }
}
