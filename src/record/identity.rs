//! Ids that stay the same between builds.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::codec::text;
use crate::text::RepoPath;

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

/// Ids that are a scheme and a hash as 16 hex digits. They are read and written without a copy of the text: records
/// have millions of them.
macro_rules! hash_ids {
    ($($(#[$doc:meta])* $Id:ident $scheme:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
        #[schemars(with = "String", extend("pattern" = concat!("^", $scheme, "[0-9a-f]{16}$")))]
        pub struct $Id(u64);

        impl $Id {
            pub fn from_hash(hash: u64) -> Self {
                $Id(hash)
            }

            pub fn to_hash(self) -> u64 {
                self.0
            }

            pub fn parse(text: &str) -> Option<Self> {
                hex_hash(text.strip_prefix($scheme)?).map($Id)
            }
        }

        impl TryFrom<String> for $Id {
            type Error = IdentityError;

            fn try_from(text: String) -> Result<Self, IdentityError> {
                $Id::parse(&text).ok_or(IdentityError { text, wanted: concat!("`", $scheme, "` and 16 hex digits") })
            }
        }

        impl<'l> Deserialize<'l> for $Id {
            fn deserialize<D: serde::Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
                let text = text(deserializer)?;
                let id = $Id::parse(&text).map_or_else(|| $Id::try_from(text.into_owned()), Ok);
                id.map_err(serde::de::Error::custom)
            }
        }

        impl Serialize for $Id {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(hex_id($scheme, self.0, &mut [0; $scheme.len() + 16]))
            }
        }

        impl std::fmt::Display for $Id {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(hex_id($scheme, self.0, &mut [0; $scheme.len() + 16]))
            }
        }
    )+};
}

hash_ids! {
    /// `xxh64:` and 16 hex digits, over a chunk's path, language, kind, qualified name, text and ordinal
    /// among identical ones: an edit elsewhere in the file does not change it.
    ChunkUid "xxh64:";
    /// `ev:` and 16 hex digits, over host chunk, kind and place inside the chunk: an edit elsewhere does not
    /// change it.
    EvidenceId "ev:";
}

/// What ids and the like have in common that are a text: they are read only if they have their form.
macro_rules! text_ids {
    ($($Id:ident $(if $is_valid:ident, $wanted:literal)?;)+) => {$(
        impl $Id {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $Id {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        $(impl TryFrom<String> for $Id {
            type Error = $crate::record::IdentityError;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                match $is_valid(&text) {
                    true => Ok($Id(text.into())),
                    false => Err($crate::record::IdentityError::new(text, $wanted)),
                }
            }
        })?
    )+};
}
pub(super) use text_ids;

/// `scip:` and a SCIP symbol string; does not change when the symbol's body changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(extend("pattern" = "^scip:[^ ]+ [^ ]+ [^ ]+ [^ ]+ ."))]
pub struct SymbolId(Arc<str>);

/// A language's id, as its table spells it. Cheap to clone: every chunk and symbol carries one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String")]
pub struct LanguageId(Arc<str>);

text_ids! {
    SymbolId if is_symbol, "`scip:` and a SCIP symbol";
    LanguageId;
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
}

/// A symbol has a scheme, manager, package, version and at least one descriptor.
fn is_symbol(text: &str) -> bool {
    let symbol = text.strip_prefix("scip:");
    symbol.is_some_and(|symbol| symbol.split(' ').take(5).filter(|part| !part.is_empty()).count() == 5)
}

/// Whether a text is so many lower-case hex digits.
pub(crate) fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
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

/// The name of what an id of a symbol or node leads to: its last descriptor, without what marks its kind.
pub fn last_name(id: &str) -> &str {
    let id = id.trim_end_matches(['.', '#', '/', ':', '!']);
    let id = id.strip_suffix(')').and_then(|rest| Some(rest.rsplit_once('(')?.0)).unwrap_or(id);
    match id.strip_suffix('`') {
        Some(quoted) => quoted.rsplit('`').next().unwrap_or(quoted),
        None => id.rsplit(['.', '#', '/', ':', '`', ' ']).next().unwrap_or(id),
    }
}

/// A name by SCIP's rules: bare, or in backticks.
pub fn escaped(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-' | '$');
    if !name.is_empty() && name.chars().all(simple) {
        return name.to_string();
    }
    format!("`{}`", name.replace('`', "``"))
}

/// A scheme and sixteen hex digits, without the machinery of formatting: records hold millions of them.
#[inline]
fn hex_id<'b>(scheme: &str, hash: u64, buffer: &'b mut [u8]) -> &'b str {
    let (head, digits) = buffer.split_at_mut(scheme.len());
    head.copy_from_slice(scheme.as_bytes());
    digits.copy_from_slice(&hex_digits(hash));
    std::str::from_utf8(buffer).expect("a scheme and hex digits are ASCII")
}

/// Sixteen hex digits, all of them at once: each nibble gets a byte of its own, and what is above nine gets
/// the distance from `9` to `a` on top.
fn hex_digits(hash: u64) -> [u8; 16] {
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
fn hex_hash(digits: &str) -> Option<u64> {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(u64::from(digit - b'0')),
        b'a'..=b'f' => Some(u64::from(digit - b'a' + 10)),
        _ => None,
    };
    let digits: &[u8; 16] = digits.as_bytes().try_into().ok()?;
    digits.iter().try_fold(0, |hash, digit| Some(hash << 4 | value(*digit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_of_a_symbol() {
        assert_eq!(last_name("scip:contextpack . . . `src/app.py`/Flask#run()."), "run");
        assert_eq!(last_name("scip:contextpack . . . `src/app.py`/Flask#run(+1)."), "run");
        assert_eq!(last_name("scip:contextpack . . . `src/app.py`/Flask#"), "Flask");
        assert_eq!(last_name("scip:contextpack . . . `a.md`/`Quick start`#"), "Quick start");
        assert_eq!(last_name("scip:contextpack . . . `a.md`/"), "a.md");
        assert_eq!(last_name("ext:python:os.path"), "path");
    }
}
