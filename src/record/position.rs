//! Positions in a file's decoded text (UTF-8, without a byte order mark).

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{LineIndex, Span};

/// Half-open, in UTF-16 code units from the start of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Range {
    pub end: u32,
    pub start: u32,
}

/// Half-open, in bytes of the text as UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByteRange {
    pub end: u32,
    pub start: u32,
}

/// 1-based, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    pub end: u32,
    pub start: u32,
}

/// Where a name is written. See [`SiteArray`] for its form in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "SiteArray", into = "SiteArray")]
pub struct Site {
    pub start: u32,
    pub end: u32,
    pub line: u32,
    pub column: u32,
}

/// One place where a name stands: `[start, end, line, column]`.
///
/// Start and end are half-open UTF-16 offsets into the text, the line is 1-based, the column counts
/// UTF-16 units from the line's start. An array, because an index holds millions of them.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Site")]
struct SiteArray(u32, u32, u32, u32);

impl From<SiteArray> for Site {
    fn from(SiteArray(start, end, line, column): SiteArray) -> Self {
        Site { start, end, line, column }
    }
}

impl From<Site> for SiteArray {
    fn from(Site { start, end, line, column }: Site) -> Self {
        SiteArray(start, end, line, column)
    }
}

impl JsonSchema for Site {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        SiteArray::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        SiteArray::json_schema(generator)
    }
}

/// By start, then by end, whatever the order of the fields is.
macro_rules! order_by_start {
    ($($Position:ident),+) => {$(
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

order_by_start!(Range, ByteRange, Lines);

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
