//! Front matter: the block of data before a text. Found by hand, because the markdown parser would also accept two
//! thematic breaks further down.

use std::collections::BTreeMap;

use super::spec_id::{is_id, link_target};
use crate::record::Lines;
use crate::text::{LineIndex, Span};

/// The lines between the first line of a text, which is `---`, and the one that closes them.
pub struct Block<'t> {
    pub inside: &'t str,
    /// Where the text behind it starts; 0 where no line closes it.
    pub end: usize,
    pub is_closed: bool,
}

impl<'t> Block<'t> {
    /// One that nothing closes goes no further than to the first blank line.
    pub fn find(text: &'t str) -> Option<Self> {
        let (first, behind) = text.split_once('\n').filter(|(first, _)| first.trim_end() == "---")?;
        let start = first.len() + 1;
        let end = end(text);
        if end == 0 {
            let lines = behind.split_inclusive('\n').take_while(|line| !line.trim().is_empty());
            return Some(Block { inside: &behind[..lines.map(str::len).sum()], end, is_closed: false });
        }
        let closing = text[start..end].trim_end().rfind('\n').map_or(0, |at| at + 1);
        Some(Block { inside: &text[start..start + closing], end, is_closed: true })
    }

    /// Its lines, delimiters included.
    pub fn lines(&self) -> Lines {
        let delimiters = if self.is_closed { 2 } else { 1 };
        Lines { start: 1, end: self.inside.lines().count() as u32 + delimiters }
    }

    pub fn is_of_spec(&self) -> bool {
        is_of_spec(self.inside)
    }
}

/// Finds where the values of front matter are written.
pub struct Places<'t> {
    lines: LineIndex<'t>,
    /// The whole front matter.
    pub whole: Span,
}

impl<'t> Places<'t> {
    pub fn new(text: &'t str, front_lines: Lines) -> Self {
        let lines = LineIndex::new(text);
        let end = lines.start(front_lines.end) as usize;
        Places { lines, whole: Span::new(0, text[..end].trim_end().len()) }
    }

    /// The first place of a word from a line on, or the whole line if the word is not written there.
    pub fn word(&self, line: u32, word: &str) -> Span {
        let start = self.lines.start(line - 1) as usize;
        match self.lines.text()[start..self.whole.end as usize].find(word) {
            Some(at) => Span::new(start + at, start + at + word.len()),
            None => self.line(line),
        }
    }

    /// A line of the front matter, from 1.
    pub fn line(&self, line: u32) -> Span {
        let start = self.lines.start(line - 1).min(self.whole.end);
        let text = &self.lines.text()[start as usize..self.whole.end as usize];
        Span::new(start as usize, start as usize + text.lines().next().map_or(0, str::len))
    }
}

/// Where the text starts after its front matter; 0 if it has no front matter.
pub fn end(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let mark = match first.trim_end() {
        mark @ ("---" | "+++") => mark,
        _ => return 0,
    };
    let mut at = first.len();
    for line in lines {
        let words = line.trim_end();
        if words == mark || words == "..." && mark == "---" {
            return if starts(&text[first.len()..at]) { at + line.len() } else { 0 };
        }
        at += line.len();
    }
    0
}

/// A thematic break is followed by a blank line and front matter is not, unless its keys are those of a spec document.
fn starts(inside: &str) -> bool {
    inside.lines().next().is_none_or(|line| !line.trim().is_empty()) || is_of_spec(inside)
}

/// Whether front matter, sound or not, is a spec document's: it gives a spec's title, an id of a spec's form, an id
/// with a kind or scope, or a kind, a scope and a status. An id alone may be anything: pages of site generators have one.
fn is_of_spec(inside: &str) -> bool {
    let keys = outer_keys(inside);
    let has = |key: &str| keys.contains_key(key);
    let id = keys.get("id").map(|id| link_target(id.trim().trim_matches(['"', '\''])));
    let with_id = id.is_some_and(|id| is_id(id) || has("kind") || has("scope"));
    with_id || has("spec_title") || has("kind") && has("scope") && has("status")
}

/// Keys that are indented like the first line, and the text after their colons.
fn outer_keys(inside: &str) -> BTreeMap<&str, &str> {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let lines = || inside.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
    let first = lines().next().map_or(0, |line| indent(&line));
    lines().filter(|line| indent(line) == first).filter_map(|line| key_and_value(line.trim())).collect()
}

/// Reads a line without the YAML parser: front matter that cannot be parsed has keys too.
fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    let colon = line.match_indices(':').map(|(at, _)| at).find(|at| ends(&line[at + 1..]))?;
    Some((line[..colon].trim().trim_matches(['"', '\'']), &line[colon + 1..]))
}
