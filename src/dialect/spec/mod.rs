//! Spec documents: what their front matter says, and which of their sections are of which rule of the section schema.

mod annotate;
mod document;
pub mod front_matter;
mod schema;
mod section;

#[cfg(test)]
mod tests;

pub use annotate::annotate;
pub use document::{Document, Head};
pub use front_matter::{FieldValue, FrontMatter, LinkKind, REQUIRED};
pub use schema::{FILE_NAME as SCHEMA_FILE_NAME, Rule, SectionSchema, without_number};
pub use section::{Heading, Matched, match_sections, section_rules};
