//! Workspaces over the Model Context Protocol: clients get the world of the readers that the server was started for.

use std::fs;

use contextpack::text::Tokenizer;
use serde_json::{Value, json};

use super::doors::{PLACE, server};
use super::hidden::{HIDDEN, NAMES, mixed, without_hidden};
use super::world::World;
use crate::mcp::client::Client;
use crate::mcp::http;
use crate::tool::contextpack;

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
