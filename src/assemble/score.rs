//! Chunks that could be shown, each with its scores.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::expand::Reached;
use super::profile::ScoreWeights;
use super::{Found, IndexView};
use crate::record::pack::{ItemScores, Rule};
use crate::record::request::{Primary, SortOrder, TieBreaker};
use crate::record::{ChunkNo, Score};

/// A chunk with the reasons to show it.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub chunk: ChunkNo,
    pub scores: ItemScores,
    pub seed: Option<Rule>,
    pub reached: Option<Reached>,
    pub same_file: bool,
    /// Candidates of an earlier turn come first; a template may set it so that no file or kind fills the answer.
    pub turn: u32,
}

/// The chunks that the search and the walk found. With `same_file`, also the other chunks in the files of the first
/// seeds.
pub fn candidates(view: &IndexView, found: &Found, weights: ScoreWeights, same_file: bool) -> Vec<Candidate> {
    let mut all: BTreeMap<ChunkNo, Candidate> = BTreeMap::new();
    for hit in &found.seeds.hits {
        let candidate = all.entry(hit.chunk).or_insert_with(|| Candidate::new(hit.chunk));
        candidate.seed = Some(if hit.focus { Rule::Focus } else { Rule::QueryMatch });
        candidate.scores.seed_score = hit.score;
    }
    for (chunk, reached) in &found.walk.chunks {
        all.entry(*chunk).or_insert_with(|| Candidate::new(*chunk)).reached = Some(reached.clone());
    }
    for chunk in &found.seeds.rest {
        all.entry(*chunk).or_insert_with(|| Candidate::new(*chunk)).same_file = true;
    }
    if same_file {
        let corpus = view.corpus();
        let files = found.seeds.chunks.keys().map(|chunk| corpus.file_of(*chunk));
        for chunk in files.flat_map(|file| corpus.chunks_of(file)) {
            all.entry(chunk).or_insert_with(|| Candidate::new(chunk)).same_file = true;
        }
    }
    all.into_values().map(|candidate| candidate.with_scores(weights)).collect()
}

impl Candidate {
    fn new(chunk: ChunkNo) -> Self {
        Candidate { chunk, scores: ItemScores::default(), seed: None, reached: None, same_file: false, turn: 0 }
    }

    /// Whether its only reason is a path that lacks required evidence.
    pub fn has_gap(&self) -> bool {
        self.seed.is_none() && self.reached.as_ref().is_some_and(|reached| reached.gap)
    }

    fn with_scores(mut self, weights: ScoreWeights) -> Self {
        let reached = self.reached.as_ref().map(|reached| (reached.distance, reached.evidence));
        let (distance, evidence) = match (self.seed.is_some(), reached) {
            // A seed counts as its own evidence: its score already includes the connections in the graph.
            (true, _) => (0, Score::ONE),
            (false, Some(reached)) => reached,
            (false, None) => (SAME_FILE_DISTANCE, Score::default()),
        };
        let near = Score::ONE.shared_by(1 + distance as usize);
        let parts = [
            self.scores.seed_score.times(weights.seed),
            near.times(weights.distance),
            evidence.times(weights.evidence),
        ];
        self.scores.graph_distance = distance;
        self.scores.evidence_score = evidence;
        self.scores.hybrid_score = Score::millionths(parts.iter().map(|part| part.in_millionths()).sum());
        self
    }
}

/// The distance of a chunk without a path: it only shares a file with a seed.
const SAME_FILE_DISTANCE: u32 = 4;

/// The better candidate first. A total order: no two candidates are the same chunk.
pub fn compare(view: &IndexView, asked: &SortOrder, a: &Candidate, b: &Candidate) -> Ordering {
    let (x, y) = (&a.scores, &b.scores);
    let primary = match asked.primary {
        Primary::SeedScore => y.seed_score.cmp(&x.seed_score),
        Primary::GraphDistance => x.graph_distance.cmp(&y.graph_distance),
        Primary::GraphEvidence => y.evidence_score.cmp(&x.evidence_score),
        Primary::HybridScore => Ordering::Equal,
    };
    let tie_breakers = asked.stable_tie_breakers.iter().map(|breaker| match breaker {
        // Chunks are numbered by path and line, and symbols of one file are in that order too.
        TieBreaker::FileRelPath | TieBreaker::StartLine | TieBreaker::SymbolId => a.chunk.cmp(&b.chunk),
        TieBreaker::ChunkUid => view.chunk_uid(a.chunk).cmp(&view.chunk_uid(b.chunk)),
    });
    primary
        .then(y.hybrid_score.cmp(&x.hybrid_score))
        .then(x.graph_distance.cmp(&y.graph_distance))
        .then_with(|| tie_breakers.fold(Ordering::Equal, Ordering::then))
        .then(a.chunk.cmp(&b.chunk))
}
