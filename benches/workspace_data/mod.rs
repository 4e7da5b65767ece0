//! Generated workspaces of any size. The same size and seed give the same bytes on every machine; nothing is kept.

#[path = "../notes_data/random.rs"]
mod random;

pub use random::Random;
