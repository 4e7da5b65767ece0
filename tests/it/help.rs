//! What help says is true: every command is listed, every example runs, and slips are answered with what was meant.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use protobuf::Message as _;
use rayon::prelude::*;
use scip::types::{Document, Index, Metadata};
use tempfile::{TempDir, tempdir};

use crate::tool::{contextpack, copy, home, plant, run};

fn help(command: &[String]) -> String {
    String::from_utf8(run(contextpack().args(command).arg("--help"), 0).stdout).unwrap()
}

/// Every command, as it is typed after the program's name.
fn commands() -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    let mut at = 0;
    while at < all.len() {
        let listed = help(&all[at]);
        let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
        let is_name = |name: &&str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !name.starts_with('-')
        };
        let names: Vec<&str> = names.map(|(name, _)| name).filter(is_name).filter(|name| *name != "help").collect();
        let more: Vec<Vec<String>> = names.iter().map(|name| [&all[at][..], &[name.to_string()]].concat()).collect();
        all.extend(more);
        at += 1;
    }
    all
}

/// A line below `Examples:` that a shell can run.
#[derive(Clone)]
struct Example {
    line: String,
    /// 0, unless help says beside the example that it is another.
    exit_code: i32,
}

fn examples(help: &str) -> Vec<Example> {
    let lines = help.lines().skip_while(|line| !matches!(*line, "Examples:" | "Example:" | "First steps:")).skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    let example = |line: &str| {
        // What stands behind a wide gap is for people.
        let (line, remark) = line.trim().split_once("   ").unwrap_or((line.trim(), ""));
        let exit_code = remark.split_once("exit code ").map_or(0, |(_, code)| code[..1].parse().expect("a number"));
        Example { line: line.to_string(), exit_code }
    };
    lines.map(example).collect()
}

/// A project in which every example has what it speaks of.
fn project() -> TempDir {
    let scratch = tempdir().unwrap();
    let root = scratch.path().join("project");
    copy(&home().join("golden/graph_spec/input"), &root);
    // Documents that have faults, for other tests.
    fs::remove_dir_all(root.join("docs/broken")).unwrap();
    for name in ["interfaces/IF-230_export", "interfaces/IF-240_no_status", "requirements/REQ-202_ranking_copy"] {
        fs::remove_file(root.join(format!("docs/{name}.md"))).unwrap();
    }
    let order =
        "class Order:\n    def cost(self):\n        return 1\n\n\ndef total(order: Order):\n    return order.cost()\n";
    let row = r#"{"instance_id":"one","query":"cost of an order","gold_files":["order.py"],"gold_ranges":[{"file":"order.py","start_line":3,"end_line":3}],"language":"python"}"#;
    plant(
        &root,
        &[
            ("src/main.rs", b"mod lib;\n\nfn main() {\n    lib::enforce(8000);\n}\n"),
            ("src/lib.rs", b"/// Where budgets are enforced.\npub fn enforce(budget: u32) -> u32 {\n    budget\n}\n"),
            ("src/order.py", order.as_bytes()),
            ("issue.md", b"The cost of an order is wrong.\n"),
            ("requests.jsonl", b"{\"query\":\"cost of an order\"}\n"),
            ("rows.jsonl", row.as_bytes()),
            ("trees/one/order.py", order.as_bytes()),
            (".contextpackignore", b"trees/\ntoken\nbase/\n/*.json\n/*.jsonl\n/*.toml\n"),
            ("docs/interfaces/nowhere/IF-999_gone.md", b"# What IF-220 says to read next\n"),
            ("api/call.py", b"def call():\n    pass\n"),
            ("web/page.ts", b"export const page = 1;\n"),
            ("notes/.obsidian/app", b""),
            ("notes/SOC Defender.md", b"---\ntags: project\nowner: \"[[Ada Lovelace]]\"\n---\n\nRanks alerts.\n"),
            ("notes/Ada Lovelace.md", b"A person.\n"),
            ("token", b"one of the test's own\n"),
            ("index.scip", &scip_index()),
            ("space/blocks.jsonl", BLOCKS.as_bytes()),
            ("Export/blocks.jsonl", b"{\"id\":\"steps\",\"type\":\"page\",\"title\":\"Next steps\"}\n"),
            ("request.json", b"{\"query\":\"what is overdue?\"}"),
            ("context-rows.jsonl", CONTEXT_ROW.as_bytes()),
            ("answer.json", EXTRACTION.as_bytes()),
        ],
    );
    copy(&home().join("pipelines"), &root.join("pipelines"));
    let tool = |arguments: &[&str]| String::from_utf8(run(contextpack().current_dir(&root).args(arguments), 0).stdout);
    // Of another index: that of the project stays one of code.
    let space = |arguments: &[&str]| {
        tool(&[&["workspace"], arguments, &["--repo", ".", "--index", "../space", "--quiet"]].concat()).unwrap()
    };
    let payload = space(&["context", "--request", "request.json", "--as", "user:7", "--json"]);
    plant(&root, &[("payload.json", payload.as_bytes())]);
    space(&["batch", "requests.jsonl", "--as", "user:7", "--out", "payloads"]);
    space(&["view", "--as", "user:7", "--as", "team:ops", "--out", "for-ops"]);
    tool(&["build", "--quiet"]).unwrap();
    copy(&root.join("index"), &root.join("index.old"));
    copy(&root.join("index"), &root.join("base/index"));
    for share in ["1/2", "2/2"] {
        tool(&["chunk", "--shard", share, "--quiet"]).unwrap();
    }
    let pack =
        |tokens| tool(&["pack", "--index", "index", "--query", "order", "--json", "--max-tokens", tokens]).unwrap();
    plant(&root, &[("old.json", pack("200").as_bytes()), ("new.json", pack("4000").as_bytes())]);
    fs::copy(root.join("new.json"), root.join("pack.json")).unwrap();
    let brief = tool(&["brief", "SOC Defender", "--repo", ".", "--json", "--quiet"]).unwrap();
    plant(&root, &[("monday.json", brief.as_bytes())]);
    let kept = tool(&["pack", "--index", "index", "--query", "order", "--write", "--quiet"]).unwrap();
    fs::write(scratch.path().join("kept"), kept.trim()).unwrap();
    let eval = ["eval", "--bench", "rows.jsonl", "--trees", "trees", "--quiet", "--save"];
    for file in ["before.jsonl", "after.jsonl"] {
        tool(&[&eval[..], &[file]].concat()).unwrap();
    }
    // Not ours, and not needed to see that an example runs.
    plant(scratch.path(), &[("bin/jq", b"#!/bin/sh\ncat > /dev/null\n")]);
    fs::set_permissions(scratch.path().join("bin/jq"), fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink(contextpack().get_program(), scratch.path().join("bin/contextpack")).unwrap();
    scratch
}

/// Pages that user 7 may read.
const BLOCKS: &str = r#"{"id":"page-123","type":"page","title":"Q3 Plan","updatedAt":"2025-06-10","read":["user:7"]}
{"id":"todo-9","type":"todo","parent":"page-123","text":"Send invoices","due":"2025-06-09"}
"#;
const CONTEXT_ROW: &str = r#"{"id":"one","request":{"query":"what is overdue?"},"relevant":["todo-9"]}"#;

/// What a model reads in `issue.md`.
const EXTRACTION: &str = r#"{"target_feature":{"value":"cost of an order","quote":"The cost of an order"}}"#;

/// Another tool's index that says nothing of one file.
fn scip_index() -> Vec<u8> {
    let document = Document { relative_path: "src/order.py".to_string(), language: "python".into(), ..Document::new() };
    let metadata = Some(Metadata::new()).into();
    Index { metadata, documents: vec![document], ..Index::new() }.write_to_bytes().unwrap()
}

/// Runs a line of a shell in a copy of the project, and says what went wrong.
fn failed(project: &Path, before: &[String], Example { line: example, exit_code }: &Example) -> Option<String> {
    let copied = tempdir().unwrap();
    copy(&project.join("project"), &copied.path().join("project"));
    let kept = fs::read_to_string(project.join("kept")).unwrap();
    let script = [before, &[example.to_string()]].concat().join("\n");
    let script = script.replace("pack:0123456789abcdef0123456789abcdef", &kept);
    if example == "contextpack build --pipeline contextpack.toml --strict" {
        fs::write(copied.path().join("project/contextpack.toml"), "").unwrap();
    }
    // Programs are run where they lie: one that was just copied may still be open in a process that begins.
    let path = format!("{}:/usr/bin:/bin", project.join("bin").display());
    let mut command = Command::new("sh");
    command.current_dir(copied.path().join("project")).env_clear().env("PATH", path).env("HOME", copied.path());
    command.env("GITHUB_STEP_SUMMARY", copied.path().join("summary.md"));
    if example.contains("--http") {
        return does_not_listen(&mut command, &script);
    }
    let output = command.args(["-c", &script]).output().unwrap();
    let (code, said) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
    (code != Some(*exit_code)).then(|| format!("{example}\nexit code {code:?} instead of {exit_code}\n{said}"))
}

/// A server runs until it is stopped; here it listens to this machine alone, on a port of the system's choice.
fn does_not_listen(command: &mut Command, script: &str) -> Option<String> {
    let script = script.replace("0.0.0.0:8808", "127.0.0.1:0").replace("--http 8808", "--http 0");
    command.args(["-c", &format!("exec {script}")]).stdin(Stdio::null()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut said = String::new();
    BufReader::new(server.stderr.take().unwrap()).read_line(&mut said).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    (!said.contains("listening on http://127.0.0.1:")).then(|| format!("{script}\n{said}"))
}

#[test]
fn every_example_runs() {
    let project = project();
    let mut runs = Vec::new();
    for command in commands() {
        let examples = examples(&help(&command));
        let own = format!("contextpack {}", command.join(" "));
        assert!(examples.iter().any(|example| example.line.starts_with(own.trim())), "`{own}` has no example");
        // A line that is no command of ours prepares the ones below it.
        let (before, ours): (Vec<Example>, Vec<Example>) =
            examples.into_iter().partition(|example| !example.line.starts_with("contextpack "));
        let before: Vec<String> = before.into_iter().map(|example| example.line).collect();
        runs.extend(ours.into_iter().map(|example| (before.clone(), example)));
    }
    assert!(runs.len() > 50, "{}", runs.len());
    let failed: Vec<String> =
        runs.par_iter().filter_map(|(before, example)| failed(project.path(), before, example)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn help_fits_on_a_screen_and_names_every_command() {
    let screen = help(&[]);
    assert!(screen.lines().count() <= 40, "{} lines", screen.lines().count());
    assert!(screen.lines().all(|line| line.chars().count() <= 100));
    for command in commands().iter().filter(|command| command.len() == 1) {
        assert!(screen.contains(&format!("\n  {} ", command[0])), "{command:?}");
    }
}

#[test]
fn help_names_exit_codes_artifacts_and_every_argument() {
    for command in commands().iter().filter(|command| !command.is_empty() && command[0] != "spec") {
        assert!(help(command).contains("Exit code: 0 "), "{command:?}");
    }
    let pack = help(&["pack".to_string()]);
    assert!(pack.contains("1 done, but --strict refuses the requests of a batch that failed"), "{pack}");
    let cat = help(&["cat".to_string()]);
    for artifact in contextpack::record::ALL {
        assert!(cat.contains(artifact.name), "{}", artifact.name);
    }
    let diff = help(&["diff".to_string()]);
    assert!(diff.contains("Another of the same kind"), "{diff}");
}

/// One line per command, each of which says something on standard error where it can.
const LINES: &[&str] = &[
    "brief Lovelace",
    "build",
    "cat index/chunk files",
    "chunk --out chunks/chunk",
    "compare-scip index.scip",
    "completions bash",
    "diff old.json old.json",
    "doctor",
    "doctor determinism --repo trees/one",
    "eval --bench rows.jsonl --trees trees",
    "frame fix",
    "frame synonyms",
    "graph --index index",
    "init --force --out other.toml",
    "man",
    "mcp",
    "outline src",
    "read Order.cost",
    "search order",
    "merge index/shares/1-of-2 index/shares/2-of-2 --out merged",
    "pack order",
    "pack order --explain",
    "pack order --write",
    "pack --requests requests.jsonl",
    "schema",
    "session call login read src/order.py",
    "session check-write login src/order.py",
    "session frame login said.json",
    "session hypothesis login hypotheses.json",
    "session intent login MODIFY",
    "session list",
    "session map login symbol.json",
    "session outcome done outcome.json",
    "session replay ../logs/kept.jsonl",
    "session revert login",
    "session semantic login reason.json",
    "session show login",
    "session start fix",
    "session stats",
    "session submit login claims.json",
    "session verify login verified.json",
    "show Order.cost",
    "spec batch bundles.jsonl",
    "spec batch bundles.jsonl --out bundles",
    "spec context REQ-201 NONE-1 --max-tokens 100 --format markdown",
    "spec impact REQ-201 NONE-1",
    "spec index",
    "spec lint",
    "spec prompt REQ-201 NONE-1",
    "spec search order",
    "verify index/chunk",
    "why-not pack.json src/order.py",
    "workspace access page-123 --repo space --operator",
    "workspace batch requests.jsonl --repo space --as user:7 --out contexts",
    "workspace context overdue --repo space --as user:7",
    "workspace eval --bench context-rows.jsonl --repo space --operator",
    "workspace tokens payload.json",
    "workspace validate payload.json --repo space --as user:7",
    "workspace view --repo space --as user:7 --out seen",
];

/// The input files of the examples of sessions.
const SESSION_DATA: &[(&str, &[u8])] = &[
    ("said.json", b"{\"said\":\"only in the evening\"}"),
    ("hypotheses.json", b"{\"hypotheses\":[]}"),
    ("symbol.json", b"{\"symbol\":\"Order\"}"),
    ("outcome.json", b"{\"outcome\":\"success\"}"),
    ("reason.json", b"{\"slot\":\"target_feature\",\"reason\":\"no_definition_found\"}"),
    ("claims.json", b"{}"),
    ("verified.json", b"{\"verified\":[]}"),
];

#[test]
fn quiet_leaves_the_result_of_every_command_and_nothing_else() {
    let project = project();
    let root = project.path().join("project");
    plant(&root, &[("bundles.jsonl", b"{\"seed_ids\":[\"REQ-201\",\"NONE-1\"]}\n")]);
    let words = |command: &[String]| command.join(" ");
    for command in commands().iter().map(|command| words(command)).filter(|command| !command.is_empty()) {
        assert!(
            LINES.iter().any(|line| format!("{line} ").starts_with(&format!("{command} "))),
            "{command} is not tried"
        );
    }
    let output = |line: &str| {
        let mut command = contextpack();
        command.current_dir(&root).env("HOME", project.path()).args(line.split(' ')).stdin(Stdio::null());
        command.output().unwrap()
    };
    plant(&root, SESSION_DATA);
    for start in ["login", "done", "kept --sessions ../logs"] {
        let started = output(&format!("session start fix --id {start}"));
        assert_eq!(started.status.code(), Some(0), "{started:?}");
    }
    for line in LINES {
        output(line);
        let wanted = output(line);
        assert!(matches!(wanted.status.code(), Some(0 | 1)), "{line}: {wanted:?}");
        for quiet in [format!("{line} -q"), format!("{line} --quiet"), format!("--quiet {line}")] {
            let found = output(&quiet);
            assert_eq!(found.status.code(), wanted.status.code(), "{quiet}: {found:?}");
            assert!(found.stderr.is_empty() || line.contains("--explain"), "{quiet}: {found:?}");
            // Every call of a session is another one.
            let is_same = found.stdout == wanted.stdout || line.starts_with("session ");
            assert!(is_same, "{quiet} prints another result");
        }
    }
}

#[test]
fn what_is_misspelt_is_answered_with_the_nearest() {
    let said = |arguments: &[&str]| String::from_utf8(run(contextpack().args(arguments), 2).stderr).unwrap();
    assert!(said(&["pakc"]).contains("'pack'"));
    assert!(said(&["pack", "--max-token", "3"]).contains("'--max-tokens'"));
    assert!(said(&["pack", "--intent", "anser"]).contains("'answer'"));
    assert!(said(&["pack", "--format", "markdwon"]).contains("'markdown'"));
    assert!(said(&["spec", "context", "REQ-1", "--strategy", "req-focus"]).contains("'req-focused'"));
    assert!(said(&["pack", "--query", "x", "--json", "--format", "xml"]).contains("cannot be used with"));
    assert!(said(&["schema", "chunkmeta"]).contains("chunk_meta"));
}

#[test]
fn man_pages_and_completions_come_of_the_same_table() {
    let scratch = tempdir().unwrap();
    run(contextpack().args(["man", "--out"]).arg(scratch.path()), 0);
    for command in commands() {
        let page = scratch.path().join(format!(
            "{}.1",
            ["contextpack"].iter().copied().chain(command.iter().map(String::as_str)).collect::<Vec<_>>().join("-")
        ));
        assert!(fs::read_to_string(&page).is_ok_and(|text| text.contains(".SH")), "{}", page.display());
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(run(contextpack().args(["completions", shell]), 0).stdout).unwrap();
        assert!(script.contains("why-not") && script.contains("max-tokens"), "{shell}");
    }
    // As one argument it would be too long for the system.
    let script = scratch.path().join("completions.bash");
    fs::write(&script, run(contextpack().args(["completions", "bash"]), 0).stdout).unwrap();
    let checked = Command::new("bash").arg("-n").arg(&script).status();
    assert!(checked.is_ok_and(|status| status.success()));
}

#[test]
fn nothing_is_coloured_and_no_bar_is_drawn_where_nobody_looks() {
    let project = project();
    for environment in [("TERM", "xterm-256color"), ("NO_COLOR", "1")] {
        let mut command = contextpack();
        command.current_dir(project.path().join("project")).env(environment.0, environment.1);
        let output = run(command.args(["build"]), 0);
        assert!(!output.stderr.contains(&0x1b) && !output.stdout.contains(&0x1b));
        let refused = run(contextpack().env(environment.0, environment.1).args(["pack", "--intent", "x"]), 2);
        assert!(!refused.stderr.contains(&0x1b));
    }
}

/// What a pack says can be done next can be done, beside the tree and in it, with the index that pack keeps.
#[test]
fn the_next_steps_of_a_pack_can_be_taken() {
    let scratch = tempdir().unwrap();
    let tree = scratch.path().join("shop");
    copy(&home().join("golden/graph_python/input"), &tree);
    for (folder, of) in [(scratch.path(), &["--repo", "shop"][..]), (&tree, &[])] {
        let told = |arguments: &[&str]| {
            let mut command = contextpack();
            command.current_dir(folder).env("HOME", scratch.path()).args(arguments).args(of);
            let output = run(&mut command, 0);
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
        };
        let (pack, said) = told(&["pack", "--query", "how is an order settled", "--json"]);
        let of = of.iter().map(|word| format!(" {word}")).collect::<String>();
        assert!(said.contains(&format!("contextpack show NAME{of} ")), "{said}");
        assert!(said.contains(&format!("contextpack why-not pack.json PATH{of}")), "{said}");
        fs::write(scratch.path().join("pack.json"), pack).unwrap();
        let pack = scratch.path().join("pack.json");
        assert!(told(&["show", "Amount"]).0.contains("callers"));
        assert!(told(&["why-not", pack.to_str().unwrap(), "shop/money.py"]).0.contains("money.py"));
    }
}
