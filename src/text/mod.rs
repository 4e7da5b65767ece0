//! Paths, spans, positions, escapes and token counts. Pure; knows neither records nor files.

mod bidi;
#[cfg(test)]
mod cpu_time;
mod counted;
mod escape;
mod fold;
mod line_index;
mod name_patterns;
mod path;
mod path_patterns;
mod redaction;
mod script;
mod span;
mod tokens;

pub use bidi::{bidi_controls, is_bidi_control};
pub use counted::counted;
#[cfg(test)]
pub use cpu_time::thread_seconds;
pub use escape::{disturbs_line, fence, one_line, shell_word};
pub use fold::fold;
pub use line_index::{LineIndex, line_count};
pub use name_patterns::NamePatterns;
pub use path::{PathError, RepoPath};
pub use path_patterns::{PathPatterns, PatternError};
pub use redaction::{REDACTED, REDACTED_FILL, may_be_redacted};
pub use script::is_unspaced;
pub use span::Span;
pub use tokens::{CountedText, Tokenizer, UnknownTokenizer};

#[cfg(test)]
mod tests;
