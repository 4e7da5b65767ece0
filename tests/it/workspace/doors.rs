//! R1 and the other doors: every way to ask gives the same payload, and no way shows what a reader may not read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use contextpack::record::Reader;
use contextpack::record::workspace::StoredPayload;
use contextpack::store::Index;
use contextpack::text::Tokenizer;
use serde_json::{Value, json};

use super::answers::{Answers, golden_requests};
use super::world::{World, reader};
use crate::mcp::client::Client;
use crate::mcp::http;
use crate::tool::{contextpack, copy, home, run};

/// Each golden workspace, with the requests of its golden payloads.
const WORLDS: [(&str, &str); 3] =
    [("workspace_acme", "payloads_acme"), ("workspace_notion", "payloads_notion"), ("workspace_tree", "payloads_tree")];

/// The principals that a request names.
fn principals(request: &Value) -> Vec<String> {
    let user = &request["user"];
    let words = |key: &str| user[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
    let id = user["id"].as_str().map(|id| format!("user:{id}"));
    let workspace = user["workspaceId"].as_str().map(|id| format!("workspace:{id}"));
    let teams = words("teamIds").into_iter().map(|id| format!("team:{id}"));
    let all: Vec<String> = id.into_iter().chain(teams).chain(workspace).collect();
    if all.is_empty() { vec!["public".to_string()] } else { all }
}

fn as_flags(principals: &[String]) -> Vec<&str> {
    principals.iter().flat_map(|principal| ["--as", principal.as_str()]).collect()
}

fn without_user(request: &Value) -> Value {
    let mut request = request.clone();
    request.as_object_mut().unwrap().remove("user");
    request
}

/// Everything that a process says.
fn said(output: &Output) -> String {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    format!("code {:?}\n{stdout}----\n{stderr}", output.status.code())
}

/// Runs a command of the world on its tree and index.
fn on_tree(world: &World, arguments: &[&str]) -> Output {
    world.run(&[arguments, &["--repo", "tree", "--index", "index"]].concat())
}

/// `workspace context` for a request, as JSON.
fn asked_by_command(world: &World, request: &Value, more: &[&str]) -> Output {
    world.write("../request.json", &request.to_string());
    let fixed = ["workspace", "context", "--request", "request.json", "--format", "json"];
    world.run(&[&fixed, more].concat())
}

/// `workspace batch` for requests, as payloads in their order.
fn asked_in_a_batch(world: &World, requests: &[Value], more: &[&str]) -> Vec<Value> {
    world.write("../requests.jsonl", &requests.iter().map(|request| format!("{request}\n")).collect::<String>());
    let fixed = ["workspace", "batch", "requests.jsonl", "--out", "payloads", "--quiet"];
    let output = world.run(&[&fixed, more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let stored = Index::open(&world.scratch.path().join("payloads")).unwrap();
    let stored: Vec<StoredPayload> = stored.records::<StoredPayload>().unwrap().map(|stored| stored.unwrap()).collect();
    let of = |request: &Value| {
        let wanted = super::answers::parsed(request);
        let is_it = |stored: &&StoredPayload| {
            let user = if wanted.user.is_none() { None } else { stored.request.user.clone() };
            contextpack::record::workspace::ContextRequest { user, ..stored.request.clone() } == wanted
        };
        serde_json::to_value(&stored.iter().find(is_it).expect("it is answered").payload).unwrap()
    };
    requests.iter().map(of).collect()
}

const PLACE: [&str; 4] = ["--repo", "tree", "--index", "index"];

/// R1.
#[test]
fn every_door_gives_one_payload() {
    for (case, payloads) in WORLDS {
        let (world, requests) = (World::of_golden(case), golden_requests(payloads));
        let answers = Answers::of(&world);
        let wanted: Vec<Value> =
            requests.iter().map(|request| serde_json::to_value(answers.payload(request)).unwrap()).collect();
        let of_batch = asked_in_a_batch(&world, &requests, &PLACE);
        let mut clients: BTreeMap<Vec<String>, Client> = BTreeMap::new();
        for ((request, wanted), of_batch) in requests.iter().zip(&wanted).zip(of_batch) {
            assert_eq!(of_batch, *wanted, "batch: {request}");
            let by_user = asked_by_command(&world, request, &PLACE);
            assert_eq!(serde_json::from_slice::<Value>(&by_user.stdout).unwrap(), *wanted, "command: {request}");
            let names = principals(request);
            let flags = [&PLACE, &as_flags(&names)[..]].concat();
            let by_flag = asked_by_command(&world, &without_user(request), &flags);
            assert_eq!(said(&by_flag), said(&by_user), "--as says what the request's user says");
            let client = clients.entry(names.clone()).or_insert_with(|| server(&world, &names));
            let mut arguments = without_user(request);
            arguments.as_object_mut().unwrap().remove("query");
            let reply = client.call("workspace_context", json!({ "request": arguments, "query": request["query"] }));
            assert_eq!(*reply.fact("payloadId"), wanted["payloadId"], "mcp: {request}");
            assert_eq!(reply.text(), wanted["serialized"].as_str().unwrap(), "mcp: {request}");
        }
    }
}

fn server(world: &World, principals: &[String]) -> Client {
    let mut command = contextpack();
    command.current_dir(world.scratch.path()).arg("mcp").args(PLACE).args(as_flags(principals));
    Client::start(&mut command)
}

/// Words of its own say what a whole request says.
#[test]
fn the_tool_takes_what_the_command_line_takes() {
    let world = World::of_golden("workspace_acme");
    world.build();
    let mut client = server(&world, &["user:1".to_string()]);
    let arguments = json!({ "query": "Break this task into subtasks", "focus": "block:task-456", "type": "search",
        "max_tokens": 900, "request": { "now": "2025-06-10T09:00:00Z" } });
    let flags = [
        "workspace",
        "context",
        "Break this task into subtasks",
        "--focus",
        "block:task-456",
        "--type",
        "search",
        "--max-tokens",
        "900",
        "--now",
        "2025-06-10T09:00:00Z",
        "--as",
        "user:1",
    ];
    let printed = on_tree(&world, &flags);
    let reply = client.call("workspace_context", arguments);
    assert_eq!(reply.text(), String::from_utf8(printed.stdout).unwrap());
    assert!(reply.text().contains("Ship billing page") && !reply.failed(), "{reply:?}");
}

/// A view gives its reader the bytes of the whole workspace.
#[test]
fn a_view_gives_the_same_bytes() {
    let mut compared = 0;
    for (case, payloads) in WORLDS {
        let world = World::of_golden(case);
        world.build();
        let mut by_reader: BTreeMap<Vec<String>, Vec<Value>> = BTreeMap::new();
        for request in golden_requests(payloads) {
            by_reader.entry(principals(&request)).or_default().push(without_user(&request));
        }
        for (names, requests) in by_reader {
            let flags = as_flags(&names);
            let view = [&["workspace", "view", "--quiet", "--out", "view"], &PLACE[..], &flags].concat();
            assert_eq!(said(&world.run(&view)), "code Some(0)\n----\n");
            let (whole, view) = ([&PLACE[..], &flags].concat(), [&["--index", "view"], &flags[..]].concat());
            assert_eq!(asked_in_a_batch(&world, &requests, &view), asked_in_a_batch(&world, &requests, &whole));
            for request in requests.iter().take(2) {
                let of_view = said(&asked_by_command(&world, request, &view));
                assert_eq!(of_view, said(&asked_by_command(&world, request, &whole)), "{request}");
            }
            let tree = world.scratch.path().join("view/source");
            let written: String = texts_below(&tree).into_iter().collect();
            if names.contains(&"user:1".to_string()) {
                assert!(!HIDDEN.iter().any(|hidden| written.contains(hidden)), "{written}");
                assert!(!written.contains("\"user\":\"2\""), "nor what others did or are: {written}");
            }
            compared += requests.len();
            fs::remove_dir_all(world.scratch.path().join("view")).unwrap();
        }
    }
    assert!(compared >= 20, "{compared}");
}

fn texts_below(folder: &Path) -> Vec<String> {
    files_below(folder)
        .into_iter()
        .filter(|path| path.is_file())
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

/// All files and directories below one, itself included.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![folder.to_path_buf()];
    let mut at = 0;
    while at < all.len() {
        if all[at].is_dir() {
            all.extend(fs::read_dir(&all[at]).unwrap().map(|entry| entry.unwrap().path()));
        }
        at += 1;
    }
    all
}

/// A view is its reader's alone.
#[test]
fn a_view_is_for_its_reader() {
    let world = World::of_golden("workspace_acme");
    world.build();
    let view = ["workspace", "view", "--quiet", "--out", "view", "--as", "user:1"];
    assert_eq!(on_tree(&world, &view).status.code(), Some(0));
    let request = golden_requests("payloads_acme").swap_remove(1);
    let ask = |flags: &[&str]| {
        let request = without_user(&request);
        asked_by_command(&world, &request, &[&["--index", "view"], flags].concat())
    };
    assert!(said(&ask(&["--as", "user:1"])).contains("Renew TLS"));
    assert!(said(&ask(&["--as", "user:2"])).contains("POC_E_FORBIDDEN"), "the view states only its reader");
    for flags in [&["--as", "public"][..], &[]] {
        assert!(!said(&ask(flags)).contains("Renew TLS"), "{flags:?}");
    }
    assert!(said(&world.run(&["search", "TLS", "--index", "view"])).contains("POC_E_FORBIDDEN"));
    let nobody = on_tree(&world, &["workspace", "view", "--out", "other"]);
    assert!(nobody.status.code() == Some(2) && !world.scratch.path().join("other").exists(), "{}", said(&nobody));
}

/// What user 1 of `golden/workspace_acme` may not read, and what only lists of members and grants say.
const HIDDEN: [&str; 9] =
    ["Layoffs", "lawyer", "Initech", "98765", "todo-s", "page-sec", "r-3", "sec-text", "secret-team"];

/// `golden/workspace_acme` with code, spec documents, notes, and names that only rights have.
fn mixed() -> World {
    let world = World::of_golden("workspace_acme");
    copy(&home().join("golden/graph_spec/input"), &world.tree());
    world.write("contextpack.toml", "[workspace]\n\n[notes]\nroots = [{ path = \"vault\", kind = \"vault\" }]\n");
    world.write("vault/Invoices.md", "# Invoices\n\nSent by [[Billing]] on Mondays. #money\n");
    world.write("vault/Billing.md", "# Billing\n\nKnows all [[Invoices]].\n");
    let append = |path: &str, line: &str| {
        let text = fs::read_to_string(world.tree().join(path)).unwrap();
        world.write(path, &format!("{text}{line}\n"));
    };
    append("members.jsonl", "{\"user\":\"3\",\"teams\":[\"secret-team\"],\"workspaces\":[\"acme\"]}");
    append("permissions.jsonl", "{\"block\":\"todo-10\",\"read\":[\"user:1\",\"user:2\",\"team:secret-team\"]}");
    world.build();
    world
}

/// Commands that show something of an index. `WORD` is what they ask for.
const DOORS: &[&[&str]] = &[
    &["pack", "WORD"],
    &["pack", "WORD", "--json", "--explain"],
    &["pack", "--focus", "WORD"],
    &["brief", "WORD"],
    &["brief", "WORD", "--format", "json"],
    &["spec", "context", "WORD"],
    &["spec", "index"],
    &["spec", "search", "WORD"],
    &["spec", "impact", "WORD"],
    &["spec", "prompt", "WORD"],
    &["spec", "lint"],
    &["show", "WORD"],
    &["show", "WORD", "--json"],
    &["show", "path", "WORD", "Invoices"],
    &["read", "WORD"],
    &["search", "WORD"],
    &["search", "--regex", "WORD"],
    &["search"],
    &["outline"],
    &["outline", "WORD"],
    &["outline", "workspace/blocks-00001.jsonl"],
    &["read", "workspace/blocks-00001.jsonl"],
];
const OF_CHUNKS: [&str; 6] = ["files", "chunk_meta", "symbols", "references", "items", "problems"];
const OF_GRAPH: [&str; 4] = ["nodes", "edges", "evidence", "coverage"];

/// Names that only hidden blocks have.
const NAMES: [&str; 5] = ["todo-s", "page-sec", "Layoffs", "lawyer", "Initech"];

fn with_word<'d>(door: &[&'d str], word: &'d str) -> Vec<&'d str> {
    door.iter().map(|argument| if *argument == "WORD" { word } else { argument }).collect()
}

/// The same tree, but what user 1 may not read was never there.
fn without_hidden() -> World {
    let world = mixed();
    let keep = |path: &str, wanted: &dyn Fn(&str) -> bool| {
        let text = fs::read_to_string(world.tree().join(path)).unwrap();
        world
            .write(path, &text.lines().filter(|line| wanted(line)).map(|line| format!("{line}\n")).collect::<String>());
    };
    let hidden = ["page-sec", "sec-text", "todo-s", "r-3"].map(|id| format!("{{\"id\":\"{id}\""));
    keep("blocks.jsonl", &|line| !hidden.iter().any(|hidden| line.starts_with(hidden)));
    keep("activity.jsonl", &|line| line.contains("\"user\":\"1\""));
    keep("members.jsonl", &|line| line.contains("\"user\":\"1\""));
    keep("permissions.jsonl", &|line| !line.contains("r-3") && !line.contains("secret-team"));
    let text = fs::read_to_string(world.tree().join("blocks.jsonl")).unwrap();
    let public = "\"type\":\"page\",\"parent\":\"page-sec\"";
    assert!(text.contains(public));
    world.write(
        "blocks.jsonl",
        &text.replace(public, "\"type\":\"page\"").replace("[\\\"r-1\\\",\\\"r-3\\\"]", "[\\\"r-1\\\"]"),
    );
    let text = texts_below(&world.tree()).concat();
    assert!(!HIDDEN.iter().filter(|hidden| **hidden != "98765").any(|hidden| text.contains(hidden)));
    world.build();
    world
}

/// Whatever user 1 asks through any door: all bytes are those of a tree without what is hidden. So a hidden name is a
/// name that nothing has.
#[test]
fn no_door_shows_what_is_hidden() {
    let (world, left) = (mixed(), without_hidden());
    let same = |arguments: &[&str], asked: &str| {
        let found = said(&world.run(arguments));
        assert_eq!(found, said(&left.run(arguments)), "{arguments:?}");
        let shown = HIDDEN.iter().find(|hidden| **hidden != asked && found.contains(**hidden));
        assert!(shown.is_none(), "{arguments:?} shows {shown:?}: {found}");
        found
    };
    for door in DOORS {
        let words: &[&str] = if door.contains(&"WORD") { &NAMES } else { &[""] };
        for word in words.iter().chain(&["Invoices"]) {
            let found = same(&[&with_word(door, word)[..], &PLACE, &["--as", "user:1"]].concat(), word);
            assert!(!found.contains("POC_E_FORBIDDEN"), "{found}");
        }
    }
    for artifact in OF_CHUNKS.iter().chain(&OF_GRAPH) {
        let stage = if OF_GRAPH.contains(artifact) { "index/graph" } else { "index/chunk" };
        for place in ["index", stage] {
            let found = same(&["cat", place, artifact, "--as", "user:1"], "");
            assert!(found.starts_with("code Some(0)"), "{artifact}: {found}");
        }
    }
    for (word, user, is_found) in
        [("invoices", "user:1", true), ("lawyer", "user:2", true), ("lawyer", "user:1", false)]
    {
        let found = said(&on_tree(&world, &["pack", word, "--as", user]));
        assert_eq!(found.contains("blocks-00001.jsonl"), is_found, "{user} {word}: {found}");
    }
}

/// Packs, what is asked about them, and what lies between two indexes.
#[test]
fn packs_of_a_view_are_explained_from_it() {
    let (world, left) = (mixed(), without_hidden());
    let reader = ["--as", "user:1"];
    let same = |arguments: &[&str], code: i32| {
        let [found, wanted] = [&world, &left].map(|world| world.run(&[arguments, &reader].concat()));
        assert_eq!(said(&found), said(&wanted), "{arguments:?}");
        assert_eq!(found.status.code(), Some(code), "{}", said(&found));
        (found, wanted)
    };
    for (word, file) in [("invoices", "a.json"), ("certificate", "b.json")] {
        let (of_all, of_left) = same(&[&["pack", word, "--json"], &PLACE[..]].concat(), 0);
        fs::write(world.scratch.path().join(file), of_all.stdout).unwrap();
        fs::write(left.scratch.path().join(file), of_left.stdout).unwrap();
    }
    for word in NAMES {
        same(&[&["why-not", "a.json", word], &PLACE[..]].concat(), 0);
    }
    let (visible, _) = same(&[&["why-not", "a.json", "vault/Billing.md"], &PLACE[..]].concat(), 0);
    assert!(!visible.stdout.is_empty());
    same(&[&["diff", "a.json", "b.json"], &PLACE[..]].concat(), 1);
    for world in [&world, &left] {
        world.build_into(&world.scratch.path().join("other")).unwrap();
    }
    same(&["diff", "index", "other"], 0);
    for world in [&world, &left] {
        let text = fs::read_to_string(world.tree().join("blocks.jsonl")).unwrap();
        world.write("blocks.jsonl", &text.replace("the lawyer", "nobody").replace("Renew TLS", "Renew the TLS"));
        world.build_into(&world.scratch.path().join("other")).unwrap();
    }
    same(&["diff", "index", "other", "--json"], 1);
}

/// An index with restricted content opens for somebody or for an operator.
#[test]
fn an_index_with_restricted_content_asks_who_reads() {
    let world = mixed();
    let pack = on_tree(&world, &["pack", "invoices", "--json", "--operator"]);
    fs::write(world.scratch.path().join("a.json"), &pack.stdout).unwrap();
    let others: [&[&str]; 3] = [&["why-not", "a.json", "Billing"], &["pack", "invoices", "--write"], &["doctor"]];
    for door in DOORS.iter().copied().chain(others) {
        let arguments = with_word(door, "Invoices");
        let refused = on_tree(&world, &arguments);
        assert_eq!(refused.status.code(), Some(2), "{door:?}: {}", said(&refused));
        assert!(said(&refused).contains("POC_E_FORBIDDEN"), "{door:?}: {}", said(&refused));
        assert!(refused.stdout.is_empty(), "{door:?}: {}", said(&refused));
        let operator = on_tree(&world, &[&arguments[..], &["--operator"]].concat());
        assert!(!said(&operator).contains("POC_E_FORBIDDEN"), "{door:?}: {}", said(&operator));
    }
    for arguments in [&["cat", "index", "items"][..], &["cat", "index/chunk", "items"], &["diff", "index", "index"]] {
        let refused = world.run(arguments);
        assert!(said(&refused).contains("POC_E_FORBIDDEN") && refused.stdout.is_empty(), "{arguments:?}");
        let operator = world.run(&[arguments, &["--operator"]].concat());
        assert_eq!(operator.status.code(), Some(0), "{arguments:?}: {}", said(&operator));
    }
    for option in ["--as", "--operator"] {
        let access = ["workspace", "access", "page-sec", option, "user:2"];
        let allowed = option == "--operator";
        let output = on_tree(&world, &access[..if allowed { 4 } else { 5 }]);
        assert_eq!(output.status.code() == Some(0), allowed, "{}", said(&output));
    }
}

/// `build` makes no answers from what not everybody may read.
#[test]
fn a_build_makes_no_answers_of_a_restricted_index() {
    for (stage, made, request) in [
        ("pack", "packs", "{\"query\":\"invoices\"}"),
        ("spec", "bundles", "{\"seed_ids\":[\"REQ-201\"]}"),
        ("brief", "briefs", "{\"query\":\"Invoices\"}"),
    ] {
        let world = mixed();
        let toml = fs::read_to_string(world.tree().join("contextpack.toml")).unwrap();
        world.write("contextpack.toml", &format!("{toml}\n[{stage}]\nrequests = \"{stage}.jsonl\"\n"));
        world.write(&format!("{stage}.jsonl"), &format!("{request}\n"));
        let output = contextpack().current_dir(world.tree()).arg("build").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{stage}: {}", said(&output));
        assert!(said(&output).contains("POC_E_FORBIDDEN"), "{stage}: {}", said(&output));
        assert!(!world.tree().join("index").join(made).join("manifest.json").exists());
    }
}

#[test]
fn a_request_and_the_command_line_name_one_reader() {
    let world = World::of_golden("workspace_acme");
    world.build();
    let request = |user: Value| json!({ "query": "What tasks are overdue?", "user": user, "now": "2025-06-10" });
    let ask = |user: Value, names: &[&str]| {
        let flags: Vec<&str> = names.iter().flat_map(|name| ["--as", *name]).collect();
        asked_by_command(&world, &request(user), &[&PLACE[..], &flags].concat())
    };
    let same = said(&ask(json!({ "id": "1", "teamIds": ["ops"] }), &["user:1"]));
    assert!(same.starts_with("code Some(0)") && same.contains("task-458"), "{same}");
    let others = [
        (json!({ "id": "2" }), vec!["user:1"]),
        (json!({ "id": "1" }), vec!["user:2"]),
        (json!({ "id": "1", "teamIds": ["law"] }), vec!["user:1"]),
        (json!({ "id": "1" }), vec!["team:ops", "workspace:acme"]),
        (json!({ "id": "never" }), vec!["user:1"]),
    ];
    let refusals: Vec<String> = others.into_iter().map(|(user, names)| said(&ask(user, &names))).collect();
    assert!(refusals[0].starts_with("code Some(2)\n----\n") && refusals[0].contains("POC_E_FORBIDDEN"), "{refusals:?}");
    assert!(refusals.iter().all(|refusal| *refusal == refusals[0]), "{refusals:?}");
}

/// The list of members fills in what is left out, and refuses the rest without a reason.
#[test]
fn members_are_what_the_list_states() {
    let world = World::of_golden("workspace_acme");
    world.write(
        "ops.jsonl",
        "{\"id\":\"ops-page\",\"type\":\"page\",\"title\":\"Overdue pager rota\",\"read\":[\"team:ops\"]}\n",
    );
    world.build();
    let ask = |names: &[&str]| {
        let flags: Vec<&str> = names.iter().flat_map(|name| ["--as", *name]).collect();
        said(&on_tree(&world, &[&["workspace", "context", "pager rota"], &flags[..]].concat()))
    };
    let filled = ask(&["user:1"]);
    assert!(filled.contains("Overdue pager rota"), "{filled}");
    assert_eq!(ask(&["user:1", "team:ops", "workspace:acme"]), filled);
    assert!(!ask(&["user:2"]).contains("Overdue pager rota"), "it is hidden from user 2");
    let wrong: [&[&str]; 6] = [
        &["user:2", "team:ops"],
        &["user:9"],
        &["user:1", "team:law"],
        &["user:1", "workspace:other"],
        &["team:law"],
        &["workspace:other"],
    ];
    let refusals: Vec<String> = wrong.iter().map(|names| ask(names)).collect();
    assert!(refusals[0].starts_with("code Some(2)\n----\n") && refusals[0].contains("POC_E_FORBIDDEN"), "{refusals:?}");
    assert!(refusals.iter().all(|refusal| *refusal == refusals[0]), "{refusals:?}");
    for door in [&["search", "pager"][..], &["pack", "pager"], &["cat", "index", "items"]] {
        let place: &[&str] = if door[0] == "cat" { &[] } else { &PLACE };
        let found = wrong.map(|names| {
            let flags: Vec<&str> = names.iter().flat_map(|name| ["--as", *name]).collect();
            said(&world.run(&[door, place, &flags].concat()))
        });
        assert!(found[0].contains("POC_E_FORBIDDEN") && found.iter().all(|said| *said == found[0]), "{found:?}");
    }
}

/// An index is as secret as its workspace, and so is everything that is made from it.
#[test]
#[cfg(unix)]
fn a_restricted_index_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = mixed();
    let index = on_tree(&world, &["search", "invoices", "--as", "user:1"]);
    assert_eq!(index.status.code(), Some(0), "{}", said(&index));
    on_tree(&world, &["workspace", "view", "--quiet", "--out", "view", "--as", "user:1"]);
    asked_in_a_batch(&world, &golden_requests("payloads_acme"), &PLACE);
    on_tree(&world, &["pack", "invoices", "--write", "--operator"]);
    on_tree(&world, &["pack", "invoices", "--write", "--as", "user:1"]);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for made in ["index/chunk", "index/graph", "payloads", "view/chunk", "view/graph", "view/source"] {
        let all = files_below(&world.scratch.path().join(made));
        assert!(all.len() > 2, "{made}");
        // A lock holds the number of a process, and nothing else.
        let all = all.iter().filter(|path| !path.ends_with(".lock"));
        let open: Vec<_> = all.filter(|path| mode(path) != if path.is_dir() { 0o700 } else { 0o600 }).collect();
        assert!(open.is_empty(), "{made}: {open:?}");
    }
    for closed in ["index/views", "index/packs"] {
        assert_eq!(mode(&world.scratch.path().join(closed)), 0o700, "nobody else gets to what is in {closed}");
    }
    let public = World::new(&[("a.jsonl", "{\"id\":\"a\",\"type\":\"page\",\"title\":\"A\"}\n")]);
    public.write("contextpack.toml", "[workspace]\ndefault_read = [\"public\"]\n");
    public.build();
    let manifest = mode(&public.index().join("chunk/manifest.json"));
    assert_ne!(manifest, 0o600, "what everybody may read is written as ever");
}

/// When each view of an index was written, and what it was made from.
fn views(world: &World) -> BTreeMap<PathBuf, (std::time::SystemTime, Vec<u8>)> {
    let all =
        files_below(&world.index().join("views")).into_iter().filter(|path| path.ends_with("chunk/manifest.json"));
    all.map(|path| (path.clone(), (fs::metadata(&path).unwrap().modified().unwrap(), fs::read(&path).unwrap())))
        .collect()
}

#[test]
fn views_follow_the_rights() {
    let world = World::of_golden("workspace_acme");
    let outline = |user: &str| {
        let said = said(&on_tree(&world, &["outline", "workspace/blocks-00001.jsonl", "--as", user]));
        assert!(said.contains("Book venue"), "{said}");
        said.contains("Send invoices")
    };
    assert!(outline("user:1"));
    let first = views(&world);
    assert_eq!(first.len(), 1);
    assert!(outline("user:1"));
    on_tree(&world, &["pack", "invoices", "--as", "user:1"]);
    assert_eq!(views(&world), first, "nothing has changed");
    assert!(outline("user:2"));
    let both = views(&world);
    assert!(both.len() == 2 && first.iter().all(|(path, written)| both[path] == *written), "each reader has one");
    let permissions = fs::read_to_string(world.tree().join("permissions.jsonl")).unwrap();
    let narrower = format!("{permissions}{{\"block\":\"todo-9\",\"read\":[\"user:2\"]}}\n");
    world.write("permissions.jsonl", &narrower);
    assert!(!outline("user:1"), "the right is gone with the next command");
    assert!(outline("user:2"));
    let now = views(&world);
    assert!(now.len() == 2 && first.iter().all(|(path, written)| now[path] != *written), "it is made again");
    world.write("permissions.jsonl", &permissions);
    assert!(outline("user:1"), "and it comes back");
}

/// A long-running server sees that rights have changed.
#[test]
fn a_server_follows_the_rights() {
    let world = World::of_golden("workspace_acme");
    let mut client = server(&world, &["user:1".to_string()]);
    let ask = |client: &mut Client| {
        let request = json!({ "now": "2025-06-10T09:00:00Z" });
        let reply = client.call("workspace_context", json!({ "query": "What tasks are overdue?", "request": request }));
        reply.text().to_string()
    };
    assert!(ask(&mut client).contains("Send invoices"));
    let permissions = fs::read_to_string(world.tree().join("permissions.jsonl")).unwrap();
    world.write("permissions.jsonl", &format!("{permissions}{{\"block\":\"todo-9\",\"read\":[\"user:2\"]}}\n"));
    assert!(!ask(&mut client).contains("Send invoices"));
    world.write("permissions.jsonl", &permissions);
    assert!(ask(&mut client).contains("Send invoices"));
}

fn tools(client: &mut Client) -> Value {
    // The list depends on the index.
    client.call("outline", json!({}));
    client.ask("tools/list", json!({}))["result"]["tools"].clone()
}

fn names(tools: &Value) -> Vec<&str> {
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn the_tool_is_there_where_a_workspace_is() {
    let world = mixed();
    let listed = tools(&mut server(&world, &["user:1".to_string()]));
    assert!(names(&listed).contains(&"workspace_context"), "{listed}");
    let acme = World::of_golden("workspace_acme");
    let own = tools(&mut server(&acme, &["user:1".to_string()]));
    assert!(names(&own).contains(&"workspace_context"), "{own}");
    let tokens = Tokenizer::O200kBase.count(&own.to_string());
    assert!(tokens < 1_200, "{tokens}");
    let code = World::new(&[("a.py", "def a(): pass\n")]);
    code.write("contextpack.toml", "");
    let of_code = tools(&mut server(&code, &[]));
    assert!(!names(&of_code).contains(&"workspace_context"), "{of_code}");
    let schema = own.as_array().unwrap().iter().find(|tool| tool["name"] == "workspace_context").unwrap();
    let properties = schema["inputSchema"]["properties"].as_object().unwrap();
    let about_readers = ["as", "user", "principals", "operator", "team"];
    assert!(about_readers.iter().all(|name| !properties.contains_key(*name)), "{properties:?}");
}

#[test]
fn a_client_cannot_say_who_it_is() {
    let world = mixed();
    let mut client = server(&world, &["user:1".to_string()]);
    for user in [json!({ "id": "2" }), json!({ "id": "1" }), json!(null), json!("user:2")] {
        let reply = client.call("workspace_context", json!({ "query": "Layoffs", "request": { "user": user } }));
        assert!(reply.failed() && reply.text().starts_with("POC_E_FORBIDDEN"), "{reply:?}");
    }
    for name in ["as", "user", "principals", "operator"] {
        let reply = client.call("workspace_context", json!({ "query": "Layoffs", name: "user:2" }));
        assert!(reply.failed() && reply.text().starts_with("POC_E_BAD_REQUEST"), "{reply:?}");
    }
    let mut nobody = server(&world, &[]);
    for (tool, arguments) in [
        ("workspace_context", json!({ "query": "invoices" })),
        ("pack", json!({ "query": "invoices" })),
        ("search", json!({ "text": "invoices" })),
        ("outline", json!({})),
        ("read", json!({ "what": "blocks.jsonl" })),
        ("show", json!({ "symbol": "Invoices" })),
    ] {
        let reply = nobody.call(tool, arguments);
        assert!(reply.failed() && reply.text().starts_with("POC_E_FORBIDDEN"), "{tool}: {reply:?}");
    }
}

/// Every tool gives the bytes of a tree without what is hidden.
#[test]
fn no_tool_shows_what_is_hidden() {
    let worlds = [mixed(), without_hidden()];
    let mut clients = [&worlds[0], &worlds[1]].map(|world| server(world, &["user:1".to_string()]));
    let calls = [
        ("pack", json!({ "query": "WORD" })),
        ("pack", json!({ "query": "WORD", "format": "json" })),
        ("pack", json!({ "focus": "WORD" })),
        ("search", json!({ "text": "WORD" })),
        ("search", json!({})),
        ("outline", json!({})),
        ("outline", json!({ "path": "WORD" })),
        ("read", json!({ "what": "WORD" })),
        ("read", json!({ "what": "workspace/blocks-00001.jsonl" })),
        ("show", json!({ "symbol": "WORD" })),
        ("spec_context", json!({ "ids": "WORD" })),
        ("note_brief", json!({ "query": "WORD" })),
        ("workspace_context", json!({ "query": "WORD" })),
        ("workspace_context", json!({ "focus": "block:WORD" })),
        ("workspace_context", json!({ "query": "tasks", "request": { "hints": { "includeBlocks": ["WORD"] } } })),
    ];
    for (tool, arguments) in calls {
        for word in NAMES.iter().chain(&["Invoices"]) {
            let arguments: Value = serde_json::from_str(&arguments.to_string().replace("WORD", word)).unwrap();
            let [found, wanted] = clients.each_mut().map(|client| client.call(tool, arguments.clone()).0.to_string());
            assert_eq!(found, wanted, "{tool} {arguments}");
            let shown = HIDDEN.iter().find(|hidden| *hidden != word && found.contains(**hidden));
            assert!(shown.is_none(), "{tool} {arguments} shows {shown:?}: {found}");
            assert!(!found.contains("POC_E_BAD_REQUEST") && !found.contains("POC_E_FORBIDDEN"), "{tool}: {found}");
        }
    }
    let [found, wanted] = clients.each_mut().map(|client| client.ask("resources/list", json!({})).to_string());
    assert_eq!(found, wanted, "what was asked for is listed for the same reader");
}

/// Over HTTP each token has a world of its own.
#[test]
fn each_token_has_its_own_world() {
    let world = World::of_golden("workspace_acme");
    world.build();
    world.write("../tokens", "# who may call\ntoken-of-one user:1\ntoken-of-two user:2 workspace:acme\n");
    let mut command = contextpack();
    command.current_dir(world.scratch.path()).arg("mcp").args(PLACE);
    let server = http::Server::listen(command.args(["--token-file", "tokens"]));
    let ask = |token: Option<&str>, tool: &str, arguments: Value| {
        let (headers, body) = http::call_of(tool, arguments);
        let bearer = token.map(|token| format!("Bearer {token}"));
        let authorization = bearer.as_deref().map(|bearer| ("Authorization", bearer));
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).chain(authorization).collect();
        server.post(&headers, &body)
    };
    let overdue = json!({ "query": "What tasks are overdue?", "request": { "now": "2025-06-10T09:00:00Z" } });
    let tasks = |token: Option<&str>| ask(token, "workspace_context", overdue.clone());
    for round in 0..2 {
        let ((status, one), (_, two)) = (tasks(Some("token-of-one")), tasks(Some("token-of-two")));
        assert_eq!(status, 200, "{one}");
        assert!(one.contains("Send invoices") && !one.contains("lawyer"), "round {round}: {one}");
        assert!(two.contains("Send invoices") && two.contains("lawyer"), "round {round}: {two}");
    }
    for (tool, arguments) in [
        ("pack", json!({ "query": "call the lawyer" })),
        ("outline", json!({ "path": "workspace/blocks-00001.jsonl" })),
    ] {
        let (_, one) = ask(Some("token-of-one"), tool, arguments.clone());
        let (_, two) = ask(Some("token-of-two"), tool, arguments);
        assert!(!one.contains("Call the lawyer") && two.contains("Call the lawyer"), "{one}\n{two}");
    }
    for wrong in [None, Some("token-of-three"), Some("user:1"), Some("token-of-one user:2"), Some("")] {
        let (status, answer) = tasks(wrong);
        assert!(status == 401 && !answer.contains("invoices"), "{wrong:?}: {answer}");
    }
}

/// Threads, place, language and time zone of the machine make no difference.
#[test]
fn payloads_do_not_depend_on_the_machine() {
    let made = |below: &str, jobs: &str, variables: &[(&str, &str)]| {
        let mut all = Vec::new();
        for (case, payloads) in WORLDS {
            let world = World::of_golden(case);
            let folder = world.scratch.path().join(below);
            copy(&world.tree(), &folder.join("tree"));
            let requests: String = golden_requests(payloads).iter().map(|request| format!("{request}\n")).collect();
            fs::write(folder.join("requests.jsonl"), requests).unwrap();
            let mut command = contextpack();
            command.current_dir(&folder).envs(variables.iter().copied()).args(["workspace", "batch", "requests.jsonl"]);
            run(command.args(PLACE).args(["--out", "payloads", "--quiet", "--jobs", jobs]), 0);
            let cat = ["cat", "payloads", "context_payloads", "--operator"];
            all.push(String::from_utf8(run(contextpack().current_dir(&folder).args(cat), 0).stdout).unwrap());
            all.extend(crate::tool::bytes(&folder.join("payloads")).into_values().map(|bytes| format!("{bytes:?}")));
        }
        all
    };
    let here = made("here", "1", &[]);
    let there =
        [("RAYON_NUM_THREADS", "8"), ("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati"), ("HOME", "/nowhere")];
    assert!(here == made("quite/another place/と", "8", &there), "bytes differ");
    assert!(here.iter().any(|text| text.contains("Renew TLS")));
}

/// Who may see everything says so, and only on the command line.
#[test]
fn an_operator_sees_everything_and_says_so() {
    let (world, answers) = {
        let world = World::of_golden("workspace_acme");
        let answers = Answers::of(&world);
        (world, answers)
    };
    let request = without_user(&golden_requests("payloads_acme")[2]);
    let payload = answers.payload_for(Some(&Reader::Operator), &request);
    assert!(payload.serialized.contains("Call the lawyer"));
    let printed = asked_by_command(&world, &request, &[&PLACE[..], &["--operator"]].concat());
    assert_eq!(serde_json::from_slice::<Value>(&printed.stdout).unwrap(), serde_json::to_value(&payload).unwrap());
    assert!(String::from_utf8_lossy(&printed.stderr).contains("operator"), "{}", said(&printed));
    assert!(!answers.payload_for(Some(&reader(&["user:1"])), &request).serialized.contains("lawyer"));
    let mut in_json = request.clone();
    in_json["operator"] = json!(true);
    let refused = asked_by_command(&world, &in_json, &PLACE);
    assert!(refused.status.code() == Some(2) && said(&refused).contains("operator"), "{}", said(&refused));
    let mcp = world.run(&["mcp", "--repo", "tree", "--index", "index", "--operator"]);
    assert_eq!(mcp.status.code(), Some(2), "{}", said(&mcp));
}
