//! A request in words as a checked frame: four slots, each with the words of the user that it was taken from.
//!
//! The server believes a slot only as far as its quote stands in the request. What the code says about it comes later,
//! as evidence.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Score, SymbolId};
use crate::text::RepoPath;

/// A part of a request to change or explain code. In the order in which slots are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// The feature, module or symbol that is meant.
    TargetFeature,
    /// When it happens.
    TriggerCondition,
    /// What is wrong today.
    ObservedIssue,
    /// What should be done.
    DesiredAction,
}

impl Slot {
    pub const ALL: [Slot; 4] = [Slot::TargetFeature, Slot::TriggerCondition, Slot::ObservedIssue, Slot::DesiredAction];

    /// As it is written in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Slot::TargetFeature => "target_feature",
            Slot::TriggerCondition => "trigger_condition",
            Slot::ObservedIssue => "observed_issue",
            Slot::DesiredAction => "desired_action",
        }
    }

    pub fn named(name: &str) -> Option<Slot> {
        Slot::ALL.into_iter().find(|slot| slot.name() == name)
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FrameIntent {
    /// Something new.
    Implement,
    /// A change of what is there.
    Modify,
    /// Facts about the code.
    Investigate,
    Question,
}

impl FrameIntent {
    /// Whether files may be written in the end.
    pub const fn writes(self) -> bool {
        matches!(self, FrameIntent::Implement | FrameIntent::Modify)
    }
}

/// Who chose the intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum IntentSource {
    /// The caller.
    Given,
    /// The words of the request.
    Rule,
}

/// The language of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum FrameLang {
    Ja,
    En,
}

/// How far a slot or a symbol is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SlotSource {
    /// Seen in the code.
    Fact,
    /// The user's words. True of the request, not of the code.
    Stated,
    /// Found by semantic search, not verified.
    Hypothesis,
}

/// How a value was taken from the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotQuote {
    pub confidence: Score,
    /// Stands in the request, or in what the user said later, letter by letter.
    pub quote: String,
    /// The id of an extraction rule, or `llm`.
    pub rule: String,
}

/// A place in the tree that somebody may look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenPlace {
    pub line: u32,
    pub path: RepoPath,
}

/// A call, or a proof, that shows something about a slot or a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotEvidence {
    pub params: BTreeMap<String, String>,
    /// At most [`SlotEvidence::MAX_PLACES`].
    pub places: Vec<SeenPlace>,
    /// At most [`SlotEvidence::MAX_SUMMARY`] characters.
    pub result_summary: String,
    /// The event of the session that it comes from.
    pub seq: u32,
    /// An operation of `code`, or `proof`.
    pub tool: String,
}

impl SlotEvidence {
    pub const MAX_PLACES: usize = 8;
    pub const MAX_SUMMARY: usize = 200;
}

/// A symbol of the code that a request is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MappedSymbol {
    pub confidence: Score,
    pub evidence: SlotEvidence,
    pub name: String,
    /// How it is related to the target; null if it is not.
    pub related: Option<Related>,
    pub source: SlotSource,
    /// Null as long as the index does not define it.
    pub symbol_id: Option<SymbolId>,
}

/// That a term of a request and a symbol mean the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Related {
    pub by: RelatedBy,
    pub confidence: Score,
    /// The word of the term that leads to the symbol.
    pub to: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RelatedBy {
    /// A word of the term is a part of the name.
    Part,
    /// The user's own words hold both.
    Said,
    /// A synonym of a word of the term is a part of the name.
    Synonym,
    /// A word of the term starts a part of the name.
    Prefix,
    /// A word of the term stands in the symbol's text.
    Text,
}

/// A slot that was extracted and is not believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rejection {
    /// What is wrong, such as the word that the quote does not hold. May be empty.
    pub detail: String,
    pub quote: Option<String>,
    pub reason: RejectReason,
    /// As it was given; one of the four unless the reason is `unknown_slot`.
    pub slot: String,
    pub value: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RejectReason {
    /// There is no quote, or none with a letter or digit.
    NoQuote,
    /// The quote does not stand in the request.
    QuoteNotInQuery,
    EmptyValue,
    /// Neither null nor an object of a value and a quote.
    BadShape,
    UnknownSlot,
    TooLong,
    /// The value says something that the quote does not say.
    ValueAdds,
    /// The value says it in another order.
    Order,
    /// The value denies what the quote says, or the other way round.
    Negation,
    /// The value names no feature.
    TooGeneric,
}

/// A request, decomposed. Null is written, and slots are listed in the order of [`Slot::ALL`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryFrame {
    /// Null until a session is ready; then the symbols that were facts.
    pub confirmed_symbols: Option<Vec<SymbolId>>,
    pub desired_action: Option<String>,
    /// The sum of the confidences of the slots, divided by four.
    pub extraction_confidence: Score,
    pub lang: FrameLang,
    /// At most [`QueryFrame::MAX_SYMBOLS`]; facts first, then by name and id.
    pub mapped_symbols: Vec<MappedSymbol>,
    /// The slots that are null.
    pub missing_slots: Vec<Slot>,
    pub observed_issue: Option<String>,
    /// In Unicode normal form NFC, with line breaks LF. Quotes are looked up in it.
    pub raw_query: String,
    /// Of the last extraction.
    pub rejected: Vec<Rejection>,
    /// What the user said later, in order. Quotes may stand in it.
    pub said: Vec<String>,
    /// The strongest evidence of each slot.
    pub slot_evidence: BTreeMap<Slot, SlotEvidence>,
    pub slot_quotes: BTreeMap<Slot, SlotQuote>,
    pub slot_source: BTreeMap<Slot, SlotSource>,
    pub target_feature: Option<String>,
    pub trigger_condition: Option<String>,
}

impl QueryFrame {
    pub const MAX_SYMBOLS: usize = 64;
    /// Longer requests are refused.
    pub const MAX_QUERY_BYTES: usize = 128 * 1024;

    /// The frame of a request of which nothing was read yet.
    pub fn unread(raw_query: String, lang: FrameLang) -> Self {
        QueryFrame {
            confirmed_symbols: None,
            desired_action: None,
            extraction_confidence: Score::default(),
            lang,
            mapped_symbols: Vec::new(),
            missing_slots: Slot::ALL.to_vec(),
            observed_issue: None,
            raw_query,
            rejected: Vec::new(),
            said: Vec::new(),
            slot_evidence: BTreeMap::new(),
            slot_quotes: BTreeMap::new(),
            slot_source: BTreeMap::new(),
            target_feature: None,
            trigger_condition: None,
        }
    }

    pub fn slot(&self, slot: Slot) -> Option<&str> {
        match slot {
            Slot::TargetFeature => self.target_feature.as_deref(),
            Slot::TriggerCondition => self.trigger_condition.as_deref(),
            Slot::ObservedIssue => self.observed_issue.as_deref(),
            Slot::DesiredAction => self.desired_action.as_deref(),
        }
    }

    pub fn slot_mut(&mut self, slot: Slot) -> &mut Option<String> {
        match slot {
            Slot::TargetFeature => &mut self.target_feature,
            Slot::TriggerCondition => &mut self.trigger_condition,
            Slot::ObservedIssue => &mut self.observed_issue,
            Slot::DesiredAction => &mut self.desired_action,
        }
    }
}

/// How much evidence a change needs. In increasing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RiskLevel {
    Low,
    Medium,
    High,
}

/// A rule that raises the risk. An intent that does not write has none and is low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum RiskRule {
    /// An action without a problem.
    R1,
    /// A change of nothing that is named.
    R2,
    /// Something new, and nothing is said about it.
    R3,
    /// The problem is vague.
    R4,
    /// A slot or symbol is, or was, a hypothesis.
    R5,
    /// Many files use what would be changed.
    R6,
}

/// An operation that shows code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CodeOp {
    FindDefinitions,
    FindReferences,
    SearchText,
    GetSymbols,
    AnalyzeStructure,
    Query,
    Read,
    SemanticSearch,
}

impl CodeOp {
    /// As it is written in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            CodeOp::FindDefinitions => "find_definitions",
            CodeOp::FindReferences => "find_references",
            CodeOp::SearchText => "search_text",
            CodeOp::GetSymbols => "get_symbols",
            CodeOp::AnalyzeStructure => "analyze_structure",
            CodeOp::Query => "query",
            CodeOp::Read => "read",
            CodeOp::SemanticSearch => "semantic_search",
        }
    }
}

/// A state of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SessionPhase {
    Exploration,
    Semantic,
    Verification,
    Ready,
    Closed,
}

/// The kind of question that a request asks. A hint for the order of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum QuestionCategory {
    /// Where something is defined, and how.
    Syntax,
    /// Who uses it.
    Reference,
    /// What it is for.
    Meaning,
    /// What a change reaches.
    Impact,
}

/// What must be found before a file may be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Requirements {
    pub entry_points: u32,
    pub existing_patterns: u32,
    pub files_analyzed: u32,
    pub required_slot_evidence: Vec<Slot>,
    pub required_tools: Vec<CodeOp>,
    pub symbols_identified: u32,
}

/// What to look for, for each missing slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Guidance {
    pub hints: Vec<SlotHint>,
    /// The most urgent first.
    pub missing_slots: Vec<Slot>,
    /// Those of all missing slots, each once.
    pub recommended_tools: Vec<CodeOp>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotHint {
    pub action: String,
    pub hint: String,
    pub slot: Slot,
}

/// How to start, and how much is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoutingDecision {
    pub category: Option<QuestionCategory>,
    pub guidance: Guidance,
    /// Always [`SessionPhase::Exploration`].
    pub initial_phase: SessionPhase,
    /// At most [`RoutingDecision::MAX_TOOLS`].
    pub initial_tools: Vec<CodeOp>,
    pub priority_slots: Vec<Slot>,
    pub recommended_tools: Vec<CodeOp>,
    pub requirements: Requirements,
    pub risk_level: RiskLevel,
    pub risk_rules: Vec<RiskRule>,
}

impl RoutingDecision {
    pub const MAX_TOOLS: usize = 4;
}

/// The answer of `contextpack frame`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrameAnswer {
    pub frame: QueryFrame,
    pub intent: FrameIntent,
    pub intent_source: IntentSource,
    pub routing: RoutingDecision,
}

/// Two words that may mean the same, as the definitions of a tree suggest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SynonymProposal {
    /// How many of the chunks of both hold the other too.
    pub dice: Score,
    /// A part of names.
    pub en: String,
    pub en_chunks: u32,
    /// A word of comments, docs or strings.
    pub ja: String,
    pub ja_chunks: u32,
    /// The first chunks that hold both.
    pub places: Vec<SeenPlace>,
    /// Chunks that hold both.
    pub together: u32,
}

#[cfg(test)]
mod tests {
    use super::{CodeOp, Slot};
    use crate::record::schema_words;

    #[test]
    fn names_are_those_of_json() {
        let slots: Vec<&str> = Slot::ALL.into_iter().map(Slot::name).collect();
        assert_eq!(schema_words::<Slot>(), slots);
        assert!(Slot::ALL.into_iter().all(|slot| Slot::named(slot.name()) == Some(slot)));
        for word in schema_words::<CodeOp>() {
            let op: CodeOp = serde_json::from_value(word.as_str().into()).unwrap();
            assert_eq!(op.name(), word);
        }
    }
}
