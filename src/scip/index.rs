//! What is kept of a SCIP index: documents, occurrences, symbols. Texts, docs and diagnostics are not.

use std::sync::Arc;

use serde::Serialize;

use super::{Location, PositionEncoding, SymbolKind, column_in_utf16};
use crate::text::RepoPath;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScipIndex {
    /// Name and version of the tool that made it.
    pub tool: String,
    /// Sorted by path; no path twice.
    pub documents: Vec<Document>,
    /// Sorted by text, then by document. An occurrence's symbol is its position here.
    pub symbols: Vec<Symbol>,
    pub dropped: Dropped,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub path: RepoPath,
    pub encoding: PositionEncoding,
    /// Sorted; none twice.
    pub occurrences: Vec<Occurrence>,
}

/// Half-open, 0-based lines, columns in the document's own encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    pub start: (u32, u32),
    pub end: (u32, u32),
    pub symbol: u32,
    /// A set of the bits that SCIP calls symbol roles.
    pub roles: i32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    pub text: Arc<str>,
    pub kind: SymbolKind,
    /// The document that a local symbol is local to.
    pub document: Option<RepoPath>,
    /// Sorted; none twice.
    pub relationships: Vec<Relationship>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relationship {
    pub symbol: u32,
    pub is_implementation: bool,
    pub is_reference: bool,
    pub is_type_definition: bool,
    pub is_definition: bool,
}

/// What an index held that could not be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Dropped {
    /// Documents whose path does not lead into the tree.
    pub outside_documents: u32,
    /// Second copies of a document that count columns in another way than the first.
    pub conflicting_documents: u32,
    /// Occurrences without a range, with a negative one, or beyond the text of their line.
    pub misplaced_occurrences: u32,
}

const DEFINITION: i32 = 1;

impl Occurrence {
    pub fn is_definition(&self) -> bool {
        self.roles & DEFINITION != 0
    }

    /// Where it starts. Holds for columns in UTF-16.
    pub fn place(&self, file: &RepoPath) -> Location {
        Location { file: file.clone(), line: self.start.0.saturating_add(1), column: self.start.1 }
    }
}

impl ScipIndex {
    /// For each symbol, where it is defined, sorted. Holds for columns in UTF-16.
    pub fn definitions(&self) -> Vec<Vec<Location>> {
        let mut places = vec![Vec::new(); self.symbols.len()];
        for document in &self.documents {
            for occurrence in document.occurrences.iter().filter(|occurrence| occurrence.is_definition()) {
                places[occurrence.symbol as usize].push(occurrence.place(&document.path));
            }
        }
        for places in &mut places {
            places.dedup();
        }
        places
    }

    /// Whether all columns are in UTF-16 already, so that they can be joined with the sites of records.
    pub fn counts_utf16(&self) -> bool {
        self.documents.iter().all(|document| document.encoding.counts_utf16())
    }

    /// Recounts all columns in UTF-16. `line_text` gives the text of a 0-based line of a file; an occurrence
    /// on a line that it does not know, or beyond the end of one, is dropped and counted.
    pub fn in_utf16<'t>(mut self, line_text: impl Fn(&RepoPath, u32) -> Option<&'t str>) -> Self {
        let dropped = &mut self.dropped.misplaced_occurrences;
        for document in self.documents.iter_mut().filter(|document| !document.encoding.counts_utf16()) {
            let (path, encoding) = (&document.path, document.encoding);
            let recount = |(line, column): (u32, u32)| match column {
                0 => Some((line, 0)),
                _ => Some((line, column_in_utf16(line_text(path, line)?, column, encoding)?)),
            };
            document.occurrences.retain_mut(|occurrence| {
                let recounted = recount(occurrence.start).zip(recount(occurrence.end));
                *dropped += u32::from(recounted.is_none());
                recounted.map(|(start, end)| (occurrence.start, occurrence.end) = (start, end)).is_some()
            });
            document.encoding = PositionEncoding::Utf16;
        }
        self
    }
}
