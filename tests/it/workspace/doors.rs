//! R1: every way to ask gives the same payload, to the reader that is named and to nobody else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use contextpack::record::Reader;
use contextpack::record::workspace::{ContextRequest, StoredPayload};
use contextpack::store::Index;
use serde_json::{Value, json};

use super::answers::{Answers, golden_requests, parsed};
use super::hidden::HIDDEN;
use super::world::{World, reader};
use crate::mcp::client::Client;
use crate::tool::{contextpack, copy, run};

/// Each golden workspace, with the requests of its golden payloads.
const WORLDS: [(&str, &str); 3] =
    [("workspace_acme", "payloads_acme"), ("workspace_notion", "payloads_notion"), ("workspace_tree", "payloads_tree")];

/// The principals that a request names.
pub fn principals(request: &Value) -> Vec<String> {
    let user = &request["user"];
    let words = |key: &str| user[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
    let id = user["id"].as_str().map(|id| format!("user:{id}"));
    let workspace = user["workspaceId"].as_str().map(|id| format!("workspace:{id}"));
    let teams = words("teamIds").into_iter().map(|id| format!("team:{id}"));
    let all: Vec<String> = id.into_iter().chain(teams).chain(workspace).collect();
    if all.is_empty() { vec!["public".to_string()] } else { all }
}

pub fn as_flags(principals: &[String]) -> Vec<&str> {
    principals.iter().flat_map(|principal| ["--as", principal.as_str()]).collect()
}

fn without_user(request: &Value) -> Value {
    let mut request = request.clone();
    request.as_object_mut().unwrap().remove("user");
    request
}

/// Everything that a process says.
pub fn said(output: &Output) -> String {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    format!("code {:?}\n{stdout}----\n{stderr}", output.status.code())
}

/// Runs a command of the world on its tree and index.
pub fn on_tree(world: &World, arguments: &[&str]) -> Output {
    world.run(&[arguments, &["--repo", "tree", "--index", "index"]].concat())
}

/// `workspace context` for a request, as JSON.
fn asked_by_command(world: &World, request: &Value, more: &[&str]) -> Output {
    world.write("../request.json", &request.to_string());
    let fixed = ["workspace", "context", "--request", "request.json", "--format", "json"];
    world.run(&[&fixed, more].concat())
}

/// `workspace batch` for requests, as payloads in their order.
pub fn asked_in_a_batch(world: &World, requests: &[Value], more: &[&str]) -> Vec<Value> {
    world.write("../requests.jsonl", &requests.iter().map(|request| format!("{request}\n")).collect::<String>());
    let fixed = ["workspace", "batch", "requests.jsonl", "--out", "payloads", "--quiet"];
    let output = world.run(&[&fixed, more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let stored = Index::open(&world.scratch.path().join("payloads")).unwrap();
    let stored: Vec<StoredPayload> = stored.records::<StoredPayload>().unwrap().map(|stored| stored.unwrap()).collect();
    let of = |request: &Value| {
        let wanted = parsed(request);
        let is_it = |stored: &&StoredPayload| {
            let user = if wanted.user.is_none() { None } else { stored.request.user.clone() };
            ContextRequest { user, ..stored.request.clone() } == wanted
        };
        serde_json::to_value(&stored.iter().find(is_it).expect("it is answered").payload).unwrap()
    };
    requests.iter().map(of).collect()
}

pub const PLACE: [&str; 4] = ["--repo", "tree", "--index", "index"];

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

pub fn server(world: &World, principals: &[String]) -> Client {
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

pub fn texts_below(folder: &Path) -> Vec<String> {
    files_below(folder)
        .into_iter()
        .filter(|path| path.is_file())
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

/// All files and directories below one, itself included.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
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
