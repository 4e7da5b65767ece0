//! Counts the tokens of a text exactly, for OpenAI's two public encodings. Pure.
//!
//! The vocabularies are in the binary in the form in which they are used, so a process that counts has nothing to load.

mod character;
mod merge;
mod parts;
mod split;
mod table;
mod vocabulary;

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use character::{MARK, OTHER, SPACE, ends_with};
use merge::Merger;
use vocabulary::{LONGEST_TOKEN, Vocabulary};

pub use parts::CountedText;

/// The encodings whose tokens are counted. Special tokens, such as `<|endoftext|>`, are text like any other:
/// what a tree holds does not steer the model that reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Tokenizer {
    #[default]
    #[serde(rename = "o200k_base")]
    O200kBase,
    #[serde(rename = "cl100k_base")]
    Cl100kBase,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a tokenizer: it is `o200k_base` or `cl100k_base`")]
pub struct UnknownTokenizer {
    name: String,
}

impl Tokenizer {
    pub const ALL: [Tokenizer; 2] = [Tokenizer::O200kBase, Tokenizer::Cl100kBase];

    pub fn name(self) -> &'static str {
        match self {
            Tokenizer::O200kBase => "o200k_base",
            Tokenizer::Cl100kBase => "cl100k_base",
        }
    }

    pub fn count(self, text: &str) -> usize {
        self.borders(text, usize::MAX).last().unwrap_or_default().tokens
    }

    /// The count, if it is not over the limit. Stops as soon as it is.
    pub fn count_until(self, text: &str, limit: usize) -> Option<usize> {
        let reached = self.borders(text, limit).last().unwrap_or_default();
        (reached.offset == text.len()).then_some(reached.tokens)
    }

    /// Bytes of the longest beginning of a text that is not over the limit and ends with a piece (a word,
    /// some digits, a run of punctuation, a line), or with the text.
    ///
    /// Such a beginning, counted for itself, has as many tokens as it has within the text. That would not be
    /// so behind a space: spaces at the end of a text are one piece, but before a word the last is another.
    pub fn prefix(self, text: &str, limit: usize) -> usize {
        let offsets = self.borders(text, limit).map(|border| border.offset);
        offsets.filter(|end| *end == text.len() || !ends_with(&text[..*end], SPACE)).last().unwrap_or(0)
    }

    /// Whether two texts, put together, are known to have as many tokens as both have apart.
    ///
    /// In short: whole lines add up with the line behind them, indented or not, if that is neither blank nor
    /// begins with a slash.
    ///
    /// A piece is encoded for itself, and where it ends depends on nothing before it. So tokens add up
    /// wherever a piece of the whole ends with `before`. That is so if
    ///
    /// 1. one of the two is empty; or
    /// 2. `before` ends with a line break, and there is none in the whitespace, if any, that `after` begins
    ///    with. Only two kinds of piece hold a line break. Whitespace ends behind the last one of its run,
    ///    which is the end of `before`. Punctuation ends with line breaks, and so with `before`; but
    /// 3. for o200k_base it ends with line breaks and slashes. So there, if `after` begins with a slash,
    ///    what stands before the line breaks that end `before` must not be punctuation: `x;` and, in the next
    ///    line, `// why` are cut into `x`, `;⏎//` and ` why`.
    pub fn counts_add_up(self, before: &str, after: &str) -> bool {
        const LINE_BREAKS: [char; 2] = ['\r', '\n'];
        if before.is_empty() || after.is_empty() {
            return true;
        }
        let indent = &after[..after.len() - after.trim_start().len()];
        let slash_joins = self == Tokenizer::O200kBase && after.starts_with('/');
        before.ends_with(LINE_BREAKS)
            && !indent.contains(LINE_BREAKS)
            && !(slash_joins && ends_with(before.trim_end_matches(LINE_BREAKS), OTHER | MARK))
    }

    /// The text, cut as its encoding cuts it.
    fn pieces(self, text: &str) -> impl Iterator<Item = &str> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let end = (start < text.len()).then(|| split::piece_end(self, text, start))?;
            let piece = &text[start..end];
            start = end;
            Some(piece)
        })
    }

    /// The ends of the pieces, up to the one that goes over the limit.
    fn borders(self, text: &str, limit: usize) -> impl Iterator<Item = Border> {
        let mut merger = Merger::default();
        self.pieces(text).scan(Border::default(), move |border, piece| {
            // Told before it is merged: a piece that is far too long is the one that takes long.
            if border.tokens + piece.len().div_ceil(LONGEST_TOKEN) > limit {
                return None;
            }
            border.offset += piece.len();
            border.tokens += merger.count(self.vocabulary(), piece.as_bytes());
            (border.tokens <= limit).then_some(*border)
        })
    }

    fn vocabulary(self) -> &'static Vocabulary {
        match self {
            Tokenizer::O200kBase => &vocabulary::O200K_BASE,
            Tokenizer::Cl100kBase => &vocabulary::CL100K_BASE,
        }
    }
}

/// The end of a piece, and how many tokens precede it.
#[derive(Clone, Copy, Default)]
struct Border {
    offset: usize,
    tokens: usize,
}

impl FromStr for Tokenizer {
    type Err = UnknownTokenizer;

    fn from_str(name: &str) -> Result<Self, UnknownTokenizer> {
        let found = Tokenizer::ALL.into_iter().find(|tokenizer| tokenizer.name() == name);
        found.ok_or_else(|| UnknownTokenizer { name: name.to_string() })
    }
}

#[cfg(test)]
mod tests;
