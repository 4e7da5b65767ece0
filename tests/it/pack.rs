//! Packs: budgets that hold to the token, reasons that can be followed, and the same bytes everywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use contextpack::door::pack::{Format, pack, render};
use contextpack::pipeline::PackSource;
use contextpack::record::pack::{ContextPack, ExcerptForm, Explain, TreeState};
use contextpack::record::request::{Intent, PackRequest, SeedMode};
use contextpack::record::{Edge, EvidenceId};
use contextpack::store::Index;
use contextpack::text::Tokenizer;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tempfile::{TempDir, tempdir};

use crate::tool::{chunk, contextpack, copy, graph, home, index_tree, packs, plant, run};

/// The trees of these golden cases side by side.
const FIXTURES: &[&str] = &["graph_python", "graph_typescript", "graph_rust", "markdown"];

struct Fixture {
    folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let fixture = Fixture { folder: tempdir().unwrap() };
        for case in FIXTURES {
            copy(&home().join("golden").join(case).join("input"), &fixture.tree().join(case));
        }
        index_tree(&fixture.tree(), &fixture.index());
        fixture
    }

    /// In a directory of a fixed name, after which packs of the index alone are called.
    fn index(&self) -> PathBuf {
        self.folder.path().join("repository/index")
    }

    fn tree(&self) -> PathBuf {
        self.folder.path().join("repository/tree")
    }
}

/// Queries of a fixture's words, and some that no tree answers.
fn requests() -> impl Strategy<Value = PackRequest> {
    let words =
        ["order", "Amount.add", "total", "parse", "settle_order", "cart", "`stock`", "the", "日本", "😀", "zzz"];
    let query = prop::collection::vec(prop::sample::select(words.to_vec()), 1..6).prop_map(|words| words.join(" "));
    let intents =
        [Intent::Answer, Intent::Summarize, Intent::Refactor, Intent::Debug, Intent::Impact, Intent::Contract];
    let modes = [SeedMode::Code, SeedMode::Prose, SeedMode::Mixed];
    let caps = (0u32..90, 0u32..30, prop_oneof![0u32..400, Just(4096)], prop_oneof![0u32..6000, Just(200_000)]);
    let picks = (prop::sample::select(intents.to_vec()), prop::sample::select(modes.to_vec()), any::<bool>(), 0u32..4);
    (query, caps, picks).prop_map(|(query, (items, per_section, bytes, chars), (intent, seed_mode, cl100k, hops))| {
        let mut request =
            PackRequest { query, intent, seed_mode, repo_id: "fixture".to_string(), ..PackRequest::default() };
        request.tokenizer = if cl100k { Tokenizer::Cl100kBase } else { Tokenizer::O200kBase };
        request.budgets.max_items = items;
        request.budgets.max_items_per_section = per_section;
        request.budgets.max_bytes_per_item = bytes;
        request.budgets.max_total_chars = chars;
        request.expansion.max_hops = hops;
        request
    })
}

/// Checks every cap on the rendered text, and that fewer tokens give the first of the same items.
fn check_budgets(source: &PackSource, requests: impl Strategy<Value = PackRequest>, cases: u32) {
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let tokens = (prop_oneof![0u32..600, 0u32..20_000], prop_oneof![0u32..600, 0u32..20_000]);
    source
        .with(|view| {
            let check = |(mut request, (a, b)): (PackRequest, (u32, u32))| {
                request.budgets.max_total_tokens = a.max(b);
                let large = pack(view, &request).unwrap();
                check_caps(&large);
                request.budgets.max_total_tokens = a.min(b);
                let small = pack(view, &request).unwrap();
                check_caps(&small);
                let uids = |pack: &ContextPack| pack.items().iter().map(|item| item.chunk_uid).collect::<Vec<_>>();
                assert!(uids(&large).starts_with(&uids(&small)), "not a prefix: {request:?}");
                Ok(())
            };
            runner.run(&(requests, tokens), check).unwrap();
            Ok(())
        })
        .unwrap();
}

fn check_caps(pack: &ContextPack) {
    let (request, budgets) = (&pack.request, &pack.request.budgets);
    for (format, tokens, chars) in [
        (Format::Markdown, pack.stats.rendered_tokens.markdown, pack.stats.rendered_chars.markdown),
        (Format::Xml, pack.stats.rendered_tokens.xml, pack.stats.rendered_chars.xml),
    ] {
        let text = render(pack, format);
        assert_eq!(request.tokenizer.count(&text) as u32, tokens, "{request:?}");
        assert_eq!(text.chars().count() as u32, chars, "{request:?}");
        assert!(tokens <= budgets.max_total_tokens && chars <= budgets.max_total_chars, "{request:?}");
    }
    let items = pack.items();
    assert!(items.len() <= budgets.max_items as usize);
    assert!(pack.sections.iter().all(|section| section.items.len() <= budgets.max_items_per_section as usize));
    assert!(items.iter().all(|item| item.excerpt.text.len() <= budgets.max_bytes_per_item as usize));
    assert_eq!(items.iter().map(|item| item.rank).collect::<Vec<_>>(), (1..=items.len() as u32).collect::<Vec<_>>());
    assert_eq!(pack.sections.len(), 10);
    assert!(pack.sections.iter().all(|section| section.items.is_empty() == section.empty.is_some()));
}

#[test]
fn no_budget_is_ever_exceeded_and_smaller_is_a_prefix_of_larger() {
    let fixture = Fixture::new();
    let source = PackSource::open(&fixture.index(), TreeState::Unchecked).unwrap();
    check_budgets(&source, requests(), 300);
}

/// Every line that an item says it shows is that line of its file, to the letter.
fn check_shown(pack: &ContextPack, tree: &Path) {
    for item in pack.items() {
        let text = fs::read_to_string(tree.join(item.file_rel_path.as_str())).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let numbers = item.excerpt.shown.iter().flat_map(|range| range.start..=range.end);
        let shown: Vec<&str> =
            numbers.map(|number| lines[number as usize - 1].trim_end_matches(['\n', '\r'])).collect();
        let said: Vec<&str> = item.excerpt.text.lines().collect();
        assert_eq!(said, shown, "{}", item.file_rel_path);
        assert!(!item.excerpt.truncated || item.excerpt.form != ExcerptForm::Full);
    }
}

/// Every step of every reason is an edge of the graph, with that evidence.
fn check_reasons(pack: &ContextPack, edges: &BTreeMap<String, Vec<EvidenceId>>) -> usize {
    let mut steps = 0;
    for item in pack.items() {
        for (step, evidence) in item.why.path.iter().zip(&item.why.evidence) {
            let key = key(step.from.as_str(), &serde_json::to_string(&step.edge_type).unwrap(), step.to.as_str());
            let known = edges.get(&key).unwrap_or_else(|| panic!("no edge {key}"));
            assert!(known.contains(&step.evidence_id) && step.evidence_id == evidence.evidence_id, "{key}");
            steps += 1;
        }
        assert_eq!(item.why.path.len(), item.why.evidence.len());
    }
    steps
}

fn key(from: &str, edge_type: &str, to: &str) -> String {
    format!("{from} {edge_type} {to}")
}

fn edges(index: &Path) -> BTreeMap<String, Vec<EvidenceId>> {
    let graph = Index::open(&index.join("graph")).unwrap();
    let edges = graph.records::<Edge>().unwrap().map(|edge| edge.unwrap());
    let row = |edge: Edge| {
        let edge_type = serde_json::to_string(&edge.edge_type).unwrap();
        (key(edge.from.as_str(), &edge_type, edge.to.as_str()), edge.evidence)
    };
    edges.map(row).collect()
}

#[test]
fn every_reason_walks_edges_that_are_there_and_every_line_is_the_files() {
    let fixture = Fixture::new();
    let edges = edges(&fixture.index());
    let source = PackSource::open(&fixture.index(), TreeState::Unchecked).unwrap();
    let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
    let steps = std::cell::Cell::new(0);
    source
        .with(|view| {
            let check = |request: PackRequest| {
                let made = pack(view, &request).unwrap();
                check_shown(&made, &fixture.tree());
                steps.set(steps.get() + check_reasons(&made, &edges));
                Ok(())
            };
            runner.run(&requests(), check).unwrap();
            Ok(())
        })
        .unwrap();
    assert!(steps.get() > 100, "only {} steps were looked at", steps.get());
}

#[test]
fn every_reason_of_the_golden_packs_walks_edges_that_are_there() {
    let mut steps = 0;
    for intent in ["answer", "summarize", "refactor", "debug", "impact", "contract"] {
        let case = home().join("golden").join(format!("pack_{intent}"));
        let settings: toml::Table = fs::read_to_string(case.join("case.toml")).unwrap().parse().unwrap();
        let input = home().join("golden").join(settings["input_of"].as_str().unwrap()).join("input");
        let scratch = tempdir().unwrap();
        index_tree(&input, scratch.path());
        let edges = edges(scratch.path());
        for line in fs::read_to_string(case.join("expected/context_packs.jsonl")).unwrap().lines() {
            let pack: ContextPack = serde_json::from_str(line).unwrap();
            check_shown(&pack, &input);
            steps += check_reasons(&pack, &edges);
        }
    }
    assert!(steps > 100, "only {steps} steps were looked at");
}

/// The same on real packages; `.ci/real-trees` gives the folder that holds them.
#[test]
#[ignore = "needs real trees"]
fn real_trees_keep_budgets_and_reasons() {
    let trees = PathBuf::from(std::env::var_os("CONTEXTPACK_TREES").expect("CONTEXTPACK_TREES"));
    for name in ["requests", "zod", "tokio"] {
        let scratch = tempdir().unwrap();
        index_tree(&trees.join(name), scratch.path());
        let source = PackSource::open(scratch.path(), TreeState::Unchecked).unwrap();
        let words = ["session", "parse error", "spawn", "timeout `send`", "schema.parse", "cookie", "Runtime::new"];
        let query = prop::collection::vec(prop::sample::select(words.to_vec()), 1..4).prop_map(|words| words.join(" "));
        let requests = query.prop_map(|query| PackRequest { query, ..PackRequest::default() });
        check_budgets(&source, requests, 120);
        let edges = edges(scratch.path());
        let request = PackRequest { query: words.join(" "), ..PackRequest::default() };
        let made = source.with(|view| pack(view, &request)).unwrap();
        assert!(check_reasons(&made, &edges) > 0, "{name}: no reason was looked at");
        let used = made.stats.rendered_tokens.largest();
        let explain = made.explain.as_ref().unwrap();
        let short = explain.caps.iter().any(|cap| cap.cap == "maxTotalTokens");
        assert!(!short || used >= 7_760, "{name}: only {used} of 8000 tokens are used");
        println!("{name}: {used} of 8000 tokens are used, short: {short}");
    }
}

#[test]
fn one_pack_whatever_the_surroundings() {
    let fixture = Fixture::new();
    let here = |index: &Path, jobs: &str| {
        let mut command = contextpack();
        command.args(["pack", "--json", "--query", "how is an order settled?", "--jobs", jobs, "--index"]).arg(index);
        run(&mut command, 0).stdout
    };
    let first = here(&fixture.index(), "1");
    assert_eq!(here(&fixture.index(), "8"), first, "8 threads");
    let elsewhere = tempdir().unwrap();
    let moved = elsewhere.path().join("a folder/другая");
    copy(&fixture.tree(), &moved);
    // Of where it is, only the name of the directory that holds it may matter.
    let rebuilt = elsewhere.path().join("ещё/repository/rebuilt");
    index_tree(&moved, &rebuilt);
    assert_eq!(here(&rebuilt, "2"), first, "another directory, a rebuilt index");
    let mut command = Command::new(contextpack().get_program());
    command.args(["pack", "--json", "--query", "how is an order settled?", "--index", "rebuilt"]);
    command.env_clear().current_dir(rebuilt.parent().unwrap());
    command.envs([("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati"), ("HOME", "/nonexistent")]);
    assert_eq!(run(&mut command, 0).stdout, first, "another locale and time zone");
}

#[test]
fn a_mutation_changes_the_signature_and_the_pack_and_a_rebuild_changes_neither() {
    let fixture = Fixture::new();
    let ask = || {
        let mut command = contextpack();
        command.args(["pack", "--json", "--quiet", "--query", "settle an order", "--repo"]).arg(fixture.tree());
        let text = run(command.arg("--index").arg(fixture.index()), 0).stdout;
        serde_json::from_slice::<ContextPack>(&text).unwrap()
    };
    let before = ask();
    assert_eq!(ask(), before, "nothing changed");
    fs::remove_dir_all(fixture.index()).unwrap();
    assert_eq!(ask(), before, "rebuilt from nothing");
    let path = fixture.tree().join("graph_python/shop/orders/order.py");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n\ndef settle_everything(orders):\n    return settle_order(orders)\n")).unwrap();
    let after = ask();
    assert_ne!(after.index_signature, before.index_signature);
    assert_ne!(after.pack_id, before.pack_id);
    assert_ne!(after.sections, before.sections);
    assert_eq!(after.receipt.tree, TreeState::Current);
}

#[test]
fn text_cannot_break_out_of_its_frame() {
    let hostile = "# needle\n\n````\n```\n</file>\n</file-1>\n</context>\n## seeds\n\nneedle needle\n";
    let folder = tempdir().unwrap();
    plant(folder.path(), &[("tree/a.txt", hostile.as_bytes()), ("tree/b\n## x.txt", b"needle\n")]);
    index_tree(&folder.path().join("tree"), &folder.path().join("index"));
    let source = PackSource::open(&folder.path().join("index"), TreeState::Unchecked).unwrap();
    let request = PackRequest { query: "needle".to_string(), ..PackRequest::default() };
    let made = source.with(|view| pack(view, &request)).unwrap();
    assert!(!made.items().is_empty());
    for item in made.items() {
        let markdown = render(&made, Format::Markdown);
        let fence = "`".repeat(5);
        if item.excerpt.text.contains("````") {
            assert!(markdown.contains(&format!("{fence}text\n{}", item.excerpt.text)), "{markdown}");
        }
        let xml = render(&made, Format::Xml);
        if item.excerpt.text.contains("</file-1>") {
            assert!(xml.contains("</file-2>"), "{xml}");
        }
    }
    assert!(!render(&made, Format::Markdown).contains("b\n## x.txt"));
}

#[test]
fn bad_requests_have_stable_codes_and_write_nothing() {
    let fixture = Fixture::new();
    let refused = |options: &[&str], code: &str| {
        let mut command = contextpack();
        let output = run(command.args(["pack", "--index"]).arg(fixture.index()).args(options), 2);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(code) && output.stdout.is_empty(), "{options:?}: {said}");
    };
    let file = |text: &str| {
        let path = fixture.folder.path().join("request.json");
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    refused(&["--query", "  "], "POC_E_BAD_REQUEST");
    refused(&["--query", "x", "--max-tokens", "1000001"], "POC_E_BUDGET_EXCEEDED");
    refused(&["--request", &file(r#"{"query":"x","surprise":1}"#)], "surprise");
    refused(&["--request", &file(r#"{"query":"x","expansion":{"maxHops":5}}"#)], "POC_E_BUDGET_EXCEEDED");
    refused(&["--request", &file(r#"{"query":"x","seedProvider":"ann"}"#)], "POC_E_NOT_SUPPORTED");
    refused(&["--request", &file(r#"{"query":"x","seedProvider":"fts"}"#)], "POC_E_NOT_SUPPORTED");
    refused(&["--request", &file(&format!(r#"{{"query":"{}"}}"#, "x ".repeat(600_000)))], "POC_E_BUDGET_EXCEEDED");
    refused(&["--query", "x", "--focus", "file:../a"], "POC_E_BAD_REQUEST");
    refused(&["--query", "x", "--focus", "house:1"], "POC_E_NOT_FOUND");
    refused(&["--read", "--pack-id", "pack:0"], "POC_E_INDEX_MISSING");
    assert!(!fixture.index().join("packs").exists());
    let missing = run(contextpack().args(["pack", "--query", "x", "--index", "/nonexistent"]), 2);
    assert!(String::from_utf8(missing.stderr).unwrap().contains("hint"));
}

#[test]
fn odd_queries_are_answered() {
    let fixture = Fixture::new();
    let million = "order ".repeat(170_000);
    let path = fixture.folder.path().join("query.txt");
    for query in ["the of and", "認証に失敗する", "😀🎉", "\u{0}\u{7}", "order\r\n\r\ntotal", &million] {
        fs::write(&path, query).unwrap();
        let mut command = contextpack();
        command.args(["pack", "--json", "--index"]).arg(fixture.index()).arg("--query-file").arg(&path);
        let made: ContextPack = serde_json::from_slice(&run(&mut command, 0).stdout).unwrap();
        check_caps(&made);
    }
}

/// A trace names lines of a long file, and says little else of them.
#[test]
fn the_lines_that_a_query_names_come_first() {
    let scratch = tempdir().unwrap();
    let function =
        |at: u32| format!("def printer_{at}(standard, line):\n    return standard.printer(line, {at})\n\n\n");
    let file: String = (0..200).map(function).collect();
    let other = "def standard_printer(line):\n    return line\n";
    plant(scratch.path(), &[("tree/app/standard.py", file.as_bytes()), ("tree/app/other.py", other.as_bytes())]);
    index_tree(&scratch.path().join("tree"), &scratch.path().join("index"));
    let source = PackSource::open(&scratch.path().join("index"), TreeState::Unchecked).unwrap();
    let query = "standard printer fails\n  File \"app/standard.py\", line 486, in printer\n";
    let request = PackRequest { query: query.to_string(), ..PackRequest::default() };
    let pack = source.with(|view| pack(view, &request)).unwrap();
    let first = pack.sections.iter().flat_map(|section| &section.items).find(|item| item.rank == 1).unwrap();
    assert!((first.lines.start..=first.lines.end).contains(&486), "{:?}", first.lines);
}

/// What stands in a secret's place is shown, and not called the file's.
#[test]
fn a_line_whose_secret_was_replaced_is_not_shown_to_the_letter() {
    let scratch = tempdir().unwrap();
    let key = format!("def connect():\n    token = \"ghp_{}\"\n    return token\n", "A1b2C3d4E5f6".repeat(3));
    plant(scratch.path(), &[("tree/connect.py", key.as_bytes())]);
    index_tree(&scratch.path().join("tree"), &scratch.path().join("index"));
    let source = PackSource::open(&scratch.path().join("index"), TreeState::Unchecked).unwrap();
    let request = PackRequest { query: "connect".to_string(), ..PackRequest::default() };
    let pack = source.with(|view| pack(view, &request)).unwrap();
    let item = pack.sections.iter().flat_map(|section| &section.items).next().unwrap();
    assert!(item.excerpt.text.contains("REDACTED"), "{}", item.excerpt.text);
    let lines = item.excerpt.shown.iter().map(|lines| (lines.start, lines.end)).collect::<Vec<_>>();
    assert_eq!(lines, [(1, 1), (3, 3)]);
}

/// A tree, its index, and packs of it for whole requests.
fn explained(files: &[(&str, &[u8])], expansion: serde_json::Value) -> Explain {
    let folder = tempdir().unwrap();
    let (tree, index) = (folder.path().join("tree"), folder.path().join("index"));
    plant(&tree, files);
    index_tree(&tree, &index);
    let request = serde_json::json!({ "focus": { "fileRelPath": "shop.py" }, "expansion": expansion });
    let request: PackRequest = serde_json::from_value(request).unwrap();
    let source = PackSource::open(&index, TreeState::Unchecked).unwrap();
    source.with(|view| pack(view, &request)).unwrap().explain.unwrap()
}

#[test]
fn prose_that_names_a_seed_is_walked_once_also_if_it_is_asked_for() {
    let files: &[(&str, &[u8])] =
        &[("shop.py", b"def settle_order():\n    pass\n"), ("notes.md", b"# Notes\n\nSee `settle_order`.\n")];
    let walked = |expansion| explained(files, expansion).edges_walked["doc"];
    assert_eq!(walked(serde_json::json!({ "maxHops": 1 })), 1);
    for direction in ["in", "both"] {
        let asked = serde_json::json!({ "maxHops": 1, "edgeTypes": ["call", "doc"], "direction": direction });
        assert_eq!(walked(asked), 1, "{direction}");
    }
}

#[test]
fn a_walk_reports_the_edges_that_its_cap_cut_off() {
    let files: &[(&str, &[u8])] =
        &[("shop.py", b"def a():\n    pass\n\n\ndef b():\n    a()\n\n\ndef c():\n    a()\n\n\ndef d():\n    a()\n")];
    let caps = |max_edges: u32| {
        let expansion =
            serde_json::json!({ "maxHops": 1, "edgeTypes": ["call"], "direction": "in", "maxEdges": max_edges });
        explained(files, expansion).caps
    };
    assert_eq!(caps(3), [], "three edges are all there are");
    let cut = caps(1);
    assert_eq!(cut.len(), 1, "{cut:?}");
    assert_eq!((cut[0].cap.as_str(), cut[0].limit, cut[0].observed, cut[0].omitted), ("maxEdges", 1, 3, 2));
}

/// No chunk holds the whole of a line that is longer than a chunk may be.
#[test]
fn a_line_that_is_shown_in_part_is_not_listed() {
    let scratch = tempdir().unwrap();
    let long: String = (0..1200).map(|at| format!("walnut{at} ")).collect();
    let text = format!("# walnut first\nshort = 1\n\nlong = \"{long}\"\n\nlast = \"walnut\"\n");
    plant(scratch.path(), &[("tree/nuts.py", text.as_bytes())]);
    let index = scratch.path().join("index");
    index_tree(&scratch.path().join("tree"), &index);
    let mut command = contextpack();
    command.args(["pack", "--json", "--query", "walnut walnut3 walnut600 walnut1199", "--max-tokens", "90000"]);
    let made: ContextPack = serde_json::from_slice(&run(command.arg("--index").arg(&index), 0).stdout).unwrap();
    let shows = |line: &str| made.items().iter().any(|item| item.excerpt.text.contains(line));
    assert!(shows("walnut3 ") && shows("walnut600 ") && shows("walnut1199 ") && shows("last ="));
    let shown = made.items().into_iter().flat_map(|item| item.excerpt.shown.clone());
    let mut shown: Vec<u32> = shown.flat_map(|lines| lines.start..=lines.end).collect();
    shown.sort_unstable();
    assert!(shown.contains(&1) && shown.contains(&6), "{shown:?}");
    assert!(!shown.contains(&4), "no item shows all of line 4: {shown:?}");
}

#[test]
fn packs_are_kept_read_compared_and_explained() {
    let fixture = Fixture::new();
    let tool = |arguments: &[&str], code: i32| {
        let mut command = contextpack();
        command.args(arguments).arg("--index").arg(fixture.index());
        String::from_utf8(run(&mut command, code).stdout).unwrap()
    };
    let small = ["pack", "--query", "settle an order", "--max-tokens", "200", "--write"];
    let small = tool(&small, 0).trim().to_string();
    let large = tool(&["pack", "--query", "settle an order", "--write"], 0).trim().to_string();
    let written = tool(&["pack", "--query", "settle an order", "--write", "--json"], 0);
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(written, serde_json::json!({ "packId": large, "artifact": "packs/context_packs" }));
    let read = |id: &str| tool(&["pack", "--read", "--pack-id", id, "--json"], 0);
    assert_eq!(read(&large), tool(&["pack", "--query", "settle an order", "--json"], 0));
    let kept: ContextPack = serde_json::from_str(&read(&small)).unwrap();
    assert_eq!(kept.pack_id.to_string(), small);
    assert_eq!(tool(&["diff", &small, &small], 0), format!("0 items differ, {} are the same\n", kept.items().len()));
    let said = tool(&["diff", &small, &large], 1);
    assert!(said.contains("budgets.maxTotalTokens") && said.contains(", because of the request\n"), "{said}");
    assert!(said.contains("\n  added at rank ") && !said.contains("{\""), "{said}");
    let markdown = tool(&["diff", &large, &small, "--markdown"], 1);
    assert!(markdown.contains(" | removed, was rank ") && markdown.contains(" | the request |"), "{markdown}");
    assert!(!markdown.contains("{\""), "{markdown}");
    let mut elsewhere = kept.clone();
    elsewhere.index_signature = "sha256:0".to_string();
    let path = fixture.folder.path().join("elsewhere.json");
    fs::write(&path, serde_json::to_string(&elsewhere).unwrap()).unwrap();
    let said = tool(&["diff", path.to_str().unwrap(), &large], 1);
    assert!(said.contains(", because of the tree or the request\n"), "{said}");

    let whole: ContextPack = serde_json::from_str(&read(&large)).unwrap();
    let missing = whole.items()[kept.items().len()].chunk_uid.to_string();
    let why: serde_json::Value = serde_json::from_str(&tool(&["why-not", &small, &missing, "--json"], 0)).unwrap();
    assert_eq!(why["verdict"]["reason"], "budget", "{why}");
    let enters = why["verdict"]["entersAtTokens"].as_u64().unwrap() as u32;
    for (tokens, shown) in [(enters, true), (enters - 1, false)] {
        let tokens = tokens.to_string();
        let text = tool(&["pack", "--query", "settle an order", "--json", "--max-tokens", &tokens], 0);
        let made: ContextPack = serde_json::from_str(&text).unwrap();
        assert_eq!(made.items().iter().any(|item| item.chunk_uid.to_string() == missing), shown, "at {tokens}");
    }
    assert!(tool(&["why-not", &small, "nothing_like_it"], 0).contains("nothing of that name"));
}

#[test]
fn why_not_names_the_cap_the_folder_and_what_was_skipped() {
    let scratch = tempdir().unwrap();
    copy(&home().join("golden/graph_python/input"), &scratch.path().join("tree"));
    plant(&scratch.path().join("tree"), &[("shop/total.png", b"\x89PNG\0\0"), ("shop/none/__init__.py", b"")]);
    let index = scratch.path().join("index");
    index_tree(&scratch.path().join("tree"), &index);
    let request = r#"{"query":"settle an order","budgets":{"maxItems":3}}"#;
    plant(scratch.path(), &[("request.json", request.as_bytes())]);
    let tool = |arguments: &[&str]| {
        let mut command = contextpack();
        command.current_dir(scratch.path()).args(arguments).args(["--index", "index"]);
        String::from_utf8(run(&mut command, 0).stdout).unwrap()
    };
    fs::write(scratch.path().join("pack.json"), tool(&["pack", "--request", "request.json", "--json"])).unwrap();
    let all: ContextPack = serde_json::from_str(&tool(&["pack", "--query", "settle an order", "--json"])).unwrap();
    let later = all.items()[3].chunk_uid.to_string();
    let said = tool(&["why-not", "pack.json", &later]);
    assert!(said.contains(": maxItems of 3 was reached before it: candidate "), "{said}");
    assert!(said.ends_with("; no token budget would show it, for maxItems of 3 comes first\n"), "{said}");
    let why: serde_json::Value = serde_json::from_str(&tool(&["why-not", "pack.json", &later, "--json"])).unwrap();
    assert_eq!(why["verdict"]["cap"], serde_json::json!({ "cap": "maxItems", "limit": 3 }), "{why}");
    let said = tool(&["why-not", "pack.json", "shop/total.png"]);
    assert!(said.ends_with("it was skipped when the tree was read (binary): not text; not chunked\n"), "{said}");
    let said = tool(&["why-not", "pack.json", "shop/none/__init__.py"]);
    assert!(said.ends_with(": it holds nothing to show\n"), "{said}");
    for folder in ["shop", "shop/"] {
        let said = tool(&["why-not", "pack.json", folder]);
        assert!(said.contains("it is a directory with ") && said.contains("name one, such as shop/"), "{said}");
    }
}

#[test]
fn a_batch_goes_on_past_bad_requests_and_knows_what_it_made() {
    let fixture = Fixture::new();
    let requests = fixture.folder.path().join("requests.jsonl");
    fs::write(&requests, "{\"query\":\"order\"}\n\nnot json\n{\"query\":\"total\"}\n{\"query\":\"\"}\n").unwrap();
    let batch = |code: i32, options: &[&str]| {
        let mut command = contextpack();
        command.args(["pack", "--requests"]).arg(&requests).args(options).arg("--index").arg(fixture.index());
        String::from_utf8(run(&mut command, code).stderr).unwrap()
    };
    assert!(batch(0, &[]).contains("2 packs, 0 of them known, 2 requests refused"));
    assert!(batch(1, &["--strict"]).contains("2 packs, 2 of them known"));
    let problems = run(contextpack().arg("cat").arg(fixture.index().join("packs")).arg("problems"), 0).stdout;
    let problems = String::from_utf8(problems).unwrap();
    assert!(problems.contains(r#""lines":{"end":3,"start":3}"#) && problems.contains(r#""lines":{"end":5,"start":5}"#));
    run(contextpack().arg("verify").arg("--deep").arg(fixture.index().join("packs")), 0);
}

#[test]
fn indexes_are_compared() {
    let fixture = Fixture::new();
    let other = tempdir().unwrap();
    copy(&fixture.tree(), &other.path().join("tree"));
    fs::write(other.path().join("tree/graph_python/shop/money.py"), "X = 1\n").unwrap();
    index_tree(&other.path().join("tree"), &other.path().join("index"));
    let diff = |b: &Path, code: i32| {
        let output = run(contextpack().arg("diff").arg(fixture.index()).arg(b), code);
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(diff(&fixture.index(), 0), "the same\n");
    let said = diff(&other.path().join("index"), 1);
    assert!(said.starts_with("~ graph_python/shop/money.py\n") && said.contains("chunk/chunk_meta"), "{said}");
    // Where both keep packs of the same requests, also what became of their items; as a comment.
    fs::write(other.path().join("asked"), "{\"query\":\"money and orders\"}\n{\"query\":\"a | b\"}\n").unwrap();
    packs(&fixture.index(), &other.path().join("asked"), &[]);
    fs::write(other.path().join("asked"), "{\"query\":\"money and orders\",\"repoId\":\"elsewhere\"}\n").unwrap();
    packs(&other.path().join("index"), &other.path().join("asked"), &[]);
    let said = diff(&other.path().join("index"), 1);
    assert!(said.contains("\npack `money and orders`: ") && said.ends_with("pack `a | b`: gone\n"), "{said}");
    let mut markdown = contextpack();
    markdown.arg("diff").arg(fixture.index()).arg(other.path().join("index")).arg("--markdown");
    let said = String::from_utf8(run(&mut markdown, 1).stdout).unwrap();
    let rows = |start: &str| said.lines().filter(|line| line.starts_with(start)).count();
    assert!(said.starts_with("### Context: files changed 1, added 0, removed 0\n\n| file | |\n| --- | --- |\n"));
    assert_eq!(rows("| `graph_python/shop/money.py` | changed |"), 1, "{said}");
    assert_eq!(rows("| `money and orders` | ") + rows("| `a \\| b` | gone | –"), 2, "{said}");
    assert_eq!(rows("| `chunk/chunk_meta` | "), 1, "{said}");
    let same = run(contextpack().arg("diff").arg(fixture.index()).arg(fixture.index()).arg("--markdown"), 0);
    assert_eq!(String::from_utf8(same.stdout).unwrap(), "### Context: nothing changed\n");
}

#[test]
fn an_index_whose_graph_is_of_other_chunks_is_refused() {
    let fixture = Fixture::new();
    fs::write(fixture.tree().join("new.py"), "def new(): pass\n").unwrap();
    run(
        contextpack().args(["chunk", "--source"]).arg(fixture.tree()).arg("--out").arg(fixture.index().join("chunk")),
        0,
    );
    let output = run(contextpack().args(["pack", "--query", "order", "--index"]).arg(fixture.index()), 2);
    assert!(String::from_utf8(output.stderr).unwrap().contains("contextpack graph"));
}

#[test]
fn the_receipt_says_whether_the_tree_has_changed() {
    let fixture = Fixture::new();
    let ask = || {
        let mut command = contextpack();
        command.args(["pack", "--json", "--no-refresh", "--query", "order", "--repo"]).arg(fixture.tree());
        let output = run(command.arg("--index").arg(fixture.index()), 0);
        serde_json::from_slice::<ContextPack>(&output.stdout).unwrap().receipt.tree
    };
    assert_eq!(ask(), TreeState::Current);
    fs::write(fixture.tree().join("graph_python/shop/money.py"), "X = 1\n").unwrap();
    assert_eq!(ask(), TreeState::Changed);
}

#[test]
fn a_missing_piece_and_an_older_index_are_named() {
    let fixture = Fixture::new();
    let refused = |code: &str| {
        let output = run(contextpack().args(["pack", "--query", "order", "--index"]).arg(fixture.index()), 2);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(code) && output.stdout.is_empty(), "{said}");
    };
    let chunk = fixture.index().join("chunk");
    let manifest = fs::read_to_string(chunk.join("manifest.json")).unwrap();
    fs::write(chunk.join("manifest.json"), manifest.replace("\"schemaVersion\":2", "\"schemaVersion\":1")).unwrap();
    refused("POC_E_CONTRACT_VERSION");
    fs::write(chunk.join("manifest.json"), &manifest).unwrap();
    let pieces = fs::read_dir(&chunk).unwrap().map(|entry| entry.unwrap().path());
    let pieces: Vec<PathBuf> =
        pieces.filter(|path| path.extension().is_some_and(|end| end == "bin" || end == "zst")).collect();
    let terms = pieces.iter().find(|path| path.extension().is_some_and(|end| end == "bin")).unwrap();
    fs::remove_file(terms).unwrap();
    refused("POC_E_INDEX_CORRUPT");
}

/// A function that is longer than a chunk is shown whole and in order, although the query matches only its middle.
#[test]
fn the_parts_of_a_function_are_chosen_together() {
    let folder = tempdir().unwrap();
    let step = |number: u32| format!("    total = total * {number} + offset_of_step({number})\n");
    let steps = |from: u32| (from..from + 12).map(step).collect::<String>();
    let long = format!(
        "def settle(total):\n{}    needle = total\n{}    return total\n",
        steps(0),
        steps(20) + &steps(40) + &steps(60)
    );
    let other: String = (0..30).map(|at| format!("def other_{at}(needle):\n    return needle + {at}\n\n\n")).collect();
    plant(folder.path(), &[("tree/long.py", long.as_bytes()), ("tree/other.py", other.as_bytes())]);
    let (tree, index) = (folder.path().join("tree"), folder.path().join("index"));
    chunk(&tree, &index.join("chunk"), &["--max-chunk-bytes", "600"]);
    graph(&index, &[]);
    let source = PackSource::open(&index, TreeState::Unchecked).unwrap();
    let request = PackRequest { query: "settle needle".to_string(), ..PackRequest::default() };
    let made = source.with(|view| pack(view, &request)).unwrap();
    let ranks: Vec<u32> =
        made.items().iter().filter(|item| item.file_rel_path.as_str() == "long.py").map(|item| item.rank).collect();
    assert!(ranks.len() > 3, "it is cut: {ranks:?}");
    assert!(ranks.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{ranks:?}");
    assert!(render(&made, Format::Markdown).contains(&long), "one excerpt, without a gap");
}
