//! The nodes of a tree, numbered in the order of their ids.

use std::borrow::Cow;

use super::adjacency::NodeRow;
use super::input::Input;
use super::occurrences::{Endpoint, Finder};
use crate::record::{self, Audience, NodeId, NodeKind, NodeNo, SymbolId};

pub struct Nodes<'i> {
    pub all: Vec<Node<'i>>,
    /// Of symbols, chunks, files and external nodes.
    numbers: [Vec<NodeNo>; 4],
}

/// See [`crate::record::Node`]. The rest of its record is read from the input when it is written.
pub struct Node<'i> {
    pub id: Cow<'i, str>,
    pub unresolved: u32,
    end: Endpoint,
}

/// A node's record, its texts borrowed.
pub type NodeRecord<'n> = record::Node<&'n str, &'n str, &'n str, Cow<'n, str>>;

impl<'i> Nodes<'i> {
    /// All symbols, chunks with references that define nothing, files, and external nodes. `unresolved` has
    /// chunks and how many of their sites stay unresolved.
    pub fn new(input: &'i Input<'i>, finder: &Finder, external: Vec<NodeId>, unresolved: &[(u32, u32)]) -> Self {
        let counts = [input.symbols.len(), input.references.len(), input.files.len(), external.len()];
        let mut numbered = Nodes { all: Vec::new(), numbers: counts.map(|count| vec![NodeNo::default(); count]) };
        let symbols = input.symbols.iter().enumerate().map(|(at, row)| {
            let own = || Cow::Borrowed(&*row.symbol_id);
            let id = finder.tooling.symbol_ids.get(&(at as u32)).map_or_else(own, |id| Cow::Owned(id.clone()));
            (id, Endpoint::Symbol(at as u32))
        });
        let alone = finder.sources.iter().filter_map(|source| match *source {
            Endpoint::Chunk(at) => Some((input.references[at as usize].chunk_uid.to_string().into(), *source)),
            _ => None,
        });
        let files = input.files.iter().enumerate();
        let files = files
            .map(|(at, file)| (SymbolId::of_file(&file.file_rel_path).to_string().into(), Endpoint::File(at as u32)));
        let external = external.into_iter().enumerate();
        let external = external.map(|(at, id)| (id.to_string().into(), Endpoint::External(at as u32)));
        let mut ids: Vec<(Cow<'i, str>, Endpoint)> = symbols.chain(alone).chain(files).chain(external).collect();
        // The symbols of each file first: then nearly all ids are in order.
        for table in &finder.resolver.tree.files {
            ids[table.symbols.start as usize..table.symbols.end as usize].sort_by(|(a, _), (b, _)| a.cmp(b));
        }
        ids.sort_by(|(a, _), (b, _)| a.cmp(b));
        numbered.all.reserve_exact(ids.len());
        ids.into_iter().for_each(|(id, end)| numbered.add(id, end));
        for (chunk, count) in unresolved {
            let number = numbered.number(finder.sources[*chunk as usize]);
            numbered.all[number.index()].unresolved += count;
        }
        numbered
    }

    fn add(&mut self, id: Cow<'i, str>, end: Endpoint) {
        // A type that is opened twice is one node.
        if self.all.last().is_none_or(|last| last.id != id) {
            self.all.push(Node { id, end, unresolved: 0 });
        }
        let number = NodeNo(self.all.len() as u32 - 1);
        let (kind, at) = place(end);
        self.numbers[kind][at] = number;
    }

    pub fn number(&self, end: Endpoint) -> NodeNo {
        let (kind, at) = place(end);
        self.numbers[kind][at]
    }
}

/// Where the number of a node is kept.
fn place(end: Endpoint) -> (usize, usize) {
    match end {
        Endpoint::Symbol(at) => (0, at as usize),
        Endpoint::Chunk(at) => (1, at as usize),
        Endpoint::File(at) => (2, at as usize),
        Endpoint::External(at) => (3, at as usize),
    }
}

impl Node<'_> {
    pub fn record<'n>(&'n self, input: &'n Input) -> NodeRecord<'n> {
        let node = record::Node {
            audience: Audience::default(),
            chunk_uid: None,
            file_rel_path: None,
            kind: NodeKind::External,
            language_id: None,
            name: Cow::Borrowed(""),
            node_id: &*self.id,
            unresolved: self.unresolved,
        };
        match self.end {
            Endpoint::Symbol(symbol) => {
                let row = &input.symbols[symbol as usize];
                record::Node {
                    chunk_uid: Some(row.chunk_uid),
                    file_rel_path: Some(&row.file_rel_path),
                    kind: NodeKind::Symbol,
                    language_id: Some(&row.language_id),
                    name: Cow::Borrowed(&row.qualified_name),
                    ..node
                }
            }
            Endpoint::Chunk(chunk) => {
                let row = &input.references[chunk as usize];
                record::Node {
                    chunk_uid: Some(row.chunk_uid),
                    file_rel_path: Some(&row.file_rel_path),
                    kind: NodeKind::Chunk,
                    language_id: Some(&row.language_id),
                    ..node
                }
            }
            Endpoint::File(file) => {
                let file = &input.files[file as usize];
                record::Node {
                    chunk_uid: file.chunks.first().copied(),
                    file_rel_path: Some(file.file_rel_path.as_str()),
                    kind: NodeKind::File,
                    language_id: file.language_id.as_ref().map(|id| id.as_str()),
                    name: Cow::Borrowed(file.file_rel_path.file_name()),
                    ..node
                }
            }
            Endpoint::External(_) => {
                let mut parts = self.id.splitn(3, ':').skip(1);
                let (language, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                record::Node { language_id: Some(language), name: Cow::Owned(name.replace('#', ".")), ..node }
            }
        }
    }

    /// For the adjacency.
    pub fn row<'n>(&'n self, input: &'n Input) -> NodeRow<'n> {
        let record::Node { node_id: id, kind, chunk_uid, .. } = self.record(input);
        NodeRow { id, kind, chunk_uid }
    }
}
