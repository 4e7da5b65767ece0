//! What is shown of a block: its own text, and of a record or a part everything below it that belongs to it.

use std::collections::BTreeMap;
use std::ops::Range;

use indexmap::IndexSet;

use super::outline::{Outline, belongs_above, class};
use super::scope::Excluded;
use super::summary::summary;
use crate::assemble::blocks::{LinkKind, ReadableBlocks};
use crate::record::{BlockClass, BlockNo, BlockType};
use crate::text::{Tokenizer, one_line};

/// A text, and where in it each block stands with what is shown below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    pub text: String,
    /// Each block before those in it.
    pub blocks: Vec<(BlockNo, Range<usize>)>,
}

/// Deeper blocks are not indented further: a tree may have any number of levels.
const MAX_LEVELS: usize = 20;
const LEVEL: usize = 2;

/// Which form of a block is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Only what it says itself.
    Own,
    /// Pages as summaries, other containers by themselves, all else with the parts below it.
    Full,
}

/// What reads the blocks that are shown.
#[derive(Clone, Copy)]
pub struct Contents<'c, 'b> {
    pub view: &'c ReadableBlocks<'b>,
    pub outline: &'c Outline,
    pub excluded: &'c Excluded,
    pub tokenizer: Tokenizer,
    pub summary_tokens: usize,
}

impl Contents<'_, '_> {
    pub fn of(&self, block: BlockNo, shape: Shape) -> Content {
        match (shape, class(self.view, block)) {
            (Shape::Full, BlockClass::Container) if self.view.block_type(block) == BlockType::Page => {
                let text = summary(self, block);
                Content { blocks: vec![(block, 0..text.len())], text }
            }
            (Shape::Own, _) | (_, BlockClass::Container) => self.own(block),
            (Shape::Full, _) => self.whole(block),
        }
    }

    fn own(&self, block: BlockNo) -> Content {
        let text = self.view.text(block).to_string();
        Content { blocks: vec![(block, 0..text.len())], text }
    }

    fn whole(&self, block: BlockNo) -> Content {
        let mut writer = Writer { contents: *self, text: String::new(), blocks: Vec::new(), open: Vec::new() };
        writer.write(block);
        Content { text: writer.text, blocks: writer.blocks }
    }

    /// What a record says besides its text: where a card stands, and what a row is related to.
    fn facts(&self, block: BlockNo) -> Vec<String> {
        match self.view.block_type(block) {
            BlockType::KanbanCard => {
                let column = self.view.column(block).and_then(|column| self.view.title(column));
                column.map(|title| format!("status: {}", one_line(title))).into_iter().collect()
            }
            BlockType::DbRow => self.relations(block),
            _ => Vec::new(),
        }
    }

    /// By the names of the relations.
    fn relations(&self, row: BlockNo) -> Vec<String> {
        let mut all: BTreeMap<&str, IndexSet<BlockNo>> = BTreeMap::new();
        for link in self.view.links(row).into_iter().filter(|link| link.kind == LinkKind::Relation) {
            let is_shown = self.view.title(link.block).is_some() && !self.excluded.holds(self.view, link.block);
            if let Some(label) = link.label.filter(|_| is_shown) {
                all.entry(label).or_default().insert(link.block);
            }
        }
        let title = |block: &BlockNo| one_line(self.view.title(*block).unwrap_or_default());
        let line = |(name, blocks): (&str, IndexSet<BlockNo>)| {
            format!("{}: {}", one_line(name), blocks.iter().map(title).collect::<Vec<_>>().join(", "))
        };
        all.into_iter().map(line).collect()
    }

    /// The number of an item in its list, from 1.
    fn number(&self, item: BlockNo) -> usize {
        let Some(list) = self.outline.parent(self.view, item) else { return 1 };
        let before = self.outline.children(self.view, list).take_while(|child| *child != item);
        before.filter(|child| self.view.block_type(*child) == BlockType::ListItem).count() + 1
    }

    /// A block and the parts below it that are shown with it, in order.
    pub fn parts(&self, block: BlockNo) -> Vec<BlockNo> {
        let is_container = class(self.view, block) == BlockClass::Container;
        let (mut parts, mut left) =
            (vec![block], if is_container { &[] } else { self.outline.shown_with(self.view, block) });
        while let Some(block) = left.first().copied() {
            let is_shown = self.is_shown_inside(block);
            parts.extend(is_shown.then_some(block));
            left = self.view.behind(left, is_shown);
        }
        parts
    }

    /// Whether a block below a record or a part is shown with it.
    fn is_shown_inside(&self, block: BlockNo) -> bool {
        belongs_above(class(self.view, block)) && !self.excluded.holds(self.view, block)
    }

    /// A row of a table on one line, and where in it each cell is.
    fn cells(&self, row: BlockNo) -> Content {
        let mut content = Content::default();
        let cells = self.outline.children(self.view, row).filter(|cell| self.is_shown_inside(*cell));
        for (at, cell) in cells.enumerate() {
            if at > 0 {
                content.text += " | ";
            }
            let parts = self.parts(cell);
            let start = content.text.len();
            let words = parts.iter().flat_map(|part| self.view.text(*part).split_whitespace());
            content.text += &words.collect::<Vec<_>>().join(" ");
            let end = content.text.len();
            content.blocks.extend(parts.into_iter().map(|part| (part, start..end)));
        }
        content
    }
}

/// Writes a block and the parts below it.
struct Writer<'c, 'b> {
    contents: Contents<'c, 'b>,
    text: String,
    blocks: Vec<(BlockNo, Range<usize>)>,
    /// From the root down: the blocks that the current position is in.
    open: Vec<Open>,
}

struct Open {
    block: BlockNo,
    /// The position behind everything in it.
    end: u32,
    /// The level of what is below it.
    level: usize,
    /// How many of its items were written.
    items: usize,
    /// Its entry in the list of blocks, from its first line on.
    entry: Option<usize>,
}

impl Writer<'_, '_> {
    fn write(&mut self, root: BlockNo) {
        let Contents { view, outline, .. } = self.contents;
        let mut left = if self.enter(root) { outline.shown_with(view, root) } else { &[] };
        while let Some(block) = left.first().copied() {
            self.close(view.place(block));
            let is_entered = self.contents.is_shown_inside(block) && self.enter(block);
            left = view.behind(left, is_entered);
        }
        self.close(u32::MAX);
    }

    /// Writes what a block says itself. Whether what is below it is still to be written.
    fn enter(&mut self, block: BlockNo) -> bool {
        let Contents { view, .. } = self.contents;
        let level = self.open.last().map_or(0, |around| around.level);
        if class(view, block) == BlockClass::Transparent && !self.open.is_empty() {
            return true;
        }
        let end = view.place(block) + 1 + view.below(block).len() as u32;
        let marker = self.marker(block);
        self.open.push(Open { block, end, level, items: 0, entry: None });
        if view.block_type(block) == BlockType::TableRow {
            self.add_row(block, level);
            return false;
        }
        let mut lines: Vec<&str> = view.text(block).split('\n').filter(|_| !view.text(block).is_empty()).collect();
        let facts = self.contents.facts(block);
        lines.extend(facts.iter().map(String::as_str));
        if !lines.is_empty() {
            self.add(&lines, level, &marker);
        }
        true
    }

    /// What stands before an item of a list.
    fn marker(&mut self, item: BlockNo) -> String {
        let Contents { view, outline, .. } = self.contents;
        if view.block_type(item) != BlockType::ListItem {
            return String::new();
        }
        let around = self.open.last_mut().map(|around| {
            around.items += 1;
            around.items
        });
        let is_ordered = |list: BlockNo| view.block_type(list) == BlockType::List && view.is_ordered(list);
        match outline.parent(view, item).filter(|list| is_ordered(*list)) {
            Some(_) => format!("{}. ", around.unwrap_or_else(|| self.contents.number(item))),
            None => "- ".to_string(),
        }
    }

    /// Adds lines of the innermost open block.
    fn add(&mut self, lines: &[&str], level: usize, marker: &str) {
        let indent = " ".repeat(LEVEL * level.min(MAX_LEVELS));
        let further = " ".repeat(indent.len() + marker.len());
        self.begin_line();
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                self.text.push('\n');
            }
            if at == 0 {
                self.text += &format!("{indent}{marker}{line}");
            } else if !line.is_empty() {
                self.text += &format!("{further}{line}");
            }
        }
        if let Some(own) = self.open.last_mut() {
            own.level = level + 1;
        }
    }

    fn add_row(&mut self, row: BlockNo, level: usize) {
        let cells = self.contents.cells(row);
        if cells.text.is_empty() {
            return;
        }
        self.add(&[&cells.text], level, "");
        let start = self.text.len() - cells.text.len();
        let moved = |range: Range<usize>| start + range.start..start + range.end;
        self.blocks.extend(cells.blocks.into_iter().map(|(block, range)| (block, moved(range))));
    }

    /// Everything that is open and has no line yet begins here.
    fn begin_line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let first = self.open.iter().rposition(|open| open.entry.is_some()).map_or(0, |at| at + 1);
        for open in &mut self.open[first..] {
            open.entry = Some(self.blocks.len());
            self.blocks.push((open.block, self.text.len()..self.text.len()));
        }
    }

    /// Closes what ends before a position.
    fn close(&mut self, place: u32) {
        while let Some(open) = self.open.pop_if(|open| open.end <= place) {
            if let Some(entry) = open.entry {
                self.blocks[entry].1.end = self.text.len();
            }
        }
    }
}
