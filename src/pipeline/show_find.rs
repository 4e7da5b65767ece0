//! Finds the node that a user means, by id, path or name, and other nodes with that name.

use super::ShowError;
use crate::graph::adjacency::Adjacency;
use crate::record::{Node, NodeKind, NodeNo, SymbolId};
use crate::text::RepoPath;

/// A node, and other nodes that the user may have meant.
pub struct FoundNode {
    pub node: NodeNo,
    pub also: Named,
}

/// A limited list of nodes, written as the command accepts them.
#[derive(Debug, Default)]
pub struct Named {
    pub names: Vec<String>,
    pub more: usize,
}

/// How many names an answer lists.
const MAX_NAMED: usize = 10;

/// Finds a node by id, path, path and name, or name. The last parts of a name are enough. A declaration stands for its
/// definition.
pub fn find(nodes: &[Node], graph: &Adjacency, wanted: &str) -> Result<FoundNode, ShowError> {
    if let Some(node) = by_id(nodes, wanted) {
        return Ok(FoundNode { node, also: Named::default() });
    }
    let in_file = in_file(nodes, wanted);
    let found = if in_file.is_empty() { by_suffix(nodes, wanted) } else { in_file };
    let (found, declarations) = with_definitions(graph, found);
    let is_whole = |node: &&NodeNo| {
        let node = &nodes[node.index()];
        node.name == wanted && node.kind != NodeKind::External
    };
    let whole: Vec<NodeNo> = found.iter().filter(is_whole).copied().collect();
    match (found.as_slice(), whole.as_slice()) {
        ([], _) => Err(ShowError::Unknown { wanted: wanted.to_string(), near: similar(nodes, wanted) }),
        ([node], _) | (_, [node]) => {
            let is_other = |other: &&NodeNo| *other != node && nodes[other.index()].kind != NodeKind::External;
            let others: Vec<NodeNo> = found.iter().chain(&declarations).filter(is_other).copied().collect();
            Ok(FoundNode { node: *node, also: list_names(nodes, &others) })
        }
        (many, _) => Err(ShowError::Ambiguous { wanted: wanted.to_string(), candidates: list_names(nodes, many) }),
    }
}

/// Replaces declarations by their definitions; and the declarations.
fn with_definitions(graph: &Adjacency, found: Vec<NodeNo>) -> (Vec<NodeNo>, Vec<NodeNo>) {
    let (declarations, mut defined): (Vec<NodeNo>, Vec<NodeNo>) =
        found.into_iter().partition(|node| graph.definitions(*node).next().is_some());
    defined.extend(declarations.iter().flat_map(|node| graph.definitions(*node)));
    defined.sort_unstable();
    defined.dedup();
    (defined, declarations)
}

fn by_id(nodes: &[Node], wanted: &str) -> Option<NodeNo> {
    let find = |id: &str| nodes.binary_search_by(|node| node.node_id.as_str().cmp(id)).ok();
    let file_id = RepoPath::try_from(wanted.to_string()).ok().map(|path| SymbolId::of_file(&path));
    let node = find(wanted).or_else(|| find(&format!("scip:{wanted}"))).or_else(|| find(file_id?.as_str()));
    node.map(|node| NodeNo(node as u32))
}

/// Finds symbols written as lists show them: `PATH::NAME`.
fn in_file(nodes: &[Node], wanted: &str) -> Vec<NodeNo> {
    let Some((path, name)) = wanted.split_once(SEPARATOR) else { return Vec::new() };
    let is_wanted = |node: &Node| {
        node.kind == NodeKind::Symbol
            && node.name == name
            && node.file_rel_path.as_ref().is_some_and(|own| own.as_str() == path)
    };
    positions(nodes, is_wanted)
}

const SEPARATOR: &str = "::";

fn by_suffix(nodes: &[Node], wanted: &str) -> Vec<NodeNo> {
    let has_suffix = |name: &str| {
        let before = name.strip_suffix(wanted);
        before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':', '#', '/']))
    };
    let path_has_suffix = |node: &Node| {
        let path = node.file_rel_path.as_ref().filter(|_| node.kind == NodeKind::File);
        path.is_some_and(|path| has_suffix(path.as_str()))
    };
    positions(nodes, |node| has_suffix(&node.name) || path_has_suffix(node))
}

fn positions(nodes: &[Node], is_wanted: impl Fn(&Node) -> bool) -> Vec<NodeNo> {
    nodes.iter().zip(0..).filter(|(node, _)| is_wanted(node)).map(|(_, at)| NodeNo(at)).collect()
}

fn list_names(nodes: &[Node], wanted: &[NodeNo]) -> Named {
    let names = wanted.iter().take(MAX_NAMED).map(|node| unique_name(nodes, &nodes[node.index()]));
    Named { names: names.collect(), more: wanted.len().saturating_sub(MAX_NAMED) }
}

/// Text that identifies a node: its path and name if they are unique, otherwise its id.
fn unique_name(nodes: &[Node], node: &Node) -> String {
    let is_twin =
        |other: &&Node| other.kind == node.kind && other.name == node.name && other.file_rel_path == node.file_rel_path;
    match (&node.file_rel_path, node.kind) {
        (Some(path), NodeKind::File) => path.to_string(),
        (Some(path), NodeKind::Symbol) if nodes.iter().filter(is_twin).count() == 1 => {
            format!("{path}{SEPARATOR}{}", node.name)
        }
        _ => node.node_id.to_string(),
    }
}

/// Names that contain the last part of the wanted name, ignoring case.
fn similar(nodes: &[Node], wanted: &str) -> Vec<String> {
    let last = wanted.rsplit(['.', ':', '/', '#']).next().unwrap_or(wanted).to_lowercase();
    let is_similar = |node: &&Node| !last.is_empty() && node.name.to_lowercase().contains(&last);
    let mut names: Vec<String> = nodes.iter().filter(is_similar).map(|node| node.name.clone()).collect();
    names.sort_by_key(|name| (name.len(), name.clone()));
    names.dedup();
    names.truncate(MAX_NAMED);
    names
}
