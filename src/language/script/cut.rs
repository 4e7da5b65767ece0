//! Where a text that is too long for a chunk may be cut.

use super::Finder;
use crate::language::facts::Break;

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
