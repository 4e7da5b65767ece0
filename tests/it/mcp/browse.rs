//! Tools that read the tree: `read`, `search` and `outline`; names of tools; the index at the start.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};

use super::client::{Client, World, text};
use crate::tool::contextpack;

/// What the command line prints with the index of the world.
#[track_caller]
fn printed(world: &World, arguments: &[&str]) -> String {
    let (tree, index) = (world.tree(), world.index());
    world.printed(&[arguments, &["--repo", text(&tree), "--index", text(&index)]].concat())
}

#[test]
fn places_lines_and_outlines_have_the_bytes_that_the_command_line_prints() {
    let world = World::new();
    let mut client = world.start(&[]);
    for what in ["shop/orders/order.py", "shop/orders/order.py:3-9", "Amount.show"] {
        let reply = client.call("read", json!({ "what": [what] }));
        assert_eq!(reply.text(), printed(&world, &["read", what]));
        assert!(reply.text().starts_with("### shop/") && reply.fact("stale") == false, "{reply:?}");
    }
    let whole = fs::read_to_string(world.tree().join("shop/orders/order.py")).unwrap();
    assert!(client.call("read", json!({ "what": "shop/orders/order.py" })).text().contains(whole.trim_end()));
    let absolute = format!("{}/shop/orders/order.py:3-9", world.tree().display());
    assert_eq!(
        client.call("read", json!({ "what": [absolute] })),
        client.call("read", json!({ "what": "shop/orders/order.py:3-9" }))
    );
    let reply = client.call("search", json!({ "text": "order", "path": "*.py", "no_tests": true, "max_tokens": 400 }));
    let arguments = ["search", "order", "--path", "*.py", "--no-tests", "--max-tokens", "272"];
    assert_eq!(reply.text(), printed(&world, &arguments));
    assert!(reply.fact("lines").as_u64().unwrap() > 2, "{reply:?}");
    for path in ["", "shop", "shop/orders/order.py"] {
        let reply = client.call("outline", json!({ "path": path }));
        assert_eq!(reply.text(), printed(&world, &["outline", path]));
    }
}

#[test]
fn pages_of_a_search_are_the_whole() {
    let world = World::new();
    let mut client = world.start(&[]);
    let whole = client.call("search", json!({ "text": "order", "max_tokens": 50_000 }));
    assert!(whole.fact("next").is_null());
    let hits = |text: &str| text.lines().filter(|line| line.contains(": ")).map(str::to_string).collect::<Vec<_>>();
    let (mut cursor, mut found, mut pages) = (Value::Null, Vec::new(), 0);
    loop {
        let page = client.call("search", json!({ "text": "order", "cursor": cursor, "max_tokens": 250 }));
        assert!(page.tokens() <= 250 && !page.failed(), "{page:?}");
        found.extend(hits(page.text()));
        cursor = page.fact("next").clone();
        pages += 1;
        assert_eq!(cursor.is_null(), !page.notes().contains("cursor"), "{page:?}");
        if cursor.is_null() {
            break;
        }
    }
    assert!(pages > 2);
    assert_eq!(found, hits(whole.text()));
}

#[test]
fn a_reading_that_does_not_fit_says_what_is_left() {
    let world = World::new();
    let mut client = world.start(&[]);
    let first = client.call("read", json!({ "what": "shop/orders/order.py", "max_tokens": 200 }));
    let next = first.fact("next").clone();
    assert!(next[0].as_str().unwrap().starts_with("shop/orders/order.py:"), "{first:?}");
    assert!(first.notes().contains(next[0].as_str().unwrap()), "{first:?}");
    let second = client.call("read", json!({ "what": next }));
    assert!(second.text().starts_with(&format!("### {}\n", next[0].as_str().unwrap())), "{second:?}");
}

#[test]
fn what_cannot_be_shown_is_explained() {
    let world = World::new();
    let mut client = world.start(&[]);
    let refused = [
        ("read", json!({}), "POC_E_BAD_REQUEST: read needs `what`"),
        ("read", json!({ "what": ["Amout.show"] }), "POC_E_NOT_FOUND: nothing is called `Amout.show`"),
        ("read", json!({ "what": ["setle_order"] }), "did you mean `shop/orders/order.py::settle_order`"),
        ("read", json!({ "what": ["/etc/passwd"] }), "POC_E_NOT_FOUND: nothing is called `/etc/passwd`"),
        ("read", json!({ "what": ["../index/chunk/manifest.json"] }), "POC_E_NOT_FOUND"),
        ("read", json!({ "what": ["shop"] }), "`shop` is a directory\n  hint: outline lists"),
        ("read", json!({ "whats": ["shop"] }), "did you mean `what`?"),
        (
            "search",
            json!({ "text": "(", "regex": true }),
            "POC_E_BAD_REQUEST: cannot use the pattern\n  because unclosed group",
        ),
        ("search", json!({ "text": "x", "cursor": "7" }), "`7` is not a cursor"),
        ("search", json!({ "query": "x" }), "search has no argument `query`"),
        ("outline", json!({ "path": "shop/orders/ordr.py" }), "did you mean `shop/orders/order.py`"),
    ];
    for (tool, arguments, expected) in refused {
        let reply = client.call(tool, arguments.clone());
        assert!(reply.failed() && reply.text().contains(expected), "{arguments}: {reply:?}");
        assert!(!reply.text().contains("/tmp"), "a fault names no folder of this machine: {reply:?}");
    }
    let unknown = client.ask("tools/call", json!({ "name": "serch", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("did you mean `search`?"), "{unknown}");
    assert_eq!(client.call("search", json!({ "text": "nowhere at all" })).text(), "No match\n");
}

#[test]
fn reading_follows_the_tree_or_says_that_it_is_stale() {
    let world = World::new();
    let mut client = world.start(&[]);
    client.call("outline", json!({}));
    fs::write(world.tree().join("new.py"), "def later():\n    return 1\n").unwrap();
    assert!(client.call("read", json!({ "what": "later" })).text().contains("return 1"));
    let mut old = world.start(&["--no-refresh"]);
    fs::write(world.tree().join("new.py"), "def later():\n    return 2\n").unwrap();
    let stale = old.call("read", json!({ "what": "new.py" }));
    assert!(stale.text().contains("return 1") && stale.fact("stale") == true, "{stale:?}");
    let missing = old.call("search", json!({ "text": "return 2" }));
    assert!(missing.text() == "No match\n" && missing.notes().contains("stale"), "{missing:?}");
}

#[test]
fn earlier_names_of_tools_still_work() {
    let world = World::new();
    let mut client = world.start(&[]);
    let pack = client.call("pack", json!({ "query": "how is an order settled" }));
    assert_eq!(client.call("context_pack.create", json!({ "query": "how is an order settled" })), pack);
    let id = pack.fact("packId");
    assert_eq!(client.call("context_pack.get", json!({ "pack_id": id })).text(), pack.text());
    assert_eq!(client.call("pack", json!({ "pack_id": id })).text(), pack.text());
    assert_eq!(
        client.call("graph_show", json!({ "symbol": "Amount" })),
        client.call("show", json!({ "symbol": "Amount" }))
    );
}

#[test]
fn spec_context_is_listed_only_where_there_are_specs() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tree")).unwrap();
    fs::write(folder.path().join("tree/a.py"), "def only_here(): pass\n").unwrap();
    let world = World { folder };
    let mut client = world.start(&[]);
    client.call("outline", json!({}));
    let listed = client.ask("tools/list", json!({}))["result"]["tools"].to_string();
    assert!(listed.contains("\"outline\"") && !listed.contains("spec_context"), "{listed}");
    let reply = client.call("spec_context", json!({ "ids": "REQ-1" }));
    assert!(reply.failed() && reply.text().contains("no document has the id"), "{reply:?}");
}

#[test]
fn the_index_is_built_before_the_first_call() {
    let world = World::new();
    let mut command = world.command();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let said: Vec<String> = lines.take_while(|line| line != "mcp: tree is ready").collect();
    assert!(said.iter().any(|line| line.starts_with("mcp: tree is being indexed: ")), "{said:?}");
    assert!(world.index().join("graph/manifest.json").exists());
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));

    let quiet = world.command().arg("--quiet").stdin(Stdio::null()).output().unwrap();
    assert!(quiet.status.success() && quiet.stderr.is_empty(), "{quiet:?}");
}

/// The build goes on when the client leaves, and the process does not wait for it.
#[test]
fn a_server_ends_with_its_client_while_it_builds_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let world = World { folder };
    for number in 0..400 {
        let path = world.tree().join(format!("p{}/m{number}.py", number % 20));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("def f_{number}(x):\n    return f_{}(x)\n", number / 2).repeat(200)).unwrap();
    }
    let client = world.start(&[]);
    assert_eq!(client.end(), Some(0));
    let mut again = world.start(&[]);
    assert!(again.call("read", json!({ "what": "p3/m3.py:1" })).text().contains("def f_3"));
    let built = contextpack().arg("verify").arg(world.index().join("chunk")).output().unwrap();
    assert!(built.status.success(), "{built:?}");
}

/// Calls that come while the index is built wait for it, and say how far it is.
#[test]
fn a_call_during_the_first_index_is_answered_from_it() {
    let world = World::new();
    let mut client = Client::start(&mut world.command());
    let params = json!({ "name": "read", "arguments": { "what": "Amount.show" }, "_meta": { "progressToken": 7 } });
    let answer = client.ask("tools/call", params);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let told: Vec<f64> = client.steps.iter().map(|step| step["progress"].as_f64().unwrap()).collect();
    assert!(told.is_sorted_by(|a, b| a < b) && told.last() == Some(&100.0), "{told:?}");
}
