//! Which columns of a database say what a task needs, by their names.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Property;
use crate::text::fold;

/// The lists of `rules.toml`, which says what each is for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowRules {
    pub derived_columns: Vec<String>,
    pub due_words: Vec<String>,
    pub status_names: Vec<String>,
    pub done_words: Vec<String>,
    pub completed_words: Vec<String>,
    pub priority_words: Vec<String>,
    pub assignee_words: Vec<String>,
}

static BUILT_IN: LazyLock<RowRules> =
    LazyLock::new(|| toml::from_str(include_str!("rules.toml")).expect("the built-in rules are valid"));

impl Default for RowRules {
    fn default() -> Self {
        BUILT_IN.clone()
    }
}

impl RowRules {
    /// Whether a column is computed from other rows, which the reader of this one may not be allowed to read.
    pub fn is_derived(&self, property: &Property) -> bool {
        matches!(property.kind.as_str(), "rollup" | "formula") || self.is_derived_name(&property.name)
    }

    pub fn is_derived_name(&self, name: &str) -> bool {
        holds(&self.derived_columns, name)
    }

    pub fn is_due(&self, name: &str) -> bool {
        has_word(name, &self.due_words)
    }

    pub fn is_priority(&self, name: &str) -> bool {
        has_word(name, &self.priority_words)
    }

    pub fn is_assignee(&self, name: &str) -> bool {
        has_word(name, &self.assignee_words)
    }

    pub fn is_status(&self, name: &str) -> bool {
        holds(&self.status_names, name)
    }

    /// Whether the value of a status, or the name of a checkbox, says that a task is done.
    pub fn says_done(&self, text: &str) -> bool {
        holds(&self.done_words, &words(text).join(" "))
    }

    pub fn is_completed(&self, name: &str) -> bool {
        words(name).first().is_some_and(|word| holds(&self.completed_words, word))
    }
}

fn holds(list: &[String], name: &str) -> bool {
    let name = fold(name);
    list.iter().any(|known| fold(known) == name)
}

fn has_word(name: &str, list: &[String]) -> bool {
    words(name).iter().any(|word| holds(list, word))
}

/// `Due date`, `dueDate` and `DUE_DATE` have the same words.
fn words(name: &str) -> Vec<String> {
    let (mut words, mut word, mut was_lower) = (Vec::new(), String::new(), false);
    for c in name.chars() {
        if !c.is_alphanumeric() || was_lower && c.is_uppercase() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words_however_they_are_written() {
        for name in ["Due date", "dueDate", "DUE_DATE", " due-Date?"] {
            assert_eq!(words(name), ["due", "date"], "{name}");
        }
        let rules = RowRules::default();
        assert!(rules.is_due("Deadline") && !rules.is_due("Dues") && !rules.is_due("Residue"));
        assert!(rules.is_status(" STATE ") && !rules.is_status("Statement"));
        assert!(rules.says_done("Done?") && !rules.says_done("Not done"));
        assert!(rules.is_completed("completedAt") && !rules.is_completed("Date completed"));
    }
}
