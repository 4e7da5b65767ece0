//! Which files of the index a request may use.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_false;

/// What does not pass neither appears in the pack nor counts in its ranking. A pattern is as in `.gitignore`, without
/// negation: one without a slash matches names at any depth, and what matches a folder matches all that is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Filter {
    /// Patterns of files to leave out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Only files of these languages; empty: of all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Leave tests out.
    #[serde(skip_serializing_if = "is_false")]
    pub no_tests: bool,
    /// Only files that match one of these patterns; empty: all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
}

impl Filter {
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }
}
