//! Where the walk starts: chunks that the query finds, and chunks that the request names.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::focus::FocusSet;
use super::near::near_words;
use super::scope::RequestScope;
use super::{IndexView, ReadError, literals};
use crate::graph::adjacency::Direction;
use crate::record::pack::{FeaturePoints, Found, QueryExplain, Seed, Translated};
use crate::record::request::{SeedMode, SeedProvider};
use crate::record::{Chunk, ChunkNo, FileNo, Score};
use crate::search::{Answer, FileFlags, Hit, Model, Placed, Query, Votes, add_synonyms, search, translate};

/// What to search for.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    pub query: &'q str,
    pub scope: &'q RequestScope,
    /// Whether the focus itself is shown.
    pub shows_focus: bool,
    pub mode: SeedMode,
    pub provider: SeedProvider,
    /// Meanings of words that the user adds to the built-in ones.
    pub words: &'q BTreeMap<String, Vec<String>>,
}

/// The chunks to start with, the best first.
#[derive(Default)]
pub struct Seeds {
    /// Scores are from 0 to 1.
    pub hits: Vec<SeedHit>,
    /// How many of the hits come before the evidence ends, if it does: the others share few words with the query.
    pub floor: Option<usize>,
    /// Chunks of the focus that are less than seeds: they come last.
    pub rest: Vec<ChunkNo>,
    /// The records of the first hits.
    pub chunks: BTreeMap<ChunkNo, Arc<Chunk>>,
    pub entries: Vec<Seed>,
    pub explain: QueryExplain,
    /// Absent names and quotations that the query stresses.
    pub stressed: Vec<String>,
}

pub struct SeedHit {
    pub chunk: ChunkNo,
    pub score: Score,
    pub focus: bool,
}

/// How many seeds can be shown.
const MAX_SEEDS: usize = 400;
/// The evidence ends before so many hits in a row that are weak.
const MAX_WEAK_HITS: usize = 12;
/// So many bytes are shown however weak the hits are.
const MIN_BYTES: u32 = 4_000;
/// A weak hit adds less than this, per token and relative to the best one,
const WEAK_GAIN: f64 = 0.02;
/// and has less than this of what the best one has of the query's words. Rare words count more.
const WEAK_WORDS: f64 = 0.4;
/// How many seeds are listed, with their records.
const MAX_LISTED: usize = 12;
/// How many terms an explanation lists.
const MAX_TERMS: usize = 20;
/// How many bytes of the focus come before its neighbours if there is no query. Whoever names it mostly knows it.
const MAX_BRIEF_BYTES: u32 = 6_000;

/// Calls `inspect` with the result of the search and the model that ranks it.
pub fn ranked<R>(view: &IndexView, question: &Question, inspect: impl FnOnce(&Answer, &Model) -> R) -> R {
    let mut query = Query::parse(question.query, view.weights());
    translate(view.corpus(), &mut query, question.words);
    add_synonyms(view.corpus(), &mut query, view.weights());
    query.literals = literals::find(view, &query);
    let answer = search(view.corpus(), &query, question.mode, &question.scope.found, view.weights());
    let votes = match question.provider {
        SeedProvider::Hybrid => votes(view, &answer.hits),
        _ => Votes::default(),
    };
    let model = Model::new(view.corpus(), &answer.hits, &votes, question.mode, view.weights());
    inspect(&answer, &model)
}

pub fn find(view: &IndexView, question: &Question) -> Result<Seeds, ReadError> {
    ranked(view, question, |answer, model| seeds(view, question, answer, model))
}

fn seeds(view: &IndexView, question: &Question, found: &Answer, model: &Model) -> Result<Seeds, ReadError> {
    let mut order = model.order();
    order.truncate(MAX_SEEDS);
    let placed = order.iter().map(|placed| (found.hits[placed.hit].chunk, placed));
    let hits = placed.clone().map(|(chunk, placed)| SeedHit { chunk, score: score(placed.gain), focus: false });
    let bytes = |hit: usize| view.corpus().facts(found.hits[hit].chunk).text_bytes;
    let floor = floor(&order, |hit| found.hits[hit].words, bytes).filter(|_| question.scope.focus.is_none());
    let (hits, rest) = match &question.scope.focus {
        None => (hits.collect(), Vec::new()),
        Some(focus) => with_focus(view, question, focus, hits.collect()),
    };
    let hit_of: BTreeMap<ChunkNo, usize> = placed.map(|(chunk, placed)| (chunk, placed.hit)).collect();
    let mut chunks = BTreeMap::new();
    let mut entries = Vec::new();
    for hit in hits.iter().take(MAX_LISTED) {
        let chunk = view.chunk(hit.chunk)?;
        entries.push(Seed {
            chunk_uid: chunk.chunk_uid,
            features: hit_of.get(&hit.chunk).map_or_else(Vec::new, |hit| features(model, *hit)),
            file_rel_path: chunk.file_rel_path.clone(),
            score: hit.score,
            symbol_id: chunk.symbol_id.clone(),
        });
        chunks.insert(hit.chunk, chunk);
    }
    let coverage = found.coverage.clone();
    let translated = coverage.translations.into_iter().map(|one| Translated { to: one.to, word: one.word });
    let explain = QueryExplain {
        absent: coverage.absent,
        matched_chunks: found.matched_chunks,
        matched_names: found.names.iter().map(|(what, chunks)| Found { chunks: *chunks, what: what.clone() }).collect(),
        near: if hits.is_empty() && rest.is_empty() {
            near_words(view, &question.scope.files, question.query)
        } else {
            Vec::new()
        },
        provider: provider(question.provider).to_string(),
        terms: rarest(&found.terms),
        translated: translated.collect(),
        unknown_words: coverage.unknown_words,
        weak: coverage.weak.filter(|_| question.scope.focus.is_none()),
    };
    Ok(Seeds { hits, floor, rest, chunks, entries, explain, stressed: coverage.stressed })
}

/// How many hits come before the evidence ends. One weak hit says nothing: a better one may follow. `words` gives a hit's
/// score for the query's words, relative to the best one.
fn floor(order: &[Placed], words: impl Fn(usize) -> f64, bytes: impl Fn(usize) -> u32) -> Option<usize> {
    let is_weak = |placed: &Placed| placed.own < WEAK_GAIN && words(placed.hit) < WEAK_WORDS;
    let end = order.windows(MAX_WEAK_HITS).position(|next| next.iter().all(is_weak))?;
    let mut shown = 0;
    let is_enough = |placed: &Placed| {
        shown += bytes(placed.hit);
        shown >= MIN_BYTES
    };
    let enough = order.iter().position(is_enough)? + 1;
    Some(end.max(enough)).filter(|end| *end < order.len())
}

/// The seeds inside a focus, and the rest of the focus. The hits of the query come first, then what is named itself.
/// Without a hit, the chunks come first that are used the most, up to a limit.
fn with_focus(
    view: &IndexView,
    question: &Question,
    focus: &FocusSet,
    mut hits: Vec<SeedHit>,
) -> (Vec<SeedHit>, Vec<ChunkNo>) {
    if !question.shows_focus {
        return (Vec::new(), Vec::new());
    }
    let shown = |chunk: &&ChunkNo| question.scope.files.has(**chunk);
    if hits.is_empty() {
        let brief = brief(view, focus.chunks.iter().filter(shown).copied());
        hits = brief.into_iter().map(|chunk| SeedHit { chunk, score: Score::ONE, focus: true }).collect();
    } else {
        let known: BTreeSet<ChunkNo> = hits.iter().map(|hit| hit.chunk).collect();
        let named = focus.named.iter().filter(shown).filter(|chunk| !known.contains(chunk));
        hits.extend(named.map(|chunk| SeedHit { chunk: *chunk, score: Score::default(), focus: true }));
        hits.truncate(MAX_SEEDS);
    }
    let known: BTreeSet<ChunkNo> = hits.iter().map(|hit| hit.chunk).collect();
    let rest = focus.chunks.iter().filter(shown).filter(|chunk| !known.contains(chunk)).copied();
    (hits, rest.take(MAX_SEEDS).collect())
}

/// The chunks that others use the most, in order, as many as are short enough together; at least one.
fn brief(view: &IndexView, chunks: impl Iterator<Item = ChunkNo>) -> Vec<ChunkNo> {
    let users = |chunk: ChunkNo| {
        let Some((graph, nodes)) = view.linked_graph() else { return 0 };
        nodes.nodes(chunk).iter().map(|node| graph.all_neighbours(*node, Direction::In).len()).sum::<usize>()
    };
    let mut all: Vec<(Reverse<usize>, ChunkNo)> = chunks.map(|chunk| (Reverse(users(chunk)), chunk)).collect();
    all.sort_unstable();
    let mut bytes = 0;
    let fits = |(_, chunk): &(Reverse<usize>, ChunkNo)| {
        let is_first = bytes == 0;
        bytes += view.corpus().facts(*chunk).text_bytes.max(1);
        is_first || bytes <= MAX_BRIEF_BYTES
    };
    let mut brief: Vec<ChunkNo> = all.into_iter().take_while(fits).map(|(_, chunk)| chunk).collect();
    brief.sort_unstable();
    brief
}

/// Hits vote for the files of other hits that they use or that use them, weighted by their own score. Tests do not
/// vote, because they use much more than the code under test.
fn votes(view: &IndexView, hits: &[Hit]) -> Votes {
    let (Some((graph, nodes)), Some(best)) = (view.linked_graph(), hits.first().map(|hit| hit.score)) else {
        return Votes::default();
    };
    let corpus = view.corpus();
    let found: BTreeSet<ChunkNo> = hits.iter().map(|hit| hit.chunk).collect();
    let mut votes = Votes::default();
    for hit in hits {
        let edges = nodes.nodes(hit.chunk).iter().map(|node| graph.all_neighbours(*node, Direction::In).len());
        votes.chunks.entry(hit.chunk).or_default().users = edges.sum();
    }
    for hit in hits.iter().take(MAX_VOTERS) {
        let file = corpus.file_of(hit.chunk);
        if corpus.file_flags(file).has(FileFlags::TEST) {
            continue;
        }
        let strength = hit.score / best;
        let found_at = |direction| {
            let edges = nodes
                .nodes(hit.chunk)
                .iter()
                .flat_map(move |node| graph.all_neighbours(*node, direction).take(MAX_EDGES));
            let is_found = |chunk: &ChunkNo| found.contains(chunk) && *chunk != hit.chunk;
            edges.filter_map(move |edge| Some((nodes.chunk(edge.node).filter(is_found)?, edge.confidence)))
        };
        // One vote per file and direction, with the confidence of the most certain edge.
        let mut surest: BTreeMap<(FileNo, bool), Score> = BTreeMap::new();
        for (direction, is_user) in [(Direction::Out, true), (Direction::In, false)] {
            for (chunk, confidence) in found_at(direction) {
                let near = &mut votes.chunks.entry(chunk).or_default().near;
                *near = near.max(strength * certainty(confidence));
                let other = corpus.file_of(chunk);
                if other != file {
                    let known = surest.entry((other, is_user)).or_default();
                    *known = confidence.max(*known);
                }
            }
        }
        for ((file, is_user), confidence) in surest {
            let vote = strength * strength * certainty(confidence);
            let votes = votes.files.entry(file).or_default();
            *(if is_user { &mut votes.used_by } else { &mut votes.uses }) += vote;
        }
    }
    votes
}

fn certainty(confidence: Score) -> f64 {
    f64::from(confidence.in_millionths()) / 1e6
}

/// How many hits vote.
const MAX_VOTERS: usize = 200;
/// How many edges of a node count, per direction. A node that everything uses takes the most time and says the least.
const MAX_EDGES: usize = 200;

/// Maps a gain to a score from 1 down to 0, by its logarithm. Gains fall by orders of magnitude, so most would be
/// equal in millionths.
fn score(gain: f64) -> Score {
    Score::millionths((1e6 / (1.0 - libm::log(gain.max(f64::MIN_POSITIVE)) / SCORE_HALVES)) as u32)
}

/// The fall of the gain's logarithm that halves the score.
const SCORE_HALVES: f64 = 5.0;

fn features(model: &Model, hit: usize) -> Vec<FeaturePoints> {
    let points = model.points(hit).into_iter().map(|(feature, points)| FeaturePoints {
        feature: feature.to_string(),
        points: libm::round(points * 1_000.0) as i32,
    });
    let mut points: Vec<FeaturePoints> = points.filter(|feature| feature.points != 0).collect();
    points.sort_by(|a, b| b.points.abs().cmp(&a.points.abs()).then_with(|| a.feature.cmp(&b.feature)));
    points
}

fn provider(provider: SeedProvider) -> &'static str {
    match provider {
        SeedProvider::Sparse => "sparse",
        SeedProvider::Fts => "fts",
        SeedProvider::Ann => "ann",
        SeedProvider::Hybrid => "hybrid",
    }
}

/// The terms that the fewest chunks contain.
fn rarest(terms: &BTreeMap<String, u32>) -> Vec<Found> {
    let found = terms.iter().filter(|(_, chunks)| **chunks > 0);
    let mut terms: Vec<Found> = found.map(|(what, chunks)| Found { chunks: *chunks, what: what.clone() }).collect();
    terms.sort();
    terms.truncate(MAX_TERMS);
    terms
}

#[cfg(test)]
mod tests {
    use super::floor;
    use crate::search::Placed;

    #[test]
    fn the_evidence_ends_before_many_weak_hits_in_a_row() {
        let order = |own: &[f64]| -> Vec<Placed> {
            own.iter().enumerate().map(|(hit, own)| Placed { hit, gain: *own, own: *own }).collect()
        };
        let weak = [0.001; 12];
        let long = order(&[&[1.0, 0.5, 0.001, 0.3], &weak[..], &[0.9]].concat());
        assert_eq!(floor(&long, |_| 0.1, |_| 1_000), Some(4), "a better hit after one weak hit still counts");
        assert_eq!(floor(&long, |hit| if hit == 9 { 0.5 } else { 0.1 }, |_| 1_000), None, "words are evidence, too");
        assert_eq!(floor(&long[1..], |_| 0.1, |_| 400), Some(10), "some lines are shown in any case");
        assert_eq!(floor(&long, |_| 0.1, |_| 10), None, "a small tree is shown as far as it matches");
        assert_eq!(floor(&long[5..], |_| 0.1, |_| 1_000), None);
    }
}
