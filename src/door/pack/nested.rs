//! Joins outlines that are inside one another: that of a class and that of the module around it are one item.

use std::collections::BTreeMap;

use crate::assemble::score::Candidate;
use crate::assemble::{IndexView, ReadError};
use crate::record::{ByteRange, Chunk, ChunkNo, Lines, Range};

/// How many candidates are looked at. Later ones are seldom shown.
const MAX_LOOKED_AT: usize = 60;
/// A longer outline stays an item of its own: it would come before what is better.
const MAX_JOINED_BYTES: u32 = 2_000;

/// Sorted candidates, with each short outline in the first one that is around it or inside it.
pub fn join(view: &IndexView, units: Vec<Candidate>) -> Result<Vec<Candidate>, ReadError> {
    let mut joined: Vec<Candidate> = Vec::with_capacity(units.len());
    let mut outlines: Vec<usize> = Vec::new();
    for (place, unit) in units.into_iter().enumerate() {
        if place >= MAX_LOOKED_AT || unit.is_below_floor || !view.chunk(unit.chunk)?.is_skeleton() {
            joined.push(unit);
            continue;
        }
        let is_short = view.corpus().facts(unit.chunk).text_bytes <= MAX_JOINED_BYTES;
        let touches = |at: &&usize| joined[**at].chunks().any(|chunk| is_nested(view, chunk, unit.chunk));
        match outlines.iter().find(touches).filter(|_| is_short) {
            Some(at) => joined[*at].nested.push(unit.chunk),
            None => {
                outlines.push(joined.len());
                joined.push(unit);
            }
        }
    }
    Ok(joined)
}

/// Whether one of two chunks is inside the other one.
fn is_nested(view: &IndexView, a: ChunkNo, b: ChunkNo) -> bool {
    let corpus = view.corpus();
    let (first, second) = (corpus.lines(a), corpus.lines(b));
    let holds = |outer: (u32, u32), inner: (u32, u32)| outer.0 <= inner.0 && inner.1 <= outer.1;
    corpus.file_of(a) == corpus.file_of(b) && (holds(first, second) || holds(second, first))
}

/// One outline with the lines of all. The first gives everything but lines and text.
pub fn merged(chunks: &[&Chunk]) -> Chunk {
    let mut lines: BTreeMap<u32, &str> = BTreeMap::new();
    for chunk in chunks {
        let numbers = chunk.shown_lines().iter().flat_map(|lines| lines.start..=lines.end);
        lines.extend(numbers.zip(chunk.text.split_inclusive('\n')));
    }
    let mut shown: Vec<Lines> = Vec::new();
    let mut text = String::new();
    for (number, line) in lines {
        match shown.last_mut() {
            Some(last) if last.end + 1 == number => last.end = number,
            _ => shown.push(Lines { start: number, end: number }),
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text += line;
    }
    let start = |of: fn(&Chunk) -> u32| chunks.iter().map(|chunk| of(chunk)).min().unwrap_or(0);
    let end = |of: fn(&Chunk) -> u32| chunks.iter().map(|chunk| of(chunk)).max().unwrap_or(0);
    Chunk {
        blank_after: 0,
        byte_range: ByteRange { start: start(|chunk| chunk.byte_range.start), end: end(|chunk| chunk.byte_range.end) },
        lines: Lines { start: start(|chunk| chunk.lines.start), end: end(|chunk| chunk.lines.end) },
        range: Range { start: start(|chunk| chunk.range.start), end: end(|chunk| chunk.range.end) },
        shown: Some(shown),
        text,
        ..chunks[0].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::merged;
    use crate::chunk::{Config, Source, chunk};
    use crate::language::Languages;
    use crate::record::Chunk;

    #[test]
    fn the_lines_of_all_outlines_are_in_order() {
        let text = "class A:\n    x = 1\n\n    class B:\n        y = 2\n\n        def f(self):\n            return 3\n\n    def g(self):\n        return 4\n";
        let path = "a.py".to_string().try_into().unwrap();
        let languages = Languages::builtin();
        let language = languages.detect(&path, text);
        let source = Source { path: &path, text, language, notes: None };
        let chunked = chunk(&source, &languages, &Config::default(), &Default::default());
        let outlines: Vec<&Chunk> = chunked.chunks.iter().filter(|chunk| chunk.is_skeleton()).collect();
        let one = merged(&[outlines[1], outlines[0]]);
        assert_eq!(one.qualified_name.as_deref(), Some("A.B"), "the first one is the better one");
        assert_eq!((one.lines.start, one.lines.end), (1, 11));
        let wanted = "class A:\n    x = 1\n    class B:\n        y = 2\n        def f(self):\n    def g(self):\n";
        assert_eq!(one.text, wanted);
        let numbers: Vec<u32> = one.shown_lines().iter().flat_map(|lines| lines.start..=lines.end).collect();
        assert_eq!(numbers, [1, 2, 4, 5, 7, 10]);
    }
}
