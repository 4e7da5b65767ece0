//! Every command uses the same index of a tree, with the same settings, and calls the tree by the same name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use contextpack::store::{Draft, Index, Manifest};
use protobuf::Message as _;
use scip::types as scip;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::tool::{bytes, contextpack, copy, home, plant, run};

/// A tree in a directory of its own, beside the user's home.
struct Project {
    scratch: TempDir,
}

impl Project {
    fn new(settings: &str) -> Self {
        let project = Project { scratch: tempdir().unwrap() };
        copy(&home().join("golden/graph_python/input"), &project.tree());
        if !settings.is_empty() {
            plant(&project.tree(), &[("contextpack.toml", settings.as_bytes())]);
        }
        project
    }

    fn tree(&self) -> PathBuf {
        self.scratch.path().join("store")
    }

    /// The cache, if anything was written to it.
    fn cache(&self) -> Option<PathBuf> {
        Some(self.scratch.path().join("home/.cache/contextpack")).filter(|cache| cache.exists())
    }

    fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = contextpack();
        command.current_dir(folder).env("HOME", self.scratch.path().join("home")).args(arguments);
        command
    }

    /// Runs a command in the tree.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Output {
        run(&mut self.command(&self.tree(), arguments), 0)
    }

    fn settings(&self, stage: &str) -> Value {
        Index::open(&self.tree().join("index").join(stage)).unwrap().manifest().settings.clone()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const SETTINGS: &str = "[chunk]\nmax_chunk_bytes = 512\nmax_file_bytes = 100000\nmax_shard_bytes = 2048\n\
    [graph]\nmax_shard_bytes = 4096\n\
    [[language]]\nid = \"starlark\"\ngrammar = \"python\"\nextensions = [\"bzl\"]\nline_comments = [\"#\"]\n";

#[test]
fn no_command_rebuilds_an_index_with_other_settings() {
    let project = Project::new(SETTINGS);
    plant(&project.tree(), &[("rules.bzl", b"def rule():\n    return 1\n")]);
    project.run(&["build", "--quiet"]);
    let index = project.tree().join("index");
    let built = ["chunk", "graph"].map(|stage| bytes(&index.join(stage)));
    assert_eq!(project.settings("chunk")["languages"][0]["id"], "starlark");
    let commands: [&[&str]; 6] = [
        &["pack", "settle an order"],
        &["pack", "settle an order", "--repo", ".", "--index", "index"],
        &["pack", "settle an order", "--no-refresh"],
        &["show", "Amount"],
        &["doctor"],
        &["spec", "index"],
    ];
    for arguments in commands {
        project.run(arguments);
        let now = ["chunk", "graph"].map(|stage| bytes(&index.join(stage)));
        assert!(now == built, "{arguments:?} changed the index");
    }
    assert_eq!(project.cache(), None, "nothing made a second index");
}

/// Without contextpack.toml the settings are those that the index was built with.
#[test]
fn a_refresh_keeps_the_settings_of_the_index() {
    let project = Project::new("");
    plant(
        project.scratch.path(),
        &[(
            "other.toml",
            SETTINGS.replace("[chunk]", "source = \"store\"\nindex = \"store/index\"\n[chunk]").as_bytes(),
        )],
    );
    let pipeline = project.scratch.path().join("other.toml");
    project.run(&["build", "--quiet", "--pipeline", pipeline.to_str().unwrap()]);
    let before = ["chunk", "graph"].map(|stage| project.settings(stage));
    plant(&project.tree(), &[("rules.bzl", b"def rule():\n    return 1\n")]);
    let pack = text(&project.run(&["pack", "--focus", "file:rules.bzl"]).stdout);
    assert!(pack.contains("def rule"), "the index was refreshed: {pack}");
    assert_eq!(["chunk", "graph"].map(|stage| project.settings(stage)), before);
    let symbols = text(&project.run(&["cat", "index/chunk", "symbols", "--key", "rules.bzl"]).stdout);
    assert!(symbols.contains("\"languageId\":\"starlark\""), "{symbols}");
}

/// An index that was once built with secrets does not give them to whoever asks next.
#[test]
fn a_refresh_does_not_keep_the_secrets_of_the_index() {
    let project = Project::new("");
    let token = ["ghp", "Zk3Qp7Lm2Xw9Rt5Vb8Nc4Hj6Fd1Gs0Ay3EuK"].join("_");
    plant(&project.tree(), &[("connect.py", format!("def connect():\n    return \"{token}\"\n").as_bytes())]);
    assert!(text(&project.run(&["pack", "connect", "--allow-secrets"]).stdout).contains(&token));
    assert!(!text(&project.run(&["pack", "connect"]).stdout).contains(&token));
    plant(&project.tree(), &[("contextpack.toml", b"[chunk]\nallow_secrets = true\n")]);
    assert!(text(&project.run(&["pack", "connect"]).stdout).contains(&token), "the file says so");
}

#[test]
fn an_untouched_tree_has_not_changed_whatever_the_largest_file_may_be() {
    for settings in ["[chunk]\nmax_file_bytes = 300\n", "[chunk]\nmax_file_bytes = 20000000\n"] {
        let project = Project::new(settings);
        let large = format!("X = 1\n{}", "# a comment\n".repeat(800_000));
        plant(&project.tree(), &[("large.py", large.as_bytes())]);
        project.run(&["build", "--quiet"]);
        let said = text(&project.run(&["pack", "settle an order", "--no-refresh"]).stderr);
        assert!(said.contains("tokens, from the index") && !said.contains("has changed"), "{said}");
        let findings = project.command(&project.tree(), &["doctor", "--json"]).output().unwrap().stdout;
        assert!(!text(&findings).contains("index-stale"), "{}", text(&findings));
        fs::write(project.tree().join("new.py"), "Y = 1\n").unwrap();
        let said = text(&project.run(&["pack", "settle an order", "--no-refresh"]).stderr);
        assert!(said.contains("has changed"), "{said}");
    }
}

#[test]
fn code_for_specs_is_indexed_with_the_source_date() {
    let project = Project::new("");
    copy(&home().join("golden/graph_spec/input"), &project.tree());
    let at = |arguments: &[&str]| {
        let mut command = project.command(&project.tree(), arguments);
        run(command.env("SOURCE_DATE_EPOCH", "1000000000"), 0)
    };
    at(&["build", "--quiet"]);
    let built = bytes(&project.tree().join("index/chunk"));
    at(&["spec", "context", "IF-200", "--with-code"]);
    assert!(bytes(&project.tree().join("index/chunk")) == built);
    let date = Index::open(&project.tree().join("index/chunk")).unwrap().manifest().source_date.clone();
    assert_eq!(date, "2001-09-09T01:46:40Z");
}

#[test]
fn a_graph_with_scip_files_is_not_rebuilt_without_them() {
    let document = scip::Document { relative_path: "shop/money.py".to_string(), ..scip::Document::new() };
    let metadata = Some(scip::Metadata::new()).into();
    let scip = scip::Index { metadata, documents: vec![document], ..scip::Index::new() }.write_to_bytes().unwrap();
    let project = Project::new("[graph]\nscip = [\"../index.scip\"]\n");
    plant(project.scratch.path(), &[("index.scip", &scip)]);
    project.run(&["build", "--quiet"]);
    let has_scip = || project.settings("graph").get("scip").is_some();
    fs::write(project.tree().join("new.py"), "X = 1\n").unwrap();
    project.run(&["pack", "settle an order"]);
    assert!(has_scip(), "contextpack.toml says where they are");

    fs::remove_file(project.tree().join("contextpack.toml")).unwrap();
    project.run(&["chunk", "--quiet"]);
    project.run(&["graph", "--quiet", "--scip", "../index.scip"]);
    project.run(&["pack", "settle an order"]);
    assert!(has_scip(), "nothing has changed");
    fs::write(project.tree().join("new.py"), "X = 2\n").unwrap();
    let said = text(&run(&mut project.command(&project.tree(), &["pack", "settle an order"]), 2).stderr);
    assert!(said.contains("was built with SCIP files") && said.contains("hint: list them in `scip`"), "{said}");
    assert!(has_scip());
    project.run(&["pack", "settle an order", "--no-refresh"]);
}

#[test]
fn the_root_is_found_from_below_and_said() {
    let project = Project::new("");
    let tree = project.tree();
    fs::create_dir(tree.join(".git")).unwrap();
    let below = tree.join("shop");
    let from = |folder: &Path, arguments: &[&str]| run(&mut project.command(folder, arguments), 0);
    let wanted = from(&tree, &["pack", "settle an order"]);
    assert!(!text(&wanted.stderr).contains("using the tree"), "{}", text(&wanted.stderr));
    let found = from(&below, &["pack", "settle an order"]);
    assert_eq!(found.stdout, wanted.stdout);
    let using = format!("using the tree `{}`\n", tree.display());
    assert!(text(&found.stderr).starts_with(&format!("pack: {using}")), "{}", text(&found.stderr));
    let quiet = from(&below, &["pack", "settle an order", "--quiet"]);
    assert!(quiet.stderr.is_empty() && quiet.stdout == wanted.stdout);
    assert_eq!(fs::read_dir(project.cache().unwrap()).unwrap().count(), 1, "one index for both");
    for (command, arguments) in
        [("show", &["show", "Amount"][..]), ("spec", &["spec", "index"]), ("doctor", &["doctor"])]
    {
        let output = from(&below, arguments);
        assert!(text(&output.stderr).starts_with(&format!("{command}: {using}")), "{}", text(&output.stderr));
    }
    // A tree that is named is taken as it is.
    let named = from(&below, &["pack", "settle an order", "--repo", "."]);
    assert!(text(&named.stdout).starts_with("# Context from shop\n"), "{}", text(&named.stdout));
    // The nearest root is the one.
    plant(&below, &[("contextpack.toml", b"")]);
    from(&below, &["build", "--quiet"]);
    assert!(below.join("index/chunk").is_dir() && !tree.join("index").exists());
    fs::create_dir(below.join("deep")).unwrap();
    let found = from(&below.join("deep"), &["pack", "settle an order"]);
    assert!(text(&found.stdout).starts_with("# Context from shop\n"), "{}", text(&found.stdout));
    from(&tree, &["build", "--quiet"]);
    let built = text(&from(&tree.join(".git"), &["build"]).stderr);
    assert!(built.contains(&using) && built.contains("up to date"), "{built}");
}

#[test]
fn an_index_alone_gives_the_same_pack_as_its_tree() {
    for (settings, index) in [("", "index"), ("index = \"made/here\"\n", "made/here")] {
        let project = Project::new(settings);
        project.run(&["build", "--quiet"]);
        let wanted = project.run(&["pack", "settle an order", "--repo", ".", "--index", index, "--quiet"]).stdout;
        assert!(text(&wanted).starts_with("# Context from store\n"));
        assert_eq!(project.run(&["pack", "settle an order", "--quiet"]).stdout, wanted);
        assert_eq!(project.run(&["pack", "settle an order", "--index", index, "--quiet"]).stdout, wanted);
        let outside = ["pack", "settle an order", "--index", &format!("store/{index}"), "--quiet"];
        assert_eq!(run(&mut project.command(project.scratch.path(), &outside), 0).stdout, wanted);
    }
    let project = Project::new("");
    let wanted = project.run(&["pack", "settle an order", "--quiet"]).stdout;
    let cached = fs::read_dir(project.cache().unwrap()).unwrap().next().unwrap().unwrap().path();
    let alone = ["pack", "settle an order", "--index", cached.to_str().unwrap(), "--quiet"];
    assert_eq!(project.run(&alone).stdout, wanted, "in the cache, which is named after the tree");
}

/// Every command that takes a tree takes it by all of its names.
#[test]
fn a_tree_is_named_by_repo_source_or_root() {
    let project = Project::new("");
    copy(&home().join("golden/graph_spec/input"), &project.tree());
    project.run(&["build", "--quiet"]);
    let pack = project.run(&["pack", "settle an order", "--json", "--quiet"]).stdout;
    plant(project.scratch.path(), &[("pack.json", &pack)]);
    let commands = [
        "pack settle",
        "show Amount",
        "why-not pack.json shop/money.py",
        "diff pack.json pack.json",
        "doctor",
        "spec context IF-200",
        "spec index",
        "spec search order",
        "spec lint --fail-level error",
        "chunk --out chunks",
    ];
    for line in commands {
        let outputs = ["--repo", "--source", "--root"].map(|flag| {
            let arguments: Vec<&str> = line.split(' ').chain([flag, "store", "--quiet"]).collect();
            let output = project.command(project.scratch.path(), &arguments).output().unwrap();
            assert!(matches!(output.status.code(), Some(0 | 1)), "{line} {flag}: {}", text(&output.stderr));
            output.stdout
        });
        assert!(outputs.iter().all(|output| *output == outputs[0]), "{line}");
    }
    for command in ["mcp", "doctor determinism"] {
        for flag in ["--repo", "--source", "--root"] {
            let arguments: Vec<&str> = command.split(' ').chain([flag, "store", "--help"]).collect();
            run(&mut project.command(project.scratch.path(), &arguments), 0);
        }
    }
}

/// Readers never see half an index, and writers wait for each other.
#[test]
fn pack_and_build_run_at_the_same_time() {
    let project = Project::new("[chunk]\nmax_chunk_bytes = 512\n");
    project.run(&["build", "--quiet"]);
    for round in 0..4 {
        fs::write(project.tree().join("new.py"), format!("def settle_{round}():\n    return {round}\n")).unwrap();
        let pack = ["pack", "settle an order", "--json", "--quiet"];
        let runs =
            [&["build", "--quiet"][..], &pack, &pack, &["build", "--quiet"], &["pack", "settle", "--no-refresh"]];
        let start = |arguments: &&[&str]| {
            let mut command = project.command(&project.tree(), arguments);
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            command.spawn().unwrap()
        };
        let started: Vec<_> = runs.iter().map(start).collect();
        let outputs: Vec<Output> = started.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        for (arguments, output) in runs.iter().zip(&outputs) {
            let said = text(&output.stderr);
            // A run that does not wait may start between two stages; then it fails with this message.
            let is_between = arguments.contains(&"--no-refresh") && said.contains("was made from other chunks");
            assert!(output.status.code() == Some(0) || is_between, "{arguments:?}: {said}");
        }
        assert_eq!(outputs[1].stdout, outputs[2].stdout);
    }
    for stage in ["chunk", "graph"] {
        run(contextpack().arg("verify").arg(project.tree().join("index").join(stage)).arg("--deep"), 0);
    }
}

/// Rewrites a manifest as another version of the program would have written it.
fn of_another_version(stage: &Path) {
    let path = stage.join("manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    let other = manifest.replace("\"schemaVersion\":2,\"settings\"", "\"schemaVersion\":1,\"settings\"");
    assert_ne!(other, manifest, "the manifest's own version was found");
    fs::write(path, other).unwrap();
}

#[test]
fn an_index_of_another_version_is_rebuilt_or_refused_with_a_hint() {
    let project = Project::new("");
    project.run(&["build", "--quiet"]);
    let (index, wanted) = (project.tree().join("index"), project.run(&["pack", "settle an order"]).stdout);
    let built = ["chunk", "graph"].map(|stage| bytes(&index.join(stage)));
    for stage in ["chunk", "graph"] {
        of_another_version(&index.join(stage));
        let refused: [&[&str]; 3] =
            [&["pack", "x", "--index", "index"], &["pack", "x", "--no-refresh"], &["show", "Amount"]];
        for arguments in refused.into_iter().filter(|arguments| stage == "graph" || arguments[0] != "show") {
            let said = text(&run(&mut project.command(&project.tree(), arguments), 2).stderr);
            assert!(said.contains("version 1") && said.contains("hint: "), "{stage} {arguments:?}: {said}");
        }
        assert_eq!(project.run(&["pack", "settle an order"]).stdout, wanted, "it is built again");
        assert!(["chunk", "graph"].map(|stage| bytes(&index.join(stage))) == built, "{stage}");
    }
}

/// Chunks whose language rules cannot be read would give a graph without those languages.
#[test]
fn language_rules_that_cannot_be_read_are_an_error() {
    let project = Project::new(SETTINGS);
    project.run(&["build", "--quiet"]);
    let chunks = Index::open(&project.tree().join("index/chunk")).unwrap();
    let Manifest { stage, ruleset_version, source_date, mut settings, inputs, artifacts, accelerators, .. } =
        chunks.manifest().clone();
    settings["languages"][0]["grammar"] = 3.into();
    let draft = Draft { stage, ruleset_version, source_date, settings, inputs, artifacts, accelerators };
    fs::write(chunks.folder().join("manifest.json"), draft.seal().to_bytes()).unwrap();
    let said = text(&run(&mut project.command(&project.tree(), &["graph"]), 2).stderr);
    assert!(said.contains("its settings cannot be read"), "{said}");
}
