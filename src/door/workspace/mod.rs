//! Context of a workspace: from a request and what one reader may see to a payload. Pure.

mod activity;
mod affinity;
mod ask;
mod collect;
mod content;
mod entry;
mod find;
mod gather;
mod likeness;
mod now;
mod outline;
mod scope;
mod score;
mod settings;
mod summary;

pub use ask::{Intents, Judgement, Question};
pub use entry::{Entry, Found, PartFound, ShownBlock};
pub use find::find;
pub use settings::{Hint, Profile, SettingsFault, WorkspaceSettings};

#[cfg(test)]
mod tests;
