//! The text of places, as much as fits.

use super::BrowseError;
use super::find::{Excerpt, find};
use crate::assemble::IndexView;
use crate::record::Lines;
use crate::text::{RepoPath, Tokenizer, fence, one_line};

/// The text of some places.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// A heading and a fence per place.
    pub text: String,
    /// The places, or parts of them, that did not fit, written as [`read`] takes them.
    pub rest: Vec<String>,
}

/// Reads places in order until the tokens are used up. Lines are never left out between two that are shown.
pub fn read(
    view: &IndexView,
    wanted: &[String],
    max_tokens: usize,
    tokenizer: Tokenizer,
) -> Result<Reading, BrowseError> {
    let mut excerpts = Vec::new();
    for wanted in wanted {
        excerpts.extend(find(view, wanted)?);
    }
    let mut reading = Reading::default();
    let mut left = max_tokens;
    let mut excerpts = excerpts.into_iter();
    for excerpt in excerpts.by_ref() {
        let source = Source::new(view, excerpt)?;
        let (block, shown) = source.fitting(left, tokenizer);
        left -= tokenizer.count(&block);
        reading.text += &block;
        if shown < source.lines.len() {
            let lines = Lines { start: excerpt.lines.start + shown as u32, ..excerpt.lines };
            reading.rest.push(Excerpt { lines, ..excerpt }.place(view));
            break;
        }
    }
    if reading.text.is_empty() {
        return Err(BrowseError::NoRoom(max_tokens));
    }
    reading.rest.extend(excerpts.map(|excerpt| excerpt.place(view)));
    Ok(reading)
}

/// The lines of an excerpt.
struct Source {
    path: String,
    language: String,
    start: u32,
    lines: Vec<String>,
}

impl Source {
    fn new(view: &IndexView, excerpt: Excerpt) -> Result<Self, BrowseError> {
        let path = view.corpus().path(excerpt.file).to_string();
        let of_corpus = RepoPath::try_from(path.clone()).expect("paths of an index were checked");
        let text = view.file_lines(&of_corpus, &[])?.text(excerpt.lines);
        Ok(Source {
            path,
            language: language(view, excerpt)?,
            start: excerpt.lines.start,
            lines: text.split_inclusive('\n').map(str::to_string).collect(),
        })
    }

    /// The block of the first lines that fit, and how many they are. A line that does not fit alone is cut.
    fn fitting(&self, max_tokens: usize, tokenizer: Tokenizer) -> (String, usize) {
        let block = |count: &usize| self.block(&self.lines[..*count].concat(), *count);
        let fits = |count: &usize| tokenizer.count_until(&block(count), max_tokens).is_some();
        if fits(&self.lines.len()) {
            return (block(&self.lines.len()), self.lines.len());
        }
        let counts: Vec<usize> = (1..=self.lines.len()).collect();
        match counts.partition_point(fits) {
            0 => self.cut_line(max_tokens, tokenizer),
            count => (block(&count), count),
        }
    }

    /// The beginning of the first line, because all of it is too long.
    fn cut_line(&self, max_tokens: usize, tokenizer: Tokenizer) -> (String, usize) {
        let line = self.lines.first().map_or("", |line| line.trim_end());
        let mut end = tokenizer.prefix(line, max_tokens);
        while end > 0 {
            let block = self.block(&format!("{}…\n", &line[..end]), 1);
            if tokenizer.count_until(&block, max_tokens).is_some() {
                return (block, 1);
            }
            end = line.floor_char_boundary(end * 3 / 4);
        }
        (String::new(), 0)
    }

    fn block(&self, text: &str, count: usize) -> String {
        let (start, end) = (self.start, self.start + count.max(1) as u32 - 1);
        let fence = fence(text);
        let heading = format!("### {}:{start}-{end}", one_line(&self.path));
        format!("{heading}\n{fence}{}\n{}\n{fence}\n", self.language, text.trim_end())
    }
}

/// The language of the chunk at the beginning.
fn language(view: &IndexView, excerpt: Excerpt) -> Result<String, BrowseError> {
    let corpus = view.corpus();
    let first = corpus.chunks_of(excerpt.file).find(|chunk| corpus.lines(*chunk).1 >= excerpt.lines.start);
    let chunk = first.map(|chunk| view.chunk(chunk)).transpose()?;
    Ok(chunk.map(|chunk| chunk.language_id.as_str().to_string()).unwrap_or_default())
}
