//! The part of an index that one reader may see. The engine and the doors access an index only through a view.
//!
//! Today every reader may see everything. A view for a set of principals will have a corpus and a graph without the
//! records that they may not read, so that no later step can leak them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::ChunkNodes;
use crate::graph::adjacency::Adjacency;
use crate::graph::notes::Notes;
use crate::record::pack::Receipt;
use crate::record::{Chunk, ChunkNo, ChunkUid, FieldValue, FileLines, Item, LanguageId, Symbol, SymbolId};
use crate::search::{Corpus, FileFlags, RecordPlace, Weights};
use crate::text::RepoPath;

/// Reads records of an index.
pub trait RecordReader: Sync {
    fn chunk(&self, place: &RecordPlace) -> Result<Arc<Chunk>, ReadError>;

    /// All items, in record order.
    fn items(&self) -> Result<Vec<Item>, ReadError>;

    /// The paths of all files, including files without text.
    fn paths(&self) -> Result<Vec<RepoPath>, ReadError>;

    /// The definitions of a file, in record order.
    fn symbols(&self, path: &RepoPath) -> Result<Vec<Symbol>, ReadError>;

    /// The languages of the files that have one.
    fn languages(&self) -> Result<BTreeMap<RepoPath, LanguageId>, ReadError>;
}

/// A record could not be read. The engine does not know the storage, so the cause is any error of the reader.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ReadError(pub Box<dyn std::error::Error + Send + Sync>);

/// Metadata of an index.
pub struct IndexFacts<'i> {
    /// Covers the chunks and the graph.
    pub signature: &'i str,
    /// The date of the source.
    pub created_at: &'i str,
    pub receipt: &'i Receipt,
}

pub struct IndexView<'i> {
    corpus: &'i Corpus<'i>,
    graph: Option<Adjacency<'i>>,
    notes: Option<Notes<'i>>,
    records: &'i dyn RecordReader,
    facts: IndexFacts<'i>,
    weights: &'i Weights,
    /// Built on first use.
    chunk_nodes: OnceLock<ChunkNodes>,
    items: OnceLock<Vec<Item>>,
    paths: OnceLock<Vec<RepoPath>>,
    languages: OnceLock<BTreeMap<RepoPath, LanguageId>>,
}

impl<'i> IndexView<'i> {
    /// A view without restrictions.
    pub fn everything(
        corpus: &'i Corpus<'i>,
        graph: Option<Adjacency<'i>>,
        records: &'i dyn RecordReader,
        facts: IndexFacts<'i>,
        weights: &'i Weights,
    ) -> Self {
        IndexView {
            corpus,
            graph,
            notes: None,
            records,
            facts,
            weights,
            chunk_nodes: OnceLock::new(),
            items: OnceLock::new(),
            paths: OnceLock::new(),
            languages: OnceLock::new(),
        }
    }

    /// The same view, with the notes of the index.
    pub fn with_notes(self, notes: Option<Notes<'i>>) -> Self {
        IndexView { notes, ..self }
    }

    /// The notes; absent if the tree has none.
    pub fn notes(&self) -> Option<&Notes<'i>> {
        self.notes.as_ref()
    }

    pub fn corpus(&self) -> &'i Corpus<'i> {
        self.corpus
    }

    pub fn graph(&self) -> Option<&Adjacency<'i>> {
        self.graph.as_ref()
    }

    /// The graph, and the mapping between its nodes and chunks.
    pub fn linked_graph(&self) -> Option<(&Adjacency<'i>, &ChunkNodes)> {
        let graph = self.graph.as_ref()?;
        Some((graph, self.chunk_nodes.get_or_init(|| ChunkNodes::new(graph, self.corpus))))
    }

    pub fn facts(&self) -> &IndexFacts<'i> {
        &self.facts
    }

    pub fn weights(&self) -> &'i Weights {
        self.weights
    }

    pub fn chunk(&self, chunk: ChunkNo) -> Result<Arc<Chunk>, ReadError> {
        self.records.chunk(&self.corpus.record(chunk))
    }

    /// All items, in record order.
    pub fn items(&self) -> Result<&[Item], ReadError> {
        if self.items.get().is_none() {
            let _ = self.items.set(self.records.items()?);
        }
        Ok(self.items.get().map_or(&[], Vec::as_slice))
    }

    /// The paths of all files, including files without text.
    pub fn paths(&self) -> Result<&[RepoPath], ReadError> {
        if self.paths.get().is_none() {
            let _ = self.paths.set(self.records.paths()?);
        }
        Ok(self.paths.get().map_or(&[], Vec::as_slice))
    }

    /// The definitions of a file, in the order of their names' places.
    pub fn symbols(&self, path: &RepoPath) -> Result<Vec<Symbol>, ReadError> {
        self.records.symbols(path)
    }

    /// The languages of the files that have one.
    pub fn languages(&self) -> Result<&BTreeMap<RepoPath, LanguageId>, ReadError> {
        if self.languages.get().is_none() {
            let _ = self.languages.set(self.records.languages()?);
        }
        Ok(self.languages.get_or_init(BTreeMap::new))
    }

    /// The lines of a file, reassembled from its chunks.
    pub fn file_lines(&self, path: &RepoPath, white_lines: &[FieldValue]) -> Result<FileLines, ReadError> {
        let chunks = self.corpus.file(path.as_str()).into_iter().flat_map(|file| self.corpus.chunks_of(file));
        let chunks = chunks.map(|chunk| self.chunk(chunk)).collect::<Result<Vec<_>, _>>()?;
        Ok(FileLines::new(chunks.iter().map(Arc::as_ref), white_lines))
    }

    pub fn chunk_uid(&self, chunk: ChunkNo) -> ChunkUid {
        self.corpus.uid(chunk)
    }

    pub fn file_flags(&self, chunk: ChunkNo) -> FileFlags {
        self.corpus.file_flags(self.corpus.file_of(chunk))
    }

    pub fn chunk_of_symbol(&self, symbol: &SymbolId) -> Option<ChunkNo> {
        let graph = self.graph.as_ref()?;
        self.corpus.chunk(graph.chunk_uid(graph.node(symbol.as_str())?)?)
    }
}
