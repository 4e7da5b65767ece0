//! Estimates how likely each chunk is to be changed for a query. `order` decides from that what comes first.
//!
//! There are two linear models: one for files and one for the chunks in them. The features of a file or a chunk,
//! multiplied by their weights, add up to the logarithm of its odds. The weights are in [`Weights`];
//! `benches/train_weights.py` fits them to commit histories.

use std::collections::BTreeMap;

use super::corpus::Corpus;
use super::features::{ChunkRow, FileRow, Votes, chunk_rows, file_rows, sum};
use super::order::{Piece, Placed, order};
use super::rank::Hit;
use super::weights::{ChunkFeature, Feature, FileFeature, Weights};
use crate::record::request::SeedMode;

/// The hits of a query with the features of their chunks and files.
pub struct Model<'m> {
    hits: &'m [Hit],
    weights: &'m Weights,
    files: Vec<FileRow>,
    chunks: Vec<ChunkRow>,
    mean: Means,
}

/// The mean features over all hits: of their files and of their chunks.
struct Means {
    file: [f64; FileFeature::COUNT],
    chunk: [f64; ChunkFeature::COUNT],
}

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
    /// features of its file are scaled by the weight of the file's odds. The contribution of the evidence for its file
    /// is split among the query features in proportion to the shares of the hit. What has the same name is added up.
    pub fn points(&self, hit: usize) -> Vec<(&'static str, f64)> {
        let (chunk, hit) = (&self.chunks[hit], &self.hits[hit]);
        let file = &self.files[chunk.row].features;
        let file_weight = self.weights.of_chunk(ChunkFeature::File);
        let of_file = |feature: FileFeature| {
            let above = file[feature as usize] - self.mean.file[feature as usize];
            file_weight * self.weights.of_file(feature) * above
        };
        let of_chunk = |feature: ChunkFeature| {
            let above = chunk.features[feature as usize] - self.mean.chunk[feature as usize];
            self.weights.of_chunk(feature) * above
        };
        let share = of_file(FileFeature::Evidence) / hit.evidence.max(f64::MIN_POSITIVE);
        let mut points: BTreeMap<&'static str, f64> = BTreeMap::new();
        let mut add = |name: &'static str, value: f64| *points.entry(name).or_default() += value;
        for feature in FileFeature::ALL.into_iter().filter(|feature| *feature != FileFeature::Evidence) {
            add(feature.name(file[feature as usize]), of_file(feature));
        }
        for feature in Feature::ALL {
            let value = hit.shares[feature as usize];
            add(feature.name(value), share * value);
        }
        for feature in ChunkFeature::ALL.into_iter().filter(|feature| *feature != ChunkFeature::File) {
            add(feature.name(chunk.features[feature as usize]), of_chunk(feature));
        }
        points.into_iter().collect()
    }
}

impl Means {
    fn new(files: &[FileRow], chunks: &[ChunkRow]) -> Self {
        let mut mean = Means { file: [0.0; FileFeature::COUNT], chunk: [0.0; ChunkFeature::COUNT] };
        for chunk in chunks {
            let pairs = mean.file.iter_mut().zip(&files[chunk.row].features);
            pairs.for_each(|(sum, value)| *sum += value / chunks.len() as f64);
            let pairs = mean.chunk.iter_mut().zip(&chunk.features);
            pairs.for_each(|(sum, value)| *sum += value / chunks.len() as f64);
        }
        mean
    }
}

/// Converts logarithms of odds to probabilities that add up to one.
fn probabilities(odds: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let best = odds.clone().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = odds.map(|odds| libm::exp(odds - best)).collect();
    let all = sum(parts.iter().copied());
    parts.into_iter().map(|part| part / all).collect()
}

#[cfg(test)]
mod tests {
    use super::super::found::FoundWords;
    use super::*;
    use crate::record::{ChunkNo, FileNo};

    fn hit(chunk: ChunkNo) -> Hit {
        let mut shares = [0.0; Feature::ALL.len()];
        shares[Feature::Chunk as usize] = 1.0;
        let found = FoundWords::default();
        Hit { chunk, score: 1.0, evidence: 1.0, words: 1.0, place: 0.0, shares, found, in_path: 0.0 }
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
            features[ChunkFeature::Words as usize] = *evidence;
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
