//! Sessions from the request to their outcome.

use serde_json::{Value, json};

use super::world::{World, whole_claims};

fn item(state: &Value, name: &str) -> String {
    let items = state["checklist"].as_array().unwrap();
    let item = items.iter().find(|item| item["item"] == name).unwrap_or_else(|| panic!("{name} in {items:?}"));
    format!("{}/{}", item["have"], item["need"])
}

fn missing(world: &World, id: &str) -> Vec<String> {
    let state = world.state(id);
    let items = state["checklist"].as_array().unwrap().iter().filter(|item| item["ok"] == false);
    items.map(|item| item["item"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a14_a_vague_request_needs_much_evidence() {
    let world = World::new();
    world.start("ログイン機能直して", "v");
    let state = world.state("v");
    assert_eq!((&state["phase"], &state["risk_level"]), (&json!("EXPLORATION"), &json!("HIGH")));
    for (op, target) in
        [("find_definitions", "AuthService"), ("find_references", "AuthService"), ("search_text", "invalid token")]
    {
        world.call("v", op, target);
    }
    for path in ["auth/service.py", "controllers/login.py"] {
        world.call("v", "read", path);
    }
    let mut few = whole_claims();
    few["symbols_identified"] = json!(["AuthService", "LoginController", "AuthService.authenticate"]);
    few["entry_points"] = json!(["LoginController.login"]);
    few["files_analyzed"] = json!(["auth/service.py", "controllers/login.py"]);
    few["existing_patterns"] = json!([few["existing_patterns"][0].clone()]);
    few["slot_evidence"] = json!({});
    few["new_files"] = json!([]);
    let answer = world.step("submit", "v", few);
    assert_eq!(answer.code, 1, "{answer:?}");
    let state = world.state("v");
    assert_eq!(state["phase"], "EXPLORATION");
    let counts = ["symbols_identified", "entry_points", "files_analyzed", "existing_patterns"];
    assert_eq!(counts.map(|name| item(&state, name)), ["3/5", "1/2", "2/4", "1/2"]);
    assert_eq!(item(&state, "evidence:observed_issue"), "0/1");
    for path in ["auth/token.py", "routes.py"] {
        world.call("v", "read", path);
    }
    let mut without = whole_claims();
    without["slot_evidence"] = json!({});
    assert_eq!(world.step("submit", "v", without).code, 1);
    assert_eq!(missing(&world, "v"), ["evidence:observed_issue"]);
    let answer = world.step("submit", "v", whole_claims());
    assert_eq!(answer.code, 0, "{answer:?}");
    let state = world.state("v");
    assert_eq!((&state["phase"], &state["confidence"]), (&json!("READY"), &json!(1)));
}

#[test]
fn a15_a_detailed_request_is_ready_after_five_events() {
    let world = World::new();
    let query = "ログイン機能で空のトークンを入力したときに、invalid tokenというエラーが出るので、修正して";
    world.start(query, "d");
    assert_eq!(world.state("d")["risk_level"], "LOW");
    world.call("d", "find_definitions", "AuthService");
    world.call("d", "find_references", "AuthService");
    world.call("d", "search_text", "invalid token");
    world.call("d", "read", "controllers/login.py");
    let answer = world.step("submit", "d", json!({
        "symbols_identified": ["AuthService", "LoginController", "LoginController.login"],
        "entry_points": ["LoginController.login"],
        "files_analyzed": ["auth/service.py", "controllers/login.py"],
        "existing_patterns": [{ "pattern": "services are made where they are used", "places": ["controllers/login.py:10"] }],
        "slot_evidence": { "observed_issue": { "call": 3, "place": "auth/token.py:4" } },
    }));
    assert_eq!(answer.code, 0, "{answer:?}");
    assert_eq!((world.phase("d"), world.seq("d")), ("READY".to_string(), 5));
}

#[test]
fn a16_a_definition_that_is_related_is_mapped_by_itself() {
    let world = World::new();
    world.start("ログイン機能直して", "m");
    world.call("m", "find_definitions", "AuthService");
    let frame = world.state("m")["frame"].clone();
    let symbol = &frame["mapped_symbols"][0];
    assert_eq!(
        (&symbol["name"], &symbol["source"], &symbol["confidence"]),
        (&json!("AuthService"), &json!("FACT"), &json!(1))
    );
    assert_eq!(symbol["evidence"]["tool"], "find_definitions");
    assert_eq!(symbol["evidence"]["places"][0], json!({ "line": 15, "path": "auth/service.py" }));
    assert_eq!(frame["slot_source"]["target_feature"], "FACT");
    assert_eq!(frame["target_feature"], "ログイン機能");
    world.call("m", "find_references", "AuthService");
    // The call shows `LoginController.login`, and so not the class around it.
    assert_eq!(world.step("map", "m", json!({ "symbol": "LoginController.login", "call": 2 })).code, 0);
    assert_eq!(world.step("map", "m", json!({ "symbol": "NoSuchThing", "call": 2 })).code, 1);
    let names: Vec<Value> =
        world.state("m")["frame"]["mapped_symbols"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["AuthService", "LoginController.login"]);
}

/// A session in which semantic search is open.
fn semantic(world: &World, id: &str) {
    world.start("ログイン機能直して", id);
    world.call(id, "find_definitions", "LoginFlow");
    world.call(id, "find_references", "LoginFlow");
    world.call(id, "search_text", "no such text");
    let answer = world.step("semantic", id, json!({ "slot": "target_feature", "reason": "no_definition_found" }));
    assert_eq!(answer.code, 0, "{answer:?}");
    assert_eq!(world.phase(id), "SEMANTIC");
}

#[test]
fn a17_a_hypothesis_blocks_ready() {
    let world = World::new();
    world.ready("h");
    assert_eq!(world.run(&["revert", "h", "--keep"]).code, 0);
    world.call("h", "search_text", "login nowhere at all");
    let data = json!({ "slot": "observed_issue", "reason": "no_similar_implementation" });
    assert_eq!(world.step("semantic", "h", data).code, 0);
    world.call("h", "semantic_search", "what is wrong with the login");
    let guess = json!({ "hypotheses": [{ "slot": "observed_issue", "text": "it is slow", "call": world.seq("h") }] });
    assert_eq!(world.step("hypothesis", "h", guess).code, 0);
    assert_eq!(world.denial("h", "auth/service.py"), "phase", "all facts are there, and one slot is a guess");
    semantic(&world, "s");
    world.call("s", "semantic_search", "where do users log in");
    let call = world.seq("s");
    let data = json!({ "hypotheses": [{ "symbol": "TokenValidator", "text": "checks tokens", "call": call, "confidence": 0.9 }] });
    assert_eq!(world.step("hypothesis", "s", data).code, 0);
    let state = world.state("s");
    assert_eq!((&state["phase"], &state["risk_level"]), (&json!("VERIFICATION"), &json!("HIGH")));
    assert_eq!(state["frame"]["mapped_symbols"][0]["confidence"], 0.7);
    assert_eq!(world.step("submit", "s", whole_claims()).code, 1, "no submit in this phase");
    assert_eq!(world.denial("s", "auth/service.py"), "phase");
}

#[test]
fn a18_semantic_search_comes_after_facts() {
    let world = World::new();
    world.start("ログイン機能直して", "e");
    let refused = |id: &str| {
        let answer = world.run(&["call", id, "semantic_search", "login"]);
        assert!(
            answer.code == 1 && answer.text.contains("POC_E_PHASE") && answer.text.contains("facts first"),
            "{answer:?}"
        );
    };
    refused("e");
    assert_eq!(world.state("e")["refusals"], json!({ "POC_E_PHASE": 1 }));
    world.ready("r");
    refused("r");
}

#[test]
fn a19_the_semantic_gate_opens_by_reasons_that_the_log_bears_out() {
    let world = World::new();
    world.start("ログイン機能直して", "g");
    let open = |slot: &str, reason: &str| world.step("semantic", "g", json!({ "slot": slot, "reason": reason }));
    let refused = |slot: &str, reason: &str, why: &str| {
        let answer = open(slot, reason);
        assert!(answer.code == 1 && answer.text.contains("POC_E_GATE") && answer.text.contains(why), "{answer:?}");
    };
    refused("target_feature", "no_definition_found", "find_definitions, find_references, search_text");
    world.call("g", "find_definitions", "connect");
    refused("target_feature", "no_definition_found", "find_references, search_text");
    world.call("g", "find_references", "connect");
    refused("target_feature", "no_definition_found", "search_text");
    world.call("g", "search_text", "import");
    refused("desired_action", "no_definition_found", "target_feature or observed_issue");
    refused("target_feature", "context_fragmented", "not one for target_feature");
    refused("target_feature", "no_definition_found", "every find_definitions");
    refused("target_feature", "architecture_unknown", "analyze_structure");
    refused("observed_issue", "no_similar_implementation", "fewer than two");
    let before = world.state("g");
    let answer = open("observed_issue", "context_fragmented");
    assert_eq!(answer.code, 0, "hits are in at least three files: {answer:?}");
    assert_eq!((before["phase"].as_str(), world.phase("g").as_str()), (Some("EXPLORATION"), "SEMANTIC"));
    let again = |reason: &str, slot: &str, calls: &[(&str, &str)]| {
        assert_eq!(world.run(&["revert", "g", "--keep"]).code, 0);
        calls.iter().for_each(|(op, target)| drop(world.call("g", op, target)));
        let answer = open(slot, reason);
        assert_eq!(answer.code, 0, "{reason}: {answer:?}");
    };
    again("no_definition_found", "target_feature", &[("find_definitions", "LoginFlow")]);
    again("architecture_unknown", "target_feature", &[("analyze_structure", "auth")]);
    assert_eq!(world.run(&["revert", "g", "--keep"]).code, 0);
    refused("observed_issue", "context_fragmented", "at most 3 visits");
}

#[test]
fn a20_hypotheses_are_verified_by_facts_of_this_visit() {
    let world = World::new();
    semantic(&world, "q");
    world.call("q", "semantic_search", "login");
    let call = world.seq("q");
    let cites_nothing = json!({ "hypotheses": [{ "symbol": "SessionPurger", "text": "purges", "call": 1 }] });
    assert_eq!(world.step("hypothesis", "q", cites_nothing).code, 1);
    let data = json!({ "hypotheses": [
        { "symbol": "SessionPurger", "text": "purges", "call": call },
        { "symbol": "TokenValidator", "text": "validates", "call": call },
        { "slot": "observed_issue", "text": "tokens are refused", "call": call },
    ] });
    assert_eq!(world.step("hypothesis", "q", data).code, 0);
    assert_eq!(world.state("q")["frame"]["slot_source"]["observed_issue"], "HYPOTHESIS");
    let verify = |id: u32, status: &str, evidence: Value| {
        world.step("verify", "q", json!({ "verified": [{ "id": id, "status": status, "evidence": evidence }] }))
    };
    let answer = verify(1, "confirmed", json!({ "call": 1, "place": "auth/token.py:1" }));
    assert!(answer.text.contains("fault hypothesis 1: not_found"), "{answer:?}");
    let answer = verify(2, "confirmed", json!({ "tool": "find_definitions", "result": "auth/token.py:1" }));
    assert!(answer.text.contains("fault hypothesis 2: not_seen"), "{answer:?}");
    world.call("q", "find_definitions", "TokenValidator");
    let seen = world.seq("q");
    let answer = verify(2, "confirmed", json!({ "call": seen, "place": "auth/token.py:1" }));
    assert!(!answer.text.contains("fault"), "{answer:?}");
    let state = world.state("q");
    let symbols = state["frame"]["mapped_symbols"].as_array().unwrap();
    let symbol = symbols.iter().find(|one| one["name"] == "TokenValidator").unwrap();
    assert_eq!((&symbol["source"], &symbol["confidence"]), (&json!("FACT"), &json!(1)));
    assert_eq!(state["phase"], "VERIFICATION", "others are open");
    verify(3, "rejected", Value::Null);
    let frame = world.state("q")["frame"].clone();
    assert_eq!((&frame["observed_issue"], &frame["slot_source"]["observed_issue"]), (&Value::Null, &Value::Null));
    verify(1, "rejected", Value::Null);
    assert_eq!(world.phase("q"), "EXPLORATION", "nothing was ever submitted");
}

#[test]
fn a23_intents_that_do_not_write_never_write() {
    let world = World::new();
    world.start("Why does the login never expire?", "i");
    assert_eq!(world.state("i")["intent"], "QUESTION");
    assert_eq!(world.step("submit", "i", json!({})).code, 0);
    assert_eq!((world.phase("i").as_str(), world.denial("i", "auth/service.py").as_str()), ("READY", "intent"));
    assert_eq!(world.run(&["intent", "i", "MODIFY"]).code, 0);
    assert_eq!(world.phase("i"), "EXPLORATION");
    world.ready("w");
    assert_eq!(world.run(&["intent", "w", "QUESTION"]).code, 1);
    assert_eq!(world.phase("w"), "READY");
}

#[test]
fn a26_revert_drops_facts_unless_they_are_kept() {
    let world = World::new();
    for (id, keeps) in [("k", true), ("n", false)] {
        world.ready(id);
        let arguments = if keeps { vec!["revert", id, "--keep"] } else { vec!["revert", id] };
        assert_eq!(world.run(&arguments).code, 0);
        let state = world.state(id);
        assert_eq!(state["phase"], "EXPLORATION");
        assert_eq!(state["frame"]["mapped_symbols"].as_array().unwrap().is_empty(), !keeps);
        assert_eq!(state["explored"].as_array().unwrap().is_empty(), !keeps);
        assert_eq!(state["frame"]["slot_source"]["target_feature"], if keeps { "FACT" } else { "STATED" });
        assert_eq!(world.denial(id, "auth/service.py"), "phase");
        assert_eq!(world.step("submit", id, whole_claims()).code, i32::from(!keeps));
    }
}

#[test]
fn a27_an_outcome_says_what_led_to_a_failure() {
    let world = World::new();
    world.ready("o");
    world.call("o", "find_definitions", "connect");
    let answer = world.step("outcome", "o", json!({
        "outcome": "failure",
        "analysis": { "root_cause": "the wrong place", "related_files": ["store/users.py", "store/service.py", "auth/service.py"],
            "related_symbols": ["AuthService", "LoginController"] },
    }));
    assert_eq!(answer.code, 0, "{answer:?}");
    let kinds = [
        "store/users.py never_seen",
        "store/service.py seen_not_claimed",
        "auth/service.py claimed",
        "AuthService claimed",
        "LoginController wrong_target",
    ];
    assert!(kinds.iter().all(|kind| answer.text.contains(kind)), "{answer:?}");
    assert_eq!(world.phase("o"), "CLOSED");
    let answer = world.run(&["call", "o", "read", "routes.py"]);
    assert!(answer.text.contains("POC_E_SESSION_CLOSED"), "{answer:?}");
    let stats: Value = serde_json::from_str(&world.run(&["stats"]).text).unwrap();
    assert_eq!(stats["total"], json!({ "failure": 1, "failure_share": 1, "partial": 0, "success": 0 }));
    assert_eq!(
        (&stats["by_intent"]["MODIFY"]["failure"], &stats["by_blame"]["wrong_target"]["failure"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn a28_what_the_user_says_later_fills_a_slot_and_keeps_the_risk() {
    let world = World::new();
    world.start("ログイン機能直して", "u");
    let data = json!({ "said": "invalid tokenというエラーが出るので", "observed_issue": { "value": "invalid tokenというエラー", "quote": "invalid tokenというエラーが出るので" } });
    let answer = world.step("frame", "u", data);
    assert_eq!(answer.code, 0, "{answer:?}");
    let state = world.state("u");
    assert_eq!(state["frame"]["observed_issue"], "invalid tokenというエラー");
    assert_eq!(state["risk_level"], "HIGH");
    let wrong = json!({ "target_feature": { "value": "ログアウト", "quote": "ログイン" } });
    world.step("frame", "u", wrong);
    let frame = world.state("u")["frame"].clone();
    assert_eq!(
        (&frame["target_feature"], &frame["rejected"][0]["reason"]),
        (&json!("ログイン機能"), &json!("value_adds"))
    );
}

#[test]
fn a29_the_third_failed_submit_asks_for_the_user() {
    let world = World::new();
    world.start("ログイン機能直して", "t");
    let asks = || world.step("submit", "t", json!({})).text.contains("ask the user");
    assert_eq!([asks(), asks(), asks()], [false, false, true]);
}
