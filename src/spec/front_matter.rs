//! What a spec document says of itself before its text.

use std::collections::BTreeMap;

use super::id::is_id;
use super::yaml::{self, Node, Value, YamlFault};
use crate::record::Lines;

/// The keys that a spec document has to have.
pub const REQUIRED: [&str; 5] = ["kind", "scope", "id", "spec_title", "status"];

/// A word of the front matter, and the line that it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub text: String,
    pub line: u32,
}

/// What is said, as far as it is of use here; every list may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// The required keys that are there.
    pub words: BTreeMap<&'static str, Said>,
    /// Ids by the role that they are listed under.
    pub trace: BTreeMap<String, Vec<Said>>,
    pub dp: BTreeMap<String, Vec<Said>>,
    /// `read_next` and `see_also`: ids, paths or names of files.
    pub doc: BTreeMap<String, Vec<Said>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    Trace,
    ReadNext,
}

impl FrontMatter {
    /// What it names, in the order of its lines.
    pub fn links(&self) -> Vec<(LinkKind, &Said)> {
        let trace = self.trace.values().flatten().map(|said| (LinkKind::Trace, said));
        let next = self.doc.get("read_next").into_iter().flatten().map(|said| (LinkKind::ReadNext, said));
        let mut all: Vec<_> = trace.chain(next).collect();
        all.sort_by_key(|(_, said)| said.line);
        all
    }
}

/// What an entry names: the id that it starts with, as in `DATA-900: the index`, or a path without its anchor.
pub fn link_target(entry: &str) -> &str {
    let end = entry.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(entry.len());
    match is_id(&entry[..end]) && !entry[end..].starts_with(['_', '.', '/']) {
        true => &entry[..end],
        false => entry.split(['#', '?']).next().unwrap_or(entry).trim(),
    }
}

/// The lines of a text's front matter, marks included, and what stands between the marks.
pub fn split(text: &str) -> Option<(Lines, &str)> {
    let end = crate::language::front_matter_end(text);
    let inside = text[..end].strip_prefix("---")?;
    let lines = text[..end].lines().count() as u32;
    let start = inside.find('\n')? + 1;
    let last = inside.trim_end().rfind('\n')? + 1;
    Some((Lines { start: 1, end: lines }, inside.get(start..last).unwrap_or_default()))
}

/// Whether front matter, sound or not, is a spec document's: it gives a spec's title, an id of a spec's form, or an id
/// with a kind or scope. An id alone may be anything: pages of site generators have one.
pub fn is_of_spec(inside: &str) -> bool {
    let value = |key: &str| inside.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let id = value("id").map(|id| link_target(id.trim().trim_matches(['"', '\''])));
    let with_id = id.is_some_and(|id| is_id(id) || value("kind").is_some() || value("scope").is_some());
    with_id || value("spec_title").is_some()
}

/// Reads what stands between the marks, from the second line of the text on.
pub fn read(inside: &str) -> Result<FrontMatter, YamlFault> {
    let root = yaml::parse(inside, 2)?;
    if !matches!(root.value, Value::Map(_)) {
        return Err(YamlFault { line: root.line, reason: "it is no map of keys" });
    }
    let mut front = FrontMatter::default();
    for key in REQUIRED {
        if let Some(node) = root.get(key) {
            front.words.extend(said(node)?.map(|said| (key, said)));
        }
    }
    front.trace = lists(root.get("trace"))?;
    front.dp = lists(root.get("dp"))?;
    front.doc = lists(root.get("doc"))?;
    Ok(front)
}

fn said(node: &Node) -> Result<Option<Said>, YamlFault> {
    match &node.value {
        Value::Text(text) => Ok(Some(Said { text: text.clone(), line: node.line })),
        Value::Null => Ok(None),
        _ => Err(YamlFault { line: node.line, reason: "a word is expected here" }),
    }
}

fn lists(node: Option<&Node>) -> Result<BTreeMap<String, Vec<Said>>, YamlFault> {
    let Some(node) = node else { return Ok(BTreeMap::new()) };
    let entries = match &node.value {
        Value::Map(entries) => entries.as_slice(),
        Value::Null => &[],
        _ => return Err(YamlFault { line: node.line, reason: "lists by their names are expected here" }),
    };
    let mut lists = BTreeMap::new();
    for (key, node) in entries {
        let fault = YamlFault { line: node.line, reason: "a list is expected here" };
        let items = node.items().ok_or(fault)?.iter().map(said).collect::<Result<Vec<_>, _>>()?;
        lists.insert(key.clone(), items.into_iter().flatten().collect());
    }
    Ok(lists)
}
