//! The file name of a piece: `<artifact>.<index>.<digest>.jsonl.zst`.

use std::fmt;

use crate::record::Digest;

/// What a piece's file name says. The digest in it is of the lines, so a piece with other content
/// has another name and never takes the place of one that a manifest still needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceName<'n> {
    pub artifact: &'n str,
    pub index: u32,
    pub digest: &'n str,
}

const SUFFIX: &str = ".jsonl.zst";

impl<'n> PieceName<'n> {
    pub fn new(artifact: &'n str, index: u32, digest: &'n Digest) -> Self {
        PieceName { artifact, index, digest: digest.short() }
    }

    /// Only names that [`PieceName`] itself would print; so none with a folder in it.
    pub fn parse(name: &'n str) -> Option<Self> {
        let mut words = name.strip_suffix(SUFFIX)?.split('.');
        let parsed = PieceName { artifact: words.next()?, index: words.next()?.parse().ok()?, digest: words.next()? };
        let sound = is_word(parsed.artifact) && is_short_digest(parsed.digest) && words.next().is_none();
        (sound && parsed.to_string() == name).then_some(parsed)
    }
}

impl fmt::Display for PieceName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:05}.{}{SUFFIX}", self.artifact, self.index, self.digest)
    }
}

/// An artifact's name: a word that means the same in every file system.
pub fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

pub fn is_short_digest(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
