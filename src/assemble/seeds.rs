//! Where the walk starts: chunks that the query finds, and chunks that the request names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{IndexView, ReadError, literals};
use crate::graph::adjacency::Direction;
use crate::record::pack::{FeaturePoints, Found, QueryExplain, Seed, Translated};
use crate::record::request::{Focus, SeedMode, SeedProvider};
use crate::record::{Chunk, ChunkNo, FileNo, Score};
use crate::search::{Answer, FileFlags, Hit, Model, Query, Votes, search, translate};

/// What to search for.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    pub query: &'q str,
    pub focus: &'q Focus,
    pub mode: SeedMode,
    pub provider: SeedProvider,
    /// Meanings of words that the user adds to the built-in ones.
    pub words: &'q BTreeMap<String, Vec<String>>,
}

/// The chunks to start with, the best first.
#[derive(Default)]
pub struct Seeds {
    /// Scores are from 0 to 1; chunks that the request names have 1.
    pub hits: Vec<SeedHit>,
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
/// How many seeds are listed, with their records.
const MAX_LISTED: usize = 12;
/// How many terms an explanation lists.
const MAX_TERMS: usize = 20;
/// How many similar names are suggested when nothing is found.
const MAX_NEAR: usize = 5;

/// Calls `inspect` with the result of the search and the model that ranks it.
pub fn ranked<R>(view: &IndexView, question: &Question, inspect: impl FnOnce(&Answer, &Model) -> R) -> R {
    let mut query = Query::parse(question.query, view.weights());
    translate(view.corpus(), &mut query, question.words);
    query.literals = literals::find(view, &query);
    let answer = search(view.corpus(), &query, question.mode, view.weights());
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
    let focused = focused_chunks(view, question.focus);
    let mut hits: Vec<SeedHit> =
        focused.iter().map(|chunk| SeedHit { chunk: *chunk, score: Score::ONE, focus: true }).collect();
    let placed = order.iter().map(|placed| (found.hits[placed.hit].chunk, placed));
    let rest = placed.clone().filter(|(chunk, _)| !focused.contains(chunk));
    hits.extend(rest.map(|(chunk, placed)| SeedHit { chunk, score: score(placed.gain), focus: false }));
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
        near: if hits.is_empty() { near(view, question) } else { Vec::new() },
        provider: provider(question.provider).to_string(),
        terms: rarest(&found.terms),
        translated: translated.collect(),
        unknown_words: coverage.unknown_words,
        weak: coverage.weak.filter(|_| focused.is_empty()),
    };
    Ok(Seeds { hits, chunks, entries, explain, stressed: coverage.stressed })
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
    for hit in hits.iter().take(MAX_VOTERS) {
        let file = corpus.file_of(hit.chunk);
        if corpus.file_flags(file).has(FileFlags::TEST) {
            continue;
        }
        // One vote per file and direction, with the confidence of the most certain edge.
        let strength = hit.score / best;
        let mut surest: BTreeMap<(FileNo, bool), Score> = BTreeMap::new();
        for (direction, is_user) in [(Direction::Out, true), (Direction::In, false)] {
            let all =
                nodes.nodes(hit.chunk).iter().flat_map(|node| graph.all_neighbours(*node, direction).take(MAX_EDGES));
            for neighbour in all {
                let Some(chunk) = nodes.chunk(neighbour.node).filter(|chunk| found.contains(chunk)) else { continue };
                let other = corpus.file_of(chunk);
                let sure = f64::from(neighbour.confidence.in_millionths()) / 1e6;
                if chunk != hit.chunk {
                    let near = votes.chunks.entry(chunk).or_default();
                    *near = near.max(strength * sure);
                }
                if other != file {
                    let known = surest.entry((other, is_user)).or_default();
                    *known = neighbour.confidence.max(*known);
                }
            }
        }
        for ((file, is_user), confidence) in surest {
            let vote = strength * strength * f64::from(confidence.in_millionths()) / 1e6;
            let votes = votes.files.entry(file).or_default();
            *(if is_user { &mut votes.used_by } else { &mut votes.uses }) += vote;
        }
    }
    votes
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

/// Whether the index contains what the focus names. True if the focus names nothing.
pub fn has_focus(view: &IndexView, focus: &Focus) -> bool {
    focus.is_empty() || !focused_chunks(view, focus).is_empty()
}

/// The chunks that the focus names; empty if the index has no match.
fn focused_chunks(view: &IndexView, focus: &Focus) -> Vec<ChunkNo> {
    let corpus = view.corpus();
    let by_uid = focus.chunk_uid.and_then(|uid| corpus.chunk(uid));
    let by_symbol = focus.symbol_id.as_ref().and_then(|symbol| view.chunk_of_symbol(symbol));
    let file = focus.file_rel_path.as_ref().and_then(|path| corpus.file(path.as_str()));
    let of_file = file.into_iter().flat_map(|file| corpus.chunks_of(file));
    by_uid.into_iter().chain(by_symbol).chain(of_file).collect()
}

/// Defined names and paths that share the longest prefix with a word of the question.
fn near(view: &IndexView, question: &Question) -> Vec<String> {
    let focus = question.focus;
    let symbol = focus.symbol_id.as_ref().map(|symbol| symbol.as_str().to_string());
    let path = focus.file_rel_path.as_ref().map(|path| path.as_str().to_string());
    let wanted = symbol.or(path).unwrap_or_else(|| question.query.to_string());
    let wanted: Vec<String> =
        wanted.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).map(str::to_lowercase).collect();
    let shared = |name: &str| {
        let name = name.to_lowercase();
        let common = |word: &String| name.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        wanted.iter().map(common).max().unwrap_or(0)
    };
    let last = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_string();
    let names = view.corpus().names().map(|name| (shared(name), name.to_string()));
    let paths = view.corpus().paths().map(|(_, path)| (shared(&last(path)), path.to_string()));
    let mut all: Vec<(usize, String)> = names.chain(paths).filter(|(count, _)| *count > 2).collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.len().cmp(&b.1.len())).then_with(|| a.1.cmp(&b.1)));
    all.dedup();
    all.truncate(MAX_NEAR);
    all.into_iter().map(|(_, name)| name).collect()
}
