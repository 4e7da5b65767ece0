//! The code that spec documents name, by the `doc` edges of a tree's graph.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::language::builtin_rule;
use crate::record::{Chunk, ChunkUid, Edge, EdgeType, Node, NodeId, Score};
use crate::spec::{Catalog, Code, DocNo};
use crate::store::{Index, StoreError};

/// Of each document the chunks that it names, the surest first; each once.
pub fn code_of(folder: &Path, catalog: &Catalog) -> Result<BTreeMap<DocNo, Vec<Code>>, StoreError> {
    let (chunks, graph) = (Index::open(&folder.join("chunk"))?, Index::open(&folder.join("graph"))?);
    let (mut specs, mut code) = (BTreeMap::new(), BTreeMap::new());
    for node in graph.records::<Node>()? {
        let node = node?;
        match spec_of(catalog, &node) {
            Some(document) => drop(specs.insert(node.node_id, document)),
            None if is_code(&node) => drop(code.insert(node.node_id.clone(), node)),
            None => {}
        }
    }
    let mut named: BTreeMap<DocNo, BTreeSet<(Reverse<Score>, NodeId)>> = BTreeMap::new();
    for edge in graph.records::<Edge>()? {
        let edge = edge?;
        if let (EdgeType::Doc, Some(document)) = (edge.edge_type, specs.get(&edge.from))
            && code.contains_key(&edge.to)
        {
            named.entry(*document).or_default().insert((Reverse(edge.confidence), edge.to));
        }
    }
    let mut pieces = BTreeMap::new();
    for (document, nodes) in named {
        let mut shown = BTreeSet::new();
        let nodes = nodes.iter().map(|(_, node)| &code[node]).filter(|node| shown.insert(node.chunk_uid));
        let found = nodes.filter_map(|node| piece(&chunks, node).transpose()).collect::<Result<Vec<_>, _>>()?;
        pieces.insert(document, found);
    }
    Ok(pieces)
}

/// The document whose id a node is.
fn spec_of(catalog: &Catalog, node: &Node) -> Option<DocNo> {
    let document = catalog.find(&node.name)?;
    (node.file_rel_path.as_ref() == Some(&catalog.documents[document].path)).then_some(document)
}

/// Prose that names prose is what `read_next` is for.
fn is_code(node: &Node) -> bool {
    let is_prose = |id: &str| builtin_rule(id).is_some_and(|rule| rule.names.is_prose());
    node.language_id.as_ref().is_some_and(|language| !is_prose(language.as_str()))
}

fn piece(chunks: &Index, node: &Node) -> Result<Option<Code>, StoreError> {
    let (Some(path), Some(uid)) = (&node.file_rel_path, node.chunk_uid) else { return Ok(None) };
    let all: Vec<Chunk> = chunks.find_records(&[path.as_str().into()])?;
    let chunk = |uid: ChunkUid| all.into_iter().find(|chunk| chunk.chunk_uid == uid);
    Ok(chunk(uid).map(|chunk| {
        let name = chunk.qualified_name.unwrap_or_default();
        let title = format!("{path}:{}-{} {name}", chunk.lines.start, chunk.lines.end);
        Code { title: title.trim_end().to_string(), language: chunk.language_id.as_str().to_string(), text: chunk.text }
    }))
}
