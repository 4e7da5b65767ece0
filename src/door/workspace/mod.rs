//! Context of a workspace: from a request and what one reader may see to a payload. Pure.

mod candidate;
mod entry;
mod history;
mod payload;
mod render;
mod section;
mod settings;
mod source;
mod summaries;
#[cfg(test)]
mod tests;
mod truncate;
mod validate;

pub use entry::{Entry, Found, PartFound, ShownBlock};
pub use payload::{estimate_tokens, payload};
pub use settings::{Hint, Profile, SettingsFault, WorkspaceSettings};
pub use summaries::{Summaries, WantedSummary, wanted_summaries};
pub use validate::validate;
