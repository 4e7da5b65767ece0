//! Stretches of a text inside each other.

use crate::text::Span;

/// Finds the innermost of nested stretches around offsets that are asked in ascending order.
pub struct Nest<'n> {
    /// Outer ones before those in them.
    spans: &'n [Span],
    next: usize,
    open: Vec<usize>,
}

impl<'n> Nest<'n> {
    pub fn new(spans: &'n [Span]) -> Self {
        Nest { spans, next: 0, open: Vec::new() }
    }

    pub fn around(&mut self, offset: u32) -> Option<usize> {
        while self.spans.get(self.next).is_some_and(|span| span.start <= offset) {
            self.open.push(self.next);
            self.next += 1;
        }
        while self.open.pop_if(|at| self.spans[*at].end <= offset).is_some() {}
        self.open.last().copied()
    }
}
