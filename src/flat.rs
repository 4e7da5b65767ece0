//! The form of an accelerator's file: a header, then sections, each at a multiple of eight bytes.
//! Little-endian throughout. Pure: bytes in, bytes out.

use std::ops::Range;

/// What a file is of: eight letters and the version of its sections.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub magic: [u8; 8],
    pub version: u32,
    pub sections: usize,
}

/// Why bytes are not of a form. Reads on after "because".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlatFault {
    #[error("it is of another kind")]
    Foreign,
    #[error("its form is version {found} and this build reads version {wanted}")]
    Version { found: u32, wanted: u32 },
    #[error("it is not as long as its header says")]
    Size,
}

/// A file that is being made: every section has its place, and is zero until it is written.
pub struct Draft {
    bytes: Vec<u8>,
    sections: Vec<Range<usize>>,
}

impl Form {
    /// Magic, version, number of sections, then the bytes of each section.
    fn header_bytes(&self) -> usize {
        16 + 8 * self.sections
    }

    /// A file with sections of these lengths.
    pub fn draft(&self, lengths: impl Iterator<Item = usize>) -> Draft {
        let (mut end, mut sections) = (self.header_bytes(), Vec::with_capacity(self.sections));
        for length in lengths {
            sections.push(end..end + length);
            end = (end + length).next_multiple_of(8);
        }
        assert_eq!(sections.len(), self.sections, "a form has all of its sections");
        let mut bytes = Vec::with_capacity(end);
        bytes.extend(self.magic);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((self.sections as u32).to_le_bytes());
        sections.iter().for_each(|section| bytes.extend((section.len() as u64).to_le_bytes()));
        bytes.resize(end, 0);
        Draft { bytes, sections }
    }

    pub fn write(&self, sections: &[Vec<u8>]) -> Vec<u8> {
        let mut draft = self.draft(sections.iter().map(Vec::len));
        sections.iter().enumerate().for_each(|(at, section)| draft.section(at).copy_from_slice(section));
        draft.bytes
    }

    /// The sections of a file that is as long as its header says.
    pub fn parse<'b>(&self, bytes: &'b [u8]) -> Result<Vec<&'b [u8]>, FlatFault> {
        Ok(self.ranges(bytes)?.into_iter().map(|range| &bytes[range]).collect())
    }

    /// Where the sections are.
    pub fn ranges(&self, bytes: &[u8]) -> Result<Vec<Range<usize>>, FlatFault> {
        let header = bytes.get(..self.header_bytes()).ok_or(FlatFault::Size)?;
        if header[..8] != self.magic {
            return Err(FlatFault::Foreign);
        }
        let (numbers, _) = header[8..].as_chunks::<4>();
        let found = u32::from_le_bytes(numbers[0]);
        if found != self.version {
            return Err(FlatFault::Version { found, wanted: self.version });
        }
        if u32::from_le_bytes(numbers[1]) as usize != self.sections {
            return Err(FlatFault::Size);
        }
        let (mut start, mut ranges) = (self.header_bytes(), Vec::with_capacity(self.sections));
        for length in header[16..].as_chunks::<8>().0 {
            let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| FlatFault::Size)?;
            let end = start.checked_add(length).filter(|end| *end <= bytes.len()).ok_or(FlatFault::Size)?;
            ranges.push(start..end);
            start = end.next_multiple_of(8);
        }
        if start == bytes.len() { Ok(ranges) } else { Err(FlatFault::Size) }
    }
}

impl Draft {
    pub fn section(&mut self, at: usize) -> &mut [u8] {
        &mut self.bytes[self.sections[at].clone()]
    }

    /// Writes rows into a section, from its start.
    pub fn fill<const WIDTH: usize>(&mut self, at: usize, rows: impl Iterator<Item = [u8; WIDTH]>) {
        let (places, _) = self.section(at).as_chunks_mut::<WIDTH>();
        places.iter_mut().zip(rows).for_each(|(place, row)| *place = row);
    }

    /// Writes one row of a section.
    pub fn put<const WIDTH: usize>(&mut self, section: usize, row: usize, value: [u8; WIDTH]) {
        let start = self.sections[section].start + WIDTH * row;
        self.bytes[start..start + WIDTH].copy_from_slice(&value);
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// A section as rows of so many bytes. None if there are not so many rows.
pub fn rows<const WIDTH: usize>(section: &[u8], count: usize) -> Option<&[[u8; WIDTH]]> {
    let (rows, rest) = section.as_chunks();
    (rest.is_empty() && rows.len() == count).then_some(rows)
}

/// A little-endian number of any width up to that of a pointer.
#[inline]
pub fn number<const WIDTH: usize>(bytes: &[u8; WIDTH]) -> usize {
    let mut wide = [0; 8];
    wide[..WIDTH].copy_from_slice(bytes);
    u64::from_le_bytes(wide) as usize
}

/// Whether no number is smaller than the one before it. It looks at all of them whatever it finds: the compiler makes
/// such a loop compare many at a time.
pub fn is_rising<const WIDTH: usize>(numbers: &[[u8; WIDTH]]) -> bool {
    numbers.windows(2).fold(true, |rises, pair| rises & (number(&pair[0]) <= number(&pair[1])))
}

/// Strings one behind the other, found by number. `WIDTH` is that of their offsets.
#[derive(Clone, Copy)]
pub struct Strings<'b, const WIDTH: usize = 4> {
    offsets: &'b [[u8; WIDTH]],
    text: &'b str,
}

impl<'b, const WIDTH: usize> Strings<'b, WIDTH> {
    /// None unless every offset is in order, inside the text and between two characters.
    pub fn parse(offsets: &'b [u8], text: &'b [u8]) -> Option<Self> {
        let (offsets, rest) = offsets.as_chunks();
        let text = std::str::from_utf8(text).ok()?;
        let is_sound = rest.is_empty()
            && offsets.first().map(number) == Some(0)
            && offsets.last().map(number) == Some(text.len())
            && is_rising(offsets)
            && offsets.iter().all(|offset| text.is_char_boundary(number(offset)));
        is_sound.then_some(Strings { offsets, text })
    }

    pub fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn get(&self, at: usize) -> &'b str {
        &self.text[number(&self.offsets[at])..number(&self.offsets[at + 1])]
    }

    pub fn iter(&self) -> impl Iterator<Item = &'b str> {
        let strings = *self;
        (0..self.count()).map(move |at| strings.get(at))
    }

    /// The number of a string among sorted ones.
    pub fn find(&self, wanted: &str) -> Option<usize> {
        find(self.count(), wanted, |at| self.get(at))
    }
}

/// The number of a string among sorted ones: of equal ones the first.
pub fn find<'s>(count: usize, wanted: &str, get: impl Fn(usize) -> &'s str) -> Option<usize> {
    let at = first_not_before(count, wanted, &get);
    (at < count && get(at) == wanted).then_some(at)
}

/// The number of the first of some sorted strings that is not before this one.
pub fn first_not_before<'s>(count: usize, wanted: &str, get: impl Fn(usize) -> &'s str) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if get(middle) < wanted { low = middle + 1 } else { high = middle }
    }
    low
}

/// The two sections of [`Strings`].
pub fn string_sections<'s>(strings: impl Iterator<Item = &'s str>) -> [Vec<u8>; 2] {
    let (mut offsets, mut text) = (0u32.to_le_bytes().to_vec(), Vec::new());
    for string in strings {
        text.extend_from_slice(string.as_bytes());
        let end = u32::try_from(text.len()).expect("the names of a shard are far smaller than 4 GiB");
        offsets.extend(end.to_le_bytes());
    }
    [offsets, text]
}

/// The two sections of [`Strings`] with offsets of 64 bits.
pub fn wide_sections<'s>(texts: impl Iterator<Item = &'s [u8]>) -> [Vec<u8>; 2] {
    let (mut offsets, mut all) = (0u64.to_le_bytes().to_vec(), Vec::new());
    for text in texts {
        all.extend_from_slice(text);
        offsets.extend((all.len() as u64).to_le_bytes());
    }
    [offsets, all]
}

/// A number in groups of seven bits, the lowest first.
pub fn push_varint(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front; None at the end, or where no number of 32 bits stands.
#[inline]
pub fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let (mut number, mut shift) = (0u32, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: Form = Form { magic: *b"ctxptest", version: 3, sections: 2 };

    #[test]
    fn sections_come_back_and_every_cut_is_refused() {
        let sections = [b"abc".to_vec(), Vec::new()];
        let bytes = FORM.write(&sections);
        assert_eq!(FORM.parse(&bytes).unwrap(), [&b"abc"[..], &[]]);
        for length in 0..bytes.len() {
            assert!(FORM.parse(&bytes[..length]).is_err());
        }
        let newer = Form { version: 4, ..FORM };
        assert_eq!(newer.parse(&bytes), Err(FlatFault::Version { found: 3, wanted: 4 }));
        let other = Form { magic: *b"ctxpelse", ..FORM };
        assert_eq!(other.parse(&bytes), Err(FlatFault::Foreign));
    }

    #[test]
    fn strings_are_found() {
        let [offsets, text] = string_sections(["a", "bé", "c"].into_iter());
        let strings: Strings = Strings::parse(&offsets, &text).unwrap();
        assert_eq!(strings.iter().collect::<Vec<_>>(), ["a", "bé", "c"]);
        assert_eq!(["bé", "b"].map(|name| strings.find(name)), [Some(1), None]);
        let cut_character = [0u32, 1, 3, 5].iter().flat_map(|at| at.to_le_bytes()).collect::<Vec<_>>();
        assert!(Strings::<4>::parse(&cut_character, &text).is_none());
    }

    #[test]
    fn varints_come_back() {
        for number in [0, 1, 127, 128, 300, 1 << 20, u32::MAX] {
            let mut bytes = Vec::new();
            push_varint(number, &mut bytes);
            assert_eq!(take_varint(&mut &bytes[..]), Some(number));
        }
        assert_eq!(take_varint(&mut &[0x80, 0x80][..]), None);
    }
}
