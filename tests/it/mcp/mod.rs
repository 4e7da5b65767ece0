//! The MCP server through its own wire: what clients list, call and read; budgets, faults, staleness, hostile calls.

mod browse;
pub mod client;
mod hostile;
pub mod http;
mod index;
mod notes;

use std::fs;

use contextpack::mcp::RESERVE;
use contextpack::text::Tokenizer;
use serde_json::{Value, json};

use crate::tool::{contextpack, copy, run};
use client::{Client, Reply, World, text};

const QUERY: &str = "how is an order settled";

#[test]
fn all_tools_together_take_less_than_1200_tokens() {
    let world = World::new();
    let mut client = world.start(&[]);
    // The list depends on the index.
    client.call("outline", json!({}));
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["pack", "read", "search", "outline", "show", "spec_context"]);
    let tokens = Tokenizer::O200kBase.count(&tools.to_string());
    assert!(tokens < 1_200, "{tokens}");
    println!("{tokens} tokens");
    for tool in tools.as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        assert!(tool["inputSchema"]["properties"]["max_tokens"].is_object());
        assert!(jsonschema::meta::is_valid(&tool["inputSchema"]) && jsonschema::meta::is_valid(&tool["outputSchema"]));
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_pack_has_the_bytes_that_the_command_line_prints() {
    let world = World::new();
    let mut client = world.start(&[]);
    let plain = client.call("pack", json!({ "query": QUERY }));
    assert_eq!(plain.text(), world.packed(&["--query", QUERY]));
    assert_eq!((plain.fact("maxTokens"), plain.fact("stale")), (&json!(8000), &json!(false)));
    for format in ["markdown", "xml", "json"] {
        let reply = client.call("pack", json!({ "query": QUERY, "format": format, "max_tokens": 40_000 }));
        let max_tokens = (40_000 - RESERVE).to_string();
        assert_eq!(reply.fact("maxTokens"), 40_000 - RESERVE);
        assert_eq!(reply.text(), world.packed(&["--query", QUERY, "--format", format, "--max-tokens", &max_tokens]));
        let id = reply.fact("packId").as_str().unwrap();
        let again = client.call("pack", json!({ "pack_id": id, "format": format, "max_tokens": 40_000 }));
        assert_eq!(again.text(), reply.text());
        let kept = ["--read", "--pack-id", id, "--format", format];
        assert_eq!(world.packed(&kept), reply.text());
    }
    let request = json!({ "query": QUERY, "intent": "impact", "budgets": { "maxTotalTokens": 700 }, "expansion": { "maxHops": 1 } });
    let file = world.folder.path().join("request.json");
    fs::write(&file, request.to_string()).unwrap();
    let whole = client.call("pack", json!({ "request": request }));
    assert_eq!(whole.text(), world.packed(&["--request", text(&file)]));
    assert_eq!(whole.fact("maxTokens"), 700);
    let focus = client.call("pack", json!({ "focus": "file:shop/orders/order.py", "intent": "debug" }));
    assert_eq!(focus.text(), world.packed(&["--focus", "file:shop/orders/order.py", "--intent", "debug"]));
}

#[test]
fn specs_and_the_graph_have_the_bytes_that_the_command_line_prints() {
    let world = World::new();
    let (tree, index) = (world.tree(), world.index());
    let mut client = world.start(&[]);
    let specs = |format: &str, options: &[&str]| {
        let place = ["spec", "context", "REQ-201", "IF-200", "--repo", text(&tree), "--format", format];
        world.printed(&[&place, options].concat())
    };
    let reply = client.call("spec_context", json!({ "ids": ["REQ-201", "IF-200"], "max_tokens": 700 }));
    let room = (700 - RESERVE).to_string();
    assert_eq!(reply.text(), specs("markdown", &["--max-tokens", &room]));
    let options =
        ["--depth", "2", "--direction", "both", "--roles", "req,if", "--strategy", "impl-focused", "--with-code"];
    let options = [&options, &["--index", text(&index), "--max-tokens", "30000"][..]].concat();
    let arguments = json!({ "ids": "REQ-201,IF-200", "depth": 2, "direction": "both", "roles": "req,if",
        "strategy": "impl-focused", "with_code": true, "format": "json", "max_tokens": 30_000 + RESERVE });
    assert_eq!(client.call("spec_context", arguments).text(), specs("json", &options));

    let show = |arguments: &[&str]| world.printed(&[&["show", "--index", text(&index)], arguments].concat());
    let reply = client.call("show", json!({ "symbol": "Amount.show" }));
    assert_eq!(reply.text(), show(&["Amount.show"]));
    let arguments = json!({ "symbol": "Amount.show", "views": ["callers"], "hops": 2, "format": "json" });
    assert_eq!(client.call("show", arguments).text(), show(&["Amount.show", "--callers", "--hops", "2", "--json"]));
}

#[test]
fn no_reply_is_over_its_limit() {
    let world = World::new();
    let mut client = world.start(&[]);
    let pack = client.call("pack", json!({ "query": QUERY }));
    let id = pack.fact("packId").clone();
    let calls = [
        ("pack", json!({ "query": QUERY })),
        ("pack", json!({ "query": QUERY, "format": "json" })),
        ("pack", json!({ "pack_id": id })),
        ("pack", json!({ "pack_id": id, "format": "xml" })),
        ("spec_context", json!({ "ids": ["REQ-201", "NO-1"], "depth": 3, "direction": "both" })),
        ("show", json!({ "symbol": "shop/orders/order.py", "hops": 4, "format": "json" })),
        ("show", json!({ "symbol": "no such thing", "hops": 9 })),
        ("read", json!({ "what": ["shop/orders/order.py", "Amount"] })),
        ("search", json!({ "text": "order" })),
        ("search", json!({})),
        ("outline", json!({})),
    ];
    let limits: Vec<u32> = (0..RESERVE + 20).step_by(7).chain((RESERVE..3_000).step_by(331)).collect();
    for (tool, arguments) in &calls {
        for limit in &limits {
            let mut arguments = arguments.clone();
            arguments["max_tokens"] = json!(limit);
            let reply = client.call(tool, arguments);
            assert!(reply.tokens() <= *limit as usize, "{tool} {limit}: {} {reply:?}", reply.tokens());
            assert!(*limit >= RESERVE || reply.failed(), "{tool} {limit}: {reply:?}");
        }
    }
    let mut capped = world.start(&["--max-tokens-cap", "500"]);
    let reply = capped.call("pack", json!({ "query": QUERY }));
    assert!(reply.tokens() <= 500 && !reply.failed());
    let reply = capped.call("pack", json!({ "query": QUERY, "max_tokens": 501 }));
    assert!(reply.text().starts_with("POC_E_BUDGET_EXCEEDED: `max_tokens` is 501 and may be at most 500"), "{reply:?}");
}

#[test]
fn pages_put_together_are_the_whole() {
    let world = World::new();
    let mut client = world.start(&[]);
    let first = client.call("pack", json!({ "query": QUERY, "format": "json", "max_tokens": 1_500 }));
    let id = first.fact("packId").as_str().unwrap().to_string();
    for format in ["json", "markdown", "xml"] {
        let (mut whole, mut next, mut pages) = (String::new(), json!(0), 0);
        while !next.is_null() {
            let arguments = json!({ "pack_id": id, "format": format, "offset": next, "max_tokens": 500 });
            let reply = client.call("pack", arguments);
            assert!(!reply.failed(), "{reply:?}");
            whole += reply.text();
            next = reply.fact("next").clone();
            assert_eq!(next.is_null(), !reply.notes().contains("offset"), "who sees no structured content is told too");
            pages += 1;
        }
        assert!(pages > 1);
        assert_eq!(whole, world.packed(&["--read", "--pack-id", &id, "--format", format]));
    }
    assert!(first.notes().contains(&format!("pack_id {id}")) && first.notes().ends_with(']'), "{first:?}");
    assert_eq!(first.fact("next"), first.text().len());
    let beyond = client.call("pack", json!({ "pack_id": id, "offset": 9_999_999 }));
    assert!(beyond.text().contains("`offset` is 9999999"), "{beyond:?}");
}

#[test]
fn a_misspelt_argument_is_refused_and_named() {
    let world = World::new();
    let mut client = world.start(&[]);
    let reply = client.call("pack", json!({ "query": QUERY, "maxTokens": 100 }));
    assert!(reply.failed());
    let expected = "POC_E_BAD_REQUEST: pack has no argument `maxTokens`\n  hint: did you mean `max_tokens`?";
    assert!(reply.text().starts_with(expected), "{reply:?}");
    assert_eq!(reply.fact("code"), "POC_E_BAD_REQUEST");
    let nested = client.call("pack", json!({ "query": QUERY, "request": { "budgets": { "maxItem": 1 } } }));
    assert!(nested.text().contains("`request.budgets.maxItem`"), "{nested:?}");
}

#[test]
fn what_is_plain_is_taken_as_it_is_meant_and_the_rest_is_refused() {
    let world = World::new();
    let mut client = world.start(&[]);
    let same = |client: &mut Client, tool: &str, plain: Value, loose: Value| {
        assert_eq!(client.call(tool, plain), client.call(tool, loose.clone()), "{loose}");
    };
    let pack = "pack";
    same(
        &mut client,
        pack,
        json!({ "query": QUERY, "max_tokens": 800 }),
        json!({ "query": QUERY, "max_tokens": " 800 " }),
    );
    same(
        &mut client,
        pack,
        json!({ "query": QUERY, "max_tokens": 800 }),
        json!({ "query": QUERY, "max_tokens": 800.0 }),
    );
    same(
        &mut client,
        pack,
        json!({ "query": QUERY, "intent": "debug" }),
        json!({ "query": QUERY, "intent": "Debug", "focus": null }),
    );
    let plain =
        json!({ "query": QUERY, "request": { "budgets": { "maxItems": 3 }, "expansion": { "edgeTypes": ["call"] } } });
    let loose = r#"{"budgets":{"maxItems":"3"},"expansion":{"edgeTypes":"call"}}"#;
    same(&mut client, pack, plain, json!({ "query": QUERY, "request": loose }));
    let specs = json!({ "ids": ["REQ-201", "IF-200"], "with_code": true });
    same(&mut client, "spec_context", specs.clone(), json!({ "ids": "REQ-201, IF-200", "with_code": "true" }));
    same(&mut client, "spec_context", specs, json!({ "ids": "[\"REQ-201\",\"IF-200\"]", "with_code": true }));

    let refused = [
        (pack, json!({ "query": 42 }), "`query` is the number 42 and has to be a text"),
        (
            pack,
            json!({ "query": QUERY, "max_tokens": "8k" }),
            "`max_tokens` is the text `8k` and has to be a whole number",
        ),
        (pack, json!({ "query": QUERY, "max_tokens": -5 }), "`max_tokens` is the number -5"),
        (pack, json!({ "query": QUERY, "max_tokens": 1.5 }), "`max_tokens` is the number 1.5"),
        (pack, json!({ "query": QUERY, "intent": "anwser" }), "did you mean `answer`?"),
        (pack, json!({ "query": QUERY, "focus": "nothere.py" }), "nothing called `nothere.py`"),
        (pack, json!({ "query": QUERY, "request": [] }), "`request` is a list of 0 and has to be an object"),
        (pack, json!({ "query": QUERY, "request": { "indexRoot": "/" } }), "POC_E_NOT_SUPPORTED: `request.indexRoot`"),
        (pack, json!({ "query": QUERY, "request": { "seedProvider": "ann" } }), "POC_E_NOT_SUPPORTED"),
        (pack, json!({ "query": QUERY, "request": { "expansion": { "maxHops": 5 } } }), "POC_E_BUDGET_EXCEEDED"),
        (pack, json!({ "query": QUERY, "request": { "indexSignature": "sha256:0" } }), "POC_E_CONTRACT_VERSION"),
        (pack, json!({ "max_tokens": 2_000_000, "query": QUERY }), "POC_E_BUDGET_EXCEEDED"),
        (pack, json!({}), "it has neither a query nor a focus"),
        (pack, json!({ "query": QUERY, "root": "tre" }), "did you mean `tree`?"),
        ("context_pack.get", json!({}), "context_pack.get needs `pack_id`"),
        ("pack", json!({ "pack_id": "x" }), "`x` is no pack's id"),
        ("pack", json!({ "pack_id": format!("pack:{}", "0".repeat(32)) }), "POC_E_PACK_MISSING"),
        ("spec_context", json!({ "ids": [1] }), "`ids` is a list of 1 and has to be a list of texts"),
        ("spec_context", json!({ "ids": [] }), "spec_context needs `ids`"),
        ("spec_context", json!({ "ids": "NO-1" }), "POC_E_NOT_FOUND: no document has the id `NO-1`"),
        ("spec_context", json!({ "ids": "REQ-201", "roles": ["reqs"] }), "did you mean `req`?"),
        ("show", json!({ "symbol": "no_such_thing" }), "POC_E_NOT_FOUND: nothing is called `no_such_thing`"),
        ("show", json!({ "symbol": "visit_order" }), "POC_E_AMBIGUOUS"),
        ("show", json!({ "symbol": "Amount", "hops": 9 }), "`hops` is 9 and may be from 1 to 4"),
    ];
    for (tool, arguments, expected) in refused {
        let reply = client.call(tool, arguments.clone());
        assert!(reply.failed() && reply.text().contains(expected), "{arguments}: {reply:?}");
        assert!(reply.text().starts_with(reply.fact("code").as_str().unwrap()), "{reply:?}");
        assert!(!reply.text().contains("/tmp"), "a fault names no folder of this machine: {reply:?}");
    }
}

#[test]
fn the_index_follows_the_tree() {
    let world = World::new();
    let mut client = world.start(&[]);
    let query = json!({ "query": "frobnicate_the_widget" });
    assert!(client.call("pack", query.clone()).text().contains("No match"));
    let file = world.tree().join("shop/widget.py");
    fs::write(&file, "def frobnicate_the_widget():\n    return 1\n").unwrap();
    let reply = client.call("pack", query.clone());
    assert!(reply.text().contains("return 1") && reply.fact("stale") == false, "{reply:?}");
    let first = reply.fact("packId").clone();
    // The same length, at once.
    fs::write(&file, "def frobnicate_the_widget():\n    return 2\n").unwrap();
    assert!(client.call("pack", query.clone()).text().contains("return 2"));
    let old = client.call("pack", json!({ "pack_id": first }));
    assert!(old.text().contains("return 1") && old.fact("stale") == true, "{old:?}");
    assert!(old.notes().contains("stale"), "{old:?}");
    assert!(client.call("show", json!({ "symbol": "frobnicate_the_widget" })).text().contains("widget.py"));
    fs::remove_file(&file).unwrap();
    assert!(client.call("show", json!({ "symbol": "frobnicate_the_widget" })).failed());
}

#[test]
fn what_is_stale_says_so() {
    let world = World::new();
    let mut early = world.start(&["--no-refresh"]);
    let missing = early.call("pack", json!({ "query": QUERY }));
    assert!(missing.text().starts_with("POC_E_INDEX_MISSING: "), "{missing:?}");
    let fresh = world.start(&[]).call("pack", json!({ "query": QUERY }));
    let mut client = world.start(&["--no-refresh"]);
    assert_eq!(client.call("pack", json!({ "query": QUERY })), fresh);
    fs::write(world.tree().join("new.py"), "def settled_order(): pass\n").unwrap();
    let stale = client.call("pack", json!({ "query": QUERY }));
    assert_eq!((stale.text(), stale.fact("stale")), (fresh.text(), &json!(true)));
    assert_eq!(stale.notes(), "[stale: the tree has changed since it was indexed]");
    let json = client.call("pack", json!({ "query": QUERY, "format": "json", "max_tokens": 50_000 }));
    let max_tokens = (50_000 - RESERVE).to_string();
    let printed = world.packed(&["--query", QUERY, "--json", "--max-tokens", &max_tokens, "--no-refresh"]);
    assert_eq!(json.text(), printed);

    // A tree that cannot be read any more leaves the index as it was.
    let mut client = world.start(&[]);
    assert_eq!(client.call("show", json!({ "symbol": "Amount" })).fact("stale"), false);
    fs::rename(world.tree(), world.folder.path().join("away")).unwrap();
    let reply = client.call("show", json!({ "symbol": "Amount" }));
    assert!(reply.fact("stale") == true && reply.notes().contains("could not be refreshed"), "{reply:?}");
}

#[test]
fn packs_are_resources_and_outlive_the_server() {
    let world = World::new();
    let mut client = world.start(&[]);
    let pack = client.call("pack", json!({ "query": QUERY }));
    let id = pack.fact("packId").as_str().unwrap().to_string();
    assert_eq!(client.end(), Some(0));
    let mut client = world.start(&[]);
    assert_eq!(client.call("pack", json!({ "pack_id": id })).text(), pack.text());
    let listed = client.ask("resources/list", json!({}))["result"]["resources"].clone();
    let uri = format!("contextpack://packs/tree/{id}");
    assert_eq!(listed, json!([{ "uri": uri, "name": QUERY, "mimeType": "text/markdown" }]));
    let read = client.ask("resources/read", json!({ "uri": uri }));
    assert_eq!(read["result"]["contents"][0]["text"], pack.text());
    let templates = client.ask("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], "contextpack://packs/{root}/{packId}");
    for uri in ["contextpack://packs/tree/../../etc/passwd", "file:///etc/passwd", "contextpack://packs/%2e%2e/x", ""] {
        assert!(client.ask("resources/read", json!({ "uri": uri }))["error"].is_object(), "{uri}");
    }
}

#[test]
fn progress_grows_up_to_the_end() {
    let world = World::new();
    let mut client = world.start(&[]);
    client.call("show", json!({ "symbol": "Amount" }));
    fs::write(world.tree().join("new.py"), "def later(): pass\n").unwrap();
    let params = json!({ "name": "show", "arguments": { "symbol": "Amount" }, "_meta": { "progressToken": "t-1" } });
    client.ask("tools/call", params);
    let told: Vec<f64> = client.steps.iter().map(|step| step["progress"].as_f64().unwrap()).collect();
    assert!(told.len() > 3 && told.is_sorted_by(|a, b| a < b) && told.last() == Some(&100.0), "{told:?}");
    assert!(client.steps.iter().all(|step| step["progressToken"] == "t-1" && step["total"] == 100.0));
    assert!(client.steps.iter().any(|step| step["message"] == "indexing"));
}

#[test]
fn several_roots_are_told_apart() {
    let world = World::new();
    let other = world.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("a.py"), "def only_here(): pass\n").unwrap();
    let mut command = contextpack();
    command.arg("mcp").arg("--root").arg(world.tree()).arg("--root").arg(&other).arg("--index").arg(world.index());
    let mut client = Client::start(&mut command);
    let which = client.call("show", json!({ "symbol": "only_here" }));
    assert!(which.text().contains("the roots are tree, other"), "{which:?}");
    assert!(client.call("show", json!({ "symbol": "only_here", "root": "tree" })).failed());
    assert!(!client.call("show", json!({ "symbol": "only_here", "root": "other" })).failed());
    let pack = client.call("pack", json!({ "query": "only_here", "root": "other" }));
    assert!(pack.text().starts_with("# Context from other\n"), "{pack:?}");
    let again = client.call("pack", json!({ "pack_id": pack.fact("packId") }));
    assert_eq!(again.text(), pack.text());
}

#[test]
fn a_client_that_shows_structured_content_alone_gets_none() {
    let world = World::new();
    let mut client = Client::named(&mut world.command(), "claude-code");
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert!(tools.as_array().unwrap().iter().all(|tool| tool.get("outputSchema").is_none()));
    let reply = client.call("pack", json!({ "query": QUERY }));
    assert!(reply.0.get("structuredContent").is_none() && !reply.text().is_empty());
    let mut client = Client::named(world.command().args(["--structured", "always"]), "claude-code");
    assert_eq!(client.call("pack", json!({ "query": QUERY })).text(), reply.text());
    assert!(client.call("pack", json!({ "query": QUERY })).0["structuredContent"].is_object());
}

#[test]
fn calls_at_the_same_time_are_all_answered() {
    let world = World::new();
    let mut client = world.start(&[]);
    let mut ids = Vec::new();
    for round in 0..24 {
        fs::write(world.tree().join("round.py"), format!("def round_{round}(): pass\n")).unwrap();
        let (tool, arguments) = match round % 3 {
            0 => ("pack", json!({ "query": format!("{QUERY} {}", round % 2) })),
            1 if round % 2 == 0 => ("search", json!({ "text": "order" })),
            1 => ("show", json!({ "symbol": "Amount" })),
            _ => ("spec_context", json!({ "ids": "REQ-201", "with_code": true })),
        };
        ids.push(client.send("tools/call", json!({ "name": tool, "arguments": arguments })));
        if round % 5 == 0 {
            let cancelled =
                json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": ids.pop() } });
            client.write(cancelled.to_string().as_bytes());
        }
    }
    let mut left: Vec<u64> = ids;
    while !left.is_empty() {
        let message = client.receive();
        if let Some(at) = left.iter().position(|id| message["id"] == *id) {
            left.remove(at);
            assert_eq!(message["result"]["isError"], false, "{message}");
        }
    }
    let last = client.call("show", json!({ "symbol": "round_23" }));
    assert!(!last.failed(), "{last:?}");
    assert_eq!(client.end(), Some(0));
    run(contextpack().arg("verify").arg(world.index().join("chunk")).arg("--deep"), 0);
    run(contextpack().arg("verify").arg(world.index().join("graph")).arg("--deep"), 0);
    run(contextpack().arg("verify").arg(world.index().join("packs")).arg("--deep"), 0);
}

#[test]
fn replies_do_not_depend_on_the_machine() {
    let calls = [
        ("pack", json!({ "query": QUERY, "format": "json", "max_tokens": 9_000 })),
        ("spec_context", json!({ "ids": "REQ-201", "with_code": true })),
        ("show", json!({ "symbol": "Amount", "hops": 2 })),
        ("read", json!({ "what": "Amount.show" })),
        ("search", json!({ "text": "order", "max_tokens": 300 })),
        ("outline", json!({ "path": "shop" })),
    ];
    let replies = |options: &[(&str, &str)], below: &str| -> Vec<Reply> {
        let (world, folder) = (World::new(), tempfile::tempdir().unwrap());
        let tree = folder.path().join(below).join("tree");
        copy(&world.tree(), &tree);
        let mut command = contextpack();
        command.arg("mcp").arg("--root").arg(&tree).arg("--index").arg(folder.path().join("index"));
        let mut client = Client::start(command.envs(options.iter().copied()));
        calls.iter().map(|(tool, arguments)| client.call(tool, arguments.clone())).collect()
    };
    let here = replies(&[], "here");
    let there = [("RAYON_NUM_THREADS", "1"), ("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Asia/Tokyo"), ("HOME", "/nowhere")];
    assert_eq!(here, replies(&there, "quite/another place/と"));
    assert!(here.iter().all(|reply| !reply.failed()), "{here:?}");
}

#[test]
fn help_teaches_and_a_start_that_cannot_be_is_explained() {
    let help = String::from_utf8(run(contextpack().args(["mcp", "--help"]), 0).stdout).unwrap();
    assert!(help.contains("contextpack mcp --repo .") && help.contains("mcpServers"), "{help}");
    let missing = run(contextpack().args(["mcp", "--root", "/no/such/tree", "--index", "/tmp/none"]), 2);
    assert!(String::from_utf8_lossy(&missing.stderr).contains("mcp: cannot serve `/no/such/tree`\n  because "));
}

#[test]
fn a_client_of_the_newest_protocol_is_served_without_hello() {
    let world = World::new();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let line = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "show", "arguments": { "symbol": "Amount" }, "_meta": meta } });
    let file = world.folder.path().join("lines");
    fs::write(&file, format!("{line}\n")).unwrap();
    let output = run(world.command().stdin(fs::File::open(&file).unwrap()), 0);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}
