//! A small tree with a login, and its sessions.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::tool::{contextpack, copy, home, plant};

/// Beside `golden/frame/input`: what is not indexed.
const IGNORED: &[(&str, &[u8])] = &[(".gitignore", b"build/\n"), ("build/out.py", b"x = 1\n")];

pub struct World {
    pub folder: TempDir,
}

/// What a command printed.
#[derive(Debug)]
pub struct Answer {
    pub code: i32,
    pub text: String,
    pub error: String,
}

impl World {
    pub fn new() -> Self {
        let folder = tempdir().unwrap();
        let tree = folder.path().join("tree");
        copy(&home().join("golden/frame/input"), &tree);
        plant(&tree, IGNORED);
        World { folder }
    }

    pub fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    pub fn sessions(&self) -> PathBuf {
        self.folder.path().join("sessions")
    }

    pub fn log(&self, id: &str) -> PathBuf {
        self.sessions().join(format!("{id}.jsonl"))
    }

    /// `contextpack session …` for this tree.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = contextpack();
        command.arg("session").args(arguments).arg("--repo").arg(self.tree());
        command.arg("--index").arg(self.folder.path().join("index")).arg("--sessions").arg(self.sessions());
        command.args(["--quiet", "--max-tokens", "20000"]);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Answer {
        Answer::of(self.command(arguments).output().unwrap())
    }

    /// With a text on standard input.
    pub fn fed(&self, arguments: &[&str], input: &str) -> Answer {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A command that fails early closes its end.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Answer::of(child.wait_with_output().unwrap())
    }

    #[track_caller]
    pub fn start(&self, query: &str, id: &str) {
        let answer = self.run(&["start", query, "--id", id]);
        assert_eq!(answer.code, 0, "{answer:?}");
    }

    #[track_caller]
    pub fn call(&self, id: &str, op: &str, target: &str) -> Answer {
        let answer = self.run(&["call", id, op, target]);
        assert_eq!(answer.code, 0, "{answer:?}");
        answer
    }

    pub fn step(&self, op: &str, id: &str, data: Value) -> Answer {
        self.fed(&[op, id, "-"], &data.to_string())
    }

    /// The state as JSON.
    #[track_caller]
    pub fn state(&self, id: &str) -> Value {
        let answer = self.run(&["show", id, "--json"]);
        assert_eq!(answer.code, 0, "{answer:?}");
        serde_json::from_str(&answer.text).unwrap()
    }

    #[track_caller]
    pub fn phase(&self, id: &str) -> String {
        self.state(id)["phase"].as_str().unwrap().to_string()
    }

    /// The number of the last event.
    pub fn seq(&self, id: &str) -> u64 {
        self.state(id)["seq"].as_u64().unwrap()
    }

    /// Why a write is denied; empty if it is allowed.
    #[track_caller]
    pub fn denial(&self, id: &str, path: &str) -> String {
        let answer = self.run(&["check-write", id, path]);
        match answer.code {
            0 => String::new(),
            1 => {
                let reason = answer.text.split(" (").next().unwrap().rsplit(": ").next().unwrap();
                reason.to_string()
            }
            _ => panic!("{answer:?}"),
        }
    }

    /// The lines of the log as JSON.
    pub fn events(&self, id: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.log(id)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A session that was walked to READY.
    #[track_caller]
    pub fn ready(&self, id: &str) {
        self.start("ログイン機能直して", id);
        for (op, target) in [
            ("find_definitions", "AuthService"),
            ("find_references", "AuthService"),
            ("search_text", "invalid token"),
            ("read", "auth/service.py"),
            ("read", "auth/token.py"),
            ("read", "controllers/login.py"),
            ("read", "routes.py"),
        ] {
            self.call(id, op, target);
        }
        let answer = self.step("submit", id, whole_claims());
        assert_eq!(answer.code, 0, "{answer:?}");
        assert_eq!(self.phase(id), "READY");
    }
}

impl Answer {
    fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Answer { code: output.status.code().unwrap(), text: text(output.stdout), error: text(output.stderr) }
    }
}

/// Claims that meet the requirements of a vague request: the third call is the search for "invalid token".
pub fn whole_claims() -> Value {
    json!({
        "symbols_identified": ["AuthService", "AuthService.authenticate", "TokenValidator", "LoginController", "LoginController.login"],
        "entry_points": ["LoginController.login", "post_login"],
        "files_analyzed": ["auth/service.py", "auth/token.py", "controllers/login.py", "routes.py"],
        "existing_patterns": [
            { "pattern": "services are made where they are used", "places": ["controllers/login.py:10"] },
            { "pattern": "faults are raised", "places": ["auth/token.py:4"] },
        ],
        "slot_evidence": { "observed_issue": { "call": 3, "place": "auth/token.py:4" } },
        "new_files": ["auth/session.py"],
    })
}
