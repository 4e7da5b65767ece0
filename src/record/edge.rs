//! A connection between two nodes, and how it is known.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, Audience, EdgeType, EvidenceId, NodeId, Score, is_zero};

/// All references of one type and one label from one node to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(rename = "Edge")]
pub struct Edge<Id = NodeId> {
    /// Of both ends together.
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
    /// Among how many nodes the reference could not choose. Absent when there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<u32>,
    pub confidence: Score,
    /// The best evidence, first the most confident; at least one.
    pub evidence: Vec<EvidenceId>,
    /// How much more evidence there was.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub evidence_omitted: u32,
    pub from: Id,
    /// The name of the field that makes it, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    pub status: EdgeStatus,
    pub tier: Tier,
    pub to: Id,
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
}

/// How an edge is known. A better one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Tier {
    /// A compiler's or an indexer's word.
    Tooling,
    /// An import, include or path says where the name comes from.
    Import,
    /// The rules of scope, package or type of the language.
    Scope,
    /// Nothing but the name itself.
    Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EdgeStatus {
    /// There is one node that it leads to.
    Resolved,
    /// There were several; each has an edge with its share of the confidence.
    Ambiguous,
    /// It leads out of the tree.
    External,
}

impl Artifact for Edge {
    const NAME: &'static str = "edges";
    /// 1: first version. 2: audience, labels, types of edges between items.
    const VERSION: u32 = 2;
    type Key<'k> = (&'k NodeId, EdgeType, &'k NodeId, Option<&'k str>);

    fn key(&self) -> Self::Key<'_> {
        (&self.from, self.edge_type, &self.to, self.label.as_deref())
    }
}
