//! Translates words of a query that the tree does not contain: names in code are English more often than questions are.
//!
//! `translations.toml` has common technical words of several languages. Words in scripts without spaces are found
//! inside longer runs of characters, the longest first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::corpus::Corpus;
use super::query::Query;
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

/// Whether a word carries no information in any language of the table.
pub fn is_foreign_stop_word(word: &str) -> bool {
    BUILTIN.stop_words.contains(&fold(word))
}

/// Adds the meanings of words that the tree does not contain to the query's terms. The user's own words, `own`, are
/// added even if the tree contains them.
pub fn translate(corpus: &Corpus, query: &mut Query, own: &BTreeMap<String, Vec<String>>) {
    let own = Dictionary::new(own.iter().flat_map(|(word, to)| to.iter().map(|to| (word.as_str(), to.as_str()))));
    let mut lookup = Lookup { corpus, own, analyser: Analyser::default(), is_english: false };
    lookup.is_english = lookup.is_english(query);
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
}

impl Lookup<'_, '_> {
    /// Whether the query has as many English function words as others, or else mostly words of the tree.
    fn is_english(&self, query: &Query) -> bool {
        let words = || query.words.iter().filter(|word| word.is_prose).map(|word| word.text.to_lowercase());
        let english = words().filter(|word| is_stop_word(word)).count();
        let foreign = words().filter(|word| !is_stop_word(word) && is_foreign_stop_word(word)).count();
        let known = words().filter(|word| self.is_known(word)).count();
        if english + foreign > 0 { english >= foreign } else { 2 * known > words().count() }
    }

    fn translations(&self, word: &str) -> Vec<Translation> {
        let found = if word.chars().any(is_unspaced) { self.inside(word) } else { self.whole(word) };
        let known = found.into_iter().map(|(word, to)| {
            let to = to.into_iter().filter(|to| self.is_known(to)).collect();
            Translation { word, to }
        });
        known.filter(|translation| !translation.to.is_empty()).collect()
    }

    fn whole(&self, word: &str) -> Vec<(String, Vec<String>)> {
        let folded = fold(word);
        let own = self.own.word(&folded);
        let is_english = self.is_english && word.is_ascii();
        let builtin = || if is_english || self.is_known(word) { None } else { BUILTIN.dictionary.word(&folded) };
        own.or_else(builtin).map(|to| (word.to_string(), to)).into_iter().collect()
    }

    /// The entries inside a run of characters without spaces, from left to right.
    fn inside(&self, run: &str) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let own = self.own.start_of(rest);
            let entry = own.or_else(|| {
                let entry = BUILTIN.dictionary.start_of(rest)?;
                // Known words are skipped as a whole, so that no shorter entry is found inside them.
                Some(if self.is_known(entry.0) { (entry.0, Vec::new()) } else { entry })
            });
            let length = entry.as_ref().map_or(first.len_utf8(), |(word, _)| word.len());
            found.extend(entry.map(|(word, to)| (word.to_string(), to)));
            rest = &rest[length..];
        }
        found
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
