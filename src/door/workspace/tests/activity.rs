//! What the user did lately.

use super::{entry, found_in, priors};
use crate::assemble::blocks::reader;
use crate::record::workspace::PayloadPart::Activity;

const BLOCKS: &str = r#"
    {"id":"p","type":"page","title":"Plan"}
    {"id":"l","type":"list","parent":"p","order":1}
    {"id":"i1","type":"list_item","parent":"l","order":1,"text":"one"}
    {"id":"i2","type":"list_item","parent":"l","order":2,"text":"two"}
    {"id":"t","type":"text","parent":"p","order":2,"text":"Text"}
    {"id":"q","type":"page","title":"Other"}
    {"id":"s","type":"text","parent":"q","text":"hidden","read":["user:2"]}"#;

fn activity(lines: &[(&str, &str, &str, &str)], user: &str) -> String {
    let line = |(user, block, kind, at): &(&str, &str, &str, &str)| {
        format!("{{\"user\":\"{user}\",\"block\":\"{block}\",\"kind\":\"{kind}\",\"at\":\"{at}\"}}\n")
    };
    let lines: String = lines.iter().map(line).collect();
    let files = [("blocks.jsonl", BLOCKS), ("activity.jsonl", lines.as_str())];
    let request = format!(r#"{{"query":"x","now":"2025-06-10T12:00:00Z","user":{{"id":"{user}"}}}}"#);
    let found = found_in(&files, &request, &reader(&[&format!("user:{user}")]));
    priors(&found, Activity)
}

#[test]
fn units_that_were_edited_and_pages_that_were_seen_the_newest_first() {
    let lines = [
        ("1", "i1", "edit", "2025-06-10T10:00:00Z"),
        ("1", "i2", "comment", "2025-06-10T08:00:00Z"),
        ("1", "t", "create", "2025-06-10T09:00:00Z"),
        ("1", "s", "edit", "2025-06-10T11:00:00Z"),
        ("1", "q", "view", "2025-06-09T09:00:00Z"),
        ("1", "i1", "view", "2025-06-09T08:00:00Z"),
        ("2", "q", "edit", "2025-06-10T11:00:00Z"),
    ];
    assert_eq!(activity(&lines, "1"), "p 0.48, l 0.6, t 0.58, q 0.5");
}

#[test]
fn only_what_is_at_most_72_hours_old_counts() {
    let lines = [
        ("1", "l", "edit", "2025-06-07T12:00:00Z"),
        ("1", "t", "edit", "2025-06-07T11:59:59Z"),
        ("1", "q", "edit", "2025-06-10T12:00:01Z"),
    ];
    assert_eq!(activity(&lines, "1"), "l 0.6");
    assert_eq!(activity(&lines, "2"), "");
}

#[test]
fn no_user_did_nothing() {
    let files =
        [("blocks.jsonl", BLOCKS), ("activity.jsonl", r#"{"user":"1","block":"t","kind":"edit","at":"2025-06-10"}"#)];
    let found = found_in(&files, r#"{"query":"x","now":"2025-06-10"}"#, &reader(&[]));
    assert_eq!(priors(&found, Activity), "");
    let own = found_in(&files, r#"{"query":"x","now":"2025-06-10","user":{"id":"1"}}"#, &reader(&[]));
    assert_eq!(entry(&own, "t").content, "Text");
}
