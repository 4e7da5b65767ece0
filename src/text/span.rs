//! A piece of one text, in bytes.

/// Half-open byte offsets into a file's decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "a span runs forward: {start}..{end}");
        Span { start: start as u32, end: end as u32 }
    }

    pub fn text(self, source: &str) -> &str {
        &source[self.start as usize..self.end as usize]
    }

    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub fn holds(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The same piece, in a text that holds this one `offset` bytes in.
    pub fn shifted(self, offset: u32) -> Span {
        Span { start: self.start + offset, end: self.end + offset }
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Span::new(range.start, range.end)
    }
}
