//! Splits text into terms. Indexed text and queries use the same rules.
//!
//! A word is a run of letters, digits and underscores. It gives one stemmed term per part, and, if there are several
//! parts, one term for the whole: `getUserName` and `get_user_name` both give `get`, `user`, `name` and
//! `getusername`. Words in scripts without spaces give pairs of characters.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use crate::text::is_unspaced;

/// Longer words are data, not names.
const MAX_WORD_BYTES: usize = 80;

/// Words that carry no information about the question. They are not indexed.
const STOP_WORDS: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "could", "did", "do", "does",
    "doing", "down", "during", "each", "few", "for", "from", "further", "had", "has", "have", "having", "he", "her",
    "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "me", "more", "most",
    "my", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "or", "other", "our", "ours", "out", "over",
    "own", "same", "she", "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "through", "to", "too", "under", "until", "up", "us", "very", "was", "we",
    "were", "what", "when", "where", "which", "while", "who", "whom", "why", "will", "with", "would", "you", "your",
    "yours",
];

const MAX_STOP_WORD_BYTES: usize = 7;

/// The words of a text in order, each with the byte where it starts.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let bytes = text.as_bytes();
        while rest < bytes.len() {
            let start = rest;
            rest = word_end(text, start);
            if rest > start {
                return Some((start, &text[start..rest]));
            }
            let is_ascii = bytes[start].is_ascii();
            rest = start + if is_ascii { 1 } else { text[start..].chars().next().map_or(1, char::len_utf8) };
        }
        None
    })
}

/// The end of the word that starts at `start`; `start` itself if no word starts there.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii() {
            if !(byte.is_ascii_alphanumeric() || byte == b'_') {
                break;
            }
            at += 1;
            continue;
        }
        let next = text[at..].chars().next().expect("the text goes on here");
        if !next.is_alphanumeric() {
            break;
        }
        at += next.len_utf8();
    }
    at
}

/// Turns words into terms. Holds the stemmer's tables.
pub struct Analyser {
    stemmer: Stemmer,
}

impl Default for Analyser {
    fn default() -> Self {
        Analyser { stemmer: Stemmer::create(Algorithm::English) }
    }
}

impl Analyser {
    /// The distinct terms of one word; empty for a stop word.
    pub fn terms(&self, word: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.each_term(word, &mut |term| {
            if !terms.iter().any(|known| known == term) {
                terms.push(term.to_string());
            }
        });
        terms
    }

    /// Gives the terms of one word, some of them possibly twice.
    pub fn each_term(&self, word: &str, give: &mut dyn FnMut(&str)) {
        let word = word.trim_matches('_');
        if word.is_empty() || word.len() > MAX_WORD_BYTES {
            return;
        }
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return self.give_part(word, give);
        }
        if word.chars().any(is_unspaced) {
            return pairs(word, give);
        }
        let parts = parts(word);
        if parts.len() > 1 {
            give(&whole(word));
        }
        parts.iter().for_each(|part| self.give_part(&part.to_lowercase(), give));
    }

    fn give_part(&self, part: &str, give: &mut dyn FnMut(&str)) {
        if !is_noise(part) {
            give(&self.stem(part));
        }
    }

    /// The stem of a word in lower case, stop words included.
    pub fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        let is_english = word.is_ascii() && word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_english { self.stemmer.stem(word) } else { Cow::Borrowed(word) }
    }
}

/// A name in lower case without underscores, so that `user_name` and `UserName` become equal.
pub fn whole(word: &str) -> String {
    word.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

/// Splits a name at underscores, at changes of case and between letters and digits: `HTTPServer2` is
/// `HTTP`, `Server`, `2`.
pub fn parts(word: &str) -> Vec<&str> {
    let (mut parts, mut start, mut before) = (Vec::new(), 0, None);
    let mut chars = word.char_indices().peekable();
    while let Some((here, c)) = chars.next() {
        let follows = chars.peek().map(|(_, c)| *c);
        if before.is_some_and(|before| is_border(before, c, follows)) {
            parts.push(&word[start..here]);
            start = here;
        }
        before = Some(c);
    }
    parts.push(&word[start..]);
    parts.iter_mut().for_each(|part| *part = part.trim_matches('_'));
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_border(before: char, after: char, follows: Option<char>) -> bool {
    let starts_word = before.is_uppercase() && after.is_uppercase() && follows.is_some_and(char::is_lowercase);
    before == '_'
        || after == '_'
        || (before.is_lowercase() && after.is_uppercase())
        || starts_word
        || before.is_numeric() != after.is_numeric()
}

fn is_noise(term: &str) -> bool {
    term.len() == 1 || is_stop_word(term)
}

/// Whether a word in lower case carries no information about the question.
pub fn is_stop_word(word: &str) -> bool {
    word.len() <= MAX_STOP_WORD_BYTES && STOP_WORDS.binary_search(&word).is_ok()
}

fn pairs(word: &str, give: &mut dyn FnMut(&str)) {
    let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    if starts.len() == 2 {
        give(word);
    }
    starts.windows(3).for_each(|window| give(&word[window[0]..window[2]].to_lowercase()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, terms: &[&str]) {
        assert_eq!(Analyser::default().terms(word), terms, "{word}");
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert_eq!(STOP_WORDS.iter().map(|word| word.len()).max(), Some(MAX_STOP_WORD_BYTES));
    }

    #[test]
    fn a_name_gives_its_parts_and_its_whole() {
        check("getUserName", &["getusername", "get", "user", "name"]);
        check("get_user_name", &["getusername", "get", "user", "name"]);
        check("__init__", &["init"]);
        check("HTTPServer2", &["httpserver2", "http", "server"]);
    }

    #[test]
    fn words_are_stemmed_and_stop_words_left_out() {
        check("Parsing", &["pars"]);
        check("the", &[]);
        check("x", &[]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        check("認証失敗", &["認証", "証失", "失敗"]);
        check("認", &["認"]);
    }

    #[test]
    fn words_stand_where_they_start() {
        let found: Vec<_> = words("a.b_c(日本, é)").collect();
        assert_eq!(found, [(0, "a"), (2, "b_c"), (6, "日本"), (14, "é")]);
    }
}
