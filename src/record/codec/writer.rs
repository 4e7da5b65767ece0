//! Writes values as canonical JSON.

use indexmap::IndexMap;
use serde::Serialize;
use serde::ser;
use serde_json::value::RawValue;

use super::bytes::{find_escaped, is_plain};

/// Appends a value as canonical JSON. The keys of an object may come in any order; sorted keys are the fastest.
pub fn write<T: Serialize + ?Sized>(value: &T, bytes: &mut Vec<u8>) -> Result<(), WriteFault> {
    value.serialize(Writer { bytes })
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
type Opened<'b> = Result<Compound<'b>, WriteFault>;

struct Writer<'b> {
    bytes: &'b mut Vec<u8>,
}

impl<'b> Writer<'b> {
    #[inline]
    fn raw(self, json: &str) -> Written {
        self.bytes.extend_from_slice(json.as_bytes());
        Ok(())
    }

    #[inline]
    fn open(self, start: &str, end: &'static str) -> Opened<'b> {
        self.bytes.extend_from_slice(start.as_bytes());
        Ok(Compound { start: self.bytes.len(), last_key: 0, is_sorted: true, end, bytes: self.bytes })
    }

    /// The names of variants are never escaped.
    fn open_variant(self, variant: &str, start: &str, end: &'static str) -> Opened<'b> {
        self.open(&format!("{{\"{variant}\":{start}"), end)
    }
}

fn push_text(text: &str, bytes: &mut Vec<u8>) {
    bytes.reserve(text.len() + 2);
    bytes.push(b'"');
    let mut rest = text.as_bytes();
    if !is_plain(rest) {
        while let Some(at) = find_escaped(rest) {
            bytes.extend_from_slice(&rest[..at]);
            push_escape(rest[at], bytes);
            rest = &rest[at + 1..];
        }
    }
    bytes.extend_from_slice(rest);
    bytes.push(b'"');
}

fn push_escape(byte: u8, bytes: &mut Vec<u8>) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        _ => return bytes.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
    };
    bytes.extend_from_slice(&[b'\\', letter]);
}

/// A fraction of one in millionths: the form of a [`Score`](crate::record::Score).
fn push_millionths(mut rest: u32, bytes: &mut Vec<u8>) {
    let mut digits = *b"0.000000";
    for digit in digits[2..].iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    let end = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
    bytes.extend_from_slice(&digits[..end]);
}

macro_rules! whole_numbers {
    ($($method:ident($number:ty))*) => {
        $(#[inline]
        fn $method(self, number: $number) -> Written {
            self.raw(itoa::Buffer::new().format(number))
        })*
    };
}

impl<'b> ser::Serializer for Writer<'b> {
    type Ok = ();
    type Error = WriteFault;
    type SerializeSeq = Compound<'b>;
    type SerializeTuple = Compound<'b>;
    type SerializeTupleStruct = Compound<'b>;
    type SerializeTupleVariant = Compound<'b>;
    type SerializeMap = Compound<'b>;
    type SerializeStruct = Compound<'b>;
    type SerializeStructVariant = Compound<'b>;

    whole_numbers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
    }

    fn serialize_f32(self, number: f32) -> Written {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> Written {
        let millionths = (number * 1e6 + 0.5) as u32;
        if (1..1_000_000).contains(&millionths) && f64::from(millionths) / 1e6 == number {
            push_millionths(millionths, self.bytes);
            return Ok(());
        }
        serde_json_canonicalizer::to_writer(&number, self.bytes).map_err(ser::Error::custom)
    }

    fn serialize_bool(self, value: bool) -> Written {
        self.raw(if value { "true" } else { "false" })
    }

    fn serialize_char(self, character: char) -> Written {
        self.serialize_str(character.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Written {
        push_text(text, self.bytes);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Written {
        Err(ser::Error::custom("JSON has no form for bytes"))
    }

    fn serialize_none(self) -> Written {
        self.raw("null")
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.raw("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.raw("null")
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(variant.as_bytes());
        self.raw("\"")
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
        let mut object = self.open("{", "}")?;
        object.field(variant, value)?;
        object.close()
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Opened<'b> {
        self.open("[", "]")
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Opened<'b> {
        self.open("[", "]")
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Opened<'b> {
        self.open("[", "]")
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, variant: &'static str, _: usize) -> Opened<'b> {
        self.open_variant(variant, "[", "]}")
    }

    fn serialize_map(self, _: Option<usize>) -> Opened<'b> {
        self.open("{", "}")
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Opened<'b> {
        self.open("{", "}")
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, variant: &'static str, _: usize) -> Opened<'b> {
        self.open_variant(variant, "{", "}}")
    }
}

/// An array or object that is being written.
struct Compound<'b> {
    bytes: &'b mut Vec<u8>,
    /// The position of its first value or key.
    start: usize,
    /// The first bytes of the last key.
    last_key: u128,
    /// Whether all keys so far are known to be in order.
    is_sorted: bool,
    end: &'static str,
}

impl Compound<'_> {
    #[inline]
    fn separate(&mut self) {
        if self.bytes.len() > self.start {
            self.bytes.push(b',');
        }
    }

    #[inline]
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.separate();
        write(value, self.bytes)
    }

    /// The names of fields are never escaped. Inlined so that the first bytes of the key are a constant.
    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.note_key(first_bytes(key.as_bytes()));
        self.separate();
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(key.as_bytes());
        self.bytes.extend_from_slice(b"\":");
        write(value, self.bytes)
    }

    #[inline(always)]
    fn note_key(&mut self, key: u128) {
        self.is_sorted &= self.last_key < key;
        self.last_key = key;
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

/// Two numbers are in the order of the keys. Keys that start alike have the same number.
#[inline(always)]
fn first_bytes(key: &[u8]) -> u128 {
    let mut first = [0; 16];
    let length = key.len().min(first.len());
    first[..length].copy_from_slice(&key[..length]);
    u128::from_be_bytes(first)
}

/// Sorts the entries of an object from `start` on as RFC 8785 requires: by the UTF-16 code units of their keys.
#[cold]
fn sort_entries(bytes: &mut Vec<u8>, start: usize) {
    let object = format!("{{{}}}", std::str::from_utf8(&bytes[start..]).expect("JSON is text"));
    let object: IndexMap<String, &RawValue> = serde_json::from_str(&object).expect("it was written just now");
    let mut entries: Vec<_> = object.into_iter().collect();
    entries.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    bytes.truncate(start);
    for (at, (key, value)) in entries.iter().enumerate() {
        bytes.extend_from_slice(if at > 0 { b"," } else { b"" });
        push_text(key, bytes);
        bytes.push(b':');
        bytes.extend_from_slice(value.get().as_bytes());
    }
}

macro_rules! compounds {
    ($($serialize:ident::$method:ident($($key:ident)?) => $write:ident;)*) => {
        $(impl ser::$serialize for Compound<'_> {
            type Ok = ();
            type Error = WriteFault;

            #[inline(always)]
            fn $method<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)? value: &T) -> Written {
                self.$write($($key,)? value)
            }

            #[inline]
            fn end(self) -> Written {
                self.close()
            }
        })*
    };
}

compounds! {
    SerializeSeq::serialize_element() => value;
    SerializeTuple::serialize_element() => value;
    SerializeTupleStruct::serialize_field() => value;
    SerializeTupleVariant::serialize_field() => value;
    SerializeStruct::serialize_field(key) => field;
    SerializeStructVariant::serialize_field(key) => field;
}

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = WriteFault;

    /// A key that is a number becomes a string, as in serde_json.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        self.separate();
        let start = self.bytes.len();
        write(key, self.bytes)?;
        if self.bytes[start] != b'"' {
            self.bytes.insert(start, b'"');
            self.bytes.push(b'"');
        }
        // For ASCII, byte order equals UTF-16 order. Keys with escapes cannot be compared as bytes.
        let key = &self.bytes[start + 1..self.bytes.len() - 1];
        let is_plain = key.iter().all(|byte| byte.is_ascii() && *byte != b'\\');
        let first = first_bytes(key);
        self.is_sorted &= is_plain;
        self.note_key(first);
        self.bytes.push(b':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        write(value, self.bytes)
    }

    fn end(self) -> Written {
        self.close()
    }
}
