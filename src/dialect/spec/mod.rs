//! Spec documents: reads their front matter, and matches their sections with the rules of the section schema.

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
