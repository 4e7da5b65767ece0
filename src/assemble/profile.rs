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
    /// If the query names a symbol, its own neighbours of these groups come before everything else.
    pub own_first: Vec<String>,
    /// Whether to show how tests are written: the head of the test file of the subject.
    pub test_head: bool,
    /// Roles of documents that come before all others; if empty, all roles are equal.
    pub focus: Vec<String>,
    /// The order of roles.
    pub roles: Vec<String>,
    /// The order of sections: classes of words that occur in the ids of their rules.
    pub classes: Vec<Vec<String>>,
}

impl Profile {
    pub fn is_in_focus(&self, role: &str) -> bool {
        self.focus.is_empty() || self.focus.iter().any(|name| name == role)
    }

    /// The position of a role in the order of roles.
    pub fn role_rank(&self, role: &str) -> usize {
        self.roles.iter().position(|name| name == role).unwrap_or(usize::MAX)
    }

    /// The first class with a word that occurs in the id of a section's rule; the number of classes if there is none.
    pub fn class(&self, rule: &str) -> usize {
        let has_word = |words: &Vec<String>| words.iter().any(|word| rule.contains(word.as_str()));
        self.classes.iter().position(has_word).unwrap_or(self.classes.len())
    }
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
