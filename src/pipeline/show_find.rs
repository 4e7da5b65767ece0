//! The node that a person means: by id, path or name, and what else has that name.

use super::ShowError;
use crate::record::{Node, NodeKind, SymbolId};
use crate::text::RepoPath;

/// A node, and the others that may have been meant.
pub struct FoundNode {
    pub node: u32,
    pub also: Named,
}

/// Nodes as they can be typed again, at most so many.
#[derive(Debug, Default)]
pub struct Named {
    pub names: Vec<String>,
    pub more: usize,
}

/// How many names an answer lists.
const MAX_NAMED: usize = 10;

/// The node of an id, a path, a path and a name, or a name, which may be its last parts.
pub fn find(nodes: &[Node], wanted: &str) -> Result<FoundNode, ShowError> {
    if let Some(node) = by_id(nodes, wanted) {
        return Ok(FoundNode { node, also: Named::default() });
    }
    let in_file = in_file(nodes, wanted);
    let found = if in_file.is_empty() { ending(nodes, wanted) } else { in_file };
    let is_whole = |node: &&u32| {
        let node = &nodes[**node as usize];
        node.name == wanted && node.kind != NodeKind::External
    };
    let whole: Vec<u32> = found.iter().filter(is_whole).copied().collect();
    match (found.as_slice(), whole.as_slice()) {
        ([], _) => Err(ShowError::Unknown { wanted: wanted.to_string(), near: similar(nodes, wanted) }),
        ([node], _) | (_, [node]) => {
            let is_other = |other: &&u32| *other != node && nodes[**other as usize].kind != NodeKind::External;
            let others: Vec<u32> = found.iter().filter(is_other).copied().collect();
            Ok(FoundNode { node: *node, also: named(nodes, &others) })
        }
        (many, _) => Err(ShowError::Ambiguous { wanted: wanted.to_string(), candidates: named(nodes, many) }),
    }
}

fn by_id(nodes: &[Node], wanted: &str) -> Option<u32> {
    let of = |id: &str| nodes.binary_search_by(|node| node.node_id.as_str().cmp(id)).ok();
    let of_path = RepoPath::try_from(wanted.to_string()).ok().map(|path| SymbolId::of_file(&path));
    let node = of(wanted).or_else(|| of(&format!("scip:{wanted}"))).or_else(|| of(of_path?.as_str()));
    node.map(|node| node as u32)
}

/// As lists of nodes name them: `PATH::NAME`.
fn in_file(nodes: &[Node], wanted: &str) -> Vec<u32> {
    let Some((path, name)) = wanted.split_once(BETWEEN) else { return Vec::new() };
    let is_it = |node: &Node| {
        node.kind == NodeKind::Symbol
            && node.name == name
            && node.file_rel_path.as_ref().is_some_and(|of| of.as_str() == path)
    };
    places(nodes, is_it)
}

const BETWEEN: &str = "::";

fn ending(nodes: &[Node], wanted: &str) -> Vec<u32> {
    let ends = |name: &str| {
        let before = name.strip_suffix(wanted);
        before.is_some_and(|before| before.is_empty() || before.ends_with(['.', ':', '#', '/']))
    };
    let ends_path = |node: &Node| {
        let path = node.file_rel_path.as_ref().filter(|_| node.kind == NodeKind::File);
        path.is_some_and(|path| ends(path.as_str()))
    };
    places(nodes, |node| ends(&node.name) || ends_path(node))
}

fn places(nodes: &[Node], is_wanted: impl Fn(&Node) -> bool) -> Vec<u32> {
    nodes.iter().zip(0..).filter(|(node, _)| is_wanted(node)).map(|(_, at)| at).collect()
}

fn named(nodes: &[Node], wanted: &[u32]) -> Named {
    let names = wanted.iter().take(MAX_NAMED).map(|node| typed(nodes, &nodes[*node as usize]));
    Named { names: names.collect(), more: wanted.len().saturating_sub(MAX_NAMED) }
}

/// What finds a node again: its path and name, or its id where those are another's too.
fn typed(nodes: &[Node], node: &Node) -> String {
    let is_twin =
        |other: &&Node| other.kind == node.kind && other.name == node.name && other.file_rel_path == node.file_rel_path;
    match (&node.file_rel_path, node.kind) {
        (Some(path), NodeKind::File) => path.to_string(),
        (Some(path), NodeKind::Symbol) if nodes.iter().filter(is_twin).count() == 1 => {
            format!("{path}{BETWEEN}{}", node.name)
        }
        _ => node.node_id.to_string(),
    }
}

/// Names that hold the wanted one's last part, whatever the case.
fn similar(nodes: &[Node], wanted: &str) -> Vec<String> {
    let last = wanted.rsplit(['.', ':', '/', '#']).next().unwrap_or(wanted).to_lowercase();
    let holds = |node: &&Node| !last.is_empty() && node.name.to_lowercase().contains(&last);
    let mut names: Vec<String> = nodes.iter().filter(holds).map(|node| node.name.clone()).collect();
    names.sort_by_key(|name| (name.len(), name.clone()));
    names.dedup();
    names.truncate(MAX_NAMED);
    names
}
