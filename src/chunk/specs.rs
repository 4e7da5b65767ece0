//! What a text has to do with spec documents: the ids that code names, and the rules of a document's sections.

use super::Source;
use super::layer::Layer;
use crate::dialect::spec::{Document, SectionSchema, section_rules};
use crate::document::spec_id::ids_in;
use crate::language::Mention;
use crate::record::{Digest, Kind, Role};

/// Adds the ids that code names to its facts. A fence in a document is an example and implements nothing.
pub fn add_mentions<'t>(source: &Source<'t>, whole: &mut Layer<'t>) {
    if whole.is_code {
        let named = ids_in(source.text).map(|span| Mention::new(Role::Trace, span.text(source.text), span));
        whole.facts.mentions.extend(named);
    }
}

/// The spec document that a text is, if it is one.
pub fn document(source: &Source) -> Option<Document> {
    let is_markdown = source.language.is_some_and(|language| language.id() == "markdown");
    // Most texts have no front matter; they are not copied.
    if !is_markdown || !source.text.starts_with("---") {
        return None;
    }
    Document::read(source.path.clone(), source.text.to_string(), Digest::sha256(source.text.as_bytes()))
}

/// Makes the rule of a section its type, as the role of a document is the type of its id.
pub fn mark_sections(document: &Document, whole: &mut Layer, schema: &SectionSchema) {
    if !whole.facts.definitions.iter().any(|definition| definition.kind == Kind::Spec) {
        return;
    }
    let rules = section_rules(document, schema);
    for section in whole.facts.definitions.iter_mut().filter(|definition| definition.kind == Kind::Section) {
        section.value_type = rules.get(&section.name_span.start).map(|rule| rule.clone().into());
    }
}
