//! Paths, spans, positions and token counts. Pure; knows nothing of records or files.

mod bidi;
mod line_index;
mod path;
mod shell;
mod span;
mod tokens;

pub use bidi::{bidi_controls, is_bidi_control};
pub use line_index::{LineIndex, line_count};
pub use path::{PathError, RepoPath};
pub use shell::shell_word;
pub use span::Span;
pub use tokens::{Tokenizer, UnknownTokenizer};

#[cfg(test)]
mod tests;
