//! How like a question blocks are, by words: what share of what is asked for they have. Only the blocks that contain a
//! term of the question are looked at, and only what the reader may see is counted.

use super::titles::Titles;
use super::wanted::Wanted;
use crate::assemble::blocks::{Match, ReadableBlocks};
use crate::record::{BlockNo, Score};

/// How much a title counts, in occurrences.
const IN_TITLE: f64 = 2.0;
/// What the title of the page around a block adds to the frequency of a term.
const IN_TITLE_ABOVE: f64 = 1.0;
/// The frequency at which a term counts half.
const HALF: f64 = 1.2;
/// The part of a block's length that does not matter.
const FLAT: f64 = 0.25;

/// The terms that are asked for, as far as a readable block has them.
#[derive(Clone, Debug, Default)]
pub struct Likeness {
    /// In the order of the terms, so that sums do not depend on where they come from.
    terms: Vec<WantedTerm>,
    /// The sum of their weights.
    total: f64,
}

#[derive(Clone, Debug)]
struct WantedTerm {
    /// Its weight in the question, times its rarity.
    weight: f64,
    matches: Vec<Match>,
}

/// That the text of a block contains a term.
#[derive(Clone, Copy, Debug, Default)]
struct Occurrence {
    block: BlockNo,
    /// Its position among the terms that are asked for.
    term: u32,
    count: u32,
    in_title: bool,
}

impl Likeness {
    pub fn new(view: &ReadableBlocks, wanted: &Wanted) -> Self {
        let term = |(term, weight): (&str, Score)| {
            let matches = view.matches(term);
            let holders = matches.iter().filter(|one| one.count > 0).count();
            let weight = f64::from(weight.in_millionths()) / 1e6 * rarity(view.text_count(), holders);
            (holders > 0 && weight > 0.0).then_some(WantedTerm { weight, matches })
        };
        let terms: Vec<WantedTerm> = wanted.iter().filter_map(term).collect();
        Likeness { total: terms.iter().map(|term| term.weight).sum(), terms }
    }

    /// The likeness of every block whose text has a term, by block number.
    pub fn scores(&self, view: &ReadableBlocks) -> Vec<(BlockNo, Score)> {
        let mut titles = Titles::new(view, self.terms.iter().map(|term| term.matches.as_slice()));
        let occurrences = self.occurrences();
        let blocks = occurrences.chunk_by(|a, b| a.block == b.block);
        let score = |own: &[Occurrence]| (own[0].block, self.score(view, own, titles.around(own[0].block)));
        blocks.map(score).collect()
    }

    /// By block, then by term. This is a counting sort, since common terms have many matches.
    fn occurrences(&self) -> Vec<Occurrence> {
        let blocks = self.in_texts().map(|one| one.block.index() + 1).max().unwrap_or(0);
        // Where the occurrences of each block start, and while they are placed, where the next one goes.
        let mut next = vec![0u32; blocks + 1];
        self.in_texts().for_each(|one| next[one.block.index() + 1] += 1);
        (1..next.len()).for_each(|at| next[at] += next[at - 1]);
        let mut sorted = vec![Occurrence::default(); next[blocks] as usize];
        for one in self.in_texts() {
            let at = &mut next[one.block.index()];
            sorted[*at as usize] = one;
            *at += 1;
        }
        sorted
    }

    /// By term.
    fn in_texts(&self) -> impl Iterator<Item = Occurrence> {
        let terms =
            (0..).zip(&self.terms).flat_map(|(term, wanted)| wanted.matches.iter().map(move |one| (term, *one)));
        let occurrence =
            |(term, Match { block, count, in_title }): (u32, Match)| Occurrence { block, term, count, in_title };
        terms.map(occurrence).filter(|one| one.count > 0)
    }

    /// The share of what is asked for that a block has: by its text, and by the titles around it.
    fn score(&self, view: &ReadableBlocks, own: &[Occurrence], titles: &[u32]) -> Score {
        let length = FLAT + (1.0 - FLAT) * f64::from(view.words(own[0].block)) / view.mean_words();
        let part = |term: u32, frequency: f64| self.terms[term as usize].weight * frequency / (frequency + HALF);
        let above = |term: u32| if titles.binary_search(&term).is_ok() { IN_TITLE_ABOVE } else { 0.0 };
        let mut sum = 0.0;
        for one in own {
            let count = f64::from(one.count) + if one.in_title { IN_TITLE } else { 0.0 };
            sum += part(one.term, count / length + above(one.term));
        }
        for term in titles.iter().filter(|term| own.binary_search_by_key(*term, |one| one.term).is_err()) {
            sum += part(*term, IN_TITLE_ABOVE);
        }
        Score::millionths((sum / self.total * 1e6) as u32)
    }
}

/// How much it says that a block has a term.
fn rarity(blocks: usize, holders: usize) -> f64 {
    let (blocks, holders) = (blocks as f64, holders as f64);
    libm::log(1.0 + (blocks - holders + 0.5) / (holders + 0.5))
}
