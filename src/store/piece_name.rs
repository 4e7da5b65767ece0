//! The file name of a piece: `<artifact>.<index>.<digest>.jsonl.zst`, or `.bin` for an accelerator's.

use std::fmt;

use crate::record::{Digest, is_hex};

/// What a piece's file name says. The digest in it is of the lines, or of an accelerator's bytes, so a
/// piece with other content has another name and never takes the place of one that a manifest still
/// needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceName<'n> {
    /// Or the accelerator.
    pub artifact: &'n str,
    pub index: u32,
    pub digest: &'n str,
    pub form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Records, one per line, compressed.
    Lines,
    /// An accelerator's own, to be mapped.
    Binary,
}

impl<'n> PieceName<'n> {
    /// Of a piece that holds records.
    pub fn new(artifact: &'n str, index: u32, digest: &'n Digest) -> Self {
        PieceName { artifact, index, digest: digest.short(), form: Form::Lines }
    }

    pub fn accelerator(name: &'n str, index: u32, digest: &'n Digest) -> Self {
        PieceName { form: Form::Binary, ..PieceName::new(name, index, digest) }
    }

    /// Only names that [`PieceName`] itself would print; so none with a folder in it.
    pub fn parse(name: &'n str) -> Option<Self> {
        let split = |form: Form| name.strip_suffix(form.suffix()).map(|stem| (stem, form));
        let (stem, form) = split(Form::Lines).or_else(|| split(Form::Binary))?;
        let mut words = stem.split('.');
        let (artifact, index, digest) = (words.next()?, words.next()?.parse().ok()?, words.next()?);
        let parsed = PieceName { artifact, index, digest, form };
        let sound = is_word(artifact) && is_hex(digest, 16) && words.next().is_none();
        (sound && parsed.to_string() == name).then_some(parsed)
    }
}

impl Form {
    fn suffix(self) -> &'static str {
        match self {
            Form::Lines => ".jsonl.zst",
            Form::Binary => ".bin",
        }
    }
}

impl fmt::Display for PieceName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:05}.{}{}", self.artifact, self.index, self.digest, self.form.suffix())
    }
}

/// An artifact's name: a word that means the same in every file system.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
