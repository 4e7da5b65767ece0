//! Reads some fields of canonical lines, borrowing their strings.
//!
//! A canonical line has its keys in order and no whitespace between its tokens, so a reader knows what can come next.
//! This is several times faster than parsing arbitrary JSON.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

use super::bytes::{find_quote_or_backslash, leading_number};

/// Reads a value from a canonical line. A struct takes its own fields, which must be declared in the order of their
/// keys, and ignores the others; the line is read only up to the last of them.
pub fn read<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, ReadFault> {
    T::deserialize(&mut Reader { line, at: 0, depth: 0 })
}

/// A line that does not have the expected form.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault {
    /// So many values were read of a struct or tuple that has more.
    #[error("it ends after {0} values")]
    Ends(usize),
    #[error("{0}")]
    Other(Box<str>),
}

impl de::Error for ReadFault {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        ReadFault::Other(message.to_string().into())
    }

    fn invalid_length(length: usize, _: &dyn de::Expected) -> Self {
        ReadFault::Ends(length)
    }
}

/// A line and the current position in it.
struct Reader<'l> {
    line: &'l str,
    at: usize,
    /// How many structs and lists are currently being read.
    depth: usize,
}

impl<'l> Reader<'l> {
    #[cold]
    fn fault(&self, expected: &str) -> ReadFault {
        ReadFault::Other(format!("expected {expected} at byte {}", self.at).into())
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

    /// Consumes the comma before a key, if there is one, the key and its colon, if it is the next one.
    #[inline(always)]
    fn take_key(&mut self, key: &str) -> bool {
        let rest = &self.line.as_bytes()[self.at..];
        let rest = rest.strip_prefix(b",").unwrap_or(rest);
        let rest = rest.strip_prefix(b"\"").and_then(|rest| rest.strip_prefix(key.as_bytes()));
        let Some(rest) = rest.and_then(|rest| rest.strip_prefix(b"\":")) else { return false };
        self.at = self.line.len() - rest.len();
        true
    }

    /// Whether the next key sorts after this one, or there is none. Only the first bytes are compared, all at a time:
    /// no means not known.
    #[inline(always)]
    fn is_past_key(&self, key: &str) -> bool {
        let rest = &self.line.as_bytes()[self.at..];
        let rest = rest.strip_prefix(b",").unwrap_or(rest);
        if let Some((b'"', next)) = rest.split_first()
            && let Some(next) = next.first_chunk::<8>()
        {
            return u64::from_be_bytes(*next) > last_with_prefix(key.as_bytes());
        }
        rest.first() == Some(&b'}')
    }

    /// Skips the fields whose keys come before this one, then consumes this one, if it is there.
    #[cold]
    fn seek_key(&mut self, key: &str) -> Result<bool, ReadFault> {
        loop {
            let start = self.at;
            self.take(b',');
            let rest = self.line.as_bytes()[self.at..].strip_prefix(b"\"").unwrap_or_default();
            // The quote behind a key sorts before all letters, so that it may be compared as a part of the key.
            if self.next() == Some(b'}') || &rest[..rest.len().min(key.len())] > key.as_bytes() {
                self.at = start;
                return Ok(false);
            }
            let (found, _) = self.pass_text()?;
            if found > key {
                self.at = start;
                return Ok(false);
            }
            self.expect(b':')?;
            if found == key {
                return Ok(true);
            }
            self.skip()?;
        }
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
        let rest = &self.line.as_bytes()[self.at..];
        let (number, count) = leading_number(rest);
        self.at += count;
        let is_whole = count > 0 && !matches!(rest.get(count), Some(b'0'..=b'9' | b'.' | b'e'));
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

    fn deserialize_u64<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
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
        self.depth += 1;
        let mut list = List { is_first: true, has_ended: false, reader: self };
        let value = visitor.visit_seq(&mut list).map_err(too_short)?;
        let has_ended = list.has_ended;
        self.depth -= 1;
        // A tuple does not read the token after its last value.
        if !has_ended {
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
        debug_assert!(fields.is_sorted(), "fields must be declared in the order of their keys: {fields:?}");
        self.expect(b'{')?;
        self.depth += 1;
        let value = visitor.visit_seq(Fields { reader: self, fields }).map_err(|fault| lacks_field(fault, fields))?;
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
        i8 i16 i32 i64 i128 u8 u16 u128 f32 f64 char bytes byte_buf unit unit_struct map identifier
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

    #[inline(always)]
    fn next_element<T: Deserialize<'l>>(&mut self) -> Result<Option<T>, ReadFault> {
        self.next_element_seed(PhantomData)
    }

    /// A guess for the lists of a record. Lists inside of them give none, so that guesses do not add up.
    fn size_hint(&self) -> Option<usize> {
        let bytes = self.reader.line.len() - self.reader.at;
        (self.reader.depth == LIST_OF_RECORD).then_some(1 + bytes / BYTES_PER_ELEMENT)
    }
}

/// The number of structs and lists that are being read while a list of a record is.
const LIST_OF_RECORD: usize = 2;
/// The length of most references, which are the elements of the longest lists.
const BYTES_PER_ELEMENT: usize = 96;

/// The last number that a text can have whose first bytes are these, as far as the first eight bytes tell.
#[inline(always)]
fn last_with_prefix(prefix: &[u8]) -> u64 {
    let mut bytes = [u8::MAX; 8];
    let length = prefix.len().min(bytes.len());
    bytes[..length].copy_from_slice(&prefix[..length]);
    u64::from_be_bytes(bytes)
}

/// The values of a struct's fields, in the order of their keys, which is the order of the line.
struct Fields<'r, 'l> {
    reader: &'r mut Reader<'l>,
    /// The fields that come next.
    fields: &'static [&'static str],
}

impl<'l> SeqAccess<'l> for Fields<'_, 'l> {
    type Error = ReadFault;

    /// Always inlined: the derived code calls it once per field, so each call compares with a constant key.
    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'l>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadFault> {
        let Some((field, rest)) = self.fields.split_first() else { return Ok(None) };
        self.fields = rest;
        if self.reader.take_key(field) || (!self.reader.is_past_key(field) && self.reader.seek_key(field)?) {
            seed.deserialize(&mut *self.reader).map(Some)
        } else {
            // Gives `None` to an option. Other fields have a default, or their struct refuses the line.
            Ok(seed.deserialize(Absent).ok())
        }
    }

    /// Inlined for the same reason.
    #[inline(always)]
    fn next_element<T: Deserialize<'l>>(&mut self) -> Result<Option<T>, ReadFault> {
        self.next_element_seed(PhantomData)
    }
}

/// The value of a field that a line does not have.
struct Absent;

impl<'l> Deserializer<'l> for Absent {
    type Error = ReadFault;

    fn deserialize_any<V: Visitor<'l>>(self, _: V) -> Result<V::Value, ReadFault> {
        Err(ReadFault::Ends(0))
    }

    fn deserialize_option<V: Visitor<'l>>(self, visitor: V) -> Result<V::Value, ReadFault> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        <V: Visitor<'l>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cold]
fn lacks_field(fault: ReadFault, fields: &[&str]) -> ReadFault {
    match fault {
        ReadFault::Ends(at) => ReadFault::Other(format!("it lacks the field `{}`", fields[at]).into()),
        other => other,
    }
}

/// The fault of a list is not one of the struct around it.
#[cold]
fn too_short(fault: ReadFault) -> ReadFault {
    ReadFault::Other(fault.to_string().into())
}
