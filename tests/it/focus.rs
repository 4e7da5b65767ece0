//! What a pack is about: focuses, filters, follow-ups, caps, and what is no source.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use contextpack::record::pack::{ContextPack, Rule};
use tempfile::{TempDir, tempdir};

use crate::tool::{contextpack, copy, plant, run, run_within};

const FILES: &[(&str, &[u8])] = &[
    (
        "src/routes.py",
        b"LIMIT = 3\n\n\ndef banner():\n    return \"the licence of this program\"\n\n\n\
          def make_redirect(host):\n    \"\"\"Builds the redirect route.\"\"\"\n    return f\"https://{host}\"\n\n\n\
          class Router:\n    def add(self, host):\n        return make_redirect(host)\n\n    \
          def drop(self, host):\n        return None\n",
    ),
    ("src/server.py", b"from routes import make_redirect\n\n\ndef serve():\n    return make_redirect(\"redirect\")\n"),
    ("src/other.py", b"def unrelated_redirect_route():\n    return \"redirect route redirect route\"\n"),
    ("deps/lib/vendor.py", b"def redirect_route():\n    return \"redirect route\"\n"),
    ("web/app.js", b"export function redirectRoute() {\n  return 'redirect route';\n}\n"),
    (
        "tests/test_routes.py",
        b"from src.routes import make_redirect\n\n\ndef test_redirect():\n    assert make_redirect(\"a\")\n",
    ),
    ("docs/guide.md", b"# Guide\n\nThe function `make_redirect` builds every redirect route.\n"),
];

struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let world = World { folder: tempdir().unwrap() };
        plant(&world.tree(), FILES);
        world
    }

    fn tree(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    /// `contextpack pack` for the tree, in the tree's folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = contextpack();
        command.current_dir(self.tree()).env("XDG_CACHE_HOME", self.folder.path().join("cache"));
        command.args(["pack", "--repo", "."]).args(arguments);
        command
    }

    #[track_caller]
    fn pack(&self, arguments: &[&str]) -> ContextPack {
        let output = run(&mut self.command(&[&["--json", "--quiet"], arguments].concat()), 0);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> String {
        let output = run(&mut self.command(arguments), 2);
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    }
}

fn places(pack: &ContextPack) -> Vec<String> {
    pack.items().iter().map(|item| format!("{}:{}", item.file_rel_path, item.lines.start)).collect()
}

fn paths(pack: &ContextPack) -> BTreeSet<String> {
    pack.items().iter().map(|item| item.file_rel_path.to_string()).collect()
}

/// The rules by which items are there, with their files.
fn rules(pack: &ContextPack) -> Vec<(Rule, String)> {
    pack.items().iter().map(|item| (item.why.rule, item.file_rel_path.to_string())).collect()
}

#[test]
fn the_query_ranks_inside_a_focus_however_it_is_typed() {
    let world = World::new();
    let question = "where is the redirect route built";
    let asked = |focus: &str| world.pack(&[question, "--focus", focus]);
    let absolute = world.tree().join("src/routes.py").canonicalize().unwrap();
    for focus in
        ["src/routes.py", "./src/routes.py", "file:src/routes.py", "file:./src/routes.py", absolute.to_str().unwrap()]
    {
        let pack = asked(focus);
        let first = &places(&pack)[..2];
        assert!(first.contains(&"src/routes.py:8".to_string()), "{focus}: not the first lines, but {first:?}");
        let matches = rules(&pack).into_iter().filter(|(rule, _)| *rule == Rule::QueryMatch);
        assert!(matches.map(|(_, path)| path).all(|path| path == "src/routes.py"), "{focus}: no seed from outside");
    }
    for focus in
        ["make_redirect", "symbol:make_redirect", "routes.make_redirect", "src/routes.py:9", "src/routes.py:8-10"]
    {
        assert_eq!(places(&asked(focus))[0], "src/routes.py:8", "{focus}");
    }
    assert_eq!(places(&asked("Router.drop"))[0], "src/routes.py:17");
    let handle = asked("make_redirect").items()[0].handle.clone().unwrap();
    assert_eq!(handle.len(), 8);
    assert_eq!(places(&asked(&handle))[0], "src/routes.py:8", "a handle of an item");
    let both = world.pack(&[question, "--focus", "src/other.py", "--focus", "Router"]);
    let found: BTreeSet<String> =
        rules(&both).into_iter().filter(|(rule, _)| *rule != Rule::SameFile).map(|(_, path)| path).collect();
    assert!(found.contains("src/other.py"), "{found:?}");
    let mut below = contextpack();
    below.current_dir(world.tree().join("src")).env("XDG_CACHE_HOME", world.folder.path().join("cache"));
    below.args(["pack", question, "--json", "--repo", "..", "--focus", "routes.py"]);
    let below: ContextPack = serde_json::from_slice(&run(&mut below, 0).stdout).unwrap();
    assert!(places(&below)[..2].contains(&"src/routes.py:8".to_string()), "a path relative to the current directory");
}

#[test]
fn a_focus_that_is_not_there_is_an_error_with_near_names() {
    let world = World::new();
    let said = world.refused(&["load", "--focus", "file:src/route.py"]);
    assert!(said.contains("the index has nothing called `src/route.py`; similar: "), "{said}");
    assert!(said.contains("src/routes.py"), "{said}");
    assert!(world.refused(&["x", "--focus", "src/roues.py"]).contains("similar: src/routes.py"), "a slip");
    let said = world.refused(&["--focus", "make_redirct"]);
    assert!(said.contains("make_redirect"), "{said}");
    assert!(world.refused(&["--focus", "Router.serve"]).contains("POC_E_NOT_FOUND"));
    let requests = world.folder.path().join("requests.jsonl");
    fs::write(&requests, "{\"focus\":\"nope.py\"}\n{\"focus\":\"src/other.py\"}\n[\"load\"]\n").unwrap();
    let output = run(&mut world.command(&["--requests", requests.to_str().unwrap()]), 0);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("1 pack, 0 of them known, 2 requests refused"), "{said}");
    assert!(said.contains("line 1 of `") && said.contains("nothing called `nope.py`"), "{said}");
    assert!(said.contains("line 3 of `") && said.contains("a request is a JSON object"), "{said}");
}

#[test]
fn without_a_query_what_depends_on_the_focus_is_shown() {
    let world = World::new();
    let pack = world.pack(&["--focus", "make_redirect"]);
    let all = rules(&pack);
    assert_eq!(all[0], (Rule::Focus, "src/routes.py".to_string()), "{all:?}");
    let found = paths(&pack);
    for path in ["src/server.py", "tests/test_routes.py", "docs/guide.md"] {
        assert!(found.contains(path), "{path} of {found:?}");
    }
    assert!(!found.contains("src/other.py"), "it has the words, and nothing asked for words");
    // What the review pipeline asks: not the changed file again.
    let request = world.folder.path().join("request.json");
    let text = r#"{"intent":"impact","focus":[{"fileRelPath":"src/routes.py"}],"expansion":{"includeFocus":false}}"#;
    fs::write(&request, text).unwrap();
    let pack = world.pack(&["--request", request.to_str().unwrap()]);
    let found = paths(&pack);
    assert!(!found.contains("src/routes.py"), "{found:?}");
    for path in ["src/server.py", "tests/test_routes.py", "docs/guide.md"] {
        assert!(found.contains(path), "{path} of {found:?}");
    }
    fs::write(&request, text.replace("routes", "other")).unwrap();
    let output = run(&mut world.command(&["--request", request.to_str().unwrap()]), 0);
    assert!(String::from_utf8(output.stdout).unwrap().contains("## Nothing depends on it"));
}

#[test]
fn no_file_that_depends_on_the_focus_hides_the_others() {
    let world = World::new();
    let calls: String = (0..60).map(|at| format!("def user_{at}():\n    return make_redirect({at})\n\n\n")).collect();
    let users = format!("from routes import make_redirect\n\n\n{calls}");
    plant(&world.tree(), &[("src/a_users.py", users.as_bytes())]);
    let found = paths(&world.pack(&["--focus", "make_redirect", "--max-tokens", "1200"]));
    for path in ["src/a_users.py", "src/server.py", "tests/test_routes.py", "docs/guide.md"] {
        assert!(found.contains(path), "{path} of {found:?}");
    }
}

#[test]
fn filters_keep_files_out_of_the_pack_and_of_the_ranking() {
    let world = World::new();
    let found = |arguments: &[&str]| paths(&world.pack(&[&["redirect route make_redirect"], arguments].concat()));
    let all = found(&[]);
    assert!(all.len() == FILES.len(), "{all:?}");
    assert!(found(&["--path", "src"]).iter().all(|path| path.starts_with("src/")));
    assert!(found(&["--path", "./src/"]).iter().all(|path| path.starts_with("src/")));
    assert!(found(&["--path", "./src/**"]).iter().all(|path| path.starts_with("src/")));
    assert_eq!(found(&["--path", world.tree().join("web").to_str().unwrap()]), ["web/app.js".to_string()].into());
    assert_eq!(found(&["--path", "."]), all);
    assert_eq!(
        found(&["--path", "deps", "--path", "*.js"]),
        ["deps/lib/vendor.py", "web/app.js"].map(String::from).into()
    );
    assert_eq!(found(&["--lang", "javascript"]), ["web/app.js".to_string()].into());
    assert_eq!(found(&["--lang", "JavaScript", "--lang", "markdown"]).len(), 2);
    let without = found(&["--exclude", "deps", "--exclude", "*.md", "--no-tests"]);
    assert_eq!(without, ["src/other.py", "src/routes.py", "src/server.py", "web/app.js"].map(String::from).into());
    let pack = world.pack(&["redirect_route", "--exclude", "deps"]);
    let explain = pack.explain.unwrap();
    assert!(explain.query.matched_names.iter().all(|name| name.what != "redirect_route"), "{:?}", explain.query);
    // A focus may be outside the filter: what is shown of its neighbours is not.
    let around = paths(&world.pack(&["--focus", "make_redirect", "--path", "tests"]));
    assert_eq!(around, ["tests/test_routes.py".to_string()].into());
    assert!(
        world.refused(&["x", "--lang", "pyton"]).contains("no file of the index has the language `pyton`; it has ")
    );
    assert!(world.refused(&["x", "--path", "nowhere/**"]).contains("no file of the index passes the filters"));
    assert!(world.refused(&["x", "--exclude", "src/[a"]).contains("`src/[a` is not a pattern for paths"));
}

#[test]
fn files_that_the_settings_exclude_are_not_indexed() {
    let world = World::new();
    plant(&world.tree(), &[("contextpack.toml", b"exclude = [\"deps\", \"*.js\"]\n")]);
    let pack = world.pack(&["redirect route"]);
    let found = paths(&pack);
    assert!(!found.is_empty() && !found.contains("deps/lib/vendor.py") && !found.contains("web/app.js"), "{found:?}");
    let doctor = run(contextpack().current_dir(world.tree()).arg("doctor"), 0);
    let said = String::from_utf8(doctor.stdout).unwrap();
    assert!(!said.contains("index-stale"), "{said}");
    let changed = run(&mut world.command(&["redirect", "--no-refresh"]), 0).stderr;
    assert!(!String::from_utf8(changed).unwrap().contains("has changed since"), "what is excluded is no change");
    plant(&world.tree(), &[("contextpack.toml", b"exclude = [\"deps\"]\n")]);
    assert!(paths(&world.pack(&["redirect route"])).contains("web/app.js"), "other settings, another index");
    plant(&world.tree(), &[("contextpack.toml", b"exclude = [\"[\"]\n")]);
    assert!(world.refused(&["x"]).contains("is not a pattern for paths"));
}

#[test]
fn a_follow_up_shows_what_was_not_shown() {
    let world = World::new();
    let save = |name: &str, pack: &ContextPack| {
        let path = world.folder.path().join(name);
        fs::write(&path, serde_json::to_string(pack).unwrap()).unwrap();
        path.to_str().unwrap().to_string()
    };
    let uids = |pack: &ContextPack| pack.items().iter().map(|item| item.chunk_uid).collect::<Vec<_>>();
    let whole = world.pack(&["redirect route"]);
    let first = world.pack(&["redirect route", "--max-items", "2"]);
    assert_eq!(uids(&first), uids(&whole)[..2]);
    let first_file = save("first.json", &first);
    let second = world.pack(&["redirect route", "--max-items", "2", "--not-in", &first_file]);
    assert_eq!(uids(&second), uids(&whole)[2..4], "the ranking goes on");
    let again = world.pack(&["--max-items", "2", "--not-in", &first_file]);
    assert_eq!(uids(&again), uids(&second), "the same question");
    let second_file = save("second.json", &second);
    let third = world.pack(&["--max-items", "80", "--not-in", &second_file]);
    assert_eq!(uids(&third), uids(&whole)[4..], "a pack knows what the packs before it showed");
    let id = String::from_utf8(run(&mut world.command(&["redirect route", "--max-items", "2", "--write"]), 0).stdout)
        .unwrap();
    let stored = world.pack(&["redirect route", "--max-items", "2", "--not-in", id.trim()]);
    assert_eq!(uids(&stored), uids(&second), "by its id");
    // An item that the budget cut was not shown.
    let budgets = (40..80).step_by(4).map(|tokens| tokens.to_string());
    let mut packs = budgets.map(|tokens| world.pack(&["make_redirect", "--max-tokens", &tokens]));
    let is_cut = |pack: &ContextPack| pack.items().last().is_some_and(|item| item.excerpt.truncated);
    let cut = packs.find(is_cut).expect("a small budget cuts the first item");
    let last = *uids(&cut).last().unwrap();
    let more = world.pack(&["--not-in", &save("cut.json", &cut)]);
    assert!(uids(&more).contains(&last));
    assert!(world.refused(&["x", "--not-in", "nothing.json"]).contains("nothing.json"));
}

#[test]
fn why_not_names_the_part_of_the_request_that_leaves_something_out() {
    let world = World::new();
    let said = |arguments: &[&str], wanted: &str| {
        let saved = world.folder.path().join("saved.json");
        fs::write(&saved, serde_json::to_string(&world.pack(arguments)).unwrap()).unwrap();
        let mut why = contextpack();
        why.current_dir(world.tree()).env("XDG_CACHE_HOME", world.folder.path().join("cache"));
        String::from_utf8(run(why.args(["why-not", "--repo", "."]).arg(saved).arg(wanted), 0).stdout).unwrap()
    };
    let first = world.folder.path().join("first.json");
    fs::write(&first, serde_json::to_string(&world.pack(&["redirect route"])).unwrap()).unwrap();
    assert!(said(&["redirect", "--exclude", "deps"], "deps/lib/vendor.py").contains("the filters of the request"));
    assert!(said(&["--not-in", first.to_str().unwrap()], "src/other.py").contains("an earlier pack showed it"));
}

#[test]
fn what_contextpack_printed_is_no_source() {
    let world = World::new();
    let print = |arguments: &[&str]| run(&mut world.command(&[&["redirect route"], arguments].concat()), 0).stdout;
    let (markdown, xml, json) = (print(&[]), print(&["--format", "xml"]), print(&["--json"]));
    let before = world.pack(&["redirect route"]);
    plant(&world.tree(), &[("pack.md", &markdown), ("pack.xml", &xml), ("pack.json", &json)]);
    plant(&world.tree(), &[("packs.jsonl", &[&json[..], &json[..]].concat())]);
    plant(&world.tree(), &[("docs/packs.md", b"# Context from my team\n\nThe redirect route was built in 2020.\n")]);
    let after = world.pack(&["redirect route"]);
    let found = paths(&after);
    assert!(found.contains("docs/packs.md"), "a document of the user's is a source: {found:?}");
    assert!(!found.iter().any(|path| path.starts_with("pack")), "{found:?}");
    assert_eq!(after.receipt.files.skipped["ownOutput"], 4);
    assert_eq!(paths(&before).len() + 1, found.len());
    let saved = world.folder.path().join("after.json");
    fs::write(&saved, serde_json::to_string(&after).unwrap()).unwrap();
    let mut why = contextpack();
    why.current_dir(world.tree()).env("XDG_CACHE_HOME", world.folder.path().join("cache"));
    let why = run(why.args(["why-not", "--repo", "."]).arg(saved).arg("pack.md"), 0);
    assert!(String::from_utf8(why.stdout).unwrap().contains("ownOutput"));
}

/// A tree with many small functions.
fn many(world: &World, count: usize) {
    let functions: String =
        (0..count).map(|at| format!("def walnut_{at}():\n    \"\"\"Walnut number {at}.\"\"\"\n    x = {at}\n    y = x\n    return x + y\n\n\n")).collect();
    plant(&world.tree(), &[("src/many.py", functions.as_bytes())]);
}

#[test]
fn caps_follow_the_budget_and_a_cap_that_ended_the_pack_is_named() {
    let world = World::new();
    many(&world, 400);
    let count = |arguments: &[&str]| world.pack(&[&["walnut"], arguments].concat()).items().len();
    let more = count(&["--max-tokens", "32k"]);
    assert!(count(&["--max-tokens", "8k"]) < more && more > 80, "{more}");
    assert_eq!(count(&["--max-items", "3"]), 3);
    let output = run(&mut world.command(&["walnut", "--max-items", "3"]), 0);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("maxItems of 3 ended it and left "), "{said}");
    let pack = world.pack(&["walnut", "--max-items", "3"]);
    assert!(pack.explain.unwrap().caps.iter().any(|cap| cap.cap == "maxItems" && cap.limit == 3));
    let output = run(&mut world.command(&["walnut", "--max-items-per-section", "2"]), 0);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("maxItemsPerSection of 2 left "), "{said}");
    assert!(world.refused(&["walnut", "--max-items", "251"]).contains("POC_E_BUDGET_EXCEEDED"));
    assert!(world.refused(&["walnut", "--max-tokens", "8kk"]).contains("such as 8000 or 8k"));
}

#[test]
fn odd_command_lines_are_understood_or_answered() {
    let world = World::new();
    let said = world.refused(&[]);
    assert!(said.contains("usage: contextpack pack [OPTIONS] [QUERY]"), "{said}");
    let mut command = world.command(&["-", "--json", "--quiet"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"redirect route\n").unwrap();
    let pack: ContextPack = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(pack.request.query.trim(), "redirect route");
    run_within(world.command(&["redirect", "-q", "-j", "100000"]).stdout(Stdio::null()), Duration::from_secs(60));
    assert!(world.refused(&["redirect", "-j", "-1"]).contains("a whole number from 0 up is needed"));
    let request = world.folder.path().join("request.json");
    for text in ["[\"load\"]", "{\"budgets\":[\"x\"]}", "{\"query\":3}", "{\"expansion\":7}"] {
        fs::write(&request, text).unwrap();
        let said = world.refused(&["--request", request.to_str().unwrap()]);
        assert!(
            !["struct", "Budgets", "Expansion", "PackRequest", "u32"].iter().any(|name| said.contains(name)),
            "{said}"
        );
    }
}

#[test]
fn one_pack_whatever_the_surroundings() {
    let world = World::new();
    many(&world, 40);
    let elsewhere = tempdir().unwrap();
    let moved = elsewhere.path().join("a folder/другая/shop");
    copy(&world.tree(), &moved);
    let first = world.folder.path().join("first.json");
    fs::write(&first, run(&mut world.command(&["walnut", "--json", "--max-items", "5"]), 0).stdout).unwrap();
    let cases: [&[&str]; 4] = [
        &["redirect route", "--focus", "src/routes.py", "--focus", "Router"],
        &["--focus", "make_redirect", "--exclude", "docs", "--lang", "python"],
        &["walnut", "--not-in", first.to_str().unwrap(), "--max-tokens", "12k"],
        &["redirect", "--path", "src", "--no-tests", "--max-items", "4"],
    ];
    for arguments in cases {
        for form in ["--format=json", "--format=xml", "--format=markdown"] {
            let arguments = [arguments, &[form, "--quiet"]].concat();
            let here = run(&mut world.command(&[&arguments[..], &["--jobs", "1"]].concat()), 0).stdout;
            assert!(here.len() > 100, "{arguments:?}");
            let mut command = Command::new(contextpack().get_program());
            command.args(["pack", "--repo"]).arg(&moved).args(&arguments).args(["--jobs", "8"]);
            command.env_clear().current_dir(Path::new("/"));
            command.env("XDG_CACHE_HOME", elsewhere.path().join("ещё"));
            command.envs([("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati"), ("HOME", "/nonexistent")]);
            assert_eq!(run(&mut command, 0).stdout, here, "{arguments:?}");
        }
    }
}
