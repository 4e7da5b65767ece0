//! Context of a workspace: from a request and what one reader may see to a payload. Pure.

mod activity;
mod affinity;
mod apart;
mod ask;
mod cache;
mod candidate;
mod collect;
mod content;
mod entry;
mod find;
mod gather;
mod history;
mod likeness;
mod now;
mod outline;
mod payload;
mod render;
mod scope;
mod score;
mod section;
mod settings;
mod source;
mod summaries;
mod summary;
mod truncate;
mod validate;

pub use ask::{Intents, Judgement, Question};
pub use cache::{CacheCounts, SearchCache};
pub use entry::{Entry, Found, PartFound, ShownBlock};
pub use find::{find, find_cached};
pub use payload::{estimate_tokens, payload};
pub use settings::{Hint, Profile, SettingsFault, WorkspaceSettings};
pub use summaries::{Summaries, WantedSummary, wanted_summaries};
pub use validate::validate;

#[cfg(test)]
mod payload_tests;
#[cfg(test)]
mod tests;
