//! A whole pipeline in one command: what is out of date is made, what is not is left.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use contextpack::pipeline::{ChunkSettings, GraphStage, Pipeline};

use crate::tool::{bytes, contextpack, copy, home, plant, run};

const STAGES: [&str; 4] = ["chunk", "graph", "packs", "bundles"];

/// A tree with specs, code and requests, and a pipeline for all of it.
fn project() -> TempDir {
    let scratch = tempdir().unwrap();
    copy(&home().join("golden/graph_spec/input"), scratch.path());
    let pipeline = "[pack]\nrequests = \"ask/packs.jsonl\"\n[spec]\nrequests = \"ask/bundles.jsonl\"\n";
    let bundles = "{\"seed_ids\":[\"REQ-201\"]}\n\n{\"seed_ids\":[\"IF-200\"],\"with_code\":true}\n";
    plant(
        scratch.path(),
        &[
            ("contextpack.toml", pipeline.as_bytes()),
            ("ask/packs.jsonl", b"{\"query\":\"split segments\"}\n{\"query\":\"rank hits\"}\n"),
            ("ask/bundles.jsonl", bundles.as_bytes()),
        ],
    );
    scratch
}

fn build(folder: &Path) -> Command {
    let mut command = contextpack();
    command.current_dir(folder).arg("build");
    command
}

/// Which stages were made, and what is said of all of them.
fn built(folder: &Path) -> (Vec<String>, String) {
    let output = run(build(folder).arg("--json"), 0);
    let stages: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names = stages.as_array().unwrap().iter().filter(|stage| stage["built"] == true);
    let names = names.map(|stage| stage["stage"].as_str().unwrap().to_string()).collect();
    (names, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn what_was_counted_is_a_key_for_programs_and_a_word_for_people() {
    let project = project();
    let output = run(build(project.path()).arg("--json"), 0);
    let stages: Value = serde_json::from_slice(&output.stdout).unwrap();
    let counts = stages[0]["counts"].as_object().unwrap();
    assert_eq!(counts.keys().collect::<Vec<_>>(), ["files", "analysed", "chunks", "symbols"]);
    assert_eq!(stages[2]["counts"], serde_json::json!({ "packs": 2, "built": 2 }));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("built       {} files, {0} analysed, ", counts["files"])), "{said}");
}

#[test]
fn only_what_is_out_of_date_is_made() {
    let project = project();
    let (made, said) = built(project.path());
    assert_eq!(made, STAGES);
    assert_eq!(said.lines().count(), 4, "one line a stage: {said}");
    let (made, said) = built(project.path());
    assert!(made.is_empty(), "its own index is no source: {said}");
    assert!(said.lines().all(|line| line.contains("up to date")), "{said}");
    fs::write(project.path().join("ask/packs.jsonl"), "{\"query\":\"split segments\"}\n").unwrap();
    assert_eq!(built(project.path()).0, STAGES, "requests that lie in the tree are part of the tree");
    fs::write(project.path().join(".contextpackignore"), "ask/\n").unwrap();
    built(project.path());
    fs::write(project.path().join("ask/packs.jsonl"), "{\"query\":\"rank hits\"}\n").unwrap();
    assert_eq!(built(project.path()).0, ["packs"]);
    fs::write(project.path().join("src/segments.py"), "def split_segments():\n    return 1\n").unwrap();
    let (made, said) = built(project.path());
    assert_eq!(made, ["chunk", "graph", "packs", "bundles"], "{said}");
    assert!(said.contains("1 analysed"), "{said}");
}

#[test]
fn a_build_writes_what_its_stages_write() {
    let project = project();
    run(&mut build(project.path()), 0);
    let (index, apart) = (project.path().join("index"), tempdir().unwrap());
    let by_stages = |arguments: &[&str], folder: &Path| {
        run(contextpack().current_dir(project.path()).args(arguments).arg(folder), 0);
    };
    // The first index is excluded by being the one that is written to.
    fs::rename(&index, apart.path().join("built")).unwrap();
    by_stages(&["chunk", "--out"], &apart.path().join("chunk"));
    by_stages(&["graph", "--index"], apart.path());
    by_stages(&["pack", "--repo", ".", "--no-refresh", "--requests", "ask/packs.jsonl", "--index"], apart.path());
    let bundles = ["spec", "batch", "ask/bundles.jsonl", "--index", apart.path().to_str().unwrap(), "--out"];
    by_stages(&bundles, &apart.path().join("bundles"));
    fs::rename(apart.path().join("built"), &index).unwrap();
    for stage in STAGES {
        assert_eq!(bytes(&index.join(stage)), bytes(&apart.path().join(stage)), "{stage}");
    }
    for stage in STAGES {
        run(contextpack().arg("verify").arg(project.path().join("index").join(stage)).arg("--deep"), 0);
    }
}

#[test]
fn the_pipeline_that_init_writes_runs_and_is_the_default() {
    let project = project();
    fs::remove_file(project.path().join("contextpack.toml")).unwrap();
    let init = |more: &[&str], code| run(contextpack().current_dir(project.path()).arg("init").args(more), code);
    init(&[], 0);
    let said = String::from_utf8(init(&[], 2).stderr).unwrap();
    assert!(said.contains("exists already") && said.contains("--force"), "{said}");
    let written = fs::read_to_string(project.path().join("contextpack.toml")).unwrap();
    assert_eq!(String::from_utf8(init(&["--stdout"], 0).stdout).unwrap(), written);
    run(build(project.path()).arg("--quiet"), 0);
    // Every setting that it shows is one, and stands there with its default or as an example.
    let shown: String = written.lines().map(|line| uncommented(line).to_string() + "\n").collect();
    let shown = Pipeline::parse(Path::new("contextpack.toml"), &shown).unwrap();
    let (settings, default) = (shown.chunk_settings(), ChunkSettings::default());
    assert_eq!((settings.languages.len(), settings.notes.roots.len()), (1, 1));
    assert_eq!(settings.notes.max_export_bytes, default.notes.max_export_bytes);
    assert_eq!(ChunkSettings { languages: Vec::new(), notes: default.notes.clone(), ..settings }, default);
    assert_eq!(shown.graph.max_shard_bytes, Some(GraphStage::SHARD_BYTES));
    assert!(shown.pack.requests.is_some() && shown.spec.requests.is_some() && shown.spec.schema.is_some());
}

/// A setting that is commented out, as a setting.
fn uncommented(line: &str) -> &str {
    let is_setting = |line: &&str| line.starts_with('[') || line.split(" = ").next().is_some_and(is_word);
    line.strip_prefix("# ").filter(is_setting).unwrap_or(line)
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

#[test]
fn faults_of_a_pipeline_name_the_file_and_the_line() {
    let project = project();
    fs::write(project.path().join("ask/bundles.jsonl"), "{\"seed_ids\":[\"REQ-201\"]}\n{\"seeds\":[]}\n").unwrap();
    let said = String::from_utf8(run(&mut build(project.path()), 2).stderr).unwrap();
    assert!(said.contains("line 2 of `ask/bundles.jsonl` is not a valid request"), "{said}");
    fs::write(project.path().join("ask/packs.jsonl"), "{\"qurey\":\"x\"}\n").unwrap();
    fs::write(project.path().join("ask/bundles.jsonl"), "").unwrap();
    run(&mut build(project.path()), 0);
    let said = String::from_utf8(run(build(project.path()).arg("--strict"), 1).stderr).unwrap();
    assert!(said.contains("1 badRequest"), "{said}");
    fs::write(project.path().join("contextpack.toml"), "[chunk]\nmax_chunk_byte = 1\n").unwrap();
    let said = String::from_utf8(run(&mut build(project.path()), 2).stderr).unwrap();
    assert!(said.contains("contextpack.toml") && said.contains("max_chunk_byte"), "{said}");
    run(build(project.path()).args(["--pipeline", "gone.toml"]), 2);
}

/// After a build, packs, their reasons and the graph are had without saying where anything lies; and neither command
/// reads what the other wrote as source.
#[test]
fn an_index_in_the_tree_is_found_and_is_not_source() {
    let scratch = tempdir().unwrap();
    let shop = scratch.path().join("shop");
    copy(&home().join("golden/graph_python/input"), &shop);
    let told = |arguments: &[&str]| {
        let output = run(contextpack().current_dir(&shop).env("HOME", scratch.path()).args(arguments), 0);
        String::from_utf8(output.stdout).unwrap()
    };
    let before = told(&["pack", "--query", "settle an order", "--json"]);
    plant(&shop, &[("contextpack.toml", b"index = \"made/here\"\n[chunk]\nmax_chunk_bytes = 512\n")]);
    told(&["build", "--quiet"]);
    plant(&shop, &[(".contextpackignore", b"contextpack.toml\n.contextpackignore\n")]);
    let after = told(&["pack", "--query", "settle an order", "--json"]);
    assert_eq!(before, after, "what a build wrote is no source");
    plant(scratch.path(), &[("pack.json", after.as_bytes())]);
    let pack = scratch.path().join("pack.json");
    assert!(told(&["why-not", pack.to_str().unwrap(), "shop/money.py"]).contains("money.py"));
    assert!(told(&["show", "Amount"]).contains("callers"));
    let kept = told(&["pack", "--query", "settle an order", "--write"]);
    assert!(told(&["why-not", kept.trim(), "shop/money.py"]).contains("money.py"));
}

/// Stages that are run one by one are those of the pipeline of the folder.
#[test]
fn stages_alone_go_by_the_pipeline_of_the_folder() {
    let scratch = tempdir().unwrap();
    let [whole, apart] = ["whole", "apart"].map(|name| scratch.path().join(name));
    for tree in [&whole, &apart] {
        copy(&home().join("golden/graph_python/input"), tree);
        let settings = b"index = \"made\"\n[chunk]\nmax_chunk_bytes = 512\nmax_shard_bytes = 1024\n";
        plant(tree, &[("contextpack.toml", settings)]);
    }
    let at = |tree: &Path, arguments: &[&str]| drop(run(contextpack().current_dir(tree).args(arguments), 0));
    at(&whole, &["build", "--quiet"]);
    for share in ["1/2", "2/2"] {
        at(&apart, &["chunk", "--quiet", "--shard", share]);
    }
    at(&apart, &["merge", "--quiet", "made/shares/1-of-2", "made/shares/2-of-2"]);
    at(&apart, &["graph", "--quiet"]);
    for stage in ["chunk", "graph"] {
        assert_eq!(bytes(&whole.join("made").join(stage)), bytes(&apart.join("made").join(stage)), "{stage}");
    }
}

/// A folder of somebody's own is not written to, whichever files it holds.
#[test]
fn files_that_are_not_an_indexs_are_left_alone() {
    let scratch = tempdir().unwrap();
    copy(&home().join("golden/graph_python/input"), &scratch.path().join("tree"));
    for (name, content) in [("manifest.json", "{\"name\": \"my app\"}"), ("notes.txt", "mine")] {
        let folder = scratch.path().join(name.replace('.', "-"));
        plant(&folder, &[(name, content.as_bytes())]);
        let mut command = contextpack();
        command.current_dir(scratch.path()).args(["chunk", "--source", "tree", "--out"]).arg(&folder);
        let said = String::from_utf8(run(&mut command, 2).stderr).unwrap();
        assert!(said.contains("none that contextpack wrote") && said.contains("hint"), "{said}");
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [name], "nothing was added");
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), content);
    }
}
