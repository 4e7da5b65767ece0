//! Reads the chunks that may contain a text of the query.

use super::IndexView;
use crate::search::{Literal, Query, Suspects, join_matches};

/// The texts of a query that stand in chunks. The number of chunks that are read is bounded. A chunk that cannot be read
/// contains nothing here; showing it reports the error.
pub fn find(view: &IndexView, query: &Query) -> Vec<Literal> {
    let suspects = Suspects::find(view.corpus(), query);
    let found = suspects.all.iter().filter_map(|suspect| {
        let chunk = view.chunk(suspect.chunk).ok()?;
        Some((*suspect, suspects.lines[suspect.line].compare(&chunk.text)?))
    });
    join_matches(view.corpus(), &found.collect::<Vec<_>>())
}
