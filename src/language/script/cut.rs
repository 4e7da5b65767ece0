//! Where a text that is too long for a chunk may be cut.

use super::Finder;
use crate::language::facts::Break;
use crate::text::Span;

/// Below this depth a cut is no better than one at a line's end.
const MAX_DEPTH: u16 = 200;

impl Finder<'_> {
    /// Marks the starts of a list's elements when the whole of it is too long, and walks it.
    pub(super) fn walk_list(
        &mut self,
        whole: oxc_span::Span,
        starts: impl Iterator<Item = u32>,
        walk: impl FnOnce(&mut Self),
    ) {
        let is_long = whole.size() as usize > self.max_chunk_bytes && self.cut_depth < MAX_DEPTH;
        if is_long {
            let depth = self.cut_depth + 1;
            self.facts.breaks.extend(starts.map(|offset| Break { offset, depth }));
        }
        self.cut_depth += u16::from(is_long);
        walk(self);
        self.cut_depth -= u16::from(is_long);
    }
}

/// Comments right above a statement stay with it: the cut moves above them.
pub fn keep_with_comments(breaks: &mut [Break], comments: &[Span], text: &str) {
    for at in breaks {
        at.offset = start_with_comments(at.offset, comments, text);
    }
}

fn start_with_comments(mut start: u32, comments: &[Span], text: &str) -> u32 {
    let above = comments.partition_point(|comment| comment.end <= start);
    for comment in comments[..above].iter().rev() {
        let between = &text.as_bytes()[comment.end as usize..start as usize];
        if !is_next_line(between) || !is_alone(*comment, text) {
            break;
        }
        start = comment.start;
    }
    start
}

/// White space with one line's end at most. Looked through from behind: most of what stands between a
/// statement and the comment before it is code.
fn is_next_line(between: &[u8]) -> bool {
    let mut lines = 0;
    between.iter().rev().all(|byte| {
        lines += u32::from(*byte == b'\n');
        lines <= 1 && byte.is_ascii_whitespace()
    })
}

/// Whether nothing but white space stands before it on its line.
fn is_alone(comment: Span, text: &str) -> bool {
    let before = text.as_bytes()[..comment.start as usize].iter().rev();
    before.take_while(|byte| **byte != b'\n').all(u8::is_ascii_whitespace)
}
