//! Patterns of the word lists. The engine cannot look around, so the neighbours of a match are tested separately.

use std::ops::Range;

use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};
use serde::Deserialize;

/// A pattern of this program, which is known to be one.
pub fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|fault| panic!("the built-in pattern `{pattern}` is not one: {fault}"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    find: String,
    #[serde(default)]
    before: Option<String>,
    #[serde(default)]
    after: Option<String>,
    #[serde(default)]
    sure: bool,
    #[serde(default)]
    asks: bool,
}

/// A pattern with what must stand around it.
#[derive(Deserialize)]
#[serde(from = "Row")]
pub struct Pattern {
    find: Regex,
    before: Option<Regex>,
    after: Option<Regex>,
    /// Whether what it finds is certain.
    pub is_sure: bool,
    /// Whether what stands before it is a question.
    pub asks: bool,
}

impl From<Row> for Pattern {
    fn from(row: Row) -> Self {
        let before = row.before.map(|before| compiled(&format!("^(?:{before})$")));
        let after = row.after.map(|after| compiled(&format!("^(?:{after})")));
        Pattern { find: compiled(&row.find), before, after, is_sure: row.sure, asks: row.asks }
    }
}

/// A match, and the end of the part of it that belongs to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    pub start: usize,
    pub kept: usize,
    pub end: usize,
    pub is_sure: bool,
    pub asks: bool,
}

impl Pattern {
    /// All matches whose neighbours fit, in order.
    pub fn all<'p>(&'p self, text: &'p str) -> impl Iterator<Item = Match> + 'p {
        let mut captures = self.find.create_captures();
        let mut at = 0;
        std::iter::from_fn(move || {
            while at <= text.len() {
                self.find.captures(Input::new(text).range(at..), &mut captures);
                let whole = captures.get_match()?.range();
                at = if whole.is_empty() { text.len() + 1 } else { whole.end };
                if self.fits(text, &whole) {
                    let kept = (1..captures.group_len())
                        .find_map(|group| captures.get_group(group))
                        .map_or(whole.start, |group| group.end);
                    return Some(Match {
                        start: whole.start,
                        kept,
                        end: whole.end,
                        is_sure: self.is_sure,
                        asks: self.asks,
                    });
                }
            }
            None
        })
    }

    fn fits(&self, text: &str, range: &Range<usize>) -> bool {
        let before = text[..range.start].chars().next_back();
        let is_before = self
            .before
            .as_ref()
            .is_none_or(|regex| before.is_some_and(|c| regex.is_match(c.encode_utf8(&mut [0; 4]) as &str)));
        let rest = &text[range.end..];
        let is_after = self.after.as_ref().is_none_or(|regex| regex.is_match(Input::new(rest).anchored(Anchored::Yes)));
        is_before && is_after
    }
}
