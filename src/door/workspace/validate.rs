//! Checks a payload that may come from anywhere: its counts, its order, its text, and what its reader may see.

mod findings;
mod readable;

use std::collections::BTreeSet;

use super::payload::{blocks_included, lacks_room, payload_id};
use super::{estimate_tokens, render};
use crate::assemble::blocks::ReadableBlocks;
use crate::record::workspace::{
    ContextPayload, ContextRequest, PayloadErrorCode, PayloadItem, PayloadPart, PayloadSection, PayloadValidation,
};
use crate::record::{BlockType, Score};
use findings::{Findings, item_path, section_path};

/// With a request, also what it asked for; with a view, also that its reader may see everything.
pub fn validate(
    payload: &ContextPayload,
    request: Option<&ContextRequest>,
    view: Option<&ReadableBlocks>,
) -> PayloadValidation {
    let mut findings = Findings::default();
    check_text(payload, request, &mut findings);
    check_counts(payload, &mut findings);
    check_sections(payload, &mut findings);
    check_blocks(payload, &mut findings);
    check_budget(payload, request, &mut findings);
    if !is_time(&payload.metadata.timestamp) {
        findings.add(PayloadErrorCode::Timestamp, "metadata.timestamp", "it is no date or date and time");
    }
    if let Some(view) = view {
        readable::check(payload, view, &mut findings);
    }
    findings.into_validation(payload)
}

fn check_text(payload: &ContextPayload, request: Option<&ContextRequest>, findings: &mut Findings) {
    let metadata = &payload.metadata;
    findings.compare(PayloadErrorCode::Tokens, "metadata.totalTokens", metadata.total_tokens, estimate_tokens(payload));
    let printed = |section: &PayloadSection| render::section(section, lacks_room(&metadata.left_out, section.part));
    for (at, section) in payload.sections.iter().enumerate() {
        let tokens = metadata.tokenizer.count(&printed(section)) as u32;
        let path = format!("{}.tokenCount", section_path(at));
        findings.compare(PayloadErrorCode::SectionTokens, path, section.token_count, tokens);
        if section.title != section.part.title() {
            findings.add(PayloadErrorCode::Serialized, format!("{}.title", section_path(at)), "another one is printed");
        }
    }
    if !is_printed(payload, request, printed) {
        findings.add(PayloadErrorCode::Serialized, "serialized", "the sections are printed in another way");
    }
    if payload.payload_id != payload_id(payload) {
        findings.add(PayloadErrorCode::Serialized, "payloadId", "it is the id of another payload");
    }
}

/// Whether the text is that of the sections. Without a request any query will do.
fn is_printed(
    payload: &ContextPayload,
    request: Option<&ContextRequest>,
    printed: impl Fn(&PayloadSection) -> String,
) -> bool {
    if payload.serialized.is_empty() {
        return payload.sections.iter().all(|section| section.items.is_empty() && section.token_count == 0);
    }
    let sections: String = payload.sections.iter().map(printed).collect();
    let rest = payload.serialized.strip_prefix(render::HEAD).and_then(|rest| rest.strip_prefix(&sections));
    let query = rest.and_then(render::query_of);
    query.is_some_and(|query| request.is_none_or(|request| request.query == query))
}

fn check_counts(payload: &ContextPayload, findings: &mut Findings) {
    const CODE: PayloadErrorCode = PayloadErrorCode::Counts;
    let metadata = &payload.metadata;
    let included = blocks_included(&payload.sections);
    findings.compare(CODE, "metadata.blocksIncluded", metadata.blocks_included, included);
    if metadata.blocks_considered < included {
        findings.add(CODE, "metadata.blocksConsidered", "more blocks are shown");
    }
    for (at, section) in payload.sections.iter().enumerate() {
        let used = metadata.budget.get(&section.part).map_or(0, |share| share.used);
        let path = format!("metadata.budget.{}.used", section.part.name());
        findings.compare(CODE, path, used, section.token_count);
        for (number, item) in section.items.iter().enumerate() {
            let Some(truncated) = item.metadata.truncated else { continue };
            let path = format!("{}.metadata.truncated.shownTokens", item_path(at, number));
            findings.compare(CODE, path, truncated.shown_tokens, metadata.tokenizer.count(&item.content) as u32);
        }
    }
}

fn check_sections(payload: &ContextPayload, findings: &mut Findings) {
    if !payload.sections.iter().map(|section| section.part).eq(PayloadPart::ALL) {
        findings.add(PayloadErrorCode::Order, "sections", "they are not the six sections in their order");
    }
    for (at, section) in payload.sections.iter().enumerate() {
        check_order(at, section, findings);
        for (number, item) in section.items.iter().enumerate() {
            check_item(item_path(at, number), section.part, item, findings);
        }
    }
}

/// Ranks count from 1. By rank, the relevance does not grow.
fn check_order(at: usize, section: &PayloadSection, findings: &mut Findings) {
    let mut by_rank: Vec<(usize, &PayloadItem)> = section.items.iter().enumerate().collect();
    by_rank.sort_by_key(|(_, item)| item.metadata.rank);
    for (place, (number, item)) in by_rank.iter().enumerate() {
        let path = format!("{}.metadata.rank", item_path(at, *number));
        let expected = match section.part {
            PayloadPart::Focus => place,
            PayloadPart::History => section.items.len() - 1 - number,
            _ => *number,
        };
        findings.compare(PayloadErrorCode::Order, path, item.metadata.rank, expected as u32 + 1);
    }
    for pair in by_rank.windows(2).filter(|pair| pair[0].1.relevance < pair[1].1.relevance) {
        let path = format!("{}.relevance", item_path(at, pair[1].0));
        findings.add(PayloadErrorCode::Relevance, path, "an item of a better rank has less");
    }
    let numbers: Vec<Option<u32>> = section.items.iter().map(message_number).collect();
    if section.part == PayloadPart::History && !numbers.is_sorted() {
        findings.add(PayloadErrorCode::Order, format!("{}.items", section_path(at)), "messages are not in time");
    }
}

/// Of `history:N`.
fn message_number(item: &PayloadItem) -> Option<u32> {
    item.block_id.strip_prefix("history:")?.parse().ok()
}

/// What is no block has one type and one relevance.
fn check_item(path: String, part: PayloadPart, item: &PayloadItem, findings: &mut Findings) {
    let (expected, has_id) = match part {
        PayloadPart::System => (BlockType::Text, item.block_id == "system:1"),
        PayloadPart::History => (BlockType::AiChat, message_number(item).is_some()),
        _ => return,
    };
    if item.block_type != expected {
        findings.add(PayloadErrorCode::BlockType, format!("{path}.blockType"), "the section has another type");
    }
    if item.relevance != Score::ONE {
        findings.add(PayloadErrorCode::Relevance, format!("{path}.relevance"), "what is no block has relevance 1");
    }
    if !has_id {
        findings.add(PayloadErrorCode::Counts, format!("{path}.blockId"), "the section has no such items");
    }
}

fn check_blocks(payload: &ContextPayload, findings: &mut Findings) {
    let mut known = BTreeSet::new();
    for (at, section) in payload.sections.iter().enumerate() {
        for (number, item) in section.items.iter().enumerate() {
            if !known.insert(&item.block_id) {
                let path = format!("{}.blockId", item_path(at, number));
                findings.add(PayloadErrorCode::Duplicate, path, "it is shown before");
            }
        }
    }
}

fn check_budget(payload: &ContextPayload, request: Option<&ContextRequest>, findings: &mut Findings) {
    const CODE: PayloadErrorCode = PayloadErrorCode::Budget;
    let metadata = &payload.metadata;
    for (part, share) in &metadata.budget {
        let path = format!("metadata.budget.{}", part.name());
        if u64::from(share.used) > u64::from(share.share) + u64::from(share.borrowed) || share.share > share.asked {
            findings.add(CODE, path.clone(), "more is used than may be");
        }
        let asked = request.and_then(|request| request.token_budget.of(*part));
        if asked.is_some_and(|asked| asked != share.asked) || share.asked == 0 && share.used > 0 {
            findings.add(CODE, path, "the request asks for another budget");
        }
    }
    let total = request.and_then(|request| request.token_budget.total);
    if total.is_some_and(|total| metadata.total_tokens > total) {
        findings.add(CODE, "metadata.totalTokens", "the request allows fewer");
    }
}

/// As requests and payloads write `now`.
fn is_time(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok() || text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
}
