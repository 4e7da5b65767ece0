//! Finds lines by their text or by a regular expression, in the order of paths and lines.

use rayon::prelude::*;
use regex_automata::meta::{Config, Regex};
use regex_automata::util::syntax;

use super::BrowseError;
use crate::assemble::target::path_of;
use crate::assemble::{IndexView, ReadError, scope};
use crate::language::Languages;
use crate::record::FileNo;
use crate::record::request::Filter;
use crate::search::Scope;
use crate::text::{RepoPath, Tokenizer, one_line};

/// What to look for.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// Without it, the files that pass the filter are listed.
    pub text: String,
    /// Whether the text is a regular expression.
    pub is_regex: bool,
    pub filter: Filter,
    /// The `next` of the page before.
    pub after: Option<String>,
}

/// Some of the lines that match.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SearchPage {
    /// A path, and below it a number and a text per line that matches.
    pub text: String,
    pub lines: usize,
    pub files: usize,
    /// Where the next page begins.
    pub next: Option<String>,
}

impl SearchPage {
    /// The text, or that there is none.
    pub fn printed(&self) -> String {
        if self.text.is_empty() { "No match\n".to_string() } else { self.text.clone() }
    }
}

/// Lines of one page.
const MAX_LINES: usize = 1_000;
/// Text that is searched for one page.
const MAX_BYTES: u64 = 512 << 20;
/// Of a line that matches.
const MAX_CHARS: usize = 200;
/// Characters before the match in a line that is cut.
const CHARS_BEFORE: usize = 60;
/// Files that are searched at the same time.
const BATCH: usize = 64;
/// A pattern that needs more memory than this is refused.
const MAX_PATTERN_BYTES: usize = 1 << 20;
const MAX_NESTING: u32 = 64;

pub fn search(
    view: &IndexView,
    request: &SearchRequest,
    max_tokens: usize,
    tokenizer: Tokenizer,
) -> Result<SearchPage, BrowseError> {
    let scope = scope::of_filter(view, &with_ids(&request.filter))??;
    let after = request.after.as_deref().map(Cursor::parse).transpose()?;
    let files = files(view, &scope, after.as_ref());
    let mut page = Page { max_tokens, tokenizer, left: max_tokens, page: SearchPage::default() };
    if request.text.is_empty() {
        return page.list_files(view, &files, after.as_ref());
    }
    let pattern = pattern(request)?;
    let mut bytes = 0;
    for batch in files.chunks(BATCH) {
        let found = batch.par_iter().map(|file| hits(view, &pattern, *file, after.as_ref()));
        let found = found.collect::<Result<Vec<_>, ReadError>>()?;
        for (file, hits) in batch.iter().zip(found) {
            if !page.add(view.corpus().path(*file), &hits)? {
                return Ok(page.page);
            }
        }
        bytes += batch.iter().map(|file| text_bytes(view, *file)).sum::<u64>();
        if bytes > MAX_BYTES {
            page.page.next = next_file(view, &files, batch).map(|path| format!("{path}:0"));
            return Ok(page.page);
        }
    }
    Ok(page.page)
}

/// A line that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLine {
    pub path: RepoPath,
    pub line: u32,
    /// Without its indentation; of a long one the part around the match.
    pub text: String,
}

/// Counts all lines that match, by path and line, and returns a few of them: so many from one on.
pub fn find_lines(
    view: &IndexView,
    request: &SearchRequest,
    is_wanted: impl Fn(&str) -> bool + Sync,
    from: usize,
    max: usize,
) -> Result<(usize, Vec<FoundLine>), BrowseError> {
    let scope = scope::of_filter(view, &with_ids(&request.filter))??;
    let pattern = pattern(request)?;
    let mut files = files(view, &scope, None);
    files.retain(|file| is_wanted(view.corpus().path(*file)));
    let (mut total, mut found) = (0, Vec::new());
    for batch in files.chunks(BATCH) {
        let lines = batch.par_iter().map(|file| matching_lines(view, &pattern, *file, from + max));
        for (count, lines) in lines.collect::<Result<Vec<_>, ReadError>>()? {
            let skipped = from.saturating_sub(total);
            let room = max - found.len();
            found.extend(lines.into_iter().skip(skipped).take(room));
            total += count;
        }
    }
    Ok((total, found))
}

/// How many lines of a file match, and the first of them.
fn matching_lines(
    view: &IndexView,
    pattern: &Regex,
    file: FileNo,
    max: usize,
) -> Result<(usize, Vec<FoundLine>), ReadError> {
    let Some(path) = path_of(view, file) else { return Ok((0, Vec::new())) };
    let (mut count, mut found) = (0, Vec::new());
    for (line, text) in view.file_lines(&path, &[])?.iter() {
        let text = text.trim_end_matches(['\n', '\r']);
        let Some(at) = pattern.find(text) else { continue };
        count += 1;
        if found.len() < max {
            found.push(FoundLine { path: path.clone(), line, text: excerpt(text, at.start()) });
        }
    }
    Ok((count, found))
}

/// Languages may also be named as fences name them, such as `py`.
fn with_ids(filter: &Filter) -> Filter {
    let known = Languages::of_run(&[]).ok();
    let id = |word: &String| {
        let language = known.as_ref().and_then(|known| known.named(word.trim()));
        language.map_or_else(|| word.clone(), |language| language.id().to_string())
    };
    Filter { languages: filter.languages.iter().map(id).collect(), ..filter.clone() }
}

/// The files to search, by path.
fn files(view: &IndexView, scope: &Scope, after: Option<&Cursor>) -> Vec<FileNo> {
    let is_left = |path: &str| after.is_none_or(|after| path >= after.path);
    let mut files: Vec<(&str, FileNo)> = view.corpus().paths().map(|(file, path)| (path, file)).collect();
    files.retain(|(path, file)| is_left(path) && scope.has_file(*file));
    files.sort();
    files.into_iter().map(|(_, file)| file).collect()
}

fn next_file<'v>(view: &'v IndexView, files: &[FileNo], batch: &[FileNo]) -> Option<&'v str> {
    let last = files.iter().position(|file| Some(file) == batch.last())?;
    files.get(last + 1).map(|file| view.corpus().path(*file))
}

fn text_bytes(view: &IndexView, file: FileNo) -> u64 {
    view.corpus().chunks_of(file).map(|chunk| u64::from(view.corpus().facts(chunk).text_bytes)).sum()
}

/// Capital letters in the text make case count, as a reader expects who types none.
fn pattern(request: &SearchRequest) -> Result<Regex, BrowseError> {
    if request.text.contains(['\n', '\r']) {
        return Err(BrowseError::Pattern("it has several lines, and lines are searched one by one".to_string()));
    }
    let text = if request.is_regex { request.text.clone() } else { escape(&request.text) };
    let has_capital = match request.is_regex {
        true => capital_outside_classes(&request.text),
        false => request.text.chars().any(char::is_uppercase),
    };
    let syntax = syntax::Config::new().case_insensitive(!has_capital).nest_limit(MAX_NESTING);
    let config = Config::new().nfa_size_limit(Some(MAX_PATTERN_BYTES));
    let built = Regex::builder().syntax(syntax).configure(config).build(&text);
    built.map_err(|error| {
        let cause = error.syntax_error().map(|error| last_line(&error.to_string()));
        BrowseError::Pattern(cause.unwrap_or_else(|| "it needs too much memory".to_string()))
    })
}

/// A regular expression that matches exactly this text.
pub fn escape(text: &str) -> String {
    let special = |c: char| c.is_ascii_punctuation().then_some('\\');
    text.chars().flat_map(|c| special(c).into_iter().chain([c])).collect()
}

/// `\W` and `\S` are classes, not letters.
fn capital_outside_classes(pattern: &str) -> bool {
    let mut is_escaped = false;
    pattern.chars().any(|c| {
        let counts = !is_escaped && c.is_uppercase();
        is_escaped = !is_escaped && c == '\\';
        counts
    })
}

/// The cause; the lines above it draw the pattern.
fn last_line(text: &str) -> String {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().trim_start_matches("error: ").to_string()
}

/// A line that matches.
struct Hit {
    line: u32,
    text: String,
}

fn hits(view: &IndexView, pattern: &Regex, file: FileNo, after: Option<&Cursor>) -> Result<Vec<Hit>, ReadError> {
    let Some(path) = path_of(view, file) else { return Ok(Vec::new()) };
    let lines = view.file_lines(&path, &[])?;
    let first = after.filter(|after| after.path == view.corpus().path(file)).map_or(0, |after| after.line);
    let hit = |(line, text): (u32, &str)| {
        let text = text.trim_end_matches(['\n', '\r']);
        let found = pattern.find(text)?;
        Some(Hit { line, text: excerpt(text, found.start()) })
    };
    Ok(lines.iter().filter(|(line, _)| *line > first).filter_map(hit).take(MAX_LINES).collect())
}

/// A line without its indentation. Of a long one the part around the match.
fn excerpt(line: &str, at: usize) -> String {
    let text = line.trim();
    if text.chars().nth(MAX_CHARS).is_none() {
        return one_line(text);
    }
    let before = line[..at].char_indices().rev().nth(CHARS_BEFORE - 1).map_or(0, |(start, _)| start);
    let from = line[before..].trim_start();
    let shown: String = from.chars().take(MAX_CHARS).collect();
    let (head, tail) = (if before > 0 { "…" } else { "" }, if shown.len() < from.trim_end().len() { "…" } else { "" });
    one_line(&format!("{head}{}{tail}", shown.trim_end()))
}

/// A page that is being filled.
struct Page {
    max_tokens: usize,
    tokenizer: Tokenizer,
    left: usize,
    page: SearchPage,
}

impl Page {
    /// Adds the lines of a file. Returns false if the page is full.
    fn add(&mut self, path: &str, hits: &[Hit]) -> Result<bool, BrowseError> {
        for (number, hit) in hits.iter().enumerate() {
            let heading = if number == 0 { format!("{}\n", one_line(path)) } else { String::new() };
            if self.page.lines == MAX_LINES || !self.push(&format!("{heading}{}: {}\n", hit.line, hit.text)) {
                return self.end(format!("{path}:{}", hit.line - 1)).map(|()| false);
            }
            self.page.lines += 1;
            self.page.files += usize::from(number == 0);
        }
        Ok(true)
    }

    fn list_files(
        mut self,
        view: &IndexView,
        files: &[FileNo],
        after: Option<&Cursor>,
    ) -> Result<SearchPage, BrowseError> {
        let last = after.filter(|after| after.line > 0).map(|after| after.path);
        for path in files.iter().map(|file| view.corpus().path(*file)).filter(|path| Some(*path) != last) {
            if self.page.files == MAX_LINES || !self.push(&format!("{}\n", one_line(path))) {
                self.end(format!("{path}:0"))?;
                break;
            }
            self.page.files += 1;
        }
        Ok(self.page)
    }

    /// Adds whole lines if they fit. Such lines have as many tokens together as apart.
    fn push(&mut self, lines: &str) -> bool {
        let Some(tokens) = self.tokenizer.count_until(lines, self.left) else { return false };
        self.left -= tokens;
        self.page.text += lines;
        true
    }

    fn end(&mut self, next: String) -> Result<(), BrowseError> {
        if self.page.text.is_empty() {
            return Err(BrowseError::NoRoom(self.max_tokens));
        }
        self.page.next = Some(next);
        Ok(())
    }
}

/// The last place of a page: what is behind it is on the next one.
struct Cursor<'c> {
    path: &'c str,
    line: u32,
}

impl<'c> Cursor<'c> {
    fn parse(text: &'c str) -> Result<Self, BrowseError> {
        let parsed = text.rsplit_once(':').and_then(|(path, line)| Some(Cursor { path, line: line.parse().ok()? }));
        parsed.ok_or_else(|| BrowseError::Cursor(text.chars().take(80).collect()))
    }
}
