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

    /// What is like the question, each with the share that its blocks have of what is asked for together. `found_as` says
    /// with what a block is found, if it is, and the heading above that counts for it.
    pub fn units(&self, found_as: impl Fn(BlockNo) -> Option<(BlockNo, Option<BlockNo>)>) -> Vec<(BlockNo, Score)> {
        let mut places: FxHashMap<BlockNo, usize> = FxHashMap::default();
        let mut units: Vec<(BlockNo, Vec<Part>)> = Vec::new();
        for (block, parts) in self.shares.parts() {
            let Some((unit, heading)) = found_as(block) else { continue };
            let at = *places.entry(unit).or_insert_with(|| {
                units.push((unit, heading.map(|heading| self.shares.parts_of(heading).to_vec()).unwrap_or_default()));
                units.len() - 1
            });
            units[at].1.extend_from_slice(parts);
        }
        units.into_iter().map(|(unit, mut parts)| (unit, self.shares.together(&mut parts))).collect()
    }
}
