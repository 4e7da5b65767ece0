//! Finds the words of a value in its quote.

use super::script::{Script, runs};
use super::units::{Unit, UnitKind, stem, tokens};
use super::words::WORDS;
use crate::search::parts;

/// A quote in comparable form, split for lookups.
pub struct Quoted {
    words: Vec<Piece>,
    tokens: Vec<Piece>,
    katakana: Vec<Joined>,
    kanji: Vec<Joined>,
    hiragana: Vec<Piece>,
}

struct Piece {
    start: usize,
    end: usize,
    text: String,
}

/// A run, or two runs that are one word: `ログインのボタン`.
struct Joined {
    first: usize,
    text: String,
    /// Where the second run starts, in the joined text and in the quote.
    second: Option<(usize, usize)>,
}

/// A place in a quote, as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub start: usize,
    pub end: usize,
}

impl Quoted {
    pub fn new(quote: &str) -> Self {
        let runs = runs(quote);
        let of = |script: Script| runs.iter().filter(move |(own, _)| *own == script).map(|(_, range)| range.clone());
        let piece = |start: usize, text: &str| Piece { start, end: start + text.len(), text: text.to_string() };
        let words = of(Script::Word).flat_map(|range| {
            let word = &quote[range];
            parts(word).into_iter().map(|part| {
                let start = part.as_ptr() as usize - quote.as_ptr() as usize;
                Piece { start, end: start + part.len(), text: stem(part) }
            })
        });
        Quoted {
            words: words.collect(),
            tokens: tokens(quote).into_iter().map(|(start, token)| piece(start, token)).collect(),
            katakana: joined(quote, &runs, Script::Katakana, |between| between == "の"),
            kanji: joined(quote, &runs, Script::Kanji, |between| between == "して" || between.chars().count() == 1),
            hiragana: of(Script::Hiragana).map(|range| piece(range.start, &quote[range])).collect(),
        }
    }

    /// The first place of a unit at or behind `from`.
    pub fn find(&self, unit: &Unit, from: usize) -> Option<Found> {
        let whole = |pieces: &[Piece]| {
            let found = pieces.iter().find(|piece| piece.start >= from && piece.text == unit.text)?;
            Some(Found { start: found.start, end: found.end })
        };
        match unit.kind {
            UnitKind::Word => whole(&self.words),
            UnitKind::Symbols => whole(&self.tokens),
            UnitKind::Katakana => first(self.katakana.iter().filter_map(|run| run.find(unit, from, is_katakana_word))),
            UnitKind::Kanji => first(self.kanji.iter().filter_map(|run| run.find(unit, from, is_kanji_word))),
            UnitKind::Hiragana => self.hiragana.iter().find_map(|run| {
                let at = run
                    .text
                    .char_indices()
                    .map(|(at, _)| at)
                    .find(|at| run.start + at >= from && run.text[*at..].starts_with(unit.text.as_str()))?;
                Some(Found { start: run.start + at, end: run.start + at + unit.text.len() })
            }),
        }
    }
}

fn first(found: impl Iterator<Item = Found>) -> Option<Found> {
    found.min_by_key(|found| (found.start, found.end))
}

/// The runs of a script, and each two of them that are one word.
fn joined(
    quote: &str,
    runs: &[(Script, std::ops::Range<usize>)],
    script: Script,
    joins: impl Fn(&str) -> bool,
) -> Vec<Joined> {
    let mut all = Vec::new();
    for (at, (own, range)) in runs.iter().enumerate().filter(|(_, (own, _))| *own == script) {
        let run = &quote[range.clone()];
        all.push(Joined { first: range.start, text: run.to_string(), second: None });
        let next = runs.get(at + 2).filter(|(next, _)| next == own);
        if let Some((_, next)) = next
            && runs[at + 1].0 == Script::Hiragana
            && joins(&quote[runs[at + 1].1.clone()])
        {
            let text = format!("{run}{}", &quote[next.clone()]);
            all.push(Joined { first: range.start, text, second: Some((run.len(), next.start)) });
        }
    }
    all
}

impl Joined {
    fn find(&self, unit: &Unit, from: usize, is_word: fn(&str, &str, &str) -> bool) -> Option<Found> {
        let text = self.text.as_str();
        let starts = text.char_indices().map(|(at, _)| at).filter(|at| text[*at..].starts_with(unit.text.as_str()));
        let mut places = starts.filter(|at| is_word(&text[..*at], &unit.text, &text[at + unit.text.len()..]));
        places.find_map(|at| {
            let found = Found { start: self.in_quote(at), end: self.in_quote(at + unit.text.len() - 1) + 1 };
            (found.start >= from).then_some(found)
        })
    }

    fn in_quote(&self, at: usize) -> usize {
        match self.second {
            Some((border, start)) if at >= border => start + at - border,
            _ => self.first + at,
        }
    }
}

/// Whether a part of a run of katakana is a word of its own.
fn is_katakana_word(before: &str, word: &str, after: &str) -> bool {
    let is_word =
        |rest: &str| rest.is_empty() || rest.chars().count() >= 3 && !WORDS.consistency.katakana_bound.contains(rest);
    let is_long = word.chars().count() >= 3;
    let after = if after == "ー" && is_long { "" } else { after };
    before.is_empty() && after.is_empty() || is_long && is_word(before) && is_word(after)
}

/// Whether a part of a run of kanji is a word of its own. Most words have two.
fn is_kanji_word(before: &str, _: &str, after: &str) -> bool {
    let words = &WORDS.consistency;
    let is_word = |rest: &str, neutral: &str| {
        let ends = [rest.chars().next(), rest.chars().next_back()];
        rest.chars().count().is_multiple_of(2) || ends.into_iter().flatten().any(|c| neutral.contains(c))
    };
    is_word(before, &words.kanji_neutral_before) && is_word(after, &words.kanji_neutral_after)
}
