//! What a reader meets who starts at the top of a pack and pays for every token.

use std::collections::BTreeSet;

use super::row::Row;
use super::tree_file::TreeFile;
use crate::text::{RepoPath, Tokenizer};

/// A pack as it is printed.
pub struct ReadText {
    pub text: String,
    /// Lines of the tree in the order of the text: path, number, and where the line ends in the text.
    pub lines: Vec<(RepoPath, u32, usize)>,
}

/// The tokens within which a reader may want to have met everything.
pub const WITHIN: [u32; 4] = [1_000, 2_000, 4_000, 8_000];

/// How far a reader has to read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Tokens before the first gold line; absent if there is none.
    pub first: Option<u32>,
    /// Tokens up to the end of the last gold line; absent if one is not printed.
    pub whole: Option<u32>,
}

impl ReadText {
    /// Blank gold lines do not count: they are met with their neighbours.
    pub fn measure<'f>(
        &self,
        row: &Row,
        tokenizer: Tokenizer,
        file_of: impl Fn(&RepoPath) -> Option<&'f TreeFile>,
    ) -> Reading {
        let mut missing: BTreeSet<(&RepoPath, u32)> = BTreeSet::new();
        for block in &row.gold_ranges {
            let is_text = |number: &u32| {
                let line = file_of(&block.file).and_then(|file| file.lines.get(number.checked_sub(1)? as usize));
                line.is_some_and(|line| !line.trim().is_empty())
            };
            missing.extend((block.start_line..=block.end_line).filter(is_text).map(|number| (&block.file, number)));
        }
        let mut reading = Reading::default();
        let tokens = |end: usize| tokenizer.count(&self.text[..end]) as u32;
        for (path, number, end) in &self.lines {
            if missing.remove(&(path, *number)) {
                reading.first = reading.first.or_else(|| Some(tokens(line_start(&self.text, *end))));
                if missing.is_empty() {
                    reading.whole = Some(tokens(*end));
                }
            }
        }
        reading
    }
}

/// Where the line that ends at `end` starts.
fn line_start(text: &str, end: usize) -> usize {
    text[..end.saturating_sub(1)].rfind('\n').map_or(0, |at| at + 1)
}
