//! Trees of notes for the tests of briefs. All of them are read by the real stages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use contextpack::door::brief::{Brief, BriefQuery, Lenses};
use contextpack::pipeline::{BriefSource, PackSource};
use contextpack::record::brief::{BriefRequest, ContextBrief};
use contextpack::record::pack::TreeState;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::tool::{artifacts, contextpack, copy, home, index_tree, plant};

/// A tree of notes and its index.
pub struct World {
    pub scratch: TempDir,
}

impl World {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let world = World { scratch: tempdir().unwrap() };
        let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
        plant(&world.tree(), &files);
        world
    }

    /// The notes of the contract's example.
    pub fn crm() -> Self {
        World::new(&[("crm.jsonl", &nodes(&crm()))])
    }

    /// The input of a golden case.
    pub fn of_golden(case: &str) -> Self {
        let world = World { scratch: tempdir().unwrap() };
        copy(&home().join("golden").join(case).join("input"), &world.tree());
        world
    }

    pub fn of_nodes(all: &[Value]) -> Self {
        World::new(&[("notes.jsonl", &nodes(all))])
    }

    pub fn tree(&self) -> PathBuf {
        self.scratch.path().join("tree")
    }

    pub fn index(&self) -> PathBuf {
        self.scratch.path().join("index")
    }

    pub fn write(&self, path: &str, text: &str) {
        fs::write(self.tree().join(path), text).unwrap();
    }

    /// Runs `contextpack brief` on the tree.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, &[])
    }

    pub fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
        let mut command = contextpack();
        command.arg("brief").args(arguments).arg("--repo").arg(self.tree()).arg("--index").arg(self.index());
        command.envs(environment.iter().copied()).output().expect("the binary starts")
    }

    /// What `contextpack brief` prints, which must end with a code.
    #[track_caller]
    pub fn printed(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The record that `contextpack brief --json` prints.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> ContextBrief {
        serde_json::from_str(&self.printed(&[arguments, &["--json"]].concat(), 0)).unwrap()
    }

    /// All records of the chunks and the graph, as lines.
    pub fn records(&self) -> String {
        index_tree(&self.tree(), &self.index());
        let lines = |stage: &str| artifacts(&self.index().join(stage)).into_values().collect::<String>();
        lines("chunk") + &lines("graph")
    }

    /// What is said about notes that cannot be read as they are, as `code line: message`.
    pub fn problems(&self) -> Vec<String> {
        index_tree(&self.tree(), &self.index());
        let all = artifacts(&self.index().join("chunk"));
        let lines = all.get("problems").map_or("", String::as_str).lines();
        let said = lines.map(|line| {
            let problem: Value = serde_json::from_str(line).unwrap();
            let word = |key: &str| problem[key].as_str().unwrap_or_default().to_string();
            format!("{} {}: {}", word("code"), problem["lines"]["start"].as_u64().unwrap_or(0), word("message"))
        });
        said.collect()
    }

    /// The notes in this process.
    pub fn source(&self) -> BriefSource {
        index_tree(&self.tree(), &self.index());
        source_of(&self.index())
    }
}

pub fn source_of(index: &Path) -> BriefSource {
    BriefSource::new(Arc::new(PackSource::open(index, TreeState::Current).unwrap()))
}

/// A brief about a query that is written as a line of a file of requests.
#[track_caller]
pub fn brief(source: &BriefSource, query: Value) -> Brief {
    source.brief(&request(query), None).unwrap()
}

pub fn request(query: Value) -> BriefRequest {
    BriefQuery::parse(&query.to_string()).unwrap().resolve(&Lenses::builtin()).unwrap()
}

/// The lines of a `nodes.jsonl`.
pub fn nodes(all: &[Value]) -> String {
    let head = json!({ "contextpackNodes": 1, "workspace": "crm" });
    std::iter::once(&head).chain(all).map(|line| format!("{line}\n")).collect()
}

pub fn crm() -> Vec<Value> {
    vec![
        json!({ "id": "p1", "name": "SOC Defender", "text": "Detects and ranks the alerts of the night shift.",
            "tags": ["project"], "fields": { "Status": ["Active"], "Owner": [{ "ref": "a7" }] },
            "modified": "2026-02-20" }),
        json!({ "id": "c1", "name": "Alert triage ends within 5 minutes", "parent": "p1", "modified": "2026-02-18" }),
        json!({ "id": "m3", "name": "Kick-off", "parent": "p1", "tags": ["meeting"],
            "fields": { "Attendees": [{ "ref": "g8" }] }, "modified": "2026-02-10" }),
        json!({ "id": "a7", "name": "Ada Lovelace", "tags": ["person"], "modified": "2025-11-22" }),
        json!({ "id": "g8", "name": "Grace Hopper", "tags": ["person"], "modified": "2025-10-23" }),
    ]
}

/// The ids of a brief's nodes, in order.
pub fn ids(brief: &ContextBrief) -> Vec<&str> {
    brief.nodes.iter().map(|node| node.id.as_str()).collect()
}

/// The ids of all nodes that a brief shows or names, in order.
pub fn named(brief: &ContextBrief) -> Vec<&str> {
    ids(brief).into_iter().chain(brief.overflow.iter().map(|node| node.id.as_str())).collect()
}
