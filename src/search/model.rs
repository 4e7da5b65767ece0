//! Estimates how likely each chunk is to be changed for a query. `order` decides from that what comes first.
//!
//! There are two linear models: one for files and one for the chunks in them. The features of a file or a chunk,
//! multiplied by their weights, add up to the logarithm of its odds. The weights are in [`Weights`];
//! `benches/train_weights.py` fits them to commit histories.

use std::collections::BTreeMap;

use super::corpus::{ChunkFacts, Corpus};
use super::order::{Piece, Placed, order};
use super::rank::Hit;
use super::terms::ChunkFlags;
use super::weights::{ChunkFeature, Feature, FileFeature, Weights};
use crate::record::request::SeedMode;
use crate::record::{ChunkNo, FileNo};

/// How hits are connected in the graph.
#[derive(Clone, Debug, Default)]
pub struct Votes {
    pub files: BTreeMap<FileNo, FileVotes>,
    /// For each chunk, the strongest connection to another hit that uses it or is used by it.
    pub chunks: BTreeMap<ChunkNo, f64>,
}

/// How strongly hits in other files use a file, and how strongly the file uses hits in other files.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FileVotes {
    pub used_by: f64,
    pub uses: f64,
}

/// The hits of a query with the features of their chunks and files.
pub struct Model<'m> {
    hits: &'m [Hit],
    weights: &'m Weights,
    files: Vec<FileRow>,
    chunks: Vec<ChunkRow>,
    mean: Means,
}

/// The mean features over all hits: of their files and of their chunks.
#[derive(Default)]
struct Means {
    file: [f64; FileFeature::COUNT],
    chunk: [f64; ChunkFeature::COUNT],
}

/// A file that has hits.
pub struct FileRow {
    pub file: FileNo,
    pub features: [f64; FileFeature::COUNT],
    odds: f64,
}

pub struct ChunkRow {
    /// The index of its file's row.
    pub row: usize,
    pub features: [f64; ChunkFeature::COUNT],
    /// Roughly how many tokens it takes.
    room: f64,
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

impl<'m> Model<'m> {
    /// `hits` must be sorted, the best first.
    pub fn new(corpus: &Corpus, hits: &'m [Hit], votes: &Votes, mode: SeedMode, weights: &'m Weights) -> Self {
        let files = file_rows(corpus, hits, votes, mode, weights);
        let chunks = chunk_rows(corpus, hits, votes, &files);
        let mean = Means::new(&files, &chunks);
        Model { hits, weights, files, chunks, mean }
    }

    pub fn files(&self) -> &[FileRow] {
        &self.files
    }

    /// In the order of the hits.
    pub fn chunks(&self) -> &[ChunkRow] {
        &self.chunks
    }

    /// The hits in the order of selection.
    pub fn order(&self) -> Vec<Placed> {
        let file_chances = probabilities(self.files.iter().map(|file| file.odds));
        let chunk_chances = probabilities(self.chunks.iter().map(|chunk| self.odds(chunk)));
        let piece = |(chunk, chance): (&ChunkRow, f64)| Piece { file: chunk.row, chance, room: chunk.room };
        let pieces: Vec<Piece> = self.chunks.iter().zip(chunk_chances).map(piece).collect();
        order(&pieces, &file_chances, self.weights.new_file)
    }

    fn odds(&self, chunk: &ChunkRow) -> f64 {
        sum(ChunkFeature::ALL.iter().map(|feature| self.chunk_points(chunk, *feature)))
    }

    fn chunk_points(&self, chunk: &ChunkRow, feature: ChunkFeature) -> f64 {
        self.weights.of_chunk(feature) * chunk.features[feature as usize]
    }

    /// The contribution of each feature to the logarithm of a hit's odds, relative to the mean over all hits. The
    /// features of its file are scaled by the weight of the file's odds. The contribution of the evidence is split
    /// among the query features in proportion to their shares.
    pub fn points(&self, hit: usize) -> Vec<(&'static str, f64)> {
        let (chunk, hit) = (&self.chunks[hit], &self.hits[hit]);
        let file = &self.files[chunk.row].features;
        let file_weight = self.weights.of_chunk(ChunkFeature::File);
        let above = |feature: ChunkFeature| {
            self.weights.of_chunk(feature) * (chunk.features[feature as usize] - self.mean.chunk[feature as usize])
        };
        let mut points: Vec<(&'static str, f64)> = Vec::new();
        points.extend(FileFeature::ALL.iter().map(|feature| {
            let value = file[*feature as usize];
            let above = value - self.mean.file[*feature as usize];
            (feature.name(value), file_weight * self.weights.of_file(*feature) * above)
        }));
        let own = ChunkFeature::ALL.into_iter();
        let own = own.filter(|feature| !matches!(feature, ChunkFeature::File | ChunkFeature::Evidence));
        points.extend(own.map(|feature| (feature.name(chunk.features[feature as usize]), above(feature))));
        let share = above(ChunkFeature::Evidence) / hit.evidence.max(f64::MIN_POSITIVE);
        points.extend(Feature::ALL.iter().map(|feature| {
            let value = hit.shares[*feature as usize];
            (feature.name(value), share * value)
        }));
        points
    }
}

impl Means {
    fn new(files: &[FileRow], chunks: &[ChunkRow]) -> Self {
        let mut mean = Means::default();
        for chunk in chunks {
            let pairs = mean.file.iter_mut().zip(&files[chunk.row].features);
            pairs.for_each(|(sum, value)| *sum += value / chunks.len() as f64);
            let pairs = mean.chunk.iter_mut().zip(&chunk.features);
            pairs.for_each(|(sum, value)| *sum += value / chunks.len() as f64);
        }
        mean
    }
}

fn file_rows(corpus: &Corpus, hits: &[Hit], votes: &Votes, mode: SeedMode, weights: &Weights) -> Vec<FileRow> {
    // Files are in the order of their best hit, because the hits are sorted.
    let mut rows: Vec<FileRow> = Vec::new();
    let mut known: BTreeMap<FileNo, (usize, Vec<f64>)> = BTreeMap::new();
    for hit in hits {
        let (row, words) = known.entry(corpus.file_of(hit.chunk)).or_insert_with_key(|file| {
            rows.push(FileRow { file: *file, features: [0.0; FileFeature::COUNT], odds: 0.0 });
            (rows.len() - 1, Vec::new())
        });
        words.push(hit.words);
        let evidence = &mut rows[*row].features[FileFeature::Evidence as usize];
        *evidence = evidence.max(hit.evidence);
    }
    for (file, (row, mut words)) in known {
        words.sort_by(|a, b| b.total_cmp(a));
        let further = &words[1..words.len().min(1 + FURTHER)];
        let votes = votes.files.get(&file).copied().unwrap_or_default();
        let features = &mut rows[row].features;
        let evidence = features[FileFeature::Evidence as usize];
        features[FileFeature::Evidence as usize] = libm::log(evidence + FLOOR);
        features[FileFeature::Rank as usize] = libm::log1p(row as f64);
        features[FileFeature::Further as usize] = sum(further.iter().copied()) / FURTHER as f64;
        features[FileFeature::UsedBy as usize] = libm::log1p(votes.used_by);
        features[FileFeature::Uses as usize] = libm::log1p(votes.uses);
        FileFeature::kinds(corpus.file_flags(file), mode).for_each(|kind| features[kind as usize] = 1.0);
    }
    for row in &mut rows {
        let points = FileFeature::ALL.iter().map(|feature| weights.of_file(*feature) * row.features[*feature as usize]);
        row.odds = sum(points);
    }
    rows
}

/// How many hits of a file are counted besides its best one.
const FURTHER: usize = 3;

fn chunk_rows(corpus: &Corpus, hits: &[Hit], votes: &Votes, files: &[FileRow]) -> Vec<ChunkRow> {
    let best = files.iter().map(|file| file.odds).fold(f64::NEG_INFINITY, f64::max);
    let row_of: BTreeMap<FileNo, usize> = files.iter().enumerate().map(|(row, file)| (file.file, row)).collect();
    let mut by_words: Vec<usize> = (0..hits.len()).collect();
    // Chunks with lines that the query names come first in their file, regardless of their words.
    by_words.sort_by(|a, b| {
        let (a_hit, b_hit) = (&hits[*a], &hits[*b]);
        b_hit.place.total_cmp(&a_hit.place).then(b_hit.words.total_cmp(&a_hit.words)).then(a.cmp(b))
    });
    let mut before = vec![0u32; files.len()];
    let mut rows: Vec<Option<ChunkRow>> = (0..hits.len()).map(|_| None).collect();
    for at in by_words {
        let (hit, facts) = (&hits[at], corpus.facts(hits[at].chunk));
        let row = row_of[&facts.file];
        let mut features = shape(facts);
        features[ChunkFeature::File as usize] = (files[row].odds - best).max(WORST_FILE);
        features[ChunkFeature::Order as usize] = libm::log1p(f64::from(before[row]));
        features[ChunkFeature::Place as usize] = hit.place;
        features[ChunkFeature::Evidence as usize] = libm::log(hit.evidence + FLOOR);
        features[ChunkFeature::Near as usize] = votes.chunks.get(&hit.chunk).copied().unwrap_or(0.0);
        before[row] += 1;
        let factor = if facts.flags.has(ChunkFlags::BOILERPLATE) { BOILERPLATE_COST } else { 1.0 };
        let room = factor * ((f64::from(facts.text_bytes) / TOKEN_BYTES).max(MIN_TOKENS) + FRAME_TOKENS);
        rows[at] = Some(ChunkRow { row, features, room });
    }
    rows.into_iter().map(|row| row.expect("every hit was looked at")).collect()
}

/// Features of a chunk that do not depend on the query.
fn shape(facts: ChunkFacts) -> [f64; ChunkFeature::COUNT] {
    let has = |flag: u8| f64::from(u8::from(facts.flags.has(flag)));
    let mut features = [0.0; ChunkFeature::COUNT];
    features[ChunkFeature::Callable as usize] = has(ChunkFlags::CALLABLE);
    features[ChunkFeature::Length as usize] = libm::log2(f64::from(facts.text_bytes.max(16)));
    features[ChunkFeature::Code as usize] = libm::log2(1.0 + f64::from(facts.code_lines));
    features
}

/// Converts logarithms of odds to probabilities that add up to one.
fn probabilities(odds: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let best = odds.clone().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = odds.map(|odds| libm::exp(odds - best)).collect();
    let all = sum(parts.iter().copied());
    parts.into_iter().map(|part| part / all).collect()
}

/// Adds in a fixed order, so that the result is the same everywhere.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(chunk: ChunkNo) -> Hit {
        let mut shares = [0.0; Feature::ALL.len()];
        shares[Feature::Chunk as usize] = 1.0;
        Hit { chunk, score: 1.0, evidence: 1.0, words: 1.0, place: 0.0, shares }
    }

    /// Each chunk is given as the row of its file and its evidence.
    fn model<'m>(hits: &'m [Hit], weights: &'m Weights, files: &[f64], chunks: &[(usize, f64)]) -> Model<'m> {
        let file = |(file, evidence): (usize, &f64)| {
            let mut features = [0.0; FileFeature::COUNT];
            features[FileFeature::Evidence as usize] = *evidence;
            FileRow { file: FileNo(file as u32), features, odds: weights.of_file(FileFeature::Evidence) * evidence }
        };
        let files: Vec<FileRow> = files.iter().enumerate().map(file).collect();
        let chunk = |(row, evidence): &(usize, f64)| {
            let mut features = [0.0; ChunkFeature::COUNT];
            features[ChunkFeature::File as usize] = files[*row].odds;
            features[ChunkFeature::Evidence as usize] = *evidence;
            ChunkRow { row: *row, features, room: 100.0 }
        };
        let chunks: Vec<ChunkRow> = chunks.iter().map(chunk).collect();
        let mean = Means::new(&files, &chunks);
        Model { hits, weights, files, chunks, mean }
    }

    fn order(weights: &Weights, files: &[f64], chunks: &[(usize, f64)]) -> Vec<Placed> {
        let hits: Vec<Hit> = (0..chunks.len() as u32).map(ChunkNo).map(hit).collect();
        model(&hits, weights, files, chunks).order()
    }

    #[test]
    fn gains_fall_from_one_and_every_hit_has_a_place() {
        let chunks = [(0, 0.2), (1, 1.0), (0, 1.0), (1, 0.4), (0, 0.6), (1, 0.4)];
        let placed = order(&Weights::default(), &[0.3, 0.0], &chunks);
        assert_eq!(placed[0].gain, 1.0);
        assert!(placed.is_sorted_by(|a, b| a.gain >= b.gain));
        let mut hits: Vec<usize> = placed.iter().map(|placed| placed.hit).collect();
        let equal = hits.iter().filter(|hit| [3, 5].contains(hit)).copied().collect::<Vec<_>>();
        assert_eq!(equal, [3, 5], "the better hit first where nothing else tells them apart");
        hits.sort_unstable();
        assert_eq!(hits, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn points_add_up_to_the_odds_above_the_mean() {
        let weights = Weights::default();
        let hits: Vec<Hit> = (0..3).map(ChunkNo).map(hit).collect();
        let model = model(&hits, &weights, &[0.5, -0.5], &[(0, 1.0), (0, 0.5), (1, 1.0)]);
        let mean = sum(model.chunks.iter().map(|chunk| model.odds(chunk))) / 3.0;
        for (at, chunk) in model.chunks.iter().enumerate() {
            let points = sum(model.points(at).into_iter().map(|(_, points)| points));
            assert!((points - (model.odds(chunk) - mean)).abs() < 1e-9, "{at}");
        }
    }
}
