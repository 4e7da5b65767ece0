//! The kinds of events.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::claim::{
    EntryClaim, EvidenceClaim, FileClaim, FoundSymbol, HypothesisClaim, NewFileClaim, PatternClaim, PlaceClaim,
    SlotValues, SymbolLookup, TreeCounts, VerifyClaim,
};
use crate::record::frame::{CodeOp, FrameIntent, FrameLang, IntentSource, Rejection, Slot, SlotQuote};
use crate::record::{Digest, Lines, SymbolId};
use crate::text::RepoPath;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    Started(Started),
    /// A model extracted the slots of the request.
    Framed {
        extraction: Extraction,
    },
    /// The user said more.
    Said {
        extraction: Extraction,
        text: String,
    },
    /// An operation showed code.
    Called(Called),
    /// A symbol was named as one that the request is about.
    Mapped(Mapped),
    Submitted(Box<Submitted>),
    SemanticOpened {
        reason: SemanticReason,
        slot: Slot,
    },
    Hypothesised(Hypothesised),
    Verified(Box<Verified>),
    Reverted {
        keep: bool,
    },
    IntentChanged {
        intent: FrameIntent,
    },
    WriteChecked(WriteChecked),
    Outcome(OutcomeEvent),
    /// An operation that was not allowed. It changes nothing but the counts of refusals.
    Refused(RefusedOp),
    /// A crash cut off the line that stood here; so many bytes of it were dropped.
    Torn {
        bytes: u32,
    },
}

/// What a caller may ask of a session, and `call` for operations that show code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionOp {
    Start,
    Frame,
    Map,
    Call,
    SemanticSearch,
    Submit,
    Semantic,
    Hypothesis,
    Verify,
    Revert,
    Intent,
    CheckWrite,
    Outcome,
}

/// The slots of a request, and what was rejected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extraction {
    pub quotes: BTreeMap<Slot, SlotQuote>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rejected: Vec<Rejection>,
    pub values: SlotValues,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Started {
    pub extraction: Extraction,
    pub intent: FrameIntent,
    pub intent_source: IntentSource,
    pub lang: FrameLang,
    /// Of the request as it was given.
    pub raw_digest: Digest,
    pub raw_query: String,
    /// Of all tables that decide.
    pub rules: Digest,
}

/// A file of which a call showed lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenFile {
    pub digest: Digest,
    /// First and last line of each part.
    #[schemars(with = "Vec<(u32, u32)>")]
    #[serde(with = "line_pairs")]
    pub lines: Vec<Lines>,
    pub path: RepoPath,
}

mod line_pairs {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::record::Lines;

    pub fn serialize<S: Serializer>(lines: &[Lines], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(lines.iter().map(|lines| [lines.start, lines.end]))
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<Lines>, D::Error> {
        let pairs = Vec::<[u32; 2]>::deserialize(deserializer)?;
        Ok(pairs.into_iter().map(|[start, end]| Lines { end, start }).collect())
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Called {
    /// The only definition that was found, if it is related to the target feature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub defines: Option<FoundSymbol>,
    pub files: Vec<SeenFile>,
    /// How many results the reply did not show.
    pub omitted: u32,
    pub op: CodeOp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Of the text of the reply.
    pub result: Digest,
    pub symbols: Vec<SymbolId>,
    pub target: String,
    /// Whether the target is a word of the request, or a synonym of one.
    pub target_is_of_request: bool,
    pub total: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mapped {
    /// The call that showed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<PlaceClaim>,
    pub symbol: SymbolLookup,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Submitted {
    /// The caller's own words, to look everything up again.
    pub data: serde_json::Map<String, serde_json::Value>,
    pub entry_points: Vec<EntryClaim>,
    pub evidence: Vec<EvidenceClaim>,
    pub files: Vec<FileClaim>,
    pub new_files: Vec<NewFileClaim>,
    pub patterns: Vec<PatternClaim>,
    pub resolved: SlotValues,
    pub symbols: Vec<SymbolLookup>,
    pub tree: TreeCounts,
    /// How many files that are no tests use the symbols.
    pub used_from: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SemanticReason {
    NoDefinitionFound,
    ArchitectureUnknown,
    NoSimilarImplementation,
    ContextFragmented,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hypothesised {
    pub hypotheses: Vec<HypothesisClaim>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verified {
    pub claims: Vec<VerifyClaim>,
    /// The claims of the last submit, looked up again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted: Option<Box<Submitted>>,
}

/// A path that somebody wants to write, and what is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteChecked {
    /// Files that evidence comes from, as they are now.
    pub cited: Vec<CitedFile>,
    pub given: String,
    pub place: WritePlace,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CitedFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    pub path: RepoPath,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WritePlace {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// With links resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<RepoPath>,
    /// The name beside which another stands that differs only by letter case or Unicode form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twin: Option<String>,
    pub what: WriteWhat,
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteWhat {
    File,
    New,
    Folder,
    Special,
    Outside,
    Reserved,
    NotIndexed,
    LinkOutside,
    Twin,
    Unreadable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    Success,
    Failure,
    Partial,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeEvent {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
    pub outcome: OutcomeKind,
    /// The related symbols, looked up.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub symbols: Vec<SymbolLookup>,
}

/// Why a change failed, in the caller's words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_point: Option<String>,
    #[serde(default)]
    pub related_files: Vec<String>,
    #[serde(default)]
    pub related_symbols: Vec<String>,
    #[serde(default)]
    pub root_cause: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_feedback_summary: Option<String>,
}

/// What in the session led to a failure, for one file or symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blame {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    pub kind: BlameKind,
    /// Tools, slots, a reason: what goes with the kind.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlameKind {
    /// No call showed it.
    NeverSeen,
    /// A call showed it and nobody claimed it.
    SeenNotClaimed,
    /// It was claimed, but the target was taken for something else.
    WrongTarget,
    /// A hypothesis that was confirmed.
    HypothesisWrong,
    /// It was found; the edit was wrong.
    Claimed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefusedOp {
    /// A code of the command line and of the server.
    pub code: String,
    pub detail: String,
    pub op: SessionOp,
}
