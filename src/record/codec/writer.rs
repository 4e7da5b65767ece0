//! Writes values as canonical JSON.

use serde::Serialize;
use serde::ser::{self, Impossible};

use super::bytes::find_escaped;
use super::reader::entries;

/// Appends a value as canonical JSON. The keys of an object may come in any order; sorted keys are the fastest.
pub fn write<T: Serialize + ?Sized>(value: &T, bytes: &mut Vec<u8>) -> Result<(), WriteFault> {
    value.serialize(&mut Writer { bytes })
}

/// A value that JSON cannot represent.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WriteFault(Box<str>);

impl ser::Error for WriteFault {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        WriteFault(message.to_string().into())
    }
}

type Written = Result<(), WriteFault>;

struct Writer<'b> {
    bytes: &'b mut Vec<u8>,
}

impl Writer<'_> {
    #[inline]
    fn raw(&mut self, json: &str) {
        self.bytes.extend_from_slice(json.as_bytes());
    }

    #[inline]
    fn text(&mut self, text: &str) {
        self.bytes.reserve(text.len() + 2);
        self.bytes.push(b'"');
        let mut rest = text.as_bytes();
        while let Some(at) = find_escaped(rest) {
            self.bytes.extend_from_slice(&rest[..at]);
            self.escape(rest[at]);
            rest = &rest[at + 1..];
        }
        self.bytes.extend_from_slice(rest);
        self.bytes.push(b'"');
    }

    fn escape(&mut self, byte: u8) {
        let letter = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0c => b'f',
            b'\r' => b'r',
            _ => return self.bytes.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        };
        self.bytes.extend_from_slice(&[b'\\', letter]);
    }

    #[inline]
    fn number(&mut self, mut rest: u64) {
        let (mut digits, mut start) = ([0; 20], 20);
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                return self.bytes.extend_from_slice(&digits[start..]);
            }
        }
    }

    /// A fraction of one in millionths: the form of a [`Score`](crate::record::Score).
    fn millionths(&mut self, mut rest: u32) {
        let mut digits = *b"0.000000";
        for digit in digits[2..].iter_mut().rev() {
            *digit += (rest % 10) as u8;
            rest /= 10;
        }
        let end = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        self.bytes.extend_from_slice(&digits[..end]);
    }

    #[inline]
    fn object(&mut self) -> Object<'_> {
        self.bytes.push(b'{');
        Object { start: self.bytes.len(), is_sorted: true, end: "}", bytes: self.bytes }
    }

    #[inline]
    fn fields(&mut self) -> Fields<'_> {
        Fields { object: self.object(), last_key: "" }
    }

    fn list(&mut self) -> List<'_> {
        self.bytes.push(b'[');
        List { start: self.bytes.len(), bytes: self.bytes }
    }
}

impl<'w> ser::Serializer for &'w mut Writer<'_> {
    type Ok = ();
    type Error = WriteFault;
    type SerializeSeq = List<'w>;
    type SerializeTuple = List<'w>;
    type SerializeTupleStruct = List<'w>;
    type SerializeTupleVariant = Impossible<(), WriteFault>;
    type SerializeMap = Entries<'w>;
    type SerializeStruct = Fields<'w>;
    type SerializeStructVariant = Fields<'w>;

    fn serialize_bool(self, value: bool) -> Written {
        self.raw(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, number: i8) -> Written {
        self.serialize_i64(number.into())
    }

    fn serialize_i16(self, number: i16) -> Written {
        self.serialize_i64(number.into())
    }

    fn serialize_i32(self, number: i32) -> Written {
        self.serialize_i64(number.into())
    }

    fn serialize_i64(self, number: i64) -> Written {
        if number < 0 {
            self.raw("-");
        }
        self.number(number.unsigned_abs());
        Ok(())
    }

    fn serialize_u8(self, number: u8) -> Written {
        self.serialize_u64(number.into())
    }

    fn serialize_u16(self, number: u16) -> Written {
        self.serialize_u64(number.into())
    }

    #[inline]
    fn serialize_u32(self, number: u32) -> Written {
        self.serialize_u64(number.into())
    }

    #[inline]
    fn serialize_u64(self, number: u64) -> Written {
        self.number(number);
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Written {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> Written {
        let millionths = (number * 1e6).round();
        if millionths > 0.0 && millionths < 1e6 && millionths / 1e6 == number {
            self.millionths(millionths as u32);
            return Ok(());
        }
        serde_json_canonicalizer::to_writer(&number, self.bytes).map_err(ser::Error::custom)
    }

    fn serialize_char(self, character: char) -> Written {
        self.serialize_str(character.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Written {
        self.text(text);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Written {
        Err(ser::Error::custom("JSON has no form for bytes"))
    }

    fn serialize_none(self) -> Written {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.raw("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        let mut fields = self.fields();
        fields.field(variant, value)?;
        fields.object.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'w>, WriteFault> {
        Ok(self.list())
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<List<'w>, WriteFault> {
        Ok(self.list())
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'w>, WriteFault> {
        Ok(self.list())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, WriteFault> {
        Err(ser::Error::custom(format_args!("records have no variants with several unnamed fields, as `{variant}`")))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'w>, WriteFault> {
        Ok(Entries { object: self.object(), last_key: 0..0 })
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'w>, WriteFault> {
        Ok(self.fields())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields<'w>, WriteFault> {
        self.raw("{");
        self.text(variant);
        self.raw(":");
        let mut fields = self.fields();
        fields.object.end = "}}";
        Ok(fields)
    }
}

/// An array that is being written.
struct List<'w> {
    bytes: &'w mut Vec<u8>,
    /// The position of its first value.
    start: usize,
}

impl List<'_> {
    #[inline]
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        if self.bytes.len() > self.start {
            self.bytes.push(b',');
        }
        write(value, self.bytes)
    }

    fn close(self) -> Written {
        self.bytes.push(b']');
        Ok(())
    }
}

/// A struct that is being written.
struct Fields<'w> {
    object: Object<'w>,
    last_key: &'static str,
}

/// A map that is being written.
struct Entries<'w> {
    object: Object<'w>,
    last_key: std::ops::Range<usize>,
}

/// The parts that structs and maps share.
struct Object<'w> {
    bytes: &'w mut Vec<u8>,
    /// The position of its first key.
    start: usize,
    /// Whether all keys so far were in order.
    is_sorted: bool,
    end: &'static str,
}

impl Object<'_> {
    #[inline]
    fn separate(&mut self) {
        if self.bytes.len() > self.start {
            self.bytes.push(b',');
        }
    }

    #[inline]
    fn close(self) -> Written {
        if !self.is_sorted {
            sort_entries(self.bytes, self.start);
        }
        self.bytes.extend_from_slice(self.end.as_bytes());
        Ok(())
    }
}

impl Fields<'_> {
    /// The names of fields are never escaped.
    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.object.is_sorted &= self.last_key < key;
        self.last_key = key;
        self.object.separate();
        let bytes = &mut *self.object.bytes;
        bytes.push(b'"');
        bytes.extend_from_slice(key.as_bytes());
        bytes.extend_from_slice(b"\":");
        write(value, bytes)
    }
}

/// Sorts the entries of an object from `start` on as RFC 8785 requires: by the UTF-16 code units of their keys.
#[cold]
fn sort_entries(bytes: &mut Vec<u8>, start: usize) {
    let object = String::from_utf8(bytes.split_off(start)).expect("JSON is text");
    let mut sorted: Vec<(Vec<u16>, &str)> =
        entries(&object).map(|(key, entry)| (key.encode_utf16().collect(), entry)).collect();
    sorted.sort();
    for (at, (_, entry)) in sorted.into_iter().enumerate() {
        if at > 0 {
            bytes.push(b',');
        }
        bytes.extend_from_slice(entry.as_bytes());
    }
}

impl ser::SerializeSeq for List<'_> {
    type Ok = ();
    type Error = WriteFault;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.push(value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl ser::SerializeTuple for List<'_> {
    type Ok = ();
    type Error = WriteFault;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.push(value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl ser::SerializeTupleStruct for List<'_> {
    type Ok = ();
    type Error = WriteFault;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.push(value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl ser::SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = WriteFault;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.field(key, value)
    }

    #[inline]
    fn end(self) -> Written {
        self.object.close()
    }
}

impl ser::SerializeStructVariant for Fields<'_> {
    type Ok = ();
    type Error = WriteFault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.field(key, value)
    }

    fn end(self) -> Written {
        self.object.close()
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = WriteFault;

    /// A key that is a number becomes a string, as in serde_json.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        self.object.separate();
        let bytes = &mut *self.object.bytes;
        let start = bytes.len();
        write(key, bytes)?;
        if bytes[start] != b'"' {
            bytes.insert(start, b'"');
            bytes.push(b'"');
        }
        // For ASCII, byte order equals UTF-16 order. Keys with escapes cannot be compared as bytes.
        let (last, key) = (&bytes[self.last_key.clone()], &bytes[start + 1..bytes.len() - 1]);
        let is_plain = key.iter().all(|byte| byte.is_ascii() && *byte != b'\\');
        self.object.is_sorted &= is_plain && (start == self.object.start || last < key);
        self.last_key = start + 1..bytes.len() - 1;
        bytes.push(b':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        write(value, self.object.bytes)
    }

    fn end(self) -> Written {
        self.object.close()
    }
}
