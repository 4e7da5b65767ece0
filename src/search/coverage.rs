//! How much of a query the tree contains: what is absent, and whether the rest is too little to rely on.

use super::corpus::Corpus;
use super::query::{Query, QueryWord};
use super::rank::{Answer, rarity};
use super::terms::Field;
use super::translate::{Translation, is_foreign_stop_word, is_known};
use super::words::{Analyser, parts, whole};
use crate::text::is_unspaced;

/// What the tree does not contain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coverage {
    /// Names, codes and quotations that occur nowhere, as they are written.
    pub absent: Vec<String>,
    /// Those of them that matter: all of a short query, those in the title of a report.
    pub stressed: Vec<String>,
    /// Other words of sentences that occur nowhere.
    pub unknown_words: Vec<String>,
    /// The words that were found, if they are too few or too common to rely on.
    pub weak: Option<Vec<String>>,
    pub translations: Vec<Translation>,
}

/// How many absent names and unknown words are reported.
const MAX_REPORTED: usize = 20;
/// A query whose rare words are found up to this share, by rarity, is weak.
const WEAK_SHARE: f64 = 0.2;
/// A query with more words is a report: it quotes data that is not about the tree.
const MAX_SHORT: usize = 40;
/// A longer query is a report, of which most words may be about something else.
const MAX_QUESTION_WORDS: usize = 12;

pub fn coverage(corpus: &Corpus, query: &Query, answer: &Answer) -> Coverage {
    let reader = Reader { corpus, query, analyser: Analyser::default() };
    let absent = || query.words.iter().filter(|word| word.is_name && reader.is_absent_name(word));
    let is_missing =
        |quotation: &&String| !answer.names.contains_key(&format!("\"{quotation}\"")) && reader.lacks(quotation);
    let quotations = || query.quotations.iter().filter(is_missing).cloned();
    let take = |names: &mut dyn Iterator<Item = String>| names.take(MAX_REPORTED).collect::<Vec<String>>();
    let is_short = query.words.len() <= MAX_SHORT;
    let stressed = absent().filter(|word| word.is_title || is_short).map(|word| word.text.clone());
    let unknown = query.words.iter().filter(|word| word.is_prose && !word.is_name && reader.is_unknown(word));
    Coverage {
        absent: take(&mut absent().map(|word| word.text.clone()).chain(quotations())),
        stressed: take(&mut stressed.chain(quotations().filter(|_| is_short))),
        unknown_words: take(&mut unknown.map(|word| word.text.clone())),
        weak: if answer.hits.is_empty() { None } else { reader.weak(answer) },
        translations: query.translations.clone(),
    }
}

struct Reader<'c, 'b> {
    corpus: &'c Corpus<'b>,
    query: &'c Query,
    analyser: Analyser,
}

impl Reader<'_, '_> {
    /// A name of several parts is absent even if its parts occur.
    fn is_absent_name(&self, word: &QueryWord) -> bool {
        let name = whole(&word.text);
        let has = |term: &str| self.corpus.holders(term) > 0 || self.corpus.files_with(term).next().is_some();
        name.len() > 1 && !has(&name) && !self.is_found_alone(word)
    }

    /// Whether a name of one part occurs; terms of such names are stems.
    fn is_found_alone(&self, word: &QueryWord) -> bool {
        let terms = self.analyser.terms(&word.text);
        terms.is_empty() || terms.len() == 1 && is_known(self.corpus, &self.analyser, &word.text)
    }

    /// Whether some word of a quotation is nowhere in the tree.
    fn lacks(&self, quotation: &str) -> bool {
        let mut words = super::words::words(quotation);
        words.any(|(_, word)| !self.analyser.terms(word).is_empty() && !is_known(self.corpus, &self.analyser, word))
    }

    fn is_content(&self, word: &QueryWord) -> bool {
        let is_number = word.text.bytes().all(|byte| byte.is_ascii_digit());
        !is_number
            && !self.analyser.terms(&word.text).is_empty()
            && (self.is_found(word) || !is_foreign_stop_word(&word.text))
    }

    fn is_unknown(&self, word: &QueryWord) -> bool {
        self.is_content(word) && !self.is_found(word)
    }

    /// Whether the tree contains a word, a part of it in a script without spaces, or a translation.
    fn is_found(&self, word: &QueryWord) -> bool {
        let terms = self.analyser.terms(&word.text);
        let is_translated = self.query.translations.iter().any(|one| word.text.contains(&one.word));
        let has_part = word.text.chars().any(is_unspaced) && terms.iter().any(|term| self.corpus.holders(term) > 0);
        is_translated || has_part || is_known(self.corpus, &self.analyser, &word.text)
    }

    /// The words that were found, if nothing was found exactly and they are too few or too common.
    fn weak(&self, answer: &Answer) -> Option<Vec<String>> {
        let content: Vec<&QueryWord> =
            self.query.words.iter().filter(|word| word.is_prose && self.is_content(word)).collect();
        let found: Vec<&QueryWord> = content.iter().filter(|word| self.is_found(word)).copied().collect();
        if !answer.names.is_empty() || content.is_empty() || content.len() > MAX_QUESTION_WORDS {
            return None;
        }
        let mass = |words: &[&QueryWord]| words.iter().map(|word| self.rarity(word)).sum::<f64>();
        let is_little = content.len() > 2 && (found.len() < 2 || mass(&found) < WEAK_SHARE * mass(&content));
        let names_nothing = found.len() < 2 && !found.iter().any(|word| self.names_something(word));
        let parts = content.iter().filter(|word| !self.is_found(word)).flat_map(|word| parts(&word.text));
        let parts = parts.filter(|part| is_known(self.corpus, &self.analyser, part)).map(str::to_string);
        (is_little || names_nothing).then(|| found.iter().map(|word| word.text.clone()).chain(parts).collect())
    }

    fn rarity(&self, word: &QueryWord) -> f64 {
        let holders = self.analyser.terms(&word.text).iter().map(|term| self.corpus.holders(term)).min().unwrap_or(0);
        rarity(holders as usize, self.corpus.chunk_count())
    }

    /// Whether a word is in the name of a definition or a file.
    fn names_something(&self, word: &QueryWord) -> bool {
        let own = self.analyser.terms(&word.text);
        let translated = self.query.translations.iter().filter(|one| word.text.contains(&one.word));
        let translated = translated.flat_map(|one| one.to.iter().flat_map(|to| self.analyser.terms(to)));
        own.into_iter().chain(translated).any(|term| {
            let mut postings = self.corpus.postings(&term).flat_map(|(_, postings)| postings);
            self.corpus.files_with(&term).next().is_some()
                || postings.any(|posting| posting.fields & Field::Name as u8 != 0)
        })
    }
}
