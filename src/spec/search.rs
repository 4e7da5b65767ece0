//! Words in, the documents that speak of them out, the best first.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::catalog::Catalog;
use super::index::beginning;
use crate::dialect::spec::Document;
use crate::dialect::spec::SectionSchema;
use crate::document::spec_id::is_id;
use crate::record::{Score, SpecRole};
use crate::search::{self, Analyser, words};

/// The fields of a document and what a word in each is worth.
const FIELDS: [(&str, u64); 7] =
    [("id", 8), ("spec_title", 5), ("llm_brief", 3), ("summary", 3), ("scope", 2), ("kind", 1), ("body", 1)];

/// Longer lines are cut.
const MAX_SNIPPET_CHARS: usize = 160;

#[derive(Debug, Serialize)]
pub struct Hit<'c> {
    pub id: &'c str,
    pub file: &'c str,
    pub kind: &'c str,
    pub scope: &'c str,
    pub role: SpecRole,
    pub spec_title: &'c str,
    /// Of what a document could have that says every word in every field.
    pub score: Score,
    /// The first line that says one of the words.
    pub snippet: String,
    pub matched_fields: Vec<&'static str>,
}

/// Documents of the roles that are asked for, at most so many.
pub fn search<'c>(
    catalog: &'c Catalog,
    schema: &SectionSchema,
    query: &str,
    roles: Option<&[SpecRole]>,
    limit: usize,
) -> Vec<Hit<'c>> {
    let analyser = Analyser::default();
    let asked: BTreeSet<String> = terms(&analyser, query).into_keys().collect();
    let of_role = |document: &&Document| roles.is_none_or(|roles| roles.contains(&document.role()));
    let documents = catalog.with_id().map(|(_, at)| &catalog.documents[at]).filter(of_role);
    let read: Vec<Read> = documents.map(|document| Read::new(document, schema, &analyser)).collect();
    let weights: Vec<(&String, u64)> = asked.iter().map(|term| (term, rarity(&read, term))).collect();
    let mut hits: Vec<Hit> = read.iter().filter_map(|read| read.hit(&analyser, &weights)).collect();
    hits.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.id.cmp(b.id)));
    hits.truncate(limit);
    hits
}

/// A document and how often each of its fields says each term.
struct Read<'c> {
    document: &'c Document,
    fields: Vec<BTreeMap<String, u64>>,
}

impl<'c> Read<'c> {
    fn new(document: &'c Document, schema: &SectionSchema, analyser: &Analyser) -> Self {
        let field = |(name, _): &(&'static str, u64)| {
            let section = |name: &str| beginning(document, schema, name).unwrap_or_default();
            match *name {
                "body" => terms(analyser, document.prose()),
                name @ ("llm_brief" | "summary") => terms(analyser, &section(name)),
                name => terms(analyser, document.word(name)),
            }
        };
        Read { document, fields: FIELDS.iter().map(field).collect() }
    }

    fn says(&self, term: &str) -> bool {
        self.fields.iter().any(|field| field.contains_key(term))
    }

    fn hit(&self, analyser: &Analyser, weights: &[(&String, u64)]) -> Option<Hit<'c>> {
        let (mut points, mut most) = (0, 0);
        let mut matched = BTreeSet::new();
        for (term, rarity) in weights {
            for (at, (field, (_, weight))) in self.fields.iter().zip(FIELDS).enumerate() {
                most += weight * rarity;
                if let Some(count) = field.get(*term) {
                    // The second time says less than the first.
                    points += weight * rarity * 2 * count / (2 * count + 1);
                    matched.insert(at);
                }
            }
        }
        let document = self.document;
        (points > 0).then(|| Hit {
            id: document.word("id"),
            file: document.path.as_str(),
            kind: document.word("kind"),
            scope: document.word("scope"),
            role: document.role(),
            spec_title: document.word("spec_title"),
            score: Score::millionths((points * 1_000_000 / most.max(1)) as u32),
            snippet: self.snippet(analyser, weights),
            matched_fields: matched.into_iter().map(|at| FIELDS[at].0).collect(),
        })
    }

    /// Of the text behind the front matter, else the title.
    fn snippet(&self, analyser: &Analyser, weights: &[(&String, u64)]) -> String {
        let says = |line: &&str| {
            let terms = terms(analyser, line);
            weights.iter().any(|(term, _)| terms.contains_key(*term))
        };
        let line = self.document.prose().lines().find(says).unwrap_or_else(|| self.document.word("spec_title"));
        line.trim().chars().take(MAX_SNIPPET_CHARS).collect()
    }
}

/// Millionths; what few documents say is worth more.
fn rarity(read: &[Read], term: &str) -> u64 {
    let with = read.iter().filter(|read| read.says(term)).count();
    (search::rarity(with, read.len()) * 1e6) as u64
}

/// How often a text says each term. An id is one term, beside its parts.
fn terms(analyser: &Analyser, text: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let ids = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).filter(|word| is_id(word));
    let parts = words(text).flat_map(|(_, word)| analyser.terms(word));
    for term in ids.map(str::to_string).chain(parts) {
        *counts.entry(term).or_default() += 1;
    }
    counts
}
