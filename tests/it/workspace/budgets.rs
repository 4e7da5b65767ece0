//! A3. Budgets of payloads from real workspaces: counts are exact, sums match, and more room never shows less.

use contextpack::door::workspace::{Summaries, payload, validate};
use contextpack::record::workspace::{
    ContextPayload, ContextRequest, PayloadItem, PayloadPart, PayloadSection, RequestBudget, WarningCode,
};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::answers::{Answers, golden_requests, parsed};
use super::workspace_data::Random;
use super::world::World;

#[test]
fn every_budget_of_acme_is_kept() {
    check(&World::of_golden("workspace_acme"), &conversation(&golden_requests("payloads_acme")[4]), 1);
}

#[test]
fn every_budget_of_an_export_is_kept() {
    check(&World::of_golden("workspace_notion"), &conversation(&golden_requests("payloads_notion")[2]), 1);
}

#[test]
fn every_budget_of_a_tree_is_kept() {
    check(&World::of_golden("workspace_tree"), &conversation(&golden_requests("payloads_tree")[2]), 1);
}

/// What is too large for any budget stands first in every list, and neither stops nor starves the others. Every total is
/// checked beside the code; here it is every twentieth, through the door.
#[test]
fn budgets_are_kept_around_large_blocks() {
    let world = large();
    let mut request = conversation(&json!({ "query": "harvest plan", "focus": { "blockId": "focus" },
        "user": { "id": "1" }, "now": "2025-06-10T09:00:00Z" }));
    check(&world, &request, 20);
    request["tokenBudget"] = json!({ "total": 4_000 });
    let payload = Answers::of(&world).payload(&request);
    for section in payload.sections.iter().filter(|section| section.part.holds_blocks()) {
        let cut = section.items.iter().any(|item| item.metadata.truncated.is_some_and(|it| it.of_tokens > 15_000));
        assert!(cut, "{:?} shows what fits of the large block", section.part);
        let has_others = !matches!(section.part, PayloadPart::Focus | PayloadPart::Semantic);
        assert!(!has_others || section.items.len() > 1, "{:?} shows others", section.part);
    }
}

/// The best block of each list has 20,000 tokens.
fn large() -> World {
    let sentences = |about: &str| -> String {
        (0..1_600).map(|at| format!("Row {at} of the {about} was counted by two people today. ")).collect()
    };
    let mut blocks = String::from("{\"id\":\"page\",\"type\":\"page\",\"title\":\"Farm\",\"read\":[\"public\"]}\n");
    let mut activity = String::new();
    let mut add = |id: &str, text: String, relations: &[String], minute: u32| {
        let (kind, title) = if id == "focus" { ("kanban_card", "Orchard") } else { ("text", "") };
        let block = json!({ "id": id, "type": kind, "parent": "page", "title": title, "text": text,
            "updatedAt": "2025-06-10T08:00:00Z", "relations": { "Next": relations } });
        blocks += &format!("{block}\n");
        let at = format!("2025-06-10T08:{minute:02}:00Z");
        activity += &format!("{}\n", json!({ "user": "1", "block": id, "kind": "edit", "at": at }));
    };
    let small: Vec<String> = (0..4).map(|at| format!("linked-{at}")).collect();
    let related: Vec<String> = std::iter::once("linked".to_string()).chain(small.iter().cloned()).collect();
    add("before", "A short neighbour stands before it.".to_string(), &[], 1);
    add("focus", sentences("orchard"), &related, 2);
    add("after", "A short neighbour stands behind it.".to_string(), &[], 3);
    (0..4).for_each(|at| add(&format!("gap-{at}"), format!("Nothing but distance, number {at}."), &[], 4));
    add("linked", sentences("cellar"), &[], 5);
    small.iter().for_each(|id| add(id, format!("A short text that is linked, {id}."), &[], 6));
    add("like", format!("harvest plan harvest plan. {}", sentences("harvest plan")), &[], 7);
    (0..4).for_each(|at| add(&format!("like-{at}"), format!("harvest plan number {at}"), &[], 8));
    add("recent", "Hens slept quietly under an old roof. ".repeat(2_200), &[], 50);
    World::new(&[("blocks.jsonl", &blocks), ("activity.jsonl", &activity)])
}

/// With something to say in every section.
fn conversation(request: &Value) -> Value {
    let mut request = request.clone();
    request["conversationHistory"] = json!([
        { "role": "user", "content": "What did we decide about the first part of all this, and who was there?" },
        { "role": "assistant", "content": "We decided to wait. Three people were there. They meet again on Monday." },
        { "role": "user", "content": "Good." },
    ]);
    request
}

/// Every so many totals, and so many fewer of 200 random budgets.
fn check(world: &World, request: &Value, step: usize) {
    let answers = Answers::of(world);
    let base = ContextRequest { token_budget: RequestBudget::default(), ..parsed(request) };
    answers.with(request, |view| {
        let with = |budget: RequestBudget| {
            let asked = ContextRequest { token_budget: budget, ..base.clone() };
            let payload = answers.answer(view, &asked).payload;
            check_counts(&asked, &payload);
            if payload.metadata.total_tokens.is_multiple_of(16) {
                let found = validate(&payload, Some(&asked), Some(view));
                assert!(found.valid, "{budget:?}: {:?}", found.errors);
            }
            payload
        };
        // What is found does not depend on the total.
        let found = answers.answer(view, &base).found;
        let profile = answers.source.settings().profile(base.request_type);
        let of_total = |total: u32| {
            let budget = RequestBudget { total: Some(total), ..RequestBudget::default() };
            let asked = ContextRequest { token_budget: budget, ..base.clone() };
            let made = payload(&asked, &profile, &found, &Summaries::default());
            check_counts(&asked, &made);
            made
        };
        let totals: Vec<u32> = (0..=800).step_by(step).collect();
        let payloads: Vec<ContextPayload> = totals.into_par_iter().map(of_total).collect();
        assert!(payloads[0].serialized.is_empty());
        let last = payloads.last().unwrap();
        assert!(last.metadata.blocks_included > 2);
        assert_eq!(*last, with(RequestBudget { total: Some(800), ..RequestBudget::default() }));
        for (at, pair) in payloads.windows(2).enumerate() {
            check_growth(&pair[0], &pair[1], &format!("total {}", at * step));
        }
        random_budgets(200 / step).into_par_iter().for_each(|(budget, more)| {
            let larger = RequestBudget { total: Some(more), ..budget };
            check_growth(&with(budget), &with(larger), &format!("{budget:?} with {more}"));
        });
    });
}

/// Budgets, each with a larger total.
fn random_budgets(count: usize) -> Vec<(RequestBudget, u32)> {
    let mut random = Random::new(93);
    (0..count).map(|_| random_budget(&mut random)).collect()
}

fn random_budget(random: &mut Random) -> (RequestBudget, u32) {
    let mut share = || match random.below(5) {
        0 => None,
        1 => Some(0),
        _ => Some(random.below(2_000) as u32),
    };
    let [activity, focus, history, relations, semantic, system] = std::array::from_fn(|_| share());
    let total = random.below(4_000) as u32;
    let budget = RequestBudget { activity, focus, history, relations, semantic, system, total: Some(total) };
    (budget, total + 1 + random.below(600) as u32)
}

fn check_counts(request: &ContextRequest, payload: &ContextPayload) {
    let budget = request.token_budget;
    let (metadata, counted) = (&payload.metadata, request.tokenizer.count(&payload.serialized) as u32);
    assert_eq!(metadata.total_tokens, counted, "{budget:?}");
    assert!(counted <= budget.total.unwrap(), "{budget:?}");
    let frame = format!("## Current Context\n\n---\n\nUser Query: {}\n", request.query);
    let frame = request.tokenizer.count(&frame) as u32;
    let below = metadata.warnings.iter().any(|warning| warning.code == WarningCode::BudgetBelowFrame);
    assert_eq!(below, budget.total.unwrap() < frame, "{budget:?}");
    assert_eq!(payload.serialized.is_empty(), below, "{budget:?}");
    let sections: u32 = payload.sections.iter().map(|section| section.token_count).sum();
    assert_eq!(counted, if below { 0 } else { frame + sections }, "{budget:?}");
    for section in &payload.sections {
        let share = metadata.budget[&section.part];
        assert_eq!(share.used, section.token_count, "{budget:?}");
        assert!(share.used <= share.share + share.borrowed && share.share <= share.asked, "{budget:?} {share:?}");
        let printed = payload.serialized.contains(&format!("### {}\n", section.part.title()));
        assert_eq!(printed, section.token_count > 0, "{budget:?} {:?}", section.part);
    }
}

/// The items of every section continue those of the smaller budget, and each shows at least as much.
fn check_growth(small: &ContextPayload, large: &ContextPayload, what: &str) {
    for (small, large) in small.sections.iter().zip(&large.sections) {
        let (few, many) = (by_rank(small), by_rank(large));
        assert!(few.len() <= many.len(), "{what}: {:?} loses items", small.part);
        for (less, more) in few.iter().zip(&many) {
            assert_eq!(less.block_id, more.block_id, "{what}: {:?} has another item", small.part);
            assert!(shown(less) <= shown(more), "{what}: {} shows less", less.block_id);
        }
    }
}

fn by_rank(section: &PayloadSection) -> Vec<&PayloadItem> {
    let mut items: Vec<&PayloadItem> = section.items.iter().collect();
    items.sort_by_key(|item| item.metadata.rank);
    items
}

/// A whole item shows more than any part of it.
fn shown(item: &PayloadItem) -> u32 {
    item.metadata.truncated.map_or(u32::MAX, |truncated| truncated.shown_tokens)
}
