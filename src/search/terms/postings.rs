//! Lists of increasing numbers, stored as differences.

use crate::flat::{push_varint, take_varint};

/// A field of a chunk, besides its text, that contains a term. Used as bits of a posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A name that the chunk defines.
    Name = 1,
    Signature = 2,
    Doc = 4,
}

impl Field {
    /// How many sets of fields there are.
    pub const SETS: usize = 8;
}

/// A chunk that contains a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    pub chunk: u32,
    /// How often the term occurs in the text.
    pub count: u32,
    /// Bits of [`Field`].
    pub fields: u8,
}

impl Posting {
    pub fn has(self, field: Field) -> bool {
        self.fields & field as u8 != 0
    }
}

/// Position of the count, above the three bits of the fields. The count [`MANY`] means that the rest follows.
const COUNT_SHIFT: u32 = 3;
const MANY: u32 = 31;

/// Appends a posting. `before` is the chunk of the previous posting; chunk numbers must increase.
pub fn push(posting: Posting, before: Option<u32>, bytes: &mut Vec<u8>) {
    push_varint(posting.chunk - before.map_or(0, |before| before + 1), bytes);
    bytes.push(posting.fields | (posting.count.min(MANY) << COUNT_SHIFT) as u8);
    if posting.count >= MANY {
        push_varint(posting.count - MANY, bytes);
    }
}

/// Reads the postings that [`push`] wrote. Ends early at bytes that are not a posting.
pub struct Postings<'b> {
    bytes: &'b [u8],
    next: u32,
    end: u32,
}

impl<'b> Postings<'b> {
    /// Returns the length of the list and its postings. The list is empty for a term that occurs only in paths.
    pub fn new(mut bytes: &'b [u8], chunk_count: usize) -> (u32, Self) {
        let count = take_varint(&mut bytes).unwrap_or(0);
        (count, Postings { bytes, next: 0, end: chunk_count as u32 })
    }
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    #[inline]
    fn next(&mut self) -> Option<Posting> {
        let chunk = self.next.checked_add(take_varint(&mut self.bytes)?).filter(|chunk| *chunk < self.end)?;
        let (packed, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        let mut count = u32::from(packed >> COUNT_SHIFT);
        if count == MANY {
            count = MANY.saturating_add(take_varint(&mut self.bytes)?);
        }
        self.next = chunk + 1;
        Some(Posting { chunk, count, fields: packed & 7 })
    }
}

/// Reads increasing numbers below `end`.
pub fn numbers(mut bytes: &[u8], end: usize) -> impl Iterator<Item = usize> {
    let mut next = 0usize;
    std::iter::from_fn(move || {
        let number = next.checked_add(take_varint(&mut bytes)? as usize).filter(|number| *number < end)?;
        next = number + 1;
        Some(number)
    })
}

/// Writes the format that [`numbers`] reads.
pub fn push_numbers(sorted: &[u32], bytes: &mut Vec<u8>) {
    let mut next = 0;
    for number in sorted {
        push_varint(number - next, bytes);
        next = number + 1;
    }
}
