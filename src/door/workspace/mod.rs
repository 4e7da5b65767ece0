//! Context of a workspace: from a request and what one reader may see to a payload. Pure.

mod ask;
mod entry;
mod settings;

pub use ask::{Intents, Judgement, Question};
pub use entry::{Entry, Found, PartFound, ShownBlock};
pub use settings::{Hint, Profile, SettingsFault, WorkspaceSettings};
