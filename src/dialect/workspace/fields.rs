//! The fields of one JSON object. A value that cannot be read is left out, and a trouble says so.

use std::borrow::Cow;

use crate::dialect::export::{Troubles, json};
use crate::dialect::note::{date_of_number, date_of_text};
use crate::record::{Date, ProblemCode};
use crate::text::Span;

/// Values by key. Of a key that stands twice the last value holds.
#[derive(Clone, Default)]
pub struct Fields<'t> {
    pairs: Vec<(Cow<'t, str>, &'t str)>,
}

/// Says what is wrong with one block or line. Troubles name ids and rules, never what a block says: they are shown to
/// people who may not be allowed to read it.
pub struct Faults<'f> {
    pub troubles: &'f mut Troubles,
    pub span: Span,
    /// What it is about, such as "block `a7`".
    pub subject: String,
}

const MAX_ID_BYTES: usize = 512;

impl Faults<'_> {
    pub fn add(&mut self, code: ProblemCode, message: &str) {
        self.troubles.add(code, self.span, format!("{}: {message}", self.subject));
    }

    pub fn shape(&mut self, message: &str) {
        self.add(ProblemCode::ItemData, message);
    }

    pub fn left_out(&mut self, key: &str, wanted: &str) {
        self.shape(&format!("`{key}` is not {wanted}; it is left out"));
    }
}

impl<'t> Fields<'t> {
    /// None if the text is not a JSON object.
    pub fn parse(text: &'t str) -> Option<Self> {
        let unquoted = |(key, value)| Some((json::string(key)?, value));
        let pairs = json::members(text).ok()?.into_iter().filter_map(unquoted).collect();
        Some(Fields { pairs })
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(key, _)| key.as_ref())
    }

    pub fn pairs(&self) -> impl Iterator<Item = (&str, &'t str)> {
        self.pairs.iter().map(|(key, value)| (key.as_ref(), *value))
    }

    /// Pairs in the order of their keys; of a key that stands twice the last value.
    pub fn sorted(&self) -> Vec<(&str, &'t str)> {
        let mut pairs: Vec<(&str, &str)> = self.pairs().collect();
        pairs.reverse();
        pairs.sort_by_key(|(key, _)| *key);
        pairs.dedup_by_key(|(key, _)| *key);
        pairs
    }

    /// Puts a value in the place of what the object says.
    pub fn set(&mut self, key: &'static str, value: &'t str) {
        self.pairs.push((Cow::Borrowed(key), value));
    }

    /// As it is written; `null` is as good as none.
    pub fn get(&self, key: &str) -> Option<&'t str> {
        let pair = self.pairs.iter().rev().find(|(known, _)| known == key);
        pair.map(|(_, value)| *value).filter(|value| *value != "null")
    }

    /// Reads the value of a key, if it has one and that can be read.
    pub fn read<T>(
        &self,
        key: &str,
        wanted: &str,
        faults: &mut Faults,
        read: impl Fn(&'t str) -> Option<T>,
    ) -> Option<T> {
        let found = read(self.get(key)?);
        if found.is_none() {
            faults.left_out(key, wanted);
        }
        found
    }

    /// A text, or a number as it is written. Blank ones are none.
    pub fn word(&self, key: &str, faults: &mut Faults) -> Option<String> {
        let word = self.read(key, "a text", faults, word);
        word.filter(|word| !word.trim().is_empty())
    }

    pub fn flag(&self, key: &str, faults: &mut Faults) -> Option<bool> {
        self.read(key, "`true` or `false`", faults, |value| value.parse().ok())
    }

    pub fn number(&self, key: &str, faults: &mut Faults) -> Option<f64> {
        self.read(key, "a finite number", faults, |value| value.parse().ok().filter(|number: &f64| number.is_finite()))
    }

    pub fn id(&self, key: &str, faults: &mut Faults) -> Option<String> {
        self.read(key, "an id", faults, id)
    }

    pub fn ids(&self, key: &str, faults: &mut Faults) -> Vec<String> {
        self.several(key, "a list of ids", faults, id)
    }

    pub fn words(&self, key: &str, faults: &mut Faults) -> Vec<String> {
        let mut words = self.several(key, "a list of texts", faults, word);
        words.retain(|word| !word.trim().is_empty());
        words
    }

    /// The values of a list, or one that has no list around it.
    fn several<T>(&self, key: &str, wanted: &str, faults: &mut Faults, read: impl Fn(&str) -> Option<T>) -> Vec<T> {
        let values = values(self.get(key).unwrap_or("[]"));
        let count = values.len();
        let found: Vec<T> = values.into_iter().filter(|value| *value != "null").filter_map(read).collect();
        if found.len() < count {
            faults.shape(&format!("`{key}` is not {wanted}; what is none is left out"));
        }
        found
    }

    pub fn date(&self, key: &str, faults: &mut Faults) -> Option<Date> {
        let value = self.get(key).filter(|value| *value != "\"\"")?;
        let date = date(value);
        if date.is_none() {
            faults.add(ProblemCode::ItemDate, &format!("`{key}` is no date between 1970 and 2199; it is left out"));
        }
        date
    }
}

/// The values of a list, or the value itself.
pub fn values(value: &str) -> Vec<&str> {
    if value.starts_with('[') { json::list(value) } else { vec![value] }
}

/// A text of 1 to 512 bytes, or the digits of a whole number.
pub fn id(value: &str) -> Option<String> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let id = if is_number { Cow::Borrowed(value) } else { json::string(value)? };
    (1..=MAX_ID_BYTES).contains(&id.len()).then(|| id.into_owned())
}

fn word(value: &str) -> Option<String> {
    let is_number = value.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    if is_number { Some(value.to_string()) } else { json::string(value).map(Cow::into_owned) }
}

/// JSON that may be written into a string.
pub fn nested(value: &str) -> Cow<'_, str> {
    json::string(value).unwrap_or(Cow::Borrowed(value))
}

/// A day or a time as RFC 3339 has it, with a space for the `T` and without a zone if need be; or a count of seconds or
/// milliseconds since 1970.
pub fn date(value: &str) -> Option<Date> {
    match json::string(value) {
        Some(text) => written_date(&text),
        None => date_of_number(json::number(value)?),
    }
}

/// The same, of a text.
pub fn written_date(text: &str) -> Option<Date> {
    let text = text.trim();
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return date_of_text(text);
    }
    let (day, rest) = text.split_at_checked("2026-02-20".len())?;
    let has_form = day.bytes().enumerate().all(|(at, byte)| (byte == b'-') == (at == 4 || at == 7));
    let time = rest.strip_prefix(['T', 't', ' ']);
    let is_time = time.is_some_and(|time| time.contains(':') && !time.contains(char::is_whitespace));
    (has_form && (rest.is_empty() || is_time)).then(|| date_of_text(text)).flatten()
}
