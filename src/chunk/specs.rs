//! What a text has to do with spec documents: the rules of its sections, and the ids that code names.

use super::Source;
use super::layer::Layer;
use crate::dialect::spec::{SectionSchema, sections_of};
use crate::document::spec_id::ids_in;
use crate::language::Mention;
use crate::record::{Kind, Role};

/// Adds it to the facts of the whole text. A fence in a document is an example and implements nothing.
pub fn annotate<'t>(source: &Source<'t>, whole: &mut Layer<'t>, schema: &SectionSchema) {
    if whole.is_code {
        let named = ids_in(source.text).map(|span| Mention::new(Role::Trace, span.text(source.text), span));
        whole.facts.mentions.extend(named);
    } else if whole.facts.definitions.iter().any(|definition| definition.kind == Kind::Spec) {
        mark_sections(source, whole, schema);
    } else {
        {}
    }
}

/// The rule of a section is its type, as the role of a document is its.
fn mark_sections(source: &Source, whole: &mut Layer, schema: &SectionSchema) {
    let rules = sections_of(source.path, source.text, schema);
    for section in whole.facts.definitions.iter_mut().filter(|definition| definition.kind == Kind::Section) {
        section.value_type = rules.get(&section.name_span.start).map(|rule| rule.clone().into());
    }
}
