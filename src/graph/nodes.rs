//! The nodes of a tree, numbered in the order of their ids.

use std::borrow::Cow;

use super::adjacency::NodeRow;
use super::input::Input;
use super::sight::{End, Walk};
use crate::record::{self, NodeId, NodeKind, SymbolId};

pub struct Nodes<'i> {
    pub all: Vec<Node<'i>>,
    of_symbols: Vec<u32>,
    of_chunks: Vec<u32>,
    of_files: Vec<u32>,
    of_outside: Vec<u32>,
}

/// See [`crate::record::Node`]. What the input says of it is asked for when it is written.
pub struct Node<'i> {
    pub id: Cow<'i, str>,
    pub unresolved: u32,
    end: End,
}

/// A node's record, its texts borrowed.
pub type NodeRecord<'n> = record::Node<&'n str, &'n str, &'n str, Cow<'n, str>>;

impl<'i> Nodes<'i> {
    /// All symbols, chunks that name something and define nothing, files, and what sightings lead to
    /// outside; `unresolved` are chunks and how many of their sites lead to nothing known.
    pub fn new(input: &'i Input<'i>, walk: &Walk, outside: Vec<NodeId>, unresolved: &[(u32, u32)]) -> Self {
        let mut numbered = Nodes {
            all: Vec::new(),
            of_symbols: vec![0; input.symbols.len()],
            of_chunks: vec![0; input.references.len()],
            of_files: vec![0; input.files.len()],
            of_outside: vec![0; outside.len()],
        };
        let symbols = input.symbols.iter().enumerate().map(|(at, row)| {
            let own = || Cow::Borrowed(&*row.symbol_id);
            let id = walk.tooling.symbol_ids.get(&(at as u32)).map_or_else(own, |id| Cow::Owned(id.clone()));
            (id, End::Symbol(at as u32))
        });
        let alone = walk.hosts.iter().filter_map(|host| match *host {
            End::Chunk(at) => Some((input.references[at as usize].chunk_uid.to_string().into(), *host)),
            _ => None,
        });
        let files = input.files.iter().enumerate();
        let files =
            files.map(|(at, file)| (SymbolId::of_file(&file.file_rel_path).to_string().into(), End::File(at as u32)));
        let outside = outside.into_iter().enumerate();
        let outside = outside.map(|(at, id)| (id.to_string().into(), End::Outside(at as u32)));
        let mut ids: Vec<(Cow<'i, str>, End)> = symbols.chain(alone).chain(files).chain(outside).collect();
        // A file's symbols first: their ids lie beside each other, and then nearly all are in order.
        for table in &walk.resolver.tree.files {
            ids[table.symbols.start as usize..table.symbols.end as usize].sort_by(|(a, _), (b, _)| a.cmp(b));
        }
        ids.sort_by(|(a, _), (b, _)| a.cmp(b));
        numbered.all.reserve_exact(ids.len());
        ids.into_iter().for_each(|(id, end)| numbered.add(id, end));
        for (chunk, count) in unresolved {
            let number = numbered.number(walk.hosts[*chunk as usize]);
            numbered.all[number as usize].unresolved += count;
        }
        numbered
    }

    fn add(&mut self, id: Cow<'i, str>, end: End) {
        // A type that is opened twice is one node.
        if self.all.last().is_none_or(|last| last.id != id) {
            self.all.push(Node { id, end, unresolved: 0 });
        }
        let number = self.all.len() as u32 - 1;
        match end {
            End::Symbol(symbol) => self.of_symbols[symbol as usize] = number,
            End::Chunk(chunk) => self.of_chunks[chunk as usize] = number,
            End::File(file) => self.of_files[file as usize] = number,
            End::Outside(outside) => self.of_outside[outside as usize] = number,
        }
    }

    pub fn number(&self, end: End) -> u32 {
        match end {
            End::Symbol(symbol) => self.of_symbols[symbol as usize],
            End::Chunk(chunk) => self.of_chunks[chunk as usize],
            End::File(file) => self.of_files[file as usize],
            End::Outside(outside) => self.of_outside[outside as usize],
        }
    }
}

impl Node<'_> {
    pub fn record<'n>(&'n self, input: &'n Input) -> NodeRecord<'n> {
        let (node_id, unresolved) = (&*self.id, self.unresolved);
        match self.end {
            End::Symbol(symbol) => {
                let row = &input.symbols[symbol as usize];
                record::Node {
                    node_id,
                    unresolved,
                    chunk_uid: Some(row.chunk_uid),
                    file_rel_path: Some(&row.file_rel_path),
                    kind: NodeKind::Symbol,
                    language_id: Some(&row.language_id),
                    name: Cow::Borrowed(&row.qualified_name),
                }
            }
            End::Chunk(chunk) => {
                let row = &input.references[chunk as usize];
                record::Node {
                    node_id,
                    unresolved,
                    chunk_uid: Some(row.chunk_uid),
                    file_rel_path: Some(&row.file_rel_path),
                    kind: NodeKind::Chunk,
                    language_id: Some(&row.language_id),
                    name: Cow::Borrowed(""),
                }
            }
            End::File(file) => {
                let file = &input.files[file as usize];
                record::Node {
                    node_id,
                    unresolved,
                    chunk_uid: file.chunks.first().copied(),
                    file_rel_path: Some(file.file_rel_path.as_str()),
                    kind: NodeKind::File,
                    language_id: file.language_id.as_ref().map(|id| id.as_str()),
                    name: Cow::Borrowed(file.file_rel_path.file_name()),
                }
            }
            End::Outside(_) => {
                let mut parts = self.id.splitn(3, ':').skip(1);
                let (language, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                record::Node {
                    node_id,
                    unresolved,
                    chunk_uid: None,
                    file_rel_path: None,
                    kind: NodeKind::External,
                    language_id: Some(language),
                    name: Cow::Owned(name.replace('#', ".")),
                }
            }
        }
    }

    /// For the adjacency.
    pub fn row<'n>(&'n self, input: &'n Input) -> NodeRow<'n> {
        let record::Node { node_id: id, kind, chunk_uid, .. } = self.record(input);
        NodeRow { id, kind, chunk_uid }
    }
}
