//! 20,000 words of which few are common, and topics that share some of them. No floating point is in it: logarithms
//! differ between machines.

use std::collections::BTreeSet;

use super::Random;

pub const WORDS: usize = 20_000;
const TOPICS: usize = 200;
const WORDS_OF_TOPIC: usize = 60;
/// So many of a thousand words of a text are of its topic.
const OF_TOPIC: usize = 700;

/// Numbers from 0 on, of which the n-th is n times as rare as the first.
pub struct Zipf {
    /// Up to each number, its own weight included.
    sums: Vec<u64>,
}

impl Zipf {
    pub fn new(count: usize) -> Self {
        let weights = (1..=count as u64).map(|rank| 1_000_000_000 / rank);
        let add = |sum: &mut u64, weight| {
            *sum += weight;
            Some(*sum)
        };
        Zipf { sums: weights.scan(0, add).collect() }
    }

    pub fn pick(&self, random: &mut Random) -> usize {
        let at = random.next() % self.sums.last().copied().unwrap_or(1);
        self.sums.partition_point(|sum| *sum <= at)
    }
}

pub struct Vocabulary {
    words: Vec<String>,
    zipf: Zipf,
    /// The words of each topic, by number.
    topics: Vec<Vec<usize>>,
}

impl Vocabulary {
    pub fn new(random: &mut Random) -> Self {
        let (words, zipf) = (words(random), Zipf::new(WORDS));
        let topic = |random: &mut Random| (0..WORDS_OF_TOPIC).map(|_| zipf.pick(random)).collect();
        let topics = (0..TOPICS).map(|_| topic(random)).collect();
        Vocabulary { words, zipf, topics }
    }

    pub fn topic(&self, random: &mut Random) -> usize {
        random.below(self.topics.len())
    }

    pub fn word(&self, random: &mut Random, topic: usize) -> &str {
        let is_of_topic = random.is_one_of(OF_TOPIC);
        if is_of_topic { self.word_of_topic(random, topic) } else { &self.words[self.zipf.pick(random)] }
    }

    pub fn word_of_topic(&self, random: &mut Random, topic: usize) -> &str {
        &self.words[self.topics[topic][random.below(WORDS_OF_TOPIC)]]
    }

    /// So many words, all small.
    pub fn words(&self, random: &mut Random, topic: usize, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| self.word(random, topic)).collect();
        words.join(" ")
    }

    /// As a title is written.
    pub fn title(&self, random: &mut Random, topic: usize, count: usize) -> String {
        capital(&self.words(random, topic, count))
    }

    /// Sentences of 5 to 12 words.
    pub fn sentences(&self, random: &mut Random, topic: usize, mut count: usize) -> String {
        let mut sentences = Vec::new();
        while count > 0 {
            let length = random.between(5, 12).min(count);
            sentences.push(capital(&self.words(random, topic, length)) + ".");
            count -= length;
        }
        sentences.join(" ")
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Different words of two to four syllables, the shorter ones first.
fn words(random: &mut Random) -> Vec<String> {
    const FIRST: [&str; 18] =
        ["b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "br", "st", "tr"];
    const SECOND: [&str; 8] = ["a", "e", "i", "o", "u", "ai", "ea", "ü"];
    const LAST: [&str; 8] = ["", "", "", "n", "r", "l", "m", "k"];
    let mut known = BTreeSet::new();
    let mut words = Vec::with_capacity(WORDS);
    while words.len() < WORDS {
        // The common words are short.
        let count = 2 + (words.len() / 2_000).min(2).min(random.below(3));
        let syllable =
            |random: &mut Random| FIRST[random.below(FIRST.len())].to_string() + SECOND[random.below(SECOND.len())];
        let word: String = (0..count).map(|_| syllable(random)).collect();
        let word = word + LAST[random.below(LAST.len())];
        if known.insert(word.clone()) {
            words.push(word);
        }
    }
    words
}
