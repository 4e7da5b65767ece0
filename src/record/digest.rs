//! A digest with the name of its hash function.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// `sha256:` or `blake3:` and 64 hex digits.
///
/// SHA-256 names what is short and quoted by others: manifests, signatures, packs. BLAKE3 names what is
/// long, source files and pieces: it costs next to nothing on any machine, with or without SHA
/// instructions, and `b3sum` checks it by hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

impl Digest {
    pub fn sha256(bytes: &[u8]) -> Self {
        Digest(format!("sha256:{}", hex(&Sha256::digest(bytes))))
    }

    pub fn blake3(bytes: &[u8]) -> Self {
        blake3::hash(bytes).into()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first sixteen hex digits: enough to tell one content from another in a file name.
    pub fn short(&self) -> &str {
        let hex = self.0.find(':').map_or(0, |at| at + 1);
        &self.0[hex..hex + 16]
    }
}

impl From<blake3::Hash> for Digest {
    fn from(hash: blake3::Hash) -> Self {
        Digest(format!("blake3:{}", hash.to_hex()))
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let hex = text.strip_prefix("sha256:").or_else(|| text.strip_prefix("blake3:"));
        match hex {
            Some(hex) if hex.len() == 64 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) => {
                Ok(Digest(text))
            }
            _ => Err(format!("`{text}` is not `sha256:` or `blake3:` and 64 hex digits")),
        }
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        digest.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for Digest {
    fn schema_name() -> Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string", "pattern": "^(sha256|blake3):[0-9a-f]{64}$"})
    }
}

fn hex(raw: &[u8]) -> String {
    use std::fmt::Write;
    raw.iter().fold(String::with_capacity(raw.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}
