//! The features of files and chunks that the [`super::Model`] ranks: what the search, the graph and the records tell
//! about each of them, as numbers.

use std::collections::BTreeMap;

use super::corpus::{ChunkFacts, Corpus};
use super::rank::Hit;
use super::terms::ChunkFlags;
use super::weights::{ChunkFeature, Feature, FileFeature, Weights};
use crate::record::request::SeedMode;
use crate::record::{ChunkNo, FileNo};

/// How hits are connected in the graph.
#[derive(Clone, Debug, Default)]
pub struct Votes {
    pub files: BTreeMap<FileNo, FileVotes>,
    pub chunks: BTreeMap<ChunkNo, ChunkVotes>,
}

/// How strongly hits in other files use a file, and how strongly the file uses hits in other files.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FileVotes {
    pub used_by: f64,
    pub uses: f64,
}

/// How a chunk is connected in the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChunkVotes {
    /// The strongest connection to another hit that uses it or is used by it.
    pub near: f64,
    /// How many edges lead to it from anywhere.
    pub users: usize,
}

/// A file that has hits.
pub struct FileRow {
    pub file: FileNo,
    pub features: [f64; FileFeature::COUNT],
    pub odds: f64,
}

pub struct ChunkRow {
    /// The index of its file's row.
    pub row: usize,
    pub features: [f64; ChunkFeature::COUNT],
    /// Roughly how many tokens it takes.
    pub room: f64,
}

/// Added to evidence before its logarithm is taken, because the logarithm of zero is not finite.
const FLOOR: f64 = 0.03;
/// The lowest odds of a file relative to the best file, as a logarithm.
const WORST_FILE: f64 = -12.0;
/// Bytes per token in code.
const TOKEN_BYTES: f64 = 4.0;
/// Tokens of the frame around a chunk.
const FRAME_TOKENS: f64 = 25.0;
/// Shorter chunks are charged for this many tokens: one or two lines seldom explain themselves.
const MIN_TOKENS: f64 = 100.0;
/// Boilerplate is charged for so many times its tokens: it is shown where it is a much better answer than the rest.
const BOILERPLATE_COST: f64 = 1.5;
/// How many hits of a file are counted besides its best one.
const FURTHER: usize = 3;

/// One row per file, in the order of the best hits.
pub fn file_rows(corpus: &Corpus, hits: &[Hit], votes: &Votes, mode: SeedMode, weights: &Weights) -> Vec<FileRow> {
    let mut of_files: Vec<(FileNo, Vec<&Hit>)> = Vec::new();
    let mut known: BTreeMap<FileNo, usize> = BTreeMap::new();
    for hit in hits {
        let file = corpus.file_of(hit.chunk);
        let row = *known.entry(file).or_insert_with(|| {
            of_files.push((file, Vec::new()));
            of_files.len() - 1
        });
        of_files[row].1.push(hit);
    }
    let rows = of_files.into_iter().enumerate().map(|(rank, (file, hits))| {
        let mut features = file_features(corpus, file, &hits, votes);
        features[FileFeature::Rank as usize] = libm::log1p(rank as f64);
        FileFeature::kinds(corpus.file_flags(file), mode).for_each(|kind| features[kind as usize] = 1.0);
        let odds = sum(FileFeature::ALL.iter().map(|feature| weights.of_file(*feature) * features[*feature as usize]));
        FileRow { file, features, odds }
    });
    rows.collect()
}

/// All features of a file but its rank and its kinds.
fn file_features(corpus: &Corpus, file: FileNo, hits: &[&Hit], votes: &Votes) -> [f64; FileFeature::COUNT] {
    let best = |value: fn(&Hit) -> f64| hits.iter().map(|hit| value(hit)).fold(0.0, f64::max);
    let of_graph = votes.files.get(&file).copied().unwrap_or_default();
    let mut words: Vec<f64> = hits.iter().map(|hit| hit.words).collect();
    words.sort_by(|a, b| b.total_cmp(a));
    let further = sum(words.iter().skip(1).take(FURTHER).copied()) / FURTHER as f64;
    let declares = DECLARATIONS.iter().any(|ending| corpus.path(file).ends_with(ending));
    let mut features = [0.0; FileFeature::COUNT];
    let mut set = |feature: FileFeature, value: f64| features[feature as usize] = value;
    set(FileFeature::Evidence, libm::log(best(|hit| hit.evidence) + FLOOR));
    set(FileFeature::Further, further);
    set(FileFeature::UsedBy, libm::log1p(of_graph.used_by));
    set(FileFeature::Uses, libm::log1p(of_graph.uses));
    set(FileFeature::ChunkWords, words[0]);
    set(FileFeature::InPath, best(|hit| hit.in_path));
    set(FileFeature::Declares, f64::from(u8::from(declares)));
    features
}

/// The endings of files that declare what other files define.
const DECLARATIONS: [&str; 6] = [".d.ts", ".h", ".hh", ".hpp", ".hxx", ".pyi"];

/// One row per hit, in the order of the hits.
pub fn chunk_rows(corpus: &Corpus, hits: &[Hit], votes: &Votes, files: &[FileRow]) -> Vec<ChunkRow> {
    let row_of: BTreeMap<FileNo, usize> = files.iter().enumerate().map(|(row, file)| (file.file, row)).collect();
    let best_odds = files.iter().map(|file| file.odds).fold(f64::NEG_INFINITY, f64::max);
    let file_ranks = ranks(files);
    let mut by_words: Vec<usize> = (0..hits.len()).collect();
    // Chunks with lines that the query names come first in their file, regardless of their words.
    by_words.sort_by(|a, b| {
        let (a_hit, b_hit) = (&hits[*a], &hits[*b]);
        b_hit.place.total_cmp(&a_hit.place).then(b_hit.words.total_cmp(&a_hit.words)).then(a.cmp(b))
    });
    let mut most_words = vec![f64::MIN_POSITIVE; files.len()];
    for hit in hits {
        let most = &mut most_words[row_of[&corpus.file_of(hit.chunk)]];
        *most = most.max(hit.words);
    }
    let mut before = vec![0u32; files.len()];
    let mut rows: Vec<Option<ChunkRow>> = (0..hits.len()).map(|_| None).collect();
    for at in by_words {
        let (hit, facts) = (&hits[at], corpus.facts(hits[at].chunk));
        let row = row_of[&facts.file];
        let mut features = chunk_features(corpus, hit, votes.chunks.get(&hit.chunk).copied().unwrap_or_default());
        let mut set = |feature: ChunkFeature, value: f64| features[feature as usize] = value;
        set(ChunkFeature::File, (files[row].odds - best_odds).max(WORST_FILE));
        set(ChunkFeature::FileRank, libm::log1p(f64::from(file_ranks[row])));
        set(ChunkFeature::Order, libm::log1p(f64::from(before[row])));
        set(ChunkFeature::WordsInFile, hit.words / most_words[row]);
        set(ChunkFeature::Rank, libm::log1p(at as f64));
        before[row] += 1;
        rows[at] = Some(ChunkRow { row, features, room: room(facts) });
    }
    rows.into_iter().map(|row| row.expect("every hit was looked at")).collect()
}

/// The rank of each file by its odds.
fn ranks(files: &[FileRow]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by(|a, b| files[*b].odds.total_cmp(&files[*a].odds).then(a.cmp(b)));
    let mut ranks = vec![0; files.len()];
    order.into_iter().enumerate().for_each(|(rank, row)| ranks[row] = rank as u32);
    ranks
}

/// The features of a chunk that do not depend on other hits.
fn chunk_features(corpus: &Corpus, hit: &Hit, votes: ChunkVotes) -> [f64; ChunkFeature::COUNT] {
    let facts = corpus.facts(hit.chunk);
    let mut features = [0.0; ChunkFeature::COUNT];
    let mut set = |feature: ChunkFeature, value: f64| features[feature as usize] = value;
    set(ChunkFeature::Place, hit.place);
    set(ChunkFeature::Near, votes.near);
    set(ChunkFeature::Callable, f64::from(u8::from(facts.flags.has(ChunkFlags::CALLABLE))));
    set(ChunkFeature::Length, libm::log2(f64::from(facts.text_bytes.max(16))));
    set(ChunkFeature::Code, libm::log2(1.0 + f64::from(facts.code_lines)));
    set(ChunkFeature::Words, hit.words);
    set(ChunkFeature::Definition, hit.shares[Feature::Definition as usize]);
    set(ChunkFeature::Qualified, hit.shares[Feature::Qualified as usize]);
    set(ChunkFeature::Names, hit.found.names);
    set(ChunkFeature::Doc, hit.found.doc);
    set(ChunkFeature::Covered, hit.found.all);
    set(ChunkFeature::Siblings, libm::log1p(corpus.chunks_of(facts.file).count() as f64));
    set(ChunkFeature::Users, libm::log1p(votes.users as f64));
    features
}

fn room(facts: ChunkFacts) -> f64 {
    let factor = if facts.flags.has(ChunkFlags::BOILERPLATE) { BOILERPLATE_COST } else { 1.0 };
    factor * ((f64::from(facts.text_bytes) / TOKEN_BYTES).max(MIN_TOKENS) + FRAME_TOKENS)
}

/// Adds in a fixed order, so that the result is the same everywhere.
pub fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(odds: f64) -> FileRow {
        FileRow { file: FileNo(0), features: [0.0; FileFeature::COUNT], odds }
    }

    #[test]
    fn files_have_ranks_by_odds_and_equal_ones_by_their_hits() {
        let files = [-1.0, 2.0, -1.0, 0.5].map(row);
        assert_eq!(ranks(&files), [2, 0, 3, 1]);
    }

    #[test]
    fn short_chunks_are_charged_for_more_than_they_take() {
        let facts =
            |text_bytes| ChunkFacts { file: FileNo(0), words: 0, text_bytes, code_lines: 0, flags: ChunkFlags(0) };
        assert_eq!(room(facts(40)), room(facts(400)));
        assert!(room(facts(4_000)) > room(facts(400)));
    }
}
