//! What one reader may see of a workspace. This is the only way from an index to the blocks of a payload: whatever is
//! collected, counted or compared behind it was readable, so nothing else can have an influence.

mod forest;
#[cfg(test)]
mod leak;
mod links;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod words;
mod written;

use std::sync::OnceLock;

use crate::graph::blocks::{Blocks, Flags, Moment};
use crate::record::{BlockNo, BlockType, Date, Reader};
use crate::search::Corpus;

use forest::Forest;

pub use crate::record::LinkKind;
#[cfg(test)]
pub use leak::Leak;
pub use links::{ReadableActivity, ReadableLink};
#[cfg(test)]
pub use testing::{TestIndex, reader, with_blocks, with_files};
pub use words::Match;
pub use written::WrittenBlocks;

/// The blocks of a workspace that one reader may see. Blocks that are hidden are as blocks that are not there: no
/// method gives them, counts them or depends on them.
pub struct ReadableBlocks<'b> {
    blocks: &'b Blocks<'b>,
    corpus: &'b Corpus<'b>,
    /// For each block the row that holds what the reader sees of it: its own, or a labelled form. [`NONE`] if hidden.
    forms: Vec<u32>,
    forest: Forest,
    /// The words of chunks, built when words are looked for.
    words: OnceLock<words::Words>,
    /// By position: the kanban column that each block is in. Built when cards are looked at.
    columns: OnceLock<Vec<u32>>,
    reader: Reader,
    #[cfg(test)]
    leak: Option<Leak>,
}

const NONE: u32 = u32::MAX;
/// How many titles a path has.
const MAX_PATH: usize = 64;

impl<'b> ReadableBlocks<'b> {
    /// Keeps what a reader may see.
    pub fn of(blocks: &'b Blocks<'b>, corpus: &'b Corpus<'b>, reader: &Reader) -> Self {
        let is_open: Vec<bool> = blocks.audiences().iter().map(|audience| reader.may_read(audience)).collect();
        let may_read = |row: BlockNo| is_open[blocks.class(row)];
        let all = (0..blocks.count() as u32).map(BlockNo);
        let form = |block: BlockNo| {
            let label = || blocks.labels(block).find(|(label, database)| may_read(*label) && may_read(*database));
            if may_read(block) { label().map_or(block.0, |(label, _)| label.0) } else { NONE }
        };
        let forms: Vec<u32> = all.map(form).collect();
        let forest = Forest::new(blocks, &forms);
        ReadableBlocks {
            blocks,
            corpus,
            forms,
            forest,
            words: OnceLock::new(),
            columns: OnceLock::new(),
            reader: reader.clone(),
            #[cfg(test)]
            leak: None,
        }
    }

    /// Who the reader is, as a text. A cache has to keep answers under it: no reader may get the answer of another.
    pub fn reader_key(&self) -> String {
        #[cfg(test)]
        if self.leaks(Leak::SharedCache) {
            return String::new();
        }
        match &self.reader {
            Reader::Operator => "operator".to_string(),
            Reader::As(principals) => principals.iter().map(|one| format!("as {one}\n")).collect(),
        }
    }

    /// What there is to say of an id that leads to no block: the same for blocks that are hidden and blocks that are not
    /// there.
    pub fn absence(&self, id: &str) -> &'static str {
        #[cfg(test)]
        if self.leaks(Leak::KnownIds) && self.blocks.with_id(id).next().is_some() {
            return "the block with this id may not be read";
        }
        let _ = id;
        "no block with this id can be read"
    }

    pub fn count(&self) -> usize {
        self.forest.order.len()
    }

    /// All blocks in document order: each before what is in it. Roots stand by id.
    pub fn in_order(&self) -> &[BlockNo] {
        &self.forest.order
    }

    /// Its position in [`ReadableBlocks::in_order`].
    pub fn place(&self, block: BlockNo) -> u32 {
        self.forest.places[block.index()]
    }

    /// A number that rises in document order.
    pub fn document_order(&self, block: BlockNo) -> u32 {
        #[cfg(test)]
        if self.leaks(Leak::RowNumbers) {
            return block.0;
        }
        self.place(block)
    }

    /// Everything below a block in document order, without itself.
    pub fn below(&self, block: BlockNo) -> &[BlockNo] {
        let place = self.place(block) as usize;
        &self.forest.order[place + 1..self.forest.ends[place] as usize]
    }

    /// What follows the first block of a list in document order. Unless that block is entered, what is below it is left
    /// out. The list may end in the middle of what is below.
    pub fn behind<'l>(&self, list: &'l [BlockNo], is_entered: bool) -> &'l [BlockNo] {
        let Some(first) = list.first() else { return list };
        let passed = if is_entered { 1 } else { 1 + self.below(*first).len() };
        list.get(passed..).unwrap_or_default()
    }

    /// The titles from the root down to its parent; of a longer chain the nearest [`MAX_PATH`].
    pub fn path(&self, block: BlockNo) -> Vec<&'b str> {
        #[cfg(test)]
        if self.leaks(Leak::HiddenAncestors) {
            return self.path_of_all(block);
        }
        let around = std::iter::successors(self.parent(block), |above| self.parent(*above));
        let mut titles: Vec<&str> = around.filter_map(|above| self.title(above)).take(MAX_PATH).collect();
        titles.reverse();
        titles
    }

    pub fn parent(&self, block: BlockNo) -> Option<BlockNo> {
        Some(self.forest.parents[block.index()]).filter(|parent| *parent != NONE).map(BlockNo)
    }

    pub fn children(&self, block: BlockNo) -> Vec<BlockNo> {
        let (mut all, end) = (Vec::new(), self.forest.ends[self.place(block) as usize]);
        let mut place = self.place(block) + 1;
        while place < end {
            all.push(self.forest.order[place as usize]);
            place = self.forest.ends[place as usize];
        }
        all
    }

    pub fn roots(&self) -> &[BlockNo] {
        &self.forest.roots
    }

    pub fn id(&self, block: BlockNo) -> &'b str {
        self.blocks.id(block)
    }

    pub fn block_type(&self, block: BlockNo) -> BlockType {
        self.blocks.block_type(block)
    }

    pub fn title(&self, block: BlockNo) -> Option<&'b str> {
        self.blocks.title(self.form(block))
    }

    /// What it says. Of a row with the labels of its database, if the reader may see that.
    pub fn text(&self, block: BlockNo) -> &'b str {
        self.blocks.text(self.form(block))
    }

    /// How many tokens its text has.
    pub fn tokens(&self, block: BlockNo) -> u32 {
        #[cfg(test)]
        if self.leaks(Leak::WholeTree) {
            return self.tokens_with_hidden(block);
        }
        self.blocks.tokens(self.form(block))
    }

    pub fn created(&self, block: BlockNo) -> Option<Date> {
        self.blocks.created(block)?.to_date()
    }

    pub fn modified(&self, block: BlockNo) -> Option<Date> {
        self.blocks.modified(block)?.to_date()
    }

    pub fn due(&self, block: BlockNo) -> Option<Date> {
        self.due_moment(block)?.to_date()
    }

    pub fn modified_seconds(&self, block: BlockNo) -> Option<i64> {
        self.blocks.modified(block).map(|moment| moment.seconds)
    }

    pub fn due_seconds(&self, block: BlockNo) -> Option<i64> {
        self.due_moment(block).map(|moment| moment.seconds)
    }

    fn due_moment(&self, block: BlockNo) -> Option<Moment> {
        self.blocks.due(self.form(block))
    }

    /// A todo, a card, or a row of a database whose rows are due.
    pub fn is_task(&self, block: BlockNo) -> bool {
        match self.block_type(block) {
            BlockType::Todo | BlockType::KanbanCard => true,
            BlockType::DbRow => self.blocks.flags(self.form(block)).has(Flags::KNOWS_DONE),
            _ => false,
        }
    }

    /// Whether a task is done. A card is if its column says so.
    pub fn done(&self, block: BlockNo) -> Option<bool> {
        let flags = self.blocks.flags(self.form(block));
        let is_done = flags.has(Flags::DONE) || self.column(block).is_some_and(|column| self.holds_done(column));
        self.is_task(block).then_some(is_done)
    }

    /// The kanban column that a card is in.
    pub fn column(&self, block: BlockNo) -> Option<BlockNo> {
        #[cfg(test)]
        if let Some(column) = self.column_of_all(block) {
            return Some(column);
        }
        let columns = self.columns.get_or_init(|| self.find_columns());
        let is_card = self.block_type(block) == BlockType::KanbanCard;
        Some(columns[self.place(block) as usize]).filter(|column| is_card && *column != NONE).map(BlockNo)
    }

    /// By position: the nearest kanban column at or above each block, on the same page.
    fn find_columns(&self) -> Vec<u32> {
        let mut columns: Vec<u32> = Vec::with_capacity(self.count());
        for block in self.in_order() {
            let around = || self.parent(*block).map_or(NONE, |parent| columns[self.place(parent) as usize]);
            columns.push(match self.block_type(*block) {
                BlockType::KanbanColumn => block.0,
                BlockType::Page | BlockType::Database | BlockType::KanbanBoard => NONE,
                _ => around(),
            });
        }
        columns
    }

    /// Of a kanban column: the cards in it are done.
    pub fn holds_done(&self, block: BlockNo) -> bool {
        self.blocks.flags(block).has(Flags::HOLDS_DONE)
    }

    /// Whether it says itself that it is done, or not.
    pub fn own_done(&self, block: BlockNo) -> Option<bool> {
        let flags = self.blocks.flags(self.form(block));
        flags.has(Flags::KNOWS_DONE).then(|| flags.has(Flags::DONE))
    }

    pub fn priority(&self, block: BlockNo) -> Option<&'b str> {
        self.blocks.priority(self.form(block))
    }

    pub fn assignees(&self, block: BlockNo) -> Vec<&'b str> {
        self.blocks.assignees(self.form(block)).collect()
    }

    pub fn is_assigned_to(&self, block: BlockNo, assignee: &str) -> bool {
        self.blocks.assignees(self.form(block)).any(|one| one == assignee)
    }

    pub fn created_by(&self, block: BlockNo) -> Option<&'b str> {
        self.blocks.author(block)
    }

    pub fn tags(&self, block: BlockNo) -> Vec<&'b str> {
        self.blocks.tags(block).collect()
    }

    pub fn aliases(&self, block: BlockNo) -> Vec<&'b str> {
        self.blocks.aliases(block).collect()
    }

    pub fn is_archived(&self, block: BlockNo) -> bool {
        self.blocks.flags(block).has(Flags::ARCHIVED)
    }

    pub fn is_template(&self, block: BlockNo) -> bool {
        self.blocks.flags(block).has(Flags::TEMPLATE)
    }

    /// Of a list: its items are numbered.
    pub fn is_ordered(&self, block: BlockNo) -> bool {
        self.blocks.flags(block).has(Flags::ORDERED)
    }

    /// Of code.
    pub fn language(&self, block: BlockNo) -> Option<&'b str> {
        self.blocks.language(block)
    }

    /// The database of a row.
    pub fn database(&self, block: BlockNo) -> Option<BlockNo> {
        let form = self.form(block);
        self.blocks.labels(block).find(|(label, _)| *label == form).map(|(_, database)| database)
    }

    /// The file that it is in, as a number that only tells files apart.
    pub fn file(&self, block: BlockNo) -> u32 {
        self.blocks.file(block)
    }

    /// The latest date at which a block was changed or made. If none says, the latest date at which one is due.
    pub fn newest(&self) -> Option<Date> {
        let latest =
            |of: &dyn Fn(BlockNo) -> Option<Moment>| self.in_order().iter().filter_map(|block| of(*block)).max();
        let made = |block| self.blocks.modified(block).max(self.blocks.created(block));
        latest(&made).or_else(|| latest(&|block| self.due_moment(block)))?.to_date()
    }

    /// The block with an id; of several the first.
    pub fn block_with_id(&self, id: &str) -> Option<BlockNo> {
        self.blocks.with_id(id).find(|block| self.is_readable(*block))
    }

    /// The blocks with a title; without any, those that have it as another name. In document order.
    pub fn blocks_titled(&self, title: &str) -> Vec<BlockNo> {
        let folded = crate::text::fold(title);
        #[cfg(test)]
        if let Some(first) = self.first_titled(&folded) {
            return first;
        }
        let mut found: Vec<BlockNo> = self.blocks.titled(&folded).filter_map(|row| self.shown_as(row)).collect();
        if found.is_empty() {
            found.extend(self.blocks.also_titled(&folded).filter(|block| self.is_readable(*block)));
        }
        found.sort_unstable_by_key(|block| self.place(*block));
        found.dedup();
        found
    }

    fn is_readable(&self, block: BlockNo) -> bool {
        self.forms[block.index()] != NONE
    }

    /// The row that holds what the reader sees of a block.
    fn form(&self, block: BlockNo) -> BlockNo {
        BlockNo(self.forms[block.index()])
    }

    /// The block that a row shows to the reader, if it is the one that they see.
    fn shown_as(&self, row: BlockNo) -> Option<BlockNo> {
        let block = self.blocks.block_of(row);
        (self.forms[block.index()] == row.0).then_some(block)
    }
}
