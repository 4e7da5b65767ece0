//! What a request points at, and what it leaves out, as far as its reader may see it.

use std::ops::Range;

use super::outline::{Outline, is_within};
use crate::assemble::blocks::ReadableBlocks;
use crate::record::workspace::{ContextRequest, PayloadWarning, WarningCode};
use crate::record::{BlockNo, BlockType};

/// Blocks that the request takes out, with all below them.
#[derive(Debug, Default)]
pub struct Excluded {
    /// Positions in document order; rising, without gaps between those that touch.
    ranges: Vec<Range<u32>>,
}

impl Excluded {
    fn new(view: &ReadableBlocks, ids: &[String]) -> Self {
        let blocks = ids.iter().filter_map(|id| view.block_with_id(id));
        let mut all: Vec<Range<u32>> = blocks.map(|block| places(view, block)).collect();
        all.sort_unstable_by_key(|range| range.start);
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for range in all {
            match ranges.last_mut().filter(|last| range.start <= last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => ranges.push(range),
            }
        }
        Excluded { ranges }
    }

    pub fn holds(&self, view: &ReadableBlocks, block: BlockNo) -> bool {
        let place = view.place(block);
        let next = self.ranges.partition_point(|range| range.start <= place);
        next > 0 && self.ranges[next - 1].contains(&place)
    }
}

/// What a request points at.
#[derive(Debug, Default)]
pub struct Scope {
    pub block: Option<BlockNo>,
    pub page: Option<BlockNo>,
    pub database: Option<BlockNo>,
    /// What is shown in any case.
    pub included: Vec<BlockNo>,
    pub excluded: Excluded,
    /// Whether archived blocks and templates are found like all others.
    pub finds_archived: bool,
    pub warnings: Vec<PayloadWarning>,
}

impl Scope {
    pub fn new(view: &ReadableBlocks, request: &ContextRequest) -> Self {
        let mut scope = Scope { excluded: Excluded::new(view, &request.hints.exclude_blocks), ..Scope::default() };
        let focus = &request.focus;
        scope.block = scope.named(view, "focus.blockId", focus.block_id.as_deref());
        let page = scope.named(view, "focus.pageId", focus.page_id.as_deref());
        scope.page = scope.of_kind(view, page, BlockType::is_page, "`focus.pageId`: the block with this id is no page");
        let database = scope.named(view, "focus.databaseId", focus.database_id.as_deref());
        let is_database = |block_type| block_type == BlockType::Database;
        let message = "`focus.databaseId`: the block with this id is no database";
        scope.database = scope.of_kind(view, database, is_database, message);
        for id in &request.hints.include_blocks {
            let block = scope.named(view, "hints.includeBlocks", Some(id));
            scope.included.extend(block.filter(|block| !scope.excluded.holds(view, *block)));
        }
        scope
    }

    /// A block that a field of the request names. A warning says the same of hidden blocks and of unknown ones.
    fn named(&mut self, view: &ReadableBlocks, field: &str, id: Option<&str>) -> Option<BlockNo> {
        let id = id?;
        let found = view.block_with_id(id);
        if found.is_none() {
            self.warn(format!("`{field}`: {}", view.absence(id)));
        }
        found
    }

    fn of_kind(
        &mut self,
        view: &ReadableBlocks,
        block: Option<BlockNo>,
        is_kind: impl Fn(BlockType) -> bool,
        message: &str,
    ) -> Option<BlockNo> {
        let found = block.filter(|block| is_kind(view.block_type(*block)));
        if found != block {
            self.warn(message.to_string());
        }
        found
    }

    fn warn(&mut self, message: String) {
        let warning = PayloadWarning { code: WarningCode::NotFound, message };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// What the request points at most closely.
    pub fn focus(&self) -> Option<BlockNo> {
        self.block.or(self.page).or(self.database)
    }

    /// Whether a block may be found. Archived blocks and templates, and what is in them, are found only if the request
    /// points into them or asks for such.
    pub fn admits(&self, view: &ReadableBlocks, outline: &Outline, block: BlockNo) -> bool {
        let is_open = |aside: BlockNo| {
            let mut points = [self.block, self.page, self.database].into_iter().flatten();
            self.finds_archived || points.any(|focus| is_within(view, focus, aside))
        };
        !self.excluded.holds(view, block) && outline.aside(view, block).is_none_or(is_open)
    }
}

/// The positions of a block and of all below it.
fn places(view: &ReadableBlocks, block: BlockNo) -> Range<u32> {
    let start = view.place(block);
    start..start + 1 + view.below(block).len() as u32
}
