//! Which index is served: none with secrets, none of another tree, none that is damaged.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, Reply, World, text};
use crate::tool::{contextpack, run};

fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// Until a tree was written long enough ago that a server need not look whether it was written again at once.
fn settle() {
    std::thread::sleep(Duration::from_millis(400));
}

/// A tree of one file, and a place for its index.
fn small_world(content: &str) -> World {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("tree/m.py"), content);
    World { folder }
}

/// In two parts, so that this file holds none.
fn token() -> String {
    ["ghp", "Zk3Qp7Lm2Xw9Rt5Vb8Nc4Hj6Fd1Gs0Ay3EuK"].join("_")
}

fn leaks(answer: &Value) -> bool {
    answer.to_string().contains(&token())
}

#[test]
fn an_index_that_was_made_with_secrets_is_not_served() {
    let world = small_world(&format!("def connect_prod():\n    return \"{}\"\n", token()));
    settle();
    let query = json!({ "query": "connect_prod" });
    let mut client = world.start(&[]);
    let first = client.call("pack", query.clone());
    assert!(first.text().contains("REDACTED-github") && first.fact("stale") == false, "{first:?}");
    assert!(world.packed(&["--query", "connect_prod", "--allow-secrets"]).contains(&token()));
    assert_eq!(client.call("pack", query.clone()), first, "the running server makes its own again");

    world.packed(&["--query", "connect_prod", "--allow-secrets"]);
    let mut as_it_is = world.start(&["--no-refresh"]);
    let calls = [("pack", query), ("show", json!({ "symbol": "connect_prod" }))];
    for (tool, arguments) in calls {
        let refused = as_it_is.call(tool, arguments);
        assert!(
            refused.text().starts_with("POC_E_NOT_SUPPORTED: the index was made with --allow-secrets"),
            "{refused:?}"
        );
        assert!(!leaks(&refused.0));
    }
}

#[test]
fn packs_that_were_made_with_secrets_are_not_given() {
    let world = small_world(&format!("def connect_prod():\n    return \"{}\"\n", token()));
    world.packed(&["--query", "connect_prod", "--allow-secrets"]);
    let requests = world.folder.path().join("requests.jsonl");
    fs::write(&requests, "{\"query\":\"connect_prod\"}\n").unwrap();
    let index = world.index();
    run(contextpack().args(["pack", "--index", text(&index), "--requests", text(&requests)]), 0);
    let packs = run(contextpack().arg("cat").arg(index.join("packs")).arg("context_packs"), 0).stdout;
    let pack: Value = serde_json::from_slice(&packs).unwrap();
    assert!(leaks(&pack), "{pack}");
    for options in [&[][..], &["--no-refresh"]] {
        let mut client = world.start(options);
        assert_eq!(client.ask("resources/list", json!({}))["result"]["resources"], json!([]));
        let id = pack["packId"].as_str().unwrap();
        let got = client.call("pack", json!({ "pack_id": id }));
        assert!(got.text().starts_with("POC_E_PACK_MISSING"), "{got:?}");
        let read = client.ask("resources/read", json!({ "uri": format!("contextpack://packs/tree/{id}") }));
        assert!(read["error"].is_object() && !leaks(&read), "{read}");
    }
}

#[test]
fn two_servers_with_one_index_answer_each_from_its_own_tree() {
    let world = small_world("def alpha_only():\n    return 1\n");
    let other = world.folder.path().join("other");
    write(&other.join("m.py"), "def gamma_only():\n    return 1\n");
    settle();
    let mut first = world.start(&[]);
    let mut command = contextpack();
    let mut second = Client::start(command.arg("mcp").arg("--root").arg(&other).arg("--index").arg(world.index()));
    for round in 0..3 {
        for (client, own, foreign) in
            [(&mut first, "alpha_only", "gamma_only"), (&mut second, "gamma_only", "alpha_only")]
        {
            let shown = client.call("show", json!({ "symbol": own }));
            assert!(!shown.failed(), "{round} {own}: {shown:?}");
            assert!(client.call("show", json!({ "symbol": foreign })).failed(), "{round} {foreign}");
            let pack = client.call("pack", json!({ "query": format!("{own} {round}") }));
            assert!(pack.text().contains(&format!("def {own}")) && pack.fact("stale") == false, "{pack:?}");
        }
    }
    let listed = first.ask("resources/list", json!({}))["result"]["resources"].to_string();
    assert!(listed.contains("alpha_only") && !listed.contains("gamma_only"), "{listed}");
    let mut fresh = world.start(&[]);
    assert_eq!(
        fresh.ask("resources/list", json!({}))["result"]["resources"],
        json!([]),
        "the packs are another tree's"
    );
}

#[test]
fn roots_of_one_name_have_an_index_each() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write(&at("a/project/m.py"), "def alpha_only():\n    return 1\n");
    write(&at("b/project/m.py"), "def gamma_only():\n    return 1\n");
    let mut command = contextpack();
    command.arg("mcp").arg("--index").arg(at("index"));
    settle();
    let mut client = Client::start(command.arg("--root").arg(at("a/project")).arg("--root").arg(at("b/project")));
    let mut shown = |root: &str, symbol: &str| !client.call("show", json!({ "symbol": symbol, "root": root })).failed();
    for _ in 0..2 {
        assert!(shown("project", "alpha_only") && !shown("project", "gamma_only"));
        assert!(shown("project-2", "gamma_only") && !shown("project-2", "alpha_only"));
    }
    let mut kept: Vec<_> = fs::read_dir(at("index")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    kept.sort();
    assert_eq!(kept, ["project", "project-2"]);
}

#[test]
fn a_damaged_graph_is_made_again() {
    let world = World::new();
    let mut client = world.start(&[]);
    let wanted = client.call("show", json!({ "symbol": "Amount" }));
    assert!(!wanted.failed());
    let graph = world.index().join("graph");
    let whole = crate::tool::bytes(&graph);
    for kind in ["adjacency.0", "nodes.0", "edges.0"] {
        let pieces = fs::read_dir(&graph).unwrap().map(|entry| entry.unwrap().path());
        let mut pieces = pieces.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(kind));
        fs::write(pieces.next().unwrap(), "x").unwrap();
        assert_eq!(world.start(&[]).call("show", json!({ "symbol": "Amount" })), wanted, "{kind}");
        assert!(crate::tool::bytes(&graph) == whole, "{kind}");
    }
    fs::remove_file(graph.join("manifest.json")).unwrap();
    assert_eq!(client.call("show", json!({ "symbol": "Amount" })), wanted, "under a running server");
}

#[test]
fn what_is_not_found_in_a_stale_index_says_so() {
    let world = small_world("def alpha_only():\n    return 1\n");
    world.packed(&["--query", "alpha_only"]);
    write(&world.tree().join("new.py"), "def later():\n    return 1\n");
    let reply = world.start(&["--no-refresh"]).call("show", json!({ "symbol": "later" }));
    assert!(reply.text().starts_with("POC_E_NOT_FOUND: nothing is called `later`"), "{reply:?}");
    assert!(reply.text().contains("stale: the tree has changed since it was indexed"), "{reply:?}");
    let missing = world.start(&[]).call("show", json!({ "symbol": "never" }));
    assert!(missing.failed() && !missing.text().contains("stale"), "{missing:?}");
}

#[test]
fn packs_are_filtered_and_continued() {
    let world = small_world("def alpha_one():\n    return 1\n");
    write(&world.tree().join("lib/n.py"), "def alpha_two():\n    return 2\n");
    write(&world.tree().join("tests/test_m.py"), "def test_alpha():\n    assert alpha_one() == 1\n");
    let mut client = world.start(&[]);
    let mut asked = |more: Value| {
        let mut arguments = json!({ "query": "alpha" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.call("pack", arguments)
    };
    let has = |reply: &Reply, names: [bool; 3]| {
        let found = ["def alpha_one", "def alpha_two", "def test_alpha"].map(|name| reply.text().contains(name));
        assert_eq!(found, names, "{reply:?}");
    };
    has(&asked(json!({})), [true, true, true]);
    has(&asked(json!({ "path": "lib" })), [false, true, false]);
    has(&asked(json!({ "exclude": ["lib"], "no_tests": true })), [true, false, false]);
    has(&asked(json!({ "lang": "python", "no_tests": "true" })), [true, true, false]);
    has(&asked(json!({ "focus": "alpha_two" })), [false, true, false]);
    let first = asked(json!({ "no_tests": true }));
    has(&asked(json!({ "not_in": first.fact("packId") })), [false, false, true]);
    let missing = asked(json!({ "not_in": "pack:0" }));
    assert!(missing.failed() && missing.text().contains("POC_E_PACK_MISSING"), "{missing:?}");
}

#[test]
fn a_focus_that_is_not_there_is_said() {
    let world = small_world("def alpha_only():\n    return 1\n");
    let mut client = world.start(&[]);
    let mut asked = |focus: &str| client.call("pack", json!({ "query": "alpha_only", "focus": focus }));
    assert!(asked("file:m.py").text().contains("def alpha_only"));
    let missing = asked("file:nosuch.py");
    assert!(missing.failed() && missing.text().contains("nothing called `nosuch.py`"), "{missing:?}");
}
