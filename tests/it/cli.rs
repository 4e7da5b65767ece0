//! What a person types and reads.

use std::fs;

use tempfile::tempdir;

use crate::tool::{artifacts, bytes, chunk, contextpack, contextpack_chunk, plant, run};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_stage_binary_writes_what_the_tool_writes() {
    let scratch = tempdir().unwrap();
    plant(scratch.path(), &[("tree/a.py", b"def f():\n    return g()\n")]);
    let tree = scratch.path().join("tree");
    let tool = chunk(&tree, &scratch.path().join("tool"), &[]);
    let stage = scratch.path().join("stage");
    run(contextpack_chunk().arg("--source").arg(&tree).arg("--out").arg(&stage), 0);
    assert_eq!(bytes(&tool), bytes(&stage));
}

#[test]
fn cat_finds_one_file_by_its_key() {
    let scratch = tempdir().unwrap();
    plant(scratch.path(), &[("tree/a.py", b"def f():\n    pass\n"), ("tree/b.py", b"def g():\n    pass\n")]);
    let index = chunk(&scratch.path().join("tree"), &scratch.path().join("out"), &[]);
    let all = &artifacts(&index)["symbols"];
    let one = run(contextpack().arg("cat").arg(&index).args(["symbols", "--key", "b.py"]), 0);
    assert_eq!(
        text(&one.stdout),
        all.lines().filter(|line| line.contains("\"b.py\"")).collect::<Vec<_>>().join("\n") + "\n"
    );
    let exact = run(contextpack().arg("cat").arg(&index).args(["symbols", "--key", "[\"b.py\",4]"]), 0);
    assert_eq!(exact.stdout, one.stdout);
    let none = run(contextpack().arg("cat").arg(&index).args(["symbols", "--key", "c.py"]), 0);
    assert!(none.stdout.is_empty());
    let unknown = run(contextpack().arg("cat").arg(&index).arg("symbol"), 2);
    assert!(text(&unknown.stderr).contains("chunk_meta"), "{}", text(&unknown.stderr));
}

#[test]
fn a_missing_tree_or_index_is_said_and_nothing_is_written() {
    let scratch = tempdir().unwrap();
    let out = scratch.path().join("out");
    let missing = run(contextpack().args(["chunk", "--source", "/no/such/tree", "--out"]).arg(&out), 2);
    assert_eq!(
        text(&missing.stderr),
        "chunk: cannot read the source tree `/no/such/tree`\n  because it does not exist\n"
    );
    assert!(!out.exists());
    let missing = run(contextpack().arg("verify").arg(&out), 2);
    assert!(text(&missing.stderr).contains("hint: run `contextpack build`"), "{}", text(&missing.stderr));
    run(contextpack().arg("chunk").arg("--soruce"), 2);
    run(contextpack().args(["chunk", "--max-chunk-bytes", "3"]), 2);
}

#[test]
fn a_language_rule_of_the_users_own() {
    let scratch = tempdir().unwrap();
    let pipeline = "source = \"tree\"\nindex = \"out\"\n\n[[language]]\nid = \"starlark\"\ngrammar = \"go\"\n\
        extensions = [\"bzl\"]\nline_comments = [\"#\"]\n\n[language.definitions]\nno_such_node = \"block\"\n";
    plant(scratch.path(), &[("tree/a.bzl", b"package p\n\nfunc f() {\n\tg()\n}\n"), ("run.toml", pipeline.as_bytes())]);
    let wrong = run(contextpack().args(["chunk", "--pipeline"]).arg(scratch.path().join("run.toml")), 2);
    assert!(text(&wrong.stderr).contains("starlark"), "{}", text(&wrong.stderr));
    fs::write(scratch.path().join("run.toml"), pipeline.replace("no_such_node = \"block\"", "")).unwrap();
    run(contextpack().args(["chunk", "--pipeline"]).arg(scratch.path().join("run.toml")), 0);
    let artifacts = artifacts(&scratch.path().join("out/chunk"));
    assert!(artifacts["symbols"].contains(r#""languageId":"starlark""#));
    assert!(artifacts["files"].contains(r#""languageId":"starlark""#));
    fs::write(scratch.path().join("run.toml"), "sorce = \"tree\"\n").unwrap();
    let misspelt = run(contextpack().args(["chunk", "--pipeline"]).arg(scratch.path().join("run.toml")), 2);
    assert!(text(&misspelt.stderr).contains("sorce"), "{}", text(&misspelt.stderr));
}

#[test]
fn timings_are_a_file_and_never_an_artifact() {
    let scratch = tempdir().unwrap();
    plant(scratch.path(), &[("tree/a.py", b"X = 1\n")]);
    let (tree, timings) = (scratch.path().join("tree"), scratch.path().join("timings.json"));
    let plain = chunk(&tree, &scratch.path().join("plain"), &[]);
    let timed = chunk(&tree, &scratch.path().join("timed"), &["--timings", timings.to_str().unwrap()]);
    assert_eq!(bytes(&plain), bytes(&timed));
    let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(timings).unwrap()).unwrap();
    assert!(value["milliseconds"]["total"].as_f64().unwrap() > 0.0);
}

#[test]
fn quiet_is_quiet_and_help_teaches() {
    let scratch = tempdir().unwrap();
    plant(scratch.path(), &[("tree/a.py", b"X = 1\n")]);
    let mut command = contextpack();
    command
        .args(["chunk", "--quiet", "--source"])
        .arg(scratch.path().join("tree"))
        .arg("--out")
        .arg(scratch.path().join("out"));
    let output = run(&mut command, 0);
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    for command in ["chunk", "merge", "verify", "cat", "schema", "eval"] {
        let help = text(&run(contextpack().args([command, "--help"]), 0).stdout);
        assert!(help.contains(&format!("contextpack {command} ")), "{help}");
    }
}

/// Every command that prints a result, in a project that has what they ask for.
fn results() -> (tempfile::TempDir, Vec<Vec<&'static str>>) {
    let scratch = tempdir().unwrap();
    let code = b"def total():\n    return cost()\n\n\ndef cost():\n    return 1\n";
    plant(scratch.path(), &[("a.py", code), (".contextpackignore", b"index/\npack.json\n")]);
    let tool = |arguments: &[&str]| run(contextpack().current_dir(scratch.path()).args(arguments), 0).stdout;
    tool(&["build", "--quiet"]);
    let pack = tool(&["pack", "--index", "index", "--query", "cost", "--json", "--quiet"]);
    plant(scratch.path(), &[("pack.json", &pack)]);
    let commands = [
        "--help",
        "build --json --quiet",
        "cat index/chunk chunk_meta",
        "chunk --json --quiet",
        "completions bash",
        "diff pack.json pack.json",
        "doctor --source . --index index",
        "doctor --index index --json",
        "graph --json --quiet",
        "init --stdout",
        "man",
        "pack --index index --query cost --quiet",
        "pack --index index --query cost --write --quiet",
        "schema",
        "schema chunk_meta",
        "schema --markdown",
        "show cost --index index",
        "spec index",
        "spec lint --json",
        "verify index/chunk",
        "verify index/chunk --json",
        "why-not pack.json a.py --index index",
    ];
    (scratch, commands.iter().map(|line| line.split(' ').collect()).collect())
}

#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    let (project, commands) = results();
    for arguments in commands {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = contextpack().current_dir(project.path()).args(&arguments).stdout(full).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        let expected = "contextpack: cannot write to standard output\n  because No space left on device";
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    let (project, commands) = results();
    for arguments in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = contextpack().current_dir(project.path()).args(&arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn errors_name_the_command_the_path_and_a_way_out() {
    let (project, _) = results();
    let said = |line: &str, code: i32| {
        let mut command = contextpack();
        command.current_dir(project.path()).env("HOME", project.path()).args(line.split(' '));
        text(&run(&mut command, code).stderr)
    };
    let not_there = "No such file or directory (os error 2)";
    let unread = |command: &str, path: &str| format!("{command}: cannot read `{path}`\n  because {not_there}\n");
    assert_eq!(said("why-not none.json x", 2), unread("why-not", "none.json"));
    assert_eq!(said("diff index none", 2), unread("diff", "none"));
    assert_eq!(said("diff none index", 2), unread("diff", "none"));
    assert_eq!(said("spec batch none", 2), unread("spec", "none"));
    let unlike = "diff: cannot compare `index` with `pack.json`\n  because one is a directory and the other a pack\n";
    assert_eq!(said("diff index pack.json", 2), unlike);
    assert!(said("build --pipeline none.toml", 2).ends_with(&format!("because {not_there}\n")));
    assert!(said("compare-scip none.scip", 2).ends_with(&format!("because {not_there}\n")));
    fs::create_dir(project.path().join("new")).unwrap();
    fs::write(project.path().join("new/a.py"), "X = 1\n").unwrap();
    for line in ["show X --repo new", "show X --index other", "why-not pack.json X --index third"] {
        let said = said(line, 2);
        let hint = said.trim_end().rsplit_once("hint: run `contextpack ").expect(&said).1.trim_end_matches('`');
        let mut mend = contextpack();
        mend.current_dir(project.path()).env("HOME", project.path());
        run(mend.args(hint.replace('"', "").split(' ')), 0);
        let mut again = contextpack();
        again.current_dir(project.path()).env("HOME", project.path()).args(line.split(' '));
        let output = again.output().unwrap();
        assert!(!text(&output.stderr).contains("hint: run"), "{line}: {}", text(&output.stderr));
    }
    fs::remove_dir_all(project.path().join("index")).unwrap();
    assert!(said("show X", 2).ends_with("because it does not exist\n  hint: run `contextpack build`\n"));
}

#[test]
fn a_question_is_asked_in_the_way_that_comes_to_mind() {
    let ((project, _), home) = (results(), tempdir().unwrap());
    let tool = |arguments: &[&str], code: i32| {
        let mut command = contextpack();
        command.current_dir(project.path()).env("HOME", home.path()).args(arguments);
        run(&mut command, code)
    };
    let answer = text(&tool(&["pack", "--query", "cost", "--quiet"], 0).stdout);
    assert!(answer.contains("def cost"), "{answer}");
    let ways: [&[&str]; 3] = [&["cost"], &["cost", "--no-refresh"], &["cost", "--source", "."]];
    for way in ways {
        assert_eq!(text(&tool(&[&["pack", "--quiet"], way].concat(), 0).stdout), answer);
    }
    let mut piped = contextpack();
    piped.current_dir(project.path()).env("HOME", home.path());
    plant(home.path(), &[("question", b"cost")]);
    piped.stdin(fs::File::open(home.path().join("question")).unwrap());
    assert_eq!(text(&run(piped.args(["pack", "--query-file", "-", "--quiet"]), 0).stdout), answer);
    tool(&["pack", "cost", "--query", "cost"], 2);
    tool(&["pack", "cost", "--query-file", "a.py"], 2);
    let folder = text(&tool(&["pack", "."], 2).stderr);
    assert!(folder.contains("hint: `contextpack pack --repo . --query"), "{folder}");
    let untold = text(&tool(&["pack", "cost", "--index", "index", "--allow-secrets"], 2).stderr);
    assert!(untold.contains("--allow-secrets needs the tree"), "{untold}");
    let explained = text(&tool(&["pack", "cost", "--explain"], 0).stderr);
    assert!(explained.contains("pack: a.py:5-6: matches `cost`"), "{explained}");
    let features = text(&tool(&["pack", "cost", "--explain=features"], 0).stderr);
    assert!(features.starts_with(&explained[..40]) && features.contains(" a.py:5-6 cost: "), "{features}");
    tool(&["show", "cost", "--source", "."], 0);
    tool(&["doctor", "--repo", "."], 0);
    tool(&["chunk", "--repo", ".", "--quiet"], 0);
}
