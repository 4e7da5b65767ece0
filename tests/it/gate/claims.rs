//! Every claim is looked up: one fault each.

use std::fs;

use serde_json::{Value, json};

use super::world::{World, whole_claims};

/// A session that has looked at enough, with one claim changed.
fn fault(change: impl Fn(&World, &mut Value)) -> String {
    let world = World::new();
    world.ready("c");
    let mut claims = whole_claims();
    change(&world, &mut claims);
    let answer = world.step("submit", "c", claims);
    answer.text.lines().filter(|line| line.starts_with("fault")).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(expected: &str, change: impl Fn(&World, &mut Value)) {
    let found = fault(change);
    assert!(found.contains(expected) && found.lines().count() == 1, "expected `{expected}` in: {found}");
}

#[test]
fn a21_symbols_are_looked_up() {
    check("symbols_identified Nothing: not_found", |_, claims| claims["symbols_identified"][0] = json!("Nothing"));
    check("symbols_identified User: not_seen", |_, claims| claims["symbols_identified"][0] = json!("User"));
    check("symbols_identified __init__: ambiguous", |_, claims| claims["symbols_identified"][1] = json!("__init__"));
    check("symbols_identified auth/service.py::AuthService: duplicate", |_, claims| {
        claims["symbols_identified"][1] = json!("auth/service.py::AuthService");
    });
}

#[test]
fn a21_files_and_places_are_looked_up() {
    check("files_analyzed store/users.py: not_seen", |world, claims| {
        world.call("c", "search_text", "class User");
        claims["files_analyzed"][0] = json!("store/users.py");
    });
    check("files_analyzed no/such.py: not_found", |_, claims| claims["files_analyzed"][0] = json!("no/such.py"));
    check("slot_evidence observed_issue: no_place", |_, claims| {
        claims["slot_evidence"]["observed_issue"]["place"] = json!("auth/token.py:99");
    });
    check("slot_evidence observed_issue: quote_mismatch", |_, claims| {
        claims["slot_evidence"]["observed_issue"] =
            json!({ "proof": { "path": "auth/token.py", "line": 5, "quote": "raise ValueError(\"invalid token\")" } });
    });
    check("existing_patterns faults are raised: no_place", |_, claims| {
        claims["existing_patterns"][1]["places"] = json!([])
    });
    check("existing_patterns faults are raised: duplicate", |_, claims| {
        claims["existing_patterns"][1]["places"] = claims["existing_patterns"][0]["places"].clone();
    });
}

#[test]
fn a21_entry_points_lead_to_the_symbols() {
    check("entry_points connect: not_linked", |world, claims| {
        world.call("c", "find_definitions", "connect");
        claims["entry_points"][0] = json!("connect");
    });
    check("entry_points AuthService: not_linked", |_, claims| claims["entry_points"][0] = json!("AuthService"));
}

#[test]
fn a21_evidence_is_of_a_call_that_showed_it() {
    let evidence =
        |value: Value| move |_: &World, claims: &mut Value| claims["slot_evidence"]["observed_issue"] = value.clone();
    check("observed_issue: not_seen", evidence(json!({ "tool": "get_symbols", "result": "auth/token.py:4" })));
    check("observed_issue: no_place", evidence(json!({ "call": 1, "place": "auth/token.py:4" })));
    check("observed_issue: not_seen", evidence(json!({ "call": 8, "place": "auth/token.py:4" })));
    let found = fault(|world, _| {
        let path = world.tree().join("auth/token.py");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\".\"", "\",\"")).unwrap();
    });
    assert_eq!(found.matches(": stale").count(), 3, "evidence, file and pattern: {found}");
}

#[test]
fn a22_the_three_forms_of_evidence_are_read() {
    for (evidence, expected) in [
        (json!({ "tool": "find_definitions", "result": "AuthService defined in auth/service.py:15" }), ""),
        (
            json!({ "tool": "find_definitions", "params": { "symbol": "AuthService" }, "result_summary": "auth/service.py:15", "timestamp": "2024-01-15T10:30:00" }),
            "",
        ),
        (json!({ "tool": "find_definitions", "file": "auth/service.py" }), ""),
        (json!({ "tool": "find_definitions", "result": "auth/service.py:99" }), "no_place"),
    ] {
        let found = fault(|_, claims| claims["slot_evidence"]["AuthService"] = evidence.clone());
        assert!(if expected.is_empty() { found.is_empty() } else { found.contains(expected) }, "{evidence}: {found}");
    }
}
