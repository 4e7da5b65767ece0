//! From what was found to a payload: spends the budget and prints.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::apart::apart;
use super::candidate::{Making, candidates};
use super::history::History;
use super::render;
use super::section::{BlockSteps, Filled, OneStep, Section, Steps, empty};
use super::source::Shortening;
use super::truncate::Extractor;
use super::{Found, Profile, Summaries};
use crate::assemble::shares::{Share, lend};
use crate::record::workspace::{
    BudgetShare, ContextPayload, ContextRequest, LeftOut, PayloadId, PayloadItem, PayloadItemFacts, PayloadMetadata,
    PayloadPart, PayloadSection, PayloadWarning, RequestType, WarningCode,
};
use crate::record::{BlockType, Digest, Score};

/// The parts in the order in which they borrow what others do not need.
const BORROWING: [PayloadPart; 6] = [
    PayloadPart::Focus,
    PayloadPart::Semantic,
    PayloadPart::Relations,
    PayloadPart::Activity,
    PayloadPart::History,
    PayloadPart::System,
];

/// The answer to a request.
pub fn payload(request: &ContextRequest, profile: &Profile, found: &Found, summaries: &Summaries) -> ContextPayload {
    let shortening = shortening(request, profile, found);
    let found = &*apart(found, profile, &shortening, |part| is_on(request, profile, found, part));
    let total = request.token_budget.total.unwrap_or(profile.budget.total);
    Prepared::new(request, profile, found, summaries, &shortening).payload(total)
}

/// The exact number of tokens of the text of a payload.
pub fn estimate_tokens(payload: &ContextPayload) -> u32 {
    payload.metadata.tokenizer.count(&payload.serialized) as u32
}

/// How the items of a request are cut.
pub(super) fn shortening(request: &ContextRequest, profile: &Profile, found: &Found) -> Shortening {
    Shortening {
        tokenizer: request.tokenizer,
        strategy: request.truncation.unwrap_or(profile.truncation.default_strategy),
        min_characters: profile.truncation.min_content_length as usize,
        extractor: RefCell::new(Extractor::new(&found.query_terms)),
    }
}

/// Whether a part has a budget, and looked for something if it shows blocks.
pub(super) fn is_on(request: &ContextRequest, profile: &Profile, found: &Found, part: PayloadPart) -> bool {
    asked(request, profile, part) > 0 && (!part.holds_blocks() || found.parts.contains_key(&part))
}

fn asked(request: &ContextRequest, profile: &Profile, part: PayloadPart) -> u32 {
    request.token_budget.of(part).unwrap_or(profile.budget.of(part))
}

/// Everything that does not depend on the total budget.
pub(super) struct Prepared<'p> {
    request: &'p ContextRequest,
    profile: &'p Profile,
    found: &'p Found,
    /// The tokens of the text around all sections.
    frame: u32,
    /// Those that are on.
    sections: BTreeMap<PayloadPart, Section<'p>>,
    demands: Vec<u32>,
    covered: BTreeMap<PayloadPart, u32>,
}

impl<'p> Prepared<'p> {
    pub fn new(
        request: &'p ContextRequest,
        profile: &'p Profile,
        found: &'p Found,
        summaries: &'p Summaries,
        shortening: &'p Shortening,
    ) -> Self {
        let tokenizer = request.tokenizer;
        let making = Making { profile, shortening, summarizer: summaries, is_explained: request.include_explain };
        let is_on = |part| is_on(request, profile, found, part);
        let mut covered = BTreeMap::new();
        let mut steps: BTreeMap<PayloadPart, Box<dyn Steps + 'p>> = BTreeMap::new();
        for (part, candidates) in candidates(&making, found, is_on) {
            covered.insert(part, candidates.covered);
            steps.insert(part, Box::new(BlockSteps { candidates, is_in_document_order: part == PayloadPart::Focus }));
        }
        if is_on(PayloadPart::History) {
            let history = History::new(&request.conversation_history, shortening);
            steps.insert(PayloadPart::History, Box::new(history));
        }
        if is_on(PayloadPart::System) {
            let instructions = OneStep::new(instructions(request, profile, found), tokenizer);
            steps.insert(PayloadPart::System, Box::new(instructions));
        }
        let sections: BTreeMap<PayloadPart, Section> =
            steps.into_iter().map(|(part, steps)| (part, Section { part, steps, tokenizer })).collect();
        let demands = BORROWING.iter().map(|part| sections.get(part).map_or(0, Section::demand)).collect();
        let frame = tokenizer.count(render::HEAD) + tokenizer.count(&render::tail(&request.query));
        Prepared { request, profile, found, frame: frame as u32, sections, demands, covered }
    }

    /// The payload with at most so many tokens.
    pub fn payload(&self, total: u32) -> ContextPayload {
        let has_frame = self.frame <= total;
        let asked = BORROWING.map(|part| asked(self.request, self.profile, part));
        let shares = lend(total.saturating_sub(self.frame), &asked, &self.demands);
        let shares: BTreeMap<PayloadPart, Share> = BORROWING.into_iter().zip(shares).collect();
        let fill = |part| match self.sections.get(&part) {
            Some(section) => section.fill(shares[&part].own + shares[&part].borrowed),
            None => Filled { section: empty(part), left_out: 0, lacking_summaries: 0 },
        };
        let filled: Vec<Filled> = PayloadPart::ALL.into_iter().map(fill).collect();
        let spent: u32 = filled.iter().map(|filled| filled.section.token_count).sum();
        let left_out = self.left_out(&filled);
        let warnings = self.warnings(&filled, (!has_frame).then_some(total));
        let sections: Vec<PayloadSection> = filled.into_iter().map(|filled| filled.section).collect();
        let lacks_room = |part| lacks_room(&left_out, part);
        let serialized =
            if has_frame { render::text(&sections, lacks_room, &self.request.query) } else { String::new() };
        let metadata = PayloadMetadata {
            blocks_considered: self.found.considered,
            blocks_included: blocks_included(&sections),
            budget: self.budget(&sections, &shares),
            collectors_used: self.sections.keys().copied().filter(|part| part.holds_blocks()).collect(),
            focus_block_id: self.found.focus_block_id.clone(),
            focus_page_id: self.found.focus_page_id.clone(),
            similarity: self.found.similarity,
            timestamp: self.found.now.clone(),
            tokenizer: self.request.tokenizer,
            total_tokens: if has_frame { self.frame + spent } else { 0 },
            warnings,
            left_out,
        };
        sealed(ContextPayload { metadata, payload_id: PayloadId::of_digest(&"0".repeat(32)), sections, serialized })
    }

    fn left_out(&self, filled: &[Filled]) -> BTreeMap<PayloadPart, BTreeMap<LeftOut, u32>> {
        let mut all = BTreeMap::new();
        for Filled { section, left_out, .. } in
            filled.iter().filter(|filled| self.sections.contains_key(&filled.section.part))
        {
            let part = section.part;
            let mut reasons = self.found.parts.get(&part).map(|found| found.left_out.clone()).unwrap_or_default();
            *reasons.entry(LeftOut::Covered).or_default() += self.covered.get(&part).copied().unwrap_or(0);
            *reasons.entry(LeftOut::Budget).or_default() += left_out;
            reasons.retain(|_, count| *count > 0);
            if !reasons.is_empty() {
                all.insert(part, reasons);
            }
        }
        all
    }

    fn budget(
        &self,
        sections: &[PayloadSection],
        shares: &BTreeMap<PayloadPart, Share>,
    ) -> BTreeMap<PayloadPart, BudgetShare> {
        let share = |section: &PayloadSection| {
            let Share { own, borrowed } = shares[&section.part];
            let asked = asked(self.request, self.profile, section.part);
            (section.part, BudgetShare { asked, borrowed, share: own, used: section.token_count })
        };
        sections.iter().map(share).collect()
    }

    /// Those of what was found and of what is shown, by code.
    fn warnings(&self, filled: &[Filled], below_frame: Option<u32>) -> Vec<PayloadWarning> {
        let mut warnings = BTreeSet::new();
        let mut warn = |code, message: String| warnings.insert((code, message));
        for PayloadWarning { code, message } in &self.found.warnings {
            warn(*code, message.clone());
        }
        if let Some(total) = below_frame {
            let frame = self.frame;
            warn(
                WarningCode::BudgetBelowFrame,
                format!("the budget is {total} tokens, and the frame alone has {frame}"),
            );
        }
        let is_known = self.found.warnings.iter().any(|warning| warning.code == WarningCode::NoContext);
        if !is_known && self.found.parts.values().all(|part| part.entries.is_empty()) {
            warn(WarningCode::NoContext, "nothing in the workspace fits the request".to_string());
        }
        let is_system = |filled: &&Filled| filled.section.part == PayloadPart::System;
        if filled.iter().find(is_system).is_some_and(|filled| filled.left_out > 0) {
            warn(WarningCode::SystemLeftOut, "the instructions do not fit the budget as a whole".to_string());
        }
        let lacking: u32 = filled.iter().map(|filled| filled.lacking_summaries).sum();
        if lacking > 0 {
            warn(WarningCode::SummarizerFallback, format!("items without a summary, cut by `extractive`: {lacking}"));
        }
        warnings.into_iter().map(|(code, message)| PayloadWarning { code, message }).collect()
    }
}

/// Whether an empty section is empty because its items do not fit.
pub(super) fn lacks_room(left_out: &BTreeMap<PayloadPart, BTreeMap<LeftOut, u32>>, part: PayloadPart) -> bool {
    left_out.get(&part).is_some_and(|reasons| reasons.contains_key(&LeftOut::Budget))
}

pub(super) fn blocks_included(sections: &[PayloadSection]) -> u32 {
    sections.iter().filter(|section| section.part.holds_blocks()).map(|section| section.items.len() as u32).sum()
}

/// The user's instructions, and the day.
fn instructions(request: &ContextRequest, profile: &Profile, found: &Found) -> PayloadItem {
    let request_type = match request.request_type {
        RequestType::Assist => "assist",
        RequestType::Chat => "chat",
        RequestType::Search => "search",
        RequestType::Automate => "automate",
    };
    let day = format!("Today is {}. Request: {request_type}.", found.today.as_str());
    let prompt = profile.assembly.system_prompt.trim_end();
    PayloadItem {
        block_id: "system:1".to_string(),
        block_type: BlockType::Text,
        content: if prompt.is_empty() { day } else { format!("{prompt}\n{day}") },
        metadata: PayloadItemFacts { rank: 1, ..PayloadItemFacts::default() },
        relevance: Score::ONE,
    }
}

/// With the id of what it holds.
pub(super) fn sealed(payload: ContextPayload) -> ContextPayload {
    ContextPayload { payload_id: payload_id(&payload), ..payload }
}

/// A digest of everything else in a payload.
pub(super) fn payload_id(payload: &ContextPayload) -> PayloadId {
    let mut value = serde_json::to_value(payload).expect("a payload is JSON");
    value.as_object_mut().expect("a payload is an object").remove("payloadId");
    let bytes = serde_json_canonicalizer::to_vec(&value).expect("a payload is JSON");
    let digest = Digest::sha256(&bytes);
    PayloadId::of_digest(digest.as_str().rsplit(':').next().unwrap_or_default())
}
