//! The ways on which a payload reaches somebody. Each gives everything that arrives: texts, errors and codes.

use std::fs;
use std::sync::Arc;

use contextpack::door::workspace::WorkspaceSettings;
use contextpack::pipeline::WorkspaceSource;
use contextpack::record::Reader;
use serde_json::{Value, json};

use super::generate::{TEAMS, USERS};
use super::rules::Person;
use crate::mcp::client::Client;
use crate::tool::contextpack;
use crate::workspace::gate::{Asked, drawn};
use crate::workspace::world::{World, reader};

/// A way to ask a workspace, whose index is built.
pub trait Doors: Sync {
    fn name(&self) -> &'static str;

    /// What the person gets, for each request or for all of them at once.
    fn answers(&self, world: &World, person: &Person, requests: &[Value]) -> Vec<String>;
}

/// Everything that the engine could ever see. Requests do not matter.
pub struct Gate(pub Asked);

/// The function of the library, with one cache of searches for everybody who asks.
pub struct Library;

/// `contextpack workspace context`, a process for each request.
pub struct CommandLine;

/// `contextpack workspace batch`, one process for all requests.
pub struct Batch;

/// The tool of `contextpack mcp --as …`, one server for all requests.
pub struct Mcp;

impl Doors for Gate {
    fn name(&self) -> &'static str {
        "gate"
    }

    fn answers(&self, world: &World, person: &Person, _: &[Value]) -> Vec<String> {
        let asked = Asked { users: vec![person.user.clone()], ..self.0.clone() };
        vec![drawn(world, &reader_of(person), &asked)]
    }
}

impl Doors for CommandLine {
    fn name(&self) -> &'static str {
        "command line"
    }

    fn answers(&self, world: &World, person: &Person, requests: &[Value]) -> Vec<String> {
        let names = names(person);
        let answer = |request: &Value| {
            fs::write(world.scratch.path().join("request.json"), without_user(request).to_string()).unwrap();
            let formats = ["markdown", "json"].map(|format| {
                let fixed = ["workspace", "context", "--repo", "tree", "--index", "index", "--request", "request.json"];
                let names = names.iter().flat_map(|name| ["--as", name.as_str()]);
                let all: Vec<&str> = fixed.into_iter().chain(["--format", format]).chain(names).collect();
                told(&world.run(&all))
            });
            formats.concat()
        };
        requests.iter().map(answer).collect()
    }
}

impl Doors for Library {
    fn name(&self) -> &'static str {
        "library"
    }

    fn answers(&self, world: &World, person: &Person, requests: &[Value]) -> Vec<String> {
        let source = WorkspaceSource::new(Arc::new(world.source()), WorkspaceSettings::default()).unwrap();
        let answer = |request: &Value| {
            let request = serde_json::from_value(request.clone()).expect("it is a request");
            match source.ask(request, None).and_then(|asked| source.context(&asked, &source.summarizer(false))) {
                Ok(answered) => serde_json::to_string(&answered.payload).expect("a payload is JSON"),
                Err(error) => format!("{}: {error}", error.code()),
            }
        };
        // What others were given before must not be found again.
        requests.iter().for_each(|request| drop(answer(&by_another(request, person))));
        requests.iter().map(answer).collect()
    }
}

impl Doors for Batch {
    fn name(&self) -> &'static str {
        "batch"
    }

    /// The payloads, without the requests that stand beside them, and what the run itself says. Somebody else asks the
    /// same in the same run, unless there is a list of members: which others it refuses says nothing about this person.
    fn answers(&self, world: &World, person: &Person, requests: &[Value]) -> Vec<String> {
        let has_members = world.tree().join("members.jsonl").exists();
        let other = |request: &Value| if has_members { Value::Null } else { by_another(request, person) };
        let lines = requests.iter().flat_map(|request| [other(request), request.clone()]);
        let lines = lines.filter(|line| !line.is_null()).map(|line| format!("{line}\n"));
        fs::write(world.scratch.path().join("requests.jsonl"), lines.collect::<String>()).unwrap();
        let fixed = ["workspace", "batch", "requests.jsonl", "--repo", "tree", "--index", "index", "--out", "out"];
        let run = told(&world.run(&[&fixed[..], &["--quiet"]].concat()));
        let stored = world.run(&["cat", "out", "context_payloads", "--operator"]);
        let stored = String::from_utf8(stored.stdout).unwrap();
        let records = stored.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record is JSON"));
        let own = records.filter(|record| record["request"]["user"]["id"] == *person.user);
        let mut answers: Vec<String> = own.map(|record| record["payload"].to_string()).collect();
        answers.sort();
        answers.push(run);
        answers
    }
}

impl Doors for Mcp {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn answers(&self, world: &World, person: &Person, requests: &[Value]) -> Vec<String> {
        let mut command = contextpack();
        command.current_dir(world.scratch.path()).args(["mcp", "--root", "tree", "--index", "index"]);
        command.args(names(person).iter().flat_map(|name| ["--as", name]));
        let mut client = Client::start(&mut command);
        let call = |request: &Value| client.call("workspace_context", json!({ "request": without_user(request) })).0;
        requests.iter().map(call).map(|reply| reply.to_string()).collect()
    }
}

/// Everything that a process says.
fn told(output: &std::process::Output) -> String {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    format!("code {:?}\n{stderr}----\n{stdout}----\n", output.status.code())
}

fn names(person: &Person) -> Vec<String> {
    person.principals().into_iter().filter(|name| name != "public").collect()
}

fn reader_of(person: &Person) -> Reader {
    let names = names(person);
    reader(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Where principals are given another way, a request must not name its user.
fn without_user(request: &Value) -> Value {
    let mut request = request.clone();
    request.as_object_mut().expect("a request is an object").remove("user");
    request
}

/// The same request of somebody who may read more, or other things.
fn by_another(request: &Value, person: &Person) -> Value {
    let other = USERS.iter().find(|user| **user != person.user).expect("there are several");
    let mut request = request.clone();
    request["user"] = json!({ "id": other, "teamIds": TEAMS, "workspaceId": "w" });
    request
}
