//! The content of a value: the words that its quote must hold.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::script::{Script, runs};
use super::words::{Consistency, WORDS};
use crate::search::{Analyser, parts};

/// A word of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub kind: UnitKind,
    /// As it is compared.
    pub text: String,
    /// As it is written.
    pub written: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// The stem of a part of a word.
    Word,
    /// With characters that programs use.
    Symbols,
    Katakana,
    Kanji,
    Hiragana,
}

impl Unit {
    fn new(kind: UnitKind, text: &str, written: &str) -> Self {
        Unit { kind, text: text.to_string(), written: written.to_string() }
    }

    /// Whether it is one of some words. Words are compared by their stems.
    pub fn is_one_of(&self, words: &BTreeSet<String>) -> bool {
        words.contains(&self.text)
            || words.contains(&self.written.to_lowercase())
            || self.kind == UnitKind::Word && words.iter().any(|word| stem(word) == self.text)
    }
}

thread_local! {
    static ANALYSER: Analyser = Analyser::default();
}

/// In lower case, and for English the stem.
pub fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    ANALYSER.with(|analyser| analyser.stem(&word).into_owned())
}

/// The words of a comparable text that say something, in order.
pub fn units(text: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    let tokens = tokens(text);
    let mut tokens = tokens.iter().filter(|(_, token)| has_symbol(token)).peekable();
    let runs = runs(text);
    let first_word = runs.iter().find(|(script, _)| *script == Script::Word).map(|(_, range)| range.start);
    for (at, (script, range)) in runs.iter().enumerate() {
        while let Some((start, token)) = tokens.next_if(|(start, _)| *start < range.end) {
            if *start >= range.start {
                units.push(Unit::new(UnitKind::Symbols, token, token));
            }
        }
        let is_inside = |start: usize| token_at(text, start).is_some_and(has_symbol);
        let run = &text[range.clone()];
        match script {
            Script::Word if !is_inside(range.start) => {
                let is_first = first_word == Some(range.start) && text[range.end..].starts_with(' ');
                units.extend(word_units(run, is_first));
            }
            Script::Katakana => units.push(Unit::new(UnitKind::Katakana, short(run), run)),
            Script::Kanji => units.extend(kanji_unit(run)),
            Script::Hiragana => {
                let follows_kanji = at > 0 && runs[at - 1].0 == Script::Kanji;
                units.extend(hiragana_unit(run, follows_kanji));
            }
            _ => {}
        }
    }
    units
}

/// The runs of visible ASCII without the marks around them, with their places.
pub fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for piece in text.split(|c: char| !c.is_ascii_graphic()) {
        let at = piece.as_ptr() as usize - text.as_ptr() as usize;
        debug_assert!(at >= start);
        start = at;
        let token = trimmed(piece);
        if !token.is_empty() {
            tokens.push((token.as_ptr() as usize - text.as_ptr() as usize, token));
        }
    }
    tokens
}

fn trimmed(token: &str) -> &str {
    let is_mark = |c: char| ".,;:()[]{}\"'`?".contains(c);
    let token = token.trim_matches(is_mark);
    if token.contains(|c: char| c.is_ascii_alphanumeric()) {
        return token.trim_matches(|c: char| is_mark(c) || c == '*').trim_end_matches(|c: char| is_mark(c) || c == '!');
    }
    if token.trim_matches('!').is_empty() { "" } else { token }
}

/// Whether a token is one of a program, not of a sentence.
pub fn has_symbol(token: &str) -> bool {
    token.contains(['!', '=', '<', '>', '+', '*', '/', '%', '&', '|', '^', '~', '$', '@', '#', '\\'])
}

/// The token that a byte is in.
fn token_at(text: &str, at: usize) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_graphic();
    let start =
        text[..at].rfind(|c| !is_part(c)).map_or(0, |end| end + text[end..].chars().next().map_or(1, char::len_utf8));
    let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |end| at + end);
    text.get(start..end).map(trimmed)
}

fn word_units(word: &str, is_first: bool) -> Vec<Unit> {
    let words = &WORDS.consistency;
    let is_content = |part: &&str| {
        let lower = part.to_lowercase();
        let is_stop = words.stop.contains(&lower) && (is_first || *part == lower);
        !is_stop && !words.negation_words.contains(&lower)
    };
    parts(word).into_iter().filter(is_content).map(|part| Unit::new(UnitKind::Word, &stem(part), part)).collect()
}

/// Without the final `ー` that some write and others do not.
pub fn short(run: &str) -> &str {
    if run.chars().count() > 3 { run.strip_suffix('ー').unwrap_or(run) } else { run }
}

fn kanji_unit(run: &str) -> Option<Unit> {
    let words = &WORDS.consistency;
    if words.kanji_function.contains(run) {
        return None;
    }
    let text = run.strip_suffix(['時', '際']).unwrap_or(run);
    Some(Unit::new(UnitKind::Kanji, text, run))
}

static PARTICLES: LazyLock<Vec<&str>> = LazyLock::new(|| longest_first(&WORDS.consistency.particles));
static ENDINGS: LazyLock<Vec<&str>> = LazyLock::new(|| longest_first(&WORDS.consistency.endings));

fn longest_first(words: &[String]) -> Vec<&str> {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words
}

/// The stem of a word in hiragana. Particles, inflections and auxiliary verbs have none.
fn hiragana_unit(run: &str, follows_kanji: bool) -> Option<Unit> {
    let words: &Consistency = &WORDS.consistency;
    let is_function = |text: &str| words.function_starts.iter().any(|start| text.starts_with(start));
    let particle = PARTICLES.iter().find_map(|particle| run.strip_prefix(particle));
    if is_function(run) || (follows_kanji && particle.is_none()) {
        return None;
    }
    let rest = particle.unwrap_or(run);
    let is_long = |text: &&str| text.chars().nth(1).is_some();
    if !is_long(&rest) || is_function(rest) {
        return None;
    }
    let stem = ENDINGS.iter().filter_map(|ending| rest.strip_suffix(ending)).find(is_long).unwrap_or(rest);
    Some(Unit::new(UnitKind::Hiragana, stem, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &[&str]) {
        let found: Vec<String> = units(text).into_iter().map(|unit| unit.text).collect();
        assert_eq!(found, wanted, "{text}");
    }

    #[test]
    fn words_are_split_and_stemmed() {
        check("The AuthService crashes on save", &["auth", "servic", "crash", "on", "save"]);
        check("does not load", &["load"]);
    }

    #[test]
    fn names_of_programs_stand_as_they_are() {
        check("returns a == b in src/a_b.py!", &["return", "==", "b", "in", "src/a_b.py"]);
        check("use C++", &["use", "C++"]);
        check("ファイルa/bが", &["ファイル", "a/b"]);
    }

    #[test]
    fn inflections_and_particles_say_nothing() {
        check("サーバーに接続できない", &["サーバ", "接続"]);
        check("画面がこわれる", &["画面", "こわ"]);
        check("起動時に", &["起動"]);
        check("入力した場合", &["入力"]);
        check("つながらない", &["つながら"]);
    }
}
