//! Positions in a file's decoded text (UTF-8, without a byte order mark).

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{LineIndex, Span};

/// Ordered by start, then by end; the fields stand in the order of canonical JSON.
macro_rules! positions {
    ($($(#[$doc:meta])* $Position:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $Position {
            pub end: u32,
            pub start: u32,
        }

        impl Ord for $Position {
            fn cmp(&self, other: &Self) -> Ordering {
                (self.start, self.end).cmp(&(other.start, other.end))
            }
        }

        impl PartialOrd for $Position {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
    )+};
}

positions! {
    /// Half-open, in UTF-16 code units from the start of the text.
    Range;
    /// Half-open, in bytes of the text as UTF-8.
    ByteRange;
    /// 1-based, inclusive.
    Lines;
}

/// One place where a name stands: `[start, end, line, column]`.
///
/// Start and end are half-open UTF-16 offsets into the text, the line is 1-based, the column counts
/// UTF-16 units from the line's start. An array, because an index holds millions of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(from = "[u32; 4]", into = "[u32; 4]")]
#[schemars(with = "[u32; 4]")]
pub struct Site {
    pub start: u32,
    pub end: u32,
    pub line: u32,
    pub column: u32,
}

impl From<[u32; 4]> for Site {
    fn from([start, end, line, column]: [u32; 4]) -> Self {
        Site { start, end, line, column }
    }
}

impl From<Site> for [u32; 4] {
    fn from(Site { start, end, line, column }: Site) -> Self {
        [start, end, line, column]
    }
}

impl Range {
    pub fn from_span(span: Span, index: &LineIndex) -> Self {
        Range { start: index.utf16(span.start), end: index.utf16(span.end) }
    }
}

impl ByteRange {
    pub fn from_span(span: Span) -> Self {
        ByteRange { start: span.start, end: span.end }
    }
}

impl Lines {
    /// The lines that a span touches; an empty span touches the line it stands on.
    pub fn from_span(span: Span, index: &LineIndex) -> Self {
        let last = span.end.saturating_sub(1).max(span.start);
        Lines { start: index.line(span.start) + 1, end: index.line(last) + 1 }
    }
}

impl Site {
    pub fn from_span(span: Span, index: &LineIndex) -> Self {
        let start = index.utf16(span.start);
        let line = index.line(span.start);
        Site { start, end: index.utf16(span.end), line: line + 1, column: start - index.utf16(index.start(line)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_ordered_by_start() {
        assert!(Lines { start: 1, end: 9 } < Lines { start: 2, end: 3 });
        assert!(Range { start: 1, end: 9 } < Range { start: 2, end: 3 });
        assert!(ByteRange { start: 1, end: 2 } < ByteRange { start: 1, end: 3 });
    }
}
