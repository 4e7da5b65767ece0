//! The ids that Tana itself gives.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The field that holds the tags of a note.
pub const TAGS: &str = "SYS_A13";
/// The field with the language of a code block.
pub const CODE_LANGUAGE: &str = "SYS_A70";
/// The field that says which note an id was merged into.
pub const MERGED_INTO: &str = "SYS_A84";
/// The field with the date of a day, a week or a year of the journal.
pub const JOURNAL_DATE: &str = "SYS_A169";
/// The field that says what a note was made from.
pub const SOURCE: &str = "SYS_A199";
/// What marks definitions of tags and of fields.
pub const DEFINITIONS: [&str; 2] = ["SYS_T01", "SYS_T02"];

/// Names by their ids.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemNames {
    pub fields: BTreeMap<String, String>,
    pub base_types: BTreeMap<String, String>,
    pub values: BTreeMap<String, String>,
}

pub static SYSTEM: LazyLock<SystemNames> =
    LazyLock::new(|| toml::from_str(include_str!("system.toml")).expect("the table is committed"));

/// Whether Tana gave an id.
pub fn is_system_id(id: &str) -> bool {
    id.starts_with("SYS_")
}
