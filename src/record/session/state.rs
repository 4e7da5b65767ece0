//! The state of a session: printed, never stored.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SessionId;
use super::claim::ClaimFault;
use super::event::{Blame, OutcomeKind};
use crate::record::frame::{
    CodeOp, FrameIntent, IntentSource, QueryFrame, RiskLevel, RoutingDecision, SessionPhase, Slot, SlotSource,
};
use crate::record::{Digest, Score};
use crate::text::RepoPath;

/// What followed from an event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub allowed: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub blame: Vec<Blame>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub denied: Option<WriteDenial>,
    /// Files that were not explored before.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub explored: Vec<RepoPath>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub faults: Vec<ClaimFault>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub mapped: Vec<String>,
    /// Items of the checklist that are not met.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub missing: Vec<String>,
    /// If it is another one now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub phase: Option<SessionPhase>,
    /// The code of a refusal.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refused: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub risk: Option<RiskLevel>,
    /// Slots that are known in another way now.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub slots: BTreeMap<Slot, SlotSource>,
}

/// Why a file may not be written: the first reason that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteDenial {
    Phase,
    Intent,
    Outside,
    Reserved,
    NotIndexed,
    LinkOutside,
    Twin,
    NotExplored,
    NotDeclared,
    Stale,
    /// It could not be looked at.
    Unreadable,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExploredFile {
    pub digest: Digest,
    pub path: RepoPath,
    pub seq: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenFile {
    pub path: RepoPath,
    pub seq: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HypothesisStatus {
    Open,
    Confirmed,
    Rejected,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hypothesis {
    pub call: u32,
    pub confidence: Score,
    pub id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<Slot>,
    pub status: HypothesisStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    pub text: String,
}

/// One thing that must hold before a file may be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckItem {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    pub have: u32,
    pub item: String,
    pub need: u32,
    pub ok: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionState {
    pub calls: BTreeMap<CodeOp, u32>,
    pub checklist: Vec<CheckItem>,
    pub confidence: Score,
    /// By path.
    pub explored: Vec<ExploredFile>,
    pub frame: QueryFrame,
    pub hypotheses: Vec<Hypothesis>,
    pub index: String,
    pub intent: FrameIntent,
    pub intent_source: IntentSource,
    pub new_files: Vec<RepoPath>,
    pub outcome: Option<OutcomeKind>,
    pub phase: SessionPhase,
    pub refusals: BTreeMap<String, u32>,
    pub risk_level: RiskLevel,
    pub routing: RoutingDecision,
    pub seq: u32,
    pub session: SessionId,
    pub state_digest: Digest,
    /// What the last submit claimed.
    pub understanding: Option<serde_json::Map<String, serde_json::Value>>,
    pub written: Vec<WrittenFile>,
}
