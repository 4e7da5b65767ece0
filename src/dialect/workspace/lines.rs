//! `blocks.jsonl`: one block per line, for tools of any kind.

use super::describe::{describe, describe_unknown};
use super::fields::{Faults, Fields, id, nested, values};
use super::property::shown_values;
use super::rights::{TWICE, grant, has_each_key_once, nobody};
use super::text::content_key;
use super::tree::{parent, unknown_type};
use super::{Block, BlockLink, LinkTarget, WorkspaceFile};
use crate::dialect::export::{ExportFault, Troubles, json};
use crate::record::{BlockClass, BlockType, SourceKind};
use crate::text::Span;

/// The fields that a line may have, sorted.
pub const KEYS: [&str; 22] = [
    "archived",
    "assignees",
    "createdAt",
    "createdBy",
    "data",
    "done",
    "due",
    "id",
    "links",
    "order",
    "parent",
    "priority",
    "properties",
    "read",
    "readMode",
    "relations",
    "tags",
    "template",
    "text",
    "title",
    "type",
    "updatedAt",
];

/// Fields of a line, with the fields of `data` that they win over.
const WINNING: [(&str, &str); 8] = [
    ("archived", "archived"),
    ("assignees", "assignedTo"),
    ("done", "completed"),
    ("due", "dueDate"),
    ("priority", "priority"),
    ("tags", "tags"),
    ("template", "template"),
    ("title", "title"),
];

/// Reads a file. It fails if no line is an object with an id and a type.
pub fn read(text: &str) -> Result<WorkspaceFile, ExportFault> {
    let is_block = |fields: Fields| fields.get("id").is_some() && fields.get("type").is_some();
    if !rows(text).any(|row| Fields::parse(row).is_some_and(is_block)) {
        return Err(ExportFault("no line is an object with `id` and `type`".to_string()));
    }
    let mut file = WorkspaceFile::new(SourceKind::Blocks);
    let mut troubles = Troubles::default();
    file.blocks = rows(text).filter_map(|row| block(text, row, &mut troubles)).collect();
    file.troubles = troubles.finish();
    Ok(file)
}

/// The lines of a text without the blank ones.
pub fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(without_mark).filter(|row| !row.is_empty())
}

/// A line without a byte order mark and white space around it.
pub fn without_mark(row: &str) -> &str {
    row.trim_start_matches('\u{feff}').trim()
}

fn block(text: &str, row: &str, troubles: &mut Troubles) -> Option<Block> {
    let mut faults = Faults { troubles, span: json::span_in(text, row), subject: "a line".to_string() };
    let fields = checked(row, &mut faults)?;
    let own = fields.get("id").and_then(|value| Some((id(value)?, value)));
    let word = fields.get("type").and_then(json::string);
    let (Some((id, id_value)), Some(word)) = (own, word) else {
        faults.shape("`id` or `type` cannot be read; the line is left out");
        return None;
    };
    faults.subject = format!("block `{id}`");
    let mut block = Block::new(id, BlockType::named(&word).unwrap_or(BlockType::Text), faults.span);
    block.id_span = id_span(text, id_value);
    block.parent = parent(&fields, "parent", &mut faults)?;
    take_fields(&mut block, &fields, text, &mut faults);
    take_data(&mut block, &word, &fields, &mut faults);
    Some(block)
}

/// The fields of a line, unless it has fields that no line may have.
fn checked<'t>(row: &'t str, faults: &mut Faults) -> Option<Fields<'t>> {
    let fields = Fields::parse(row);
    match &fields {
        None => faults.shape("not a JSON object; the line is left out"),
        Some(fields) if fields.keys().all(|key| KEYS.contains(&key)) => return Some(fields.clone()),
        Some(_) => faults.shape("it has a field that is not known; the line is left out"),
    }
    None
}

fn id_span(text: &str, value: &str) -> Span {
    if value.starts_with('"') { json::string_span(text, value) } else { json::span_in(text, value) }
}

fn take_fields(block: &mut Block, fields: &Fields, text: &str, faults: &mut Faults) {
    block.order = fields.number("order", faults);
    block.created = fields.date("createdAt", faults);
    block.modified = fields.date("updatedAt", faults);
    block.created_by = fields.id("createdBy", faults);
    block.links = relations(fields, text, faults);
    block.links.extend(links(fields, text, faults));
    if !has_each_key_once(fields) {
        block.grants.push(nobody(TWICE, faults));
    }
    if let Some(read) = fields.get("read") {
        block.grants.push(grant(read, fields.get("readMode"), faults));
    }
    if block.block_type != BlockType::Database {
        block.named_values = named_values(fields, faults);
    }
}

fn relations(fields: &Fields, text: &str, faults: &mut Faults) -> Vec<BlockLink> {
    let relations = fields.read("relations", "an object", faults, Fields::parse).unwrap_or_default();
    let mut links = Vec::new();
    for (name, value) in relations.sorted() {
        for value in values(value) {
            match id(value) {
                Some(to) => links.push(link(to, Some(name.to_string()), true, json::span_in(text, value))),
                None => faults.left_out("relations", "an object of ids"),
            }
        }
    }
    links
}

fn links(fields: &Fields, text: &str, faults: &mut Faults) -> Vec<BlockLink> {
    let mut links = Vec::new();
    for value in fields.get("links").map(json::list).unwrap_or_default() {
        let read = Fields::parse(value);
        match read.as_ref().and_then(|link| Some((id(link.get("to")?)?, link))) {
            Some((to, read)) => links.push(link(to, read.word("label", faults), false, json::span_in(text, value))),
            None => faults.shape("a link has no id in `to`; it is left out"),
        }
    }
    links
}

fn link(to: String, label: Option<String>, is_relation: bool, span: Span) -> BlockLink {
    BlockLink { to: LinkTarget::Id(to), label, is_relation, span }
}

fn named_values(fields: &Fields, faults: &mut Faults) -> Vec<(String, Vec<String>)> {
    let properties = fields.read("properties", "an object", faults, Fields::parse).unwrap_or_default();
    let shown = properties.sorted().into_iter().map(|(name, value)| (name.to_string(), shown_values(value)));
    shown.filter(|(_, values)| !values.is_empty()).collect()
}

fn take_data(block: &mut Block, word: &str, fields: &Fields, faults: &mut Faults) {
    let data = nested(fields.get("data").unwrap_or("{}"));
    let data = Fields::parse(&data).unwrap_or_else(|| {
        faults.left_out("data", "an object");
        Fields::default()
    });
    if BlockType::named(word).is_some() {
        describe(block, &with_winning(data.clone(), block.block_type, fields), faults);
    } else {
        unknown_type(faults);
        let given = with_winning(Fields::default(), block.block_type, fields);
        describe_unknown(block, &given, &with_text(data.clone(), block.block_type, fields), faults);
    }
    if let Some(text) = data.word("ownText", faults) {
        block.text = text;
    }
}

/// The data of a block with what its line says itself.
fn with_winning<'t>(data: Fields<'t>, block_type: BlockType, fields: &Fields<'t>) -> Fields<'t> {
    let mut data = with_text(data, block_type, fields);
    for (key, name) in WINNING {
        if let Some(value) = fields.get(key) {
            data.set(name, value);
        }
    }
    if let (BlockType::Database, Some(columns)) = (block_type, fields.get("properties")) {
        data.set("properties", columns);
    }
    data
}

/// What has no title by its nature says its title, if it says nothing else.
fn with_text<'t>(mut data: Fields<'t>, block_type: BlockType, fields: &Fields<'t>) -> Fields<'t> {
    let key = content_key(block_type);
    let is_part = block_type.class() == BlockClass::Part;
    let title = fields.get("title").filter(|_| is_part && data.get(key).is_none());
    if let Some(value) = fields.get("text").or(title) {
        data.set(key, value);
    }
    data
}
