//! The nodes of the graph.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::text_ids;
use super::{Artifact, Audience, ChunkUid, LanguageId, SymbolId, is_zero};
use crate::text::RepoPath;

/// A symbol's id (`scip:`), the uid of a chunk that defines none (`xxh64:`), or something outside the
/// tree (`ext:` with language, module and name). A file is the SCIP namespace of its path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(extend("pattern" = "^(scip|xxh64|ext):."))]
pub struct NodeId(Arc<str>);

text_ids! { NodeId if is_node_id, "`scip:`, `xxh64:` or `ext:` and an id"; }

/// One thing that edges lead from or to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(
    rename = "Node",
    bound = "Id: JsonSchema, Path: JsonSchema, Language: JsonSchema, Name: JsonSchema + Serialize + Default"
)]
pub struct Node<Id = NodeId, Path = RepoPath, Language = LanguageId, Name: AsRef<str> = String> {
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
    /// The chunk to show for it: the one that holds the definition, a file's first. Absent outside the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_uid: Option<ChunkUid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_rel_path: Option<Path>,
    pub kind: NodeKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language_id: Option<Language>,
    /// A symbol's qualified name, a file's name, what is outside by its own name.
    #[serde(skip_serializing_if = "is_empty", default)]
    pub name: Name,
    pub node_id: Id,
    /// How many references from it lead to nothing that is known.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unresolved: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NodeKind {
    Symbol,
    /// Code or prose that defines nothing.
    Chunk,
    File,
    /// Not in the tree: a library's module, or a name of it.
    External,
}

fn is_empty(name: &impl AsRef<str>) -> bool {
    name.as_ref().is_empty()
}

impl NodeId {
    /// From a symbol's id, whoever gave it.
    pub fn of_symbol(id: &str) -> Self {
        NodeId(id.into())
    }

    pub fn external(language: &str, module: &str, name: Option<&str>) -> Self {
        let text = match name {
            None => ["ext:", language, ":", module].concat(),
            Some(name) => ["ext:", language, ":", module, "#", name].concat(),
        };
        NodeId(text.into())
    }
}

impl From<&SymbolId> for NodeId {
    fn from(id: &SymbolId) -> Self {
        NodeId(id.as_str().into())
    }
}

impl From<ChunkUid> for NodeId {
    fn from(uid: ChunkUid) -> Self {
        NodeId(uid.to_string().into())
    }
}

fn is_node_id(text: &str) -> bool {
    ["scip:", "xxh64:", "ext:"].iter().any(|scheme| text.starts_with(scheme))
}

impl Artifact for Node {
    const NAME: &'static str = "nodes";
    /// 1: first version. 2: audience.
    const VERSION: u32 = 2;
    type Key<'k> = &'k NodeId;

    fn key(&self) -> Self::Key<'_> {
        &self.node_id
    }
}
