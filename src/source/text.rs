//! What everyone reads of a file: its text without its secrets. Pure.

use super::decode::{Decoded, decode};
use crate::secrets::{self, Finding};

/// A file's bytes as text, if they are text. This is the only way to one, so that a secret that is found
/// here is found before anything is parsed, indexed, given an id or kept.
pub fn text(bytes: Vec<u8>, allow_secrets: bool) -> Option<Text> {
    let Decoded::Text { text, encoding, replaced } = decode(bytes) else { return None };
    let (text, secrets) = if allow_secrets { (text, Vec::new()) } else { secrets::redact(text) };
    Some(Text { text, encoding, replaced, secrets })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Without a byte order mark, and with placeholders for secrets.
    pub text: String,
    /// `utf-8`, `utf-8-bom`, or the WHATWG name.
    pub encoding: String,
    /// Bytes that the encoding does not know were replaced by U+FFFD.
    pub replaced: bool,
    /// The secrets that placeholders replace.
    pub secrets: Vec<Finding>,
}
