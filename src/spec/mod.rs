//! Spec documents: markdown that gives itself an id and says what it traces to and what to read next. Pure:
//! texts in; an index, bundles, hits, an impact report, findings out.

mod bundle;
mod catalog;
mod document;
pub mod front_matter;
mod id;
mod impact;
mod index;
mod lint;
mod prompt;
mod render;
mod schema;
mod search;
mod section;
mod shelf;
mod walk;
mod yaml;

pub use bundle::{bundle, bundle_id};
pub use catalog::{Catalog, Code, Dangling, DocNo, Link};
pub use document::Document;
pub use front_matter::LinkKind;
pub use id::{ids_in, is_id};
pub use impact::{Category, Impact, ImpactMode, ImpactNode, ImpactRequest, impact};
pub use index::{SpecIndex, SpecNode, index};
pub use lint::{Finding, lint};
pub use prompt::{Preset, Prompt, PromptItem, prompt};
pub use render::render;
pub use schema::{FILE_NAME as SCHEMA_FILE_NAME, SectionSchema};
pub use search::{Hit, search};
pub use section::sections_of;
pub use yaml::YamlFault;

/// Goes up when the same documents, schema and request give another bundle.
///
/// 1: first version. 2: what is counted by a rule of thumb is never over the budget in truth.
/// 3: only a fence that is open is closed; more front matter is read;
/// links are between ids; rules of sections end with a word, and prefer what they name whole.
pub const RULESET_VERSION: u32 = 3;

#[cfg(test)]
mod tests;
