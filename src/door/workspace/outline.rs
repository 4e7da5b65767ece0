//! The readable blocks as they are shown: without those that only arrange others, and with the units that they are found
//! as. Built for one request; every pass is over positions in document order, so depth does not matter.

use crate::assemble::blocks::ReadableBlocks;
use crate::record::{BlockClass, BlockNo, BlockType};

const NONE: u32 = u32::MAX;

pub struct Outline {
    /// By position in document order.
    rows: Vec<Row>,
}

#[derive(Clone, Copy)]
struct Row {
    /// The position of the nearest block above that is shown.
    parent: u32,
    /// How many blocks above it are shown.
    depth: u32,
    /// The position of the nearest page, database or board, at or above it.
    page: u32,
    /// The position of the nearest block that is archived or a template, at or above it.
    aside: u32,
    /// The tokens of its text and of the parts below it.
    total: u32,
    /// The position of the block that it is found as.
    unit: u32,
}

impl Outline {
    pub fn new(view: &ReadableBlocks, max_unit_tokens: u32) -> Self {
        let mut outline = Outline { rows: Vec::with_capacity(view.count()) };
        for (place, block) in (0..).zip(view.in_order()) {
            let row = outline.row(view, place, *block);
            outline.rows.push(row);
        }
        outline.add_up(view);
        outline.join(view, max_unit_tokens);
        outline
    }

    fn row(&self, view: &ReadableBlocks, place: u32, block: BlockNo) -> Row {
        let around = view.parent(block);
        let above = around.map(|around| (view.place(around), self.rows[view.place(around) as usize]));
        let parent = match (around, above) {
            (Some(around), Some((_, row))) if is_transparent(view, around) => row.parent,
            (_, above) => above.map_or(NONE, |(place, _)| place),
        };
        let depth = if parent == NONE { 0 } else { self.rows[parent as usize].depth + 1 };
        let inherited = |of: fn(&Row) -> u32| above.map_or(NONE, |(_, row)| of(&row));
        let is_aside = view.is_archived(block) || view.is_template(block);
        Row {
            parent,
            depth,
            page: if is_page(view.block_type(block)) { place } else { inherited(|row| row.page) },
            aside: if is_aside { place } else { inherited(|row| row.aside) },
            total: view.tokens(block),
            unit: place,
        }
    }

    fn add_up(&mut self, view: &ReadableBlocks) {
        for (place, block) in view.in_order().iter().enumerate().rev() {
            let above = view.parent(*block).filter(|above| class(view, *above) != BlockClass::Container);
            if let (Some(above), true) = (above, belongs_above(class(view, *block))) {
                let total = self.rows[place].total;
                let above = &mut self.rows[view.place(above) as usize].total;
                *above = above.saturating_add(total);
            }
        }
    }

    /// A part is found as what is around it while that is a part or a record and not too long.
    fn join(&mut self, view: &ReadableBlocks, max_unit_tokens: u32) {
        for (place, block) in view.in_order().iter().enumerate() {
            let parent = self.rows[place].parent;
            if parent == NONE || !belongs_above(class(view, *block)) {
                continue;
            }
            let above = self.rows[parent as usize];
            let is_unit = class(view, view.in_order()[parent as usize]) != BlockClass::Container;
            if is_unit && above.total <= max_unit_tokens {
                self.rows[place].unit = above.unit;
            }
        }
    }

    fn row_of(&self, view: &ReadableBlocks, block: BlockNo) -> Row {
        self.rows[view.place(block) as usize]
    }

    /// The nearest block above that is shown.
    pub fn parent(&self, view: &ReadableBlocks, block: BlockNo) -> Option<BlockNo> {
        at(view, self.row_of(view, block).parent)
    }

    /// From the parent up.
    pub fn ancestors(&self, view: &ReadableBlocks, block: BlockNo) -> impl Iterator<Item = BlockNo> {
        std::iter::successors(self.parent(view, block), move |above| self.parent(view, *above))
    }

    /// The blocks right below one, as they are shown.
    pub fn children<'v>(&self, view: &'v ReadableBlocks, block: BlockNo) -> impl Iterator<Item = BlockNo> + use<'v> {
        let mut left = view.below(block);
        std::iter::from_fn(move || {
            while let Some(block) = left.first().copied() {
                let inside = if is_transparent(view, block) { 0 } else { view.below(block).len() };
                left = &left[inside + 1..];
                if !is_transparent(view, block) {
                    return Some(block);
                }
            }
            None
        })
    }

    pub fn depth(&self, view: &ReadableBlocks, block: BlockNo) -> u32 {
        self.row_of(view, block).depth
    }

    /// The nearest page, database or board, at or above a block.
    pub fn page(&self, view: &ReadableBlocks, block: BlockNo) -> Option<BlockNo> {
        at(view, self.row_of(view, block).page)
    }

    /// The nearest block that is archived or a template, at or above a block.
    pub fn aside(&self, view: &ReadableBlocks, block: BlockNo) -> Option<BlockNo> {
        at(view, self.row_of(view, block).aside)
    }

    /// What a block is found as.
    pub fn unit(&self, view: &ReadableBlocks, block: BlockNo) -> BlockNo {
        view.in_order()[self.row_of(view, block).unit as usize]
    }

    /// Whether there is something to show of a block.
    pub fn says_something(&self, view: &ReadableBlocks, block: BlockNo) -> bool {
        self.row_of(view, block).total > 0
    }
}

/// Whether a block is at or below another.
pub fn is_within(view: &ReadableBlocks, block: BlockNo, outer: BlockNo) -> bool {
    let start = view.place(outer);
    (start..=start + view.below(outer).len() as u32).contains(&view.place(block))
}

/// Whether a block is shown with what is above it, if that is no container.
pub fn belongs_above(class: BlockClass) -> bool {
    matches!(class, BlockClass::Part | BlockClass::Transparent)
}

/// Whether blocks below one of this type belong to it as to their page.
pub fn is_page(block_type: BlockType) -> bool {
    matches!(block_type, BlockType::Page | BlockType::Database | BlockType::KanbanBoard)
}

pub fn class(view: &ReadableBlocks, block: BlockNo) -> BlockClass {
    view.block_type(block).class()
}

fn is_transparent(view: &ReadableBlocks, block: BlockNo) -> bool {
    class(view, block) == BlockClass::Transparent
}

fn at(view: &ReadableBlocks, place: u32) -> Option<BlockNo> {
    (place != NONE).then(|| view.in_order()[place as usize])
}
