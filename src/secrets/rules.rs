//! What each kind of secret looks like: the rules of `rules.toml`, and a pattern tried at one place of a text.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};
use serde::Deserialize;

use super::around::After;
use super::forms::Form;
use super::strength::Check;

pub static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table: Table = toml::from_str(include_str!("rules.toml")).expect("the built-in rules are valid");
    for rule in &mut table.rules {
        rule.keywords.extend(rule.names.iter().flat_map(|list| &table.names[list]).cloned());
    }
    table
});

/// The whole of `rules.toml`, which says what each list is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub examples: Vec<String>,
    pub example_passwords: Vec<String>,
    names: BTreeMap<String, Vec<String>>,
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
}

/// What one kind of secret looks like.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Stands in problem records and placeholders.
    pub id: String,
    /// One of these is in every text that has such a secret. They are looked for in one pass, and the pattern is
    /// tried only where one occurs.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Lists of the table `names` that are keywords too.
    #[serde(default)]
    names: Vec<String>,
    /// How many bytes before the keyword the pattern begins.
    #[serde(default)]
    pub prefix_bytes: usize,
    /// What is around the pattern.
    #[serde(default)]
    form: Form,
    /// From there on; its group is the secret, or else all of it is. ASCII only: a placeholder of other letters
    /// could not have as many bytes and as many UTF-16 units.
    pattern: String,
    #[serde(default)]
    pub after: After,
    /// Whether a value must end behind the secret. Other than an end in the pattern this keeps a text that is all
    /// names and values from being read again for each of them.
    #[serde(default)]
    pub until_value_end: bool,
    /// What else must be true of the secret.
    #[serde(default)]
    pub check: Check,
    #[serde(skip)]
    compiled: OnceLock<Regex>,
}

/// How far a pattern looks. No token is longer, and a text made to be slow is not.
const WINDOW_BYTES: usize = 8 << 10;

impl Rule {
    /// The pattern's group, or all that it matched, if it matches at `start`.
    pub fn match_pattern(&self, text: &str, start: usize) -> Option<Range<usize>> {
        let pattern = self.compiled.get_or_init(|| compile(&self.form.pattern(&self.pattern)));
        let end = text.len().min(start + WINDOW_BYTES);
        let input = Input::new(text.as_bytes()).range(start..end).anchored(Anchored::Yes);
        let mut slots = [None; 4];
        pattern.search_slots(&input, &mut slots)?;
        match slots {
            [_, _, Some(start), Some(end)] | [Some(start), Some(end), _, _] => Some(start.get()..end.get()),
            _ => None,
        }
    }
}

fn compile(pattern: &str) -> Regex {
    let bytes_only = syntax::Config::new().unicode(false).utf8(false);
    let config = Regex::config().utf8_empty(false);
    Regex::builder().configure(config).syntax(bytes_only).build(pattern).expect("every pattern is tested")
}
