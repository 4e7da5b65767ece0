//! The spec index (DATA-900): the front matter and summaries of all documents. It contains no current time and no
//! absolute path.

use std::collections::BTreeMap;

use serde::Serialize;

use super::library::{Header, Library};
use crate::assemble::{Document, ReadError};
use crate::record::{Digest, FieldValue, Item, Lines, SpecRole};
use crate::text::RepoPath;

#[derive(Debug, Serialize)]
pub struct SpecIndex<'v> {
    pub version: &'static str,
    /// All paths are relative to it.
    pub root: &'static str,
    /// Sorted by id, then by file.
    pub nodes: Vec<SpecNode<'v>>,
}

/// Lists of the front matter by name.
type Lists<'v> = BTreeMap<&'v str, Vec<&'v str>>;

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
    #[serde(skip_serializing_if = "Lists::is_empty")]
    pub trace: Lists<'v>,
    #[serde(skip_serializing_if = "Lists::is_empty")]
    pub dp: Lists<'v>,
    #[serde(skip_serializing_if = "Lists::is_empty")]
    pub doc: Lists<'v>,
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
    let node = |document: &Document<'v>| {
        let (item, Header { id, file, kind, scope, role }) = (document.item, Header::new(document));
        Ok(SpecNode {
            id,
            kind,
            scope,
            status: item.word("status"),
            spec_title: item.word("spec_title"),
            role,
            file,
            llm_brief: library.summary(document, "llm_brief")?,
            summary: library.summary(document, "summary")?,
            trace: lists(item, "trace"),
            dp: lists(item, "dp"),
            doc: lists(item, "doc"),
            hash: hash(&item.file_rel_path),
            frontmatter_range: item.head_lines(),
        })
    };
    let with_id = library.documents.iter().filter(|document| !document.id.is_empty());
    let mut nodes = with_id.map(node).collect::<Result<Vec<SpecNode>, ReadError>>()?;
    nodes.sort_by_key(|node| (node.id, node.file));
    Ok(SpecIndex { version: "0.1", root: ".", nodes })
}

/// The lists below a key of the front matter: `trace.req` is the list `req` below `trace`.
fn lists<'v>(item: &'v Item, key: &str) -> Lists<'v> {
    let below = |name: &'v str| name.strip_prefix(key)?.strip_prefix('.');
    let fields = item.fields.iter().filter_map(|field| Some((below(&field.name)?, &field.values)));
    fields.map(|(name, values)| (name, values.iter().map(FieldValue::as_str).collect())).collect()
}
