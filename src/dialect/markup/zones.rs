//! Stretches of a text in which nothing is markup: code, formulas and comments.

use memchr::memmem;

use crate::language::ProseOutline;
use crate::record::Lines;
use crate::text::{LineIndex, Span};

/// Sorted, and none overlaps another.
pub struct Zones {
    all: Vec<Span>,
    comments: Vec<Span>,
}

/// Fences whose text is data for a plugin, not for a reader.
const HIDDEN_FENCES: &[&str] = &["compressed-json", "dataview", "dataviewjs"];

impl Zones {
    /// Those of the text from an offset on. `literal` is code that only the dialect knows.
    pub fn new(text: &str, start: usize, outline: &ProseOutline, literal: &[Span]) -> Self {
        let code = merged([&outline.verbatim[..], &outline.indented, literal].concat());
        let comments = comments(text, start, &code);
        Zones { all: merged([code, comments.clone()].concat()), comments }
    }

    /// The zone that holds an offset. Offsets are asked in ascending order, and `at` keeps the place between them.
    pub fn around(&self, offset: usize, at: &mut usize) -> Option<Span> {
        while self.all.get(*at).is_some_and(|zone| zone.end as usize <= offset) {
            *at += 1;
        }
        self.all.get(*at).copied().filter(|zone| zone.start as usize <= offset)
    }

    pub fn holds(&self, offset: usize) -> bool {
        self.around(offset, &mut self.all.partition_point(|zone| zone.end as usize <= offset)).is_some()
    }

    /// The lines that are no content: whole lines of comments, and fences of plugins.
    pub fn hidden_lines(&self, outline: &ProseOutline, index: &LineIndex) -> Vec<Lines> {
        let is_hidden = |info: &str| HIDDEN_FENCES.contains(&info.split_whitespace().next().unwrap_or_default());
        let fences = outline.fences.iter().filter(|fence| is_hidden(&fence.info));
        let fences = fences.map(|fence| Lines::from_span(fence.span, index));
        let comments = self.comments.iter().filter_map(|comment| whole_lines(*comment, index));
        fences.chain(comments).collect()
    }
}

/// The lines that a comment fills.
fn whole_lines(comment: Span, index: &LineIndex) -> Option<Lines> {
    let (text, first, last) = (index.text(), index.line(comment.start), index.line(comment.end - 1));
    let before = &text[index.start(first) as usize..comment.start as usize];
    let behind = &text[comment.end as usize..index.start(last + 1) as usize];
    let first = first + u32::from(!before.trim().is_empty());
    let end = last + u32::from(behind.trim().is_empty());
    (first < end).then_some(Lines { start: first + 1, end })
}

fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.is_empty());
    spans.sort();
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// What opens and closes a comment.
const MARKS: [(&str, &str); 2] = [("%%", "%%"), ("<!--", "-->")];

/// Comments that do not start in code. One that nothing closes is none, unless it starts a line as HTML does.
fn comments(text: &str, start: usize, code: &[Span]) -> Vec<Span> {
    let bytes = &text.as_bytes()[start..];
    let of_kind = |kind: usize| memmem::find_iter(bytes, MARKS[kind].0).map(move |at| (start + at, kind));
    let mut openings: Vec<(usize, usize)> = of_kind(0).chain(of_kind(1)).collect();
    openings.sort_unstable();
    let (mut found, mut free, mut at) = (Vec::new(), start, 0);
    // Where a search has found nothing, none further down finds anything.
    let mut is_closed = [true; 2];
    for (open, kind) in openings {
        while code.get(at).is_some_and(|zone| zone.end as usize <= open) {
            at += 1;
        }
        if open < free || code.get(at).is_some_and(|zone| zone.start as usize <= open) {
            continue;
        }
        let (opening, closing) = MARKS[kind];
        let inside = open + opening.len();
        let close = if is_closed[kind] { text[inside..].find(closing) } else { None };
        is_closed[kind] &= close.is_some();
        let end = match close {
            Some(at) => inside + at + closing.len(),
            None if opening == "<!--" && starts_line(text, open) => text.len(),
            None => continue,
        };
        found.push(Span::new(open, end));
        free = end;
    }
    found
}

fn starts_line(text: &str, offset: usize) -> bool {
    let line = memchr::memrchr(b'\n', &text.as_bytes()[..offset]).map_or(0, |at| at + 1);
    text[line..offset].trim().is_empty()
}
