//! Fenced code.

use std::ops::Range;

use crate::language::facts::{Break, Embedded};
use crate::text::Span;

/// The code between the fences, if the fence names its language. The block is in no list or quote
/// and its fence at the start of a line, so its lines are code and nothing else.
pub fn embedded<'t>(text: &'t str, block: Range<usize>, info: &str) -> Option<Embedded<'t>> {
    let language = language(info)?;
    let content = content(text, block)?;
    let blank = text[content.clone()].trim().is_empty();
    (!blank).then(|| Embedded { span: Span::from(content), language: language.into() })
}

/// The first word of `python`, `rust,no_run`, `{.python .numbered}`, `{r, echo=FALSE}`, `js{1,3}`,
/// `ts:app/main.ts`.
pub fn language(info: &str) -> Option<String> {
    let word = info.trim_start_matches(['{', '.', ' ']);
    let end = word.find(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | ';' | '{' | '}' | '='));
    let word = word[..end.unwrap_or(word.len())].to_lowercase();
    (!word.is_empty()).then_some(word)
}

/// The whole lines between the fences; a block that is never closed runs to its end.
fn content(text: &str, block: Range<usize>) -> Option<Range<usize>> {
    let raw = &text[block.clone()];
    let start = raw.find('\n')? + 1;
    let mark = raw.chars().next()?;
    let fence = raw.len() - raw.trim_start_matches(mark).len();
    let last_line = raw.trim_end_matches(['\r', '\n']).rfind('\n').map_or(0, |at| at + 1);
    let last = raw[last_line..].trim_end();
    let indent = last.len() - last.trim_start().len();
    let closed = indent < 4 && last.trim_start().chars().all(|c| c == mark) && last.len() - indent >= fence;
    let end = if closed && last_line >= start { last_line } else { raw.len() };
    (start < end).then_some(block.start + start..block.start + end)
}

/// Places inside a block that is too long for one piece: behind its blank lines.
pub fn breaks(text: &str, block: Range<usize>, depth: u16) -> Vec<Break> {
    let mut found = Vec::new();
    let mut at = block.start;
    let mut after_blank = false;
    for line in text[block].split_inclusive('\n') {
        let blank = line.trim().is_empty();
        if after_blank && !blank {
            found.push(Break { offset: at as u32, depth });
        }
        after_blank = blank;
        at += line.len();
    }
    found
}
