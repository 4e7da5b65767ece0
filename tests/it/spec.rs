//! Spec documents through the real binary: the seed's acceptance criteria, budgets, unknown ids, the same bytes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use contextpack::pipeline::SpecSource;
use contextpack::record::SpecRole;
use contextpack::record::bundle::{BundleRequest, ContextBundle, TokenCounter};
use contextpack::spec::{bundle, render};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tempfile::tempdir;

use crate::tool::{contextpack, copy, home, run};

/// Twenty documents in Japanese and English, some of them faulty.
fn tree() -> PathBuf {
    home().join("golden/graph_spec/input")
}

/// What `spec` prints about a tree, when it ends with a code.
#[track_caller]
fn spec_in(tree: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let mut command = contextpack();
    command.arg("spec").args(arguments).arg("--repo").arg(tree);
    let output = run(&mut command, code);
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[track_caller]
fn context(arguments: &[&str]) -> ContextBundle {
    let (printed, _) = spec_in(&tree(), &[&["context"], arguments].concat(), 0);
    serde_json::from_str(&printed).unwrap()
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
    let source = SpecSource::read(&tree(), None).unwrap();
    let mut most = 0;
    for (tokenizer, step) in [(TokenCounter::O200kBase, 1), (TokenCounter::Cl100kBase, 7), (TokenCounter::Approx, 7)] {
        let mut before: Vec<(String, String)> = Vec::new();
        for budget in (0..1300).step_by(step) {
            let request: BundleRequest = serde_json::from_value(
                json!({"seed_ids": ["REQ-201", "REQ-202"], "depth": 2, "max_tokens": budget, "tokenizer": tokenizer}),
            )
            .unwrap();
            let bundle = bundle(&source.catalog, &source.schema, &request);
            check_budget(&bundle);
            let whole = whole_sections(&bundle);
            assert!(before.iter().all(|section| whole.contains(section)), "{budget} holds less than a smaller one");
            before = whole;
            most = most.max(bundle.items.len());
        }
    }
    assert!(most > 8, "large budgets hold all of it");
    let bundle = context(&["REQ-201", "--max-tokens", "120"]);
    assert!(bundle.approx_tokens_total <= 120 && bundle.approx_tokens_total > 40, "{}", bundle.approx_tokens_total);
    let (markdown, _) = spec_in(&tree(), &["context", "REQ-201", "--max-tokens", "120", "--format", "markdown"], 0);
    assert!(TokenCounter::O200kBase.count(&markdown) <= 120 && !markdown.is_empty());
    assert_eq!(context(&["REQ-201", "--max-tokens", "0"]).items, []);
}

/// The sums, and the tokens of the text that a model is given.
fn check_budget(bundle: &ContextBundle) {
    let sections = bundle.items.iter().flat_map(|item| &item.sections);
    assert_eq!(sections.map(|section| section.approx_tokens).sum::<u32>(), bundle.approx_tokens_total);
    let tokens = bundle.tokenizer.count(&render(bundle));
    let exact = bundle.tokenizer != TokenCounter::Approx;
    assert!(tokens <= bundle.rendered_tokens && (tokens == bundle.rendered_tokens || !exact), "{bundle:?}");
    let max = bundle.max_tokens.unwrap_or(u32::MAX);
    assert!(bundle.approx_tokens_total <= bundle.rendered_tokens && bundle.rendered_tokens <= max, "{bundle:?}");
}

/// Documents and rules of the sections that were not shortened.
fn whole_sections(bundle: &ContextBundle) -> Vec<(String, String)> {
    let of_item = |item: &contextpack::record::bundle::ContextItem| {
        let whole = item.sections.iter().filter(|section| !section.truncated);
        whole.map(|section| (item.id.clone(), section.rule_id.clone())).collect::<Vec<_>>()
    };
    bundle.items.iter().flat_map(of_item).collect()
}

#[test]
fn any_request_keeps_its_budget() {
    let source = SpecSource::read(&tree(), None).unwrap();
    let names: Vec<String> =
        source.catalog.with_id().map(|(id, _)| id.to_string()).chain(["X-1".to_string()]).collect();
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
        check_budget(&bundle(&source.catalog, &source.schema, &serde_json::from_value(request).unwrap()));
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
        let mut command = contextpack();
        command.arg("spec").args(arguments).args(["--repo", "."]).current_dir(&elsewhere);
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
