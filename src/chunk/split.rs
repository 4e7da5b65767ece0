//! Cuts lines that are too long for one chunk, best at the borders of whole things.

use crate::language::Break;
use crate::text::{LineIndex, Span};

use super::outline::starts_line;

/// Lines before which a layer may be cut, with the depth of what starts there.
pub struct Cuts {
    lines: Vec<(u32, u16)>,
}

impl Cuts {
    pub fn new(breaks: &[Break], index: &LineIndex) -> Self {
        let whole = breaks.iter().filter(|at| starts_line(at.offset, index));
        let mut lines: Vec<_> = whole.map(|at| (index.line(at.offset), at.depth)).collect();
        lines.sort();
        lines.dedup_by_key(|(line, _)| *line);
        Cuts { lines }
    }

    fn inside(&self, lines: &std::ops::Range<u32>) -> &[(u32, u16)] {
        let from = self.lines.partition_point(|(line, _)| *line <= lines.start);
        let to = self.lines.partition_point(|(line, _)| *line < lines.end);
        &self.lines[from..to.max(from)]
    }
}

/// Pieces of at most `max` bytes that together hold every line of the range that is not blank.
pub fn split(lines: std::ops::Range<u32>, cuts: &Cuts, index: &LineIndex, max: usize) -> Vec<Span> {
    let mut ranges = Vec::new();
    split_at_cuts(lines, 0, cuts, index, max, &mut ranges);
    ranges.into_iter().flat_map(|range| spans(range, index, max)).collect()
}

/// Less than one part in so many of a whole chunk is too little for a chunk of its own.
const SMALL_PARTS: usize = 8;

/// Cuts at the shallowest borders, joins what fits together, and goes deeper only where it must. A small
/// piece before or behind what is cut deeper stays with its neighbour there: the head of a statement, or
/// the brace that ends it.
fn split_at_cuts(
    lines: std::ops::Range<u32>,
    from_depth: u16,
    cuts: &Cuts,
    index: &LineIndex,
    max: usize,
    ranges: &mut Vec<std::ops::Range<u32>>,
) {
    let inside: Vec<(u32, u16)> =
        cuts.inside(&lines).iter().copied().filter(|(_, depth)| *depth >= from_depth).collect();
    let Some(depth) = inside.iter().map(|(_, depth)| *depth).min().filter(|_| bytes(&lines, index) > max) else {
        return ranges.push(lines);
    };
    let is_small = |lines: &std::ops::Range<u32>| bytes(lines, index) * SMALL_PARTS < max;
    let borders = inside.iter().filter(|(_, at)| *at == depth).map(|(line, _)| *line).chain([lines.end]);
    let mut joined = lines.start..lines.start;
    for border in borders {
        let longer = joined.start..border;
        if bytes(&longer, index) <= max {
            joined = longer;
            continue;
        }
        let mut next = joined.end..border;
        let fits = bytes(&next, index) <= max;
        if !fits && is_small(&joined) {
            next.start = joined.start;
        } else if !joined.is_empty() {
            ranges.push(joined);
        }
        joined = if fits {
            next
        } else {
            split_at_cuts(next, depth.saturating_add(1), cuts, index, max, ranges);
            ranges.pop_if(|last| is_small(last)).unwrap_or(border..border)
        };
    }
    if !joined.is_empty() {
        ranges.push(joined);
    }
}

/// A range that fits as it is, or else as many whole lines at a time as fit, or else pieces of a line.
fn spans(lines: std::ops::Range<u32>, index: &LineIndex, max: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut joined = lines.start..lines.start;
    for line in lines {
        if bytes(&(joined.start..line + 1), index) > max && !joined.is_empty() {
            spans.extend(trimmed(joined, index));
            joined = line..line;
        }
        joined.end = line + 1;
        if bytes(&joined, index) > max {
            spans.extend(line_pieces(line, index, max));
            joined = line + 1..line + 1;
        }
    }
    spans.extend(trimmed(joined, index));
    spans
}

/// Without the blank lines at its ends.
pub fn trimmed(lines: std::ops::Range<u32>, index: &LineIndex) -> Option<Span> {
    let lines = trimmed_lines(lines, index)?;
    Some(super::lines_span(lines.start, lines.end, index))
}

pub fn trimmed_lines(mut lines: std::ops::Range<u32>, index: &LineIndex) -> Option<std::ops::Range<u32>> {
    let first = lines.find(|line| !index.is_blank(*line))?;
    let last = (first..lines.end).rev().find(|line| !index.is_blank(*line))?;
    Some(first..last + 1)
}

fn line_pieces(line: u32, index: &LineIndex, max: usize) -> Vec<Span> {
    let text = index.line_text(line);
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let mut end = text.floor_char_boundary((start + max).min(text.len()));
        if end <= start {
            end = text.ceil_char_boundary(start + 1);
        }
        pieces.push(Span::new(start, end).shifted(index.start(line)));
        start = end;
    }
    pieces
}

pub fn bytes(lines: &std::ops::Range<u32>, index: &LineIndex) -> usize {
    (index.start(lines.end) - index.start(lines.start)) as usize
}

/// Whether a span starts and ends where lines do; a piece of a line that is longer than a chunk may be does not.
pub fn is_whole_lines(span: Span, index: &LineIndex) -> bool {
    index.start(index.line(span.start)) == span.start && index.start(index.line(span.end - 1) + 1) == span.end
}
