//! The terms that a request asks for, and what each counts: those of its query, of an earlier message, and of what the
//! user looks at.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::intents::Asked;
use super::phrases::Words;
use crate::door::workspace::settings::SemanticLimits;
use crate::record::Score;
use crate::record::workspace::{ContextRequest, MessageRole, RequestType};
use crate::search::{Analyser, words};

/// The word behind one of these says what the user looks at.
const POINTING: [&str; 2] = ["this", "these"];
/// In a chat a query with fewer terms goes on with what was asked before.
const MIN_CHAT_TERMS: usize = 2;
/// What the terms of an earlier message count.
const EARLIER: Score = Score::percent(50);

/// Pronouns, numerals and helping verbs that questions are made with. They name nothing, so they ask only where there is
/// no other word. What the index itself leaves out is not here.
const ASKING: [&str; 24] = [
    "anybody",
    "anyone",
    "anything",
    "else",
    "ever",
    "every",
    "everyone",
    "everything",
    "get",
    "got",
    "let",
    "many",
    "may",
    "might",
    "much",
    "must",
    "please",
    "shall",
    "somebody",
    "someone",
    "something",
    "still",
    "want",
    "yet",
];

/// Terms, with what each counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted(BTreeMap<String, Score>);

impl Wanted {
    /// The terms of a query outside of some places, which are in order.
    pub fn of_query(query: &str, silent: Vec<Range<usize>>) -> Self {
        let (mut wanted, mut start) = (Wanted(BTreeMap::new()), 0);
        for place in silent {
            wanted.add(terms(query.get(start..place.start).unwrap_or_default()), Score::ONE);
            start = start.max(place.end);
        }
        wanted.add(terms(&query[start..]), Score::ONE);
        wanted.without_asking()
    }

    fn without_asking(self) -> Self {
        let asking: BTreeSet<String> = ASKING.into_iter().flat_map(terms).collect();
        let named: BTreeMap<String, Score> =
            self.0.iter().filter(|(term, _)| !asking.contains(*term)).map(|(term, one)| (term.clone(), *one)).collect();
        if named.is_empty() { self } else { Wanted(named) }
    }

    /// A chat goes on with the last thing that the user said, if the query alone says little.
    pub fn with_earlier(mut self, request: &ContextRequest) -> Self {
        let goes_on = request.request_type == RequestType::Chat && self.0.len() < MIN_CHAT_TERMS;
        let messages = request.conversation_history.iter().rev();
        let earlier = messages.filter(|message| goes_on && message.role == MessageRole::User).take(1);
        self.add(earlier.flat_map(|message| terms(&message.content)), EARLIER);
        self
    }

    /// What the user looks at asks, too, but not in a search: by its title, or without one by the beginning of its text.
    pub fn with_focus(mut self, request_type: RequestType, title: &str, text: &str, limits: &SemanticLimits) -> Self {
        if request_type == RequestType::Search {
            return self;
        }
        let mut asking: BTreeSet<String> = terms(title).collect();
        if asking.is_empty() {
            asking = first_terms(text, limits.focus_terms as usize);
        }
        self.add(asking, limits.focus_weight);
        self
    }

    /// Of several weights of a term the highest counts.
    fn add(&mut self, terms: impl IntoIterator<Item = String>, weight: Score) {
        for term in terms {
            let known = self.0.entry(term).or_insert(weight);
            *known = weight.max(*known);
        }
    }

    /// By term.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Score)> {
        self.0.iter().map(|(term, weight)| (term.as_str(), *weight))
    }
}

/// Where words of a query stand that do not ask for other blocks with these words, in order: the words of conditions, the
/// word for the tasks that conditions choose from, and those that point at what the user looks at.
pub fn silent(query: &Words, asked: &[Asked]) -> Vec<Range<usize>> {
    let has_condition = asked.iter().any(|asked| asked.intent.row.is_condition());
    let is_used =
        |asked: &&Asked| asked.intent.row.is_condition() || (has_condition && asked.intent.row.asks_for_tasks);
    let used = asked.iter().filter(is_used).flat_map(Asked::places);
    let mut places: Vec<_> = used.chain(query.behind(&POINTING)).collect();
    places.sort_by_key(|place| place.start);
    places
}

/// The terms of a text in its order. A term may be there several times.
pub fn terms(text: &str) -> impl Iterator<Item = String> {
    let analyser = Analyser::default();
    words(text).flat_map(move |(_, word)| analyser.terms(word))
}

fn first_terms(text: &str, count: usize) -> BTreeSet<String> {
    let (mut first, mut rest) = (BTreeSet::new(), terms(text));
    while first.len() < count
        && let Some(term) = rest.next()
    {
        first.insert(term);
    }
    first
}
