//! Words of readable blocks: how often, in which, and how long these are. Hidden blocks are not counted anywhere.

use super::{NONE, ReadableBlocks};
use crate::record::{BlockNo, ChunkNo};
use crate::search::terms::Field;

/// A block that contains a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    pub block: BlockNo,
    /// How often the term stands in its text.
    pub count: u32,
    pub in_title: bool,
}

/// Where the words of readable blocks are.
pub(super) struct Words {
    /// The block that each chunk shows to the reader.
    blocks: Vec<u32>,
    pub(super) texts: usize,
    pub(super) mean: f64,
}

impl Words {
    fn new(blocks: &ReadableBlocks) -> Self {
        let mut all = Words { blocks: vec![NONE; blocks.corpus.chunk_count()], texts: 0, mean: 1.0 };
        let mut words = 0u64;
        for (block, chunk) in blocks.in_order().iter().filter_map(|block| Some((*block, blocks.chunk(*block)?))) {
            all.blocks[chunk.index()] = block.0;
            all.texts += 1;
            words += u64::from(blocks.corpus.facts(chunk).words);
        }
        all.mean = (words as f64 / all.texts.max(1) as f64).max(1.0);
        #[cfg(test)]
        blocks.leak_statistics(&mut all);
        all
    }
}

impl ReadableBlocks<'_> {
    /// The blocks that contain a term, in the order of the index.
    pub fn matches(&self, term: &str) -> Vec<Match> {
        let words = self.counted();
        let mut found = Vec::new();
        for (first, postings) in self.corpus.postings(term) {
            for posting in postings {
                let chunk = ChunkNo(first.0 + posting.chunk);
                let block = words.blocks[chunk.index()];
                if block != NONE {
                    let in_title = posting.has(Field::Signature);
                    let count = posting.count;
                    #[cfg(test)]
                    let count = count + self.leaked_count(term, BlockNo(block), &words.blocks);
                    found.push(Match { block: BlockNo(block), count, in_title });
                }
            }
        }
        found
    }

    /// How many words it says.
    pub fn words(&self, block: BlockNo) -> u32 {
        #[cfg(test)]
        if let Some(words) = self.leaked_words(block) {
            return words;
        }
        self.chunk(block).map_or(0, |chunk| self.corpus.facts(chunk).words)
    }

    /// How many blocks say something.
    pub fn text_count(&self) -> usize {
        self.counted().texts
    }

    /// How many words a block has that says something.
    pub fn mean_words(&self) -> f64 {
        self.counted().mean
    }

    fn counted(&self) -> &Words {
        self.words.get_or_init(|| Words::new(self))
    }

    pub(super) fn chunk(&self, block: BlockNo) -> Option<ChunkNo> {
        self.blocks.chunk(self.form(block)).filter(|chunk| chunk.index() < self.corpus.chunk_count())
    }
}
