//! What a view would show if it looked behind the reader's back. Only tests set it: a test that compares what two readers
//! get has to fail with each of these leaks, or it would not find a real one.

use super::words::Words;
use super::{MAX_PATH, NONE, ReadableBlocks};
use crate::record::{BlockNo, BlockType, ChunkNo};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// The number and the mean length of texts are of all blocks.
    Statistics,
    /// The words of hidden blocks count for what is in the same file.
    FileWords,
    /// A path has the titles of all ancestors.
    HiddenAncestors,
    /// A title that several blocks have means the first of all.
    CandidatesBeforeFilter,
    /// Blocks are in the order of their rows.
    RowNumbers,
    /// Hidden blocks are counted as candidates.
    HiddenCandidates,
    /// An id that is hidden is not the same as one that is not there.
    KnownIds,
    /// What is kept for one reader is given to another.
    SharedCache,
    /// Lengths are relative to the longest of all texts.
    FittedScale,
    /// Units have the size of all that is in them, and cards the column of the whole tree.
    WholeTree,
}

impl Leak {
    pub const ALL: [Leak; 10] = [
        Leak::Statistics,
        Leak::FileWords,
        Leak::HiddenAncestors,
        Leak::CandidatesBeforeFilter,
        Leak::RowNumbers,
        Leak::HiddenCandidates,
        Leak::KnownIds,
        Leak::SharedCache,
        Leak::FittedScale,
        Leak::WholeTree,
    ];
}

impl<'b> ReadableBlocks<'b> {
    pub fn with_leak(self, leak: Option<Leak>) -> Self {
        ReadableBlocks { leak, ..self }
    }

    pub(super) fn leaks(&self, leak: Leak) -> bool {
        self.leak == Some(leak)
    }

    /// How many blocks the reader may not see, if that leaks.
    pub fn leaked_candidates(&self) -> u32 {
        let hidden = self.all().filter(|block| !self.is_readable(*block)).count();
        if self.leaks(Leak::HiddenCandidates) { hidden as u32 } else { 0 }
    }

    fn all(&self) -> impl Iterator<Item = BlockNo> + use<> {
        (0..self.forms.len() as u32).map(BlockNo)
    }

    fn parent_of_all(&self, block: BlockNo) -> Option<BlockNo> {
        self.blocks.parents(block).map(|(parent, _)| parent).next()
    }

    fn ancestors_of_all(&self, block: BlockNo) -> impl Iterator<Item = BlockNo> {
        std::iter::successors(self.parent_of_all(block), |above| self.parent_of_all(*above)).take(MAX_PATH)
    }

    pub(super) fn path_of_all(&self, block: BlockNo) -> Vec<&'b str> {
        let mut titles: Vec<&str> = self.ancestors_of_all(block).filter_map(|above| self.blocks.title(above)).collect();
        titles.reverse();
        titles
    }

    /// The column that a card stands in, hidden or not, if that leaks.
    pub(super) fn column_of_all(&self, block: BlockNo) -> Option<BlockNo> {
        let is_column = |block: &BlockNo| self.block_type(*block) == BlockType::KanbanColumn;
        let is_card = self.block_type(block) == BlockType::KanbanCard;
        (is_card && self.leaks(Leak::WholeTree)).then(|| self.ancestors_of_all(block).find(is_column))?
    }

    /// The tokens of a block and of the hidden blocks right below it.
    pub(super) fn tokens_with_hidden(&self, block: BlockNo) -> u32 {
        let is_below = |child: &BlockNo| !self.is_readable(*child) && self.parent_of_all(*child) == Some(block);
        let hidden: u32 = self.all().filter(is_below).map(|child| self.blocks.tokens(child)).sum();
        self.blocks.tokens(self.form(block)) + hidden
    }

    pub(super) fn first_titled(&self, folded: &str) -> Option<Vec<BlockNo>> {
        if !self.leaks(Leak::CandidatesBeforeFilter) {
            return None;
        }
        let all: Vec<BlockNo> = self.blocks.titled(folded).map(|row| self.blocks.block_of(row)).collect();
        let first = all.first().filter(|first| self.is_readable(**first));
        (all.len() > 1).then(|| first.copied().into_iter().collect())
    }

    fn chunk_of_all(&self, block: BlockNo) -> Option<ChunkNo> {
        self.blocks.chunk(block).filter(|chunk| chunk.index() < self.corpus.chunk_count())
    }

    pub(super) fn leak_statistics(&self, words: &mut Words) {
        if self.leaks(Leak::Statistics) {
            let lengths = self.all().filter_map(|block| Some(self.corpus.facts(self.chunk_of_all(block)?).words));
            let (count, sum) = lengths.fold((0, 0), |(count, sum), length| (count + 1, sum + length));
            (words.texts, words.mean) = (count, (f64::from(sum) / count.max(1) as f64).max(1.0));
        }
    }

    /// How often a term stands in hidden blocks of a block's file, if that leaks.
    pub(super) fn leaked_count(&self, term: &str, block: BlockNo, shown: &[u32]) -> u32 {
        if !self.leaks(Leak::FileWords) {
            return 0;
        }
        let hidden: Vec<ChunkNo> = self
            .all()
            .filter(|other| !self.is_readable(*other) && self.file(*other) == self.file(block))
            .filter_map(|other| self.chunk_of_all(other))
            .filter(|chunk| shown[chunk.index()] == NONE)
            .collect();
        let all = self.corpus.postings(term).flat_map(|(first, postings)| {
            postings.map(move |posting| (ChunkNo(first.0 + posting.chunk), posting.count))
        });
        all.filter(|(chunk, _)| hidden.contains(chunk)).map(|(_, count)| count).sum()
    }

    /// How long a text is in hundredths of the longest of all, if that leaks.
    pub(super) fn leaked_words(&self, block: BlockNo) -> Option<u32> {
        if !self.leaks(Leak::FittedScale) {
            return None;
        }
        let length = |chunk: ChunkNo| self.corpus.facts(chunk).words;
        let longest = self.all().filter_map(|block| Some(length(self.chunk_of_all(block)?))).max()?;
        Some(length(self.chunk(block)?) * 100 / longest.max(1))
    }
}
