//! `<aside>`: how Notion writes callouts into markdown.

use std::ops::Range;

use super::pieces::trimmed;

pub struct Aside {
    pub whole: Range<usize>,
    /// What is inside, without a picture of an icon before it.
    pub words: Range<usize>,
}

const OPEN: &str = "<aside>";
const CLOSE: &str = "</aside>";

impl Aside {
    pub fn opens(html: &str) -> bool {
        html.starts_with(OPEN)
    }

    /// The aside that opens at an offset; none if nothing closes it.
    pub fn at(text: &str, start: usize) -> Option<Self> {
        let inside = start + OPEN.len();
        let rest = text[start..].strip_prefix(OPEN)?;
        let end = inside + rest.find(CLOSE)?;
        let words = trimmed(text, inside..end);
        Some(Aside { whole: start..end + CLOSE.len(), words: without_icon(text, words) })
    }
}

fn without_icon(text: &str, words: Range<usize>) -> Range<usize> {
    let inside = &text[words.clone()];
    let icon = inside.strip_prefix("<img ").and_then(|rest| Some(rest.split_once('>')?.0.len()));
    match icon {
        Some(len) => trimmed(text, words.start + "<img ".len() + len + 1..words.end),
        None => words,
    }
}
