//! How like the question each block is, and which tasks meet its conditions.

use rustc_hash::FxHashMap;

use super::ask::{Judgement, Question};
use crate::assemble::blocks::ReadableBlocks;
use crate::record::{BlockNo, Score};

/// Where the likeness of a task that meets all conditions begins. Its words count for the rest.
const MEETS: u32 = 900_000;

pub struct Likeness {
    scores: FxHashMap<BlockNo, Score>,
    /// The blocks with a score, in document order.
    blocks: Vec<BlockNo>,
}

impl Likeness {
    pub fn new(view: &ReadableBlocks, question: &Question) -> Self {
        let found = question.likeness(view);
        let mut blocks: Vec<BlockNo> = found.iter().map(|(block, _)| *block).collect();
        let mut scores: FxHashMap<BlockNo, Score> = found.into_iter().collect();
        for task in question.meeting(view) {
            let score = scores.entry(task).or_default();
            *score = Score::millionths(MEETS + score.in_millionths() / 10);
            blocks.push(task);
        }
        blocks.sort_unstable_by_key(|block| view.place(*block));
        blocks.dedup();
        Likeness { scores, blocks }
    }

    /// 0 if it has nothing of what is asked for.
    pub fn of(&self, block: BlockNo) -> Score {
        self.scores.get(&block).copied().unwrap_or_default()
    }

    /// The blocks that are like the question, and do not fail its conditions, in document order.
    pub fn matching<'l>(
        &'l self,
        view: &'l ReadableBlocks,
        question: &'l Question,
        min: Score,
    ) -> impl Iterator<Item = (BlockNo, Score)> {
        let scored = self.blocks.iter().map(|block| (*block, self.of(*block)));
        scored.filter(move |(block, score)| *score >= min && question.judge(view, *block) != Judgement::Fails)
    }
}
