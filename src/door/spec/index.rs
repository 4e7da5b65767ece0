//! The spec index (DATA-900): the front matter and summaries of all documents. It contains no current time and no
//! absolute path.

use std::collections::BTreeMap;

use serde::Serialize;

use super::library::{DocNo, Library};
use crate::assemble::ReadError;
use crate::record::{Digest, Lines, SpecRole};
use crate::text::RepoPath;

/// How many lines of a section the index keeps.
pub const MAX_LINES: usize = 5;

#[derive(Debug, Serialize)]
pub struct SpecIndex<'v> {
    pub version: &'static str,
    /// All paths are relative to it.
    pub root: &'static str,
    /// Sorted by id, then by file.
    pub nodes: Vec<SpecNode<'v>>,
}

#[derive(Debug, Serialize)]
pub struct SpecNode<'v> {
    pub id: &'v str,
    pub kind: &'v str,
    pub scope: &'v str,
    pub status: &'v str,
    pub spec_title: &'v str,
    pub role: SpecRole,
    pub file: &'v str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm_brief: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub trace: BTreeMap<&'v str, Vec<&'v str>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dp: BTreeMap<&'v str, Vec<&'v str>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub doc: BTreeMap<&'v str, Vec<&'v str>>,
    /// The hash of the file; absent if the file no longer exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
    pub frontmatter_range: Lines,
}

/// Builds the index of all documents with an id; `hash` returns the hash of a file. Documents without an id are left
/// out; `spec lint` reports them.
pub fn index<'v>(
    library: &Library<'v>,
    hash: &dyn Fn(&RepoPath) -> Option<Digest>,
) -> Result<SpecIndex<'v>, ReadError> {
    let with_id = (0..library.documents.len()).filter(|document| !library.documents[*document].id().is_empty());
    let mut nodes = with_id.map(|document| node(library, document, hash)).collect::<Result<Vec<SpecNode>, _>>()?;
    nodes.sort_by_key(|node| (node.id, node.file));
    Ok(SpecIndex { version: "0.1", root: ".", nodes })
}

fn node<'v>(
    library: &Library<'v>,
    number: DocNo,
    hash: &dyn Fn(&RepoPath) -> Option<Digest>,
) -> Result<SpecNode<'v>, ReadError> {
    let document = &library.documents[number];
    Ok(SpecNode {
        id: document.id(),
        kind: document.word("kind"),
        scope: document.word("scope"),
        status: document.word("status"),
        spec_title: document.word("spec_title"),
        role: document.role(),
        file: document.file(),
        llm_brief: library.beginning(number, "llm_brief", MAX_LINES)?,
        summary: library.beginning(number, "summary", MAX_LINES)?,
        trace: document.lists("trace"),
        dp: document.lists("dp"),
        doc: document.lists("doc"),
        hash: hash(&document.item.file_rel_path),
        frontmatter_range: document.front_lines(),
    })
}
