//! Packs against the lines that real fixes changed. Pure: rows, packs and files' lines in, figures out.
//!
//! A row is a question and its answer: the text of an issue, the files and lines that its fix changed. The
//! figures are those of the benchmark that the row format comes from.

mod row;
mod score;
mod summary;

pub use row::{Block, Row};
pub use score::{Outcome, score};
pub use summary::{Metric, Summary};
