//! Which terms of a question stand in the titles around blocks: in that of the page that a block is on, and in those of
//! the containers between them.

use rustc_hash::FxHashMap;

use crate::assemble::blocks::{Match, ReadableBlocks};
use crate::record::{BlockClass, BlockNo};

/// Each block is looked at once, however deep it is.
pub struct Titles<'v, 'b> {
    view: &'v ReadableBlocks<'b>,
    /// The terms in the titles of containers, ascending.
    own: FxHashMap<BlockNo, Vec<u32>>,
    /// Sets of terms, ascending. The first is empty.
    sets: Vec<Vec<u32>>,
    /// By place in the document: the number of the set of the titles around a block. [`UNKNOWN`] until it is asked for.
    around: Vec<u32>,
}

const UNKNOWN: u32 = u32::MAX;
const NO_TERMS: u32 = 0;

impl<'v, 'b> Titles<'v, 'b> {
    /// `matches` has the blocks that contain each term.
    pub fn new<'m>(view: &'v ReadableBlocks<'b>, matches: impl Iterator<Item = &'m [Match]>) -> Self {
        let mut own: FxHashMap<BlockNo, Vec<u32>> = FxHashMap::default();
        let is_container = |block: BlockNo| view.block_type(block).class() == BlockClass::Container;
        for (term, matches) in (0..).zip(matches) {
            for found in matches.iter().filter(|found| found.in_title && is_container(found.block)) {
                own.entry(found.block).or_default().push(term);
            }
        }
        let places = if own.is_empty() { 0 } else { view.count() };
        Titles { view, own, sets: vec![Vec::new()], around: vec![UNKNOWN; places] }
    }

    /// The terms in the titles around a block. The page of a page is itself.
    pub fn around(&mut self, block: BlockNo) -> &[u32] {
        let set = if self.own.is_empty() { NO_TERMS } else { self.set(block) };
        &self.sets[set as usize]
    }

    fn set(&mut self, block: BlockNo) -> u32 {
        let (mut open, mut next, mut set) = (Vec::new(), Some(block), NO_TERMS);
        while let Some(block) = next {
            set = self.around[self.view.place(block) as usize];
            if set != UNKNOWN {
                break;
            }
            open.push(block);
            (set, next) = (NO_TERMS, self.view.parent(block).filter(|_| !self.is_page(block)));
        }
        while let Some(block) = open.pop() {
            set = self.set_below(set, block);
            self.around[self.view.place(block) as usize] = set;
        }
        set
    }

    /// The set of a block, if `set` is that of its parent.
    fn set_below(&mut self, set: u32, block: BlockNo) -> u32 {
        match self.view.parent(block) {
            _ if self.is_page(block) => self.with(NO_TERMS, block),
            Some(parent) if !self.is_page(parent) => self.with(set, parent),
            _ => set,
        }
    }

    /// A set with the terms in the title of a container.
    fn with(&mut self, set: u32, container: BlockNo) -> u32 {
        let Some(own) = self.own.get(&container) else { return set };
        let known = &self.sets[set as usize];
        if own.iter().all(|term| known.binary_search(term).is_ok()) {
            return set;
        }
        let mut all = [known.as_slice(), own].concat();
        all.sort_unstable();
        all.dedup();
        self.sets.push(all);
        self.sets.len() as u32 - 1
    }

    fn is_page(&self, block: BlockNo) -> bool {
        self.view.block_type(block).is_page()
    }
}
