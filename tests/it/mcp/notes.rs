//! Briefs through the server: the bytes of the command line for every argument, and what else replies say.

use std::fs;

use contextpack::door::brief::Lenses;
use contextpack::text::Tokenizer;
use serde_json::{Value, json};
use tempfile::tempdir;

use super::client::{Reply, World, text};
use crate::tool::{contextpack, copy, home, plant};

/// A tree of notes, with a lens of its own.
fn world() -> World {
    let world = World { folder: tempdir().unwrap() };
    for case in ["notes_vault", "notes_tana", "notes_nodes"] {
        copy(&home().join("golden").join(case).join("input"), &world.tree().join(case));
    }
    plant(&world.tree(), &[("contextpack.toml", b"[lens.people]\nextends = \"meeting-prep\"\nmax_depth = 1\n")]);
    world
}

/// What the command line prints for the same tree and index, and the code that it ends with.
fn printed(world: &World, arguments: &[&str]) -> (String, Option<i32>) {
    let (tree, index) = (world.tree(), world.index());
    let mut command = contextpack();
    command.arg("brief").args(arguments).args(["--quiet", "--repo", text(&tree), "--index", text(&index)]);
    let output = command.output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// The same arguments for the tool and for the command line.
fn flags(arguments: &Value) -> Vec<String> {
    let mut flags = Vec::new();
    for (name, value) in arguments.as_object().unwrap() {
        let flag = format!("--{}", name.replace('_', "-"));
        match value {
            Value::Array(all) => all.iter().for_each(|one| flags.extend([flag.clone(), one.as_str().unwrap().into()])),
            Value::String(one) if name == "query" => flags.push(one.clone()),
            Value::String(one) => flags.extend([flag, one.clone()]),
            Value::Bool(is_on) => flags.push(format!("{flag}={is_on}")),
            other => flags.extend([flag, other.to_string()]),
        }
    }
    flags
}

/// All pages of a reply.
fn whole(client: &mut super::client::Client, arguments: &Value) -> (String, Reply) {
    let first = client.call("note_brief", arguments.clone());
    let (mut text, mut next) = (first.text().to_string(), first.0["structuredContent"]["next"].clone());
    while !next.is_null() {
        let mut arguments = arguments.clone();
        arguments["offset"] = next;
        let page = client.call("note_brief", arguments);
        text += page.text();
        next = page.0["structuredContent"]["next"].clone();
    }
    (text, first)
}

/// 11. The text of the tool has the bytes that the command line prints, for every argument and both formats.
#[test]
fn a_brief_has_the_bytes_that_the_command_line_prints() {
    let world = world();
    let (id, code) = printed(&world, &["SOC Defender", "--write", "--depth", "1", "--max-tokens", "700"]);
    assert_eq!(code, Some(0));
    let mut client = world.start(&[]);
    let mut calls = vec![
        json!({}),
        json!({ "query": "c1" }),
        json!({ "query": "#person" }),
        json!({ "query": "alert triage night" }),
        json!({ "query": "note:notes_vault/Links.md" }),
        json!({ "with": ["Ada Lovelace", "Kick-off"] }),
        json!({ "with": ["no such thing at all"] }),
        json!({ "depth": 0 }),
        json!({ "depth": 5, "max_tokens": 20_000 }),
        json!({ "include_fields": false }),
        json!({ "include_fields": true }),
        json!({ "since": id.trim() }),
        json!({ "since": id.trim(), "depth": 1, "max_tokens": 700 }),
        json!({ "with": ["Kick-off"], "lens": "planning", "depth": 3, "include_fields": false, "max_tokens": 900 }),
    ];
    let lenses = Lenses::builtin().all().unwrap();
    calls.extend(lenses.iter().map(|entry| json!({ "lens": entry.lens.name })));
    calls.push(json!({ "lens": "people" }));
    calls.extend([0, 1, 19, 50, 499, 500, 620, 1_500].map(|limit| json!({ "max_tokens": limit })));
    assert!(calls.len() > 25);
    for (mut arguments, format) in
        calls.iter().flat_map(|call| ["markdown", "json"].map(|format| (call.clone(), format)))
    {
        arguments.as_object_mut().unwrap().entry("query").or_insert(json!("SOC Defender"));
        arguments["format"] = json!(format);
        let given = flags(&arguments);
        let (expected, code) = printed(&world, &given.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(code, Some(0), "{arguments}");
        let (found, reply) = whole(&mut client, &arguments);
        assert!(!reply.failed(), "{arguments}: {reply:?}");
        assert_eq!(found, expected, "{arguments}");
        let max_tokens = arguments["max_tokens"].as_u64().unwrap_or(4_000);
        assert_eq!(reply.fact("maxTokens"), max_tokens);
        assert_eq!((reply.fact("embeddings"), reply.fact("stale")), (&json!(false), &json!(false)));
        if format == "markdown" {
            assert!(Tokenizer::O200kBase.count(reply.text()) as u64 <= max_tokens, "{arguments}");
            assert_eq!(client.call("tana_context", arguments.clone()), reply, "{arguments}: the other name");
        } else {
            let record: Value = serde_json::from_str(&found).unwrap();
            assert_eq!(reply.fact("briefId"), &record["briefId"]);
            assert_eq!(reply.fact("nodes"), record["nodes"].as_array().unwrap().len());
        }
    }
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "note_brief").unwrap().clone();
    assert!(tools.as_array().unwrap().iter().all(|tool| tool["name"] != "tana_context"), "it is not listed");
    assert!(Tokenizer::O200kBase.count(&tool.to_string()) <= 300, "{tool}");
    let mut arguments: Vec<&String> = tool["inputSchema"]["properties"].as_object().unwrap().keys().collect();
    arguments.sort();
    let tested = ["depth", "format", "include_fields", "lens", "max_tokens", "offset", "query", "since", "with"];
    assert_eq!(arguments, tested, "every argument is tested above");
}

/// 1. A topic that is not there is an answer and no error. 11. With the bytes of the command line.
#[test]
fn an_unknown_topic_is_no_error() {
    let world = world();
    let mut client = world.start(&[]);
    for format in ["markdown", "json"] {
        let reply = client.call("note_brief", json!({ "query": "zzzunknown", "format": format }));
        assert!(!reply.failed() && reply.0["isError"] != true, "{reply:?}");
        assert_eq!((reply.text().to_string(), Some(1)), printed(&world, &["zzzunknown", "--format", format]));
        assert_eq!(reply.fact("nodes"), 0);
    }
    let reply = client.call("note_brief", json!({ "query": "zzzunknown" }));
    assert_eq!(reply.text(), "# Brief: zzzunknown\n\nNo matching nodes found.\n");
    for (arguments, said) in [
        (json!({ "query": "p1", "lens": "planing" }), "POC_E_BAD_REQUEST"),
        (json!({ "query": "p1", "depth": 6 }), "POC_E_BUDGET_EXCEEDED"),
        (json!({ "query": "p1", "since": "brief:00000000000000000000000000000000" }), "POC_E_NOT_FOUND"),
        (json!({ "query": "p1", "nope": 1 }), "POC_E_BAD_REQUEST"),
    ] {
        let reply = client.call("note_brief", arguments);
        assert!(reply.failed() && reply.text().starts_with(said), "{reply:?}");
    }
}

/// 6. If the tree has changed or is gone, the index answers, and the reply says that it is stale.
#[test]
fn a_brief_of_an_old_index_says_so() {
    let world = world();
    let query = json!({ "query": "p1" });
    let fresh = world.start(&[]).call("note_brief", query.clone());
    assert_eq!(fresh.fact("stale"), false);
    let mut client = world.start(&["--no-refresh"]);
    assert_eq!(client.call("note_brief", query.clone()).text(), fresh.text());
    plant(&world.tree(), &[("notes_vault/New.md", b"[[SOC Defender]]\n")]);
    let stale = client.call("note_brief", query.clone());
    assert_eq!((stale.fact("stale"), stale.notes().contains("[stale: ")), (&json!(true), true), "{stale:?}");
    let warning = "\nwarning: the notes have changed since they were indexed\n";
    assert!(stale.text().contains(warning), "{}", stale.text());
    assert_eq!((stale.text().to_string(), Some(0)), printed(&world, &["p1", "--no-refresh"]));
    let record = client.call("note_brief", json!({ "query": "p1", "format": "json", "max_tokens": 20_000 }));
    let record: Value = serde_json::from_str(record.text()).unwrap();
    assert_eq!((&record["meta"]["tree"], record["nodes"].as_array().unwrap().len() > 3), (&json!("changed"), true));
    let mut client = world.start(&[]);
    assert_eq!(client.call("note_brief", query.clone()).fact("stale"), false);
    fs::rename(world.tree(), world.folder.path().join("away")).unwrap();
    let gone = client.call("note_brief", query);
    assert!(gone.fact("stale") == true && gone.text().contains("SOC Defender"), "{gone:?}");
}

/// A tree without notes has no tool for them.
#[test]
fn the_tool_is_listed_where_there_are_notes() {
    let world = World::new();
    let mut client = world.start(&[]);
    client.call("outline", json!({}));
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert!(tools.as_array().unwrap().iter().all(|tool| tool["name"] != "note_brief"));
    let reply = client.call("note_brief", json!({ "query": "x" }));
    assert!(reply.failed() && reply.text().contains("has no notes"), "{reply:?}");
}
