//! Where a pack begins: what the query finds, and what the request focuses on.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{PackIndex, Shelf};
use crate::graph::adjacency::{Adjacency, Direction, Neighbour};
use crate::record::pack::{FeatureShare, Found, QueryExplain, Seed};
use crate::record::request::{PackRequest, SeedProvider};
use crate::record::{Chunk, EdgeType, Score, SymbolId};
use crate::search::{Feature, Hit, Query, search, spread};

/// Chunks to begin with, the best first.
pub struct Seeds {
    /// What the query found, with scores from 0 to 1 of the best; what the request focuses on has 1.
    pub hits: Vec<SeedHit>,
    /// The records of the first of them.
    pub chunks: BTreeMap<u32, Arc<Chunk>>,
    pub entries: Vec<Seed>,
    pub explain: QueryExplain,
}

pub struct SeedHit {
    pub chunk: u32,
    pub score: Score,
    pub focus: bool,
}

/// So many are listed, and walked from.
const MAX_LISTED: usize = 12;
/// Terms that an explanation lists.
const MAX_TERMS: usize = 20;
/// Names that are offered when nothing is found.
const MAX_NEAR: usize = 5;

pub fn find<S: Shelf>(index: &PackIndex<S>, request: &PackRequest) -> Result<Seeds, S::Fault> {
    let query = Query::parse(&request.query, index.weights);
    let mut found = search(index.corpus, &query, request.seed_mode, index.weights);
    if request.seed_provider == SeedProvider::Hybrid {
        lift_neighbours(index, &mut found.hits)?;
    }
    found.hits = spread(index.corpus, index.weights, found.hits);
    let focused = focus(index, request);
    let best = found.hits.first().map_or(1.0, |hit| hit.score);
    let rest = found.hits.iter().filter(|hit| !focused.contains(&hit.chunk));
    let mut hits: Vec<SeedHit> =
        focused.iter().map(|chunk| SeedHit { chunk: *chunk, score: Score::ONE, focus: true }).collect();
    hits.extend(rest.map(|hit| SeedHit { chunk: hit.chunk, score: part(hit.score, best), focus: false }));
    let by_chunk: BTreeMap<u32, &Hit> = found.hits.iter().map(|hit| (hit.chunk, hit)).collect();
    let mut chunks = BTreeMap::new();
    let mut entries = Vec::new();
    for hit in hits.iter().take(MAX_LISTED) {
        let chunk = index.shelf.chunk(&index.corpus.record(hit.chunk))?;
        entries.push(Seed {
            chunk_uid: chunk.chunk_uid,
            features: by_chunk.get(&hit.chunk).map_or_else(Vec::new, |hit| features(hit, best)),
            file_rel_path: chunk.file_rel_path.clone(),
            score: hit.score,
            symbol_id: chunk.symbol_id.clone(),
        });
        chunks.insert(hit.chunk, chunk);
    }
    let explain = QueryExplain {
        matched_chunks: found.matched_chunks,
        matched_names: found.names.into_iter().map(|(what, chunks)| Found { chunks, what }).collect(),
        near: if hits.is_empty() { near(index, request) } else { Vec::new() },
        provider: provider(request.seed_provider).to_string(),
        terms: rarest(found.terms),
    };
    Ok(Seeds { hits, chunks, entries, explain })
}

/// Lifts hits that the graph connects with strong ones: what several of them call or are called by is likely
/// what they are all about.
fn lift_neighbours<S: Shelf>(index: &PackIndex<S>, hits: &mut [Hit]) -> Result<(), S::Fault> {
    let (Some(graph), Some(best)) = (&index.graph, hits.first().map(|hit| hit.score)) else { return Ok(()) };
    let mut support: BTreeMap<u32, f64> = BTreeMap::new();
    for hit in hits.iter().take(MAX_LISTED) {
        let chunk = index.shelf.chunk(&index.corpus.record(hit.chunk))?;
        let Some(node) = chunk.symbol_id.as_ref().and_then(|symbol| graph.node(symbol.as_str())) else { continue };
        for neighbour in neighbours(graph, node) {
            let other = graph.chunk_uid(neighbour.node).and_then(|uid| index.corpus.chunk(uid));
            let Some(other) = other.filter(|other| *other != hit.chunk) else { continue };
            // What everything leads to says little.
            let degree = graph.all_neighbours(neighbour.node, Direction::In).len() as f64;
            let confidence = f64::from(neighbour.confidence.in_millionths()) / 1e6;
            *support.entry(other).or_default() += hit.score / best * confidence / (1.0 + libm::log2(1.0 + degree));
        }
    }
    let most = support.values().copied().fold(0.0, f64::max);
    for hit in hits.iter_mut() {
        if let Some(support) = support.get(&hit.chunk) {
            let share = index.weights.of(Feature::Neighbour) * support / most * hit.score.min(best);
            hit.shares[Feature::Neighbour as usize] += share;
            hit.score += share;
        }
    }
    Ok(())
}

/// What a node calls or uses and who does that to it: the surest, and not too many.
fn neighbours(graph: &Adjacency, node: u32) -> Vec<Neighbour> {
    let of = |direction, edge_type| graph.neighbours(node, direction, edge_type);
    let types = [EdgeType::Call, EdgeType::Usage];
    let all = types.into_iter().flat_map(|edge_type| of(Direction::Out, edge_type).chain(of(Direction::In, edge_type)));
    let mut all: Vec<Neighbour> = all.collect();
    all.sort_by(|a, b| b.confidence.cmp(&a.confidence).then(a.edge.cmp(&b.edge)).then(a.node.cmp(&b.node)));
    all.truncate(MAX_NEIGHBOURS);
    all
}

/// Neighbours of one hit that are looked at.
const MAX_NEIGHBOURS: usize = 40;

fn part(score: f64, best: f64) -> Score {
    Score::millionths((score / best * 1_000_000.0) as u32)
}

fn features(hit: &Hit, best: f64) -> Vec<FeatureShare> {
    let shares = Feature::ALL.iter().map(|feature| (*feature, part(hit.shares[*feature as usize], best)));
    let mut shares: Vec<_> = shares.filter(|(_, share)| *share > Score::default()).collect();
    shares.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    shares.into_iter().map(|(feature, share)| FeatureShare { feature: feature.name().to_string(), share }).collect()
}

fn provider(provider: SeedProvider) -> &'static str {
    match provider {
        SeedProvider::Sparse => "sparse",
        SeedProvider::Fts => "fts",
        SeedProvider::Ann => "ann",
        SeedProvider::Hybrid => "hybrid",
    }
}

/// The terms that the fewest chunks hold.
fn rarest(terms: BTreeMap<String, u32>) -> Vec<Found> {
    let found = terms.into_iter().filter(|(_, chunks)| *chunks > 0);
    let mut terms: Vec<Found> = found.map(|(what, chunks)| Found { chunks, what }).collect();
    terms.sort();
    terms.truncate(MAX_TERMS);
    terms
}

/// The chunks that the request's focus names; none if the index has no such thing.
fn focus<S: Shelf>(index: &PackIndex<S>, request: &PackRequest) -> Vec<u32> {
    let focus = &request.focus;
    let by_uid = focus.chunk_uid.and_then(|uid| index.corpus.chunk(uid));
    let by_symbol = focus.symbol_id.as_ref().and_then(|symbol| chunk_of_symbol(index, symbol));
    let file = focus.file_rel_path.as_ref().and_then(|path| index.corpus.file(path.as_str()));
    let of_file = file.into_iter().flat_map(|file| index.corpus.chunks_of(file));
    by_uid.into_iter().chain(by_symbol).chain(of_file).collect()
}

pub fn chunk_of_symbol<S: Shelf>(index: &PackIndex<S>, symbol: &SymbolId) -> Option<u32> {
    let graph = index.graph.as_ref()?;
    index.corpus.chunk(graph.chunk_uid(graph.node(symbol.as_str())?)?)
}

/// Names and paths of the tree that share the most letters in a row with what was asked for.
fn near<S: Shelf>(index: &PackIndex<S>, request: &PackRequest) -> Vec<String> {
    let focus = &request.focus;
    let symbol = focus.symbol_id.as_ref().map(|symbol| symbol.as_str().to_string());
    let path = focus.file_rel_path.as_ref().map(|path| path.as_str().to_string());
    let wanted = symbol.or(path).unwrap_or_else(|| request.query.clone());
    let wanted: Vec<String> =
        wanted.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).map(str::to_lowercase).collect();
    let shared = |name: &str| {
        let name = name.to_lowercase();
        let common = |word: &String| name.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        wanted.iter().map(common).max().unwrap_or(0)
    };
    let last = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_string();
    let names = index.corpus.names().map(|name| (shared(name), name.to_string()));
    let paths = index.corpus.paths().map(|(_, path)| (shared(&last(path)), path.to_string()));
    let mut all: Vec<(usize, String)> = names.chain(paths).filter(|(count, _)| *count > 2).collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.len().cmp(&b.1.len())).then_with(|| a.1.cmp(&b.1)));
    all.dedup();
    all.truncate(MAX_NEAR);
    all.into_iter().map(|(_, name)| name).collect()
}
