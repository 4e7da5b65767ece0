//! The blocks that a reader may see as trees: whose parent they may not see is a root.

use std::cmp::Ordering;

use super::NONE;
use crate::graph::blocks::Blocks;
use crate::record::BlockNo;

#[derive(Debug)]
pub struct Forest {
    /// By block.
    pub parents: Vec<u32>,
    /// By id.
    pub roots: Vec<BlockNo>,
    /// Each block before what is in it.
    pub order: Vec<BlockNo>,
    /// By block: its position in the order.
    pub places: Vec<u32>,
    /// By position: that behind everything in the block there.
    pub ends: Vec<u32>,
}

impl Forest {
    /// `forms` says of each block whether it is there.
    pub fn new(blocks: &Blocks, forms: &[u32]) -> Self {
        let is_there = |block: BlockNo| forms[block.index()] != NONE;
        let mut children = Children::new(blocks, forms);
        let mut forest = Forest {
            parents: std::mem::take(&mut children.parents),
            roots: Vec::new(),
            order: Vec::with_capacity(forms.len()),
            places: vec![NONE; forms.len()],
            ends: Vec::new(),
        };
        let all = (0..forms.len() as u32).map(BlockNo);
        forest.cut_cycles(blocks, is_there);
        forest.roots.extend(all.filter(|block| is_there(*block) && forest.parents[block.index()] == NONE));
        forest.roots.sort_by(|a, b| blocks.id(*a).cmp(blocks.id(*b)).then(a.cmp(b)));
        forest.walk(&children);
        forest
    }

    /// Parents that go round are cut at the block with the smallest id. Each block is looked at twice at most.
    fn cut_cycles(&mut self, blocks: &Blocks, is_there: impl Fn(BlockNo) -> bool) {
        // The walk that came to a block, from 1; 0 for none.
        let mut walks = vec![0u32; self.parents.len()];
        let all = (0..self.parents.len() as u32).map(BlockNo).filter(|block| is_there(*block));
        for (walk, start) in (1..).zip(all) {
            let mut at = start.0;
            while at != NONE && walks[at as usize] == 0 {
                walks[at as usize] = walk;
                at = self.parents[at as usize];
            }
            if at != NONE && walks[at as usize] == walk {
                let cut = self.smallest_of_cycle(blocks, BlockNo(at));
                self.parents[cut.index()] = NONE;
            }
        }
    }

    fn smallest_of_cycle(&self, blocks: &Blocks, start: BlockNo) -> BlockNo {
        let (mut smallest, mut at) = (start, BlockNo(self.parents[start.index()]));
        while at != start {
            if (blocks.id(at), at) < (blocks.id(smallest), smallest) {
                smallest = at;
            }
            at = BlockNo(self.parents[at.index()]);
        }
        smallest
    }

    fn walk(&mut self, children: &Children) {
        let mut open: Vec<BlockNo> = self.roots.iter().rev().copied().collect();
        while let Some(block) = open.pop() {
            self.places[block.index()] = self.order.len() as u32;
            self.order.push(block);
            // A block that was cut out of a cycle is still among the children of its parent.
            let own = children.of(block).iter().rev().copied();
            open.extend(own.filter(|child| self.parents[child.index()] == block.0));
        }
        self.close();
    }

    /// Where each block ends: behind the last that is in it.
    fn close(&mut self) {
        self.ends = (1..=self.order.len() as u32).collect();
        for place in (0..self.order.len()).rev() {
            let parent = self.parents[self.order[place].index()];
            if parent != NONE {
                let around = self.places[parent as usize] as usize;
                self.ends[around] = self.ends[around].max(self.ends[place]);
            }
        }
    }
}

/// The children of each block, in order.
struct Children {
    parents: Vec<u32>,
    starts: Vec<u32>,
    all: Vec<BlockNo>,
}

impl Children {
    fn new(blocks: &Blocks, forms: &[u32]) -> Self {
        let parent = |block: BlockNo| {
            let mut around = blocks.parents(block);
            around.find(|(parent, _)| forms[parent.index()] != NONE && *parent != block)
        };
        let count = forms.len();
        let (mut parents, mut places) = (vec![NONE; count], vec![NONE; count]);
        for block in (0..count as u32).map(BlockNo).filter(|block| forms[block.index()] != NONE) {
            if let Some((around, place)) = parent(block) {
                parents[block.index()] = around.0;
                places[block.index()] = place.unwrap_or(NONE);
            }
        }
        let mut children = Children { starts: starts(&parents), all: Vec::new(), parents };
        children.fill();
        children.sort(blocks, &places);
        children
    }

    fn fill(&mut self) {
        let mut next = self.starts.clone();
        self.all = vec![BlockNo(NONE); self.starts[self.starts.len() - 1] as usize];
        for (block, parent) in self.parents.iter().enumerate().filter(|(_, parent)| **parent != NONE) {
            let at = &mut next[*parent as usize];
            self.all[*at as usize] = BlockNo(block as u32);
            *at += 1;
        }
    }

    /// Those that their parent lists stand first, as it lists them.
    fn sort(&mut self, blocks: &Blocks, places: &[u32]) {
        for parent in 0..self.starts.len() - 1 {
            let own = &mut self.all[self.starts[parent] as usize..self.starts[parent + 1] as usize];
            let has_list = own.iter().any(|child| places[child.index()] != NONE);
            own.sort_by(|a, b| {
                let place = |block: &BlockNo| places[block.index()];
                place(a).cmp(&place(b)).then_with(|| unlisted(blocks, has_list, *a, *b))
            });
        }
    }

    fn of(&self, block: BlockNo) -> &[BlockNo] {
        &self.all[self.starts[block.index()] as usize..self.starts[block.index() + 1] as usize]
    }
}

/// Where the children of each block start.
fn starts(parents: &[u32]) -> Vec<u32> {
    let mut starts = vec![0; parents.len() + 1];
    parents.iter().filter(|parent| **parent != NONE).for_each(|parent| starts[*parent as usize + 1] += 1);
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    starts
}

/// Siblings that their parent does not list: by id beside listed ones, else by their own numbers, else as they stand.
fn unlisted(blocks: &Blocks, has_list: bool, a: BlockNo, b: BlockNo) -> Ordering {
    if has_list {
        return blocks.id(a).cmp(blocks.id(b)).then(a.cmp(&b));
    }
    let order = |block| blocks.order(block).unwrap_or(f64::INFINITY);
    order(a).total_cmp(&order(b)).then(a.cmp(&b))
}
