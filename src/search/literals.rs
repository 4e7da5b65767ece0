//! Finds texts of the query that stand in the tree, quoted or not: an error message inside a report finds the string
//! that prints it, even if names and numbers in it vary.
//!
//! The index has no positions. [`Suspects`] are the chunks that contain adjacent words of a line of the query; the caller
//! reads the best of them, and [`Line::compare`] looks for the same words side by side in their text.

use std::collections::BTreeMap;

use super::corpus::Corpus;
use super::query::Query;
use super::quotes::is_contracted;
use super::rank::rarity;
use super::terms::FileFlags;
use super::words::{Analyser, words};
use crate::record::ChunkNo;

/// A text of the query that was found in chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// As the query writes it.
    pub text: String,
    /// The chunks, each with the certainty that the text is meant, from 0 to 1.
    pub chunks: Vec<(ChunkNo, f64)>,
}

/// A chunk that may contain a line of the query.
#[derive(Clone, Copy, Debug)]
pub struct Suspect {
    pub chunk: ChunkNo,
    /// Its index in [`Suspects::lines`].
    pub line: usize,
    /// The rarity of the words that it contains side by side, if they are side by side there too.
    worth: f64,
}

/// Lines of the query, and chunks that may contain them.
pub struct Suspects {
    pub lines: Vec<Line>,
    /// The best first.
    pub all: Vec<Suspect>,
}

/// A line of the query, split into words. Longer lines are several.
pub struct Line {
    text: String,
    words: Vec<LineWord>,
    /// The rarity of a word that one chunk contains.
    unit: f64,
}

struct LineWord {
    /// Its bytes in the line.
    start: usize,
    end: usize,
    lower: String,
    /// How rare it is in the tree; 0 for a stop word.
    rarity: f64,
    /// Absent for stop words.
    term: Option<String>,
}

/// One bit per word of a line.
const MAX_LINE_WORDS: usize = 64;
/// How many entries of the index are read to find suspects.
const MAX_POSTINGS: usize = 200_000;
/// How many suspects are worth reading.
const MAX_SUSPECTS: usize = 16;
/// The rarity of a text that is not an accident, and of one that certainly is meant, in multiples of the rarity of a word
/// that one chunk contains: the more chunks, the more accidents.
const MIN_WORTH: f64 = 0.9;
const FULL_WORTH: f64 = 2.0;
/// A text outside of a string is a comment or prose as often as the origin of a message.
const OUTSIDE_STRING: f64 = 0.3;
/// A text has at least this many words.
const MIN_LENGTH: usize = 3;
/// Of the texts that a line shares with chunks, those with less than this share of the best one's worth are accidents.
const MIN_SHARE: f64 = 0.7;
const IN_TEST: f64 = 0.3;
/// A variable part of a message has at most this many words in the query and in the tree.
const MAX_GAP: usize = 6;
/// Further runs of words in one chunk are ignored.
const MAX_RUNS: usize = 100;

impl Suspects {
    pub fn find(corpus: &Corpus, query: &Query) -> Suspects {
        let lines = lines(corpus, query);
        let mut search = Search {
            corpus,
            lists: BTreeMap::new(),
            masks: vec![0; corpus.chunk_count()],
            touched: Vec::new(),
            left: MAX_POSTINGS,
        };
        let mut all: Vec<Suspect> = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            all.extend(search.suspects(line).into_iter().map(|(chunk, worth)| Suspect { chunk, line: number, worth }));
            keep_best(&mut all);
        }
        Suspects { lines, all }
    }
}

fn keep_best(all: &mut Vec<Suspect>) {
    all.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.chunk.cmp(&b.chunk)).then(a.line.cmp(&b.line)));
    all.truncate(MAX_SUSPECTS);
}

/// The quotations and lines of a query whose words are rare enough together.
fn lines(corpus: &Corpus, query: &Query) -> Vec<Line> {
    let analyser = Analyser::default();
    let texts = query.quotations.iter().chain(&query.lines);
    let lines = texts.flat_map(|text| Line::split(corpus, &analyser, text));
    lines.filter(|line| line.words.iter().map(|word| word.rarity).sum::<f64>() >= MIN_WORTH * line.unit).collect()
}

struct Search<'c, 'b> {
    corpus: &'c Corpus<'b>,
    lists: BTreeMap<String, Vec<ChunkNo>>,
    /// For each chunk, the words of the current line that it contains.
    masks: Vec<u64>,
    /// The chunks that contain one.
    touched: Vec<ChunkNo>,
    left: usize,
}

impl Search<'_, '_> {
    /// Chunks with adjacent words of the line, and their worth.
    fn suspects(&mut self, line: &Line) -> Vec<(ChunkNo, f64)> {
        self.touched.drain(..).for_each(|chunk| self.masks[chunk.index()] = 0);
        let common = (self.corpus.chunk_count() / 8).max(50);
        // Words that are everywhere are not looked up: the comparison with the text decides.
        let mut everywhere = 0u64;
        for (bit, word) in line.words.iter().enumerate() {
            let Some(term) = &word.term else {
                everywhere |= 1 << bit;
                continue;
            };
            let holders = self.corpus.holders(term) as usize;
            if holders > common {
                everywhere |= 1 << bit;
            } else {
                self.mark(term, bit, holders);
            }
        }
        let worth = |mask: u64| {
            let runs = runs(mask | everywhere).filter(|run| run.count_ones() > 1);
            let kept = runs.fold(0, |kept, run| kept | run) & mask;
            let bits = (0..line.words.len()).filter(|bit| kept >> bit & 1 == 1);
            bits.map(|bit| line.words[bit].rarity).sum::<f64>()
        };
        let masks = self.touched.iter().map(|chunk| (*chunk, self.masks[chunk.index()]));
        let worths = masks.filter(|(_, mask)| mask.count_ones() > 1).map(|(chunk, mask)| (chunk, worth(mask)));
        let mut found: Vec<(ChunkNo, f64)> = worths.filter(|(_, worth)| *worth >= MIN_WORTH * line.unit).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(MAX_SUSPECTS);
        found
    }

    fn mark(&mut self, term: &str, bit: usize, holders: usize) {
        if !self.lists.contains_key(term) {
            if holders > self.left {
                return;
            }
            self.left -= holders;
            let lists = self.corpus.postings(term);
            let chunks = lists.flat_map(|(first, postings)| postings.map(move |one| ChunkNo(first.0 + one.chunk)));
            self.lists.insert(term.to_string(), chunks.collect());
        }
        for chunk in &self.lists[term] {
            let mask = &mut self.masks[chunk.index()];
            if *mask == 0 {
                self.touched.push(*chunk);
            }
            *mask |= 1 << bit;
        }
    }
}

/// The groups of adjacent bits.
fn runs(mut mask: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let above = mask >> mask.trailing_zeros();
        let length = (!above).trailing_zeros();
        let run = if length == 64 { u64::MAX } else { ((1 << length) - 1) << mask.trailing_zeros() };
        mask &= !run;
        Some(run)
    })
}

/// Words of a line that stand side by side in a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    /// Its first word in the line and in the chunk.
    line: usize,
    chunk: usize,
    length: usize,
    /// Where its first word starts in the chunk's text.
    at: usize,
}

/// A part of a line that a chunk contains.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// As the query writes it.
    pub text: String,
    /// From 0 to 1.
    pub certainty: f64,
    worth: f64,
}

impl Line {
    fn split(corpus: &Corpus, analyser: &Analyser, text: &str) -> Vec<Line> {
        let unit = rarity(1, corpus.chunk_count());
        let read = |(start, word): (usize, &str)| {
            let is_told = !is_contracted(text, start..start + word.len());
            let term = analyser.terms(word).into_iter().next().filter(|_| is_told);
            let holders = term.as_ref().map_or(0, |term| corpus.holders(term) as usize);
            let is_known = holders > 0;
            let rarity = if is_known { rarity(holders, corpus.chunk_count()) } else { 0.0 };
            LineWord { start, end: start + word.len(), lower: word.to_lowercase(), rarity, term }
        };
        let mut all: Vec<LineWord> = words(text).map(read).collect();
        let mut lines = Vec::new();
        while !all.is_empty() {
            let rest = all.split_off(all.len().min(MAX_LINE_WORDS));
            lines.push(Line { text: text.to_string(), words: all, unit });
            all = rest;
        }
        lines
    }

    /// The best part of the line that a text contains: at least three words, apart from short variable parts.
    pub fn compare(&self, text: &str) -> Option<Match> {
        let text = text.to_lowercase();
        let runs = self.runs(&text);
        let chain = self.best_chain(&runs)?;
        let length: usize = chain.iter().map(|run| run.length).sum();
        let worth = self.worth(&chain);
        if length < MIN_LENGTH || worth < MIN_WORTH * self.unit {
            return None;
        }
        let in_string = chain.iter().any(|run| is_in_string(&text, run.at));
        let certainty = (worth / (FULL_WORTH * self.unit)).min(1.0) * if in_string { 1.0 } else { OUTSIDE_STRING };
        let (first, last) = (chain.first()?, chain.last()?);
        let shown = &self.text[self.words[first.line].start..self.words[last.line + last.length - 1].end];
        // Paths and names are looked up in other ways.
        let is_sentence = shown.split_whitespace().count() >= MIN_LENGTH;
        is_sentence.then(|| Match { text: shown.to_string(), certainty, worth })
    }

    /// The longest runs of at least two words that the line and a text in lower case share.
    fn runs(&self, text: &str) -> Vec<Run> {
        let mut places: rustc_hash::FxHashMap<&str, Vec<usize>> = rustc_hash::FxHashMap::default();
        self.words.iter().enumerate().for_each(|(at, word)| places.entry(&word.lower).or_default().push(at));
        // For each word of the line, the run that ends there at the previous word of the text.
        let mut open: Vec<Run> = Vec::new();
        let mut runs = Vec::new();
        for (number, (at, word)) in words(text).enumerate() {
            let here = places.get(word).map_or(&[][..], Vec::as_slice);
            let next = here.iter().map(|place| {
                let before = open.iter().find(|run| run.line + run.length == *place);
                before.map_or(Run { line: *place, chunk: number, length: 1, at }, |run| Run {
                    length: run.length + 1,
                    ..*run
                })
            });
            let next: Vec<Run> = next.collect();
            let ended = open.iter().filter(|run| !here.contains(&(run.line + run.length)));
            runs.extend(ended.filter(|run| run.length > 1));
            open = next;
        }
        runs.extend(open.into_iter().filter(|run| run.length > 1));
        runs.truncate(MAX_RUNS);
        runs
    }

    /// The runs that belong together with the highest worth: in the same order in the line and in the text, and with
    /// at most a variable part between two of them.
    fn best_chain(&self, runs: &[Run]) -> Option<Vec<Run>> {
        let mut chains: Vec<Vec<Run>> = Vec::new();
        for run in runs {
            let follows = |chain: &&Vec<Run>| {
                chain.last().is_some_and(|last| {
                    let (line, chunk) = (last.line + last.length, last.chunk + last.length);
                    (line..=line + MAX_GAP).contains(&run.line) && (chunk..=chunk + MAX_GAP).contains(&run.chunk)
                })
            };
            let best = chains.iter().filter(follows).max_by(|a, b| self.worth(a).total_cmp(&self.worth(b)));
            let chain = best.cloned().unwrap_or_default().into_iter().chain([*run]).collect();
            chains.push(chain);
        }
        chains.into_iter().max_by(|a, b| self.worth(a).total_cmp(&self.worth(b)))
    }

    fn worth(&self, chain: &[Run]) -> f64 {
        chain.iter().flat_map(|run| &self.words[run.line..run.line + run.length]).map(|word| word.rarity).sum()
    }
}

/// Whether a byte of a text is inside a string, as far as its line shows.
fn is_in_string(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let mut open = None;
    let mut escaped = false;
    for c in text[start..at].chars() {
        match (open, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (None, '"' | '\'' | '`') => open = Some(c),
            (Some(mark), c) if mark == c => open = None,
            _ => {}
        }
    }
    open.is_some()
}

/// Joins what was found in chunks: the same text in more chunks is less certain in each. Tests repeat the messages that
/// they check, so they do not count, and are less certain if other code contains the text too.
pub fn join(corpus: &Corpus, found: &[(Suspect, Match)]) -> Vec<Literal> {
    let is_test = |chunk: ChunkNo| corpus.file_flags(corpus.file_of(chunk)).has(FileFlags::TEST);
    let mut by_text: BTreeMap<String, Vec<(ChunkNo, f64)>> = BTreeMap::new();
    let best = |line: usize| {
        let of_line = found.iter().filter(|(suspect, _)| suspect.line == line);
        of_line.map(|(_, one)| one.worth).fold(0.0, f64::max)
    };
    for (suspect, one) in found.iter().filter(|(suspect, one)| one.worth >= MIN_SHARE * best(suspect.line)) {
        by_text.entry(one.text.clone()).or_default().push((suspect.chunk, one.certainty));
    }
    let literal = |(text, mut chunks): (String, Vec<(ChunkNo, f64)>)| {
        let count = chunks.iter().filter(|(chunk, _)| !is_test(*chunk)).count();
        let share = 1.0 / (1.0 + libm::log2(count.max(1) as f64));
        for (chunk, certainty) in &mut chunks {
            *certainty *= if count > 0 && is_test(*chunk) { share * IN_TEST } else { share };
        }
        Literal { text, chunks }
    };
    by_text.into_iter().map(literal).collect()
}
