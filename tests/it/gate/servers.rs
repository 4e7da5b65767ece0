//! The gate over MCP: `code` and `session`, their aliases, and the same bytes as on the command line.

use contextpack::text::Tokenizer;
use serde_json::{Value, json};

use super::world::{World, whole_claims};
use crate::mcp::client::Client;
use crate::tool::contextpack;

fn client(world: &World, options: &[&str]) -> Client {
    let mut command = contextpack();
    command.arg("mcp").arg("--repo").arg(world.tree()).arg("--index").arg(world.folder.path().join("index"));
    command.arg("--sessions").arg(world.sessions()).args(["--quiet", "--structured", "always"]).args(options);
    Client::start(&mut command)
}

fn names(client: &mut Client) -> Vec<String> {
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a36_the_gate_has_two_short_tools() {
    let world = World::new();
    let mut gate = client(&world, &["--tools", "frame"]);
    let tools = gate.ask("tools/list", json!({}))["result"]["tools"].clone();
    let tokens = Tokenizer::O200kBase.count(&tools.to_string());
    assert!(tokens < 450, "{tokens} tokens");
    println!("{tokens} tokens");
    assert_eq!(names(&mut gate), ["code", "session"]);
    let mut four = client(&world, &[]);
    let standard = names(&mut four);
    assert!(!standard.contains(&"session".to_string()));
    assert_eq!(names(&mut client(&world, &["--tools", "all"])), [standard, names(&mut gate)].concat());
    assert!(names(&mut client(&world, &["--tools", "seed"])).contains(&"check_write_target".to_string()));
}

#[test]
fn a38_the_server_replies_with_the_bytes_of_the_command_line() {
    let world = World::new();
    let mut server = client(&world, &["--tools", "gate"]);
    let started = server.call(
        "session",
        json!({ "op": "start", "query": "ログイン機能直して", "session": "one", "max_tokens": 20_000 }),
    );
    assert!(!started.failed(), "{started:?}");
    let printed = world.run(&["start", "ログイン機能直して", "--id", "two"]);
    assert_eq!(started.text(), printed.text.replace("two", "one"));
    for (op, target) in [
        ("find_definitions", "AuthService"),
        ("find_references", "AuthService"),
        ("search_text", "invalid token"),
        ("get_symbols", "auth"),
        ("analyze_structure", "auth/service.py"),
        ("read", "auth/service.py:1-20"),
        ("query", "how are tokens validated"),
        ("find_definitions", "NothingLikeThat"),
    ] {
        let reply = server.call("code", json!({ "op": op, "target": target, "session": "one", "max_tokens": 20_000 }));
        assert_eq!(reply.text(), world.call("two", op, target).text, "{op}");
    }
    let claims = json!({ "symbols_identified": ["AuthService"] });
    let reply = server
        .call("session", json!({ "op": "submit", "session": "one", "data": claims.clone(), "max_tokens": 20_000 }));
    assert_eq!(reply.text(), world.step("submit", "two", claims).text.replace("two", "one"));
    let reply = server.call("session", json!({ "op": "show", "session": "one", "max_tokens": 20_000 }));
    assert_eq!(reply.text(), world.run(&["show", "two"]).text.replace("two", "one"));
    assert_eq!((reply.fact("phase"), reply.fact("seq")), (&json!("EXPLORATION"), &json!(9)));
}

#[test]
fn a37_every_name_of_the_specification_works() {
    let world = World::new();
    let mut server = client(&world, &["--tools", "gate"]);
    server.call("start_session", json!({ "query": "ログイン機能直して", "session_id": "a" }));
    server.call("session", json!({ "op": "start", "query": "ログイン機能直して", "session": "b" }));
    for (alias, arguments, op, target) in [
        (
            "find_definitions",
            json!({ "symbol": "AuthService", "language": "python", "exact_match": true }),
            "find_definitions",
            "AuthService",
        ),
        ("find_references", json!({ "symbol": "AuthService" }), "find_references", "AuthService"),
        ("search_text", json!({ "pattern": "invalid token", "case_sensitive": true }), "search_text", "invalid token"),
        ("get_symbols", json!({ "file_path": "auth/token.py" }), "get_symbols", "auth/token.py"),
        ("analyze_structure", json!({ "path": "auth" }), "analyze_structure", "auth"),
        ("query", json!({ "question": "tokens" }), "query", "tokens"),
        ("add_explored_files", json!({ "file_path": "routes.py" }), "read", "routes.py"),
    ] {
        let mut named = arguments;
        named["session_id"] = json!("a");
        let reply = server.call(alias, named);
        let own = server.call("code", json!({ "op": op, "target": target, "session": "b" }));
        assert_eq!(reply.text(), own.text(), "{alias}");
    }
    for alias in ["devrag_search", "semantic_search"] {
        let reply = server.call(alias, json!({ "query": "login", "session": "a" }));
        assert!(reply.text().starts_with("POC_E_PHASE"), "{alias}: {reply:?}");
    }
    let submit = server.call("submit_understanding", {
        let mut data = whole_claims();
        data["session_id"] = json!("a");
        data
    });
    assert!(submit.text().contains("symbols_identified"), "{submit:?}");
    let denied = server.call("check_write_target", json!({ "file_path": "auth/service.py", "session_id": "a" }));
    assert!(denied.text().starts_with("POC_E_WRITE_DENIED"), "{denied:?}");
    assert!(!server.call("get_session_status", json!({ "session_id": "a" })).failed());
    assert!(!server.call("get_outcome_stats", json!({})).failed());
    assert!(!server.call("set_query_frame", json!({ "session_id": "a", "said": "in the evening" })).failed());
    assert!(!server.call("record_outcome", json!({ "session_id": "a", "outcome": "success" })).failed());
    let unknown = server.call("find_definitions", json!({ "symbol": "AuthService", "nonsense": 1 }));
    assert!(unknown.text().contains("`nonsense`"), "{unknown:?}");
}

#[test]
fn a39_no_reply_is_over_its_limit_and_pages_add_up() {
    let world = World::new();
    let many: String = (0..5_000).map(|number| format!("needle_{number} = {number}\n")).collect();
    std::fs::write(world.tree().join("many.py"), &many).unwrap();
    std::fs::write(world.tree().join("long.py"), format!("haystack = \"{}\"\n", "needle ".repeat(200_000))).unwrap();
    let mut server = client(&world, &["--tools", "gate"]);
    server.call("session", json!({ "op": "start", "query": "ログイン機能直して", "session": "p" }));
    for limit in [128, 160, 300, 1_000] {
        for (tool, arguments) in [
            ("code", json!({ "op": "search_text", "target": "needle", "session": "p" })),
            ("code", json!({ "op": "get_symbols", "target": "many.py", "session": "p" })),
            ("code", json!({ "op": "read", "target": "long.py", "session": "p" })),
            ("session", json!({ "op": "show", "session": "p" })),
        ] {
            let mut arguments: Value = arguments;
            arguments["max_tokens"] = json!(limit);
            let reply = server.call(tool, arguments);
            assert!(reply.tokens() <= limit, "{limit}: {reply:?}");
        }
    }
    let (mut offset, mut rows, mut last) = (json!(0), 0, Value::Null);
    while !offset.is_null() {
        let reply = server
            .call("code", json!({ "op": "search_text", "target": "needle_", "offset": offset, "max_tokens": 9_000 }));
        assert!(!reply.failed(), "{reply:?}");
        rows += reply.fact("items").as_u64().unwrap();
        last = offset;
        offset = reply.fact("next").clone();
    }
    assert_eq!((rows, last.as_u64().unwrap() > 4_000), (5_000, true), "every hit once");
}

#[test]
fn a40_hostile_calls_get_an_answer() {
    let world = World::new();
    let mut server = client(&world, &["--tools", "gate"]);
    server.call("session", json!({ "op": "start", "query": "fix the login", "session": "h" }));
    let ops = [
        "frame",
        "map",
        "submit",
        "semantic",
        "hypothesis",
        "verify",
        "check_write",
        "revert",
        "outcome",
        "show",
        "stats",
        "nothing",
    ];
    let texts = [
        "",
        "\0",
        "../../etc/passwd",
        "{{}}",
        "re:(a*)*b",
        "💥",
        "auth/service.py:0",
        "auth/service.py:99999999999",
        "[\"a\"]",
    ];
    let mut seed = 7_u64;
    let mut next = |count: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % count
    };
    for _ in 0..300 {
        let text = texts[next(texts.len())];
        let data = [
            json!({}),
            json!({ "path": text }),
            json!({ "symbol": text, "call": 1 }),
            json!({ "slot_evidence": { "observed_issue": { "call": 1, "place": text } } }),
            json!({ "symbols_identified": [text], "entry_points": [text], "new_files": [text] }),
            json!([1]),
            json!({ "verified": [{ "id": 1, "status": "confirmed" }] }),
        ];
        let data = data[next(data.len())].clone();
        let op = ops[next(ops.len() - 1)];
        // An outcome would end the session.
        let op = if op == "outcome" { "show" } else { op };
        let reply = server.call("session", json!({ "op": op, "session": "h", "data": data }));
        assert!(reply.0.get("error").is_none() && reply.tokens() <= 1_000, "{op} {text}: {reply:?}");
        let code = [
            "find_definitions",
            "find_references",
            "search_text",
            "get_symbols",
            "analyze_structure",
            "read",
            "semantic_search",
        ];
        let reply = server.call("code", json!({ "op": code[next(code.len())], "target": text, "session": "h" }));
        assert!(reply.0.get("error").is_none() && reply.tokens() <= 2_000, "{text}: {reply:?}");
    }
    assert_eq!(world.denial("h", "auth/service.py"), "phase");
    assert_eq!(server.end(), Some(0));
}
