//! Checks that a reader may see what a payload shows of a workspace. A block that is hidden and one that is not there
//! are the same.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::{Findings, item_path};
use crate::assemble::blocks::ReadableBlocks;
use crate::record::BlockNo;
use crate::record::workspace::{ContextPayload, PayloadErrorCode, PayloadItem};

pub fn check(payload: &ContextPayload, view: &ReadableBlocks, findings: &mut Findings) {
    let (metadata, blocks) = (&payload.metadata, blocks_by_id(payload, view));
    for (name, id) in [("focusBlockId", &metadata.focus_block_id), ("focusPageId", &metadata.focus_page_id)] {
        if id.as_ref().is_some_and(|id| view.block_with_id(id).is_none()) {
            findings.add(PayloadErrorCode::Permission, format!("metadata.{name}"), HIDDEN);
        }
    }
    let sections = payload.sections.iter().enumerate().filter(|(_, section)| section.part.holds_blocks());
    for (at, section) in sections {
        for (number, item) in section.items.iter().enumerate() {
            let blocks = blocks.get(item.block_id.as_str()).map_or(&[][..], Vec::as_slice);
            check_item(item, &item_path(at, number), view, blocks, findings);
        }
    }
}

const HIDDEN: &str = "the reader may not see it";

/// The blocks that the items of a payload may be. An id can be that of several.
fn blocks_by_id<'p>(payload: &'p ContextPayload, view: &ReadableBlocks) -> BTreeMap<&'p str, Vec<BlockNo>> {
    let items =
        payload.sections.iter().filter(|section| section.part.holds_blocks()).flat_map(|section| &section.items);
    let mut blocks: BTreeMap<&str, Vec<BlockNo>> = items.map(|item| (item.block_id.as_str(), Vec::new())).collect();
    for block in view.in_order() {
        if let Some(found) = blocks.get_mut(view.id(*block)) {
            found.push(*block);
        }
    }
    blocks
}

fn check_item(item: &PayloadItem, path: &str, view: &ReadableBlocks, blocks: &[BlockNo], findings: &mut Findings) {
    if blocks.is_empty() {
        findings.add(PayloadErrorCode::Permission, format!("{path}.blockId"), HIDDEN);
    } else if blocks.iter().all(|block| view.block_type(*block) != item.block_type) {
        findings.add(PayloadErrorCode::BlockType, format!("{path}.blockType"), "the block has another type");
    }
    let titles: BTreeSet<&str> = blocks.iter().flat_map(|block| titles_around(view, *block)).collect();
    let is_hidden = |title: &str| !title.is_empty() && !titles.contains(title);
    if item.metadata.page_title.as_deref().is_some_and(is_hidden) {
        findings.add(PayloadErrorCode::Permission, format!("{path}.metadata.pageTitle"), HIDDEN);
    }
    for (number, _) in item.metadata.path.iter().enumerate().filter(|(_, title)| is_hidden(title)) {
        findings.add(PayloadErrorCode::Permission, format!("{path}.metadata.path[{number}]"), HIDDEN);
    }
}

/// The titles of a block and of everything that it is in.
fn titles_around<'v>(view: &ReadableBlocks<'v>, block: BlockNo) -> impl Iterator<Item = &'v str> {
    std::iter::successors(Some(block), |block| view.parent(*block)).filter_map(|block| view.title(block))
}
