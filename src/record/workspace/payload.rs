//! Context of a workspace, as one reader may see it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PayloadPart, TruncationStrategy};
use crate::record::identity::{is_hex, text_ids};
use crate::record::{BlockType, Date, Score};
use crate::text::Tokenizer;

/// Context for one request. Everything in it is of what its reader may see; nothing says how it was stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ContextPayload {
    pub metadata: PayloadMetadata,
    pub payload_id: PayloadId,
    /// All six, in the order in which they are printed.
    pub sections: Vec<PayloadSection>,
    /// The text for a model. Empty if the budget is below that of the frame.
    pub serialized: String,
}

/// `ctx:` and 32 hex digits: of the payload without its id, so of what is seen and of nothing else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub struct PayloadId(#[schemars(regex(pattern = r"^ctx:[0-9a-f]{32}$"))] String);

text_ids! { PayloadId if is_payload_id, "`ctx:` and 32 hex digits"; }

impl PayloadId {
    /// From the hex digits of a digest.
    pub fn of_digest(hex: &str) -> Self {
        PayloadId(format!("ctx:{}", &hex[..32]))
    }
}

fn is_payload_id(text: &str) -> bool {
    text.strip_prefix("ctx:").is_some_and(|hex| is_hex(hex, 32))
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PayloadSection {
    pub items: Vec<PayloadItem>,
    pub title: String,
    /// As printed, with its heading.
    pub token_count: u32,
    #[serde(rename = "type")]
    pub part: PayloadPart,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PayloadItem {
    /// `history:N` of messages, `system:1` of the instructions.
    pub block_id: String,
    pub block_type: BlockType,
    pub content: String,
    pub metadata: PayloadItemFacts,
    pub relevance: Score,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PayloadItemFacts {
    /// Of code, if it can stand behind a fence.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_modified: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub page_title: Option<String>,
    /// The titles from the root down to its parent.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub path: Vec<String>,
    /// Among the items of its section, from 1, the best first.
    pub rank: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub truncated: Option<Truncated>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<Why>,
}

/// That an item is not shown whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Truncated {
    pub of_tokens: u32,
    pub shown_tokens: u32,
    pub strategy: TruncationStrategy,
}

/// Why an item is there, in the parts of its relevance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Why {
    /// The other collectors that found it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub also: Vec<PayloadPart>,
    pub collector: PayloadPart,
    /// How relations lead to it, as `relation Customer`, `reference` or `mention`, nearest to the focus first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub edges: Vec<String>,
    /// The intents of the query that it serves.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub intents: Vec<String>,
    pub prior: Score,
    pub recency: Score,
    pub semantic: Score,
    pub structural: Score,
    pub type_match: Score,
    pub user_affinity: Score,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PayloadMetadata {
    /// Distinct blocks that were candidates, of those that the reader may see.
    pub blocks_considered: u32,
    /// Items of the four sections that hold blocks.
    pub blocks_included: u32,
    pub budget: BTreeMap<PayloadPart, BudgetShare>,
    /// The parts that looked for something.
    pub collectors_used: Vec<PayloadPart>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub focus_block_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub focus_page_id: Option<String>,
    /// How many items of each section are not shown, by reason.
    pub left_out: BTreeMap<PayloadPart, BTreeMap<LeftOut, u32>>,
    pub similarity: Similarity,
    /// The request's `now`.
    pub timestamp: String,
    pub tokenizer: Tokenizer,
    /// Of `serialized`.
    pub total_tokens: u32,
    pub warnings: Vec<PayloadWarning>,
}

/// The tokens of one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BudgetShare {
    pub asked: u32,
    /// Of what other parts did not need.
    pub borrowed: u32,
    /// Of what the frame leaves.
    pub share: u32,
    pub used: u32,
}

/// Why a candidate is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LeftOut {
    /// The budget of its section was used up.
    Budget,
    /// It stands in another item.
    Covered,
    /// The section takes a limited number.
    Limit,
}

/// What likeness was measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Similarity {
    Lexical,
    Vectors,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PayloadWarning {
    pub code: WarningCode,
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum WarningCode {
    BudgetBelowFrame,
    /// Vectors were asked for and the index has none.
    Lexical,
    NoContext,
    /// The focus is not there, or its reader may not see it: the two look the same.
    NotFound,
    SummarizerFallback,
    SystemLeftOut,
}
