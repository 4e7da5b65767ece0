//! The section schema (DATA-901): which headings of which kinds of document are sections of which rule.

use super::section::Heading;
use crate::document::yaml::{self, Node, Value, YamlFault};
use crate::record::Digest;
use crate::text::is_unspaced;

/// The schema of trees that have none.
const DEFAULT: &str = include_str!("default_schema.yaml");

/// What the tree's own schema is called.
pub const FILE_NAME: &str = "spec_section_schema.yaml";

/// The last four are for people.
const RULE_KEYS: [&str; 11] = [
    "id",
    "kinds",
    "heading",
    "required",
    "multiple",
    "tool_source",
    "order",
    "short_desc",
    "body_hint",
    "llm_hint",
    "notes",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSchema {
    /// In the order of the text.
    pub rules: Vec<Rule>,
    /// Kinds and scopes that documents may be of; absent where the schema does not say.
    pub kinds: Option<Vec<String>>,
    pub scopes: Option<Vec<String>>,
    /// Of its text.
    pub hash: Digest,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub id: String,
    /// `*` is every kind.
    pub kinds: Vec<String>,
    pub level: u32,
    /// Any of these.
    pub texts: Vec<String>,
    pub prefix: bool,
    pub required: bool,
    pub multiple: bool,
    /// Whether bundles show it.
    pub tool_source: bool,
    pub order: u32,
}

impl SectionSchema {
    pub fn builtin() -> Self {
        SectionSchema::parse(DEFAULT).expect("the built-in schema is one")
    }

    pub fn parse(text: &str) -> Result<Self, YamlFault> {
        let root = yaml::parse(text, 1)?;
        check_keys(&root, &["version", "rules", "options", "kinds", "scopes"])?;
        let options = root.get("options");
        options.map_or(Ok(()), |node| check_keys(node, &["allow_extra_sections", "default_tool_source"]))?;
        let shown = flag(options, "default_tool_source", false)?;
        let rules = root.get("rules").ok_or(YamlFault::new(1, "it has no rules"))?;
        let rules = rules.items().ok_or(YamlFault::new(rules.line, "a list of rules is expected here"))?;
        let rules = rules.iter().map(|node| rule(node, shown)).collect::<Result<Vec<_>, _>>()?;
        let words = |key| root.get(key).map(words).transpose();
        let hash = Digest::sha256(text.as_bytes());
        Ok(SectionSchema { rules, kinds: words("kinds")?, scopes: words("scopes")?, hash })
    }

    /// The rules for documents of a kind: one that names the kind takes the place of one of its id for all.
    pub fn rules_of(&self, kind: &str) -> Vec<&Rule> {
        let named = |rule: &&Rule| rule.names(kind);
        let shadowed = |rule: &Rule| self.rules.iter().filter(named).any(|other| other.id == rule.id);
        let general = |rule: &&Rule| rule.kinds.iter().any(|kind| kind == "*") && !shadowed(rule);
        self.rules.iter().filter(|rule| named(rule) || general(rule)).collect()
    }
}

impl Rule {
    /// Whether it is for this very kind.
    pub fn names(&self, kind: &str) -> bool {
        self.kinds.iter().any(|named| named == kind)
    }

    /// A heading's number and its markup do not matter, nor does the rule's number.
    pub fn fit(&self, heading: &Heading) -> Option<Fit> {
        let names = [heading.name, heading.words];
        let fit = |text: &String| {
            names
                .iter()
                .flat_map(|name| [fit(text, name), fit(without_number(text), without_number(name))])
                .flatten()
                .min()
        };
        let best = self.texts.iter().filter_map(fit).min()?;
        (self.level == heading.level && (self.prefix || best == Fit::Whole)).then_some(best)
    }
}

/// How a rule's text fits a heading, the better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    Whole,
    Beginning,
}

/// A beginning ends where a word does, in scripts that show where that is.
fn fit(text: &str, name: &str) -> Option<Fit> {
    let rest = name.strip_prefix(text)?;
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    if rest.is_empty() {
        Some(Fit::Whole)
    } else if in_word(text.chars().next_back()) && in_word(rest.chars().next()) {
        None
    } else {
        Some(Fit::Beginning)
    }
}

/// `4. Summary`, `4.1 Summary`, `４．概要`, `(4) Summary`, `第4章 概要` and `④ 概要` without what counts them.
pub fn without_number(name: &str) -> &str {
    let name = name.trim();
    let is_count = |c: char| c.is_ascii_digit() || matches!(c, '０'..='９' | '①'..='⑳');
    let start = name.trim_start_matches(['(', '（', '第']);
    if !start.starts_with(is_count) {
        return name;
    }
    let counted = start.trim_start_matches(|c: char| is_count(c) || ".．-)）、:：".contains(c));
    let rest = if name.starts_with('第') {
        counted.strip_prefix(['章', '節', '部', '条', '項']).unwrap_or(counted)
    } else {
        counted
    };
    let rest = rest.trim_start();
    if rest.is_empty() { name } else { rest }
}

/// Refuses keys that mean nothing, which are most often misspelt.
fn check_keys(node: &Node, known: &[&str]) -> Result<(), YamlFault> {
    let Value::Map(entries) = &node.value else { return Ok(()) };
    match entries.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        Some((key, node)) => Err(YamlFault::new(node.line, format!("`{key}` is none of {}", known.join(", ")))),
        None => Ok(()),
    }
}

fn rule(node: &Node, shown: bool) -> Result<Rule, YamlFault> {
    let fault = |reason: &'static str| YamlFault::new(node.line, reason);
    check_keys(node, &RULE_KEYS)?;
    let id = node.get("id").and_then(Node::text).ok_or(fault("a rule has no id"))?;
    let heading = node.get("heading").ok_or(fault("a rule has no heading"))?;
    check_keys(heading, &["level", "text", "match"])?;
    let texts = heading.get("text").map(words).transpose()?.filter(|texts| !texts.is_empty());
    let prefix = match heading.get("match").and_then(Node::text) {
        None | Some("exact") => false,
        Some("prefix") => true,
        Some(_) => return Err(fault("a match is `exact` or `prefix`")),
    };
    Ok(Rule {
        id: id.to_string(),
        kinds: node.get("kinds").map(words).transpose()?.unwrap_or_else(|| vec!["*".to_string()]),
        level: number(heading, "level", 2)?,
        texts: texts.ok_or(fault("a rule's heading has no text"))?,
        prefix,
        required: flag(Some(node), "required", false)?,
        multiple: flag(Some(node), "multiple", false)?,
        tool_source: flag(Some(node), "tool_source", shown)?,
        order: number(node, "order", u32::MAX)?,
    })
}

fn words(node: &Node) -> Result<Vec<String>, YamlFault> {
    let fault = YamlFault::new(node.line, "words are expected here");
    let items = node.items().ok_or(fault.clone())?;
    items.iter().map(|item| item.text().map(str::to_string).ok_or(fault.clone())).collect()
}

fn flag(node: Option<&Node>, key: &str, otherwise: bool) -> Result<bool, YamlFault> {
    match node.and_then(|node| node.get(key)) {
        None => Ok(otherwise),
        Some(Node { value: Value::Text(text), .. }) if text == "true" => Ok(true),
        Some(Node { value: Value::Text(text), .. }) if text == "false" => Ok(false),
        Some(Node { line, .. }) => Err(YamlFault::new(*line, "`true` or `false` is expected here")),
    }
}

fn number(node: &Node, key: &str, otherwise: u32) -> Result<u32, YamlFault> {
    let Some(node) = node.get(key) else { return Ok(otherwise) };
    let number = node.text().and_then(|text| text.parse().ok());
    number.ok_or(YamlFault::new(node.line, "a whole number is expected here"))
}
