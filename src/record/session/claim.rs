//! What a caller claims, beside what the index and the tree say about it. What the session has seen is not here: the
//! fold knows that.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::record::frame::{CodeOp, Related, Slot};
use crate::record::{Digest, Kind, Lines, Score, SymbolId};
use crate::text::RepoPath;

/// What is wrong with a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    /// The index does not have it.
    NotFound,
    /// The index has several.
    Ambiguous,
    /// This session did not see it.
    NotSeen,
    /// It has changed since it was seen.
    Stale,
    /// An entry point that leads to none of the symbols.
    NotLinked,
    /// The call did not show that place, or no place was given.
    NoPlace,
    /// The quote does not stand at that line.
    QuoteMismatch,
    /// It says nothing about the slot.
    Unrelated,
    /// It was claimed before.
    Duplicate,
    BadPath,
}

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimFault {
    /// The list or slot, and what was claimed.
    pub claim: String,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub detail: String,
    pub fault: FaultCode,
}

/// A definition of the tree, as the index has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundSymbol {
    /// 1 if it is the only definition of that name, else that of the surest edge to it.
    pub confidence: Score,
    pub kind: Kind,
    pub lines: Lines,
    pub name: String,
    pub path: RepoPath,
    /// To the target feature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related: Option<Related>,
    pub symbol_id: SymbolId,
}

/// A symbol as it was given, and what the index says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SymbolLookup {
    /// `not_found` or `ambiguous` if nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundSymbol>,
    pub given: String,
    /// Similar names, or all that have the name.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub near: Vec<String>,
}

/// A line of a file, as it was given, and the file as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceClaim {
    /// Of the file now; absent if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    pub given: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<RepoPath>,
    /// Of a proof: the words that stand at the line, as the caller says, and whether they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote_stands: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntryClaim {
    pub is_callable: bool,
    /// The claimed symbols that it is, contains, or reaches within three edges.
    pub leads_to: Vec<SymbolId>,
    pub symbol: SymbolLookup,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatternClaim {
    pub pattern: String,
    pub places: Vec<PlaceClaim>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileClaim {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    pub given: String,
    /// Absent if the index does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<RepoPath>,
}

/// Evidence for a slot, or for a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceClaim {
    /// The event of the call, if it was given by its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// Symbols within two edges of the definition at the place, of those that are facts or claimed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub near: Vec<SymbolId>,
    pub place: PlaceClaim,
    /// Whether the line has a word of the slot's value, or a synonym of one.
    pub shares_word: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<Slot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolLookup>,
    /// What the call was, if it was given by its tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<CodeOp>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewFileClaim {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<NewFileFault>,
    /// The innermost directory around it that exists.
    pub folder: String,
    pub given: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<RepoPath>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NewFileFault {
    /// It exists.
    Exists,
    /// No path that may be written.
    Path,
    Twin,
}

/// How much there is. No requirement asks for more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeCounts {
    pub callables: u32,
    pub files: u32,
    pub symbols: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HypothesisClaim {
    /// The semantic search that it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    pub confidence: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<Slot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolLookup>,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyClaim {
    pub confirmed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceClaim>,
    pub id: u32,
    /// The symbol of the hypothesis, looked up now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolLookup>,
}

/// Values by slot.
pub type SlotValues = BTreeMap<Slot, String>;
