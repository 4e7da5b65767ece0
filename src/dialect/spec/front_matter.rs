//! The front matter of a spec document: its fields and links.

use std::collections::BTreeMap;

use crate::document::front_matter::Block;
use crate::document::spec_id::leading_id;
use crate::document::yaml::{self, Node, Value, YamlFault};
use crate::record::Lines;

/// The keys that a spec document has to have.
pub const REQUIRED: [&str; 5] = ["kind", "scope", "id", "spec_title", "status"];

/// A value of the front matter and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldValue {
    pub text: String,
    pub line: u32,
}

/// The fields that are used here. Every list may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// The required keys that are there.
    pub words: BTreeMap<&'static str, FieldValue>,
    /// Ids by the role that they are listed under.
    pub trace: BTreeMap<String, Vec<FieldValue>>,
    pub dp: BTreeMap<String, Vec<FieldValue>>,
    /// `read_next` and `see_also`: ids, paths or names of files.
    pub doc: BTreeMap<String, Vec<FieldValue>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    Trace,
    ReadNext,
}

impl FrontMatter {
    /// What it names, in the order of its lines.
    pub fn links(&self) -> Vec<(LinkKind, &FieldValue)> {
        let trace = self.trace.values().flatten().map(|value| (LinkKind::Trace, value));
        let next = self.doc.get("read_next").into_iter().flatten().map(|value| (LinkKind::ReadNext, value));
        let mut all: Vec<_> = trace.chain(next).collect();
        all.sort_by_key(|(_, value)| value.line);
        all
    }
}

/// The entries of one text: as many as it has ids with nothing but marks between them, as in `REQ-008, REQ-009`.
fn split_entries(text: &str) -> Vec<&str> {
    let mut entries = Vec::new();
    let mut left = text;
    while let Some((id, rest)) = leading_id(left) {
        let next = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;/&、，；・".contains(c));
        if next.len() == rest.len() || leading_id(next).is_none() {
            break;
        }
        entries.push(id);
        left = next;
    }
    entries.push(left);
    entries
}

/// The front matter of a spec document: its lines, and its fields or why they cannot be read.
pub struct Found {
    /// Where the text behind it starts.
    pub end: usize,
    pub lines: Lines,
    pub front: Result<FrontMatter, YamlFault>,
}

/// Absent when the text is no spec document.
pub fn find(text: &str) -> Option<Found> {
    let block = Block::find(text).filter(|block| block.is_of_spec())?;
    let front = if block.is_closed { read(block.inside) } else { Err(YamlFault::new(1, "no line `---` ends it")) };
    Some(Found { end: block.end, lines: block.lines(), front })
}

/// Reads the lines between the delimiters; they start at line 2 of the text.
fn read(inside: &str) -> Result<FrontMatter, YamlFault> {
    let root = yaml::parse(inside, 2)?;
    if !matches!(root.value, Value::Map(_)) {
        return Err(YamlFault::new(root.line, "keys with values are expected here"));
    }
    let mut front = FrontMatter::default();
    for key in REQUIRED {
        if let Some(node) = root.get(key) {
            front.words.extend(field_value(node)?.map(|value| (key, value)));
        }
    }
    front.trace = lists(root.get("trace"))?;
    front.dp = lists(root.get("dp"))?;
    front.doc = lists(root.get("doc"))?;
    Ok(front)
}

fn field_value(node: &Node) -> Result<Option<FieldValue>, YamlFault> {
    match &node.value {
        // A block of text ends with a line break, which is no part of a field.
        Value::Text(text) => Ok(Some(FieldValue { text: text.trim_end_matches('\n').to_string(), line: node.line })),
        Value::Null => Ok(None),
        _ => Err(YamlFault::new(node.line, "a text is expected here")),
    }
}

fn lists(node: Option<&Node>) -> Result<BTreeMap<String, Vec<FieldValue>>, YamlFault> {
    let Some(node) = node else { return Ok(BTreeMap::new()) };
    let entries = match &node.value {
        Value::Map(entries) => entries.as_slice(),
        Value::Null => &[],
        // `trace: []` says that there are no links.
        Value::List(items) if items.is_empty() => &[],
        _ => return Err(YamlFault::new(node.line, "keys with lists are expected here")),
    };
    let mut lists = BTreeMap::new();
    for (key, node) in entries {
        let items = node.items().ok_or_else(|| YamlFault::new(node.line, "a list is expected here"))?;
        let all = items.iter().filter_map(|item| field_value(item).transpose()).collect::<Result<Vec<_>, _>>()?;
        let each = |FieldValue { text, line }: &FieldValue| -> Vec<FieldValue> {
            split_entries(text).into_iter().map(|text| FieldValue { text: text.to_string(), line: *line }).collect()
        };
        lists.insert(key.clone(), all.iter().flat_map(each).collect());
    }
    Ok(lists)
}
