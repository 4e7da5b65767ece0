//! Ranks the chunks that match a query, the best first, and records the evidence for each.

use std::collections::{BTreeMap, BTreeSet};

use super::corpus::Corpus;
use super::coverage::{Coverage, coverage};
use super::file_names::FileNames;
use super::found::{FoundWords, share};
use super::literals::Literal;
use super::query::{Place, Query};
use super::scope::Scope;
use super::terms::{Field, FileFlags, Postings};
use super::weights::{Feature, FileFeature, Weights};
use super::words::{Analyser, whole, words};
use crate::record::request::SeedMode;
use crate::record::{ChunkNo, FileNo};

/// A chunk that matches the query.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub chunk: ChunkNo,
    /// Its evidence, reduced by the penalties for the kind of its file.
    pub score: f64,
    /// The sum of `shares`.
    pub evidence: f64,
    /// Its score for the query's words, relative to the chunk with the highest such score.
    pub words: f64,
    /// How certainly the query names its lines or contains their text, from 0 to 1.
    pub place: f64,
    /// The contribution of each feature to the evidence, in the order of [`Feature::ALL`].
    pub shares: [f64; Feature::ALL.len()],
    /// Which of the query's words it contains.
    pub found: FoundWords,
    /// The share of the query's words that the path of its file contains.
    pub in_path: f64,
}

/// The matching chunks, and which parts of the query matched.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The best first; equal scores by chunk number.
    pub hits: Vec<Hit>,
    /// How many chunks contain each term.
    pub terms: BTreeMap<String, u32>,
    /// How many chunks or files each name, path, place and quotation matched.
    pub names: BTreeMap<String, u32>,
    pub matched_chunks: u32,
    pub coverage: Coverage,
}

/// How many terms of a query are looked up.
const MAX_TERMS: usize = 64;
/// How many hits are ranked further.
const MAX_HITS: usize = 800;

pub fn search(corpus: &Corpus, query: &Query, mode: SeedMode, scope: &Scope, weights: &Weights) -> Answer {
    let mut scorer = Scorer::new(corpus, mode, scope, weights);
    scorer.add_terms(query);
    scorer.add_names(query);
    scorer.add_paths(&query.paths);
    scorer.add_places(&query.places);
    scorer.add_quotations(&query.quotations);
    scorer.add_literals(&query.literals);
    let mut answer = scorer.finish(query);
    answer.coverage = coverage(corpus, query, &answer);
    answer
}

struct Scorer<'c, 'b> {
    corpus: &'c Corpus<'b>,
    mode: SeedMode,
    scope: &'c Scope,
    weights: &'c Weights,
    /// The factor for an occurrence in each chunk: smaller in longer chunks.
    brevity: Vec<f64>,
    /// The BM25F score of each chunk and of each file.
    chunks: Vec<f64>,
    files: Vec<f64>,
    /// The weights of the query's words that each chunk and the path of each file contains, and of all of them.
    found_words: Vec<FoundWords>,
    path_words: Vec<f64>,
    all_words: f64,
    /// What an occurrence in each set of fields adds to the count in the text, indexed by the bits of the set.
    extra: [f64; Field::SETS],
    exact: BTreeMap<ChunkNo, [f64; Feature::ALL.len()]>,
    named_files: BTreeMap<FileNo, f64>,
    found: Answer,
}

impl<'c, 'b> Scorer<'c, 'b> {
    fn new(corpus: &'c Corpus<'b>, mode: SeedMode, scope: &'c Scope, weights: &'c Weights) -> Self {
        Scorer {
            corpus,
            mode,
            scope,
            weights,
            brevity: corpus.chunk_lengths().map(|length| 1.0 / norm(length, weights.chunk_length)).collect(),
            chunks: vec![0.0; corpus.chunk_count()],
            files: vec![0.0; corpus.file_count()],
            found_words: vec![FoundWords::default(); corpus.chunk_count()],
            path_words: vec![0.0; corpus.file_count()],
            all_words: 0.0,
            extra: std::array::from_fn(|fields| extra(fields as u8, weights)),
            exact: BTreeMap::new(),
            named_files: BTreeMap::new(),
            found: Answer::default(),
        }
    }

    fn add_terms(&mut self, query: &Query) {
        let mut in_path = vec![false; self.corpus.file_count()];
        for (term, weight) in self.heaviest(query) {
            let with: Vec<FileNo> = self.corpus.files_with(term).filter(|file| self.scope.has_file(*file)).collect();
            with.iter().for_each(|file| in_path[file.index()] = true);
            let holders = self.add_term(term, weight, &with, &in_path);
            with.iter().for_each(|file| in_path[file.index()] = false);
            self.found.terms.insert(term.to_string(), holders);
        }
        self.found.matched_chunks = self.chunks.iter().filter(|score| **score > 0.0).count() as u32;
    }

    /// The terms that distinguish chunks the most, in alphabetical order. A page of text has hundreds of terms, and
    /// the common ones take the most time and distinguish the least.
    fn heaviest<'q>(&self, query: &'q Query) -> Vec<(&'q str, f64)> {
        let all = self.corpus.chunk_count();
        let worth = |term: &str, weight: f64| weight * rarity(self.corpus.holders(term) as usize, all);
        let is_indexed = |term: &str| self.corpus.holders(term) > 0 || self.corpus.files_with(term).next().is_some();
        let indexed = query.terms.iter().filter(|(term, _)| is_indexed(term));
        let mut terms: Vec<(f64, &str, f64)> =
            indexed.map(|(term, weight)| (worth(term, *weight), term.as_str(), *weight)).collect();
        terms.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        terms.truncate(MAX_TERMS);
        terms.sort_by_key(|(_, term, _)| *term);
        terms.into_iter().map(|(_, term, weight)| (term, weight)).collect()
    }

    /// Adds the scores of one term and returns how many chunks contain it.
    fn add_term(&mut self, term: &str, weight: f64, with: &[FileNo], in_path: &[bool]) -> u32 {
        let (corpus, weights) = (self.corpus, self.weights);
        let chunk_rarity = weight * rarity(corpus.holders(term) as usize, corpus.chunk_count());
        self.all_words += chunk_rarity;
        with.iter().for_each(|file| self.path_words[file.index()] += chunk_rarity);
        let mut holders = 0;
        let mut of_files: Vec<(FileNo, f64)> = Vec::new();
        for (first, postings) in corpus.postings(term) {
            for posting in postings {
                let chunk = ChunkNo(first.0 + posting.chunk);
                if !self.scope.has(chunk) {
                    continue;
                }
                holders += 1;
                let file = corpus.file_of(chunk);
                let extra = self.extra[usize::from(posting.fields)];
                let in_path = if in_path[file.index()] { weights.path_count } else { 0.0 };
                let count = f64::from(posting.count) * self.brevity[chunk.index()] + extra + in_path;
                self.chunks[chunk.index()] += chunk_rarity * saturate(count, weights);
                self.found_words[chunk.index()].add(&posting, chunk_rarity);
                let count = f64::from(posting.count) + extra;
                match of_files.last_mut() {
                    Some((last, sum)) if *last == file => *sum += count,
                    _ => of_files.push((file, count)),
                }
            }
        }
        let file_rarity = weight * rarity(of_files.len().max(with.len()), corpus.file_count());
        let mut only_path = with.iter().peekable();
        for (file, count) in of_files {
            while only_path
                .next_if(|with| **with < file)
                .map(|with| {
                    self.files[with.index()] += file_rarity * saturate(weights.path_count, weights);
                })
                .is_some()
            {}
            only_path.next_if(|with| **with == file);
            let length = f64::from(corpus.file_words(file)) / corpus.mean_file_words();
            let in_path = if in_path[file.index()] { weights.path_count } else { 0.0 };
            self.files[file.index()] +=
                file_rarity * saturate(count / norm(length, weights.file_length) + in_path, weights);
        }
        for with in only_path {
            self.files[with.index()] += file_rarity * saturate(weights.path_count, weights);
        }
        holders
    }

    fn add_names(&mut self, query: &Query) {
        for (name, weight) in &query.names {
            let definitions = self.definitions(name);
            if definitions.is_empty() {
                continue;
            }
            let share = weight / (1.0 + libm::log2(definitions.len() as f64));
            definitions.iter().for_each(|chunk| self.lift(*chunk, Feature::Definition, share));
            self.found.names.insert(name.clone(), definitions.len() as u32);
        }
        for (owner, name) in &query.qualified {
            self.add_qualified(owner, name);
        }
    }

    fn definitions(&self, name: &str) -> Vec<ChunkNo> {
        self.corpus.definitions(name).filter(|chunk| self.scope.has(*chunk)).collect()
    }

    /// Finds definitions of a name inside its owner: the file defines the owner or is named after it.
    fn add_qualified(&mut self, owner: &str, name: &str) {
        let corpus = self.corpus;
        let definitions = self.definitions(name);
        if definitions.is_empty() {
            return;
        }
        let owner_term = whole(owner);
        let owns = |chunk: &ChunkNo| {
            let stem = corpus.path(corpus.file_of(*chunk)).rsplit('/').next().unwrap_or_default();
            let in_path = whole(stem.split('.').next().unwrap_or_default()) == owner_term;
            in_path || corpus.definitions(owner).any(|other| corpus.file_of(other) == corpus.file_of(*chunk))
        };
        let owned: Vec<ChunkNo> = definitions.into_iter().filter(owns).collect();
        let share = 1.0 / (1.0 + libm::log2(owned.len().max(1) as f64));
        owned.iter().for_each(|chunk| self.lift(*chunk, Feature::Qualified, share));
        if !owned.is_empty() {
            self.found.names.insert(format!("{owner}.{name}"), owned.len() as u32);
        }
    }

    fn add_paths(&mut self, paths: &[String]) {
        for path in paths {
            let files = self.files_named(path);
            for file in &files {
                let share = 1.0 / files.len() as f64;
                let known = self.named_files.entry(*file).or_default();
                *known = known.max(share);
            }
            if !files.is_empty() {
                self.found.names.insert(path.clone(), files.len() as u32);
            }
        }
    }

    fn add_places(&mut self, places: &[Place]) {
        for place in places {
            let files = self.files_named(&place.path);
            let share = 1.0 / files.len().max(1) as f64 / (1.0 + FRAME_LOSS * f64::from(place.depth));
            for file in files {
                let known = self.named_files.entry(file).or_default();
                *known = known.max(share * 0.5);
                let holds = |chunk: &ChunkNo| {
                    let (start, end) = self.corpus.lines(*chunk);
                    (start..=end).contains(&place.line)
                };
                let chunks = self.corpus.chunks_of(file).filter(|chunk| self.scope.has(*chunk));
                let here: Vec<ChunkNo> = chunks.filter(holds).collect();
                let here = self.function_in(file, place, here);
                here.iter().for_each(|chunk| self.lift(*chunk, Feature::Place, share));
                self.found.names.insert(format!("{}:{}", place.path, place.line), here.len() as u32);
            }
        }
    }

    /// The chunks of the function that a frame names, if the file defines it and the named line is not in it: the line
    /// belongs to another version of the file.
    fn function_in(&self, file: FileNo, place: &Place, here: Vec<ChunkNo>) -> Vec<ChunkNo> {
        let Some(name) = &place.function else { return here };
        let defined: Vec<ChunkNo> =
            self.corpus.definitions(name).filter(|chunk| self.corpus.file_of(*chunk) == file).collect();
        let is_in_function = |chunk: &ChunkNo| defined.contains(chunk) || self.is_named(*chunk, name);
        if defined.is_empty() || here.iter().any(is_in_function) { here } else { defined }
    }

    /// Whether the name of what a chunk belongs to contains this name. Later parts of a long function do not define it.
    fn is_named(&self, chunk: ChunkNo, name: &str) -> bool {
        let is_name = |(first, mut postings): (ChunkNo, Postings<'b>)| {
            postings.any(|one| first.0 + one.chunk == chunk.0 && one.fields & Field::Name as u8 != 0)
        };
        let terms = Analyser::default().terms(name);
        terms.first().is_some_and(|term| self.corpus.postings(term).any(is_name))
    }

    fn add_literals(&mut self, literals: &[Literal]) {
        for literal in literals {
            literal.chunks.iter().for_each(|(chunk, share)| self.lift(*chunk, Feature::Literal, *share));
            self.found.names.insert(format!("\"{}\"", literal.text), literal.chunks.len() as u32);
        }
    }

    /// Finds chunks that contain every term of a quotation, if there are only a few.
    fn add_quotations(&mut self, quotations: &[String]) {
        let analyser = Analyser::default();
        for quotation in quotations.iter().take(MAX_QUOTATIONS) {
            let terms: BTreeSet<String> = words(quotation).flat_map(|(_, word)| analyser.terms(word)).collect();
            if terms.len() < 2 {
                continue;
            }
            let mut lists: Vec<Vec<ChunkNo>> = terms.iter().map(|term| self.holders(term)).collect();
            lists.sort_by_key(Vec::len);
            let mut holders = lists[0].clone();
            lists[1..].iter().for_each(|list| holders.retain(|chunk| list.binary_search(chunk).is_ok()));
            if holders.is_empty() || holders.len() > MAX_QUOTED {
                continue;
            }
            let share = 1.0 / (1.0 + libm::log2(holders.len() as f64));
            holders.iter().for_each(|chunk| self.lift(*chunk, Feature::Quotation, share));
            self.found.names.insert(format!("\"{quotation}\""), holders.len() as u32);
        }
    }

    fn holders(&self, term: &str) -> Vec<ChunkNo> {
        let chunks =
            |(first, postings): (ChunkNo, Postings<'b>)| postings.map(move |posting| ChunkNo(first.0 + posting.chunk));
        self.corpus.postings(term).flat_map(chunks).filter(|chunk| self.scope.has(*chunk)).collect()
    }

    /// The files whose path matches the longest possible end of `path`, compared by whole names.
    fn files_named(&self, path: &str) -> Vec<FileNo> {
        let wanted: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
        let Some(name) = wanted.last() else { return Vec::new() };
        let count_common_parts = |path: &str| {
            let parts = path.rsplit('/').zip(wanted.iter().rev());
            parts.take_while(|(part, wanted)| part.eq_ignore_ascii_case(wanted)).count()
        };
        let candidates = self.corpus.paths().filter(|(file, path)| self.scope.has_file(*file) && ends_with(path, name));
        let counted = candidates.map(|(file, path)| (file, count_common_parts(path)));
        let found: Vec<(FileNo, usize)> = counted.filter(|(_, count)| *count > 0).collect();
        let best = found.iter().map(|(_, count)| *count).max().unwrap_or(0);
        let best: Vec<FileNo> = found.into_iter().filter(|(_, count)| *count == best).map(|(file, _)| file).collect();
        if best.len() > MAX_FILES_NAMED { Vec::new() } else { best }
    }

    fn lift(&mut self, chunk: ChunkNo, feature: Feature, share: f64) {
        let features = self.exact.entry(chunk).or_default();
        features[feature as usize] = features[feature as usize].max(share);
    }

    fn finish(mut self, query: &Query) -> Answer {
        let stems = Stems::new(self.corpus, query);
        let best_file = best(&self.files);
        let priors: Vec<f64> = (0..=u8::MAX).map(|flags| self.prior(FileFlags(flags))).collect();
        let file_evidence: Vec<FileEvidence> = self
            .corpus
            .all_files()
            .map(|file| FileEvidence {
                prior: priors[usize::from(self.corpus.file_flags(file).0)],
                words: self.weights.file_words * self.files[file.index()] / best_file,
                named: self.weights.path * self.named_files.get(&file).copied().unwrap_or(0.0),
                stem: self.weights.stem * stems.coverage(file),
            })
            .collect();
        let best_chunk = best(&self.chunks);
        // Nearly every chunk contains some word of a long query, so features are computed only for the best chunks.
        let mut order: Vec<(f64, ChunkNo)> = Vec::new();
        for (file, of_file) in self.corpus.all_files().zip(&file_evidence).filter(|(_, of_file)| of_file.is_candidate())
        {
            let chunks = self.corpus.chunks_of(file);
            let found = chunks
                .filter(|chunk| self.scope.has(*chunk))
                .filter(|chunk| of_file.named > 0.0 || self.is_found(*chunk));
            order.extend(found.map(|chunk| (of_file.prior * self.evidence(chunk, of_file, best_chunk), chunk)));
        }
        // The order is total, so the selection does not depend on the algorithm.
        let by_score = |a: &(f64, ChunkNo), b: &(f64, ChunkNo)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if order.len() > MAX_HITS {
            order.select_nth_unstable_by(MAX_HITS, by_score);
            order.truncate(MAX_HITS);
        }
        order.sort_by(by_score);
        let evidence_of = |chunk: ChunkNo| &file_evidence[self.corpus.file_of(chunk).index()];
        self.found.hits =
            order.into_iter().map(|(score, chunk)| self.hit(chunk, score, evidence_of(chunk), best_chunk)).collect();
        self.found
    }

    /// Whether a chunk has evidence of its own, besides that of its file.
    fn is_found(&self, chunk: ChunkNo) -> bool {
        self.chunks[chunk.index()] > 0.0 || self.exact.contains_key(&chunk)
    }

    fn evidence(&self, chunk: ChunkNo, of_file: &FileEvidence, best_chunk: f64) -> f64 {
        let exact = self.exact.get(&chunk).map_or(0.0, |shares| {
            Feature::ALL.iter().map(|feature| self.weights.of(*feature) * shares[*feature as usize]).sum()
        });
        of_file.evidence() + self.weights.chunk_words * self.chunks[chunk.index()] / best_chunk + exact
    }

    fn hit(&self, chunk: ChunkNo, score: f64, of_file: &FileEvidence, best_chunk: f64) -> Hit {
        let mut shares = self.exact.get(&chunk).copied().unwrap_or_default();
        let words = self.chunks[chunk.index()] / best_chunk;
        // A text of the query that stands in the chunk points at its lines too.
        let place = shares[Feature::Place as usize].max(shares[Feature::Literal as usize]);
        Feature::ALL.iter().for_each(|feature| shares[*feature as usize] *= self.weights.of(*feature));
        shares[Feature::Chunk as usize] = self.weights.chunk_words * words;
        shares[Feature::File as usize] = of_file.words;
        shares[Feature::Path as usize] = of_file.named;
        shares[Feature::Stem as usize] = of_file.stem;
        let found = self.found_words[chunk.index()].relative_to(self.all_words);
        let in_path = share(self.path_words[self.corpus.file_of(chunk).index()], self.all_words);
        Hit { chunk, score, evidence: shares.iter().sum(), words, place, shares, found, in_path }
    }

    /// The factor for the scores of a file's chunks, from 0 to 1, according to the kind of file.
    fn prior(&self, flags: FileFlags) -> f64 {
        let prose = flags.has(FileFlags::PROSE);
        match self.mode {
            SeedMode::Code if prose => return 0.0,
            SeedMode::Prose if !prose => return 0.0,
            _ => {}
        }
        let against = FileFeature::kinds(flags, self.mode).map(|kind| self.weights.of_file(kind));
        libm::exp(against.sum::<f64>() * self.weights.kind_in_evidence)
    }
}

/// Evidence that all chunks of a file share, already weighted.
struct FileEvidence {
    prior: f64,
    words: f64,
    named: f64,
    stem: f64,
}

impl FileEvidence {
    fn evidence(&self) -> f64 {
        self.words + self.named + self.stem
    }

    fn is_candidate(&self) -> bool {
        self.prior > 0.0 && (self.words > 0.0 || self.named > 0.0)
    }
}

/// Measures how much of a file's name the query mentions.
struct Stems<'c> {
    names: &'c FileNames,
    /// For each term of file names: its rarity and its weight in the query, if the query contains it.
    query_terms: Vec<Option<(f64, f64)>>,
}

impl<'c> Stems<'c> {
    fn new(corpus: &'c Corpus, query: &Query) -> Self {
        let names = corpus.file_names();
        let mut query_terms = vec![None; names.term_count()];
        for (term, weight) in &query.terms {
            if let Some(number) = names.term(term) {
                let rarity = rarity(corpus.files_with(term).count(), corpus.file_count());
                query_terms[number as usize] = Some((rarity, weight.min(1.0)));
            }
        }
        Stems { names, query_terms }
    }

    /// The share of the name that the query mentions: terms count by rarity and by their weight in the query.
    fn coverage(&self, file: FileNo) -> f64 {
        let (mut all, mut covered) = (0.0, 0.0);
        for term in self.names.terms_of(file) {
            let (rarity, weight) = self.query_terms[*term as usize].unwrap_or((OTHER_TERM_RARITY, 0.0));
            all += rarity;
            covered += rarity * weight;
        }
        if all == 0.0 { 0.0 } else { covered / all }
    }
}

/// The rarity assumed for a term of a file name that the query does not contain.
const OTHER_TERM_RARITY: f64 = 4.0;

/// The penalty per frame between a place and the innermost frame of its trace.
const FRAME_LOSS: f64 = 0.2;
/// Further quotations are ignored: a query with more of them is a log.
const MAX_QUOTATIONS: usize = 12;
/// A quotation that matches more chunks than this is ignored.
const MAX_QUOTED: usize = 40;
/// A path that matches more files than this is ignored.
const MAX_FILES_NAMED: usize = 20;

/// Compares without regard to ASCII case.
fn ends_with(path: &str, name: &str) -> bool {
    let start = path.len().checked_sub(name.len());
    start.is_some_and(|start| path.as_bytes()[start..].eq_ignore_ascii_case(name.as_bytes()))
}

/// The largest score, or 1 if no score is positive.
fn best(scores: &[f64]) -> f64 {
    let best = scores.iter().copied().fold(0.0, f64::max);
    if best > 0.0 { best } else { 1.0 }
}

fn extra(fields: u8, weights: &Weights) -> f64 {
    let counts = [
        (Field::Name, weights.name_count),
        (Field::Signature, weights.signature_count),
        (Field::Doc, weights.doc_count),
    ];
    counts.into_iter().filter(|(field, _)| fields & *field as u8 != 0).map(|(_, count)| count).sum()
}

/// The weight of a term that `holders` of `all` chunks or files contain: rare terms weigh more.
pub fn rarity(holders: usize, all: usize) -> f64 {
    let (holders, all) = (holders as f64, all as f64);
    libm::log(1.0 + (all - holders + 0.5).max(0.5) / (holders + 0.5))
}

fn norm(length: f64, weight: f64) -> f64 {
    1.0 - weight + weight * length
}

fn saturate(count: f64, weights: &Weights) -> f64 {
    count * (weights.saturation + 1.0) / (count + weights.saturation)
}
