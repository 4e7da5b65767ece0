//! The section schema (DATA-901): which headings of which kinds of document are sections of which rule.

use crate::document::heading::Fit;
use crate::document::yaml::{self, Node, YamlFault};
use crate::record::{Digest, Item};

/// The schema of trees that have none.
const DEFAULT: &str = include_str!("default_schema.yaml");

/// What the tree's own schema is called.
pub const FILE_NAME: &str = "spec_section_schema.yaml";

/// The last four are for people.
const RULE_KEYS: &str =
    "id, kinds, heading, required, multiple, tool_source, order, short_desc, body_hint, llm_hint, notes";

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
        root.check_keys("version, rules, options, kinds, scopes")?;
        let options = root.get("options");
        options.map_or(Ok(()), |node| node.check_keys("allow_extra_sections, default_tool_source"))?;
        let is_shown = options.and_then(|node| node.get("default_tool_source")).map_or(Ok(false), Node::flag)?;
        let rules = root.get("rules").ok_or(YamlFault::new(1, "it has no rules"))?;
        let rules = rules.items().ok_or(YamlFault::new(rules.line, "a list of rules is expected here"))?;
        let rules = rules.iter().map(|node| rule(node, is_shown)).collect::<Result<Vec<_>, _>>()?;
        let words = |key| root.get(key).map(Node::words).transpose();
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

    /// How it fits a section's heading. Numbers and markup do not matter.
    pub fn fit(&self, section: &Item) -> Option<Fit> {
        let names = || section.aliases.first().into_iter().chain([&section.title]);
        let best = self.texts.iter().flat_map(|text| names().filter_map(|name| Fit::of(text, name))).min()?;
        (self.level == section.depth && (self.prefix || best == Fit::Whole)).then_some(best)
    }
}

fn rule(node: &Node, is_shown: bool) -> Result<Rule, YamlFault> {
    let fault = |reason: &'static str| YamlFault::new(node.line, reason);
    node.check_keys(RULE_KEYS)?;
    let id = node.get("id").and_then(Node::text).ok_or(fault("a rule has no id"))?;
    let heading = node.get("heading").ok_or(fault("a rule has no heading"))?;
    heading.check_keys("level, text, match")?;
    let texts = heading.get("text").map(Node::words).transpose()?.filter(|texts| !texts.is_empty());
    let prefix = match heading.get("match").and_then(Node::text) {
        None | Some("exact") => false,
        Some("prefix") => true,
        Some(_) => return Err(fault("a match is `exact` or `prefix`")),
    };
    let flag = |key, otherwise| node.get(key).map_or(Ok(otherwise), Node::flag);
    Ok(Rule {
        id: id.to_string(),
        kinds: node.get("kinds").map(Node::words).transpose()?.unwrap_or_else(|| vec!["*".to_string()]),
        level: heading.get("level").map_or(Ok(2), Node::number)?,
        texts: texts.ok_or(fault("a rule's heading has no text"))?,
        prefix,
        required: flag("required", false)?,
        multiple: flag("multiple", false)?,
        tool_source: flag("tool_source", is_shown)?,
        order: node.get("order").map_or(Ok(u32::MAX), Node::number)?,
    })
}
