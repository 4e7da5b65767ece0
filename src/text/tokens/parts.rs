//! Counts parts of a text without going through the whole text again.

use std::ops::Range;

use super::character::{LETTER, MARK, character};
use super::{Border, Merger, Tokenizer};

/// A text that was counted once. The tokens of any part of it are then known from a few pieces at its two ends.
pub struct CountedText<'t> {
    tokenizer: Tokenizer,
    text: &'t str,
    /// Where pieces start and end, from 0 on.
    borders: Vec<Border>,
}

impl<'t> CountedText<'t> {
    pub fn new(tokenizer: Tokenizer, text: &'t str) -> Self {
        let borders = [Border::default()].into_iter().chain(tokenizer.borders(text, usize::MAX)).collect();
        CountedText { tokenizer, text, borders }
    }

    pub fn text(&self) -> &'t str {
        self.text
    }

    pub fn tokenizer(&self) -> Tokenizer {
        self.tokenizer
    }

    pub fn tokens(&self) -> usize {
        self.borders.last().copied().unwrap_or_default().tokens
    }

    /// The tokens of a part of the text between two other texts, all put together.
    pub fn count_part(&self, before: &str, part: Range<usize>, after: &str) -> usize {
        let joined = [before, &self.text[part.clone()], after].concat();
        let last = self.last_settled(&part);
        let counted = last.and_then(|last| {
            let (tokens, first) = self.first_common(&joined, before.len(), part.start, last)?;
            let behind = &joined[before.len() + last.offset - part.start..];
            Some(tokens + last.tokens - first.tokens + self.tokenizer.count(behind))
        });
        counted.unwrap_or_else(|| self.tokenizer.count(&joined))
    }

    /// The last border of a part that does not depend on what follows the part.
    ///
    /// A piece ends where the next character cannot be a part of it. Only letters, marks and apostrophes need a look
    /// at more characters, and white space at its whole run.
    fn last_settled(&self, part: &Range<usize>) -> Option<Border> {
        let end = part.start + self.text[part.clone()].trim_end().len();
        let count = self.borders.partition_point(|border| border.offset < end);
        let inside = self.borders[..count].iter().rev().take_while(|border| border.offset >= part.start);
        let is_settled = |border: &Border| {
            let next = character(self.text, border.offset);
            !next.is(LETTER | MARK) && self.text.as_bytes()[border.offset] != b'\''
        };
        inside.copied().find(is_settled)
    }

    /// The first border of the joined text that is also one of the text, and the tokens in front of it. From there on
    /// the pieces are the same, because the end of a piece depends on nothing in front of it.
    fn first_common(&self, joined: &str, before: usize, start: usize, last: Border) -> Option<(usize, Border)> {
        let mut merger = Merger::default();
        let (mut tokens, mut end) = (0, 0);
        let mut pieces = self.tokenizer.pieces(joined);
        loop {
            if end >= before {
                let offset = start + end - before;
                if offset > last.offset {
                    return None;
                }
                if let Some(common) = self.border_at(offset) {
                    return Some((tokens, common));
                }
            }
            let piece = pieces.next()?;
            tokens += merger.count(self.tokenizer.vocabulary(), piece.as_bytes());
            end += piece.len();
        }
    }

    fn border_at(&self, offset: usize) -> Option<Border> {
        let found = self.borders.binary_search_by_key(&offset, |border| border.offset);
        found.ok().map(|at| self.borders[at])
    }
}
