//! The chunks of the focuses of a request, and the nodes where a walk starts. `target` says what a typed name means.

use std::collections::BTreeSet;

use super::near::near_names;
use super::target::{self, Definition, Target, is_in_folder};
use super::{IndexView, ReadError};
use crate::graph::adjacency::Direction;
use crate::record::request::{Focus, RequestFault, split_lines};
use crate::record::{ChunkNo, FileNo, Lines, NodeNo, SymbolId};

/// The chunks of one or more focuses.
#[derive(Clone, Debug, Default)]
pub struct FocusSet {
    pub chunks: BTreeSet<ChunkNo>,
    /// Chunks that are named themselves, by a symbol, lines or a uid, and not only their file.
    pub named: BTreeSet<ChunkNo>,
    /// The nodes of the focus, the most used first.
    pub nodes: Vec<NodeNo>,
}

/// How many nodes of a focus a walk starts from. A folder may have many more.
const MAX_STARTS: usize = 2_000;
/// How many definitions or files of one name are in focus.
const MAX_DEFINITIONS: usize = 50;

/// What the focuses name. Nothing is added for one that the index does not have.
pub fn resolve(view: &IndexView, focuses: &[Focus]) -> Result<FocusSet, ReadError> {
    let mut set = FocusSet::default();
    let mut nodes = BTreeSet::new();
    for focus in focuses {
        let found = find(view, focus)?;
        set.chunks.extend(&found.chunks);
        if !found.is_of_files {
            set.named.extend(&found.chunks);
        }
        nodes.extend(found.nodes);
    }
    set.nodes = most_used(view, nodes);
    Ok(set)
}

/// Fails if the index has nothing that one of the focuses names.
pub fn check(view: &IndexView, focuses: &[Focus]) -> Result<Result<(), RequestFault>, ReadError> {
    for focus in focuses {
        if find(view, focus)?.chunks.is_empty() {
            let focus = focus.to_string();
            return Ok(Err(RequestFault::UnknownFocus { near: near_names(view, &focus)?, focus }));
        }
    }
    Ok(Ok(()))
}

/// What one focus names.
#[derive(Default)]
struct FoundFocus {
    chunks: Vec<ChunkNo>,
    nodes: Vec<NodeNo>,
    is_of_files: bool,
}

fn find(view: &IndexView, focus: &Focus) -> Result<FoundFocus, ReadError> {
    let corpus = view.corpus();
    if let Some(uid) = focus.chunk_uid {
        return Ok(of_chunks(view, corpus.chunk(uid).into_iter().collect()));
    }
    if let Some(path) = &focus.file_rel_path {
        let file = corpus.file(path.as_str());
        return Ok(file.map_or_else(FoundFocus::default, |file| of_file(view, file, focus.lines)));
    }
    if let Some(symbol) = &focus.symbol_id {
        let node = view.graph().and_then(|graph| graph.node(symbol.as_str()));
        return Ok(of_symbols(view, node.into_iter().collect()));
    }
    match (&focus.name, &focus.symbol_name) {
        (Some(name), _) => of_name(view, name),
        (None, Some(name)) => Ok(of_definitions(view, target::definitions(view, name)?)),
        (None, None) => Ok(FoundFocus::default()),
    }
}

/// What a typed name means. Lines of a file may be several chunks, so they are not resolved to one definition.
fn of_name(view: &IndexView, name: &str) -> Result<FoundFocus, ReadError> {
    let corpus = view.corpus();
    let (path, lines) = if corpus.file(name).is_some() { (name, None) } else { split_lines(name) };
    Ok(match target::resolve(view, path)? {
        Target::Files(paths) => {
            let files = paths.iter().filter_map(|path| corpus.file(path.as_str())).take(MAX_DEFINITIONS);
            merged(files.map(|file| of_file(view, file, lines)), lines.is_none())
        }
        _ if lines.is_some() => FoundFocus::default(),
        Target::Folder(folder) => {
            let below = corpus.paths().filter(|(_, path)| is_in_folder(path, &folder));
            merged(below.map(|(file, _)| of_file(view, file, None)), true)
        }
        Target::Definitions(definitions) => of_definitions(view, definitions),
        Target::Chunk(chunk) | Target::Line { chunk, .. } => of_chunks(view, vec![chunk]),
        Target::NoLine { .. } | Target::Nothing { .. } | Target::Externals(_) => FoundFocus::default(),
    })
}

/// Symbols of the graph, or the chunks of what is none.
fn of_definitions(view: &IndexView, definitions: Vec<Definition>) -> FoundFocus {
    let mut found = FoundFocus::default();
    for Definition { symbol, .. } in definitions.into_iter().take(MAX_DEFINITIONS) {
        let node = view.graph().and_then(|graph| graph.node(symbol.symbol_id.as_str()));
        let of_symbol = node.map(|node| of_symbols(view, vec![node])).filter(|found| !found.chunks.is_empty());
        let own = || of_chunks(view, view.corpus().chunk(symbol.chunk_uid).into_iter().collect());
        let FoundFocus { chunks, nodes, .. } = of_symbol.unwrap_or_else(own);
        found.chunks.extend(chunks);
        found.nodes.extend(nodes);
    }
    found
}

fn merged(all: impl Iterator<Item = FoundFocus>, is_of_files: bool) -> FoundFocus {
    let mut merged = FoundFocus { is_of_files, ..FoundFocus::default() };
    for found in all {
        merged.chunks.extend(found.chunks);
        merged.nodes.extend(found.nodes);
    }
    merged
}

fn of_file(view: &IndexView, file: FileNo, lines: Option<Lines>) -> FoundFocus {
    let corpus = view.corpus();
    let chunks: Vec<ChunkNo> = corpus.chunks_of(file).collect();
    if let Some(lines) = lines {
        return of_chunks(view, at_lines(view, &chunks, lines));
    }
    let mut found = FoundFocus { is_of_files: true, ..of_chunks(view, chunks) };
    let path = corpus.path(file).to_string().try_into();
    let id = path.ok().map(|path| SymbolId::of_file(&path));
    found.nodes.extend(id.and_then(|id| view.graph()?.node(id.as_str())));
    found
}

/// The innermost chunks with some of the lines. The skeleton of a class has the lines of all its members, so one that
/// has those of another chunk is left out.
fn at_lines(view: &IndexView, chunks: &[ChunkNo], lines: Lines) -> Vec<ChunkNo> {
    let span = |chunk: &ChunkNo| view.corpus().lines(*chunk);
    let has_some = |chunk: &&ChunkNo| {
        let (start, end) = span(chunk);
        start <= lines.end && lines.start <= end
    };
    let found: Vec<ChunkNo> = chunks.iter().filter(has_some).copied().collect();
    let contains = |outer: &ChunkNo, inner: &ChunkNo| {
        let (outer, inner) = (span(outer), span(inner));
        outer != inner && outer.0 <= inner.0 && inner.1 <= outer.1
    };
    let is_innermost = |chunk: &ChunkNo| !found.iter().any(|other| contains(chunk, other));
    found.iter().filter(|chunk| is_innermost(chunk)).copied().collect()
}

fn of_chunks(view: &IndexView, chunks: Vec<ChunkNo>) -> FoundFocus {
    let nodes = |(_, of_chunks): (_, &super::ChunkNodes)| {
        chunks.iter().flat_map(|chunk| of_chunks.nodes(*chunk)).copied().collect::<Vec<_>>()
    };
    FoundFocus { nodes: view.linked_graph().map_or_else(Vec::new, nodes), chunks, is_of_files: false }
}

/// Symbols with their members, and all chunks of their definitions.
fn of_symbols(view: &IndexView, symbols: Vec<NodeNo>) -> FoundFocus {
    let Some((graph, nodes)) = view.linked_graph() else { return FoundFocus::default() };
    let mut found = FoundFocus::default();
    for symbol in symbols {
        let Some(chunk) = nodes.chunk(symbol) else { continue };
        let chunks = definition(view, chunk);
        let is_part = |node: &NodeNo| graph.id(*node).starts_with(graph.id(symbol));
        found.nodes.extend(chunks.iter().flat_map(|chunk| nodes.nodes(*chunk)).copied().filter(is_part));
        found.chunks.extend(chunks);
    }
    found
}

/// The chunks of the definition that starts in a chunk: those inside its lines, and further parts of it.
fn definition(view: &IndexView, chunk: ChunkNo) -> Vec<ChunkNo> {
    let corpus = view.corpus();
    let (start, end) = corpus.lines(chunk);
    let symbol = view.chunk(chunk).ok().and_then(|chunk| chunk.symbol_id.clone().filter(|_| chunk.part.is_some()));
    let of_file = || corpus.chunks_of(corpus.file_of(chunk));
    let is_inside = |other: &ChunkNo| {
        let (first, last) = corpus.lines(*other);
        start <= first && last <= end
    };
    let mut chunks: Vec<ChunkNo> = of_file().filter(is_inside).collect();
    if symbol.is_some() {
        let is_part = |other: &ChunkNo| view.chunk(*other).is_ok_and(|other| other.symbol_id == symbol);
        chunks.extend(of_file().filter(|other| *other > chunk).take_while(is_part));
    }
    chunks
}

/// The nodes that other chunks use the most come first.
fn most_used(view: &IndexView, nodes: BTreeSet<NodeNo>) -> Vec<NodeNo> {
    let users = |node: &NodeNo| view.graph().map_or(0, |graph| graph.all_neighbours(*node, Direction::In).len());
    let mut nodes: Vec<(usize, NodeNo)> = nodes.into_iter().map(|node| (users(&node), node)).collect();
    nodes.sort_by_key(|(users, node)| (std::cmp::Reverse(*users), *node));
    nodes.truncate(MAX_STARTS);
    nodes.into_iter().map(|(_, node)| node).collect()
}
