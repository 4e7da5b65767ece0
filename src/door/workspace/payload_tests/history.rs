//! Conversations in small budgets.

use super::synthetic::*;
use super::*;
use crate::record::workspace::{
    ContextPayload, ContextRequest, Message, MessageRole, PayloadPart, RequestBudget, TruncationStrategy, WarningCode,
};

fn conversation() -> Vec<Message> {
    vec![
        message(MessageRole::Assistant, "Welcome."),
        message(MessageRole::User, &sentences(1, 9)),
        message(MessageRole::Assistant, &sentences(2, 9)),
        message(MessageRole::System, "A note."),
        message(MessageRole::User, &sentences(3, 3)),
        message(MessageRole::Assistant, &sentences(4, 9)),
    ]
}

fn payload_with(messages: Vec<Message>, history: u32) -> ContextPayload {
    let token_budget = RequestBudget { history: Some(history), system: Some(0), ..RequestBudget::default() };
    let request = ContextRequest { conversation_history: messages, token_budget, ..request() };
    // With nothing found all else lends its share, so only the total is a limit.
    let request = ContextRequest {
        token_budget: RequestBudget { total: Some(history + 20), focus: Some(0), ..request.token_budget },
        ..request
    };
    payload(&request, &profile(), &found(Vec::new()), &Summaries::default())
}

fn ids(payload: &ContextPayload) -> Vec<&str> {
    payload.sections[5].items.iter().map(|item| item.block_id.as_str()).collect()
}

#[test]
fn whole_turns_are_shown_the_newest_first() {
    let mut counts = Vec::new();
    for budget in 0..600 {
        let payload = payload_with(conversation(), budget);
        let ids = ids(&payload);
        let is_cut = payload.sections[5].items.iter().any(|item| item.metadata.truncated.is_some());
        if counts.last() != Some(&(ids.len(), is_cut)) {
            counts.push((ids.len(), is_cut));
        }
    }
    assert_eq!(counts, [(0, false), (1, true), (1, false), (2, true), (2, false), (5, false), (6, false)]);
    let all = payload_with(conversation(), 900);
    assert_eq!(ids(&all), ["history:1", "history:2", "history:3", "history:4", "history:5", "history:6"]);
    let ranks: Vec<u32> = all.sections[5].items.iter().map(|item| item.metadata.rank).collect();
    assert_eq!(ranks, [6, 5, 4, 3, 2, 1]);
    assert_eq!(all.sections[5].items[3].metadata.page_title.as_deref(), Some("system"));
}

#[test]
fn a_turn_that_is_too_large_shows_its_end() {
    let payload = payload_with(conversation(), 60);
    let item = &payload.sections[5].items[0];
    assert_eq!(item.block_id, "history:6");
    assert_eq!(item.metadata.truncated.unwrap().strategy, TruncationStrategy::KeepEnd);
    assert!(item.content.starts_with("… "), "{}", item.content);
    assert!(sentences(4, 9).ends_with(item.content.trim_start_matches("… ")));
}

#[test]
fn instructions_are_shown_whole_or_not_at_all() {
    let mut profile = profile();
    profile.assembly.system_prompt = "Answer in two sentences.\n".to_string();
    let request = ContextRequest { request_type: crate::record::workspace::RequestType::Chat, ..request() };
    let found = found(vec![(PayloadPart::Semantic, vec![entry("a", crate::record::BlockType::Text, "one")])]);
    let shown = payload(&request, &profile, &found, &Summaries::default());
    let content = &shown.sections[0].items[0].content;
    assert_eq!(content, "Answer in two sentences.\nToday is 2025-06-10. Request: chat.");
    profile.assembly.system_prompt = sentences(1, 80);
    let request = with_budget(request, 90, 90);
    let left_out = payload(&request, &profile, &found, &Summaries::default());
    assert!(left_out.sections[0].items.is_empty());
    let codes: Vec<WarningCode> = left_out.metadata.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [WarningCode::SystemLeftOut]);
    assert!(
        left_out.serialized.contains("### Instructions\n\n_Nothing fits the budget._\n"),
        "{}",
        left_out.serialized
    );
}
