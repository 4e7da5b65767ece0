//! Cuts a text into the pieces that are encoded each for itself, as OpenAI's published patterns do.
//!
//! The patterns, whose first alternative that matches wins (`\s+(?!\S)` leaves the last space of a run
//! to the word behind it):
//!
//! ```text
//! cl100k_base   (?i:'s|'t|'re|'ve|'m|'ll|'d)
//!               [^\r\n\p{L}\p{N}]?\p{L}+
//! o200k_base    [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|…)?
//!               [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|…)?
//! both          \p{N}{1,3}
//!                ?[^\s\p{L}\p{N}]+[\r\n]*      o200k_base: [\r\n/]*
//!               \s*[\r\n]+
//!               \s+(?!\S)
//!               \s+
//! ```
//!
//! tiktoken now spells cl100k_base with `\s++$` before `\s*[\r\n]`, which joins the spaces behind a text's
//! last line break to it. No token holds a line break and then a space that ends it, so counts are the same.

use super::Tokenizer;
use super::character::{
    CASELESS, Character, LETTER, LOWER, MARK, NUMBER, OTHER, SPACE, UPPER, WHITESPACE, character, run,
};

/// Where the piece that starts at a byte offset ends. There is a character at that offset.
///
/// It depends on nothing before `start`. What is looked at behind a piece is looked at once more at most,
/// so that no text takes longer than its length.
pub fn piece_end(tokenizer: Tokenizer, text: &str, start: usize) -> usize {
    let first = character(text, start);
    if first.is(NUMBER) {
        return number_end(text, first);
    }
    if let Some(end) = word_end(tokenizer, text, start, first) {
        return end;
    }
    let punctuation = if text.as_bytes()[start] == b' ' { first.end } else { start };
    if character(text, punctuation).is(OTHER | MARK) {
        return punctuation_end(tokenizer, text, punctuation);
    }
    whitespace_end(text, start)
}

fn number_end(text: &str, first: Character) -> usize {
    let mut end = first.end;
    for _ in 1..3 {
        let next = character(text, end);
        if next.is(NUMBER) {
            end = next.end;
        }
    }
    end
}

fn word_end(tokenizer: Tokenizer, text: &str, start: usize, first: Character) -> Option<usize> {
    match tokenizer {
        Tokenizer::Cl100kBase => contraction_end(text, start).or_else(|| plain_word_end(text, start, first)),
        Tokenizer::O200kBase => cased_word_end(text, start, first),
    }
}

/// `[^\r\n\p{L}\p{N}]?\p{L}+`
fn plain_word_end(text: &str, start: usize, first: Character) -> Option<usize> {
    let letters = if first.is(SPACE | OTHER | MARK) { first.end } else { start };
    Some(run(text, letters, LETTER)).filter(|end| *end > letters)
}

/// Both word alternatives of o200k_base.
///
/// A mark may stand for the first, optional character, but then the rest must match as it would have
/// matched with the mark as a part of it.
fn cased_word_end(text: &str, start: usize, first: Character) -> Option<usize> {
    let letters = if first.is(SPACE | OTHER) { first.end } else { start };
    let end = cased_letters_end(text, letters)?;
    Some(contraction_end(text, end).unwrap_or(end))
}

/// Capitals, then small letters; what has no case counts as both.
///
/// Where no small letter follows the capitals, the first alternative gives capitals back until it finds
/// one without case. Where there is none, the second alternative takes the capitals alone.
fn cased_letters_end(text: &str, start: usize) -> Option<usize> {
    let mut at = start;
    let mut caseless_end = None;
    loop {
        let next = character(text, at);
        if next.is(LOWER) {
            return Some(run(text, next.end, LOWER | CASELESS | MARK));
        }
        if !next.is(UPPER | CASELESS | MARK) {
            return caseless_end.or(Some(at)).filter(|end| *end > start);
        }
        at = next.end;
        if next.is(CASELESS | MARK) {
            caseless_end = Some(at);
        }
    }
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`; the long s is an s without regard to case.
fn contraction_end(text: &str, start: usize) -> Option<usize> {
    let behind = text.as_bytes()[start..].strip_prefix(b"'")?;
    let length = match behind {
        [b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => 1,
        [b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] | [b'l' | b'L', b'l' | b'L', ..] => 2,
        _ if behind.starts_with("ſ".as_bytes()) => "ſ".len(),
        _ => return None,
    };
    Some(start + 1 + length)
}

fn punctuation_end(tokenizer: Tokenizer, text: &str, start: usize) -> usize {
    let end = run(text, start, OTHER | MARK);
    let tail = |byte: &&u8| match byte {
        b'\r' | b'\n' => true,
        b'/' => tokenizer == Tokenizer::O200kBase,
        _ => false,
    };
    end + text.as_bytes()[end..].iter().take_while(tail).count()
}

/// Up to the last line break of the run; without one, the run but for the space before a word.
fn whitespace_end(text: &str, start: usize) -> usize {
    let end = run(text, start, WHITESPACE);
    let run = &text[start..end];
    if let Some(line_break) = run.rfind(['\r', '\n']) {
        return start + line_break + 1;
    }
    let last = run.chars().next_back().map_or(0, char::len_utf8);
    if end < text.len() && last < run.len() { end - last } else { end }
}
