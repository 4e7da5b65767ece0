//! Spec documents: markdown that gives itself an id and says what it traces to and what to read next. Pure:
//! texts in; an index, bundles, hits, an impact report, findings out.

mod account;
mod bundle;
mod catalog;
mod impact;
mod index;
mod lint;
mod prompt;
mod render;
mod search;
mod shelf;
mod walk;

pub use bundle::{bundle, bundle_id};
pub use catalog::{BrokenLink, Catalog, Code, DocNo, Link};
pub use impact::{Category, Impact, ImpactMode, ImpactNode, ImpactRequest, impact};
pub use index::{SpecIndex, SpecNode, index};
pub use lint::{Finding, lint};
pub use prompt::{Preset, Prompt, PromptItem, prompt};
pub use render::render;
pub use search::{Hit, search};

/// Goes up when the same documents, schema and request give another bundle.
///
/// 1: first version. 2: what is counted by a rule of thumb is never over the budget in truth.
/// 3: only a fence that is open is closed; more front matter is read;
/// links are between ids; rules of sections end with a word, and prefer what they name whole.
pub const RULESET_VERSION: u32 = 3;

#[cfg(test)]
mod tests;
