//! Notes in a tree: what is recognised, what links lead to, and that a rebuild gives the bytes of a build from nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::tool::{artifacts, bytes, chunk, contextpack, graph, plant, run};

/// A tree and its index.
struct Indexed {
    _folder: TempDir,
    tree: PathBuf,
    index: PathBuf,
}

impl Indexed {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempdir().unwrap();
        let (tree, index) = (folder.path().join("tree"), folder.path().join("index"));
        let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
        fs::create_dir(&tree).unwrap();
        plant(&tree, &files);
        let indexed = Indexed { _folder: folder, tree, index };
        indexed.build(&[]);
        indexed
    }

    fn build(&self, options: &[&str]) {
        chunk(&self.tree, &self.index.join("chunk"), options);
        graph(&self.index, options);
    }

    fn records(&self, stage: &str, artifact: &str) -> Vec<Value> {
        let all = artifacts(&self.index.join(stage));
        let lines = all.get(artifact).map_or("", String::as_str).lines();
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Edges of a type as `from -> to`, with the label, the tier, and what else is not ordinary.
    fn edges(&self, edge_type: &str) -> Vec<String> {
        let word = |edge: &Value, key: &str| edge[key].as_str().unwrap_or_default().to_string();
        let edges = self.records("graph", "edges").into_iter().filter(|edge| edge["type"] == edge_type);
        let mut lines: Vec<String> = edges
            .map(|edge| {
                let label = edge["label"].as_str().map_or(String::new(), |label| format!(" {label}"));
                let status = if edge["status"] == "resolved" { String::new() } else { word(&edge, "status") };
                let ends = [word(&edge, "from"), word(&edge, "to")].map(|id| short(&id));
                format!("{} -> {}{label} {}{status}", ends[0], ends[1], word(&edge, "tier"))
            })
            .collect();
        lines.sort();
        lines
    }

    fn problems(&self) -> Vec<String> {
        let problem = |problem: Value| {
            let word = |key: &str| problem[key].as_str().unwrap_or_default().to_string();
            format!("{} {}", word("code"), word("fileRelPath"))
        };
        self.records("chunk", "problems").into_iter().map(problem).collect()
    }
}

/// An id without what all ids of the built-in analysis have in common.
fn short(id: &str) -> String {
    id.trim_start_matches("scip:contextpack . . . ").replace('`', "").trim_end_matches(['/', ':', '.']).to_string()
}

/// The links from one page, as what they lead to.
fn links(files: &[(&str, &str)], from: &str) -> Vec<String> {
    let indexed = Indexed::new(&[files, &[(".obsidian/app.json", "{}")]].concat());
    let prefix = format!("{from} -> ");
    indexed.edges("reference").iter().filter_map(|edge| edge.strip_prefix(&prefix)).map(str::to_string).collect()
}

#[test]
fn a_path_from_the_root_comes_before_the_own_folder_and_that_before_the_shortest_path() {
    let pages = [("x/T.md", ""), ("T.md", ""), ("y/z/T.md", ""), ("x/a.md", "[[T]]"), ("x/b.md", "[[z/T]]")];
    assert_eq!(links(&pages, "x/a.md"), ["T.md import"]);
    assert_eq!(links(&pages, "x/b.md"), ["y/z/T.md scope"]);
    let without_root = [("x/T.md", ""), ("y/T.md", ""), ("x/a.md", "[[T]]"), ("b.md", "[[T]]"), ("z/long/T.md", "")];
    assert_eq!(links(&without_root, "x/a.md"), ["x/T.md scope"]);
    assert_eq!(links(&without_root, "b.md"), ["x/T.md scopeambiguous", "y/T.md scopeambiguous"]);
    let relative = [("x/T.md", ""), ("T.md", ""), ("x/a.md", "[t](../T.md) [[./T]]"), ("x/b.md", "[[../x/y]]")];
    assert_eq!(links(&relative, "x/a.md"), ["T.md import", "x/T.md import"]);
    assert_eq!(links(&relative, "x/b.md"), ["ext:note:../x/y importexternal"]);
}

#[test]
fn names_are_compared_without_case_and_normal_form() {
    let pages = [("Cafe\u{301}.md", ""), ("a.md", "[[CAFÉ]] [[new page]] [[New  Page.md]]")];
    assert_eq!(links(&pages, "a.md"), ["Cafe\u{301}.md import", "ext:note:new page importexternal"]);
}

#[test]
fn aliases_are_the_last_names_that_count() {
    let pages = [("b.md", "---\naliases: [Other, c]\n---\n"), ("c.md", ""), ("a.md", "[[Other]] [[c]]")];
    assert_eq!(links(&pages, "a.md"), ["b.md name", "c.md import"]);
}

#[test]
fn headings_and_blocks_are_found_in_their_page() {
    let page = "# One\n\n## Part: two\n\ntext ^b1\n\n# Three\n\n## Part: two\n\nmore\n";
    let pages =
        [("P.md", page), ("a.md", "[[P#Three#Part two]] [[P#^b1]] [[P#gone]] [[P#part two]]\n\n# Own\n\n[[#Own]]\n")];
    assert_eq!(
        links(&pages, "a.md"),
        ["P.md name", "P.md/One:Part: two import", "P.md/Three:Part: two import", "P.md/^b1 import", "a.md/Own scope"]
    );
}

#[test]
fn fields_and_tags_are_edges_with_labels_also_of_the_page() {
    let page = "---\nowner: \"[[Ada]]\"\ntags: [project/alpha]\n---\n\n# Tasks\n\nreviewer:: [[Ada]]\n";
    let indexed = Indexed::new(&[(".obsidian/app.json", "{}"), ("P.md", page), ("Ada.md", "")]);
    assert_eq!(
        indexed.edges("field"),
        ["P.md -> Ada.md owner import", "P.md -> Ada.md reviewer import", "P.md/Tasks -> Ada.md reviewer import"]
    );
    assert_eq!(
        indexed.edges("tag"),
        ["P.md -> ext:tag:project importexternal", "P.md -> ext:tag:project/alpha importexternal"]
    );
    assert_eq!(indexed.edges("child"), ["P.md -> P.md/Tasks scope"]);
}

#[test]
fn two_vaults_of_one_tree_do_not_link_to_each_other() {
    let indexed = Indexed::new(&[
        ("one/.obsidian/app.json", "{}"),
        ("two/.obsidian/app.json", "{}"),
        ("one/a.md", "[[T]]"),
        ("two/T.md", ""),
        ("two/b.md", "[[T]] [[/T]]"),
    ]);
    assert_eq!(indexed.edges("reference"), ["one/a.md -> ext:note:t importexternal", "two/b.md -> two/T.md import"]);
}

#[test]
fn trash_and_settings_hold_no_notes_and_code_is_left_alone() {
    let indexed = Indexed::new(&[
        (".obsidian/plugins/x/readme.md", "# x\n"),
        (".trash/old.md", "[[T]]"),
        ("T.md", "text"),
        ("src/a.py", "def f():\n    return 1\n"),
    ]);
    let items: Vec<Value> = indexed.records("chunk", "items");
    assert_eq!(items.iter().map(|item| item["fileRelPath"].as_str().unwrap()).collect::<Vec<_>>(), ["T.md"]);
    let kinds: Vec<Value> =
        indexed.records("chunk", "files").into_iter().map(|file| file["sourceKind"].clone()).collect();
    assert_eq!(kinds, [Value::Null, Value::Null, "vault".into(), Value::Null]);
}

#[test]
fn what_a_user_says_decides_over_what_the_tree_shows() {
    let indexed = Indexed::new(&[("notes/a.md", "[[b]]"), ("notes/b.md", ""), ("c.md", "[[a]]")]);
    assert_eq!(indexed.edges("reference"), [""; 0]);
    indexed.build(&["--source-kind", "vault:notes"]);
    assert_eq!(indexed.edges("reference"), ["notes/a.md -> notes/b.md import"]);
    let refused = run(contextpack().args(["chunk", "--source-kind", "vaults", "--repo"]).arg(&indexed.tree), 2);
    let stderr = String::from_utf8(refused.stderr).unwrap();
    assert!(stderr.contains("use auto, code, vault, logseq, tana, nodes or workspace"), "{stderr}");
}

/// What happens to a tree of notes between two runs.
const CHANGES: &[(&str, Option<&str>)] = &[
    ("a.md", Some("[[b]] and [[New]]")),
    ("New.md", Some("now it is written")),
    ("x/b.md", Some("a second page of this name")),
    ("b.md", None),
    (".obsidian/daily-notes.json", Some("{\"format\": \"YYYY/MM/DD\"}")),
    (".contextpack/dates.jsonl", Some("{\"path\": \"a.md\", \"modified\": \"2026-01-01\"}\n")),
    ("sub/.obsidian/app.json", Some("{}")),
    (".obsidian/daily-notes.json", Some("not JSON")),
    (".obsidian/daily-notes.json", None),
];

#[test]
fn a_rebuild_gives_the_bytes_of_a_build_from_nothing() {
    let indexed = Indexed::new(&[
        (".obsidian/app.json", "{}"),
        ("a.md", "---\naliases: A1\n---\n[[b]] #tag\n\n# Part\n\nkey:: [[b]]\n"),
        ("b.md", "[[A1]] [[a#Part]]"),
        ("sub/2026-02-20.md", "- [ ] task [[a]] ^t1\n"),
        ("code.py", "def f():\n    return 1\n"),
    ]);
    for (path, text) in CHANGES {
        let file = indexed.tree.join(path);
        match text {
            Some(text) => plant(&indexed.tree, &[(path, text.as_bytes())]),
            None => fs::remove_file(file).unwrap(),
        }
        indexed.build(&[]);
        let fresh = tempdir().unwrap();
        chunk(&indexed.tree, &fresh.path().join("chunk"), &[]);
        graph(fresh.path(), &[]);
        for stage in ["chunk", "graph"] {
            assert!(bytes(&indexed.index.join(stage)) == bytes(&fresh.path().join(stage)), "{stage} after {path}");
        }
        run(contextpack().args(["verify", "--deep"]).arg(&indexed.index), 0);
    }
    assert!(indexed.problems().iter().all(|problem| !problem.starts_with("itemSource")), "{:?}", indexed.problems());
}

#[test]
fn dates_come_from_git_only_if_the_user_asks() {
    let indexed = Indexed::new(&[(".obsidian/app.json", "{}"), ("a.md", "text")]);
    let git = |arguments: &[&str], date: &str| commit(&indexed.tree, arguments, date);
    git(&["init", "-q", "-b", "main"], "");
    git(&["add", "a.md", ".obsidian"], "");
    git(&["commit", "-q", "-m", "one"], "2026-01-02T00:00:00Z");
    let modified = || indexed.records("chunk", "items")[0]["modified"].clone();
    indexed.build(&[]);
    assert_eq!(modified(), Value::Null);
    run(
        contextpack()
            .args(["chunk", "--dates", "git", "--repo"])
            .arg(&indexed.tree)
            .arg("--out")
            .arg(indexed.index.join("chunk")),
        0,
    );
    assert_eq!(modified(), "2026-01-02T00:00:00Z");
}

fn commit(tree: &Path, arguments: &[&str], date: &str) {
    let mut command = Command::new("git");
    command.arg("-C").arg(tree).args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(arguments);
    if !date.is_empty() {
        command.env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date);
    }
    assert!(command.status().unwrap().success());
}
