//! What could be shown, scored and in order.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::expand::{Reached, Walk};
use super::intent::{self, Weights};
use super::seeds::Seeds;
use super::{PackIndex, Shelf};
use crate::record::Score;
use crate::record::pack::{ItemScores, Rule};
use crate::record::request::{PackRequest, Primary, TieBreaker};

/// A chunk with everything that speaks for it.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub chunk: u32,
    pub scores: ItemScores,
    pub seed: Option<Rule>,
    pub reached: Option<Reached>,
    pub same_file: bool,
}

/// The best first.
pub struct Ranked {
    pub candidates: Vec<Candidate>,
    /// How many there were before the cap.
    pub observed: u32,
}

pub fn ranked<S: Shelf>(index: &PackIndex<S>, request: &PackRequest, seeds: &Seeds, walk: &Walk) -> Ranked {
    let mut all: BTreeMap<u32, Candidate> = BTreeMap::new();
    for hit in &seeds.hits {
        let rule = if hit.focus { Rule::Focus } else { Rule::QueryMatch };
        let candidate = all.entry(hit.chunk).or_insert_with(|| Candidate::of(hit.chunk));
        candidate.seed = Some(rule);
        candidate.scores.seed_score = hit.score;
    }
    for (chunk, reached) in &walk.reached {
        all.entry(*chunk).or_insert_with(|| Candidate::of(*chunk)).reached = Some(reached.clone());
    }
    if request.expansion.include_same_file_neighbors {
        let files: Vec<u32> = seeds.chunks.keys().map(|chunk| index.corpus.file_of(*chunk)).collect();
        for chunk in files.into_iter().flat_map(|file| index.corpus.chunks_of(file)) {
            all.entry(chunk).or_insert_with(|| Candidate::of(chunk)).same_file = true;
        }
    }
    let weights = intent::weights(request.intent);
    let mut candidates: Vec<Candidate> = all.into_values().map(|candidate| candidate.scored(weights)).collect();
    candidates.sort_by(|a, b| order(index, request, a, b));
    let observed = candidates.len() as u32;
    candidates.truncate(request.expansion.max_candidates as usize);
    Ranked { candidates, observed }
}

impl Candidate {
    fn of(chunk: u32) -> Self {
        Candidate { chunk, scores: ItemScores::default(), seed: None, reached: None, same_file: false }
    }

    fn scored(mut self, weights: Weights) -> Self {
        let reached = self.reached.as_ref().map(|reached| (reached.distance, reached.evidence));
        let (distance, evidence) = match (self.seed.is_some(), reached) {
            // A seed is its own evidence: what the graph says of it is in its score already.
            (true, _) => (0, Score::ONE),
            (false, Some(reached)) => reached,
            (false, None) => (FAR, Score::default()),
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

/// The distance of what no edge leads to: it shares a file with a seed.
const FAR: u32 = 4;

/// A total order: no two candidates are the same chunk.
fn order<S: Shelf>(index: &PackIndex<S>, request: &PackRequest, a: &Candidate, b: &Candidate) -> Ordering {
    let (x, y) = (&a.scores, &b.scores);
    let primary = match request.ordering.primary {
        Primary::SeedScore => y.seed_score.cmp(&x.seed_score),
        Primary::GraphDistance => x.graph_distance.cmp(&y.graph_distance),
        Primary::GraphEvidence => y.evidence_score.cmp(&x.evidence_score),
        Primary::HybridScore => Ordering::Equal,
    };
    let asked = request.ordering.stable_tie_breakers.iter().map(|breaker| match breaker {
        // A chunk's number is its place by path and line; its symbol's order is that inside a file.
        TieBreaker::FileRelPath | TieBreaker::StartLine | TieBreaker::SymbolId => a.chunk.cmp(&b.chunk),
        TieBreaker::ChunkUid => index.corpus.uid(a.chunk).cmp(&index.corpus.uid(b.chunk)),
    });
    primary
        .then(y.hybrid_score.cmp(&x.hybrid_score))
        .then(x.graph_distance.cmp(&y.graph_distance))
        .then_with(|| asked.fold(Ordering::Equal, Ordering::then))
        .then(a.chunk.cmp(&b.chunk))
}
