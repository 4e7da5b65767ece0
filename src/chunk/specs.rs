//! What a text has to do with spec documents: the ids that code names, and the rules of a document's sections.

use std::collections::BTreeMap;

use super::Source;
use super::layer::Layer;
use crate::dialect::spec::{SectionSchema, match_sections};
use crate::document::spec_id::ids_in;
use crate::language::Mention;
use crate::record::{Item, Role, Symbol};

/// Adds the ids that code names to its facts. A fence in a document is an example and implements nothing.
pub fn add_mentions<'t>(source: &Source<'t>, whole: &mut Layer<'t>) {
    if whole.is_code {
        let named = ids_in(source.text).map(|span| Mention::new(Role::Trace, span.text(source.text), span));
        whole.facts.mentions.extend(named);
    }
}

/// Makes the rule of a section its type, as the role of a document is the type of its id.
pub fn mark_sections(items: &[Item], symbols: &mut [Symbol], schema: &SectionSchema) {
    let Some((document, sections)) = items.split_first().filter(|(document, _)| is_spec(document)) else {
        return;
    };
    let sections: Vec<&Item> = sections.iter().collect();
    let matched = match_sections(document.word("kind"), &sections, schema);
    let rules: BTreeMap<&str, &str> =
        matched.iter().map(|section| (section.item.node_id.as_str(), section.rule.id.as_str())).collect();
    for symbol in symbols {
        if let Some(rule) = rules.get(symbol.symbol_id.as_str()) {
            symbol.value_type = Some(rule.to_string());
        }
    }
}

fn is_spec(document: &Item) -> bool {
    document.kind == "spec" && document.field("id").is_some()
}
