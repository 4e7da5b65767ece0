//! The request for a pack. Everything but the question has a default, so a request only contains what differs. The
//! pack contains the complete request.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

pub use super::codec::plain_reason;
pub use super::filter::Filter;
pub use super::focus::{Focus, plain_path, split_lines};
use super::{ChunkUid, EdgeType, ErrorCode, EvidenceKind, is_true};
use crate::text::{PathPatterns, PatternError, Tokenizer};

/// A question and how to answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct PackRequest {
    pub budgets: Budgets,
    pub expansion: Expansion,
    /// The files that may be used; by default all.
    #[serde(skip_serializing_if = "Filter::is_empty")]
    pub filter: Filter,
    /// What the request is about. A query ranks what is in the focus; without one, what is around it is shown.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "super::focus::one_or_many")]
    pub focus: Vec<Focus>,
    pub include_explain: bool,
    /// Where the index lies. Never written into a pack.
    #[serde(skip_serializing)]
    pub index_root: Option<String>,
    /// The index that the request was made for; one with another signature is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_signature: Option<String>,
    pub intent: Intent,
    /// How the text is arranged. The items are nearly the same.
    #[serde(skip_serializing_if = "Layout::is_default")]
    pub layout: Layout,
    /// Chunks that are not shown: a reader has them already.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub not_in: BTreeSet<ChunkUid>,
    pub ordering: SortOrder,
    pub query: String,
    /// The folder's name, unless it is given.
    pub repo_id: String,
    pub seed_mode: SeedMode,
    pub seed_provider: SeedProvider,
    pub strictness: Strictness,
    pub tokenizer: Tokenizer,
    /// What words of queries stand for in this tree, besides the built-in translations.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, Vec<String>>,
}

/// Caps on the rendered pack. Each holds for every value from 0 up. Those that a request leaves out grow with its
/// tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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
    /// Whether the focus itself is shown, or only what is around it.
    #[serde(skip_serializing_if = "is_true")]
    pub include_focus: bool,
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

/// How the text of a pack is arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Layout {
    /// By file, the best file first, in line order.
    #[default]
    Files,
    /// One excerpt per item, the best first.
    Ranked,
}

impl Layout {
    fn is_default(&self) -> bool {
        *self == Layout::default()
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
    #[error("a focus names {0} things and may name one")]
    SeveralFocuses(usize),
    #[error("the index has nothing called `{focus}`{}", near_words(.near))]
    UnknownFocus { focus: String, near: Vec<String> },
    #[error("the request has {0} focuses and may have at most {MAX_FOCUSES}")]
    ManyFocuses(usize),
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error("no file of the index has the language `{language}`; it has {}", .known.join(", "))]
    UnknownLanguage { language: String, known: Vec<String> },
    #[error("no file of the index passes the filters")]
    NoFiles,
    #[error("it has neither a query nor a focus")]
    Empty,
    #[error("it was made for the index {wanted} and this one is {found}")]
    OtherIndex { wanted: String, found: String },
    #[error("`{text}` is no focus{reason}")]
    NoFocus { text: String, reason: String },
    #[error("its query has {0} bytes and may have at most {MAX_QUERY_BYTES}")]
    LongQuery(usize),
}

/// More are a list of files, for which `filter` has patterns.
const MAX_FOCUSES: usize = 1_000;

fn near_words(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; similar: {}", near.join(", ")) }
}

/// A megabyte of log is a question; more is a mistake.
pub const MAX_QUERY_BYTES: usize = 1 << 20;

impl Default for PackRequest {
    fn default() -> Self {
        PackRequest {
            budgets: Budgets::default(),
            expansion: Expansion::default(),
            filter: Filter::default(),
            focus: Vec::new(),
            include_explain: true,
            index_root: None,
            index_signature: None,
            intent: Intent::default(),
            layout: Layout::default(),
            not_in: BTreeSet::new(),
            ordering: SortOrder::default(),
            query: String::new(),
            repo_id: String::new(),
            seed_mode: SeedMode::default(),
            seed_provider: SeedProvider::default(),
            strictness: Strictness::default(),
            tokenizer: Tokenizer::default(),
            words: BTreeMap::new(),
        }
    }
}

/// Budgets as a request has them: what is left out depends on the tokens.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct AskedBudgets {
    max_bytes_per_item: Option<u32>,
    max_items: Option<u32>,
    max_items_per_section: Option<u32>,
    max_total_chars: Option<u32>,
    max_total_tokens: Option<u32>,
}

impl<'d> Deserialize<'d> for Budgets {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let asked = AskedBudgets::deserialize(deserializer)?;
        let default = Budgets::of_tokens(asked.max_total_tokens.unwrap_or(DEFAULT_TOKENS));
        Ok(Budgets {
            max_bytes_per_item: asked.max_bytes_per_item.unwrap_or(default.max_bytes_per_item),
            max_items: asked.max_items.unwrap_or(default.max_items),
            max_items_per_section: asked.max_items_per_section.unwrap_or(default.max_items_per_section),
            max_total_chars: asked.max_total_chars.unwrap_or(default.max_total_chars),
            max_total_tokens: default.max_total_tokens,
        })
    }
}

/// The tokens of a pack, unless a request says otherwise.
const DEFAULT_TOKENS: u32 = 8_000;
const MAX_ITEMS_PER_SECTION: u32 = 80;
const MAX_TOTAL_CHARS: u32 = 2_000_000;

impl Default for Budgets {
    fn default() -> Self {
        Budgets::of_tokens(DEFAULT_TOKENS)
    }
}

impl Budgets {
    /// The most items that a request may ask for.
    pub const MAX_ITEMS: u32 = 250;

    /// The default caps for a number of tokens. They grow in proportion, from those of the default number of tokens
    /// up to the largest that a request may have.
    pub fn of_tokens(max_total_tokens: u32) -> Self {
        let grow = |base: u32, most: u32| {
            let grown = u64::from(base) * u64::from(max_total_tokens) / u64::from(DEFAULT_TOKENS);
            grown.clamp(u64::from(base), u64::from(most)) as u32
        };
        Budgets {
            max_bytes_per_item: 4096,
            max_items: grow(80, Self::MAX_ITEMS),
            max_items_per_section: grow(25, MAX_ITEMS_PER_SECTION),
            max_total_chars: grow(200_000, MAX_TOTAL_CHARS),
            max_total_tokens,
        }
    }

    /// The same caps with another number of tokens. Caps that have their default value get the new default.
    pub fn with_tokens(&self, max_total_tokens: u32) -> Self {
        let (old, new) = (Budgets::of_tokens(self.max_total_tokens), Budgets::of_tokens(max_total_tokens));
        let moved = |own: u32, old: u32, new: u32| if own == old { new } else { own };
        Budgets {
            max_bytes_per_item: self.max_bytes_per_item,
            max_items: moved(self.max_items, old.max_items, new.max_items),
            max_items_per_section: moved(
                self.max_items_per_section,
                old.max_items_per_section,
                new.max_items_per_section,
            ),
            max_total_chars: moved(self.max_total_chars, old.max_total_chars, new.max_total_chars),
            max_total_tokens,
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
            include_focus: true,
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
        use ErrorCode::{BadRequest, BudgetExceeded, ContractVersion, NotFound, NotSupported};
        match self {
            RequestFault::AboveCap { .. } => (BudgetExceeded, "ask for less"),
            RequestFault::LongQuery(_) => (BudgetExceeded, "cut the query down to what matters"),
            RequestFault::NoProvider(_) => (NotSupported, "use `sparse` or `hybrid`"),
            RequestFault::OtherIndex { .. } => {
                (ContractVersion, "leave `indexSignature` out, or use the index it names")
            }
            RequestFault::SeveralFocuses(_) => (BadRequest, "make a list of them, each an object of its own"),
            RequestFault::ManyFocuses(_) => (BudgetExceeded, "give a folder, or `filter.paths`"),
            RequestFault::NoFocus { .. } => (BadRequest, "give a path, PATH:LINE or the name of a symbol"),
            RequestFault::UnknownFocus { .. } => (NotFound, "give a path, PATH:LINE or the name of a symbol"),
            RequestFault::Pattern(_) => (BadRequest, "such as `src`, `*.py` or `src/**/*_test.go`"),
            RequestFault::UnknownLanguage { .. } => (NotFound, "`contextpack cat INDEX files` lists all files"),
            RequestFault::NoFiles => (NotFound, "a pattern such as `src` or `*.py` matches at any depth"),
            RequestFault::Empty => (BadRequest, "give a `query` or a `focus`"),
        }
    }
}

impl PackRequest {
    /// Reads a request from JSON. The reason why it cannot be read names no types of this program.
    pub fn read(text: &str) -> Result<Self, String> {
        if !text.trim_start().starts_with('{') {
            return Err("a request is a JSON object, such as {\"query\": \"…\"}".to_string());
        }
        serde_json::from_str(text).map_err(|error| plain_reason(&error))
    }

    /// Whether it can be answered at all; the first fault in the order of the contract.
    pub fn check(&self) -> Result<(), RequestFault> {
        let caps = [
            ("expansion.maxHops", self.expansion.max_hops, 4),
            ("budgets.maxItems", self.budgets.max_items, Budgets::MAX_ITEMS),
            ("budgets.maxItemsPerSection", self.budgets.max_items_per_section, MAX_ITEMS_PER_SECTION),
            ("budgets.maxBytesPerItem", self.budgets.max_bytes_per_item, 64_000),
            ("budgets.maxTotalChars", self.budgets.max_total_chars, MAX_TOTAL_CHARS),
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
        if self.focus.len() > MAX_FOCUSES {
            return Err(RequestFault::ManyFocuses(self.focus.len()));
        }
        if let Some(count) = self.focus.iter().map(Focus::count).find(|count| *count != 1) {
            return Err(RequestFault::SeveralFocuses(count));
        }
        PathPatterns::new(&self.filter.paths)?;
        PathPatterns::new(&self.filter.exclude)?;
        if self.query.len() > MAX_QUERY_BYTES {
            return Err(RequestFault::LongQuery(self.query.len()));
        }
        if self.query.trim().is_empty() && self.focus.is_empty() {
            return Err(RequestFault::Empty);
        }
        Ok(())
    }

    /// Adds the words of `contextpack.toml`; the request's own stay.
    pub fn add_words(&mut self, words: &BTreeMap<String, Vec<String>>) {
        for (word, to) in words {
            self.words.entry(word.clone()).or_insert_with(|| to.clone());
        }
    }

    /// Adds chunks that a reader has already.
    pub fn leave_out(&mut self, shown: impl IntoIterator<Item = ChunkUid>) {
        self.not_in.extend(shown);
    }

    /// Whether what is around the focus is asked for, and not an answer inside it.
    pub fn is_about_neighbours(&self) -> bool {
        !self.focus.is_empty() && self.query.trim().is_empty()
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
