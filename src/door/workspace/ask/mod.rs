//! What a request asks for: intents and conditions by the words of its query, and blocks that are like it. Pure, and it
//! sees only what the reader may see.

mod conditions;
mod intents;
mod likeness;
mod phrases;
mod titles;
mod wanted;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::blocks::ReadableBlocks;
use crate::record::workspace::ContextRequest;
use crate::record::{BlockNo, BlockType, Date, Score};

use super::Profile;
use conditions::Conditions;
use intents::Asked;
use likeness::Likeness;
use phrases::Words;
use wanted::Wanted;

pub use conditions::Judgement;
pub use intents::Intents;
pub use likeness::{Part, Shares};

/// The stems of words that ask for what is usually left out.
const ARCHIVED: [&str; 2] = ["archiv", "templat"];
/// How well types fit that nobody asks for, and those that the request prioritises.
const OTHER_TYPE: Score = Score::percent(50);
const PRIORITIZED_TYPE: Score = Score::percent(95);

/// What a request asks for, as far as the reader's blocks know its words.
#[derive(Clone, Debug)]
pub struct Question {
    terms: BTreeSet<String>,
    intents: Vec<String>,
    asks_for_archived: bool,
    conditions: Conditions,
    types: TypeWeights,
    wanted: Wanted,
    key: String,
}

/// How well types of blocks fit.
#[derive(Clone, Debug, Default)]
struct TypeWeights {
    by_type: BTreeMap<BlockType, Score>,
    /// Of all tasks.
    tasks: Option<Score>,
}

impl Question {
    /// `focus`: what the user looks at, if they may see it. `focus_text`: what it says with all that is in it; used if it
    /// has no title. `today`: the day of the request in its own time zone.
    pub fn new(
        view: &ReadableBlocks,
        request: &ContextRequest,
        profile: &Profile,
        intents: &Intents,
        focus: Option<BlockNo>,
        focus_text: &str,
        today: Date,
    ) -> Question {
        let query = Words::new(&request.query);
        let asked = intents.asked(&query, &request.hints.prioritize_types);
        let title = focus.and_then(|focus| view.title(focus)).unwrap_or_default();
        let focus_text = focus.map_or("", |_| focus_text);
        let wanted = Wanted::of_query(&request.query, wanted::silent(&query, &asked)).with_earlier(request);
        let wanted = wanted.with_focus(request.request_type, title, focus_text, &profile.semantic);
        let conditions = Conditions::new(&asked, request.user.as_ref(), &today);
        Question {
            key: format!("{wanted:?} {conditions:?}"),
            terms: wanted::terms(&request.query).collect(),
            intents: asked.iter().map(|asked| asked.intent.name.clone()).collect(),
            asks_for_archived: ARCHIVED.iter().any(|stem| query.has_stem(stem)),
            conditions,
            types: TypeWeights::new(&asked, &request.hints.prioritize_types),
            wanted,
        }
    }

    /// The terms of the query.
    pub fn terms(&self) -> &BTreeSet<String> {
        &self.terms
    }

    /// Of everything that decides how like it a block is, for one reader of one index.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The names of the intents that hold, sorted.
    pub fn intents(&self) -> &[String] {
        &self.intents
    }

    /// Whether the query has a form of "archive" or "template".
    pub fn asks_for_archived(&self) -> bool {
        self.asks_for_archived
    }

    /// What every block whose text has a term has of what is asked for. There is no threshold.
    pub fn shares(&self, view: &ReadableBlocks) -> Shares {
        Likeness::new(view, &self.wanted).shares(view)
    }

    /// What the conditions of the query say of a block.
    pub fn judge(&self, view: &ReadableBlocks, block: BlockNo) -> Judgement {
        self.conditions.judge(view, block)
    }

    /// Every task that meets the conditions, in document order. Without conditions none.
    pub fn meeting(&self, view: &ReadableBlocks) -> Vec<BlockNo> {
        self.conditions.meeting(view)
    }

    /// How well the type of a block fits what is asked for.
    pub fn type_match(&self, view: &ReadableBlocks, block: BlockNo) -> Score {
        self.types.of(view, block)
    }
}

impl TypeWeights {
    fn new(asked: &[Asked], prioritized: &[BlockType]) -> Self {
        let mut weights = TypeWeights::default();
        let types = asked.iter().flat_map(|asked| &asked.intent.row.types).map(|(one, weight)| (*one, *weight));
        let prioritized = prioritized.iter().map(|one| (*one, PRIORITIZED_TYPE));
        for (block_type, weight) in types.chain(prioritized) {
            let known = weights.by_type.entry(block_type).or_insert(weight);
            *known = weight.max(*known);
        }
        weights.tasks = asked.iter().filter_map(|asked| asked.intent.row.tasks).max();
        weights
    }

    /// The best of what is said of a block.
    fn of(&self, view: &ReadableBlocks, block: BlockNo) -> Score {
        let own = self.by_type.get(&view.block_type(block)).copied();
        let as_task = self.tasks.filter(|_| view.is_task(block));
        own.max(as_task).unwrap_or(OTHER_TYPE)
    }
}
