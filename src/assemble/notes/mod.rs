//! From topics to ranked notes: finds the notes that a topic means, walks from them along the edges of a lens, and
//! ranks what the walks reach. Replaces the engine's search and walk for briefs.

mod index;
mod rank;
mod reached;
mod score;
mod topic;
mod walk;
mod words;

pub use index::{NodeClass, NoteIndex};
pub use rank::{is_or_begins, plain_name};
pub use reached::{RankedNode, ReachedNotes, reach};
pub use topic::{Topic, find as find_topic};
pub use walk::{NoteStep, NoteWalk};
pub use words::unknown_words;
