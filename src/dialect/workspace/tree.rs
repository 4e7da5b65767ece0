//! Block trees: all blocks of a workspace by id, in one JSON object.

use super::describe::{describe, describe_unknown};
use super::fields::{Faults, Fields, id};
use super::rights::{TWICE, grant_of_metadata, has_each_key_once, nobody};
use super::{Block, WorkspaceFile};
use crate::dialect::export::{ExportFault, Troubles, json};
use crate::record::{BlockType, ProblemCode, SourceKind};

/// How far below the top a tree may be.
const MAX_LEVELS: usize = 4;

/// Reads all trees of a file. It fails if the file is not JSON or holds no tree.
pub fn read(text: &str) -> Result<WorkspaceFile, ExportFault> {
    let trees = find(text.trim_start_matches('\u{feff}'))?;
    if trees.is_empty() {
        let message = format!("no object with `blocks` that have a `type` in its first {} levels", MAX_LEVELS + 1);
        return Err(ExportFault(message));
    }
    let mut file = WorkspaceFile::new(SourceKind::BlockTree);
    let mut troubles = Troubles::default();
    for tree in trees {
        tree.read(text, &mut file, &mut troubles);
    }
    file.troubles = troubles.finish();
    Ok(file)
}

/// Whether a text is JSON that holds a tree.
pub fn holds_tree(text: &str) -> serde_json::Result<bool> {
    Ok(!trees(text)?.is_empty())
}

struct Tree<'t> {
    roots: &'t str,
    /// Keys and values as they are written.
    blocks: Vec<(&'t str, &'t str)>,
}

fn find(text: &str) -> Result<Vec<Tree<'_>>, ExportFault> {
    let place = |fault: &serde_json::Error| format!("line {}, column {}", fault.line(), fault.column());
    trees(text).map_err(|fault| ExportFault(format!("not a JSON object, see {}", place(&fault))))
}

/// The trees below the top object, in the order of the keys that lead to them.
fn trees(text: &str) -> serde_json::Result<Vec<Tree<'_>>> {
    let (mut found, mut open) = (Vec::new(), vec![(0, text)]);
    while let Some((level, value)) = open.pop() {
        let members = json::members(value)?;
        if let Some(tree) = Tree::of(&members) {
            found.push(tree);
        } else if level < MAX_LEVELS {
            open.extend(objects(members).into_iter().rev().map(|value| (level + 1, value)));
        }
    }
    Ok(found)
}

/// The values that are objects, in the order of their keys.
fn objects<'t>(mut members: Vec<(&'t str, &'t str)>) -> Vec<&'t str> {
    members.retain(|(_, value)| value.starts_with('{'));
    members.sort_by_cached_key(|(key, _)| json::string(key));
    members.into_iter().map(|(_, value)| value).collect()
}

impl<'t> Tree<'t> {
    fn of(members: &[(&'t str, &'t str)]) -> Option<Self> {
        let last = |name: &str| members.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| *value);
        let roots = last("\"roots\"").filter(|value| value.starts_with('['));
        let blocks = last("\"blocks\"").filter(|value| value.starts_with('{'))?;
        let blocks = json::members(blocks).ok()?;
        let has_type =
            |value: &str| Fields::parse(value)?.get("type").map(|word| roots.is_some() || word.starts_with('"'));
        let has_block = blocks.iter().any(|(_, value)| has_type(value) == Some(true));
        // Without a list of roots, what names no parent is one.
        (has_block || roots.is_some() && blocks.is_empty()).then_some(Tree { roots: roots.unwrap_or("[]"), blocks })
    }

    fn read(self, text: &str, file: &mut WorkspaceFile, troubles: &mut Troubles) {
        let roots = json::list(self.roots);
        let ids: Vec<String> = roots.iter().filter_map(|root| id(root)).collect();
        if ids.len() < roots.len() {
            let message = "`roots` is not a list of ids; what is none is left out";
            troubles.add(ProblemCode::ItemData, json::span_in(text, self.roots), message);
        }
        file.roots.extend(ids);
        for (key, value) in self.blocks {
            file.blocks.extend(block(text, key, value, troubles));
        }
    }
}

fn block(text: &str, key: &str, value: &str, troubles: &mut Troubles) -> Option<Block> {
    let mut faults = Faults { troubles, span: json::span_in(text, value), subject: "a block".to_string() };
    let Some(id) = id(key) else {
        faults.shape("its id is not 1 to 512 bytes long; it is left out");
        return None;
    };
    faults.subject = format!("block `{id}`");
    let found = Fields::parse(value);
    let Some((word, fields)) = found.and_then(|fields| Some((json::string(fields.get("type")?)?, fields))) else {
        faults.shape("not an object with a `type`; it is left out");
        return None;
    };
    let mut block = Block::new(id, BlockType::named(&word).unwrap_or(BlockType::Text), faults.span);
    block.id_span = json::string_span(text, key);
    take_place(&mut block, &fields, &mut faults)?;
    take_data(&mut block, &word, &fields, &mut faults);
    Some(block)
}

/// Its place in the tree, its dates and its readers. None if its parent cannot be read: who may read a block depends on
/// its parent.
fn take_place(block: &mut Block, fields: &Fields, faults: &mut Faults) -> Option<()> {
    block.parent = parent(fields, "parentId", faults)?;
    if fields.get("id").is_some_and(|own| id(own).as_ref() != Some(&block.id)) {
        faults.shape("it stands under another id than its own; the one that it stands under counts");
    }
    block.children = fields.ids("children", faults);
    block.created = fields.date("createdAt", faults);
    block.modified = fields.date("updatedAt", faults);
    block.created_by = fields.id("createdBy", faults);
    if !has_each_key_once(fields) {
        block.grants.push(nobody(TWICE, faults));
    }
    block.grants.extend(fields.get("metadata").and_then(|metadata| grant_of_metadata(metadata, faults)));
    Some(())
}

/// The id of the parent, if the block has one. None if it cannot be read: the block must be left out, since a block
/// without a parent may be shown to more people.
pub fn parent(fields: &Fields, key: &str, faults: &mut Faults) -> Option<Option<String>> {
    let Some(value) = fields.get(key) else { return Some(None) };
    let parent = id(value);
    if parent.is_none() {
        faults.shape(&format!("`{key}` is not an id; the block is left out"));
    }
    parent.map(Some)
}

fn take_data(block: &mut Block, word: &str, fields: &Fields, faults: &mut Faults) {
    let data = fields.read("data", "an object", faults, Fields::parse).unwrap_or_default();
    if BlockType::named(word).is_some() {
        describe(block, &data, faults);
    } else {
        unknown_type(faults);
        describe_unknown(block, &Fields::default(), &data, faults);
    }
}

pub fn unknown_type(faults: &mut Faults) {
    faults.add(ProblemCode::ItemType, "its type is not known; it is read as a text");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_pieces_of_the_file() {
        let text = "\u{feff}{\"roots\": [\"a\"],\r\n \"blocks\": {\"a\": {\"type\": \"text\"}}}";
        let file = read(text).unwrap();
        let block = &file.blocks[0];
        assert_eq!((block.id_span.text(text), block.span.text(text)), ("a", "{\"type\": \"text\"}"));
    }
}
