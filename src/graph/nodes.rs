//! The nodes of a tree, numbered in the order of their ids.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::sight::{End, Walk};
use crate::record::{File, LanguageId, Node, NodeId, NodeKind, SymbolId};

pub struct Nodes {
    pub all: Vec<Node>,
    of_symbols: Vec<u32>,
    of_chunks: Vec<u32>,
    of_files: Vec<u32>,
    of_outside: Vec<u32>,
}

impl Nodes {
    /// All symbols, chunks that name something and define nothing, files, and what sightings lead to outside; `unresolved` are chunks
    /// and how many of their sites lead to nothing known.
    pub fn new(walk: &Walk, outside: &[NodeId], unresolved: &[(u32, u32)]) -> Self {
        let input = walk.input;
        let mut languages: FxHashMap<&str, LanguageId> = FxHashMap::default();
        let mut nodes: Vec<(Node, End)> = Vec::new();
        for at in 0..input.symbols.len() as u32 {
            nodes.push((symbol_node(walk, at, &mut languages), End::Symbol(at)));
        }
        let alone = walk.hosts.iter().filter(|host| matches!(host, End::Chunk(_)));
        nodes.extend(alone.map(|host| (chunk_node(walk, *host), *host)));
        let files = input.files.iter().enumerate();
        nodes.extend(files.map(|(at, file)| (file_node(file), End::File(at as u32))));
        nodes.extend(outside.iter().enumerate().map(|(at, id)| (outside_node(id), End::Outside(at as u32))));
        nodes.par_sort_by(|(a, _), (b, _)| a.node_id.cmp(&b.node_id));
        let mut numbered = Nodes {
            all: Vec::with_capacity(nodes.len()),
            of_symbols: vec![0; input.symbols.len()],
            of_chunks: vec![0; input.references.len()],
            of_files: vec![0; input.files.len()],
            of_outside: vec![0; outside.len()],
        };
        nodes.into_iter().for_each(|(node, end)| numbered.add(node, end));
        for (chunk, count) in unresolved {
            let number = numbered.number(walk.hosts[*chunk as usize]);
            numbered.all[number as usize].unresolved += count;
        }
        numbered
    }

    fn add(&mut self, node: Node, end: End) {
        // A type that is opened twice is one node.
        if self.all.last().is_none_or(|last| last.node_id != node.node_id) {
            self.all.push(node);
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

fn symbol_node<'w>(walk: &Walk<'w>, symbol: u32, languages: &mut FxHashMap<&'w str, LanguageId>) -> Node {
    let row = walk.resolver.tree.row(symbol);
    let file = walk.resolver.tree.file_of(symbol) as usize;
    let id = walk.tooling.symbol_ids.get(&symbol).map_or(&*row.symbol_id, String::as_str);
    let language = languages.entry(&row.language_id).or_insert_with(|| LanguageId::from(&*row.language_id));
    Node {
        chunk_uid: Some(row.chunk_uid),
        file_rel_path: Some(walk.input.files[file].file_rel_path.clone()),
        kind: NodeKind::Symbol,
        language_id: Some(language.clone()),
        name: row.qualified_name.to_string(),
        node_id: NodeId::of_symbol(id),
        unresolved: 0,
    }
}

fn chunk_node(walk: &Walk, host: End) -> Node {
    let End::Chunk(at) = host else { unreachable!("only chunks without a symbol are asked for") };
    let chunk = &walk.input.references[at as usize];
    let file = walk.input.file(&chunk.file_rel_path);
    Node {
        chunk_uid: Some(chunk.chunk_uid),
        file_rel_path: file.map(|file| walk.input.files[file].file_rel_path.clone()),
        kind: NodeKind::Chunk,
        language_id: Some(LanguageId::from(&*chunk.language_id)),
        name: String::new(),
        node_id: chunk.chunk_uid.into(),
        unresolved: 0,
    }
}

fn file_node(file: &File) -> Node {
    let path = &file.file_rel_path;
    Node {
        chunk_uid: file.chunks.first().copied(),
        file_rel_path: Some(path.clone()),
        kind: NodeKind::File,
        language_id: file.language_id.clone(),
        name: path.file_name().to_string(),
        node_id: (&SymbolId::of_file(path)).into(),
        unresolved: 0,
    }
}

fn outside_node(id: &NodeId) -> Node {
    let mut parts = id.as_str().splitn(3, ':').skip(1);
    let (language, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    Node {
        chunk_uid: None,
        file_rel_path: None,
        kind: NodeKind::External,
        language_id: Some(language.into()),
        name: name.replace('#', "."),
        node_id: id.clone(),
        unresolved: 0,
    }
}
