//! Generated workspaces of any size, and what people ask of them. The same size and seed give the same bytes on every
//! machine; nothing is kept.

mod content;
mod line;
mod parts;
mod questions;
#[path = "../notes_data/random.rs"]
mod random;
mod vocabulary;
mod world;

pub use questions::{questions, replay};
pub use random::Random;
pub use world::{Generated, Size, User, generate};
