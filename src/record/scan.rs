//! Takes a canonical line apart from left to right, borrowing its strings.
//!
//! A canonical line has its keys in order and nothing between its tokens, so a reader knows what can come
//! next. That is several times faster than parsing JSON of any form, and whoever reads tens of megabytes of
//! records to use some of their fields reads them so. What is not as expected is nothing, never a panic.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{BorrowedStrDeserializer, Error};

use super::bytes::find_quote_or_backslash;
use super::{ChunkUid, Range, Site};

/// A line and how far it was read.
pub struct Scan<'l> {
    line: &'l str,
    at: usize,
}

impl<'l> Scan<'l> {
    pub fn new(line: &'l str) -> Self {
        Scan { line, at: 0 }
    }

    /// How many bytes are still to be read.
    pub fn left(&self) -> usize {
        self.line.len() - self.at
    }

    /// Whether everything was read.
    pub fn is_done(&self) -> bool {
        self.left() == 0
    }

    /// Reads these bytes, if they are what comes next.
    #[inline(always)]
    pub fn take(&mut self, token: &str) -> bool {
        let found = self.line.as_bytes()[self.at..].starts_with(token.as_bytes());
        self.at += if found { token.len() } else { 0 };
        found
    }

    /// Reads what must come next.
    #[inline(always)]
    pub fn expect(&mut self, token: &str) -> Option<()> {
        self.take(token).then_some(())
    }

    /// A field that may be missing, from the bytes of its key on.
    #[inline]
    pub fn optional<T>(&mut self, key: &str, value: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.take(key) { value(self).map(Some) } else { Some(None) }
    }

    /// The values of a list, each given to `each`.
    pub fn list(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.expect("[")?;
        if self.take("]") {
            return Some(());
        }
        loop {
            each(self)?;
            if !self.take(",") {
                return self.expect("]");
            }
        }
    }

    #[inline]
    pub fn text(&mut self) -> Option<Cow<'l, str>> {
        let start = self.at;
        let (inside, is_plain) = self.pass_text()?;
        match is_plain {
            true => Some(Cow::Borrowed(inside)),
            false => serde_json::from_str(&self.line[start..self.at]).ok().map(Cow::Owned),
        }
    }

    /// Reads a text that nobody wants.
    pub fn skip_text(&mut self) -> Option<()> {
        self.pass_text().map(drop)
    }

    /// What stands between the quotes, and whether it is what the text says.
    #[inline]
    fn pass_text(&mut self) -> Option<(&'l str, bool)> {
        self.expect("\"")?;
        let (start, mut is_plain) = (self.at, true);
        loop {
            let rest = &self.line.as_bytes()[self.at..];
            self.at += find_quote_or_backslash(rest)?;
            if self.line.as_bytes()[self.at] == b'"' {
                self.at += 1;
                return Some((&self.line[start..self.at - 1], is_plain));
            }
            is_plain = false;
            self.at = (self.at + 2).min(self.line.len());
        }
    }

    /// One of an enum's words.
    pub fn word<T: Deserialize<'l>>(&mut self) -> Option<T> {
        let (word, _) = self.pass_text()?;
        let word: BorrowedStrDeserializer<'l, Error> = BorrowedStrDeserializer::new(word);
        T::deserialize(word.into_deserializer()).ok()
    }

    #[inline]
    pub fn number(&mut self) -> Option<u32> {
        let (mut number, mut count) = (0u64, 0);
        // One digit more than 32 bits ever have, so that it cannot overflow.
        for byte in self.line.as_bytes()[self.at..].iter().take(11) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            number = 10 * number + u64::from(digit);
            count += 1;
        }
        self.at += count;
        u32::try_from(number).ok().filter(|_| count > 0)
    }

    pub fn truth(&mut self) -> Option<bool> {
        if self.take("true") { Some(true) } else { self.take("false").then_some(false) }
    }

    pub fn chunk_uid(&mut self) -> Option<ChunkUid> {
        ChunkUid::parse(self.pass_text()?.0)
    }

    /// A [`Range`], or anything of its form.
    #[inline]
    pub fn range(&mut self) -> Option<Range> {
        self.expect("{\"end\":")?;
        let end = self.number()?;
        self.expect(",\"start\":")?;
        let start = self.number()?;
        self.expect("}")?;
        Some(Range { end, start })
    }

    #[inline]
    pub fn site(&mut self) -> Option<Site> {
        self.expect("[")?;
        let start = self.number()?;
        self.expect(",")?;
        let end = self.number()?;
        self.expect(",")?;
        let line = self.number()?;
        self.expect(",")?;
        let column = self.number()?;
        self.expect("]")?;
        Some(Site(start, end, line, column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Role;

    #[test]
    fn what_a_line_holds_comes_out() {
        let mut scan = Scan::new(r#"["plain","a\"b\\","\\",""]"#);
        let mut texts = Vec::new();
        let each = |scan: &mut Scan| {
            texts.push(scan.text()?.into_owned());
            Some(())
        };
        scan.list(each).unwrap();
        assert_eq!(texts, ["plain", "a\"b\\", "\\", ""]);
        assert!(scan.is_done());
        assert_eq!(Scan::new("[1,20,3,0]").site(), Some(Site(1, 20, 3, 0)));
        assert_eq!(Scan::new(r#"{"end":7,"start":4}"#).range(), Some(Range { start: 4, end: 7 }));
        assert_eq!(Scan::new(r#""inherit""#).word(), Some(Role::Inherit));
        assert_eq!(Scan::new(r#""xxh64:00000000000000ff""#).chunk_uid(), Some(ChunkUid::from_hash(255)));
        assert_eq!(Scan::new("false").truth(), Some(false));
    }

    #[test]
    fn what_is_something_else_is_nothing() {
        for line in ["", "\"", "\"a", "\"a\\", "\"a\\\"", "\"\\", "x", "\"é"] {
            assert_eq!(Scan::new(line).text(), None, "{line}");
        }
        for line in ["", "-1", "4294967296", "a"] {
            assert_eq!(Scan::new(line).number(), None, "{line}");
        }
        for line in ["", "[", "[1,2,3]", "[1,2,3,4", "[1 ,2,3,4]"] {
            assert_eq!(Scan::new(line).site(), None, "{line}");
        }
        assert_eq!(Scan::new("\"inherits\"").word::<Role>(), None);
        assert_eq!(Scan::new("[1,]").list(|scan| scan.number().map(drop)), None);
        assert_eq!(Scan::new("\"xxh64:00000000000000f\"").chunk_uid(), None);
    }
}
