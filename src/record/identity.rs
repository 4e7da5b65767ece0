//! Ids that outlive a build.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// `xxh64:` and 16 hex digits, over a chunk's path, language, kind, qualified name, text and ordinal
/// among identical ones: an edit elsewhere in the file does not change it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ChunkUid(String);

/// `scip:` and a SCIP symbol string; does not change when the symbol's body changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SymbolId(String);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {wanted}")]
pub struct IdentityError {
    text: String,
    wanted: &'static str,
}

impl ChunkUid {
    pub fn from_hash(hash: u64) -> Self {
        ChunkUid(format!("xxh64:{hash:016x}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl SymbolId {
    /// From descriptors that are escaped by SCIP's rules, in the built-in analysis's own scheme.
    pub fn built_in(descriptors: &str) -> Self {
        SymbolId(format!("scip:contextpack . . . {descriptors}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ChunkUid {
    type Error = IdentityError;

    fn try_from(text: String) -> Result<Self, IdentityError> {
        match text.strip_prefix("xxh64:") {
            Some(hex) if hex.len() == 16 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) => {
                Ok(ChunkUid(text))
            }
            _ => Err(IdentityError { text, wanted: "`xxh64:` and 16 hex digits" }),
        }
    }
}

impl TryFrom<String> for SymbolId {
    type Error = IdentityError;

    fn try_from(text: String) -> Result<Self, IdentityError> {
        // Scheme, manager, package, version and at least one descriptor.
        match text.strip_prefix("scip:") {
            Some(symbol) if symbol.split(' ').take(5).filter(|part| !part.is_empty()).count() == 5 => {
                Ok(SymbolId(text))
            }
            _ => Err(IdentityError { text, wanted: "`scip:` and a SCIP symbol" }),
        }
    }
}

impl From<ChunkUid> for String {
    fn from(uid: ChunkUid) -> String {
        uid.0
    }
}

impl From<SymbolId> for String {
    fn from(id: SymbolId) -> String {
        id.0
    }
}

impl fmt::Display for ChunkUid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
