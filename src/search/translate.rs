//! Translates words of a query that the tree does not contain: names in code are English more often than questions are.
//!
//! `translations.toml` has common technical words of several languages. Words in scripts without spaces are found
//! inside longer runs of characters, the longest first. Words in Latin letters are also split into several entries,
//! because German writes compounds.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::corpus::Corpus;
use super::query::{Query, QueryWord};
use super::synonyms::has_synonym;
use super::words::{Analyser, is_stop_word};
use crate::text::is_unspaced;

/// A word of the query, and the words of the tree that it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    pub word: String,
    pub to: Vec<String>,
}

static BUILTIN: LazyLock<Builtin> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("translations.toml")).expect("the built-in translations are valid");
    let pairs = table.words.iter().flat_map(|(to, words)| words.iter().map(move |word| (word.as_str(), to.as_str())));
    let folded = |words: &[String]| words.iter().map(|word| fold(word)).collect::<BTreeSet<String>>();
    let max_filler_chars = table.fillers.iter().map(|word| word.chars().count()).max().unwrap_or(0);
    Builtin {
        dictionary: Dictionary::new(pairs),
        stop_words: folded(&table.stop_words),
        fillers: folded(&table.fillers),
        max_filler_chars,
    }
});

/// `translations.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    stop_words: Vec<String>,
    /// Words of scripts without spaces that carry no information.
    fillers: Vec<String>,
    /// By the English word.
    words: BTreeMap<String, Vec<String>>,
}

struct Builtin {
    dictionary: Dictionary,
    stop_words: BTreeSet<String>,
    fillers: BTreeSet<String>,
    max_filler_chars: usize,
}

/// Whether a word carries no information in any language of the table. A word in a script without spaces may consist
/// of several.
pub fn is_foreign_stop_word(word: &str) -> bool {
    if word.chars().any(is_unspaced) {
        return tokens(word, &Dictionary::default()).iter().all(|token| token.kind == TokenKind::Filler);
    }
    BUILTIN.stop_words.contains(&fold(word))
}

/// Adds the meanings of words that the tree does not contain to the query's terms. The user's own words, `own`, are
/// added even if the tree contains them.
pub fn translate(corpus: &Corpus, query: &mut Query, own: &BTreeMap<String, Vec<String>>) {
    let own = Dictionary::new(own.iter().flat_map(|(word, to)| to.iter().map(|to| (word.as_str(), to.as_str()))));
    let mut lookup =
        Lookup { corpus, own, analyser: Analyser::default(), is_english: false, left: Cell::new(MAX_SPLIT) };
    lookup.is_english = lookup.is_english(query);
    lookup.remove_stop_words(query);
    for word in query.words.clone().iter().filter(|word| word.is_prose) {
        for translation in lookup.translations(&word.text) {
            for term in translation.to.iter().flat_map(|to| lookup.analyser.terms(to)) {
                let known = query.terms.entry(term).or_default();
                *known = known.max(word.weight);
            }
            if !query.translations.contains(&translation) {
                query.translations.push(translation);
            }
        }
    }
}

struct Lookup<'c, 'b> {
    corpus: &'c Corpus<'b>,
    own: Dictionary,
    analyser: Analyser,
    /// Whether words that English could have are English.
    is_english: bool,
    /// How many more words are split.
    left: Cell<usize>,
}

impl Lookup<'_, '_> {
    /// Whether the query has as many English function words as others, or else mostly words of the tree.
    fn is_english(&self, query: &Query) -> bool {
        let words = || query.words.iter().filter(|word| word.is_prose).map(|word| word.text.to_lowercase());
        let english = words().filter(|word| is_stop_word(word) && !is_foreign_stop_word(word)).count();
        let foreign = words().filter(|word| !is_stop_word(word) && is_foreign_stop_word(word)).count();
        let known = words().filter(|word| self.is_known(word)).count();
        if english + foreign > 0 { english >= foreign } else { 2 * known > words().count() }
    }

    /// Removes the function words of other languages from the terms: `die` and `sin` are also names of functions.
    fn remove_stop_words(&self, query: &mut Query) {
        let is_stop = |word: &&QueryWord| word.is_prose && !word.is_name && is_foreign_stop_word(&word.text);
        let (stop, other): (Vec<&QueryWord>, Vec<&QueryWord>) = query.words.iter().partition(is_stop);
        if self.is_english || stop.len() < 2 || other.is_empty() {
            return;
        }
        let terms = |words: &[&QueryWord]| -> BTreeSet<String> {
            words
                .iter()
                .filter(|word| !word.text.chars().any(is_unspaced))
                .flat_map(|word| self.analyser.terms(&word.text))
                .collect()
        };
        let kept = terms(&other);
        let removed = terms(&stop);
        query.terms.retain(|term, _| kept.contains(term) || !removed.contains(term));
    }

    fn translations(&self, word: &str) -> Vec<Translation> {
        let found = if word.chars().any(is_unspaced) { self.inside(word) } else { self.whole(word) };
        let known = found.into_iter().map(|(word, to)| Translation { to: self.known_meanings(to), word });
        known.filter(|translation| !translation.to.is_empty()).collect()
    }

    /// The meanings that the tree contains, or else those of which it contains a synonym: `env` for `environment`.
    fn known_meanings(&self, meanings: Vec<String>) -> Vec<String> {
        let (known, rest): (Vec<String>, Vec<String>) = meanings.into_iter().partition(|to| self.is_known(to));
        let has_synonym = |to: &String| self.analyser.terms(to).iter().any(|term| has_synonym(self.corpus, term));
        if known.is_empty() { rest.into_iter().filter(has_synonym).collect() } else { known }
    }

    fn whole(&self, word: &str) -> Vec<(String, Vec<String>)> {
        let folded = fold(word);
        if let Some(to) = self.own.word(&folded) {
            return vec![(word.to_string(), to)];
        }
        if self.is_english && word.is_ascii() || self.is_known(word) || is_foreign_stop_word(word) {
            return Vec::new();
        }
        let meanings = BUILTIN.dictionary.inflected(&folded).or_else(|| self.compound(&folded));
        meanings.or_else(|| BUILTIN.dictionary.word(&folded)).map(|to| (word.to_string(), to)).into_iter().collect()
    }

    /// The meanings of the parts of a compound: `Umgebungsvariable` is `environment` and `variable`.
    fn compound(&self, word: &str) -> Option<Vec<String>> {
        let is_latin = word.chars().all(|c| c.is_ascii_alphabetic() || c == 'ß');
        let is_long = (2 * MIN_PART..=MAX_COMPOUND).contains(&word.len());
        if !is_latin || !is_long || self.left.get() == 0 {
            return None;
        }
        self.left.set(self.left.get() - 1);
        let parts = self.parts(word, MAX_PARTS)?;
        let (mut meanings, mut entries) = (Vec::new(), 0);
        for part in parts {
            let entry = BUILTIN.dictionary.inflected(part);
            entries += usize::from(entry.is_some());
            meanings.extend(entry.unwrap_or_else(|| vec![part.to_string()]));
        }
        meanings.dedup();
        (entries > 0).then_some(meanings)
    }

    /// Splits a word into at most `most` parts, each an entry or a word of the tree. The first part is as long as
    /// possible, and few parts are better than many.
    fn parts<'w>(&self, word: &'w str, most: usize) -> Option<Vec<&'w str>> {
        if self.is_part(word) {
            return Some(vec![word]);
        }
        let borders =
            || (MIN_PART..word.len().saturating_sub(MIN_PART - 1)).rev().filter(|at| word.is_char_boundary(*at));
        (2..=most).find_map(|count| {
            borders().filter(|at| self.is_part(without_link(&word[..*at])) || self.is_part(&word[..*at])).find_map(
                |at| {
                    let head = if self.is_part(&word[..at]) { &word[..at] } else { without_link(&word[..at]) };
                    let rest = self.parts(&word[at..], count - 1)?;
                    Some([head].into_iter().chain(rest).collect())
                },
            )
        })
    }

    fn is_part(&self, word: &str) -> bool {
        let is_known = || word.len() > MIN_PART && !is_foreign_stop_word(word) && self.is_known(word);
        word.len() >= MIN_PART && (BUILTIN.dictionary.inflected(word).is_some() || is_known())
    }

    /// The entries inside a run of characters without spaces, from left to right.
    fn inside(&self, run: &str) -> Vec<(String, Vec<String>)> {
        let tokens = tokens(run, &self.own);
        let is_loose = |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(Token::is_unknown_ideograph);
        let found = tokens.iter().enumerate().filter_map(|(at, token)| {
            let is_own = self.own.words.contains_key(&fold(token.text));
            let in_word = token.is_one_ideograph() && (is_loose(at.checked_sub(1)) || is_loose(Some(at + 1)));
            match &token.kind {
                TokenKind::Entry(to) if is_own || !in_word && !self.is_known(token.text) => {
                    Some((token.text.to_string(), to.clone()))
                }
                _ => None,
            }
        });
        found.collect()
    }

    fn is_known(&self, word: &str) -> bool {
        is_known(self.corpus, &self.analyser, word)
    }
}

/// Whether the tree contains a word: a chunk or a path has each of its terms.
pub fn is_known(corpus: &Corpus, analyser: &Analyser, word: &str) -> bool {
    let terms = analyser.terms(word);
    let has = |term: &String| corpus.holders(term) > 0 || corpus.files_with(term).next().is_some();
    !terms.is_empty() && terms.iter().all(has)
}

/// Shorter words are no parts of compounds.
const MIN_PART: usize = 3;
const MAX_PARTS: usize = 3;
/// Further words of a query are not split.
const MAX_SPLIT: usize = 300;
/// Longer words are not split.
const MAX_COMPOUND: usize = 50;
/// Further letters after a stem are more than its ending.
const MAX_ENDING: usize = 3;

/// A part of a compound without the letters that link it to the next one.
fn without_link(part: &str) -> &str {
    ["es", "en", "s", "n"].iter().find_map(|link| part.strip_suffix(link)).unwrap_or(part)
}

/// A piece of a run of characters without spaces.
struct Token<'r> {
    text: &'r str,
    kind: TokenKind,
}

#[derive(PartialEq)]
enum TokenKind {
    Entry(Vec<String>),
    /// It carries no information.
    Filler,
    Unknown,
}

impl Token<'_> {
    fn is_one_ideograph(&self) -> bool {
        self.text.chars().all(is_ideograph) && self.text.chars().count() == 1
    }

    fn is_unknown_ideograph(&self) -> bool {
        self.kind == TokenKind::Unknown && self.text.chars().all(is_ideograph)
    }
}

/// Splits a run of characters without spaces. The longest entry or filler wins.
fn tokens<'r>(run: &'r str, own: &Dictionary) -> Vec<Token<'r>> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(first) = run[at..].chars().next() {
        let rest = &run[at..];
        let follows = run[..at]
            .chars()
            .next_back()
            .filter(|_| tokens.last().is_some_and(|token| token.kind == TokenKind::Unknown));
        let builtin = BUILTIN.dictionary.start_of(rest).filter(|(word, _)| may_follow(follows, at, word));
        let filler =
            filler_at(rest).filter(|filler| builtin.as_ref().is_none_or(|(word, _)| filler.len() > word.len()));
        let (text, kind) = match (own.start_of(rest), filler, builtin) {
            (Some((text, to)), _, _) => (text, TokenKind::Entry(to)),
            (None, Some(text), _) => (text, TokenKind::Filler),
            (None, None, Some((text, to))) => (text, TokenKind::Entry(to)),
            (None, None, None) => (&rest[..first.len_utf8()], TokenKind::Unknown),
        };
        at += text.len();
        tokens.push(Token { text, kind });
    }
    tokens
}

/// Whether an entry may start after an unknown character: not inside a word in katakana, unless it is long, and one
/// syllable of Korean only at the start of a run.
fn may_follow(unknown: Option<char>, at: usize, word: &str) -> bool {
    let is_short = word.chars().count() < MIN_INNER_KATAKANA;
    let is_inside = unknown.is_some_and(is_katakana) && word.starts_with(is_katakana);
    let is_syllable = matches!(word.chars().next(), Some('\u{AC00}'..='\u{D7AF}')) && word.chars().count() == 1;
    !(is_inside && is_short || is_syllable && at > 0)
}

/// Shorter entries in katakana are often part of another word: `ログ` is in `プログラム`.
const MIN_INNER_KATAKANA: usize = 4;

fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30A0}'..='\u{30FF}')
}

fn is_ideograph(c: char) -> bool {
    is_unspaced(c) && matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2FA1F}')
}

/// The longest filler at the start of a run. Hiragana is endings and particles.
fn filler_at(run: &str) -> Option<&str> {
    let ends = run.char_indices().map(|(at, _)| at).skip(1).chain([run.len()]).take(BUILTIN.max_filler_chars);
    let known = ends.collect::<Vec<_>>().into_iter().rev().find(|end| BUILTIN.fillers.contains(&run[..*end]));
    let hiragana = || run.chars().next().filter(|c| matches!(c, '\u{3040}'..='\u{309F}')).map(char::len_utf8);
    known.or_else(hiragana).map(|end| &run[..end])
}

/// Words and their meanings.
#[derive(Default)]
struct Dictionary {
    words: BTreeMap<String, Vec<String>>,
    /// Entries that end with `*`: any ending may follow.
    stems: BTreeMap<String, Vec<String>>,
    max_chars: usize,
}

impl Dictionary {
    fn new<'w>(pairs: impl Iterator<Item = (&'w str, &'w str)>) -> Self {
        let mut dictionary = Dictionary::default();
        for (word, to) in pairs {
            dictionary.max_chars = dictionary.max_chars.max(word.chars().count());
            let (words, word) = match word.strip_suffix('*') {
                Some(stem) => (&mut dictionary.stems, stem),
                None => (&mut dictionary.words, word),
            };
            let meanings = words.entry(fold(word)).or_default();
            if !meanings.iter().any(|known| known == to) {
                meanings.push(to.to_string());
            }
        }
        dictionary
    }

    /// The meanings of a folded word, or of the longest stem that it starts with.
    fn word(&self, word: &str) -> Option<Vec<String>> {
        let ends = word.char_indices().map(|(at, _)| at).skip(1).chain([word.len()]);
        let by_stem = || ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| self.stems.get(&word[..end]));
        self.words.get(word).or_else(by_stem).cloned()
    }

    /// The meanings of a folded word that is an entry, or a stem with a short ending.
    fn inflected(&self, word: &str) -> Option<Vec<String>> {
        let shortest = word.char_indices().rev().nth(MAX_ENDING - 1).map_or(word.len(), |(at, _)| at);
        let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]).filter(|end| *end >= shortest);
        let by_stem = || ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| self.stems.get(&word[..end]));
        self.words.get(word).or_else(by_stem).cloned()
    }

    /// The longest entry at the start of a run of characters without spaces.
    fn start_of<'r>(&self, run: &'r str) -> Option<(&'r str, Vec<String>)> {
        let ends: Vec<usize> =
            run.char_indices().map(|(at, _)| at).skip(1).chain([run.len()]).take(self.max_chars).collect();
        ends.into_iter().rev().find_map(|end| Some((&run[..end], self.words.get(&fold(&run[..end]))?.clone())))
    }
}

/// A word in lower case and without the accents of Latin letters: people leave them out.
fn fold(word: &str) -> String {
    let fold = |c: char| match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'ç' => 'c',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ñ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ё' => 'е',
        c => c,
    };
    word.to_lowercase().chars().map(fold).collect()
}

#[cfg(test)]
mod tests;
