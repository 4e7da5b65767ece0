//! Finds what the focuses of a request name: chunks, and the nodes where a walk starts.

use std::collections::BTreeSet;

use super::near::near_names;
use super::{IndexView, ReadError};
use crate::graph::adjacency::Direction;
use crate::graph::descriptor;
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
pub fn resolve(view: &IndexView, focuses: &[Focus]) -> FocusSet {
    let mut set = FocusSet::default();
    let mut nodes = BTreeSet::new();
    for focus in focuses {
        let found = find(view, focus);
        set.chunks.extend(&found.chunks);
        if !found.is_of_files {
            set.named.extend(&found.chunks);
        }
        nodes.extend(found.nodes);
    }
    set.nodes = most_used(view, nodes);
    set
}

/// Fails if the index has nothing that one of the focuses names.
pub fn check(view: &IndexView, focuses: &[Focus]) -> Result<Result<(), RequestFault>, ReadError> {
    let Some(missing) = focuses.iter().find(|focus| find(view, focus).chunks.is_empty()) else { return Ok(Ok(())) };
    let focus = missing.to_string();
    Ok(Err(RequestFault::UnknownFocus { near: near_names(view, &focus)?, focus }))
}

/// What one focus names.
#[derive(Default)]
struct FoundFocus {
    chunks: Vec<ChunkNo>,
    nodes: Vec<NodeNo>,
    is_of_files: bool,
}

fn find(view: &IndexView, focus: &Focus) -> FoundFocus {
    let corpus = view.corpus();
    if let Some(uid) = focus.chunk_uid {
        return of_chunks(view, corpus.chunk(uid).into_iter().collect());
    }
    if let Some(path) = &focus.file_rel_path {
        let file = corpus.file(path.as_str());
        return file.map_or_else(FoundFocus::default, |file| of_file(view, file, focus.lines));
    }
    if let Some(symbol) = &focus.symbol_id {
        let node = view.graph().and_then(|graph| graph.node(symbol.as_str()));
        return of_symbols(view, node.into_iter().collect());
    }
    match (&focus.name, &focus.symbol_name) {
        (Some(name), _) => of_name(view, name),
        (None, Some(name)) => of_symbol_name(view, name),
        (None, None) => FoundFocus::default(),
    }
}

/// What a name means: a file, lines of one, a folder, files with the end of a path, a handle, or a symbol, whichever
/// there is first.
fn of_name(view: &IndexView, name: &str) -> FoundFocus {
    let corpus = view.corpus();
    if let Some(file) = corpus.file(name) {
        return of_file(view, file, None);
    }
    let (path, lines) = split_lines(name);
    if let Some(file) = corpus.file(path) {
        return of_file(view, file, lines);
    }
    let start = format!("{}/", name.trim_end_matches('/'));
    let below: Vec<FileNo> =
        corpus.paths().filter(|(_, path)| path.starts_with(&start)).map(|(file, _)| file).collect();
    if !below.is_empty() {
        return merged(below.into_iter().map(|file| of_file(view, file, None)), true);
    }
    let ending = files_ending(view, path);
    if !ending.is_empty() {
        return merged(ending.into_iter().map(|file| of_file(view, file, lines)), lines.is_none());
    }
    match corpus.handles().find(name).and_then(|uid| corpus.chunk(uid)) {
        Some(chunk) => of_chunks(view, vec![chunk]),
        None => of_symbol_name(view, name),
    }
}

/// The files whose paths end with a name that has an ending, if they are few.
fn files_ending(view: &IndexView, name: &str) -> Vec<FileNo> {
    let end = format!("/{name}");
    let has_ending = |(_, path): &(FileNo, &str)| name.contains('.') && path.ends_with(&end);
    let files: Vec<FileNo> = view.corpus().paths().filter(has_ending).map(|(file, _)| file).collect();
    if files.len() > MAX_DEFINITIONS { Vec::new() } else { files }
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

/// The definitions of a name. The parts before the last one are its owners: types, modules, or the name of its file.
fn of_symbol_name(view: &IndexView, name: &str) -> FoundFocus {
    let (file, name) = match name.split_once("::").map(|(path, name)| (view.corpus().file(path), name)) {
        Some((Some(file), name)) => (Some(file), name),
        _ => (None, name),
    };
    let parts: Vec<&str> = name.split(['.', ':', '#']).filter(|part| !part.is_empty()).collect();
    let Some((last, owners)) = parts.split_last() else { return FoundFocus::default() };
    let is_in_file = |chunk: &ChunkNo| file.is_none_or(|file| view.corpus().file_of(*chunk) == file);
    let whole = view.corpus().definitions(name);
    let definitions: BTreeSet<ChunkNo> = whole.chain(view.corpus().definitions(last)).filter(is_in_file).collect();
    let Some((graph, nodes)) = view.linked_graph() else { return of_chunks(view, definitions.into_iter().collect()) };
    let is_meant = |node: &NodeNo| {
        let mut names = descriptor::names(graph.id(*node));
        let own = names.next();
        own.as_deref() == Some(name)
            || own.as_deref() == Some(*last) && owners.iter().rev().all(|owner| names.any(|name| owns(&name, owner)))
    };
    let symbols = definitions.iter().flat_map(|chunk| nodes.nodes(*chunk)).copied().filter(is_meant);
    let symbols: Vec<NodeNo> = symbols.take(MAX_DEFINITIONS).collect();
    match symbols.is_empty() {
        false => of_symbols(view, symbols),
        // A definition without a symbol, such as a macro.
        true if owners.is_empty() => of_chunks(view, definitions.into_iter().take(MAX_DEFINITIONS).collect()),
        true => FoundFocus::default(),
    }
}

/// Whether a descriptor is the owner that was named. A module is named without the ending of its file.
fn owns(descriptor: &str, owner: &str) -> bool {
    descriptor == owner || descriptor.split_once('.').is_some_and(|(stem, _)| stem == owner)
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
