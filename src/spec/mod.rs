//! Spec documents: markdown that gives itself an id and says what it traces to and what to read next. Pure:
//! texts in; an index, bundles, hits, an impact report, findings out.

mod bundle;
mod catalog;
mod document;
mod front_matter;
mod render;
mod schema;
mod section;
mod shelf;
mod walk;
mod yaml;

pub use bundle::bundle;
pub use catalog::{Catalog, Dangling, DocNo, Link, LinkKind, is_id};
pub use document::Document;
pub use render::render;
pub use schema::{FILE_NAME as SCHEMA_FILE_NAME, SectionSchema};
pub use yaml::YamlFault;

#[cfg(test)]
mod tests;
