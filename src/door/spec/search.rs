//! Finds documents that contain the words of a query, the best first. Uses the ranking of the engine.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::library::{DocNo, Library};
use crate::assemble::seeds::ranked;
use crate::assemble::{Question, ReadError};
use crate::record::request::{Focus, SeedMode, SeedProvider};
use crate::record::{Score, SpecRole};
use crate::search::{Analyser, words};

/// Fields of a document that a hit may list, besides the body.
const FIELDS: [&str; 4] = ["id", "spec_title", "scope", "kind"];
const SECTIONS: [&str; 2] = ["llm_brief", "summary"];
/// Longer lines are cut.
const MAX_SNIPPET_CHARS: usize = 160;

#[derive(Debug, Serialize)]
pub struct Hit<'v> {
    pub id: &'v str,
    pub file: &'v str,
    pub kind: &'v str,
    pub scope: &'v str,
    pub role: SpecRole,
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
    let mut found: Vec<(Score, DocNo)> = scores(library, query)
        .into_iter()
        .filter(|(document, _)| roles.is_none_or(|roles| roles.contains(&library.documents[*document].role())))
        .map(|(document, score)| (score, document))
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| id(library, a.1).cmp(id(library, b.1))).then(a.1.cmp(&b.1)));
    found.truncate(limit);
    let terms = Terms::new(query);
    found.into_iter().map(|(score, document)| hit(library, document, score, &terms)).collect()
}

fn id<'v>(library: &Library<'v>, document: DocNo) -> &'v str {
    library.documents[document].id()
}

/// The score of each document's best chunk, relative to the best document. Documents whose id is in the query have 1.
fn scores(library: &Library, query: &str) -> BTreeMap<DocNo, Score> {
    let focus = Focus::default();
    let question = Question { query, focus: &focus, mode: SeedMode::Prose, provider: SeedProvider::Sparse };
    let corpus = library.view.corpus();
    let mut scores: BTreeMap<DocNo, f64> = BTreeMap::new();
    ranked(library.view, &question, |answer, _| {
        for hit in &answer.hits {
            let path = corpus.path(corpus.file_of(hit.chunk));
            if let Some(document) = library.of_file(path).filter(|document| !id(library, *document).is_empty()) {
                let best = scores.entry(document).or_default();
                *best = best.max(hit.score);
            }
        }
    });
    let best = scores.values().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut scores: BTreeMap<DocNo, Score> = scores
        .into_iter()
        .map(|(document, score)| (document, Score::millionths((score / best * 1e6) as u32)))
        .collect();
    let (named, _) = library.seeds(&query.split_whitespace().map(str::to_string).collect::<Vec<_>>());
    scores.extend(named.into_iter().map(|document| (document, Score::ONE)));
    scores
}

fn hit<'v>(library: &Library<'v>, document: DocNo, score: Score, terms: &Terms) -> Result<Hit<'v>, ReadError> {
    let text = &library.documents[document];
    let mut matched: Vec<&'static str> = FIELDS.into_iter().filter(|field| terms.occur_in(text.word(field))).collect();
    for rule in SECTIONS {
        let beginning = library.beginning(document, rule, super::index::MAX_LINES)?;
        matched.extend(beginning.filter(|beginning| terms.occur_in(beginning)).map(|_| rule));
    }
    let body = library.body(document, text.item)?;
    let line = body.lines().find(|line| terms.occur_in(line));
    matched.extend(line.map(|_| "body"));
    let snippet = line.unwrap_or_else(|| text.word("spec_title"));
    Ok(Hit {
        id: text.id(),
        file: text.file(),
        kind: text.word("kind"),
        scope: text.word("scope"),
        role: text.role(),
        spec_title: text.word("spec_title"),
        score,
        snippet: snippet.trim().chars().take(MAX_SNIPPET_CHARS).collect(),
        matched_fields: matched,
    })
}

/// The terms of a query, for finding them in a document.
struct Terms {
    analyser: Analyser,
    terms: BTreeSet<String>,
}

impl Terms {
    fn new(query: &str) -> Self {
        let analyser = Analyser::default();
        let terms = words(query).flat_map(|(_, word)| analyser.terms(word)).collect();
        Terms { analyser, terms }
    }

    fn occur_in(&self, text: &str) -> bool {
        words(text).flat_map(|(_, word)| self.analyser.terms(word)).any(|term| self.terms.contains(&term))
    }
}
