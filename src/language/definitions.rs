//! Patterns for the node kinds that a table lists as definitions.
//!
//! A table says only that a node is a definition; what names it and where its body starts is asked of
//! the grammar, because a pattern that cannot match makes the whole query fail.

use tree_sitter::Query;

use super::table::{LanguageError, LanguageRule};
use crate::record::Kind;

/// The patterns of a table's definitions, for the grammar that reads its files.
pub fn definitions_query(
    rule: &LanguageRule,
    grammar: Option<&tree_sitter::Language>,
) -> Result<String, LanguageError> {
    let mut query = String::new();
    for (node, kind) in &rule.definitions {
        let grammar = grammar.ok_or_else(|| LanguageError::NoGrammar { id: rule.id.clone() })?;
        if grammar.id_for_node_kind(node, true) == 0 {
            return Err(LanguageError::UnknownNode { id: rule.id.clone(), node: node.clone() });
        }
        let patterns = Patterns { grammar, node, capture: format!("@def.{}", kind_word(*kind)) };
        let names = patterns.names();
        if names.is_empty() {
            return Err(LanguageError::NamelessNode { id: rule.id.clone(), node: node.clone() });
        }
        query.extend(names);
        query.extend(patterns.fitting("body: (_) @body"));
    }
    Ok(query)
}

fn kind_word(kind: Kind) -> String {
    let word = serde_json::to_value(kind).expect("a kind is a word");
    word.as_str().unwrap_or_default().to_string()
}

/// The patterns for one node kind.
struct Patterns<'g> {
    grammar: &'g tree_sitter::Language,
    node: &'g str,
    capture: String,
}

impl Patterns<'_> {
    /// By the field `name`; where there is none, by the first child if it is a name, or by the name
    /// that follows modifiers; where there are none of these either, by any child that is a name.
    fn names(&self) -> Vec<String> {
        if let Some(by_field) = self.fitting("name: (_) @name") {
            return vec![by_field];
        }
        let Some(name) = self.children(is_name_kind) else { return Vec::new() };
        let first = self.fitting(&format!(". {name} @name"));
        let modifiers = self.children(is_modifier_kind);
        let modified = modifiers.and_then(|modifiers| self.fitting(&format!("{modifiers} . {name} @name")));
        let found: Vec<String> = first.into_iter().chain(modified).collect();
        if found.is_empty() { self.fitting(&format!("{name} @name")).into_iter().collect() } else { found }
    }

    /// The kinds of children that the node can have and that are asked for, as one choice.
    fn children(&self, wanted: fn(&str) -> bool) -> Option<String> {
        let ids = (0..self.grammar.node_kind_count() as u16).filter(|id| self.grammar.node_kind_is_named(*id));
        let mut kinds: Vec<&str> = ids.filter_map(|id| self.grammar.node_kind_for_id(id)).collect();
        kinds.retain(|kind| wanted(kind) && self.fitting(&format!("({kind})")).is_some());
        kinds.sort_unstable();
        kinds.dedup();
        (!kinds.is_empty()).then(|| format!("[({})]", kinds.join(") (")))
    }

    /// The pattern, if the grammar has anything that could match it.
    fn fitting(&self, inside: &str) -> Option<String> {
        let pattern = format!("({} {inside}) {}\n", self.node, self.capture);
        Query::new(self.grammar, &pattern).is_ok().then_some(pattern)
    }
}

fn is_name_kind(kind: &str) -> bool {
    kind.ends_with("identifier")
        || kind.ends_with("name")
        || kind.ends_with("key")
        || matches!(kind, "word" | "constant")
}

fn is_modifier_kind(kind: &str) -> bool {
    ["modifier", "annotation", "attribute", "decorator", "visibility"].iter().any(|word| kind.contains(word))
}
