//! The form of an accelerator's file: a header, then sections, each at a multiple of eight bytes.
//! Little-endian throughout. Pure: bytes in, bytes out.

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

impl Form {
    /// Magic, version, number of sections, then the bytes of each section.
    fn header_bytes(&self) -> usize {
        16 + 8 * self.sections
    }

    pub fn write(&self, sections: &[Vec<u8>]) -> Vec<u8> {
        assert_eq!(sections.len(), self.sections, "a form has all of its sections");
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((self.sections as u32).to_le_bytes());
        sections.iter().for_each(|section| bytes.extend((section.len() as u64).to_le_bytes()));
        for section in sections {
            bytes.extend_from_slice(section);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        bytes
    }

    /// The sections of a file that is as long as its header says.
    pub fn parse<'b>(&self, bytes: &'b [u8]) -> Result<Vec<&'b [u8]>, FlatFault> {
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
        let (mut rest, mut sections) = (&bytes[self.header_bytes()..], Vec::with_capacity(self.sections));
        for length in header[16..].as_chunks::<8>().0 {
            let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| FlatFault::Size)?;
            let whole = length.checked_next_multiple_of(8).ok_or(FlatFault::Size)?;
            let section = rest.get(..whole).ok_or(FlatFault::Size)?;
            sections.push(&section[..length]);
            rest = &rest[whole..];
        }
        if rest.is_empty() { Ok(sections) } else { Err(FlatFault::Size) }
    }
}

/// A section of numbers of 32 bits; None if it is not of that many.
pub fn numbers(section: &[u8], count: usize) -> Option<&[[u8; 4]]> {
    let (numbers, rest) = section.as_chunks();
    (rest.is_empty() && numbers.len() == count).then_some(numbers)
}

/// Strings one behind the other, found by number.
#[derive(Clone, Copy)]
pub struct Strings<'b> {
    offsets: &'b [[u8; 4]],
    text: &'b str,
}

impl<'b> Strings<'b> {
    /// None unless every border is in order, inside the text and between two characters.
    pub fn parse(offsets: &'b [u8], text: &'b [u8]) -> Option<Self> {
        let (offsets, rest) = offsets.as_chunks::<4>();
        let text = std::str::from_utf8(text).ok()?;
        let all = || offsets.iter().map(|offset| u32::from_le_bytes(*offset) as usize);
        let sound = rest.is_empty()
            && all().next() == Some(0)
            && all().next_back() == Some(text.len())
            && all().is_sorted()
            && all().all(|offset| text.is_char_boundary(offset));
        sound.then_some(Strings { offsets, text })
    }

    pub fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn get(&self, at: usize) -> &'b str {
        let offset = |at: usize| u32::from_le_bytes(self.offsets[at]) as usize;
        &self.text[offset(at)..offset(at + 1)]
    }

    pub fn iter(&self) -> impl Iterator<Item = &'b str> {
        let strings = *self;
        (0..self.count()).map(move |at| strings.get(at))
    }

    /// The number of a string among sorted ones.
    pub fn find(&self, wanted: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle).cmp(wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }
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
        let strings = Strings::parse(&offsets, &text).unwrap();
        assert_eq!(strings.iter().collect::<Vec<_>>(), ["a", "bé", "c"]);
        assert_eq!(["bé", "b"].map(|name| strings.find(name)), [Some(1), None]);
        let cut_character = [0u32, 1, 3, 5].iter().flat_map(|at| at.to_le_bytes()).collect::<Vec<_>>();
        assert!(Strings::parse(&cut_character, &text).is_none());
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
