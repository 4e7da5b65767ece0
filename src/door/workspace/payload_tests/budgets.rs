//! Every total from 0 to 800 and random budgets: exact counts, and more room never shows less.

use proptest::prelude::*;

use super::payload::{Prepared, shortening};
use super::synthetic::*;
use super::*;
use crate::record::BlockType;
use crate::record::workspace::{
    BudgetShare, ContextPayload, ContextRequest, MessageRole, PayloadItem, PayloadPart, PayloadSection, RequestBudget,
    TruncationStrategy, WarningCode,
};

/// Entries of all kinds of text in all parts. In every part a block of 20,000 tokens comes first.
fn large() -> Found {
    let huge = |seed: usize, is_whole| Entry {
        is_whole,
        ..entry(&format!("huge{seed}"), BlockType::Text, &sentences(seed, 2900))
    };
    let small = |seed: usize| {
        let code = format!("fn f{seed}() {{\n    // {}\n}}\n", sentences(seed, 3)).repeat(1 + seed % 3);
        vec![
            entry(&format!("t{seed}"), BlockType::Text, &sentences(seed, 4)),
            entry(&format!("c{seed}"), BlockType::Code, &code),
            entry(&format!("j{seed}"), BlockType::Todo, &"期限を過ぎた課題を一覧にする。".repeat(seed + 1)),
            entry(&format!("l{seed}"), BlockType::List, &format!("- a\n\n- {}\n```", sentences(seed, 12))),
            entry(&format!("s{seed}"), BlockType::Heading, "Risks"),
        ]
    };
    let with = |seed: usize, is_whole| [vec![huge(seed, is_whole)], small(seed), small(seed + 10)].concat();
    found(vec![
        (PayloadPart::Focus, with(1, true)),
        (PayloadPart::Semantic, with(2, false)),
        (PayloadPart::Relations, with(3, false)),
        (PayloadPart::Activity, with(4, false)),
    ])
}

/// Less than most budgets allow.
fn little() -> Found {
    found(vec![
        (PayloadPart::Focus, vec![entry("a", BlockType::Page, "Q3 Plan")]),
        (PayloadPart::Semantic, Vec::new()),
        (PayloadPart::Relations, vec![entry("b", BlockType::Code, "let a = 1;"), entry("c", BlockType::Text, "")]),
    ])
}

fn asking(strategy: TruncationStrategy) -> ContextRequest {
    let roles = [MessageRole::User, MessageRole::Assistant, MessageRole::User, MessageRole::Assistant];
    let history = roles.into_iter().enumerate().map(|(at, role)| message(role, &sentences(at, 6 * (at + 1)))).collect();
    ContextRequest { conversation_history: history, truncation: Some(strategy), ..request() }
}

/// Everything that is true of every payload.
#[track_caller]
fn check(payload: &ContextPayload, request: &ContextRequest, total: u32) {
    let metadata = &payload.metadata;
    assert_eq!(estimate_tokens(payload), metadata.total_tokens);
    let counted_by_another = bpe_openai::o200k_base().count(&payload.serialized);
    assert_eq!(counted_by_another, metadata.total_tokens as usize);
    assert!(metadata.total_tokens <= total, "{} of {total}", metadata.total_tokens);
    let sections: u32 = payload.sections.iter().map(|section| section.token_count).sum();
    let frame = format!("{}{}", render::HEAD, render::tail(&request.query));
    let frame = if payload.serialized.is_empty() { 0 } else { metadata.tokenizer.count(&frame) as u32 };
    assert_eq!(sections + frame, metadata.total_tokens);
    for BudgetShare { asked, borrowed, share, used } in metadata.budget.values() {
        assert!(used <= &(share + borrowed) && share <= asked);
    }
    let is_below = metadata.warnings.iter().any(|warning| warning.code == WarningCode::BudgetBelowFrame);
    assert_eq!(is_below, payload.serialized.is_empty());
    let validation = validate(payload, Some(request), None);
    assert!(validation.valid, "{:?}", validation.errors);
}

/// By rank, the items of the larger payload continue those of the smaller, and each shows at least as much.
#[track_caller]
fn check_grows(smaller: &ContextPayload, larger: &ContextPayload) {
    for (smaller, larger) in smaller.sections.iter().zip(&larger.sections) {
        let (smaller, larger) = (by_rank(smaller), by_rank(larger));
        assert!(smaller.len() <= larger.len());
        for (small, large) in smaller.iter().zip(&larger) {
            assert_eq!(small.block_id, large.block_id);
            assert!(shows(large, small), "{:?}\n{:?}", small.content, large.content);
        }
    }
}

fn by_rank(section: &PayloadSection) -> Vec<&PayloadItem> {
    let mut items: Vec<&PayloadItem> = section.items.iter().collect();
    items.sort_by_key(|item| item.metadata.rank);
    items
}

fn shows(large: &PayloadItem, small: &PayloadItem) -> bool {
    let mut rest = large.content.as_str();
    small.content.split('…').all(|part| match rest.find(part.trim()) {
        Some(at) => {
            rest = &rest[at + part.trim().len()..];
            true
        }
        None => false,
    })
}

/// Every total from 0 to 800, then some up to all that there is.
fn check_all_totals(found: &Found, strategy: TruncationStrategy) {
    let (profile, summaries) = (profile(), Summaries::default());
    let request = asking(strategy);
    let shortening = shortening(&request, &profile, found);
    let prepared = Prepared::new(&request, &profile, found, &summaries, &shortening);
    let mut before: Option<ContextPayload> = None;
    for total in (0..=800).chain((900..3000).step_by(211)).chain([100_000]) {
        let payload = prepared.payload(total);
        check(&payload, &request, total);
        if let Some(before) = &before {
            check_grows(before, &payload);
        }
        before = Some(payload);
    }
    let (payload, request) = (before.unwrap(), &request);
    assert_eq!(payload, super::payload(&with_total(request, 100_000), &profile, found, &summaries));
}

fn with_total(request: &ContextRequest, total: u32) -> ContextRequest {
    let token_budget = RequestBudget { total: Some(total), ..request.token_budget };
    ContextRequest { token_budget, ..request.clone() }
}

#[test]
fn every_total_is_exact() {
    check_all_totals(&large(), TruncationStrategy::Extractive);
    check_all_totals(&large(), TruncationStrategy::KeepStart);
    check_all_totals(&large(), TruncationStrategy::KeepEnd);
    check_all_totals(&little(), TruncationStrategy::Extractive);
}

/// A block that is far too large neither hides the others of its part nor takes the room of other parts.
#[test]
fn a_huge_block_leaves_room() {
    let (found, request) = (large(), asking(TruncationStrategy::Extractive));
    let payload = payload(&request, &profile(), &found, &Summaries::default());
    let counts: Vec<usize> = payload.sections.iter().map(|section| section.items.len()).collect();
    assert_eq!(counts, [1, 1, 11, 8, 3, 2], "the focus is shown as far as it fits");
}

#[test]
fn what_a_part_does_not_need_is_lent() {
    let request = ContextRequest { query: "q".to_string(), ..request() };
    let some = found(vec![
        (PayloadPart::Focus, vec![entry("a", BlockType::Text, &sentences(1, 500))]),
        (PayloadPart::Semantic, vec![entry("b", BlockType::Text, "one")]),
    ]);
    let payload = payload(&request, &profile(), &some, &Summaries::default());
    let focus = payload.metadata.budget[&PayloadPart::Focus];
    assert_eq!((focus.asked, focus.share), (1500, 1331), "shares of 4,500 tokens are scaled to what is left of 4,000");
    assert!(focus.borrowed > 2000 && focus.used > 3500, "{focus:?}");
    assert_eq!(payload.metadata.budget[&PayloadPart::Relations].used, 0);
    assert!(payload.metadata.total_tokens > 3950);
}

#[test]
fn nothing_found_says_so() {
    let found = found(vec![(PayloadPart::Semantic, Vec::new())]);
    let payload = payload(&request(), &profile(), &found, &Summaries::default());
    let codes: Vec<WarningCode> = payload.metadata.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [WarningCode::NoContext]);
    assert_eq!(payload.metadata.blocks_included, 0);
    assert!(payload.serialized.contains("### Related Content\n\n_No relevant content found._\n\n###"));
    assert!(!payload.serialized.contains("Connected Items"), "a part that did not look is not printed");
}

#[test]
fn the_id_is_that_of_what_is_seen() {
    let (found, profile) = (little(), profile());
    let with = |request: &ContextRequest| payload(request, &profile, &found, &Summaries::default()).payload_id;
    assert_eq!(with(&request()), with(&request()));
    let other = ContextRequest { query: "other".to_string(), ..request() };
    assert_ne!(with(&request()), with(&other));
    let user = ContextRequest { user: Some(Default::default()), ..request() };
    assert_eq!(with(&request()), with(&user), "who asks is not seen");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_budgets(
        parts in prop::array::uniform6(0..900u32),
        total in 0..2500u32,
        more in 0..400u32,
        strategy in 0..4usize,
        limit in 1..300u32,
        min_content_length in 1..120u32,
    ) {
        let [focus, semantic, relations, activity, history, system] = parts.map(Some);
        let token_budget =
            RequestBudget { total: None, focus, semantic, relations, activity, history, system };
        let strategy = [
            TruncationStrategy::Extractive,
            TruncationStrategy::KeepEnd,
            TruncationStrategy::KeepStart,
            TruncationStrategy::Summarize,
        ][strategy];
        let request = ContextRequest { token_budget, ..asking(strategy) };
        let mut profile = profile();
        profile.items.semantic = limit;
        profile.truncation.min_content_length = min_content_length;
        let found = medium();
        let mut summaries = Summaries::default();
        for (at, wanted) in wanted_summaries(&request, &profile, &found).into_iter().enumerate().filter(|(at, _)| at % 2 == 0) {
            summaries.insert(wanted, sentences(at, 20));
        }
        let shortening = shortening(&request, &profile, &found);
        let prepared = Prepared::new(&request, &profile, &found, &summaries, &shortening);
        let (smaller, larger) = (prepared.payload(total), prepared.payload(total + more));
        check(&smaller, &request, total);
        check(&larger, &request, total + more);
        check_grows(&smaller, &larger);
    }
}

/// The large entries, with blocks of 400 tokens at most.
fn medium() -> Found {
    let mut found = large();
    for entry in found.parts.values_mut().flat_map(|part| &mut part.entries) {
        let end = entry.content.floor_char_boundary(2000);
        entry.content.truncate(end);
        entry.blocks[0].range.end = end.min(entry.content.len());
    }
    found
}
