//! What the tree's shape alone tells: where a long text may be cut, and where it did not parse.

use tree_sitter::{Node, Tree, TreeCursor};

use crate::language::comments::{comment_above, start_with_comments};
use crate::language::facts::Break;
use crate::text::Span;

/// More errors than this say nothing new.
const MAX_ERRORS: usize = 100;

/// The starts of whole things inside every node that is longer than a chunk may be.
pub fn breaks(tree: &Tree, comments: &[Span], text: &str, max_chunk_bytes: usize) -> Vec<Break> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    let mut depth = 0u16;
    if !descend(&mut cursor, &mut depth, max_chunk_bytes) {
        return found;
    }
    loop {
        let node = cursor.node();
        if let Some(offset) = start(node, comments, text).filter(|_| node.is_named()) {
            found.push(Break { offset, depth });
        }
        if descend(&mut cursor, &mut depth, max_chunk_bytes) {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() || depth == 0 {
                return found;
            }
            depth = depth.saturating_sub(1);
        }
    }
}

fn descend(cursor: &mut TreeCursor, depth: &mut u16, max_chunk_bytes: usize) -> bool {
    let node = cursor.node();
    // Below this depth a cut is no better than one at a line's end.
    let deeper = node.end_byte() - node.start_byte() > max_chunk_bytes && *depth < 200 && cursor.goto_first_child();
    *depth += u16::from(deeper);
    deeper
}

/// Where a node starts with the comments right above it, so that there is no cut between them; `None`
/// for a comment that is not the first of its run. The comments may stand in the node before, as they
/// do in TOML and YAML.
fn start(node: Node, comments: &[Span], text: &str) -> Option<u32> {
    let offset = node.start_byte() as u32;
    match comments.binary_search(&Span::new(node.start_byte(), node.end_byte())) {
        Ok(_) => comment_above(offset, comments, text).is_none().then_some(offset),
        Err(_) => Some(start_with_comments(offset, comments, text)),
    }
}

/// Where the grammar did not fit, first to last.
pub fn errors(tree: &Tree) -> Vec<Span> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    while tree.root_node().has_error() && found.len() < MAX_ERRORS {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            found.push(Span::new(node.start_byte(), node.end_byte()));
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
    found
}
