//! Finds documents that contain the words of a query, the best first. Uses the ranking of the engine.

use std::cmp::Reverse;

use serde::Serialize;

use super::library::{Header, Library};
use crate::assemble::{DocNo, Document, ReadError};
use crate::record::{Score, SpecRole};
use crate::search::TermSet;

/// Fields of a document that a hit may list, besides the body.
const FIELDS: [&str; 4] = ["id", "spec_title", "scope", "kind"];
const SECTIONS: [&str; 2] = ["llm_brief", "summary"];
/// Longer lines are cut.
const MAX_SNIPPET_CHARS: usize = 160;

#[derive(Debug, Serialize)]
pub struct Hit<'v> {
    #[serde(flatten)]
    pub header: Header<'v>,
    pub spec_title: &'v str,
    /// Relative to the best hit.
    pub score: Score,
    /// The first line that contains one of the words.
    pub snippet: String,
    pub matched_fields: Vec<&'static str>,
}

/// Documents with the requested roles, at most `limit`.
pub fn search<'v>(
    library: &Library<'v>,
    query: &str,
    roles: Option<&[SpecRole]>,
    limit: usize,
) -> Result<Vec<Hit<'v>>, ReadError> {
    let documents = &library.documents;
    let is_wanted = |id: &str| roles.is_none_or(|roles| roles.contains(&SpecRole::of_id(id)));
    let mut found: Vec<(DocNo, Score)> = documents.ranked(query).into_iter().collect();
    found.retain(|(document, _)| is_wanted(documents[*document].id));
    found.sort_by_key(|(document, score)| (Reverse(*score), documents[*document].id, *document));
    found.truncate(limit);
    let terms = TermSet::new(query);
    found.into_iter().map(|(document, score)| hit(library, &documents[document], score, &terms)).collect()
}

fn hit<'v>(
    library: &Library<'v>,
    document: &Document<'v>,
    score: Score,
    terms: &TermSet,
) -> Result<Hit<'v>, ReadError> {
    let item = document.item;
    let mut matched_fields: Vec<&'static str> =
        FIELDS.into_iter().filter(|field| terms.occurs_in(item.word(field))).collect();
    for rule in SECTIONS {
        let summary = library.summary(document, rule)?;
        matched_fields.extend(summary.filter(|summary| terms.occurs_in(summary)).map(|_| rule));
    }
    let body = document.body(item)?;
    let line = body.lines().find(|line| terms.occurs_in(line));
    matched_fields.extend(line.map(|_| "body"));
    let spec_title = item.word("spec_title");
    let snippet = line.unwrap_or(spec_title).trim().chars().take(MAX_SNIPPET_CHARS).collect();
    Ok(Hit { header: Header::new(document), spec_title, score, snippet, matched_fields })
}
