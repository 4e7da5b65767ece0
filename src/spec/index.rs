//! The spec index (DATA-900): what every document says of itself. Neither a clock nor an absolute path is in it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::catalog::Catalog;
use crate::dialect::spec::Document;
use crate::dialect::spec::FieldValue;
use crate::dialect::spec::SectionSchema;
use crate::dialect::spec::sections;
use crate::record::{Digest, Lines, SpecRole};

/// How many lines of a section an index keeps.
const MAX_LINES: usize = 5;

#[derive(Debug, Serialize)]
pub struct SpecIndex<'c> {
    pub version: &'static str,
    /// Every path is relative to it.
    pub root: &'static str,
    /// In the order of ids, then of files.
    pub nodes: Vec<SpecNode<'c>>,
}

#[derive(Debug, Serialize)]
pub struct SpecNode<'c> {
    pub id: &'c str,
    pub kind: &'c str,
    pub scope: &'c str,
    pub status: &'c str,
    pub spec_title: &'c str,
    pub role: SpecRole,
    pub file: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm_brief: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub trace: BTreeMap<&'c str, Vec<&'c str>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dp: BTreeMap<&'c str, Vec<&'c str>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub doc: BTreeMap<&'c str, Vec<&'c str>>,
    pub hash: &'c Digest,
    pub frontmatter_range: Lines,
}

/// Documents that cannot be read or have no id are not in it; the findings of a lint name them.
pub fn index<'c>(catalog: &'c Catalog, schema: &SectionSchema) -> SpecIndex<'c> {
    let with_id = catalog.documents.iter().filter(|document| !document.word("id").is_empty());
    let mut nodes: Vec<SpecNode> = with_id.map(|document| node(document, schema)).collect();
    nodes.sort_by_key(|node| (node.id, node.file));
    SpecIndex { version: "0.1", root: ".", nodes }
}

fn node<'c>(document: &'c Document, schema: &SectionSchema) -> SpecNode<'c> {
    let front = document.front.as_ref().ok();
    SpecNode {
        id: document.word("id"),
        kind: document.word("kind"),
        scope: document.word("scope"),
        status: document.word("status"),
        spec_title: document.word("spec_title"),
        role: document.role(),
        file: document.path.as_str(),
        llm_brief: beginning(document, schema, "llm_brief"),
        summary: beginning(document, schema, "summary"),
        trace: front.map(|front| words(&front.trace)).unwrap_or_default(),
        dp: front.map(|front| words(&front.dp)).unwrap_or_default(),
        doc: front.map(|front| words(&front.doc)).unwrap_or_default(),
        hash: &document.hash,
        frontmatter_range: document.front_lines,
    }
}

/// The first lines of the first section whose rule's id ends so.
pub fn beginning(document: &Document, schema: &SectionSchema, rule: &str) -> Option<String> {
    let found = sections(document, schema);
    let section = found.iter().find(|section| section.rule.id.ends_with(rule) && !section.again)?;
    Some(document.body(section.head).lines().take(MAX_LINES).collect::<Vec<_>>().join("\n"))
}

fn words(lists: &BTreeMap<String, Vec<FieldValue>>) -> BTreeMap<&str, Vec<&str>> {
    lists.iter().map(|(key, all)| (key.as_str(), all.iter().map(|said| said.text.as_str()).collect())).collect()
}
