//! What `docs/frames.md` shows works as it stands there.

use std::fs;

use serde_json::{Value, json};

use super::world::World;
use crate::pages::{example, examples, text};
use crate::tool::contextpack;

const PAGE: &str = "frames.md";

#[test]
fn the_commands_of_the_page_lead_to_a_write() {
    let world = World::new();
    let claims = example(PAGE, "{\"symbols_identified\"");
    fs::write(world.tree().join("claims.json"), claims.split("\n\ncontextpack").next().unwrap()).unwrap();
    fs::write(world.tree().join("outcome.json"), json!({ "outcome": "success" }).to_string()).unwrap();
    let mut allowed = 0;
    for line in
        examples(PAGE).iter().flat_map(|block| block.lines()).filter(|line| line.starts_with("contextpack session"))
    {
        let words = words(line);
        let mut command = contextpack();
        command.current_dir(world.tree()).env("XDG_STATE_HOME", world.folder.path().join("state"));
        command.env("XDG_CACHE_HOME", world.folder.path().join("cache"));
        command.args(words[1..].iter().map(|word| if *word == "login.jsonl" { log(&world) } else { word.to_string() }));
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {}{error}", String::from_utf8_lossy(&output.stdout));
        allowed += u32::from(String::from_utf8_lossy(&output.stdout).starts_with("allowed: "));
    }
    assert_eq!(allowed, 1);
    assert!(text(PAGE).contains("contextpack mcp --repo . --tools frame"));
}

/// Where the session of the page is stored.
fn log(world: &World) -> String {
    let sessions = world.folder.path().join("state/contextpack/sessions");
    let folder = fs::read_dir(sessions).unwrap().next().unwrap().unwrap().path();
    folder.join("login.jsonl").to_str().unwrap().to_string()
}

fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}

#[test]
fn the_hooks_of_the_page_are_settings_that_call_the_hook() {
    for (start, event) in [("{\"hooks\": {\"PreToolUse\"", "PreToolUse"), ("{\"hooks\": {\"BeforeTool\"", "BeforeTool")]
    {
        let settings: Value = serde_json::from_str(&example(PAGE, start)).unwrap();
        let command = settings["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap();
        assert_eq!(command, "contextpack session check-write --hook --quiet");
    }
}
