//! Values of JSON as they are written. They are pieces of the export's text, so that their places are known, and are
//! only taken apart where they are needed.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::record::codec;
use crate::text::Span;

/// The values of some keys of an object.
pub struct Object<'t, const N: usize> {
    /// In the order of the keys that were asked for; of a key that stands twice the last value.
    pub values: [Option<&'t str>; N],
    /// The other keys.
    pub unknown: Vec<Cow<'t, str>>,
}

/// Reads an object. It fails if the text is not JSON or not an object.
pub fn object<'t, const N: usize>(text: &'t str, keys: &[&str; N]) -> serde_json::Result<Object<'t, N>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let object = ObjectSeed(keys).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(object)
}

struct ObjectSeed<'k, const N: usize>(&'k [&'k str; N]);

impl<'t, const N: usize> DeserializeSeed<'t> for ObjectSeed<'_, N> {
    type Value = Object<'t, N>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'t, const N: usize> Visitor<'t> for ObjectSeed<'_, N> {
    type Value = Object<'t, N>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut object = Object { values: [None; N], unknown: Vec::new() };
        while let Some(key) = map.next_key_seed(KeySeed)? {
            match self.0.iter().position(|known| *known == key) {
                Some(at) => object.values[at] = Some(map.next_value::<&RawValue>()?.get()),
                None => {
                    map.next_value::<IgnoredAny>()?;
                    object.unknown.push(key);
                }
            }
        }
        Ok(object)
    }
}

/// A key, borrowed if it has no escapes.
pub struct KeySeed;

impl<'t> DeserializeSeed<'t> for KeySeed {
    type Value = Cow<'t, str>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        codec::text(deserializer)
    }
}

/// The values of a list; none if it is no list.
pub fn list(value: &str) -> Vec<&str> {
    let mut values = Vec::new();
    each(value, |value| values.push(value));
    values
}

/// Calls a function for each value of a list.
pub fn each<'t>(value: &'t str, mut work: impl FnMut(&'t str)) {
    if value.starts_with('[') {
        let mut deserializer = serde_json::Deserializer::from_str(value);
        // The value is a part of a text that was read before, so it is a list.
        let _ = EachSeed(&mut work).deserialize(&mut deserializer);
    }
}

/// Hands each value of a list to a function.
pub struct EachSeed<'w, W>(pub &'w mut W);

impl<'t, W: FnMut(&'t str)> DeserializeSeed<'t> for EachSeed<'_, W> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'t, W: FnMut(&'t str)> Visitor<'t> for EachSeed<'_, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(value) = list.next_element::<&RawValue>()? {
            (self.0)(value.get());
        }
        Ok(())
    }
}

/// The keys of an object with their values, in order; none if it is no object.
pub fn pairs(value: &str) -> Vec<(Cow<'_, str>, &str)> {
    struct Pairs;
    impl<'t> Visitor<'t> for Pairs {
        type Value = Vec<(Cow<'t, str>, &'t str)>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(key) = map.next_key_seed(KeySeed)? {
                pairs.push((key, map.next_value::<&RawValue>()?.get()));
            }
            Ok(pairs)
        }
    }
    serde_json::Deserializer::from_str(value).deserialize_map(Pairs).unwrap_or_default()
}

/// The keys of an object with their values, all as they are written: keys have their quotes. It fails if the text is
/// not JSON or not an object.
pub fn members(text: &str) -> serde_json::Result<Vec<(&str, &str)>> {
    struct Members;
    impl<'t> Visitor<'t> for Members {
        type Value = Vec<(&'t str, &'t str)>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                members.push((key.get(), value.get()));
            }
            Ok(members)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let members = deserializer.deserialize_map(Members)?;
    deserializer.end()?;
    Ok(members)
}

/// The text of a string; none if the value is something else.
pub fn string(value: &str) -> Option<Cow<'_, str>> {
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    Some(if inside.contains('\\') { Cow::Owned(unescaped(inside)) } else { Cow::Borrowed(inside) })
}

/// Half of a character, as programs leave behind that cut texts, becomes U+FFFD.
fn unescaped(inside: &str) -> String {
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = match rest.as_bytes().get(1) {
            Some(b'u') => unescaped_unicode(rest, &mut text),
            Some(letter) => {
                text.push(unescaped_letter(*letter));
                &rest[2..]
            }
            None => "",
        };
    }
    text + rest
}

fn unescaped_letter(letter: u8) -> char {
    match letter {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        other => char::from(other),
    }
}

/// Appends what one or two `\u` escapes say, and returns what follows them.
fn unescaped_unicode<'r>(rest: &'r str, text: &mut String) -> &'r str {
    let unit = |rest: &str| u16::from_str_radix(rest.strip_prefix("\\u")?.get(..4)?, 16).ok();
    let first = unit(rest).unwrap_or(0xfffd);
    let behind = rest.get(6..).unwrap_or_default();
    let second = unit(behind).filter(|_| (0xd800..0xdc00).contains(&first));
    let pair: Vec<u16> =
        [Some(first), second.filter(|unit| (0xdc00..0xe000).contains(unit))].into_iter().flatten().collect();
    text.extend(char::decode_utf16(pair.iter().copied()).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    if pair.len() == 2 { &behind[6..] } else { behind }
}

/// The value of a whole number, or of the whole part of another one; none if it is no number or too large.
pub fn number(value: &str) -> Option<i128> {
    if let Ok(whole) = value.parse() {
        return Some(whole);
    }
    let float: f64 = value.parse().ok()?;
    (float.abs() < 1e30).then_some(float as i128)
}

/// Where a piece of a text stands in it.
pub fn span_in(text: &str, piece: &str) -> Span {
    let start = piece.as_ptr() as usize - text.as_ptr() as usize;
    Span::new(start, start + piece.len())
}

/// Where the text of a string stands, without the quotes.
pub fn string_span(text: &str, value: &str) -> Span {
    let Span { start, end } = span_in(text, value);
    Span { start: start + 1, end: end.saturating_sub(1).max(start + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_two_values_holds() {
        let text = r#" {"a": 1, "b": {"a": [2]}, "\u0061": "x", "c": null} "#;
        let Object { values: [a, b], unknown } = object(text, &["a", "b"]).unwrap();
        assert_eq!((a, b, unknown), (Some("\"x\""), Some(r#"{"a": [2]}"#), vec![Cow::Borrowed("c")]));
        assert_eq!(span_in(text, a.unwrap()).text(text), "\"x\"");
        assert_eq!(string_span(text, a.unwrap()).text(text), "x");
    }

    #[test]
    fn members_are_pieces_of_the_text() {
        let text = r#" {"a": 1, "\ud83d" : [2 ], "a": "x"} "#;
        assert_eq!(members(text).unwrap(), [("\"a\"", "1"), (r#""\ud83d""#, "[2 ]"), ("\"a\"", "\"x\"")]);
        assert_eq!(span_in(text, members(text).unwrap()[1].1).text(text), "[2 ]");
        assert!(members("{}").unwrap().is_empty());
    }

    #[test]
    fn what_is_no_object_fails() {
        for text in ["", "[]", "{", "{} {}", "{\"a\" 1}", "1"] {
            assert!(members(text).is_err(), "{text}");
            assert!(object(text, &["a"]).is_err(), "{text}");
        }
    }

    #[test]
    fn lists_of_any_depth_are_passed_over() {
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
        let Object { values: [a], .. } = object(&deep, &["a"]).unwrap();
        assert_eq!(a.unwrap().len(), 200_001);
        assert_eq!(list(a.unwrap()).len(), 1);
        assert!(list("{}").is_empty());
    }

    #[test]
    fn strings_lose_their_escapes() {
        let check = |literal: &str, text: &str| assert_eq!(string(literal).as_deref(), Some(text), "{literal}");
        check(r#""a\n\t\"\\\/b""#, "a\n\t\"\\/b");
        check(r#""\u00e9\ud83d\ude00""#, "é😀");
        check(r#""a\ud83d""#, "a\u{fffd}");
        check(r#""\ud83d\u0041\udc00""#, "\u{fffd}A\u{fffd}");
        check("\"\"", "");
        assert_eq!(string("12"), None);
        assert_eq!(string("null"), None);
    }

    #[test]
    fn numbers_of_any_size_are_read_or_not() {
        assert_eq!(number("1771545600000"), Some(1_771_545_600_000));
        assert_eq!(number("1.7715456e9"), Some(1_771_545_600));
        assert_eq!(number("-0.5"), Some(0));
        assert_eq!(number("1e400"), None);
        assert_eq!(number(&"9".repeat(400)), None);
        assert_eq!(number("true"), None);
    }
}
