//! What features are called in code: groups of words, built in and of the tree.

use std::sync::LazyLock;

use serde::Deserialize;

use super::normal::comparable;
use super::quoted::Quoted;
use super::units::{Unit, stem, units};
use crate::search::{parts, words};

/// As it is written: part of the digest of the rules.
pub const TEXT: &str = include_str!("synonyms.toml");

static BUILTIN: LazyLock<Synonyms> = LazyLock::new(|| {
    let mut synonyms = Synonyms { groups: Vec::new() };
    synonyms.add_file(TEXT).unwrap_or_else(|fault| panic!("synonyms.toml: {fault}"));
    synonyms
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    group: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    #[serde(default)]
    ja: Vec<String>,
    en: Vec<String>,
    #[serde(default)]
    not: Vec<String>,
}

/// A file of synonyms that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SynonymFault {
    #[error("it is not valid TOML: {0}")]
    Toml(String),
    #[error("group {0} has no English word")]
    NoWord(usize),
}

#[derive(Clone, Debug)]
pub struct Synonyms {
    groups: Vec<Group>,
}

/// Words for one thing.
#[derive(Clone, Debug)]
pub struct Group {
    ja: Vec<Vec<Unit>>,
    /// The stems of the parts of each word.
    en: Vec<Vec<String>>,
    not: Vec<String>,
}

impl Default for Synonyms {
    fn default() -> Self {
        BUILTIN.clone()
    }
}

impl Synonyms {
    /// Adds the groups of a file of the tree.
    pub fn add_file(&mut self, text: &str) -> Result<(), SynonymFault> {
        let file: File = toml::from_str(text).map_err(|error| SynonymFault::Toml(error.message().to_string()))?;
        for (at, row) in file.group.iter().enumerate() {
            let en: Vec<Vec<String>> = row.en.iter().map(|word| stems(word)).filter(|word| !word.is_empty()).collect();
            if en.is_empty() {
                return Err(SynonymFault::NoWord(at + 1));
            }
            let ja = row.ja.iter().map(|word| units(&comparable(word))).filter(|word| !word.is_empty()).collect();
            let not = row.not.iter().map(|word| word.to_lowercase()).collect();
            self.groups.push(Group { ja, en, not });
        }
        Ok(())
    }

    /// The groups that have a word of a term.
    pub fn of_term<'s>(&'s self, term: &str) -> Vec<&'s Group> {
        let comparable = comparable(term);
        let (quoted, stems) = (Quoted::new(&comparable), stems(&comparable));
        let has_japanese =
            |group: &Group| group.ja.iter().any(|word| word.iter().all(|unit| quoted.find(unit, 0).is_some()));
        let has_english = |group: &Group| group.en.iter().any(|word| stands_in(word, &stems));
        self.groups.iter().filter(|group| has_japanese(group) || has_english(group)).collect()
    }
}

impl Group {
    /// What it is called in code, as stems.
    pub fn words(&self) -> impl Iterator<Item = String> {
        self.en.iter().map(|word| word.join(" "))
    }

    /// The word of the group that a name has, given its parts in lower case.
    pub fn in_name(&self, parts: &[String]) -> Option<String> {
        let kept: Vec<String> =
            parts.iter().map(|part| if self.not.contains(part) { String::new() } else { stem(part) }).collect();
        self.en.iter().find(|word| stands_in(word, &kept)).map(|word| word.join(" "))
    }
}

/// The stems of all parts of the words of a text.
pub fn stems(text: &str) -> Vec<String> {
    words(text).flat_map(|(_, word)| parts(word)).map(stem).collect()
}

fn stands_in(word: &[String], stems: &[String]) -> bool {
    stems.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_many_groups() {
        assert!(Synonyms::default().groups.len() >= 40);
    }

    #[test]
    fn a_tree_adds_groups() {
        let mut synonyms = Synonyms::default();
        assert!(synonyms.of_term("ほげほげ帳票").is_empty());
        synonyms.add_file("[[group]]\nja = [\"帳票\"]\nen = [\"report\"]\n").unwrap();
        assert_eq!(synonyms.of_term("帳票機能").len(), 1);
        assert_eq!(synonyms.add_file("[[group]]\nen = []\n"), Err(SynonymFault::NoWord(1)));
        assert!(matches!(synonyms.add_file("[[group]]\nfr = []\n"), Err(SynonymFault::Toml(_))));
    }
}
