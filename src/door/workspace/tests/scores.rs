//! The five scores, and the date and time that they count from.

use super::{entry, found, found_in, try_find};
use crate::assemble::blocks::{TestIndex, reader};
use crate::door::workspace::{Intents, WorkspaceSettings, find};
use crate::record::Score;
use crate::record::workspace::{ContextRequest, Why};

fn why(found: &super::Found, id: &str) -> Why {
    entry(found, id).why.clone().unwrap()
}

/// A request that shows some blocks in any case.
fn with(request: &str, ids: &[&str]) -> String {
    let mut request: ContextRequest = serde_json::from_str(request).unwrap();
    request.hints.include_blocks = ids.iter().map(|id| id.to_string()).collect();
    serde_json::to_string(&request).unwrap()
}

fn scores(blocks: &str, request: &str, id: &str) -> Why {
    why(&found(blocks, &with(request, &[id])), id)
}

#[test]
fn relevance_is_the_weighed_sum() {
    let blocks = r#"
        {"id":"p","type":"page","title":"Plan","updatedAt":"2025-06-10"}
        {"id":"t","type":"text","parent":"p","text":"Text"}"#;
    let found = found(blocks, r#"{"focus":{"blockId":"p"},"now":"2025-06-25"}"#);
    // 0.35 · 1 + 0.25 · 1 + 0.15 · 0.5 + 0.15 · 0.5 + 0.1 · 0.5
    assert_eq!(entry(&found, "p").relevance, Score::millionths(800_000));
    // 0.35 · 0.85 + 0.25 · 0.9 + 0.15 · 0.5 + 0.15 · 0.5 + 0.1 · 0.5
    assert_eq!(entry(&found, "t").relevance, Score::millionths(722_500));
}

#[test]
fn near_the_focus_is_more_in_its_tree_and_nothing_elsewhere() {
    let blocks = r#"
        {"id":"p","type":"page","title":"Plan"}
        {"id":"c","type":"column","parent":"p"}
        {"id":"q","type":"page","parent":"c","title":"Inner"}
        {"id":"t","type":"text","parent":"q","text":"zebra"}
        {"id":"r","type":"page","parent":"p","title":"Inner too"}
        {"id":"u","type":"text","parent":"r","text":"zebra lion"}
        {"id":"x","type":"text","text":"zebra"}"#;
    let structural = |focus: &str, id: &str| {
        let request = format!(r#"{{"query":"zebra","focus":{{{focus}}}}}"#);
        scores(blocks, &request, id).structural.to_string()
    };
    assert_eq!(structural(r#""blockId":"t""#, "u"), "0.6", "up to the page and down again, past the column");
    assert_eq!(structural(r#""blockId":"t""#, "x"), "0");
    assert_eq!(structural(r#""pageId":"p""#, "u"), "0.8");
    assert_eq!(structural("", "u"), "0.5");
}

#[test]
fn what_was_changed_lately_is_more() {
    let line = |id: &str, date: &str| format!("{{\"id\":\"{id}\",\"type\":\"text\",\"text\":\"zebra\"{date}}}\n");
    let blocks = [
        line("new", r#","updatedAt":"2025-06-10""#),
        line("half", r#","updatedAt":"2025-05-26""#),
        line("old", r#","updatedAt":"2025-01-01""#),
        line("later", r#","updatedAt":"2025-07-01""#),
        line("undated", ""),
    ]
    .concat();
    let found = found(&blocks, r#"{"query":"zebra","now":"2025-06-10"}"#);
    let recency = |id: &str| why(&found, id).recency.to_string();
    assert_eq!(["new", "half", "old", "later", "undated"].map(recency), ["1", "0.5", "0", "1", "0.5"]);
    assert_eq!(entry(&found, "half").modified.as_ref().unwrap().as_str(), "2025-05-26");
}

#[test]
fn a_range_of_dates_takes_the_place_of_recency() {
    let line = |id: &str, date: &str| format!("{{\"id\":\"{id}\",\"type\":\"todo\",\"text\":\"zebra\"{date}}}\n");
    let blocks = [
        line("in", r#","updatedAt":"2025-05-02T10:00:00Z""#),
        line("due", r#","updatedAt":"2025-01-01","due":"2025-05-03""#),
        line("end", r#","updatedAt":"2025-05-03T23:59:59Z""#),
        line("out", r#","updatedAt":"2025-05-04""#),
        line("before", r#","updatedAt":"2025-05-01T23:59:59Z""#),
        line("undated", ""),
    ]
    .concat();
    let range =
        r#"{"query":"zebra","now":"2025-06-10","hints":{"timeRange":{"start":"2025-05-02","end":"2025-05-03"}}}"#;
    let found = found(&blocks, &with(range, &["in", "due", "end", "out", "before", "undated"]));
    let recency = |id: &str| why(&found, id).recency.to_string();
    let all = ["in", "due", "end", "out", "before", "undated"].map(recency);
    assert_eq!(all, ["1", "1", "1", "0", "0", "0.5"]);
    let exact = range.replace("2025-05-03", "2025-05-03T00:00:00Z");
    assert_eq!(scores(&blocks, &exact, "due").recency.to_string(), "0", "an end with a time is not in the range");
}

#[test]
fn what_the_user_did_belongs_to_them() {
    let blocks = r#"
        {"id":"p","type":"page","title":"Zebra"}
        {"id":"t","type":"text","parent":"p","order":1,"text":"zebra stripes"}
        {"id":"u","type":"text","parent":"p","order":2,"text":"zebra legs"}
        {"id":"x","type":"text","text":"zebra"}
        {"id":"mine","type":"todo","text":"zebra","assignees":["1"]}
        {"id":"made","type":"text","text":"zebra","createdBy":"1"}"#;
    let activity = r#"
        {"user":"1","block":"t","kind":"edit","at":"2025-06-10"}
        {"user":"1","block":"t","kind":"view","at":"2025-05-26"}
        {"user":"1","block":"p","kind":"comment","at":"2025-04-01"}
        {"user":"1","block":"x","kind":"edit","at":"2025-06-11"}"#;
    let files = [("blocks.jsonl", blocks), ("activity.jsonl", activity)];
    let request =
        with(r#"{"query":"zebra","now":"2025-06-10","user":{"id":"1"}}"#, &["t", "u", "p", "x", "mine", "made"]);
    let found = found_in(&files, &request, &reader(&[]));
    let affinity = |id: &str| why(&found, id).user_affinity.to_string();
    // Points: 3 + 0.5 of the text itself, half of it for the rest of the page; four are full.
    assert_eq!(["t", "u", "p", "x", "mine", "made"].map(affinity), ["0.875", "0.4375", "0.4375", "0", "0.8", "0.5"]);
    let nobody = found_in(&files, &with(r#"{"query":"zebra","now":"2025-06-10"}"#, &["t"]), &reader(&[]));
    assert_eq!(why(&nobody, "t").user_affinity.to_string(), "0.5");
    let idle = found_in(&files, &request.replace(r#""id":"1""#, r#""id":"9""#), &reader(&[]));
    assert_eq!(why(&idle, "mine").user_affinity.to_string(), "0.5");
    let without_activity = found_in(&files[..1], &request, &reader(&[]));
    assert_eq!(why(&without_activity, "mine").user_affinity.to_string(), "0.8");
    assert_eq!(why(&without_activity, "made").user_affinity.to_string(), "0.5");
}

fn now(blocks: &str, request: &str, source_date: Option<&str>) -> String {
    let request: ContextRequest = serde_json::from_str(request).unwrap();
    let profile = WorkspaceSettings::default().profile(request.request_type);
    let date = source_date.map(|date| date.to_string().try_into().unwrap());
    let found = TestIndex::new(&[("b.jsonl", blocks)])
        .with(&reader(&[]), None, |view| find(view, &request, &profile, &Intents::default(), date).unwrap());
    format!("{} {}", found.now, found.today)
}

#[test]
fn now_is_given_or_that_of_the_source_or_the_newest_date() {
    let blocks = r#"
        {"id":"a","type":"text","text":"a","updatedAt":"2025-05-01T10:00:00Z"}
        {"id":"s","type":"text","text":"s","updatedAt":"2025-06-01","read":["user:2"]}"#;
    let (plain, source) = (r#"{"query":"a"}"#, Some("2025-05-20T08:00:00Z"));
    assert_eq!(now(blocks, plain, source), "2025-05-20T08:00:00Z 2025-05-20");
    assert_eq!(now(blocks, plain, Some("1970-01-01T00:00:00Z")), "2025-05-01T10:00:00Z 2025-05-01");
    assert_eq!(now(r#"{"id":"a","type":"text","text":"a"}"#, plain, None), "1970-01-01T00:00:00Z 1970-01-01");
    for (given, expected) in [
        ("2025-06-10", "2025-06-10T00:00:00Z 2025-06-10"),
        ("2025-06-10 09:30", "2025-06-10T09:30:00Z 2025-06-10"),
        ("2025-06-10T01:00:00+02:00", "2025-06-10T01:00:00+02:00 2025-06-10"),
        ("2025-06-10T01:00:00-05:30", "2025-06-10T01:00:00-05:30 2025-06-10"),
        ("2025-06-10T01:00:00.5Z", "2025-06-10T01:00:00Z 2025-06-10"),
    ] {
        assert_eq!(now(blocks, &format!(r#"{{"query":"a","now":"{given}"}}"#), source), expected);
    }
    for bad in ["", "10.06.2025", "2025-06-31", "20250610", "2025-06-10T25:00:00Z", "2025-06-10[Europe/Paris]"] {
        let request = format!(r#"{{"query":"a","now":"{bad}"}}"#);
        assert!(try_find(&[("b.jsonl", blocks)], &request, &reader(&[])).is_err(), "{bad}");
    }
}
