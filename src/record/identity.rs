//! Ids that stay the same between builds.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::codec::text;
use crate::text::RepoPath;

/// `xxh64:` and 16 hex digits, over a chunk's path, language, kind, qualified name, text and ordinal
/// among identical ones: an edit elsewhere in the file does not change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkUid(u64);

/// `scip:` and a SCIP symbol string; does not change when the symbol's body changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct SymbolId(Arc<str>);

/// A language's id, as its table spells it. Cheap to clone: every chunk and symbol carries one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
#[serde(from = "String")]
#[schemars(with = "String")]
pub struct LanguageId(Arc<str>);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {wanted}")]
pub struct IdentityError {
    text: String,
    wanted: &'static str,
}

impl IdentityError {
    pub(super) fn new(text: String, wanted: &'static str) -> Self {
        IdentityError { text, wanted }
    }
}

impl ChunkUid {
    pub fn from_hash(hash: u64) -> Self {
        ChunkUid(hash)
    }

    pub fn to_hash(self) -> u64 {
        self.0
    }

    pub fn parse(text: &str) -> Option<Self> {
        hex_hash(text.strip_prefix("xxh64:")?).map(ChunkUid)
    }
}

impl LanguageId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl SymbolId {
    /// From descriptors that are escaped by SCIP's rules, in the built-in analysis's own scheme.
    pub fn built_in(descriptors: &str) -> Self {
        SymbolId(format!("scip:contextpack . . . {descriptors}").into())
    }

    /// The namespace that a file's path makes.
    pub fn of_file(path: &RepoPath) -> Self {
        let mut descriptors = String::with_capacity(path.as_str().len() + 8);
        for part in path.as_str().split('/') {
            descriptors += &escaped(part);
            descriptors.push('/');
        }
        Self::built_in(&descriptors)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A scheme and sixteen hex digits, without the machinery of formatting: records hold millions of them.
pub(super) fn hex_id<'b>(scheme: &[u8], hash: u64, buffer: &'b mut [u8]) -> &'b str {
    let (head, digits) = buffer.split_at_mut(scheme.len());
    head.copy_from_slice(scheme);
    digits.copy_from_slice(&hex_digits(hash));
    std::str::from_utf8(buffer).expect("a scheme and hex digits are ASCII")
}

/// Sixteen hex digits, all of them at once: each nibble gets a byte of its own, and what is above nine gets
/// the distance from `9` to `a` on top.
pub(super) fn hex_digits(hash: u64) -> [u8; 16] {
    let spread = |half: u64| {
        let pairs = (half | half << 16) & 0x0000_ffff_0000_ffff;
        let bytes = (pairs | pairs << 8) & 0x00ff_00ff_00ff_00ff;
        let nibbles = (bytes | bytes << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        let letters = ((nibbles + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
        nibbles + 0x3030_3030_3030_3030 + letters * u64::from(b'a' - b'9' - 1)
    };
    let mut digits = [0; 16];
    digits[..8].copy_from_slice(&spread(hash >> 32).to_be_bytes());
    digits[8..].copy_from_slice(&spread(hash & 0xffff_ffff).to_be_bytes());
    digits
}

/// The number that sixteen hex digits say.
pub(super) fn hex_hash(digits: &str) -> Option<u64> {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(u64::from(digit - b'0')),
        b'a'..=b'f' => Some(u64::from(digit - b'a' + 10)),
        _ => None,
    };
    let digits: &[u8; 16] = digits.as_bytes().try_into().ok()?;
    digits.iter().try_fold(0, |hash, digit| Some(hash << 4 | value(*digit)?))
}

/// A name by SCIP's rules: bare, or in backticks.
pub fn escaped(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-' | '$');
    if !name.is_empty() && name.chars().all(simple) {
        return name.to_string();
    }
    format!("`{}`", name.replace('`', "``"))
}

impl TryFrom<String> for ChunkUid {
    type Error = IdentityError;

    fn try_from(text: String) -> Result<Self, IdentityError> {
        ChunkUid::parse(&text).ok_or(IdentityError { text, wanted: "`xxh64:` and 16 hex digits" })
    }
}

impl<'l> Deserialize<'l> for ChunkUid {
    /// Without a copy of the text: records have millions of them.
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        let text = text(deserializer)?;
        Self::parse(&text).map_or_else(|| Self::try_from(text.into_owned()), Ok).map_err(Error::custom)
    }
}

impl TryFrom<String> for SymbolId {
    type Error = IdentityError;

    fn try_from(text: String) -> Result<Self, IdentityError> {
        // A symbol has a scheme, manager, package, version and at least one descriptor.
        match text.strip_prefix("scip:") {
            Some(symbol) if symbol.split(' ').take(5).filter(|part| !part.is_empty()).count() == 5 => {
                Ok(SymbolId(text.into()))
            }
            _ => Err(IdentityError { text, wanted: "`scip:` and a SCIP symbol" }),
        }
    }
}

impl Serialize for ChunkUid {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(hex_id(b"xxh64:", self.0, &mut [0; 22]))
    }
}

impl Serialize for SymbolId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl Serialize for LanguageId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl From<String> for LanguageId {
    fn from(text: String) -> Self {
        LanguageId(text.into())
    }
}

impl From<&str> for LanguageId {
    fn from(text: &str) -> Self {
        LanguageId(text.into())
    }
}

impl fmt::Display for ChunkUid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "xxh64:{:016x}", self.0)
    }
}

impl fmt::Display for SymbolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for ChunkUid {
    fn schema_name() -> Cow<'static, str> {
        "ChunkUid".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string", "pattern": "^xxh64:[0-9a-f]{16}$"})
    }
}

impl JsonSchema for SymbolId {
    fn schema_name() -> Cow<'static, str> {
        "SymbolId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string", "pattern": "^scip:[^ ]+ [^ ]+ [^ ]+ [^ ]+ ."})
    }
}
