//! A small client: JSON lines to a server's standard input, and what it prints.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use contextpack::text::Tokenizer;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::tool::{contextpack, copy, home, run};

/// Longer than any call may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A tree of code and spec documents, and a place for its index.
pub struct World {
    pub folder: TempDir,
}

impl World {
    pub fn new() -> Self {
        let folder = tempdir().unwrap();
        for case in ["graph_python", "graph_spec"] {
            copy(&home().join("golden").join(case).join("input"), &folder.path().join("tree"));
        }
        World { folder }
    }

    pub fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    pub fn index(&self) -> PathBuf {
        self.folder.path().join("index")
    }

    pub fn command(&self) -> Command {
        let mut command = contextpack();
        command.arg("mcp").arg("--root").arg(self.tree()).arg("--index").arg(self.index());
        command
    }

    pub fn start(&self, options: &[&str]) -> Client {
        Client::start(self.command().args(options))
    }

    /// What the command line prints.
    #[track_caller]
    pub fn printed(&self, arguments: &[&str]) -> String {
        String::from_utf8(run(contextpack().args(arguments), 0).stdout).unwrap()
    }

    #[track_caller]
    pub fn packed(&self, arguments: &[&str]) -> String {
        let (tree, index) = (self.tree(), self.index());
        let place = ["pack", "--repo", tree.to_str().unwrap(), "--index", index.to_str().unwrap()];
        self.printed(&[&place, arguments].concat())
    }
}

pub struct Client {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    last_id: u64,
    /// Of progress, since the last call.
    pub steps: Vec<Value>,
}

impl Client {
    /// Starts a server and says hello.
    pub fn start(command: &mut Command) -> Self {
        Client::named(command, "tests")
    }

    pub fn named(command: &mut Command, name: &str) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.spawn().expect("the binary starts");
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (printed, lines) = channel();
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| printed.send(line)));
        let stdin = child.stdin.take();
        let mut client = Client { child, stdin, lines, last_id: 0, steps: Vec::new() };
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": name, "version": "1" } });
        let server = client.ask("initialize", hello);
        assert_eq!(server["result"]["serverInfo"]["name"], "contextpack", "{server}");
        client.write(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    /// A line, whatever it is.
    pub fn write(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().expect("it is open");
        stdin.write_all(line).and_then(|()| stdin.write_all(b"\n")).and_then(|()| stdin.flush()).expect("it listens");
    }

    pub fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        let line = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        self.write(line.to_string().as_bytes());
        self.last_id
    }

    #[track_caller]
    pub fn receive(&mut self) -> Value {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}")),
            Err(RecvTimeoutError::Timeout) => panic!("no answer"),
            Err(RecvTimeoutError::Disconnected) => panic!("the server is gone"),
        }
    }

    /// The message that answers a request.
    #[track_caller]
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.receive();
            if message["method"] == "notifications/progress" {
                self.steps.push(message["params"].clone());
            } else if message["id"] == id {
                return message;
            }
        }
    }

    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Reply {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer["result"].is_object(), "{answer}");
        Reply(answer["result"].clone())
    }

    /// Closes the server's input and gives the code that it ends with.
    pub fn end(mut self) -> Option<i32> {
        self.stdin = None;
        self.child.wait().unwrap().code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a tool replied.
#[derive(Debug, PartialEq)]
pub struct Reply(pub Value);

impl Reply {
    pub fn blocks(&self) -> Vec<&str> {
        self.0["content"].as_array().unwrap().iter().map(|block| block["text"].as_str().unwrap()).collect()
    }

    /// What the command line prints, or why there is nothing.
    #[track_caller]
    pub fn text(&self) -> &str {
        self.blocks().first().copied().unwrap_or_default()
    }

    pub fn notes(&self) -> String {
        self.blocks().get(1..).unwrap_or_default().join("\n")
    }

    #[track_caller]
    pub fn fact(&self, name: &str) -> &Value {
        &self.0["structuredContent"][name]
    }

    pub fn failed(&self) -> bool {
        self.0["isError"] == true
    }

    /// As a model sees it whose client shows everything.
    pub fn tokens(&self) -> usize {
        let structured = self.0.get("structuredContent").map(Value::to_string).unwrap_or_default();
        let all = [self.blocks().join("\n"), structured];
        all.iter().map(|text| Tokenizer::O200kBase.count(text)).sum()
    }
}

/// Of a path, for arguments.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
