//! Reads some fields of canonical lines, borrowing their strings.
//!
//! A canonical line has its keys in order and no whitespace between its tokens, so a reader knows what can come next.
//! This is several times faster than parsing arbitrary JSON.

use std::borrow::Cow;

use serde::de::value::{BorrowedStrDeserializer, U64Deserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

use super::bytes::find_quote_or_backslash;

/// Reads a value from a canonical line. A struct takes its own fields and ignores the others; the line is read only
/// up to the last of them.
pub fn read<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, ReadFault> {
    T::deserialize(&mut Reader { line, at: 0, depth: 0 })
}

/// A line that does not have the expected form.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReadFault(Box<str>);

impl de::Error for ReadFault {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        ReadFault(message.to_string().into())
    }
}

/// A line and the current position in it.
struct Reader<'l> {
    line: &'l str,
    at: usize,
    /// How many structs are currently being read.
    depth: usize,
}

impl<'l> Reader<'l> {
    #[cold]
    fn fault(&self, expected: &str) -> ReadFault {
        ReadFault(format!("expected {expected} at byte {}", self.at).into())
    }

    #[inline(always)]
    fn next(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    /// Consumes this byte if it is the next one.
    #[inline(always)]
    fn take(&mut self, byte: u8) -> bool {
        let found = self.next() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[inline(always)]
    fn expect(&mut self, byte: u8) -> Result<(), ReadFault> {
        if self.take(byte) { Ok(()) } else { Err(self.fault(&format!("`{}`", char::from(byte)))) }
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.line.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += if found { word.len() } else { 0 };
        found
    }

    #[inline]
    fn text(&mut self) -> Result<Cow<'l, str>, ReadFault> {
        let start = self.at;
        let (inside, is_plain) = self.pass_text()?;
        if is_plain {
            return Ok(Cow::Borrowed(inside));
        }
        serde_json::from_str(&self.line[start..self.at]).map(Cow::Owned).map_err(de::Error::custom)
    }

    /// Consumes a string. Returns the text between the quotes, and whether it has no escapes.
    #[inline]
    fn pass_text(&mut self) -> Result<(&'l str, bool), ReadFault> {
        self.expect(b'"')?;
        let (start, mut is_plain) = (self.at, true);
        loop {
            let rest = &self.line.as_bytes()[self.at..];
            self.at += find_quote_or_backslash(rest).ok_or_else(|| self.fault("the end of a text"))?;
            if self.line.as_bytes()[self.at] == b'"' {
                self.at += 1;
                return Ok((&self.line[start..self.at - 1], is_plain));
            }
            is_plain = false;
            self.at = (self.at + 2).min(self.line.len());
        }
    }

    #[inline]
    fn number(&mut self) -> Result<u64, ReadFault> {
        let (mut number, start) = (0u64, self.at);
        // 19 digits never overflow, and no count of a record has more.
        while let Some(digit @ b'0'..=b'9') = self.next().filter(|_| self.at < start + 19) {
            number = 10 * number + u64::from(digit - b'0');
            self.at += 1;
        }
        let is_whole = self.at > start && !matches!(self.next(), Some(b'0'..=b'9' | b'.' | b'e'));
        if is_whole { Ok(number) } else { Err(self.fault("a whole number")) }
    }

    /// Skips a value of any kind and returns its text.
    fn skip(&mut self) -> Result<&'l str, ReadFault> {
        let (start, mut depth) = (self.at, 0);
        loop {
            match self.next() {
                Some(b'"') => self.pass_text().map(drop)?,
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':') if depth > 0 => self.at += 1,
                Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.') => self.skip_word(),
                _ => return Err(self.fault("a value")),
            }
            if depth == 0 {
                return Ok(&self.line[start..self.at]);
            }
        }
    }

    /// Skips a number, a Boolean or null.
    fn skip_word(&mut self) {
        let rest = &self.line.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| matches!(byte, b',' | b':' | b'}' | b']')).unwrap_or(rest.len());
    }

    /// Skips the rest of a struct after all wanted fields were read.
    fn skip_fields(&mut self) -> Result<(), ReadFault> {
        while !self.take(b'}') {
            self.take(b',');
            self.pass_text()?;
            self.expect(b':')?;
            self.skip()?;
        }
        Ok(())
    }
}

/// Reads the types that rows of records consist of. All others are left to serde_json.
impl<'l> Deserializer<'l> for &mut Reader<'l> {
    type Error = ReadFault;

    fn deserialize_any<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
        let value = self.skip()?;
        serde_json::Deserializer::from_str(value).deserialize_any(visitor).map_err(de::Error::custom)
    }

    fn deserialize_bool<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
        if self.take_word("true") {
            visitor.visit_bool(true)
        } else if self.take_word("false") {
            visitor.visit_bool(false)
        } else {
            Err(self.fault("true or false"))
        }
    }

    #[inline]
    fn deserialize_u32<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
        visitor.visit_u64(self.number()?)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
        match self.text()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
        if self.take_word("null") { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'l>>(self, _: &'static str, visitor: V) -> Result<V::Value, ReadFault> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
        self.expect(b'[')?;
        let mut list = List { is_first: true, has_ended: false, reader: self };
        let value = visitor.visit_seq(&mut list)?;
        // A tuple does not read the token after its last value.
        if !list.has_ended {
            self.expect(b']')?;
        }
        Ok(value)
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'l>>(self, _: usize, visitor: V) -> Result<V::Value, ReadFault> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'l>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ReadFault> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'l>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadFault> {
        self.expect(b'{')?;
        self.depth += 1;
        let value =
            visitor.visit_map(Fields { reader: self, fields, next: 0, missing: fields.len(), is_first: true })?;
        self.depth -= 1;
        if self.depth > 0 {
            self.skip_fields()?;
        }
        Ok(value)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'l>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadFault> {
        if self.next() == Some(b'"') {
            let (word, _) = self.pass_text()?;
            return visitor.visit_enum(BorrowedStrDeserializer::new(word));
        }
        let value = self.skip()?;
        serde_json::Deserializer::from_str(value).deserialize_enum(name, variants, visitor).map_err(de::Error::custom)
    }

    fn deserialize_ignored_any<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
        self.skip()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        <V: Visitor<'l>>
        i8 i16 i32 i64 i128 u8 u16 u64 u128 f32 f64 char bytes byte_buf unit unit_struct map identifier
    }
}

struct List<'r, 'l> {
    reader: &'r mut Reader<'l>,
    is_first: bool,
    has_ended: bool,
}

impl<'l> SeqAccess<'l> for &mut List<'_, 'l> {
    type Error = ReadFault;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'l>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadFault> {
        self.has_ended = self.reader.take(b']');
        if self.has_ended {
            return Ok(None);
        }
        if !std::mem::replace(&mut self.is_first, false) {
            self.reader.expect(b',')?;
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

/// The fields of a struct, as they occur in a line.
struct Fields<'r, 'l> {
    reader: &'r mut Reader<'l>,
    fields: &'static [&'static str],
    /// The field that is most likely to come next.
    next: usize,
    /// How many fields were not read yet.
    missing: usize,
    is_first: bool,
}

impl Fields<'_, '_> {
    /// Reads a key, and gives its field. Mostly it is the next one.
    #[inline]
    fn read_key(&mut self) -> Result<Option<usize>, ReadFault> {
        let rest = &self.reader.line.as_bytes()[self.reader.at..];
        if let Some(field) = self.fields.get(self.next).map(|field| field.as_bytes())
            && rest.len() > field.len() + 2
            && rest[1..].starts_with(field)
            && (rest[0], rest[field.len() + 1], rest[field.len() + 2]) == (b'"', b'"', b':')
        {
            self.reader.at += field.len() + 3;
            return Ok(Some(self.next));
        }
        let (key, _) = self.reader.pass_text()?;
        self.reader.expect(b':')?;
        Ok(self.find(key))
    }

    fn find(&self, key: &str) -> Option<usize> {
        let from_next = self.fields[self.next..].iter().position(|field| *field == key).map(|at| self.next + at);
        from_next.or_else(|| self.fields[..self.next].iter().position(|field| *field == key))
    }
}

impl<'l> MapAccess<'l> for Fields<'_, 'l> {
    type Error = ReadFault;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'l>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadFault> {
        while self.missing > 0 && self.reader.next() != Some(b'}') {
            if !std::mem::replace(&mut self.is_first, false) {
                self.reader.expect(b',')?;
            }
            if let Some(field) = self.read_key()? {
                (self.next, self.missing) = (field + 1, self.missing - 1);
                let field: U64Deserializer<ReadFault> = (field as u64).into_deserializer();
                return seed.deserialize(field).map(Some);
            }
            self.reader.skip()?;
        }
        Ok(None)
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'l>>(&mut self, seed: T) -> Result<T::Value, ReadFault> {
        seed.deserialize(&mut *self.reader)
    }
}
