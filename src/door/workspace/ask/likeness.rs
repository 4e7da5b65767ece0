//! How like a question blocks are, by words: what share of what is asked for they have. Only the blocks that contain a
//! term of the question are looked at, and only what the reader may see is counted.

use std::ops::Range;

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
const FLAT: f64 = 0.75;

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

    /// What every block has of the terms whose text has one, by block number.
    pub fn shares(&self, view: &ReadableBlocks) -> Shares {
        let mut titles = Titles::new(view, self.terms.iter().map(|term| term.matches.as_slice()));
        let occurrences = self.occurrences();
        let mut shares = Shares { total: self.total, ..Shares::default() };
        for own in occurrences.chunk_by(|a, b| a.block == b.block) {
            let start = shares.parts.len();
            self.add_parts(view, own, titles.around(own[0].block), &mut shares.parts);
            shares.blocks.push((own[0].block, start as u32..shares.parts.len() as u32));
        }
        shares
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

    /// What a block has of each term: by its text, and by the titles around it.
    fn add_parts(&self, view: &ReadableBlocks, own: &[Occurrence], titles: &[u32], parts: &mut Vec<Part>) {
        let length = FLAT + (1.0 - FLAT) * f64::from(view.words(own[0].block)) / view.mean_words();
        let part = |term: u32, frequency: f64| Part {
            term,
            share: self.terms[term as usize].weight * frequency / (frequency + HALF),
        };
        let above = |term: u32| if titles.binary_search(&term).is_ok() { IN_TITLE_ABOVE } else { 0.0 };
        for one in own {
            let count = f64::from(one.count) + if one.in_title { IN_TITLE } else { 0.0 };
            parts.push(part(one.term, count / length + above(one.term)));
        }
        for term in titles.iter().filter(|term| own.binary_search_by_key(*term, |one| one.term).is_err()) {
            parts.push(part(*term, IN_TITLE_ABOVE));
        }
    }
}

/// What blocks have of each term that is asked for.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// By block number, each with its parts.
    blocks: Vec<(BlockNo, Range<u32>)>,
    parts: Vec<Part>,
    /// What a block would have that had all of all terms.
    total: f64,
}

/// What a block has of a term.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    term: u32,
    share: f64,
}

impl Shares {
    /// The share of what is asked for that each block has.
    pub fn blocks(&self) -> impl Iterator<Item = (BlockNo, Score)> {
        self.blocks.iter().map(|(block, parts)| (*block, self.score(self.parts_in(parts))))
    }

    /// The blocks that have something, with their parts.
    pub fn parts(&self) -> impl Iterator<Item = (BlockNo, &[Part])> {
        self.blocks.iter().map(|(block, parts)| (*block, self.parts_in(parts)))
    }

    /// What a block has.
    pub fn parts_of(&self, block: BlockNo) -> &[Part] {
        let at = self.blocks.binary_search_by_key(&block, |(block, _)| *block);
        at.map_or(&[], |at| self.parts_in(&self.blocks[at].1))
    }

    fn parts_in(&self, range: &Range<u32>) -> &[Part] {
        &self.parts[range.start as usize..range.end as usize]
    }

    /// The share of what is asked for that several blocks have together: of each term the most that one of them has. The
    /// parts of a block have a term once.
    pub fn together(&self, parts: [&[Part]; 2]) -> Score {
        if parts[1].is_empty() && parts[0].len() == 1 {
            return self.score(parts[0]);
        }
        let mut all = parts.concat();
        all.sort_unstable_by(|a, b| a.term.cmp(&b.term).then(b.share.total_cmp(&a.share)));
        all.dedup_by_key(|part| part.term);
        self.score(&all)
    }

    fn score(&self, parts: &[Part]) -> Score {
        let sum: f64 = parts.iter().map(|part| part.share).sum();
        Score::millionths((sum / self.total * 1e6) as u32)
    }
}

/// How much it says that a block has a term.
fn rarity(blocks: usize, holders: usize) -> f64 {
    let (blocks, holders) = (blocks as f64, holders as f64);
    libm::log(1.0 + (blocks - holders + 0.5) / (holders + 0.5))
}
