//! How many of a topic's words a chunk contains. Decides between notes that are equally relevant otherwise.

use crate::assemble::IndexView;
use crate::record::{ChunkNo, Score};
use crate::search::{Query, rarity};

pub struct TopicWords {
    /// The words with their weights.
    words: Vec<(String, u32)>,
    /// By chunk, the weight of the words in it; empty if no chunk has any of them.
    shares: Vec<u32>,
    /// The weight of all words together.
    whole: u32,
}

/// How many words are named that no text contains.
const MAX_UNKNOWN: usize = 5;

/// The words of a topic that no text of the index contains, as the user wrote them.
pub fn unknown_words<'t>(view: &IndexView, topic: &'t str) -> Vec<&'t str> {
    let is_unknown = |word: &&str| {
        let terms = Query::parse(word, view.weights()).terms;
        !terms.is_empty() && terms.keys().all(|term| view.corpus().holders(term) == 0)
    };
    topic.split_whitespace().filter(is_unknown).take(MAX_UNKNOWN).collect()
}

/// Only the rarest words count: common ones take the most time and decide the least.
const MAX_WORDS: usize = 8;
/// How many places of words are looked at, the rarest words first.
const MAX_PLACES: u32 = 200_000;

impl TopicWords {
    pub fn new(view: &IndexView, topic: &str) -> Self {
        let corpus = view.corpus();
        let weigh = |holders: u32| (rarity(holders as usize, corpus.chunk_count()) * 1_000.0) as u32;
        let terms = Query::parse(topic, view.weights()).terms;
        let mut terms: Vec<(u32, String)> = terms.into_keys().map(|term| (corpus.holders(&term), term)).collect();
        terms.sort();
        terms.truncate(MAX_WORDS);
        let words: Vec<(String, u32)> = terms.iter().map(|(holders, term)| (term.clone(), weigh(*holders))).collect();
        let (mut shares, mut places) = (Vec::new(), 0u32);
        for ((holders, _), (term, weight)) in terms.iter().zip(&words).filter(|((holders, _), _)| *holders > 0) {
            places = places.saturating_add(*holders);
            if places > MAX_PLACES {
                break;
            }
            shares.resize(corpus.chunk_count(), 0);
            for (first, postings) in corpus.postings(term) {
                postings.for_each(|posting| shares[(first.0 + posting.chunk) as usize] += weight);
            }
        }
        TopicWords { whole: words.iter().map(|(_, weight)| weight).sum(), words, shares }
    }

    /// The share of the words that a chunk contains.
    pub fn share(&self, chunk: ChunkNo) -> Score {
        self.of_whole(self.shares.get(chunk.index()).copied().unwrap_or_default())
    }

    /// The share of the words that a text contains.
    pub fn share_of(&self, view: &IndexView, text: &str) -> Score {
        let terms = Query::parse(text, view.weights()).terms;
        self.of_whole(self.words.iter().filter(|(word, _)| terms.contains_key(word)).map(|(_, weight)| weight).sum())
    }

    fn of_whole(&self, weight: u32) -> Score {
        Score::millionths((u64::from(weight) * 1_000_000 / u64::from(self.whole.max(1))) as u32)
    }
}
