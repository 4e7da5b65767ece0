//! Titles: a line of words with a line of one mark below it, or below and above.

use super::Line;
use crate::language::prose;

/// The mark, and whether it stands above as well.
pub type Style = (u8, bool);

#[derive(Clone, Copy)]
pub struct Title {
    pub style: Style,
    /// Which of its lines holds the words.
    pub words_line: u32,
    pub line_count: u32,
}

/// The title that starts at a line, if one does; the two lines below are read only when needed.
pub fn at<'t>(line: Line<'t>, next: impl Fn() -> Line<'t>, third: impl Fn() -> Line<'t>) -> Option<Title> {
    if line.indent > 0 {
        return None;
    }
    match mark(line) {
        Some(mark) => {
            let (words, below) = (next(), third());
            let same = below.indent == 0 && below.words == line.words;
            let fits = same && self::mark(words).is_none() && spans(line.words, words.words);
            fits.then_some(Title { style: (mark, true), words_line: 1, line_count: 3 })
        }
        None => {
            let starts_other = line.words.starts_with(".. ") || bullet(line.words);
            let below = next();
            let mark = mark(below).filter(|_| below.indent == 0 && !starts_other && spans(below.words, line.words))?;
            Some(Title { style: (mark, false), words_line: 0, line_count: 2 })
        }
    }
}

/// The mark that a line consists of.
fn mark(line: Line) -> Option<u8> {
    let bytes = line.words.as_bytes();
    let first = *bytes.first()?;
    let adorns = first.is_ascii_punctuation() && bytes.iter().all(|byte| *byte == first);
    // `::` and `..` mean something else.
    (adorns && bytes.len() > 1 && !matches!(line.words, "::" | "..")).then_some(first)
}

/// Whether a line of marks is long enough for the words. Four are always enough: that is how far
/// other readers follow too, and wide letters need no counting.
fn spans(marks: &str, words: &str) -> bool {
    !words.is_empty() && (marks.len() >= 4 || marks.len() >= words.chars().count())
}

/// A number may start a title, a bullet starts a list.
fn bullet(words: &str) -> bool {
    words.starts_with(['-', '*', '+']) && prose::list_item_indent(words).is_some()
}
