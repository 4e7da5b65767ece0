//! Chunks that could be shown, each with its scores.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Candidates of an earlier turn come first; a template may set it so that no file or kind fills the answer.
    pub turn: u32,
    /// The first seed in its file, if that is a reason to show it.
    pub same_file: Option<ChunkNo>,
    pub standing: Standing,
    /// The name of a symbol that it contains and the query asks for.
    pub mention: Option<String>,
    /// Other outlines of its file that its item shows, too: they are around it or inside it.
    pub nested: Vec<ChunkNo>,
    /// It comes after the end of the evidence.
    pub is_below_floor: bool,
}

/// Where a candidate stands relative to the symbols that the query names, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It defines one of them; by their order.
    Named(usize),
    /// It is in the head of a test file, which shows how tests are written; in text order.
    TestHead(usize),
    /// An edge connects it with one of them; by the position of its group.
    Own(usize),
    /// It is code that contains the name of one of them.
    Mention,
    /// A longer path of edges that are asked for leads to it.
    Far,
    /// It is prose that contains the name of one of them.
    ProseMention,
    /// Neither, or the order does not depend on them.
    Other,
    /// No candidate has it: the end of the order.
    End,
}

/// The chunks that the search and the walk found. With `same_file`, also the other chunks in the files of the first
/// seeds.
pub fn candidates(view: &IndexView, found: &Found, same_file: bool) -> Vec<Candidate> {
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
        let first = found.seeds.hits.first().map_or(*chunk, |hit| hit.chunk);
        all.entry(*chunk).or_insert_with(|| Candidate::new(*chunk)).same_file = Some(first);
    }
    if same_file {
        let corpus = view.corpus();
        let listed = found.seeds.hits.iter().filter(|hit| found.seeds.chunks.contains_key(&hit.chunk));
        for seed in listed.map(|hit| hit.chunk) {
            for chunk in corpus.chunks_of(corpus.file_of(seed)) {
                all.entry(chunk).or_insert_with(|| Candidate::new(chunk)).same_file.get_or_insert(seed);
            }
        }
    }
    if let Some(floor) = found.seeds.floor {
        let evident: BTreeSet<ChunkNo> = found.seeds.hits.iter().take(floor).map(|hit| hit.chunk).collect();
        all.values_mut().for_each(|candidate| candidate.is_below_floor = !evident.contains(&candidate.chunk));
    }
    all.into_values().collect()
}

impl Candidate {
    pub fn new(chunk: ChunkNo) -> Self {
        Candidate {
            chunk,
            scores: ItemScores::default(),
            seed: None,
            reached: None,
            same_file: None,
            standing: Standing::Other,
            mention: None,
            nested: Vec::new(),
            is_below_floor: false,
            turn: 0,
        }
    }

    /// All chunks that its item shows.
    pub fn chunks(&self) -> impl Iterator<Item = ChunkNo> {
        std::iter::once(self.chunk).chain(self.nested.iter().copied())
    }

    /// Whether its only reason is a path that lacks required evidence.
    pub fn has_gap(&self) -> bool {
        self.seed.is_none() && self.reached.as_ref().is_some_and(|reached| reached.gap)
    }

    /// Whether it is shown for its words, not for its connection with a symbol that the query names.
    pub fn is_seed(&self) -> bool {
        self.seed.is_some() && matches!(self.standing, Standing::Named(_) | Standing::Other)
    }

    /// Whether an edge connects it with a symbol that the query names, and that matters.
    pub fn is_own(&self) -> bool {
        matches!(self.standing, Standing::Own(_))
    }

    /// Whether its path in the graph is a better reason than its words.
    pub fn is_by_edge(&self) -> bool {
        self.reached.is_some() && (self.is_own() || self.standing == Standing::Far)
    }

    /// With `is_led`, named symbols decide the order, and words alone give no credit for connections in the graph.
    pub fn with_scores(mut self, weights: ScoreWeights, is_led: bool) -> Self {
        let reached = self.reached.as_ref().filter(|reached| !is_led || reached.is_from_named);
        let reached = reached.map(|reached| (reached.distance, reached.evidence));
        let is_named = matches!(self.standing, Standing::Named(_));
        if is_named {
            self.scores.seed_score = Score::ONE;
            self.seed.get_or_insert(Rule::QueryMatch);
        }
        let (distance, evidence) = match reached {
            // A seed counts as its own evidence: its score already includes the connections in the graph.
            _ if self.seed.is_some() && (!is_led || is_named) => (0, Score::ONE),
            Some(reached) => reached,
            None => (SAME_FILE_DISTANCE, Score::default()),
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
        Primary::HybridScore => a.standing.cmp(&b.standing),
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
