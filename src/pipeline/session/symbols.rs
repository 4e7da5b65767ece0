//! Symbols as callers name them, looked up in the index.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::assemble::target::{Target, name_parts, path_of, resolve, written};
use crate::assemble::{IndexView, ReadError};
use crate::door::frame::{SymbolText, Synonyms, related};
use crate::graph::adjacency::Adjacency;
use crate::record::frame::{QueryFrame, Related};
use crate::record::session::{FaultCode, FoundSymbol, SymbolLookup};
use crate::record::{Direction, EdgeType, Kind, Lines, NodeNo, Score, Symbol, SymbolId};
use crate::search::FileFlags;
use crate::text::RepoPath;

/// How many names a fault lists.
const MAX_NEAR: usize = 10;
/// Chunks one edge away whose text is compared.
const MAX_TEXTS: usize = 20;
/// Nodes that one walk visits.
const MAX_VISITED: usize = 2_000;
/// Code edges: calls, uses, imports.
const CODE: [EdgeType; 3] = [EdgeType::Call, EdgeType::Usage, EdgeType::Import];

/// Looks symbols up for one session.
pub struct SymbolFinder<'f> {
    pub view: &'f IndexView<'f>,
    pub frame: &'f QueryFrame,
    pub synonyms: &'f Synonyms,
}

impl SymbolFinder<'_> {
    pub fn look_up(&self, given: &str) -> Result<SymbolLookup, ReadError> {
        let fault = |fault, near: Vec<String>| SymbolLookup {
            fault: Some(fault),
            found: None,
            given: given.to_string(),
            near: near.into_iter().take(MAX_NEAR).collect(),
        };
        Ok(match resolve(self.view, given)? {
            Target::Definitions(found) if found.len() > 1 && found[0].rank == found[1].rank => {
                fault(FaultCode::Ambiguous, found.iter().map(|found| written(&found.symbol)).collect())
            }
            Target::Definitions(found) => {
                let found = self.found(&found[0].symbol, found.len() == 1)?;
                SymbolLookup { fault: None, found: Some(found), given: given.to_string(), near: Vec::new() }
            }
            Target::Nothing { near } => fault(FaultCode::NotFound, near),
            _ => fault(FaultCode::NotFound, Vec::new()),
        })
    }

    /// The same, but a file is the module that it makes.
    pub fn look_up_entry(&self, given: &str) -> Result<SymbolLookup, ReadError> {
        if let Target::Files(files) = resolve(self.view, given)?
            && let [path] = &files[..]
        {
            let end = self
                .view
                .corpus()
                .file(path.as_str())
                .map_or(1, |file| crate::assemble::target::last_line(self.view, file).max(1));
            let found = FoundSymbol {
                confidence: Score::ONE,
                kind: Kind::Module,
                lines: Lines { end, start: 1 },
                name: path.to_string(),
                path: path.clone(),
                related: None,
                symbol_id: SymbolId::of_file(path),
            };
            return Ok(SymbolLookup { fault: None, found: Some(found), given: given.to_string(), near: Vec::new() });
        }
        self.look_up(given)
    }

    pub fn found(&self, symbol: &Symbol, is_only: bool) -> Result<FoundSymbol, ReadError> {
        let confidence = if is_only { Score::ONE } else { self.edge_confidence(&symbol.symbol_id) };
        Ok(FoundSymbol {
            confidence,
            kind: symbol.kind,
            lines: symbol.lines,
            name: symbol.qualified_name.clone(),
            path: symbol.file_rel_path.clone(),
            related: self.related(symbol)?,
            symbol_id: symbol.symbol_id.clone(),
        })
    }

    /// Of the surest edge to it.
    fn edge_confidence(&self, id: &SymbolId) -> Score {
        let Some((graph, node)) = self.node(id) else { return Score::percent(50) };
        let edges = graph.all_neighbours(node, Direction::In).map(|edge| edge.confidence);
        edges.max().unwrap_or(Score::percent(50))
    }

    fn node(&self, id: &SymbolId) -> Option<(&Adjacency<'_>, NodeNo)> {
        let graph = self.view.graph()?;
        Some((graph, graph.node(id.as_str())?))
    }

    fn related(&self, symbol: &Symbol) -> Result<Option<Related>, ReadError> {
        let Some(term) = &self.frame.target_feature else { return Ok(None) };
        let names = name_parts(&symbol.qualified_name);
        let names = &names[names.len().saturating_sub(2)..];
        let said: Vec<&str> =
            [self.frame.raw_query.as_str()].into_iter().chain(self.frame.said.iter().map(String::as_str)).collect();
        let by_name = related(term, &SymbolText { names, texts: &[] }, &said, self.synonyms);
        if by_name.is_some() {
            return Ok(by_name);
        }
        let texts = self.texts(symbol)?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok(related(term, &SymbolText { names, texts: &texts }, &said, self.synonyms))
    }

    /// Its chunk, its docs, and the chunks one edge away.
    fn texts(&self, symbol: &Symbol) -> Result<Vec<String>, ReadError> {
        let corpus = self.view.corpus();
        let mut chunks: Vec<_> = corpus.chunk(symbol.chunk_uid).into_iter().collect();
        if let Some((graph, node)) = self.node(&symbol.symbol_id) {
            let both = [Direction::Out, Direction::In];
            let around = both.into_iter().flat_map(|direction| graph.all_neighbours(node, direction));
            let around = around.filter(|edge| CODE.contains(&edge.edge_type)).take(MAX_TEXTS);
            chunks.extend(around.filter_map(|edge| corpus.chunk(graph.chunk_uid(edge.node)?)));
        }
        let mut texts: Vec<String> = symbol.doc.iter().cloned().collect();
        for chunk in chunks {
            texts.push(self.view.chunk(chunk)?.text.clone());
        }
        Ok(texts)
    }

    /// Of some symbols, those that an entry point is, belongs to, or reaches within three edges.
    pub fn leads_to(&self, entry: &FoundSymbol, claimed: &[FoundSymbol]) -> Vec<SymbolId> {
        let holds = |outer: &FoundSymbol| {
            outer.path == entry.path && outer.lines.start <= entry.lines.start && entry.lines.end <= outer.lines.end
        };
        let is_module = entry.kind == Kind::Module;
        let is_inside = |inner: &FoundSymbol| is_module && inner.path == entry.path;
        let reached = self.reached(std::slice::from_ref(&entry.symbol_id), 3, &[Direction::Out]);
        let leads = |one: &&FoundSymbol| holds(one) || is_inside(one) || is_reached(&reached, &one.symbol_id);
        claimed.iter().filter(leads).map(|one| one.symbol_id.clone()).collect()
    }

    /// Of some symbols, those within two edges of the definitions around a line.
    pub fn near(&self, path: &RepoPath, line: u32, wanted: &BTreeSet<SymbolId>) -> Result<Vec<SymbolId>, ReadError> {
        let symbols = self.view.symbols(path)?;
        let around = symbols.iter().filter(|symbol| (symbol.lines.start..=symbol.lines.end).contains(&line));
        let mut start: Vec<SymbolId> = around.map(|symbol| symbol.symbol_id.clone()).collect();
        start.push(SymbolId::of_file(path));
        let mut reached = self.reached(&start, 2, &[Direction::Out, Direction::In]);
        reached.extend(start.iter().map(|id| id.as_str().to_string()));
        Ok(wanted.iter().filter(|id| is_reached(&reached, id)).cloned().collect())
    }

    /// Ids of nodes within some edges.
    fn reached(&self, start: &[SymbolId], hops: u32, directions: &[Direction]) -> BTreeSet<String> {
        let Some(graph) = self.view.graph() else { return BTreeSet::new() };
        let mut distances: BTreeMap<NodeNo, u32> =
            start.iter().filter_map(|id| Some((graph.node(id.as_str())?, 0))).collect();
        let mut queue: VecDeque<NodeNo> = distances.keys().copied().collect();
        while let Some(node) = queue.pop_front() {
            let distance = distances[&node];
            if distance == hops || distances.len() > MAX_VISITED {
                continue;
            }
            for direction in directions {
                for edge in graph.all_neighbours(node, *direction).filter(|edge| CODE.contains(&edge.edge_type)) {
                    distances.entry(edge.node).or_insert_with(|| {
                        queue.push_back(edge.node);
                        distance + 1
                    });
                }
            }
        }
        distances.into_keys().map(|node| graph.id(node).to_string()).collect()
    }

    /// How many files that are no tests use some symbols.
    pub fn used_from(&self, symbols: &BTreeSet<SymbolId>) -> u32 {
        let corpus = self.view.corpus();
        let mut files = BTreeSet::new();
        for id in symbols {
            let Some((graph, node)) = self.node(id) else { continue };
            let uses = graph.all_neighbours(node, Direction::In).filter(|edge| CODE.contains(&edge.edge_type));
            let uses = uses.filter_map(|edge| Some(corpus.file_of(corpus.chunk(graph.chunk_uid(edge.node)?)?)));
            files.extend(uses.filter(|file| !corpus.file_flags(*file).has(FileFlags::TEST)));
        }
        files.into_iter().filter_map(|file| path_of(self.view, file)).count() as u32
    }
}

/// A symbol is reached if it or one of its members is.
fn is_reached(reached: &BTreeSet<String>, id: &SymbolId) -> bool {
    let from = id.as_str();
    reached.range(from.to_string()..).next().is_some_and(|found| found.starts_with(from))
}
