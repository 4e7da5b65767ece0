//! The request for a pack. Everything but the question has a default, so a request only contains what differs. The
//! pack contains the complete request.

use std::collections::BTreeSet;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ChunkUid, EdgeType, ErrorCode, EvidenceKind, SymbolId};
use crate::text::{RepoPath, Tokenizer};

/// A question and how to answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct PackRequest {
    pub budgets: Budgets,
    pub expansion: Expansion,
    /// Where to start besides, or instead of, what the query finds.
    #[serde(skip_serializing_if = "Focus::is_empty")]
    pub focus: Focus,
    pub include_explain: bool,
    /// Where the index lies. Never written into a pack.
    #[serde(skip_serializing)]
    pub index_root: Option<String>,
    /// The index that the request was made for; one with another signature is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_signature: Option<String>,
    pub intent: Intent,
    pub ordering: SortOrder,
    pub query: String,
    /// The folder's name, unless it is given.
    pub repo_id: String,
    pub seed_mode: SeedMode,
    pub seed_provider: SeedProvider,
    pub strictness: Strictness,
    pub tokenizer: Tokenizer,
}

/// Caps on the rendered pack. Each holds for every value from 0 up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Budgets {
    /// Of one item's text.
    pub max_bytes_per_item: u32,
    pub max_items: u32,
    pub max_items_per_section: u32,
    /// Unicode characters of the whole, framing included.
    pub max_total_chars: u32,
    /// Of the whole, framing included, by the request's tokenizer.
    pub max_total_tokens: u32,
}

/// How far to walk from the seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Expansion {
    /// Out: what a seed calls, uses, imports. In: who does that to it.
    pub direction: WalkDirection,
    pub edge_types: BTreeSet<EdgeType>,
    /// What counts as evidence.
    pub evidence_kinds: BTreeSet<EvidenceKind>,
    pub include_dataflow: bool,
    pub include_exports: bool,
    pub include_imports: bool,
    /// What stands in the files of the seeds.
    pub include_same_file_neighbors: bool,
    pub max_candidates: u32,
    pub max_edges: u32,
    /// Neighbours of one node; of a symbol that the query names, eight times as many.
    pub max_fanout: u32,
    pub max_hops: u32,
    /// Whether a path without such evidence is a gap; `strictness` says what follows from one.
    pub require_evidence: bool,
}

/// One of them, or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Focus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_uid: Option<ChunkUid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_rel_path: Option<RepoPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<SymbolId>,
}

/// What the pack is for: it decides which sections come first and how scores are weighed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Intent {
    #[default]
    Answer,
    Summarize,
    Refactor,
    Debug,
    Impact,
    Contract,
    Test,
}

impl Intent {
    pub const ALL: [Intent; 7] = [
        Intent::Answer,
        Intent::Summarize,
        Intent::Refactor,
        Intent::Debug,
        Intent::Impact,
        Intent::Contract,
        Intent::Test,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Intent::Answer => "answer",
            Intent::Summarize => "summarize",
            Intent::Refactor => "refactor",
            Intent::Debug => "debug",
            Intent::Impact => "impact",
            Intent::Contract => "contract",
            Intent::Test => "test",
        }
    }

    /// What a pack of this intent shows, for `--help`.
    pub fn help(self) -> &'static str {
        match self {
            Intent::Answer => "what matches the question, best first",
            Intent::Summarize => "what matches, then what its files export, and prose about it",
            Intent::Refactor => "the named symbol, everything that uses or calls it, its tests",
            Intent::Debug => "what matches, then callers, callees and data flow",
            Intent::Impact => "who is affected by a change of the named symbol: callers, users, tests",
            Intent::Contract => "what is exported, how it is used, prose and tests about it",
            Intent::Test => "the named symbol, its tests, and the head of their file as a model for new ones",
        }
    }
}

/// Which chunks may be seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SeedMode {
    Code,
    Prose,
    #[default]
    Mixed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SeedProvider {
    /// Words alone.
    Sparse,
    /// SQLite's full text search.
    Fts,
    /// Embeddings.
    Ann,
    /// All that there are, merged.
    #[default]
    Hybrid,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum WalkDirection {
    Out,
    In,
    #[default]
    Both,
}

/// What becomes of a candidate whose path lacks required evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Strictness {
    /// It is dropped.
    Strict,
    /// It is kept, and the gap is named.
    #[default]
    Warn,
    /// It is kept.
    Loose,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct SortOrder {
    pub primary: Primary,
    /// Compared in this order before the fixed ones: path, line, chunk, symbol.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stable_tie_breakers: Vec<TieBreaker>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Primary {
    SeedScore,
    GraphDistance,
    GraphEvidence,
    #[default]
    HybridScore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum TieBreaker {
    SymbolId,
    ChunkUid,
    FileRelPath,
    StartLine,
}

/// A request that no pack can be made for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestFault {
    #[error("{field} is {asked} and may be at most {cap}")]
    AboveCap { field: &'static str, asked: u32, cap: u32 },
    #[error("there is no seed provider `{0}` yet")]
    NoProvider(&'static str),
    #[error("{0} focuses are given; a pack has one or none")]
    SeveralFocuses(usize),
    #[error("it has neither a query nor a focus")]
    Empty,
    #[error("it was made for the index {wanted} and this one is {found}")]
    OtherIndex { wanted: String, found: String },
    #[error("`{text}` is no focus{reason}")]
    NoFocus { text: String, reason: String },
    #[error("its query has {0} bytes and may have at most {MAX_QUERY_BYTES}")]
    LongQuery(usize),
}

/// A megabyte of log is a question; more is a mistake.
pub const MAX_QUERY_BYTES: usize = 1 << 20;

impl Default for PackRequest {
    fn default() -> Self {
        PackRequest {
            budgets: Budgets::default(),
            expansion: Expansion::default(),
            focus: Focus::default(),
            include_explain: true,
            index_root: None,
            index_signature: None,
            intent: Intent::default(),
            ordering: SortOrder::default(),
            query: String::new(),
            repo_id: String::new(),
            seed_mode: SeedMode::default(),
            seed_provider: SeedProvider::default(),
            strictness: Strictness::default(),
            tokenizer: Tokenizer::default(),
        }
    }
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets {
            max_bytes_per_item: 4096,
            max_items: 80,
            max_items_per_section: 25,
            max_total_chars: 200_000,
            max_total_tokens: 8_000,
        }
    }
}

impl Default for Expansion {
    fn default() -> Self {
        use EvidenceKind::*;
        Expansion {
            direction: WalkDirection::Both,
            edge_types: [EdgeType::Call, EdgeType::Usage, EdgeType::Import].into(),
            evidence_kinds: [Callsite, Identifier, ImportStmt, Span, Tooling].into(),
            include_dataflow: false,
            include_exports: false,
            include_imports: true,
            include_same_file_neighbors: false,
            max_candidates: 2_000,
            max_edges: 5_000,
            max_fanout: 25,
            max_hops: 2,
            require_evidence: false,
        }
    }
}

impl Focus {
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    fn count(&self) -> usize {
        [self.chunk_uid.is_some(), self.file_rel_path.is_some(), self.symbol_id.is_some()]
            .iter()
            .filter(|is| **is)
            .count()
    }
}

/// As it is typed: `symbol:ID`, `chunk:UID` or `file:PATH`.
impl FromStr for Focus {
    type Err = RequestFault;

    fn from_str(text: &str) -> Result<Self, RequestFault> {
        let no_focus = |reason: String| RequestFault::NoFocus { text: text.to_string(), reason };
        let (kind, value) = text.split_once(':').ok_or_else(|| no_focus(String::new()))?;
        let (key, value) = match kind {
            "symbol" if !value.starts_with("scip:") => ("symbolId", format!("scip:{value}")),
            "symbol" => ("symbolId", value.to_string()),
            "chunk" => ("chunkUid", value.to_string()),
            "file" => ("fileRelPath", value.to_string()),
            _ => return Err(no_focus(String::new())),
        };
        serde_json::from_value(serde_json::json!({ key: value }))
            .map_err(|error| no_focus(format!("\n  because {error}")))
    }
}

impl RequestFault {
    /// Stable: scripts and MCP clients compare it.
    pub fn code(&self) -> ErrorCode {
        self.code_and_hint().0
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        self.code_and_hint().1
    }

    fn code_and_hint(&self) -> (ErrorCode, &'static str) {
        use ErrorCode::{BadRequest, BudgetExceeded, ContractVersion, NotSupported};
        match self {
            RequestFault::AboveCap { .. } => (BudgetExceeded, "ask for less"),
            RequestFault::LongQuery(_) => (BudgetExceeded, "cut the query down to what matters"),
            RequestFault::NoProvider(_) => (NotSupported, "use `sparse` or `hybrid`"),
            RequestFault::OtherIndex { .. } => {
                (ContractVersion, "leave `indexSignature` out, or use the index it names")
            }
            RequestFault::SeveralFocuses(_) => (BadRequest, "keep one of chunkUid, fileRelPath and symbolId"),
            RequestFault::NoFocus { .. } => (BadRequest, "symbol:ID, chunk:UID or file:PATH"),
            RequestFault::Empty => (BadRequest, "give a `query` or a `focus`"),
        }
    }
}

impl PackRequest {
    /// Whether it can be answered at all; the first fault in the order of the contract.
    pub fn check(&self) -> Result<(), RequestFault> {
        let caps = [
            ("expansion.maxHops", self.expansion.max_hops, 4),
            ("budgets.maxItems", self.budgets.max_items, 250),
            ("budgets.maxItemsPerSection", self.budgets.max_items_per_section, 80),
            ("budgets.maxBytesPerItem", self.budgets.max_bytes_per_item, 64_000),
            ("budgets.maxTotalChars", self.budgets.max_total_chars, 2_000_000),
            ("budgets.maxTotalTokens", self.budgets.max_total_tokens, 1_000_000),
            ("expansion.maxFanout", self.expansion.max_fanout, 1_000),
            ("expansion.maxEdges", self.expansion.max_edges, 200_000),
            ("expansion.maxCandidates", self.expansion.max_candidates, 50_000),
        ];
        if let Some((field, asked, cap)) = caps.into_iter().find(|(_, asked, cap)| asked > cap) {
            return Err(RequestFault::AboveCap { field, asked, cap });
        }
        match self.seed_provider {
            SeedProvider::Ann => return Err(RequestFault::NoProvider("ann")),
            SeedProvider::Fts => return Err(RequestFault::NoProvider("fts")),
            SeedProvider::Sparse | SeedProvider::Hybrid => {}
        }
        if self.focus.count() > 1 {
            return Err(RequestFault::SeveralFocuses(self.focus.count()));
        }
        if self.query.len() > MAX_QUERY_BYTES {
            return Err(RequestFault::LongQuery(self.query.len()));
        }
        if self.query.trim().is_empty() && self.focus.is_empty() {
            return Err(RequestFault::Empty);
        }
        Ok(())
    }

    /// The edge types to walk: those that are listed, and those that their own switches add or take away.
    pub fn edge_types(&self) -> BTreeSet<EdgeType> {
        let expansion = &self.expansion;
        let mut types = expansion.edge_types.clone();
        if expansion.include_dataflow {
            types.insert(EdgeType::Dataflow);
        }
        if expansion.include_exports {
            types.insert(EdgeType::Export);
        }
        if !expansion.include_imports {
            types.remove(&EdgeType::Import);
        }
        types
    }
}
