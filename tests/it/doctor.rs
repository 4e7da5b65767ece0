//! What the doctor sees, and what mends it.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::tool::{contextpack, copy, home, plant, run};

fn project() -> TempDir {
    let scratch = tempdir().unwrap();
    copy(&home().join("golden/python/input"), scratch.path());
    run(contextpack().current_dir(scratch.path()).args(["build", "--quiet"]), 0);
    scratch
}

/// Codes of what is wrong, with the severity.
fn codes(folder: &Path, exit: i32) -> Vec<String> {
    let mut command = contextpack();
    command.current_dir(folder).env("HOME", folder).args(["doctor", "--json"]);
    let findings: Value = serde_json::from_slice(&run(&mut command, exit).stdout).unwrap();
    let wrong = findings.as_array().unwrap().iter().filter(|finding| finding["severity"] != "info");
    wrong.map(|finding| finding["code"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_sound_project_has_nothing_wrong() {
    let project = project();
    assert!(codes(project.path(), 0).is_empty());
}

#[test]
fn what_is_wrong_is_named_and_what_mends_it_mends_it() {
    let project = project();
    let build = || run(contextpack().current_dir(project.path()).args(["build", "--quiet"]), 0);
    plant(project.path(), &[("new.py", b"X = 1\n")]);
    assert_eq!(codes(project.path(), 1), ["index-stale"]);
    run(contextpack().current_dir(project.path()).args(["chunk", "--quiet"]), 0);
    assert_eq!(codes(project.path(), 1), ["stage-stale"], "the graph is of other chunks");
    build();
    assert!(codes(project.path(), 0).is_empty());
    fs::remove_dir_all(project.path().join("index/graph")).unwrap();
    assert_eq!(codes(project.path(), 1), ["graph-missing"]);
    let piece = fs::read_dir(project.path().join("index/chunk")).unwrap().map(|entry| entry.unwrap().path());
    let piece = piece.filter(|path| path.extension().is_some_and(|end| end == "zst")).min().unwrap();
    fs::write(&piece, b"torn").unwrap();
    assert_eq!(codes(project.path(), 1), ["index-unsound"]);
    fs::remove_dir_all(project.path().join("index")).unwrap();
    assert_eq!(codes(project.path(), 1), ["index-missing"]);
    build();
    assert!(codes(project.path(), 0).is_empty());
}

#[test]
fn what_is_not_there_of_a_checkout_is_said() {
    let project = project();
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
    plant(project.path(), &[(".gitmodules", b"[submodule \"a\"]\n\tpath = vendor/a\n"), ("model.bin", pointer)]);
    fs::create_dir_all(project.path().join("vendor/a")).unwrap();
    run(contextpack().current_dir(project.path()).args(["build", "--quiet"]), 0);
    assert_eq!(codes(project.path(), 1), ["submodules", "large-file-pointers"]);
    let empty = tempdir().unwrap();
    assert_eq!(codes(empty.path(), 1), ["tree-empty", "index-missing"]);
    let gone = run(contextpack().args(["doctor", "--source", "/no/such/tree", "--index", "x"]), 1);
    assert!(String::from_utf8_lossy(&gone.stdout).contains("tree-unreadable"));
}

#[test]
fn determinism_is_one_digest() {
    let project = project();
    plant(project.path(), &[("ask.jsonl", b"{\"query\":\"orders\"}\n")]);
    std::os::unix::fs::symlink("new.py", project.path().join("link.py")).unwrap();
    let mut command = contextpack();
    command.current_dir(project.path()).args(["doctor", "determinism", "--requests", "ask.jsonl"]);
    let output = run(&mut command, 0);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("the same bytes 4 times: sha256:"), "{said}");
    let runs = String::from_utf8(output.stderr).unwrap();
    let digest = said.trim().rsplit(' ').next().unwrap();
    assert_eq!(runs.matches(digest).count(), 4, "{runs}");
    let output = run(command.args(["--json", "--quiet"]), 0);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value, serde_json::json!({ "same": true, "runs": 4, "digest": digest }));
    assert!(output.stderr.is_empty());
}

#[test]
fn another_tools_index_is_only_asked_for_where_such_a_tool_exists() {
    let project = tempdir().unwrap();
    let prose: String = (0..1200).map(|at| format!("See :func:`strange_{at}`.\n\n")).collect();
    let code: String = (0..1200).map(|at| format!("strange.other_{at}()\n")).collect();
    plant(project.path(), &[("a.rst", prose.as_bytes()), ("a.py", code.as_bytes())]);
    run(contextpack().current_dir(project.path()).args(["build", "--quiet"]), 0);
    let coverage = run(contextpack().current_dir(project.path()).args(["cat", "index/graph", "coverage"]), 0).stdout;
    assert!(String::from_utf8_lossy(&coverage).contains(r#""languageId":"rst""#));
    let findings = run(contextpack().current_dir(project.path()).args(["doctor", "--json"]), 0).stdout;
    let findings: Vec<Value> = serde_json::from_slice(&findings).unwrap();
    let coverage: Vec<&Value> = findings.iter().filter(|finding| finding["code"] == "coverage").collect();
    assert_eq!(coverage.len(), 1, "{coverage:?}");
    assert!(coverage[0]["what"].as_str().unwrap().contains("names in python"), "{coverage:?}");
    assert!(coverage[0]["fix"].as_str().unwrap().contains("--scip FILE"));
}
