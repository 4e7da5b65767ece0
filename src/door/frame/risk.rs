//! How much evidence a request needs.

use super::normal::comparable;
use super::script::columns;
use super::units::units;
use super::words::WORDS;
use crate::record::frame::{CodeOp, FrameIntent, Requirements, RiskLevel, RiskRule, Slot};

/// A level, and the rules that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Risk {
    pub level: RiskLevel,
    /// In their order.
    pub rules: Vec<RiskRule>,
}

/// What the rules look at.
#[derive(Clone, Copy, Debug)]
pub struct RiskFacts<'f> {
    pub intent: FrameIntent,
    pub target_feature: Option<&'f str>,
    pub trigger_condition: Option<&'f str>,
    pub observed_issue: Option<&'f str>,
    pub desired_action: Option<&'f str>,
    /// Whether a slot or a symbol is, or was, a hypothesis.
    pub had_hypothesis: bool,
    /// Whether many files use the symbols that would be changed.
    pub is_widely_used: bool,
}

/// An issue in fewer columns says little.
const VAGUE_COLUMNS: usize = 10;

/// The highest level of all rules that fire. An intent that does not write is low.
pub fn risk(facts: &RiskFacts<'_>) -> Risk {
    let RiskFacts { intent, target_feature, observed_issue, desired_action, .. } = *facts;
    if !intent.writes() {
        return Risk { level: RiskLevel::Low, rules: Vec::new() };
    }
    let says_nothing =
        [target_feature, facts.trigger_condition, observed_issue, desired_action].iter().all(Option::is_none);
    let rules = [
        (RiskRule::R1, RiskLevel::High, desired_action.is_some() && observed_issue.is_none()),
        (RiskRule::R2, RiskLevel::High, intent == FrameIntent::Modify && target_feature.is_none()),
        (RiskRule::R3, RiskLevel::High, intent == FrameIntent::Implement && says_nothing),
        (RiskRule::R4, RiskLevel::Medium, observed_issue.is_some_and(is_vague)),
        (RiskRule::R5, RiskLevel::Medium, facts.had_hypothesis),
    ];
    let fired: Vec<_> = rules.into_iter().filter(|(_, _, fires)| *fires).collect();
    let mut level = fired.iter().map(|(_, level, _)| *level).max().unwrap_or(RiskLevel::Low);
    let mut rules: Vec<RiskRule> = fired.into_iter().map(|(rule, _, _)| rule).collect();
    if facts.is_widely_used {
        level = if level == RiskLevel::Low { RiskLevel::Medium } else { RiskLevel::High };
        rules.push(RiskRule::R6);
    }
    Risk { level, rules }
}

/// Whether an issue is short, or of words that fit every issue.
fn is_vague(issue: &str) -> bool {
    columns(issue) < VAGUE_COLUMNS || units(&comparable(issue)).iter().all(|unit| unit.is_one_of(&WORDS.risk.vague))
}

/// What must be found before a file may be written.
pub fn requirements(intent: FrameIntent, level: RiskLevel) -> Requirements {
    let slots = match (intent, level) {
        (FrameIntent::Investigate | FrameIntent::Question, _) | (_, RiskLevel::Low) => Vec::new(),
        (_, RiskLevel::Medium) => vec![Slot::TargetFeature],
        (FrameIntent::Implement, RiskLevel::High) => vec![Slot::TargetFeature, Slot::DesiredAction],
        (FrameIntent::Modify, RiskLevel::High) => vec![Slot::TargetFeature, Slot::ObservedIssue],
    };
    let (symbols_identified, entry_points, files_analyzed, existing_patterns) = match (intent, level) {
        (FrameIntent::Question, _) => (0, 0, 0, 0),
        (FrameIntent::Investigate, _) => (1, 0, 1, 0),
        (_, RiskLevel::High) => (5, 2, 4, 2),
        _ => (3, 1, 2, 1),
    };
    let tools = if intent.writes() { vec![CodeOp::FindDefinitions, CodeOp::FindReferences] } else { Vec::new() };
    Requirements {
        entry_points,
        existing_patterns,
        files_analyzed,
        required_slot_evidence: slots,
        required_tools: tools,
        symbols_identified,
    }
}

/// What a tree has: no requirement is for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeCounts {
    pub symbols: u32,
    pub callables: u32,
    /// Indexed text files.
    pub files: u32,
}

/// The same requirements, as far as a tree can meet them.
pub fn within(requirements: Requirements, tree: TreeCounts) -> Requirements {
    Requirements {
        entry_points: requirements.entry_points.min(tree.callables),
        existing_patterns: requirements.existing_patterns.min(tree.files),
        files_analyzed: requirements.files_analyzed.min(tree.files),
        symbols_identified: requirements.symbols_identified.min(tree.symbols),
        ..requirements
    }
}
