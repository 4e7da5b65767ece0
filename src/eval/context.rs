//! Measures context of workspaces: which of the blocks that answer a question a payload shows, and how much of what it
//! shows is right.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::bootstrap::interval;
use crate::assemble::blocks::ReadableBlocks;
use crate::door::workspace::{Entry, Found, ShownBlock};
use crate::record::workspace::{ContextPayload, ContextRequest, PayloadItem, PayloadPart};
use crate::record::{BlockNo, BlockType};

/// A question, and the blocks that answer it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextRow {
    pub id: String,
    /// The workspace that it asks, where a file has rows for several.
    #[serde(default)]
    pub export: Option<String>,
    pub request: ContextRequest,
    /// What has to be shown.
    #[serde(default)]
    pub relevant: Vec<String>,
    /// What may be shown without being a mistake.
    #[serde(default)]
    pub acceptable: Vec<String>,
}

/// How well one question was answered, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextOutcome {
    pub id: String,
    /// The share of the items of Related Content and Connected Items that are right. Absent if there are none and none
    /// were expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// The share of the relevant blocks that are shown. Absent if nothing is relevant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    pub tokens: u32,
    /// The first blocks of items that are not right.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<String>,
    /// The relevant blocks that are not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// Means over all questions, with the interval that holds the mean in 95 of 100 resamples.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextSummary {
    pub questions: usize,
    pub precision: Mean,
    pub recall: Mean,
    pub tokens: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Mean {
    pub mean: f64,
    pub interval: [f64; 2],
}

/// Compares a payload with what a row expects.
pub fn context_outcome(
    row: &ContextRow,
    payload: &ContextPayload,
    found: &Found,
    view: &ReadableBlocks,
) -> ContextOutcome {
    let wanted: BTreeSet<&str> = row.relevant.iter().map(String::as_str).collect();
    let right: BTreeSet<&str> = row.acceptable.iter().map(String::as_str).chain(wanted.iter().copied()).collect();
    let (mut shown, mut items, mut wrong) = (BTreeSet::new(), 0, Vec::new());
    for section in payload.sections.iter().filter(|section| section.part.holds_blocks()) {
        for item in &section.items {
            let (blocks, page) = (blocks_of(item, found, section.part), page_of(item, view));
            let is_judged = matches!(section.part, PayloadPart::Semantic | PayloadPart::Relations);
            items += usize::from(is_judged);
            let answers = page.as_deref().is_some_and(|page| wanted.contains(page));
            if is_judged && !answers && !blocks.iter().any(|block| right.contains(block.as_str())) {
                wrong.push(item.block_id.clone());
            }
            shown.extend(blocks.into_iter().chain(page));
        }
    }
    let missing: Vec<String> = wanted.iter().filter(|id| !shown.contains(**id)).map(|id| (*id).to_string()).collect();
    let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
    // To show nothing where something was expected is not precise.
    let precision = share(items - wrong.len(), items).or((!wanted.is_empty()).then_some(0.0));
    let recall = share(wanted.len() - missing.len(), wanted.len());
    ContextOutcome { id: row.id.clone(), precision, recall, tokens: payload.metadata.total_tokens, wrong, missing }
}

/// The blocks that an item shows: its own, and those in it whose whole text is left where it is cut.
fn blocks_of(item: &PayloadItem, found: &Found, part: PayloadPart) -> BTreeSet<String> {
    let entries = found.parts.get(&part).map_or(&[][..], |part| part.entries.as_slice());
    let entry: Option<&Entry> = entries.iter().find(|entry| entry.block_id == item.block_id);
    let inside = entry.into_iter().flat_map(|entry| entry.blocks.iter().map(move |block| (entry, block)));
    let is_shown =
        |(entry, block): &(&Entry, &ShownBlock)| item.content.contains(entry.content[block.range.clone()].trim());
    let shown = inside.filter(is_shown).map(|(_, block)| block.block_id.clone());
    shown.chain([item.block_id.clone()]).collect()
}

/// The page, database or board that an item stands on.
fn page_of(item: &PayloadItem, view: &ReadableBlocks) -> Option<String> {
    let is_page = |block: &BlockNo| {
        matches!(view.block_type(*block), BlockType::Page | BlockType::Database | BlockType::KanbanBoard)
    };
    let around = std::iter::successors(view.block_with_id(&item.block_id), |block| view.parent(*block));
    around.into_iter().find(is_page).map(|page| view.id(page).to_string())
}

impl ContextSummary {
    pub fn new(outcomes: &[ContextOutcome]) -> Self {
        let of = |value: fn(&ContextOutcome) -> Option<f64>| Mean::of(outcomes.iter().filter_map(value).collect());
        ContextSummary {
            questions: outcomes.len(),
            precision: of(|outcome| outcome.precision),
            recall: of(|outcome| outcome.recall),
            tokens: of(|outcome| Some(f64::from(outcome.tokens))).mean,
        }
    }
}

impl Mean {
    fn of(values: Vec<f64>) -> Self {
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        Mean { mean, interval: interval(&values) }
    }
}
