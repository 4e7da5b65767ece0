//! Data that controls how answers are scored, ordered and grouped: the tables in `src/profiles/`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::record::Score;

/// The rules of one intent, strategy or lens.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    pub weights: ScoreWeights,
    /// Groups that come first; the others follow in their fixed order.
    pub groups: Vec<String>,
    /// Roles of documents that come before all others; if empty, all roles are equal.
    pub focus: Vec<String>,
    /// The order of roles.
    pub roles: Vec<String>,
    /// The order of sections: classes of words that occur in the ids of their rules.
    pub classes: Vec<Vec<String>>,
}

/// The parts of the hybrid score. They add up to one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreWeights {
    pub seed: Score,
    pub distance: Score,
    pub evidence: Score,
}

/// The profiles of one door, by name.
pub struct Profiles(BTreeMap<String, Profile>);

impl Profiles {
    /// Parses a table that is compiled into the program.
    pub fn builtin(text: &str) -> Self {
        Profiles(toml::from_str(text).expect("a built-in profile table is valid"))
    }

    pub fn get(&self, name: &str) -> Option<&Profile> {
        self.0.get(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
