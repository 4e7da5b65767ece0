//! How likely each chunk is what has to change, and in which order chunks are worth their room.
//!
//! Two linear models, one of files and one of the chunks in them: what is known of a file, or of a chunk,
//! times its weight adds up to the logarithm of its odds against the others. The weights are in
//! [`Weights`]; `benches/train_weights.py` fits them to histories.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use super::corpus::{ChunkFacts, Corpus};
use super::rank::Hit;
use super::terms::ChunkFlags;
use super::weights::{ChunkFeature, Feature, FileFeature, Weights};
use crate::record::request::SeedMode;
use crate::record::{ChunkNo, FileNo};

/// What the graph says of hits.
#[derive(Clone, Debug, Default)]
pub struct Votes {
    pub files: BTreeMap<FileNo, FileVotes>,
    /// How strongly the hit that is surest of a chunk uses it or is used by it.
    pub chunks: BTreeMap<ChunkNo, f64>,
}

/// How strongly other files' hits use what is in a file, and how strongly what is in it uses them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FileVotes {
    pub used_by: f64,
    pub uses: f64,
}

/// A hit at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Its number among the hits.
    pub hit: usize,
    /// What it adds to the pack for its room, against what the first adds: 1 and less and less.
    pub gain: f64,
}

/// The hits of a query with everything that is known of them.
pub struct Model<'m> {
    hits: &'m [Hit],
    weights: &'m Weights,
    files: Vec<FileRow>,
    chunks: Vec<ChunkRow>,
    mean: Means,
}

/// Of the hits' features, and of their files'.
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
    /// Its file's place among the rows of files.
    pub row: usize,
    pub features: [f64; ChunkFeature::COUNT],
    /// What it takes of a budget, about.
    room: f64,
}

/// Evidence below this is as good as none: a logarithm needs a floor.
const FLOOR: f64 = 0.03;
/// A file whose odds are so much worse than the best one's is as good as out.
const WORST_FILE: f64 = -12.0;
/// Bytes that a token has in code, and what the frame around a chunk takes.
const TOKEN_BYTES: f64 = 4.0;
const FRAME_TOKENS: f64 = 25.0;
/// Shorter chunks pay as if they were so long: a line or two seldom tell why they are there.
const MIN_TOKENS: f64 = 100.0;

impl<'m> Model<'m> {
    /// Hits have to be the best first.
    pub fn new(corpus: &Corpus, hits: &'m [Hit], votes: &Votes, mode: SeedMode, weights: &'m Weights) -> Self {
        let files = file_rows(corpus, hits, votes, mode, weights);
        let chunks = chunk_rows(corpus, hits, votes, &files);
        let mean = Means::of(&files, &chunks);
        Model { hits, weights, files, chunks, mean }
    }

    pub fn files(&self) -> &[FileRow] {
        &self.files
    }

    /// In the order of the hits.
    pub fn chunks(&self) -> &[ChunkRow] {
        &self.chunks
    }

    /// Each next one adds the most for each token of its room: the chance that it has to change, and, if it is the first of
    /// its file, a part of the chance that its file has to.
    pub fn order(&self) -> Vec<Placed> {
        let of_files = chances(self.files.iter().map(|file| file.odds));
        let of_chunks = chances(self.chunks.iter().map(|chunk| self.odds(chunk)));
        let gain = |hit: usize, first: bool| {
            let chunk = &self.chunks[hit];
            let new = if first { self.weights.new_file * of_files[chunk.row] } else { 0.0 };
            (of_chunks[hit] + new) / chunk.room
        };
        let mut heap: BinaryHeap<Next> =
            (0..self.hits.len()).map(|hit| Next { gain: gain(hit, true), hit, first: true }).collect();
        let mut seen = vec![false; self.files.len()];
        let mut placed: Vec<Placed> = Vec::with_capacity(self.hits.len());
        while let Some(Next { gain: value, hit, first }) = heap.pop() {
            let row = self.chunks[hit].row;
            if first && seen[row] {
                heap.push(Next { gain: gain(hit, false), hit, first: false });
                continue;
            }
            seen[row] = true;
            placed.push(Placed { hit, gain: value });
        }
        let best = placed.first().map_or(1.0, |first| first.gain);
        placed.iter_mut().for_each(|placed| placed.gain /= best);
        placed
    }

    fn odds(&self, chunk: &ChunkRow) -> f64 {
        sum(ChunkFeature::ALL.iter().map(|feature| self.chunk_points(chunk, *feature)))
    }

    fn chunk_points(&self, chunk: &ChunkRow, feature: ChunkFeature) -> f64 {
        self.weights.of_chunk(feature) * chunk.features[feature as usize]
    }

    /// What each feature gives to the logarithm of a hit's odds, more or less than to the hits' mean; what is
    /// known of its file counts as far as the file does, and what the query says of the hit has its share of what
    /// the evidence does.
    pub fn points(&self, hit: usize) -> Vec<(&'static str, f64)> {
        let (chunk, of) = (&self.chunks[hit], &self.hits[hit]);
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
        let share = above(ChunkFeature::Evidence) / of.evidence.max(f64::MIN_POSITIVE);
        points.extend(Feature::ALL.iter().map(|feature| (feature.name(), share * of.shares[*feature as usize])));
        points
    }
}

impl Means {
    fn of(files: &[FileRow], chunks: &[ChunkRow]) -> Self {
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

/// The largest gain first, then the better hit.
#[derive(PartialEq)]
struct Next {
    gain: f64,
    hit: usize,
    first: bool,
}

impl Eq for Next {}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.hit.cmp(&self.hit))
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn file_rows(corpus: &Corpus, hits: &[Hit], votes: &Votes, mode: SeedMode, weights: &Weights) -> Vec<FileRow> {
    // By their best hit: the first one of each comes in the order of hits.
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
        row.odds = sum(FileFeature::ALL.iter().map(|of| weights.of_file(*of) * row.features[*of as usize]));
    }
    rows
}

/// Hits of a file beside its best that are looked at.
const FURTHER: usize = 3;

fn chunk_rows(corpus: &Corpus, hits: &[Hit], votes: &Votes, files: &[FileRow]) -> Vec<ChunkRow> {
    let best = files.iter().map(|file| file.odds).fold(f64::NEG_INFINITY, f64::max);
    let row_of: BTreeMap<FileNo, usize> = files.iter().enumerate().map(|(row, file)| (file.file, row)).collect();
    let mut by_words: Vec<usize> = (0..hits.len()).collect();
    // Lines that the query names are the first of their file, whatever their words.
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
        let room = (f64::from(facts.text_bytes) / TOKEN_BYTES).max(MIN_TOKENS) + FRAME_TOKENS;
        rows[at] = Some(ChunkRow { row, features, room });
    }
    rows.into_iter().map(|row| row.expect("every hit was looked at")).collect()
}

/// What a chunk is, whatever is asked.
fn shape(facts: ChunkFacts) -> [f64; ChunkFeature::COUNT] {
    let has = |flag: u8| f64::from(u8::from(facts.flags.has(flag)));
    let mut features = [0.0; ChunkFeature::COUNT];
    features[ChunkFeature::Callable as usize] = has(ChunkFlags::CALLABLE);
    features[ChunkFeature::Length as usize] = libm::log2(f64::from(facts.text_bytes.max(16)));
    features[ChunkFeature::Code as usize] = libm::log2(1.0 + f64::from(facts.code_lines));
    features
}

/// Odds into chances that add up to one.
fn chances(odds: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let best = odds.clone().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = odds.map(|odds| libm::exp(odds - best)).collect();
    let all = sum(parts.iter().copied());
    parts.into_iter().map(|part| part / all).collect()
}

/// In order, so that it is the same everywhere.
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

    /// Chunks given by the row of their file and by their evidence.
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
        let mean = Means::of(&files, &chunks);
        Model { hits, weights, files, chunks, mean }
    }

    fn order(weights: &Weights, files: &[f64], chunks: &[(usize, f64)]) -> Vec<Placed> {
        let hits: Vec<Hit> = (0..chunks.len() as u32).map(ChunkNo).map(hit).collect();
        model(&hits, weights, files, chunks).order()
    }

    #[test]
    fn a_new_file_counts_beside_a_likelier_chunk() {
        let chunks = [(0, 1.0), (0, 0.9), (1, 0.8)];
        let hits = |weights: &Weights| order(weights, &[0.0, 0.0], &chunks).iter().map(|of| of.hit).collect::<Vec<_>>();
        assert_eq!(hits(&Weights { new_file: 0.0, ..Weights::default() }), [0, 1, 2]);
        assert_eq!(hits(&Weights { new_file: 1.0, ..Weights::default() }), [0, 2, 1]);
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
