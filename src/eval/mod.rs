//! Measures packs against the lines that real fixes changed. Pure: rows, packs and lines of files in, figures out.
//!
//! A row is a question and its answer: the text of an issue, and the files and lines that its fix changed. The
//! figures are computed exactly as in the benchmark that the row format comes from.

mod row;
mod reading;
mod tree_file;
mod score;
mod metric;
mod summary;
mod saved;
mod bootstrap;
mod compare;
mod context;
mod curve;
mod examples;
#[cfg(test)]
mod tests;

pub use compare::{Change, Comparison, EditChange, compare};
pub use context::{ContextOutcome, ContextRow, ContextSummary, Mean, context_outcome};
pub use curve::{BUDGETS, svg};
pub use examples::{Examples, Header};
pub use metric::Metric;
pub use reading::ReadText;
pub use row::{Block, LineFault, Row, read_rows};
pub use saved::{SavedRow, read_saved, saved_line};
pub use score::{Outcome, score};
pub use summary::Summary;
pub use tree_file::TreeFile;
