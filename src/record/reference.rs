//! The names that a chunk uses, not yet resolved to anything.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, Audience, ChunkUid, LanguageId, Role, Site, SymbolId};
use crate::text::RepoPath;

/// Everything that one chunk names. A chunk that names nothing has no record.
///
/// Local variables and parameters are left out; where one carries a value from a call or a parameter
/// into a call, a reference of role `flow` says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct References {
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
    /// The chunk that holds the sites.
    pub chunk_uid: ChunkUid,
    pub file_rel_path: RepoPath,
    /// The chunk's language.
    pub language_id: LanguageId,
    /// In the order of their first sites; at least one.
    pub references: Vec<Reference>,
    /// Where the chunk starts, in UTF-16 code units: a site's distance from it outlives edits elsewhere.
    pub start: u32,
    /// The symbol that the chunk defines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<SymbolId>,
}

/// All sites of a chunk at which one name is used in one way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Reference {
    /// How many arguments a call passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binding: Option<Binding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<Flow>,
    /// The last part of what is named: `c` in `a.b.c()`. For an import, the name that it binds here.
    pub name: String,
    /// What stands before the name, as written: `a.b` in `a.b.c()`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// What the receiver is, where the function around it shows that: an annotation as written, `Name()`
    /// for the result of calling `Name`, or a chain of members that starts with one of them, as in
    /// `Shelf.books`. A type that is more than names stands in angle brackets there, as in
    /// `<Shelf | null>.books`; `<…>[]` is one of the several that such a value holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver_type: Option<String>,
    pub role: Role,
    /// Sorted; at least one.
    pub sites: Vec<Site>,
}

/// What an import binds, or what an export gives away.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Binding {
    /// The name it gets here, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// The module, package, file or namespace as written, without quotes; absent for an export of a
    /// name of this file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The name inside the module; `*` for all of them (as one object, if there is an alias), absent for
    /// the module itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The language's own word where it has several ways: `include`, `mod`, `require`, `type`, …; `from` for
    /// the module that names are taken from, which binds no name itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
}

impl Binding {
    /// The style of a module that names are taken from.
    pub const SOURCE: &'static str = "from";

    pub fn is_source(&self) -> bool {
        self.style.as_deref() == Some(Self::SOURCE)
    }
}

/// Where a value comes from that reaches a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Flow {
    /// 0-based position among the arguments; absent when the value is the receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<u32>,
    /// The called name, or the parameter's.
    pub name: String,
    /// The receiver of the call that gives the value; of one that starts with a local name, what it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    pub source: FlowSource,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum FlowSource {
    Call,
    Parameter,
}

impl Artifact for References {
    const NAME: &'static str = "references";
    /// 1: a record for each name.
    /// 2: a record for each chunk, with all its names: two thirds of the lines said where they stood.
    /// 3: the chunk's language, start and symbol, so that the graph needs no chunks.
    /// 4: audience, roles of documents.
    const VERSION: u32 = 4;
    type Key<'k> = (&'k RepoPath, u32, ChunkUid);

    fn key(&self) -> Self::Key<'_> {
        (&self.file_rel_path, self.references.first().map_or(0, Reference::start), self.chunk_uid)
    }
}

impl Reference {
    /// Where its first site starts.
    pub fn start(&self) -> u32 {
        self.sites.first().map_or(0, |site| site.start)
    }

    /// The order inside a record; no two references of a chunk share it.
    pub fn order(&self) -> impl Ord {
        let Reference { role, name, receiver, receiver_type, arguments, binding, flow, .. } = self;
        (self.start(), role, name, (receiver, receiver_type, arguments, binding, flow))
    }
}
