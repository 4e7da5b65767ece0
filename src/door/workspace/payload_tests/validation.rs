//! Every kind of error is found where it is planted.

use super::payload::sealed;
use super::synthetic::*;
use super::*;
use crate::record::workspace::{
    ContextPayload, ContextRequest, MessageRole, PayloadErrorCode, PayloadErrorCode as Code, PayloadPart,
    RequestBudget, Truncated,
};
use crate::record::{BlockType, Score};

fn asked() -> ContextRequest {
    let history = vec![message(MessageRole::User, "Hello."), message(MessageRole::Assistant, "Hi.")];
    with_budget(ContextRequest { conversation_history: history, ..request() }, 2000, 500)
}

fn good() -> ContextPayload {
    let texts = |part: &str, count: usize| -> Vec<Entry> {
        (1..=count)
            .map(|at| entry(&format!("{part}{at}"), BlockType::Text, &sentences(at, 3 + 60 * (at % 2))))
            .collect()
    };
    let found = found(vec![(PayloadPart::Focus, texts("f", 3)), (PayloadPart::Semantic, texts("s", 3))]);
    payload(&asked(), &profile(), &found, &Summaries::default())
}

/// The codes and paths of what is wrong after a change. The id is that of what is then there.
fn errors(change: impl FnOnce(&mut ContextPayload)) -> Vec<(PayloadErrorCode, String)> {
    let mut payload = good();
    change(&mut payload);
    let validation = validate(&sealed(payload), Some(&asked()), None);
    assert_eq!(validation.valid, validation.errors.is_empty());
    validation.errors.into_iter().map(|error| (error.code, error.path)).collect()
}

#[track_caller]
fn check(change: impl FnOnce(&mut ContextPayload), expected: &[(PayloadErrorCode, &str)]) {
    let errors = errors(change);
    let errors: Vec<(PayloadErrorCode, &str)> = errors.iter().map(|(code, path)| (*code, path.as_str())).collect();
    assert_eq!(errors, expected);
}

#[test]
fn a_payload_is_valid() {
    check(|_| (), &[]);
    let validation = validate(&good(), None, None);
    assert!(validation.valid, "{:?}", validation.errors);
    let json = serde_json::to_string(&good()).unwrap();
    assert_eq!(serde_json::from_str::<ContextPayload>(&json).unwrap(), good());
}

#[test]
fn counts_of_tokens() {
    check(|payload| payload.metadata.total_tokens += 1, &[(Code::Tokens, "metadata.totalTokens")]);
    let wrong = [(Code::SectionTokens, "sections[2].tokenCount"), (Code::Counts, "metadata.budget.semantic.used")];
    check(|payload| payload.sections[2].token_count -= 1, &wrong);
    check(
        |payload| payload.metadata.budget.clear(),
        &[
            (Code::Counts, "metadata.budget.focus.used"),
            (Code::Counts, "metadata.budget.history.used"),
            (Code::Counts, "metadata.budget.semantic.used"),
            (Code::Counts, "metadata.budget.system.used"),
        ],
    );
}

#[test]
fn other_counts() {
    check(|payload| payload.metadata.blocks_included = 5, &[(Code::Counts, "metadata.blocksIncluded")]);
    check(|payload| payload.metadata.blocks_considered = 5, &[(Code::Counts, "metadata.blocksConsidered")]);
    let truncate = |payload: &mut ContextPayload| {
        let truncated = payload.sections[2].items[0].metadata.truncated.as_mut().unwrap();
        *truncated = Truncated { shown_tokens: 1, ..*truncated };
    };
    check(truncate, &[(Code::Counts, "sections[2].items[0].metadata.truncated.shownTokens")]);
    let rename = |payload: &mut ContextPayload| payload.sections[5].items[1].block_id = "message".to_string();
    let unordered = (Code::Order, "sections[5].items");
    check(rename, &[(Code::Counts, "sections[5].items[1].blockId"), unordered]);
}

#[test]
fn order() {
    let errors = errors(|payload| payload.sections.swap(1, 2));
    assert!(errors.contains(&(Code::Order, "sections".to_string())), "{errors:?}");
    assert!(errors.contains(&(Code::Serialized, "serialized".to_string())), "{errors:?}");
    let swap_ranks = |section: usize| {
        move |payload: &mut ContextPayload| {
            payload.sections[section].items[0].metadata.rank = 2;
            payload.sections[section].items[1].metadata.rank = 1;
        }
    };
    check(
        swap_ranks(2),
        &[
            (Code::Order, "sections[2].items[0].metadata.rank"),
            (Code::Order, "sections[2].items[1].metadata.rank"),
            (Code::Relevance, "sections[2].items[0].relevance"),
        ],
    );
    let messages = [(Code::Order, "sections[5].items")];
    check(|payload| payload.sections[5].items[0].block_id = "history:3".to_string(), &messages);
    check(
        |payload| payload.sections[1].items[0].metadata.rank = 9,
        &[(Code::Order, "sections[1].items[0].metadata.rank")],
    );
}

#[test]
fn duplicates_types_and_relevance() {
    let copy = |payload: &mut ContextPayload| payload.sections[2].items[1].block_id = "f1".to_string();
    check(copy, &[(Code::Duplicate, "sections[2].items[1].blockId")]);
    let change_type = |payload: &mut ContextPayload| payload.sections[0].items[0].block_type = BlockType::Todo;
    let errors = errors(change_type);
    assert!(errors.contains(&(Code::BlockType, "sections[0].items[0].blockType".to_string())), "{errors:?}");
    let less = |payload: &mut ContextPayload| payload.sections[5].items[1].relevance = Score::percent(50);
    let paths = ["sections[5].items[0].relevance", "sections[5].items[1].relevance"];
    check(less, &paths.map(|path| (Code::Relevance, path)));
    let more = |payload: &mut ContextPayload| payload.sections[2].items[2].relevance = Score::ONE;
    check(more, &[(Code::Relevance, "sections[2].items[2].relevance")]);
}

#[test]
fn the_text_and_the_time() {
    check(|payload| payload.metadata.timestamp = "yesterday".to_string(), &[(Code::Timestamp, "metadata.timestamp")]);
    let titled = |payload: &mut ContextPayload| payload.sections[2].title = "Other".to_string();
    check(titled, &[(Code::Serialized, "sections[2].title")]);
    let replaced = |payload: &mut ContextPayload| payload.serialized = payload.serialized.replace("Hello.", "Hullo.");
    let errors = errors(replaced);
    assert!(errors.contains(&(Code::Serialized, "serialized".to_string())), "{errors:?}");
    let emptied = |payload: &mut ContextPayload| payload.serialized.clear();
    check(emptied, &[(Code::Tokens, "metadata.totalTokens"), (Code::Serialized, "serialized")]);
    let mut other_id = good();
    other_id.metadata.warnings.clear();
    other_id.metadata.blocks_considered += 1;
    let validation = validate(&other_id, None, None);
    assert_eq!(validation.errors.len(), 1);
    assert_eq!((validation.errors[0].code, validation.errors[0].path.as_str()), (Code::Serialized, "payloadId"));
}

#[test]
fn the_query_is_that_of_the_request() {
    let other = ContextRequest { query: "What else?".to_string(), ..asked() };
    let validation = validate(&good(), Some(&other), None);
    assert_eq!(validation.errors[0].code, Code::Serialized);
}

#[test]
fn budgets() {
    let overspent =
        |payload: &mut ContextPayload| payload.metadata.budget.get_mut(&PayloadPart::System).unwrap().share = 1;
    let lent =
        |payload: &mut ContextPayload| payload.metadata.budget.get_mut(&PayloadPart::System).unwrap().borrowed = 0;
    check(
        |payload| {
            overspent(payload);
            lent(payload)
        },
        &[(Code::Budget, "metadata.budget.system")],
    );
    let budget = RequestBudget { total: Some(100), ..asked().token_budget };
    let smaller = ContextRequest { token_budget: budget, ..asked() };
    let validation = validate(&good(), Some(&smaller), None);
    let paths: Vec<&str> = validation.errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!(paths, ["metadata.totalTokens"]);
    let budget = RequestBudget { focus: Some(0), ..asked().token_budget };
    let without_focus = ContextRequest { token_budget: budget, ..asked() };
    let validation = validate(&good(), Some(&without_focus), None);
    assert_eq!(
        (validation.errors[0].code, validation.errors[0].path.as_str()),
        (Code::Budget, "metadata.budget.focus")
    );
}
