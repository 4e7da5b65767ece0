//! Orders what to look for. It decides nothing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::risk::{Risk, requirements};
use super::words::WORDS;
use crate::record::frame::{
    CodeOp, FrameIntent, FrameLang, Guidance, QuestionCategory, RoutingDecision, SessionPhase, Slot, SlotHint,
};

/// As it is written: part of the digest of the rules.
pub const TEXT: &str = include_str!("guidance.toml");

static SLOTS: LazyLock<BTreeMap<Slot, SlotRow>> =
    LazyLock::new(|| toml::from_str(TEXT).unwrap_or_else(|fault| panic!("guidance.toml is not valid: {fault}")));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SlotRow {
    tools: Vec<CodeOp>,
    ja: Words,
    en: Words,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    hint: String,
    action: String,
}

/// The operations for a request of which nothing is missing.
const COMPLETE: [CodeOp; 2] = [CodeOp::FindDefinitions, CodeOp::FindReferences];

/// How to start with a request of which some slots are missing.
pub fn route(query: &str, missing: &[Slot], intent: FrameIntent, lang: FrameLang, risk: Risk) -> RoutingDecision {
    let priority_slots = by_priority(missing, intent);
    let category = category(beginning(query));
    let mut initial_tools = tools(&priority_slots);
    initial_tools.truncate(RoutingDecision::MAX_TOOLS);
    let mut recommended_tools = tools(&priority_slots[..priority_slots.len().min(1)]);
    if priority_slots.is_empty() {
        (initial_tools, recommended_tools) = (COMPLETE.to_vec(), COMPLETE.to_vec());
    }
    if let Some(category) = category {
        move_to_front(&mut initial_tools, category);
    }
    RoutingDecision {
        category,
        guidance: guidance(&priority_slots, lang),
        initial_phase: SessionPhase::Exploration,
        initial_tools,
        recommended_tools,
        requirements: requirements(intent, risk.level),
        risk_level: risk.level,
        risk_rules: risk.rules,
        priority_slots,
    }
}

/// The missing slots, the most urgent first.
pub fn by_priority(missing: &[Slot], intent: FrameIntent) -> Vec<Slot> {
    let order = match intent.writes() {
        true => [Slot::TargetFeature, Slot::ObservedIssue, Slot::TriggerCondition, Slot::DesiredAction],
        false => Slot::ALL,
    };
    order.into_iter().filter(|slot| missing.contains(slot)).collect()
}

/// The operations for some slots, each once.
fn tools(slots: &[Slot]) -> Vec<CodeOp> {
    let mut tools = Vec::new();
    for tool in slots.iter().flat_map(|slot| &SLOTS[slot].tools) {
        if !tools.contains(tool) {
            tools.push(*tool);
        }
    }
    tools
}

/// What to look for, for slots in the order of their priority.
pub fn guidance(slots: &[Slot], lang: FrameLang) -> Guidance {
    let hint = |slot: &Slot| {
        let row = &SLOTS[slot];
        let words = if lang == FrameLang::Ja { &row.ja } else { &row.en };
        SlotHint { action: words.action.clone(), hint: words.hint.clone(), slot: *slot }
    };
    Guidance { hints: slots.iter().map(hint).collect(), missing_slots: slots.to_vec(), recommended_tools: tools(slots) }
}

/// What is asked is said at the start.
const MAX_QUESTION_BYTES: usize = 4_000;

fn beginning(query: &str) -> &str {
    &query[..query.floor_char_boundary(MAX_QUESTION_BYTES)]
}

/// The kind of question that a request asks.
fn category(query: &str) -> Option<QuestionCategory> {
    let words = &WORDS.category;
    let all = [
        (QuestionCategory::Syntax, &words.syntax),
        (QuestionCategory::Reference, &words.reference),
        (QuestionCategory::Impact, &words.impact),
        (QuestionCategory::Meaning, &words.meaning),
    ];
    all.into_iter().find(|(_, words)| words.is_match(query)).map(|(category, _)| category)
}

/// A category only changes the order of what is there.
fn move_to_front(tools: &mut [CodeOp], category: QuestionCategory) {
    let first = match category {
        QuestionCategory::Syntax => CodeOp::SearchText,
        QuestionCategory::Reference | QuestionCategory::Impact => CodeOp::FindReferences,
        QuestionCategory::Meaning => CodeOp::Query,
    };
    if let Some(at) = tools.iter().position(|tool| *tool == first) {
        tools[..=at].rotate_right(1);
    }
}
