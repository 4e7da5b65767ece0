//! How like the question each block is, and which tasks meet its conditions.

use rustc_hash::FxHashMap;

use super::ask::{Part, Question, Shares};
use super::settings::SemanticLimits;
use crate::assemble::blocks::ReadableBlocks;
use crate::record::{BlockNo, Score};

/// Where the likeness of a task that meets all conditions begins. Its words count for the rest.
const MEETS: u32 = 900_000;

pub struct Likeness {
    scores: FxHashMap<BlockNo, Score>,
    /// What blocks have of each term.
    shares: Shares,
    /// The tasks that meet the conditions, in document order.
    meeting: Vec<BlockNo>,
}

impl Likeness {
    pub fn new(view: &ReadableBlocks, question: &Question) -> Self {
        let shares = question.shares(view);
        let mut scores: FxHashMap<BlockNo, Score> = shares.blocks().collect();
        let meeting = question.meeting(view);
        for task in &meeting {
            let score = scores.entry(*task).or_default();
            *score = Score::millionths(MEETS + score.in_millionths() / 10);
        }
        Likeness { scores, shares, meeting }
    }

    /// 0 if it has nothing of what is asked for.
    pub fn of(&self, block: BlockNo) -> Score {
        self.scores.get(&block).copied().unwrap_or_default()
    }

    /// The tasks that meet the conditions of the question. If it also asks by words, and some of them have these, only
    /// those that have not much less of them than the best: "open tasks of the campaign" asks for no others.
    pub fn meeting(&self, limits: &SemanticLimits) -> impl Iterator<Item = (BlockNo, Score)> {
        let words = |task: &BlockNo| Score::millionths((self.of(*task).in_millionths() - MEETS) * 10);
        let best = self.meeting.iter().map(words).max().unwrap_or_default();
        let least = if best >= limits.min_lexical { best.times(limits.relative_lexical) } else { Score::default() };
        let tasks = self.meeting.iter().copied().filter(move |task| words(task) >= least);
        tasks.map(|task| (task, self.of(task)))
    }

    /// What is like the question. `found_as` says with what a block is found, if it is, and which heading counts for it.
    /// Words that stand in one block say more than the same words in several, so a unit has the share of its best block
    /// and, of what all of them have together beyond that, a part.
    pub fn units(&self, scattered: Score, found_as: impl Fn(BlockNo) -> Option<FoundAs>) -> Vec<(BlockNo, Score)> {
        let mut places: FxHashMap<BlockNo, usize> = FxHashMap::default();
        let mut units: Vec<Unit> = Vec::new();
        for (block, parts) in self.shares.parts() {
            let Some(FoundAs { unit, heading }) = found_as(block) else { continue };
            let heading = heading.map_or(&[][..], |heading| self.shares.parts_of(heading));
            let score = self.shares.together([parts, heading]);
            match places.get(&unit) {
                Some(at) => units[*at].add(score, [parts, heading]),
                None => {
                    places.insert(unit, units.len());
                    units.push(Unit { block: unit, best: score, first: [parts, heading], all: Vec::new() });
                }
            }
        }
        units.into_iter().map(|unit| (unit.block, self.score(&unit, scattered))).collect()
    }

    fn score(&self, Unit { best, all, .. }: &Unit, scattered: Score) -> Score {
        let together = self.shares.together([all, &[]]).max(*best).in_millionths();
        let beyond = Score::millionths(together - best.in_millionths()).times(scattered);
        Score::millionths(best.in_millionths() + beyond.in_millionths())
    }
}

/// With what a block is found, and the heading above it.
pub struct FoundAs {
    pub unit: BlockNo,
    pub heading: Option<BlockNo>,
}

struct Unit<'l> {
    block: BlockNo,
    /// What its best block has.
    best: Score,
    /// What its first block has, by itself and by its heading.
    first: [&'l [Part]; 2],
    /// What all its blocks have; empty while there is only one.
    all: Vec<Part>,
}

impl<'l> Unit<'l> {
    fn add(&mut self, score: Score, parts: [&'l [Part]; 2]) {
        self.best = self.best.max(score);
        if self.all.is_empty() {
            self.all = self.first.concat();
        }
        self.all.extend(parts.into_iter().flatten());
    }
}
