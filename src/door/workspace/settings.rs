//! The settings of context of workspaces: a table of defaults, what a user changes of it, and what is different for
//! each type of request.

use serde::Deserialize;
use toml::{Table, Value};

use super::Intents;
use crate::record::Score;
use crate::record::workspace::{PayloadPart, RequestType, TruncationStrategy};

/// The defaults.
const BUILTIN: &str = include_str!("../../profiles/workspace.toml");
/// The table of what is different for types of requests.
const TYPES: &str = "types";
/// The table of what words of queries ask for.
const INTENTS: &str = "intents";

/// The settings of requests of all types.
#[derive(Clone, Debug)]
pub struct WorkspaceSettings {
    table: Table,
    intents: Intents,
}

/// The settings of requests of one type.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub budget: Budget,
    pub focus: FocusLimits,
    pub semantic: SemanticLimits,
    pub relations: RelationLimits,
    pub activity: ActivityLimits,
    pub affinity: Affinity,
    pub weights: Weights,
    pub items: ItemLimits,
    pub truncation: Truncation,
    pub assembly: Assembly,
}

/// Tokens. 0 turns a part off.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    pub total: u32,
    pub focus: u32,
    pub semantic: u32,
    pub relations: u32,
    pub activity: u32,
    pub history: u32,
    pub system: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FocusLimits {
    pub enabled: bool,
    pub ancestor_depth: u32,
    /// On each side.
    pub sibling_count: u32,
    pub children_limit: u32,
    pub page_depth: u32,
    pub page_children_limit: u32,
    pub database_rows_limit: u32,
    pub page_summary_tokens: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemanticLimits {
    pub enabled: bool,
    pub top_k: u32,
    /// Of the likeness of vectors.
    pub min_threshold: Score,
    /// Of the likeness of words.
    pub min_lexical: Score,
    /// Of the best likeness of words.
    pub relative_lexical: Score,
    /// What words count that stand in other blocks of a unit than its best.
    pub scattered_lexical: Score,
    /// How many words of a focus without a title ask, too.
    pub focus_terms: u32,
    pub focus_weight: Score,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationLimits {
    pub enabled: bool,
    pub max_depth: u32,
    pub max_items: u32,
    /// What each further step leaves of a prior.
    pub step: Score,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActivityLimits {
    pub enabled: bool,
    pub recent_edit_count: u32,
    pub recent_view_count: u32,
    pub max_age_hours: u32,
}

/// What a user's activity says about what belongs to them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Affinity {
    pub days: u32,
    /// Points of one entry.
    pub edit: u32,
    pub create: u32,
    pub comment: u32,
    pub view: u32,
    /// So many points are the most.
    pub full: u32,
    pub assigned: Score,
    pub created: Score,
}

/// The parts of an item's relevance; they sum to 1.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    pub semantic: Score,
    pub structural: Score,
    pub recency: Score,
    pub type_match: Score,
    pub user_affinity: Score,
}

/// Tokens of an item where it is shown first.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemLimits {
    /// A found block is shown with what is around it up to so many.
    pub max_unit_tokens: u32,
    /// A heading is shown with what follows it up to so many.
    pub max_section_tokens: u32,
    pub focus: u32,
    pub semantic: u32,
    pub relations: u32,
    pub activity: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truncation {
    pub default_strategy: TruncationStrategy,
    /// Characters. Shorter contents are never cut, and nothing is cut to less.
    pub min_content_length: u32,
    /// A program and its arguments; empty: none.
    pub summarize_command: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assembly {
    pub hints: Vec<Hint>,
    pub system_prompt: String,
}

/// Something that is said of an item besides its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hint {
    Path,
    Modified,
}

/// Why settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsFault {
    #[error("[workspace]: {0}")]
    Shape(String),
    #[error("[workspace.weights] sum to {0} millionths for requests of type `{1}`; they have to sum to 1")]
    Weights(u32, &'static str),
}

impl WorkspaceSettings {
    /// The defaults with what a user changes.
    pub fn new(changes: &Table) -> Result<Self, SettingsFault> {
        let mut table = builtin(BUILTIN)?;
        merge(&mut table, changes);
        let intents = match table.remove(INTENTS) {
            None => Intents::default(),
            Some(Value::Table(intents)) => Intents::new(&intents)?,
            Some(_) => return Err(SettingsFault::Shape(format!("`{INTENTS}` has to be a table"))),
        };
        let settings = WorkspaceSettings { table, intents };
        for request_type in [RequestType::Assist, RequestType::Chat, RequestType::Search, RequestType::Automate] {
            settings.read(request_type)?.check(type_name(request_type))?;
        }
        settings.check_types()?;
        Ok(settings)
    }

    /// The settings of requests of one type.
    pub fn profile(&self, request_type: RequestType) -> Profile {
        self.read(request_type).expect("every type was read when the settings were made")
    }

    /// What words of queries ask for.
    pub fn intents(&self) -> &Intents {
        &self.intents
    }

    fn read(&self, request_type: RequestType) -> Result<Profile, SettingsFault> {
        let mut table = self.table.clone();
        let types = table.remove(TYPES);
        if let Some(Value::Table(own)) = types.as_ref().and_then(|types| types.get(type_name(request_type))) {
            merge(&mut table, own);
        }
        Value::Table(table).try_into().map_err(|fault: toml::de::Error| shape(&fault))
    }

    fn check_types(&self) -> Result<(), SettingsFault> {
        let types = self.table.get(TYPES).and_then(Value::as_table);
        let unknown = types.into_iter().flatten().find(|(name, _)| !TYPE_NAMES.contains(&name.as_str()));
        unknown.map_or(Ok(()), |(name, _)| {
            Err(SettingsFault::Shape(format!("`types.{name}`: the types are {}", TYPE_NAMES.join(", "))))
        })
    }
}

impl Default for WorkspaceSettings {
    fn default() -> Self {
        WorkspaceSettings::new(&Table::new()).expect("the built-in settings are checked by a test")
    }
}

const TYPE_NAMES: [&str; 4] = ["assist", "chat", "search", "automate"];

fn type_name(request_type: RequestType) -> &'static str {
    TYPE_NAMES[request_type as usize]
}

/// A table that this program brings along.
pub(super) fn builtin(text: &str) -> Result<Table, SettingsFault> {
    text.parse().map_err(|fault: toml::de::Error| shape(&fault))
}

fn shape(fault: &toml::de::Error) -> SettingsFault {
    SettingsFault::Shape(fault.message().to_string())
}

/// Puts values over those of the same name. Tables are merged, at most as deep as settings are.
pub(super) fn merge(table: &mut Table, changes: &Table) {
    for (key, change) in changes {
        match (table.get_mut(key), change) {
            (Some(Value::Table(inner)), Value::Table(changes)) => merge(inner, changes),
            _ => {
                table.insert(key.clone(), change.clone());
            }
        }
    }
}

impl Profile {
    fn check(&self, type_name: &'static str) -> Result<(), SettingsFault> {
        let Weights { semantic, structural, recency, type_match, user_affinity } = self.weights;
        let sum: u32 = [semantic, structural, recency, type_match, user_affinity]
            .iter()
            .map(|weight| weight.in_millionths())
            .sum();
        if sum == Score::ONE.in_millionths() { Ok(()) } else { Err(SettingsFault::Weights(sum, type_name)) }
    }

    /// The most tokens that an item of a part takes at first.
    pub fn first_tokens(&self, part: PayloadPart) -> u32 {
        match part {
            PayloadPart::Focus => self.items.focus,
            PayloadPart::Semantic => self.items.semantic,
            PayloadPart::Relations => self.items.relations,
            PayloadPart::Activity => self.items.activity,
            PayloadPart::System | PayloadPart::History => u32::MAX,
        }
    }
}

impl Budget {
    pub fn of(&self, part: PayloadPart) -> u32 {
        match part {
            PayloadPart::System => self.system,
            PayloadPart::Focus => self.focus,
            PayloadPart::Semantic => self.semantic,
            PayloadPart::Relations => self.relations,
            PayloadPart::Activity => self.activity,
            PayloadPart::History => self.history,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<WorkspaceSettings, SettingsFault> {
        WorkspaceSettings::new(&text.parse().unwrap())
    }

    #[test]
    fn each_type_has_its_own() {
        let settings = WorkspaceSettings::default();
        assert_eq!(settings.profile(RequestType::Assist).semantic.top_k, 15);
        assert_eq!(settings.profile(RequestType::Search).semantic.top_k, 30);
        assert_eq!(settings.profile(RequestType::Automate).budget.activity, 0);
        assert_eq!(settings.profile(RequestType::Chat).weights.semantic, Score::percent(35));
    }

    #[test]
    fn a_user_changes_what_all_types_share_and_what_one_has() {
        let settings = settings("[semantic]\ntop_k = 3\n[types.chat.budget]\ntotal = 9").unwrap();
        assert_eq!(settings.profile(RequestType::Assist).semantic.top_k, 3);
        assert_eq!(settings.profile(RequestType::Search).semantic.top_k, 30, "the type's own stays");
        assert_eq!(settings.profile(RequestType::Chat).budget.total, 9);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for bad in [
            "[semantic]\ntopk = 3",
            "[weights]\nsemantic = 0.9",
            "[types.chats.budget]\ntotal = 9",
            "[budget]\ntotal = -1",
            "intents = 3",
            "[intents.sale]\nword = ['sale']",
            "[types.chat.intents.sale]\nwords = ['sale']",
        ] {
            assert!(settings(bad).is_err(), "{bad}");
        }
    }
}
