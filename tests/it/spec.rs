//! Spec documents through the real binary: the seed's acceptance criteria, budgets, unknown ids, the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use contextpack::door::spec::{Library, bundle, render};
use contextpack::pipeline::SpecSource;
use contextpack::record::bundle::{BundleRequest, ContextBundle, ContextItem, LinkDirection, TokenCounter};
use contextpack::record::{
    Edge, EdgeStatus, EdgeType, Item, Kind, Lines, NodeId, Problem, ProblemCode, SpecRole, Symbol,
};
use contextpack::store::{Index, Input};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::tool::{artifacts, bytes, contextpack, copy, home, index_tree, run};

/// Twenty documents in Japanese and English, some of them faulty.
fn tree() -> PathBuf {
    home().join("golden/graph_spec/input")
}

thread_local! {
    /// The user's home. Every test runs on a thread of its own, so no test waits for an index of another.
    static HOME: TempDir = tempdir().unwrap();
}

/// A `spec` command whose indexes go below the home of the test.
fn spec_command(arguments: &[&str]) -> Command {
    let mut command = contextpack();
    HOME.with(|home| command.env("HOME", home.path()));
    command.arg("spec").args(arguments);
    command
}

/// What `spec` prints about a tree, when it ends with a code.
#[track_caller]
fn spec_in(tree: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let output = run(spec_command(arguments).arg("--repo").arg(tree), code);
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[track_caller]
fn context(arguments: &[&str]) -> ContextBundle {
    let (printed, _) = spec_in(&tree(), &[&["context"], arguments].concat(), 0);
    serde_json::from_str(&printed).unwrap()
}

/// Calls with the documents of the fixture.
fn with_library<R>(work: impl FnOnce(&Library) -> R) -> R {
    let folder = indexed();
    let source = SpecSource::open(&tree(), folder.path(), None).unwrap();
    source.with(|library| Ok(work(library))).unwrap()
}

fn bundle_of(library: &Library, request: Value) -> ContextBundle {
    bundle(library, &serde_json::from_value::<BundleRequest>(request).unwrap()).unwrap()
}

fn ids(bundle: &ContextBundle) -> Vec<&str> {
    bundle.items.iter().map(|item| item.id.as_str()).collect()
}

#[test]
fn acceptance_1_a_seed_alone_with_the_sections_for_tools() {
    let bundle = context(&["REQ-201", "--depth", "0"]);
    assert_eq!(ids(&bundle), ["REQ-201"]);
    let rules: Vec<&str> = bundle.items[0].sections.iter().map(|section| section.rule_id.as_str()).collect();
    assert_eq!(rules, ["llm_brief", "usage", "req_summary", "req_background", "req_acceptance"]);
    let headings: Vec<&str> = bundle.items[0].sections.iter().map(|section| section.heading.as_str()).collect();
    assert_eq!(headings[2], "## 4. Summary");
    let all = render(&bundle);
    assert!(all.contains("### 6.1 境界"), "what stands below a heading is part of its section");
    assert!(!all.contains("ここはツールに渡さない"), "what no rule names is left out");
}

#[test]
fn acceptance_2_neighbours_over_trace_and_read_next() {
    let bundle = context(&["REQ-201", "--depth", "1"]);
    let found: Vec<(&str, u32)> = bundle.items.iter().map(|item| (item.id.as_str(), item.distance)).collect();
    let expected = [("REQ-201", 0), ("IF-200", 1), ("DATA-101", 1), ("TEST-201", 1), ("REF-010", 1)];
    assert_eq!(found, expected, "REF-010 is linked by read_next alone, by its bare name");
    let back = context(&["IF-210", "--direction", "in"]);
    assert_eq!(ids(&back), ["IF-210", "NFR-300", "REQ-202", "IF-200", "IF-220", "TEST-202"]);
}

#[test]
fn acceptance_3_roles_that_are_not_asked_for_are_not_there() {
    let all = context(&["REQ-201", "--depth", "3", "--direction", "both"]);
    let roles = |bundle: &ContextBundle| bundle.items.iter().map(|item| item.role).collect::<BTreeSet<_>>();
    assert!(roles(&all).is_superset(&[SpecRole::Data, SpecRole::Test, SpecRole::Task].into()));
    let some = context(&["REQ-201", "--depth", "3", "--direction", "both", "--roles", "req,if"]);
    assert_eq!(roles(&some), [SpecRole::Req, SpecRole::If].into());
    let scoped = context(&["REQ-201", "--depth", "3", "--direction", "both", "--scopes", "client.query_engine"]);
    assert_eq!(ids(&scoped), ["REQ-201", "IF-200", "DATA-101", "TEST-201"]);
}

#[test]
fn acceptance_4_no_budget_is_exceeded() {
    with_library(|library| {
        for (tokenizer, step) in
            [(TokenCounter::O200kBase, 1), (TokenCounter::Cl100kBase, 7), (TokenCounter::Approx, 7)]
        {
            let most = check_budgets(library, tokenizer, step);
            assert!(most > 8, "large budgets hold all of it");
        }
    });
    let bundle = context(&["REQ-201", "--max-tokens", "120"]);
    assert!(bundle.approx_tokens_total <= 120 && bundle.approx_tokens_total > 40, "{}", bundle.approx_tokens_total);
    let (markdown, _) = spec_in(&tree(), &["context", "REQ-201", "--max-tokens", "120", "--format", "markdown"], 0);
    assert!(TokenCounter::O200kBase.count(&markdown) <= 120 && !markdown.is_empty());
    assert_eq!(context(&["REQ-201", "--max-tokens", "0"]).items, []);
}

/// Checks that no budget is exceeded and that a larger one holds no less; the most documents that a bundle holds.
fn check_budgets(library: &Library, tokenizer: TokenCounter, step: usize) -> usize {
    let (mut most, mut before) = (0, Vec::new());
    for budget in (0..1300).step_by(step) {
        let request =
            json!({"seed_ids": ["REQ-201", "REQ-202"], "depth": 2, "max_tokens": budget, "tokenizer": tokenizer});
        let bundle = bundle_of(library, request);
        check_budget(&bundle);
        let whole = whole_sections(&bundle);
        assert!(before.iter().all(|section| whole.contains(section)), "{budget} holds less than a smaller one");
        before = whole;
        most = most.max(bundle.items.len());
    }
    most
}

/// The sums, and the tokens of the text that a model is given.
fn check_budget(bundle: &ContextBundle) {
    let sections = bundle.items.iter().flat_map(|item| &item.sections);
    assert_eq!(sections.map(|section| section.approx_tokens).sum::<u32>(), bundle.approx_tokens_total);
    let tokens = bundle.tokenizer.count(&render(bundle));
    let exact = bundle.tokenizer != TokenCounter::Approx;
    assert!(tokens <= bundle.rendered_tokens && (tokens == bundle.rendered_tokens || !exact), "{bundle:?}");
    let max = bundle.max_tokens.unwrap_or(u32::MAX);
    let in_truth = if exact { tokens } else { TokenCounter::O200kBase.count(&render(bundle)) };
    assert!(in_truth <= max, "{in_truth} tokens: {bundle:?}");
    assert!(bundle.approx_tokens_total <= bundle.rendered_tokens && bundle.rendered_tokens <= max, "{bundle:?}");
}

/// Documents and rules of the sections that were not shortened.
fn whole_sections(bundle: &ContextBundle) -> Vec<(String, String)> {
    let of_item = |item: &ContextItem| {
        let whole = item.sections.iter().filter(|section| !section.truncated);
        whole.map(|section| (item.file.clone(), section.rule_id.clone())).collect::<Vec<_>>()
    };
    bundle.items.iter().flat_map(of_item).collect()
}

#[test]
fn any_request_keeps_its_budget() {
    with_library(check_any_request);
}

fn check_any_request(library: &Library) {
    let ids = library.documents.iter().map(|document| document.id).filter(|id| !id.is_empty());
    let names: Vec<String> = ids.chain(["X-1"]).map(str::to_string).collect();
    let picks = (prop::collection::vec(prop::sample::select(names), 0..4), 0u32..4, prop::option::of(0u32..2000));
    let words = (
        prop::sample::select(vec!["out", "in", "both"]),
        prop::sample::select(vec!["default", "req-focused", "impl-focused"]),
        prop::sample::select(vec!["o200k_base", "cl100k_base", "approx"]),
    );
    let mut runner = TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
    let check = |((seeds, depth, max), (direction, strategy, tokenizer))| {
        let request = json!({"seed_ids": seeds, "depth": depth, "max_tokens": max, "direction": direction,
            "strategy": strategy, "tokenizer": tokenizer});
        check_budget(&bundle_of(library, request));
        Ok(())
    };
    runner.run(&(picks, words), check).unwrap();
}

#[test]
fn acceptance_5_the_same_bytes_whatever_the_surroundings() {
    let arguments = ["context", "REQ-201", "REQ-202", "--depth", "3", "--direction", "both", "--max-tokens", "900"];
    let (first, said) = spec_in(&tree(), &arguments, 0);
    let scratch = tempdir().unwrap();
    let elsewhere = scratch.path().join("a folder/другая");
    copy(&tree(), &elsewhere);
    for threads in ["1", "2", "8"] {
        let mut command = spec_command(&arguments);
        command.args(["--repo", "."]).current_dir(&elsewhere);
        command.envs([("LC_ALL", "tr_TR.UTF-8"), ("LANG", "ja_JP.SJIS"), ("TZ", "Pacific/Kiritimati")]);
        command.env("RAYON_NUM_THREADS", threads);
        let output = run(&mut command, 0);
        assert_eq!(String::from_utf8(output.stdout).unwrap(), first, "{threads} threads");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
    }
}

#[test]
fn strategies_change_what_comes_first_and_not_the_form() {
    let first_roles = |strategy: &str| {
        let arguments =
            ["IF-220", "--depth", "2", "--direction", "both", "--max-tokens", "400", "--strategy", strategy];
        let bundle = context(&arguments);
        let count = |role| bundle.items.iter().filter(|item| item.role == role).count();
        (count(SpecRole::Req), count(SpecRole::If))
    };
    let (requirements, _) = first_roles("req-focused");
    let (fewer, interfaces) = first_roles("impl-focused");
    assert!(requirements >= 2 && fewer == 0 && interfaces >= 2, "{requirements} {fewer} {interfaces}");
}

#[test]
fn unknown_ids_are_said_and_the_rest_is_done() {
    let (printed, said) = spec_in(&tree(), &["context", "REQ-201", "REQ-999", "--depth", "0"], 0);
    let bundle: ContextBundle = serde_json::from_str(&printed).unwrap();
    assert_eq!(ids(&bundle), ["REQ-201"]);
    assert_eq!(bundle.unknown_ids, ["REQ-999"]);
    assert!(said.contains("no document has the id `REQ-999`"), "{said}");
    let (printed, said) = spec_in(&tree(), &["context", "REQ-998", "REQ-999"], 1);
    let empty: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&empty["items"], &empty["unknown_ids"]), (&json!([]), &json!(["REQ-998", "REQ-999"])));
    assert!(said.contains("REQ-998") && said.contains("REQ-999"), "{said}");
    spec_in(&tree().join("gone"), &["context", "REQ-201"], 2);
}

#[test]
fn the_schema_is_the_one_that_is_given_or_the_trees_own() {
    let scratch = tempdir().unwrap();
    let own = scratch.path().join("tree");
    copy(&tree(), &own);
    let rule =
        |text: &str| format!("rules:\n  - {{id: only, heading: {{text: {text}, match: exact}}, tool_source: true}}\n");
    let rules = |arguments: &[&str]| {
        let (printed, _) = spec_in(&own, &[&["context", "REQ-201", "--depth", "0"], arguments].concat(), 0);
        let bundle: ContextBundle = serde_json::from_str(&printed).unwrap();
        bundle.items[0].sections.iter().map(|section| section.heading.clone()).collect::<Vec<_>>()
    };
    assert_eq!(rules(&[]).len(), 5);
    std::fs::write(own.join("docs/spec_section_schema.yaml"), rule("今後の検討")).unwrap();
    assert_eq!(rules(&[]), ["## 7. 今後の検討"]);
    let given = scratch.path().join("given.yaml");
    std::fs::write(&given, rule("背景")).unwrap();
    assert_eq!(rules(&["--schema", given.to_str().unwrap()]), ["## 5. 背景"]);
    std::fs::write(&given, "rules: {").unwrap();
    let (_, said) = spec_in(&own, &["context", "REQ-201", "--schema", given.to_str().unwrap()], 2);
    assert!(said.contains("section schema") && said.contains("line 1"), "{said}");
}

/// What a command prints about the fixture, as JSON.
#[track_caller]
fn printed(arguments: &[&str]) -> Value {
    serde_json::from_str(&spec_in(&tree(), arguments, 0).0).unwrap()
}

#[test]
fn the_index_says_what_documents_say_of_themselves() {
    let index = printed(&["index"]);
    let nodes = index["nodes"].as_array().unwrap();
    let ids: Vec<&str> = nodes.iter().map(|node| node["id"].as_str().unwrap()).collect();
    assert!(ids.is_sorted() && ids.len() == 18, "{ids:?}");
    assert_eq!(ids.iter().filter(|id| **id == "REQ-202").count(), 2, "both of one id are listed");
    let node = nodes.iter().find(|node| node["id"] == "NFR-300").unwrap();
    assert_eq!(node["trace"], json!({"req": ["REQ-202"], "if": ["IF-210", "IF-220"]}));
    assert_eq!(node["frontmatter_range"], json!({"start": 1, "end": 8}));
    assert_eq!(node["summary"], "A query takes 20 ms at the most, measured at the 95th percentile.");
    assert_eq!((&node["role"], &node["status"]), (&json!("req"), &json!("draft")));
    let raw = std::fs::read(tree().join(node["file"].as_str().unwrap())).unwrap();
    assert_eq!(node["hash"], contextpack::record::Digest::sha256(&raw).as_str());
    assert!(node.get("dp").is_none() && index["root"] == ".");
}

/// The index tells of the file, a bundle's id of what was read of it.
#[test]
fn the_hash_of_the_index_is_of_the_raw_file() {
    let tree = tempdir().unwrap();
    let written = |key: &str| {
        let text =
            format!("---\nkind: tasks\nscope: s\nid: TASK-001\nspec_title: t\nstatus: draft\n---\n## Summary\n{key}\n");
        std::fs::write(tree.path().join("a.md"), &text).unwrap();
        let index: Value = serde_json::from_str(&spec_in(tree.path(), &["index"], 0).0).unwrap();
        assert_eq!(index["nodes"][0]["hash"], contextpack::record::Digest::sha256(text.as_bytes()).as_str());
        let bundle: Value = serde_json::from_str(&spec_in(tree.path(), &["context", "TASK-001"], 0).0).unwrap();
        assert!(!bundle.to_string().contains(key), "{bundle}");
        bundle["bundle_id"].clone()
    };
    let key = |last: &str| format!("AKIA{}{last}", "Z7QW3ERT5YUI2OP");
    assert_eq!(written(&key("A")), written(&key("B")));
}

#[test]
fn search_finds_words_and_ids_in_both_languages() {
    let found = |query: &str, more: &[&str]| {
        let hits = printed(&[&["search", query], more].concat());
        let ids = hits.as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_string());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(found("latency of a query", &["--limit", "1"]), ["NFR-300"]);
    assert_eq!(found("数字列", &["--limit", "2"]), ["REQ-201", "IF-200"]);
    assert_eq!(found("REQ-202", &["--limit", "1"]), ["REQ-202"]);
    assert_eq!(found("数字列", &["--roles", "if"]), ["IF-200"]);
    assert_eq!(found("zzz", &[]), [""; 0]);
    let hit = &printed(&["search", "latency"])[0];
    assert_eq!(hit["snippet"], "# NFR-300: Latency of a query");
    assert_eq!(hit["matched_fields"], json!(["spec_title", "body"]));
}

#[test]
fn impact_names_what_is_touched_and_how() {
    let nodes = |arguments: &[&str]| {
        let impact = printed(&[&["impact"], arguments].concat());
        let nodes = impact["nodes"].as_array().unwrap().iter();
        let row = |node: &Value| json!([node["id"], node["category"], node["from_changed"], node["sample_path"]]);
        nodes.map(row).collect::<Vec<_>>()
    };
    let forward = nodes(&["REQ-201", "--mode", "forward", "--max-distance", "1"]);
    let direct = |id: &str| json!([id, "downstream_direct", ["REQ-201"], ["REQ-201", id]]);
    let changed = json!(["REQ-201", "changed", ["REQ-201"], ["REQ-201"]]);
    assert_eq!(forward, [changed, direct("DATA-101"), direct("IF-200"), direct("TEST-201")]);
    let backward = nodes(&["DATA-102", "IF-220", "--mode", "backward", "--max-distance", "2", "--roles", "test,task"]);
    let test = json!(["TEST-202", "upstream_indirect", ["DATA-102", "IF-220"], ["DATA-102", "IF-210", "TEST-202"]]);
    assert_eq!(backward, [json!(["TASK-400", "upstream_direct", ["IF-220"], ["IF-220", "TASK-400"]]), test]);
    let with_links = nodes(&["REQ-201", "--mode", "forward", "--max-distance", "1", "--include-doc-links"]);
    assert_eq!(with_links.len(), forward.len() + 1, "REF-010 is only a read_next");
    let (_, said) = spec_in(&tree(), &["impact", "REQ-999"], 1);
    assert!(said.contains("REQ-999"), "{said}");
}

#[test]
fn a_prompt_says_where_each_section_stands() {
    let prompt = printed(&["prompt", "IF-200", "--preset", "review", "--max-tokens", "700"]);
    let text: Vec<char> = prompt["context_markdown"].as_str().unwrap().chars().collect();
    let items = prompt["context_items"].as_array().unwrap();
    assert!(items.len() > 8, "{items:?}");
    for item in items {
        let (start, end) = (item["start_offset"].as_u64().unwrap(), item["end_offset"].as_u64().unwrap());
        let section: String = text[start as usize..end as usize].iter().collect();
        assert_eq!(section.lines().next(), item["heading"].as_str());
    }
    assert!(items.iter().any(|item| item["id"] == "REQ-201"), "a review shows who asks for it");
    let implement = printed(&["prompt", "IF-230", "--preset", "implement"]);
    assert_eq!(implement["preset"], "implement");
}

#[test]
fn lint_names_every_fault_and_fails_by_level() {
    let (text, _) = spec_in(&tree(), &["lint"], 1);
    let rules: Vec<&str> = text.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(rules, ["FM-000:", "FM-001:", "ID-002:", "SEC-001:", "TR-001:", "SEC-002:", "TR-002:"], "{text}");
    assert!(text.starts_with("docs/broken/REQ-900_broken.md:5: error FM-000: "), "{text}");
    let scratch = tempdir().unwrap();
    let sound = "---\nkind: tasks\nscope: s\nid: TASK-001\nspec_title: t\nstatus: draft\ndoc:\n  read_next: [gone.md]\n\
        ---\n## LLM_BRIEF\n## Summary\n";
    std::fs::write(scratch.path().join("a.md"), sound).unwrap();
    spec_in(scratch.path(), &["lint"], 0);
    let (findings, _) = spec_in(scratch.path(), &["lint", "--fail-level", "warning", "--json"], 1);
    let findings: Value = serde_json::from_str(&findings).unwrap();
    assert_eq!((&findings[0]["rule"], &findings[0]["line"]), (&json!("TR-002"), &json!(8)));
    spec_in(&scratch.path().join("gone"), &["lint"], 2);
}

/// The fixture's index, made by both stages.
fn indexed() -> TempDir {
    let folder = tempdir().unwrap();
    index_tree(&tree(), folder.path());
    folder
}

#[test]
fn the_chunk_stage_records_ids_roles_and_faulty_front_matter() {
    let folder = indexed();
    let chunks = Index::open(&folder.path().join("chunk")).unwrap();
    let symbols = chunks.records::<Symbol>().unwrap().map(Result::unwrap);
    let specs: Vec<Symbol> = symbols.filter(|symbol| symbol.kind == Kind::Spec).collect();
    assert_eq!(specs.len(), 18);
    let nfr = specs.iter().find(|symbol| symbol.name == "NFR-300").unwrap();
    assert_eq!((nfr.value_type.as_deref(), nfr.lines), (Some("req"), Lines { start: 1, end: 8 }));
    let problems = chunks.records::<Problem>().unwrap().map(Result::unwrap);
    let said: Vec<String> = problems
        .filter(|problem| problem.code == ProblemCode::Spec)
        .map(|problem| format!("{}:{} {}", problem.file_rel_path, problem.lines.unwrap().start, problem.message))
        .collect();
    let sections = chunks.records::<Symbol>().unwrap().map(Result::unwrap);
    let rules: Vec<(String, Option<String>)> = sections
        .filter(|symbol| symbol.file_rel_path.as_str().ends_with("REQ-202_ranking.md") && symbol.kind == Kind::Section)
        .map(|symbol| (symbol.name, symbol.value_type))
        .collect();
    let rule = |heading: &str| rules.iter().find(|(name, _)| name == heading).and_then(|(_, rule)| rule.as_deref());
    assert_eq!((rule("LLM_BRIEF"), rule("Non-goals")), (Some("llm_brief"), Some("req_non_goals")), "{rules:?}");
    let unread = "docs/broken/REQ-900_broken.md:5 a spec document's front matter cannot be read: \
                  a quote is not closed, or its next lines are not indented";
    assert_eq!(said, [unread, "docs/interfaces/IF-240_no_status.md:1 a spec document has no `status`"]);
}

#[test]
fn no_spec_document_is_passed_over_in_silence() {
    let scratch = tempdir().unwrap();
    let (tree, index) = (scratch.path().join("tree"), scratch.path().join("index"));
    std::fs::create_dir(&tree).unwrap();
    let keys = "kind: requirements\nscope: s\nstatus: draft\n";
    for (name, text) in [
        ("a.md", format!("---\n{keys}id: REQ-001\nspec_title: t\n\n# No end\n")),
        ("b.md", format!("---\n\n{keys}id: REQ-002\nspec_title: t\n---\n")),
        ("c.md", format!("---\n{keys}---\n")),
        ("d.md", "---\n\nA rule, and no front matter.\n\n---\n".to_string()),
    ] {
        std::fs::write(tree.join(name), text).unwrap();
    }
    let (said, _) = spec_in(&tree, &["lint"], 1);
    let rules: Vec<&str> = said.lines().filter(|line| line.contains(" FM-")).map(|line| &line[..25]).collect();
    assert_eq!(
        rules,
        ["a.md:1: error FM-000: its", "c.md:1: error FM-001: it ", "c.md:1: error FM-001: it "],
        "{said}"
    );
    spec_in(&tree, &["context", "REQ-002"], 0);
    index_tree(&tree, &index);
    let chunks = Index::open(&index.join("chunk")).unwrap();
    let problems = chunks.records::<Problem>().unwrap().map(Result::unwrap);
    let said: Vec<String> = problems.map(|problem| format!("{}: {}", problem.file_rel_path, problem.message)).collect();
    assert_eq!(said[0], "a.md: a spec document's front matter cannot be read: no line `---` ends it");
    assert_eq!(said[1..], ["c.md: a spec document has no `id`", "c.md: a spec document has no `spec_title`"]);
}

/// A link at a document of some id: the id, the file at the other end, and whether another document was as likely.
type LinkRow = (String, String, bool);

/// What bundles of depth 1 reach is what the edges of the graph lead to, in both directions. A link to a duplicate id
/// leads to all documents that have it, and is ambiguous.
#[test]
fn the_graph_has_the_links_of_the_bundle() {
    let folder = indexed();
    let source = SpecSource::open(&tree(), folder.path(), None).unwrap();
    for direction in [LinkDirection::Out, LinkDirection::In] {
        let walked = source.with(|library| Ok(links_of_bundles(library, direction))).unwrap();
        assert_eq!(walked, links_of_graph(folder.path(), direction), "{direction:?}");
        assert!(walked.len() > 25, "{}", walked.len());
        assert!(walked.iter().any(|(_, _, is_ambiguous)| *is_ambiguous), "one id of the fixture is a duplicate");
    }
}

fn links_of_bundles(library: &Library, direction: LinkDirection) -> BTreeSet<LinkRow> {
    let ids: BTreeSet<&str> = library.documents.iter().map(|document| document.id).collect();
    let mut links = BTreeSet::new();
    for id in ids.into_iter().filter(|id| !id.is_empty()) {
        let bundle = bundle_of(library, json!({"seed_ids": [id], "depth": 1, "direction": direction}));
        let duplicates: Vec<&String> =
            bundle.warnings.iter().filter(|warning| warning.starts_with("duplicate id ")).collect();
        for item in bundle.items.iter().filter(|item| item.distance == 1) {
            let target = if direction == LinkDirection::Out { &item.id } else { id };
            let is_ambiguous = duplicates.iter().any(|warning| warning.contains(&format!("`{target}`")));
            links.insert((id.to_string(), item.file.clone(), is_ambiguous));
        }
    }
    links
}

fn links_of_graph(index: &Path, direction: LinkDirection) -> BTreeSet<LinkRow> {
    let (chunks, graph) = (Index::open(&index.join("chunk")).unwrap(), Index::open(&index.join("graph")).unwrap());
    let items = chunks.records::<Item>().unwrap().map(Result::unwrap);
    let items = items.filter(|item| item.kind == "spec" && item.field("id").is_some());
    let documents: BTreeMap<NodeId, Item> = items.map(|item| (item.node_id.clone(), item)).collect();
    let edges = graph.records::<Edge>().unwrap().map(Result::unwrap);
    let edges = edges.filter(|edge| matches!(edge.edge_type, EdgeType::Trace | EdgeType::ReadNext));
    let link = |edge: Edge| {
        let (from, to) = (documents.get(&edge.from)?, documents.get(&edge.to)?);
        let (seed, other) = if direction == LinkDirection::Out { (from, to) } else { (to, from) };
        let is_ambiguous = edge.status == EdgeStatus::Ambiguous;
        let row = (seed.source_id.clone(), other.file_rel_path.to_string(), is_ambiguous);
        (seed.source_id != other.source_id).then_some(row)
    };
    edges.filter_map(link).collect()
}

#[test]
fn a_pack_for_code_shows_the_requirement_behind_it() {
    let folder = indexed();
    let mut command = contextpack();
    command.args(["pack", "--focus", "file:src/segments.py", "--json", "--max-tokens", "6000", "--index"]);
    let output = run(command.arg(folder.path()), 0);
    let pack: Value = serde_json::from_slice(&output.stdout).unwrap();
    let items = pack["sections"].as_array().unwrap().iter().flat_map(|section| section["items"].as_array().unwrap());
    let shown = |path: &str, rule: &str| {
        let mut items = items.clone();
        items.any(|item| item["fileRelPath"] == path && item["why"]["rule"] == rule)
    };
    assert!(shown("docs/interfaces/IF-200_segmenter.md", "doc-neighbor"));
    assert!(shown("docs/tests/TEST-201_segments.md", "trace-neighbor"), "it traces to what names the code");
}

#[test]
fn a_batch_gives_what_single_runs_give_and_names_bad_lines() {
    let scratch = tempdir().unwrap();
    let requests = scratch.path().join("requests.jsonl");
    let lines =
        "{\"seed_ids\":[\"REQ-201\"],\"max_tokens\":300}\n\n{\"seeds\":[]}\n{\"seed_ids\":[\"IF-210\"],\"depth\":0}\n";
    std::fs::write(&requests, lines).unwrap();
    let (printed, said) = spec_in(&tree(), &["batch", requests.to_str().unwrap()], 1);
    let bundles: Vec<ContextBundle> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(bundles, [context(&["REQ-201", "--max-tokens", "300"]), context(&["IF-210", "--depth", "0"])]);
    assert!(said.contains("line 3 ") && said.contains("seeds"), "{said}");
    let ids: BTreeSet<&str> = bundles.iter().map(|bundle| bundle.bundle_id.as_str()).collect();
    assert_eq!(ids.len(), 2, "another request is another bundle");
    let changed = scratch.path().join("tree");
    copy(&tree(), &changed);
    std::fs::write(changed.join("docs/guide.md"), "no spec document").unwrap();
    let again = |tree: &Path| spec_in(tree, &["context", "IF-210", "--depth", "0"], 0).0;
    assert_eq!(again(&changed), again(&tree()), "what is no spec document does not matter");
    std::fs::remove_file(changed.join("docs/tasks/TASK-401_docs.md")).unwrap();
    assert_ne!(again(&changed), again(&tree()), "its id tells the documents that it was made of");
}

#[test]
fn a_batch_says_what_single_runs_say() {
    let scratch = tempdir().unwrap();
    let (requests, out) = (scratch.path().join("requests.jsonl"), scratch.path().join("bundles"));
    let file = requests.to_str().unwrap();
    let line = |ids: &str| format!("{{\"seed_ids\":[{ids}],\"depth\":0}}\n");
    std::fs::write(&requests, format!("\u{feff}{}", line("\"REQ-201\",\"REQ-998\""))).unwrap();
    let unknown = "spec: line 1 of the requests: no document has the id `REQ-998`\n";
    let keep = ["batch", file, "--out", out.to_str().unwrap()];
    for arguments in [&["batch", file, "--json"][..], &keep, &keep] {
        let (_, said) = spec_in(&tree(), arguments, 0);
        assert!(said.contains(unknown), "{said}");
    }
    std::fs::write(&requests, line("\"REQ-201\"") + &line("")).unwrap();
    let (_, said) = spec_in(&tree(), &["batch", file], 1);
    assert!(
        said.contains("spec: line 2 of the requests is not a valid request\n  because its `seed_ids` are empty"),
        "{said}"
    );
    std::fs::write(&requests, line("\"REQ-201\"") + &line("\"REQ-998\"")).unwrap();
    let (printed, said) = spec_in(&tree(), &["batch", file], 1);
    assert!(printed.lines().count() == 2 && said.contains("line 2 of the requests: no document"), "{said}");
    let (_, said) = spec_in(&tree(), &["batch", "nope.jsonl"], 2);
    assert!(said.starts_with("spec: cannot read `nope.jsonl`\n  because "), "{said}");
}

#[test]
fn json_may_be_asked_for_everywhere_and_markdown_says_what_is_left_out() {
    for arguments in [&["context", "REQ-201"][..], &["index"], &["search", "x"], &["impact", "REQ-201"]] {
        let with = [arguments, &["--json"]].concat();
        assert_eq!(spec_in(&tree(), &with, 0), spec_in(&tree(), arguments, 0));
    }
    spec_in(&tree(), &["prompt", "REQ-201", "--json"], 0);
    let markdown = ["context", "REQ-201", "--format", "markdown"];
    let (_, said) = spec_in(&tree(), &[&markdown[..], &["--max-tokens", "100"]].concat(), 0);
    assert!(said.contains("spec: the budget left out ") && said.contains(" sections and cut one short\n"), "{said}");
    assert!(!spec_in(&tree(), &markdown, 0).1.contains("budget"));
}

#[test]
fn code_that_specs_name_is_shown_when_asked_for() {
    let scratch = tempdir().unwrap();
    let index = scratch.path().join("index");
    let with = |more: &[&str]| {
        let code = ["--depth", "0", "--with-code", "--index", index.to_str().unwrap()];
        context(&[&["IF-200"], &code[..], more].concat())
    };
    let bundle = with(&[]);
    let (sections, code): (Vec<_>, Vec<_>) = bundle.items[0].sections.iter().partition(|one| one.rule_id != "code");
    assert_eq!(sections.len(), 6);
    let headings: Vec<&str> = code.iter().map(|section| section.heading.as_str()).collect();
    assert!(headings.contains(&"## src/segments.py:8-14 split_segments"), "{headings:?}");
    let body = &code.iter().find(|section| section.heading.ends_with("split_segments")).unwrap().body;
    assert!(body.starts_with("```python\ndef split_segments(") && body.ends_with("\n```"), "{body}");
    let plain = context(&["IF-200", "--depth", "0"]);
    assert!(plain.items[0].sections.iter().all(|section| section.rule_id != "code"), "off by default");
    assert_ne!(plain.bundle_id, bundle.bundle_id);
    let requirement = context(&["REQ-201", "--depth", "0", "--with-code", "--index", index.to_str().unwrap()]);
    let code = requirement.items[0].sections.iter().filter(|section| section.rule_id == "code");
    let shown: String = code.map(|section| section.body.as_str()).collect();
    assert!(shown.contains("Segments of digits. See REQ-201"), "code that names a document is its code: {shown}");
    for budget in (0..bundle.rendered_tokens + 20).step_by(29) {
        let smaller = with(&["--max-tokens", &budget.to_string()]);
        check_budget(&smaller);
        let order = |one: &ContextBundle| whole_sections(one).len();
        assert!(order(&smaller) <= order(&bundle));
    }
}

#[test]
fn kept_bundles_are_not_made_again_and_verify() {
    let scratch = tempdir().unwrap();
    let (requests, out) = (home().join("golden/spec_bundles/requests.jsonl"), scratch.path().join("bundles"));
    let batch = ["batch", requests.to_str().unwrap()];
    let keep = |tree: &Path| spec_in(tree, &[&batch[..], &["--out", out.to_str().unwrap()]].concat(), 1).1;
    assert!(keep(&tree()).contains("7 bundles, 0 of them known"));
    let first = bytes(&out);
    assert!(keep(&tree()).contains("7 bundles, 7 of them known"));
    assert_eq!(bytes(&out), first);
    run(contextpack().arg("verify").arg(&out).arg("--deep"), 0);
    let lines = |text: &str| text.lines().map(str::to_string).collect::<BTreeSet<_>>();
    let kept = lines(&artifacts(&out)["context_bundles"]);
    assert_eq!(kept, lines(&spec_in(&tree(), &batch, 1).0), "the same lines as printed");
    let changed = scratch.path().join("tree");
    copy(&tree(), &changed);
    std::fs::remove_file(changed.join("docs/tasks/TASK-401_docs.md")).unwrap();
    assert!(keep(&changed).contains("7 bundles, 0 of them known"), "other documents are other bundles");
}

#[test]
fn a_manifest_of_bundles_names_the_index_that_they_were_made_from() {
    let scratch = tempdir().unwrap();
    let changed = scratch.path().join("tree");
    copy(&tree(), &changed);
    let inputs = || {
        let [requests, index, out] = ["requests.jsonl", "index", "bundles"].map(|name| scratch.path().join(name));
        std::fs::write(&requests, "{\"seed_ids\":[\"REQ-201\"]}\n").unwrap();
        let [requests, index_name, out_name] = [&requests, &index, &out].map(|path| path.to_str().unwrap());
        spec_in(&changed, &["batch", requests, "--index", index_name, "--out", out_name], 0);
        let input = |stage: &str| {
            let stage = Index::open(&index.join(stage)).unwrap();
            Input { stage: stage.manifest().stage.clone(), digest: stage.manifest().digest.clone() }
        };
        let named = Index::open(&out).unwrap().manifest().inputs.clone();
        assert_eq!(named, [input("chunk"), input("graph")]);
        named
    };
    let first = inputs();
    assert_eq!(inputs(), first);
    std::fs::write(changed.join("docs/guide.md"), "Another guide.\n").unwrap();
    assert_ne!(inputs(), first, "bundles of another index have other inputs");
}

/// Rules of the tree's own schema stand in the records, and another schema makes other records.
#[test]
fn the_chunk_stage_goes_by_the_trees_own_schema() {
    let scratch = tempdir().unwrap();
    let (changed, index) = (scratch.path().join("tree"), scratch.path().join("index"));
    copy(&tree(), &changed);
    let schema = |rule: &str| {
        let rule = format!("- id: {rule}\n    kinds: [\"*\"]\n    heading: {{level: 2, text: \"Non-goals\"}}\n");
        std::fs::write(changed.join("spec_section_schema.yaml"), format!("rules:\n  {rule}")).unwrap();
        index_tree(&changed, &index);
        let symbols = Index::open(&index.join("chunk")).unwrap();
        let symbols = symbols.records::<Symbol>().unwrap().map(Result::unwrap);
        let types = symbols.filter(|symbol| symbol.kind == Kind::Section).filter_map(|symbol| symbol.value_type);
        types.collect::<BTreeSet<String>>()
    };
    assert_eq!(schema("left_out"), BTreeSet::from(["left_out".to_string()]));
    assert_eq!(schema("not_meant"), BTreeSet::from(["not_meant".to_string()]), "nothing is carried over");
    std::fs::write(changed.join("spec_section_schema.yaml"), "rules: [").unwrap();
    index_tree(&changed, &index);
    let problems = Index::open(&index.join("chunk")).unwrap();
    let mut problems = problems.records::<Problem>().unwrap().map(Result::unwrap);
    assert!(problems.any(|problem| problem.message.starts_with("this section schema cannot be used")));
}
