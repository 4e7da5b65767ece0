//! Paths, spans and positions. Pure; knows nothing of records or files.

mod line_index;
mod path;
mod span;

pub use line_index::{LineIndex, line_count};
pub use path::{PathError, RepoPath};
pub use span::Span;

#[cfg(test)]
mod tests;
