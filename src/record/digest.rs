//! A digest with the name of its hash function.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::identity::{is_hex, text_ids};

/// `sha256:` or `blake3:` and 64 hex digits.
///
/// SHA-256 names what is short and quoted by others: manifests, signatures, packs. BLAKE3 names what is
/// long, source files and pieces: it costs next to nothing on any machine, with or without SHA
/// instructions, and `b3sum` checks it by hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(extend("pattern" = "^(sha256|blake3):[0-9a-f]{64}$"))]
pub struct Digest(String);

text_ids! { Digest if is_digest, "`sha256:` or `blake3:` and 64 hex digits"; }

impl Digest {
    pub fn sha256(bytes: &[u8]) -> Self {
        Digest(format!("sha256:{:x}", Sha256::digest(bytes)))
    }

    pub fn blake3(bytes: &[u8]) -> Self {
        blake3::hash(bytes).into()
    }

    /// The first sixteen hex digits: enough to tell one content from another in a file name.
    pub fn short(&self) -> &str {
        &self.hex()[..16]
    }

    /// Without the name of its hash function.
    pub fn hex(&self) -> &str {
        &self.0[self.0.find(':').map_or(0, |at| at + 1)..]
    }
}

impl From<blake3::Hash> for Digest {
    fn from(hash: blake3::Hash) -> Self {
        Digest(format!("blake3:{}", hash.to_hex()))
    }
}

fn is_digest(text: &str) -> bool {
    let hex = text.strip_prefix("sha256:").or_else(|| text.strip_prefix("blake3:"));
    hex.is_some_and(|hex| is_hex(hex, 64))
}
