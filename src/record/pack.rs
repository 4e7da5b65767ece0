//! The answer: items in sections within the budgets, each with the reason why it is shown.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::{is_hex, text_ids};
use super::request::{Budgets, PackRequest};
pub use super::vocabulary::{Rule, SectionType};
use super::{
    Artifact, ByteRange, ChunkUid, EdgeType, EvidenceId, EvidenceKind, LanguageId, Lines, NodeId, Part, Range, Score,
};
use super::{SymbolId, is_zero};
use crate::text::RepoPath;

/// What a model is shown, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ContextPack {
    pub budgets: Budgets,
    /// The source's date, never the run's.
    pub created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explain>,
    pub format_version: u32,
    /// Of the chunks and the graph together.
    pub index_signature: String,
    /// What the text says before its first item: what the tree does not contain, and whether the match is weak.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notices: Vec<String>,
    /// Derived from the index's signature and the request.
    pub pack_id: PackId,
    pub receipt: Receipt,
    pub request: PackRequest,
    pub schema: String,
    pub schema_version: String,
    /// All ten, in the intent's order.
    pub sections: Vec<Section>,
    /// Where the walk began, the best first.
    pub seeds: Vec<Seed>,
    pub stats: PackStats,
}

/// `pack:` and 32 hex digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub struct PackId(#[schemars(regex(pattern = r"^pack:[0-9a-f]{32}$"))] String);

text_ids! { PackId if is_pack_id, "`pack:` and 32 hex digits"; }

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Seed {
    pub chunk_uid: ChunkUid,
    /// What each feature did to its odds, the largest first.
    pub features: Vec<FeaturePoints>,
    pub file_rel_path: RepoPath,
    pub score: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<SymbolId>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FeaturePoints {
    pub feature: String,
    /// In thousandths: how much it moves the logarithm of the seed's odds, against the mean of what was found.
    pub points: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Section {
    /// How many candidates belonged here.
    pub considered: u32,
    /// How many of them are not here, by reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub dropped: BTreeMap<DropReason, u32>,
    /// Why there is nothing here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty: Option<EmptyReason>,
    pub items: Vec<Item>,
    /// Of the items' texts.
    pub tokens: u32,
    #[serde(rename = "type")]
    pub section_type: SectionType,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DropReason {
    /// The evidence ended before it: it and what would follow have too little of the query.
    BelowFloor,
    /// Tokens, characters or items ran out before it.
    Budget,
    /// Its path lacks the evidence that was required.
    NoEvidence,
    /// The section was full.
    SectionFull,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum EmptyReason {
    #[serde(rename = "no match")]
    NoMatch,
    #[serde(rename = "no edges")]
    NoEdges,
    #[serde(rename = "not requested")]
    NotRequested,
    #[serde(rename = "not available")]
    NotAvailable,
    /// There was something; it did not fit, or another section has it.
    #[serde(rename = "nothing left")]
    NothingLeft,
}

/// One chunk, and why it is here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Item {
    pub byte_range: ByteRange,
    pub chunk_uid: ChunkUid,
    pub excerpt: Excerpt,
    pub file_rel_path: RepoPath,
    /// The first digits of the chunk's uid, as many as name it in its index: a later request can focus on it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub handle: Option<String>,
    pub kind: ItemKind,
    pub language_id: LanguageId,
    pub lines: Lines,
    /// Other chunks that the item shows: outlines that are around its own or inside it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub nested: Vec<ChunkUid>,
    /// Which part this is of a definition that is longer than the cap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    pub range: Range,
    /// Its place in the order of selection over the whole pack, from 1.
    pub rank: u32,
    /// The round of selection, from 1. Items of one file and one round are printed together.
    pub round: u32,
    pub scores: ItemScores,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<SymbolId>,
    pub title: String,
    /// Of the item's text.
    pub tokens: u32,
    pub why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ItemKind {
    Chunk,
    Symbol,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Excerpt {
    pub form: ExcerptForm,
    /// The file's lines that the text may show changed, because they hold a secret or something like its placeholder.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub redacted: Vec<Lines>,
    /// The file's lines that the text shows unchanged.
    pub shown: Vec<Lines>,
    pub text: String,
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncation: Option<Truncation>,
}

/// How much of a chunk is shown; each form is shorter than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ExcerptForm {
    Full,
    /// The lines that define something, without bodies.
    Outline,
    /// The first lines.
    Head,
    /// Nothing but the item's heading.
    Title,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Truncation {
    pub max_bytes: u32,
    /// The budget that was short.
    pub reason: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ItemScores {
    pub evidence_score: Score,
    /// Edges between it and the nearest seed.
    pub graph_distance: u32,
    pub hybrid_score: Score,
    pub seed_score: Score,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Why {
    /// Other rules by which it could be here.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub also: Vec<Rule>,
    /// Behind each step of the path.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub evidence: Vec<StepEvidence>,
    /// From a seed to the item.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub path: Vec<Step>,
    /// In words, for items that did not match the query themselves: calls `load` (line 12).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    pub rule: Rule,
}

/// An edge as it stands in the graph, whichever way it was walked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Step {
    pub edge_type: EdgeType,
    pub evidence_id: EvidenceId,
    pub from: NodeId,
    /// Where its first evidence is, in the file of `from`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<u32>,
    pub to: NodeId,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StepEvidence {
    pub confidence: Score,
    pub evidence_id: EvidenceId,
    pub kind: EvidenceKind,
}

/// How the pack came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Explain {
    /// Caps that left something out.
    pub caps: Vec<CapReport>,
    /// By type.
    pub edges_walked: BTreeMap<String, u32>,
    /// Items whose path lacks required evidence.
    pub evidence_gaps: Vec<ChunkUid>,
    pub query: QueryExplain,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CapReport {
    pub cap: String,
    pub limit: u32,
    pub observed: u32,
    pub omitted: u32,
    pub scope: String,
}

/// What was made of the query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct QueryExplain {
    /// Names, codes and quoted texts of the query that occur nowhere in the tree.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub absent: Vec<String>,
    /// Chunks that hold at least one of its terms.
    pub matched_chunks: u32,
    /// Names, paths and quotations that were looked up exactly, with the number of chunks found.
    pub matched_names: Vec<Found>,
    /// Names of the tree that are like what nothing was found for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub near: Vec<String>,
    pub provider: String,
    /// The heaviest terms with the number of chunks that hold each.
    pub terms: Vec<Found>,
    /// Words of another language, with the words of the tree that they stand for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub translated: Vec<Translated>,
    /// Other words that occur nowhere in the tree.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unknown_words: Vec<String>,
    /// The words that were found, if they are too few or too common to rely on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub weak: Option<Vec<String>>,
}

/// A word of the query and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Translated {
    pub to: Vec<String>,
    pub word: String,
}

/// In how many chunks something was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Found {
    pub chunks: u32,
    pub what: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PackStats {
    pub candidates: u32,
    /// Over all sections.
    pub dropped: BTreeMap<DropReason, u32>,
    /// By section.
    pub items: BTreeMap<String, u32>,
    pub max_hop: u32,
    pub rendered_chars: Rendered,
    pub rendered_tokens: Rendered,
}

/// Of each form that a model may be given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Rendered {
    pub markdown: u32,
    pub xml: u32,
}

impl Rendered {
    pub fn largest(self) -> u32 {
        self.markdown.max(self.xml)
    }
}

/// What the index knows and does not know of the tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Receipt {
    pub files: FileReceipt,
    /// Nothing of a pack rests on it, so that a shallow clone gives the same one.
    pub history: History,
    /// By language.
    pub references: BTreeMap<String, ReferenceReceipt>,
    pub tree: TreeState,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FileReceipt {
    /// Cut by lines, without a parse.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub by_lines: u32,
    pub parsed: u32,
    /// Parsed around syntax errors.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub recovered: u32,
    pub seen: u32,
    pub skipped: BTreeMap<String, u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReferenceReceipt {
    pub ambiguous: u64,
    pub external: u64,
    pub resolved: u64,
    pub unresolved: u64,
}

/// How much of the repository's history was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum History {
    #[default]
    NotUsed,
}

/// Whether the tree is still what the index was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum TreeState {
    Current,
    Changed,
    /// Not compared.
    #[default]
    Unchecked,
}

impl PackId {
    /// From the hex digits of a digest.
    pub fn of_digest(hex: &str) -> Self {
        PackId(format!("pack:{}", &hex[..32]))
    }
}

fn is_pack_id(text: &str) -> bool {
    text.strip_prefix("pack:").is_some_and(|hex| is_hex(hex, 32))
}

impl Item {
    /// Whether its first line is the first of a definition, and not a later part of one.
    pub fn starts_definition(&self) -> bool {
        self.part.is_none_or(|part| part.index == 1)
    }
}

impl Excerpt {
    /// Each line with its number in the file; absent if the text is not whole lines.
    pub fn numbered_lines(&self) -> Option<Vec<(u32, &str)>> {
        let mut ranges: Vec<Lines> = self.shown.iter().chain(&self.redacted).copied().collect();
        ranges.sort();
        let numbers: Vec<u32> = ranges.iter().flat_map(|lines| lines.start..=lines.end).collect();
        let lines: Vec<&str> = self.text.split_inclusive('\n').collect();
        (!lines.is_empty() && numbers.len() == lines.len()).then(|| numbers.into_iter().zip(lines).collect())
    }
}

impl ContextPack {
    /// The chunks that a reader of the pack knows, including those that the request left out for that reason. An item
    /// that the end of the budget cut is not one of them.
    pub fn shown_chunks(&self) -> BTreeSet<ChunkUid> {
        let is_cut = |item: &Item| {
            let reason = item.excerpt.truncation.as_ref().map(|truncation| truncation.reason.as_str());
            item.excerpt.truncated && reason != Some("maxBytesPerItem")
        };
        let shown = self.sections.iter().flat_map(|section| &section.items).filter(|item| !is_cut(item));
        shown
            .flat_map(|item| item.nested.iter().copied().chain([item.chunk_uid]))
            .chain(self.request.not_in.iter().copied())
            .collect()
    }

    /// All items in the order of their rank.
    pub fn items(&self) -> Vec<&Item> {
        let mut items: Vec<&Item> = self.sections.iter().flat_map(|section| &section.items).collect();
        items.sort_by_key(|item| item.rank);
        items
    }
}

impl Artifact for ContextPack {
    const NAME: &'static str = "context_packs";
    /// 1: first version. 2: features of seeds have points instead of shares. 3: rules of edges between items; no
    /// reasons that never occur. 4: rounds, parts and redacted lines of items; outlines have a form of their own.
    /// 5: nested outlines are one item; packs that end where the evidence ends.
    const VERSION: u32 = 5;
    type Key<'k> = (&'k PackId,);

    fn key(&self) -> Self::Key<'_> {
        (&self.pack_id,)
    }
}
