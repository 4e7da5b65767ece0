//! Spec documents: what their front matter says, and which of their sections are of which rule of the section schema.

mod annotate;
mod front_matter;
mod schema;
mod section;

#[cfg(test)]
mod tests;

pub use annotate::{annotate, read};
pub use front_matter::{Link, REQUIRED, links};
pub use schema::{FILE_NAME as SCHEMA_FILE_NAME, Rule, SectionSchema};
pub use section::{Section, match_sections};
