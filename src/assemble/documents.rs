//! The documents of a view: items of one kind with the items inside them, their nodes and their texts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Index;
use std::sync::OnceLock;

use super::seeds::ranked;
use super::{IndexView, Question, ReadError, RequestScope, Walk};
use crate::graph::adjacency::Direction;
use crate::record::request::{SeedMode, SeedProvider};
use crate::record::{ChunkNo, Digest, EdgeType, Field, FileLines, Item, NodeNo, Score, write_line};
use crate::search::FileFlags;

/// A document's index among the documents.
pub type DocNo = usize;

pub struct Documents<'v> {
    pub view: &'v IndexView<'v>,
    /// Sorted by path.
    all: Vec<Document<'v>>,
    by_id: BTreeMap<&'v str, Vec<DocNo>>,
    by_node: BTreeMap<NodeNo, DocNo>,
    by_file: BTreeMap<&'v str, DocNo>,
    digest: OnceLock<Digest>,
}

pub struct Document<'v> {
    pub number: DocNo,
    /// Empty if it has none. Walks reach only documents with an id.
    pub id: &'v str,
    pub item: &'v Item,
    /// The items inside it, in text order.
    pub parts: Vec<&'v Item>,
    view: &'v IndexView<'v>,
    node: Option<NodeNo>,
    lines: OnceLock<FileLines>,
}

impl<'v> Documents<'v> {
    /// The documents of a kind; `id` returns the id of each.
    pub fn new(view: &'v IndexView<'v>, kind: &str, id: impl Fn(&'v Item) -> &'v str) -> Result<Self, ReadError> {
        let mut all: Vec<Document> = Vec::new();
        for item in view.items()? {
            if item.kind == kind {
                all.push(Document::new(view, all.len(), id(item), item));
            } else if let Some(last) = all.last_mut().filter(|last| last.item.file_rel_path == item.file_rel_path) {
                last.parts.push(item);
            }
        }
        let (mut by_id, mut by_node, mut by_file) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for document in &all {
            by_file.insert(document.file(), document.number);
            if !document.id.is_empty() {
                by_id.entry(document.id).or_insert_with(Vec::new).push(document.number);
                by_node.extend(document.node.map(|node| (node, document.number)));
            }
        }
        Ok(Documents { view, all, by_id, by_node, by_file, digest: OnceLock::new() })
    }

    pub fn iter(&self) -> impl Iterator<Item = &Document<'v>> {
        self.all.iter()
    }

    /// The documents with these ids, without duplicates and in the order of the ids; and the ids that no document
    /// has.
    pub fn with_ids(&self, ids: &[String]) -> (Vec<DocNo>, Vec<String>) {
        let (mut known, mut unknown, mut asked) = (Vec::new(), Vec::new(), BTreeSet::new());
        for id in ids.iter().filter(|id| asked.insert(*id)) {
            match self.by_id.get(id.as_str()) {
                Some(documents) => known.extend(documents),
                None => unknown.push(id.clone()),
            }
        }
        (known, unknown)
    }

    pub fn has_id(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    pub fn in_file(&self, path: &str) -> Option<&Document<'v>> {
        self.by_file.get(path).map(|document| &self[*document])
    }

    /// Ids that several documents share, with those documents.
    pub fn duplicates(&self) -> impl Iterator<Item = (&'v str, &[DocNo])> {
        let shared = self.by_id.iter().filter(|(_, documents)| documents.len() > 1);
        shared.map(|(id, documents)| (*id, documents.as_slice()))
    }

    /// The nodes of all documents with an id, for limiting a walk to them.
    pub fn nodes(&self) -> BTreeSet<NodeNo> {
        self.by_node.keys().copied().collect()
    }

    pub fn nodes_of(&self, documents: &[DocNo]) -> Vec<NodeNo> {
        documents.iter().filter_map(|document| self[*document].node).collect()
    }

    /// The documents that a walk reached, in order.
    pub fn reached(&self, walk: &Walk) -> Vec<&Document<'v>> {
        let mut reached: Vec<DocNo> = walk.nodes.keys().filter_map(|node| self.by_node.get(node).copied()).collect();
        reached.sort();
        reached.into_iter().map(|document| &self[document]).collect()
    }

    /// The ids of the documents on the path of a walk to a document, including both ends.
    pub fn path_ids(&self, walk: &Walk, to: &Document) -> Vec<&'v str> {
        let path = to.node.map_or_else(Vec::new, |node| walk.path(node));
        path.iter().filter_map(|node| Some(self[*self.by_node.get(node)?].id)).collect()
    }

    /// The score of each document's best chunk for a query, relative to the best document. Documents whose id is in
    /// the query have 1.
    pub fn ranked(&self, query: &str) -> BTreeMap<DocNo, Score> {
        let (scope, words) = (RequestScope::default(), BTreeMap::new());
        let (mode, provider) = (SeedMode::Prose, SeedProvider::Sparse);
        let question = Question { query, scope: &scope, shows_focus: true, mode, provider, words: &words };
        let corpus = self.view.corpus();
        let mut best_hits: BTreeMap<DocNo, f64> = BTreeMap::new();
        ranked(self.view, &question, |answer, _| {
            for hit in &answer.hits {
                let document = self.in_file(corpus.path(corpus.file_of(hit.chunk)));
                if let Some(document) = document.filter(|document| !document.id.is_empty()) {
                    let best = best_hits.entry(document.number).or_default();
                    *best = best.max(hit.score);
                }
            }
        });
        let best = best_hits.values().copied().fold(f64::MIN_POSITIVE, f64::max);
        let relative = |score: f64| Score::millionths((score / best * 1e6) as u32);
        let (named, _) = self.with_ids(&query.split_whitespace().map(str::to_string).collect::<Vec<_>>());
        let scores = best_hits.into_iter().map(|(document, score)| (document, relative(score)));
        scores.chain(named.into_iter().map(|document| (document, Score::ONE))).collect()
    }

    /// A digest of the content of all documents.
    pub fn digest(&self) -> &Digest {
        self.digest.get_or_init(|| {
            let mut lines = Vec::new();
            for document in &self.all {
                let all = std::iter::once(&document.item).chain(&document.parts);
                all.for_each(|item| write_line(*item, &mut lines));
            }
            Digest::sha256(&lines)
        })
    }
}

impl<'v> Index<DocNo> for Documents<'v> {
    type Output = Document<'v>;

    fn index(&self, document: DocNo) -> &Document<'v> {
        &self.all[document]
    }
}

impl<'v> Document<'v> {
    fn new(view: &'v IndexView<'v>, number: DocNo, id: &'v str, item: &'v Item) -> Self {
        let node = view.graph().and_then(|graph| graph.node(item.node_id.as_str()));
        Document { number, id, item, parts: Vec::new(), view, node, lines: OnceLock::new() }
    }

    pub fn file(&self) -> &'v str {
        self.item.file_rel_path.as_str()
    }

    /// How many edges a walk needs to the document; absent if the walk did not reach it.
    pub fn distance(&self, walk: &Walk) -> Option<u32> {
        walk.nodes.get(&self.node?).map(|arrival| arrival.distance)
    }

    /// The text below the heading or front matter of the document or of an item inside it, without surrounding blank
    /// lines.
    pub fn body(&self, item: &Item) -> Result<String, ReadError> {
        let Some(body) = item.body else { return Ok(String::new()) };
        if self.lines.get().is_none() {
            let white = self.item.field(Field::WHITE_LINES).unwrap_or_default();
            let _ = self.lines.set(self.view.file_lines(&self.item.file_rel_path, white)?);
        }
        let lines = self.lines.get().expect("it was just set");
        Ok(lines.text(body).trim_end().to_string())
    }

    /// Code chunks that the document names or that name it, by confidence, without duplicates.
    pub fn code(&self) -> Vec<ChunkNo> {
        let (Some((graph, chunk_nodes)), Some(node)) = (self.view.linked_graph(), self.node) else {
            return Vec::new();
        };
        let mut named: Vec<_> = graph.neighbours(node, Direction::Out, EdgeType::Doc).collect();
        named.sort_by_key(|neighbour| (Reverse(neighbour.confidence), graph.id(neighbour.node)));
        let mut shown = BTreeSet::new();
        let chunks = named.iter().filter_map(|neighbour| chunk_nodes.chunk(neighbour.node));
        let is_code = |chunk: &ChunkNo| !self.view.file_flags(*chunk).has(FileFlags::PROSE);
        chunks.filter(is_code).filter(|chunk| shown.insert(*chunk)).collect()
    }
}
