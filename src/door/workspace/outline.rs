//! The readable blocks as they are shown: without those that only arrange others, and with the units that they are found
//! as. Built for one request; every pass is over positions in document order, so depth does not matter.
//!
//! A heading says little without what follows it, and what follows it often lacks its words. Therefore a heading and its
//! next siblings are one unit, a section, as long as they are short. Tasks in it stay units of their own, and code ends
//! it.

use rustc_hash::FxHashMap;

use super::settings::ItemLimits;
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
    /// The position behind everything that is shown with it.
    end: u32,
    /// The position of the heading that it stands under.
    heading: u32,
}

/// The sections of one container while its blocks are read in order.
#[derive(Clone, Copy)]
struct Sections {
    /// The last heading.
    heading: u32,
    /// The block that starts the section that may still grow, and its tokens.
    open: u32,
    total: u32,
    /// Whether a heading was the last thing: what follows belongs to it, however long it is.
    is_bare: bool,
}

impl Default for Sections {
    fn default() -> Self {
        Sections { heading: NONE, open: NONE, total: 0, is_bare: false }
    }
}

impl Outline {
    pub fn new(view: &ReadableBlocks, limits: &ItemLimits) -> Self {
        let mut outline = Outline { rows: Vec::with_capacity(view.count()) };
        for (place, block) in (0..).zip(view.in_order()) {
            let row = outline.row(view, place, *block);
            outline.rows.push(row);
        }
        outline.add_up(view);
        outline.join(view, limits);
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
            page: if view.block_type(block).is_page() { place } else { inherited(|row| row.page) },
            aside: if is_aside { place } else { inherited(|row| row.aside) },
            total: view.tokens(block),
            unit: place,
            end: place + 1 + view.below(block).len() as u32,
            heading: NONE,
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

    /// A part is found as what is around it while that is a part or a record and not too long, or else with its heading.
    fn join(&mut self, view: &ReadableBlocks, limits: &ItemLimits) {
        let mut sections: FxHashMap<u32, Sections> = FxHashMap::default();
        for (place, block) in (0..).zip(view.in_order()) {
            let Row { parent, .. } = self.rows[place as usize];
            if parent == NONE || class(view, *block) == BlockClass::Transparent {
                continue;
            }
            let above = self.rows[parent as usize];
            let is_on_page = class(view, view.in_order()[parent as usize]) == BlockClass::Container;
            let is_part = belongs_above(class(view, *block));
            let row = &mut self.rows[place as usize];
            match (is_part, is_on_page) {
                (true, true) => self.join_section(view, place, sections.entry(parent).or_default(), limits),
                (true, false) => {
                    row.heading = above.heading;
                    row.unit = if above.total <= limits.max_unit_tokens { above.unit } else { row.unit };
                }
                (false, _) => {
                    sections.remove(&parent);
                }
            }
        }
    }

    /// Of a part right below a container.
    fn join_section(&mut self, view: &ReadableBlocks, place: u32, sections: &mut Sections, limits: &ItemLimits) {
        let block = view.in_order()[place as usize];
        let Row { total, end, .. } = self.rows[place as usize];
        if view.block_type(block) == BlockType::Code {
            // It has a fence of its own, so it ends what is shown with the heading.
            self.rows[place as usize].heading = sections.heading;
            *sections = Sections { heading: sections.heading, ..Sections::default() };
            return;
        }
        let opens = opens_section(view, block);
        let fits = sections.is_bare || sections.total.saturating_add(total) <= limits.max_section_tokens;
        if sections.open == NONE || !fits || (opens && !sections.is_bare) {
            *sections = Sections { open: if opens { place } else { NONE }, total, ..*sections };
        } else {
            self.rows[sections.open as usize].end = end;
            sections.total = sections.total.saturating_add(total);
            if !stays_apart(view, block) {
                self.rows[place as usize].unit = sections.open;
            }
        }
        sections.is_bare = opens;
        if opens {
            sections.heading = place;
        } else {
            self.rows[place as usize].heading = sections.heading;
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
                left = view.behind(left, is_transparent(view, block));
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

    /// The heading that a block stands under.
    pub fn heading(&self, view: &ReadableBlocks, block: BlockNo) -> Option<BlockNo> {
        at(view, self.row_of(view, block).heading)
    }

    /// What is shown with a block, in document order: what is below it, and of a heading the rest of its section.
    pub fn shown_with<'v>(&self, view: &'v ReadableBlocks, block: BlockNo) -> &'v [BlockNo] {
        let Row { end, .. } = self.row_of(view, block);
        &view.in_order()[view.place(block) as usize + 1..end as usize]
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

pub fn class(view: &ReadableBlocks, block: BlockNo) -> BlockClass {
    view.block_type(block).class()
}

/// What is asked for by its kind is found by itself, also below a heading.
fn stays_apart(view: &ReadableBlocks, block: BlockNo) -> bool {
    view.is_task(block)
}

/// A heading, or a line that stands for one because all of it is bold.
fn opens_section(view: &ReadableBlocks, block: BlockNo) -> bool {
    match view.block_type(block) {
        BlockType::Heading => true,
        BlockType::Text => is_bold_line(view.text(block).trim()),
        _ => false,
    }
}

fn is_bold_line(text: &str) -> bool {
    let inner = text.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    inner.is_some_and(|inner| !inner.is_empty() && !inner.contains("**") && !inner.contains('\n'))
}

fn is_transparent(view: &ReadableBlocks, block: BlockNo) -> bool {
    class(view, block) == BlockClass::Transparent
}

fn at(view: &ReadableBlocks, place: u32) -> Option<BlockNo> {
    (place != NONE).then(|| view.in_order()[place as usize])
}
