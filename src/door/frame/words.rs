//! The word lists of frames: `words.toml`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex_automata::meta::Regex;
use serde::{Deserialize, Deserializer};

use super::pattern::{Pattern, compiled};

pub static WORDS: LazyLock<Words> =
    LazyLock::new(|| toml::from_str(TEXT).unwrap_or_else(|fault| panic!("words.toml is not valid: {fault}")));

/// As it is written: part of the digest of the rules.
pub const TEXT: &str = include_str!("words.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    pub consistency: Consistency,
    pub japanese: Japanese,
    pub english: English,
    pub headings: Headings,
    pub risk: Risk,
    pub intent: IntentWords,
    pub category: Categories,
}

/// Words that decide whether a value says what its quote says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consistency {
    pub stop: BTreeSet<String>,
    pub negation_words: BTreeSet<String>,
    #[serde(deserialize_with = "regex")]
    pub negation_ja: Regex,
    #[serde(deserialize_with = "regex")]
    pub negation_en: Regex,
    pub predicate_en: BTreeSet<String>,
    #[serde(deserialize_with = "regex")]
    pub not_a_negation: Regex,
    pub kanji_function: BTreeSet<String>,
    pub kanji_neutral_after: String,
    pub kanji_neutral_before: String,
    pub katakana_bound: BTreeSet<String>,
    pub may_be_added: BTreeSet<String>,
    pub generic: BTreeSet<String>,
    pub particles: Vec<String>,
    pub function_starts: Vec<String>,
    pub endings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Japanese {
    #[serde(deserialize_with = "regex")]
    pub problem: Regex,
    #[serde(deserialize_with = "regex")]
    pub negated: Regex,
    pub no_target: BTreeSet<String>,
    #[serde(deserialize_with = "regex")]
    pub no_target_end: Regex,
    #[serde(deserialize_with = "regex")]
    pub feature_end: Regex,
    #[serde(deserialize_with = "regex")]
    pub action_noun_end: Regex,
    pub environment: BTreeSet<String>,
    pub manner_or_cause: BTreeSet<String>,
    #[serde(deserialize_with = "regex")]
    pub cause_end: Regex,
    pub trigger: Vec<Pattern>,
    pub reason: Vec<Pattern>,
    #[serde(deserialize_with = "regex")]
    pub request: Regex,
    #[serde(deserialize_with = "regex")]
    pub polite: Regex,
    #[serde(deserialize_with = "regex")]
    pub plain_doing: Regex,
    #[serde(deserialize_with = "regex")]
    pub doing: Regex,
    #[serde(deserialize_with = "regex")]
    pub verb_alone: Regex,
    #[serde(deserialize_with = "regex")]
    pub adding_end: Regex,
    #[serde(deserialize_with = "regex")]
    pub noun_phrase: Regex,
    #[serde(deserialize_with = "regex")]
    pub lead: Regex,
    #[serde(deserialize_with = "regex")]
    pub question: Regex,
    #[serde(deserialize_with = "regex")]
    pub named_error: Regex,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct English {
    #[serde(deserialize_with = "regex")]
    pub trigger: Regex,
    #[serde(deserialize_with = "regex")]
    pub problem: Regex,
    #[serde(deserialize_with = "regex")]
    pub problem_verb: Regex,
    #[serde(deserialize_with = "regex")]
    pub clause_lead: Regex,
    pub not_code: BTreeSet<String>,
    #[serde(deserialize_with = "regex")]
    pub begged: Regex,
    pub bare_verbs: BTreeSet<String>,
    pub pronouns: BTreeSet<String>,
    #[serde(deserialize_with = "regex")]
    pub report: Regex,
    #[serde(deserialize_with = "regex")]
    pub label: Regex,
    pub phrase_ends: BTreeSet<String>,
    #[serde(deserialize_with = "regex")]
    pub imperative: Regex,
    #[serde(deserialize_with = "regex")]
    pub modal: Regex,
    #[serde(deserialize_with = "regex")]
    pub polite: Regex,
    #[serde(deserialize_with = "regex")]
    pub question: Regex,
    /// Verbs whose object is followed by what becomes of it.
    pub state_verbs: BTreeSet<String>,
    /// What users do: no part of a name.
    pub user_actions: BTreeSet<String>,
    pub actors: BTreeSet<String>,
    pub feature_nouns: BTreeSet<String>,
    pub auxiliaries: BTreeSet<String>,
    pub prepositions: BTreeSet<String>,
    pub articles: BTreeSet<String>,
    pub adding: BTreeSet<String>,
    #[serde(deserialize_with = "regex")]
    pub code_like: Regex,
}

/// Headings of sections that say one slot.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Headings {
    #[serde(deserialize_with = "regex")]
    pub trigger_condition: Regex,
    #[serde(deserialize_with = "regex")]
    pub observed_issue: Regex,
    #[serde(deserialize_with = "regex")]
    pub desired_action: Regex,
    #[serde(deserialize_with = "regex")]
    pub target_feature: Regex,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// An issue of these words alone is vague.
    pub vague: BTreeSet<String>,
}

/// Verbs of actions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntentWords {
    #[serde(deserialize_with = "regex")]
    pub implement: Regex,
    #[serde(deserialize_with = "regex")]
    pub investigate: Regex,
    #[serde(deserialize_with = "regex")]
    pub modify: Regex,
}

/// Words that say what kind of question is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Categories {
    #[serde(deserialize_with = "regex")]
    pub syntax: Regex,
    #[serde(deserialize_with = "regex")]
    pub reference: Regex,
    #[serde(deserialize_with = "regex")]
    pub meaning: Regex,
    #[serde(deserialize_with = "regex")]
    pub impact: Regex,
}

fn regex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Regex, D::Error> {
    Ok(compiled(&String::deserialize(deserializer)?))
}
