//! Tests the spec door on small trees. Their indexes are built by the real stages.

use std::collections::BTreeSet;

use super::*;
use crate::dialect::spec::SectionSchema;
use crate::pipeline::SpecSource;
use crate::pipeline::service::{self, Freshness, Refresh, Root};
use crate::record::bundle::TokenCounter;
use crate::record::{Score, SpecRole};

/// A document with a kind, an id, more front matter and a text.
fn spec(kind: &str, id: &str, more: &str, text: &str) -> String {
    format!("---\nkind: {kind}\nscope: s\nid: {id}\nspec_title: t\nstatus: draft\n{more}---\n{text}")
}

/// Calls `work` with the spec documents of a tree with these files.
#[expect(clippy::disallowed_methods, reason = "makes a tree")]
fn with_library<R>(files: &[(&str, String)], schema: SectionSchema, work: impl FnOnce(&Library) -> R) -> R {
    let folder = tempfile::tempdir().unwrap();
    let (tree, index) = (folder.path().join("tree"), folder.path().join("index"));
    for (path, text) in files {
        let path = tree.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let root = Root::of_tree(Some(&tree), Some(&index)).unwrap();
    service::open(&root, Freshness::Refresh(&Refresh::QUIET)).unwrap();
    let source = SpecSource::open(&tree, &index, Some(schema)).unwrap();
    source.with(|library| Ok(work(library))).unwrap()
}

fn with_builtin<R>(files: &[(&str, String)], work: impl FnOnce(&Library) -> R) -> R {
    with_library(files, SectionSchema::builtin(), work)
}

fn request(seed: &str) -> BundleRequest {
    serde_json::from_value(serde_json::json!({ "seed_ids": [seed] })).unwrap()
}

fn bundle_of(library: &Library, seed: &str) -> ContextBundle {
    bundle(library, &request(seed)).unwrap()
}

/// `rule:body` of every section of a bundle.
fn list_sections(bundle: &ContextBundle) -> Vec<String> {
    let sections = bundle.items.iter().flat_map(|item| &item.sections);
    sections.map(|section| format!("{}:{}", section.rule_id, section.body)).collect()
}

/// The same for a bundle of a document that is alone in its tree.
fn list_sections_alone(text: &str) -> Vec<String> {
    with_builtin(&[("a.md", text.to_string())], |library| list_sections(&bundle_of(library, "REQ-001")))
}

#[test]
fn a_section_holds_the_headings_below_its_own() {
    let text = spec("requirements", "REQ-001", "", "# T\n## Summary\na\n### b\nc\n#### d\ne\n## Else\nf\n");
    assert_eq!(list_sections_alone(&text), ["req_summary:a\n### b\nc\n#### d\ne"]);
}

#[test]
fn a_heading_in_a_fence_is_none() {
    let text =
        spec("requirements", "REQ-001", "", "## Summary\n```\n# x\n## Background\n```\nend\n\n> ## Acceptance\n");
    assert_eq!(list_sections_alone(&text), ["req_summary:```\n# x\n## Background\n```\nend\n\n> ## Acceptance"]);
}

#[test]
fn crlf_changes_nothing_but_the_line_ends() {
    let text = spec("requirements", "REQ-001", "trace:\n  if: [IF-001]\n", "## LLM_BRIEF\n\na\nb\n\n## 概要\nc\n");
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(
        list_sections_alone(&crlf),
        list_sections_alone(&text).iter().map(|one| one.replace('\n', "\r\n")).collect::<Vec<_>>()
    );
}

/// Numbers and markup of headings survive in the records of an index.
#[test]
fn headings_are_known_by_their_words() {
    let headings = ["4.2 Summary", "第4章 概要", "**Summary**", "`Summary`", "[Summary](x.md)", "1. *Summary* {#s}"];
    let files = headings.iter().zip(1..).map(|(heading, number)| {
        let text = spec("requirements", &format!("REQ-00{number}"), "", &format!("## {heading}\na\n"));
        (format!("{number}.md"), text)
    });
    let files: Vec<(String, String)> = files.collect();
    let files: Vec<(&str, String)> = files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    with_builtin(&files, |library| {
        for (heading, number) in headings.iter().zip(1..) {
            let bundle = bundle_of(library, &format!("REQ-00{number}"));
            assert_eq!(list_sections(&bundle), ["req_summary:a"], "{heading}");
            let name = heading.trim_end_matches(" {#s}");
            assert_eq!(bundle.items[0].sections[0].heading, format!("## {name}"));
        }
    });
}

#[test]
fn only_sections_that_are_marked_for_tools_are_shown() {
    let schema = "rules:\n\
        - {id: all, heading: {text: Sum, match: prefix}, tool_source: true}\n\
        - {id: own, kinds: [requirements], heading: {text: Summary, match: prefix}, tool_source: true}\n\
        - {id: hidden, kinds: ['*'], heading: {text: Notes}, tool_source: true}\n\
        - {id: hidden, kinds: [requirements], heading: {text: Remarks}, tool_source: true}\n\
        - {id: quiet, heading: {text: Quiet}}\n";
    let text = spec("requirements", "REQ-001", "", "## Summary\n## Notes\n## Remarks\n## Quiet\n");
    with_library(&[("a.md", text)], SectionSchema::parse(schema).unwrap(), |library| {
        assert_eq!(list_sections(&bundle_of(library, "REQ-001")), ["own:", "hidden:"]);
    });
}

#[test]
fn a_section_that_is_there_twice_is_shown_once_with_a_warning() {
    let text = spec("requirements", "REQ-001", "", "## Summary\na\n## 2. Summary\nb\n");
    with_builtin(&[("a.md", text)], |library| {
        let bundle = bundle_of(library, "REQ-001");
        assert_eq!(list_sections(&bundle), ["req_summary:a"]);
        assert_eq!(bundle.warnings, ["a.md:10: `req_summary` is there more than once, and this one is left out"]);
    });
}

/// `id@distance` of the documents that a walk from `IF-001` reaches.
fn walk_ids(library: &Library, direction: LinkDirection, depth: u32) -> Vec<String> {
    let bundle = bundle(library, &BundleRequest { direction, depth, ..request("IF-001") }).unwrap();
    bundle.items.iter().map(|item| format!("{}@{}", item.id, item.distance)).collect()
}

/// The same, but with the files of the documents.
fn walk_files(library: &Library, seed: &str, direction: LinkDirection, depth: u32) -> Vec<String> {
    let bundle = bundle(library, &BundleRequest { direction, depth, ..request(seed) }).unwrap();
    bundle.items.iter().map(|item| format!("{}@{}", item.file, item.distance)).collect()
}

/// Targets and lines of the broken links of all documents.
fn broken_links(library: &Library) -> Vec<(String, u32)> {
    let mut found: Vec<Finding> =
        library.documents.iter().flat_map(|document| lint::check(library, document)).collect();
    found.retain(|finding| finding.rule.starts_with("TR-"));
    let target = |finding: &Finding| finding.message.split('`').nth(1).unwrap().to_string();
    found.iter().map(|finding| (target(finding), finding.line)).collect()
}

#[test]
fn ids_paths_and_bare_names_are_links() {
    let next = "doc:\n  read_next:\n    - DATA-001\n    - ../x/two.md\n    - x/three.md#part\n    - four.md\n    - five\n    - note.txt\n    - gone.md\n";
    let files = [
        ("d/a/one.md", spec("interfaces", "IF-001", next, "")),
        ("d/x/zero.md", spec("data_contracts", "DATA-001", "", "")),
        ("d/x/two.md", spec("data_contracts", "DATA-002", "", "")),
        ("d/x/three.md", spec("data_contracts", "DATA-003", "", "")),
        ("else/where/four.md", spec("data_contracts", "DATA-004", "", "")),
        ("else/five.md", spec("data_contracts", "DATA-005", "", "")),
    ];
    with_builtin(&files, |library| {
        let found = walk_ids(library, LinkDirection::Out, 1);
        assert_eq!(found, ["IF-001@0", "DATA-001@1", "DATA-002@1", "DATA-003@1", "DATA-004@1", "DATA-005@1"]);
        assert_eq!(broken_links(library), [("note.txt".to_string(), 14), ("gone.md".to_string(), 15)]);
    });
}

/// A document `IF-001` with a `read_next` entry.
fn reads_next(entry: &str) -> String {
    spec("interfaces", "IF-001", &format!("doc:\n  read_next: [{entry}]\n"), "")
}

fn warnings_of(library: &Library) -> Vec<String> {
    bundle_of(library, "IF-001").warnings
}

/// Targets of the broken links of `IF-001` in `docs/a.md`, which has these `read_next` entries.
fn broken_targets(entries: &str) -> Vec<String> {
    let files = [
        ("docs/a.md", reads_next(entries)),
        ("docs/guide.md", "# A guide\n".to_string()),
        ("docs/empty.md", String::new()),
        ("image.png", "\u{89}PNG\0".to_string()),
        ("src/code.py", "def f():\n    return 1\n".to_string()),
        ("p/same.md", spec("data_contracts", "DATA-001", "", "")),
        ("q/same.md", spec("data_contracts", "DATA-002", "", "")),
    ];
    with_builtin(&files, |library| broken_links(library).into_iter().map(|(target, _)| target).collect())
}

/// Files that are not spec documents may be read next, including files without text.
#[test]
fn other_files_are_not_broken_links() {
    assert_eq!(broken_targets("guide.md, empty.md, ../image.png, ../src/code.py"), [""; 0]);
}

#[test]
fn a_path_with_dots_is_not_a_broken_link() {
    assert_eq!(broken_targets("../docs/../p/same.md, ./../docs/./guide.md"), [""; 0]);
}

/// Each link is checked separately, even if another link leads to a file with the same name.
#[test]
fn a_broken_link_is_found_beside_a_link_that_ends_alike() {
    assert_eq!(broken_targets("../p/same.md, same.md"), ["same.md"]);
    assert_eq!(broken_targets("../p/same.md, ../../p/same.md"), ["../../p/same.md"], "it leads out of the tree");
    assert_eq!(broken_targets("../p/same.md, p"), ["p"], "a directory is not a document");
}

#[test]
fn links_of_a_document_without_an_id_are_not_broken() {
    let nameless = "---\nkind: requirements\nscope: s\nstatus: draft\ndoc:\n  read_next: [a.md, gone.md]\n---\n";
    let files = [("a.md", spec("interfaces", "IF-001", "", "")), ("b.md", nameless.to_string())];
    with_builtin(&files, |library| assert_eq!(broken_links(library), [("gone.md".to_string(), 6)]));
}

#[test]
fn documents_without_an_id_are_not_linked() {
    let nameless = "---\nkind: requirements\nscope: s\nstatus: draft\ntrace:\n  if: [IF-001]\n---\n".to_string();
    for text in [nameless, spec("requirements", "REQ-001", "x: [\n", "")] {
        with_builtin(&[("a.md", reads_next("b.md")), ("b.md", text)], |library| {
            assert_eq!(walk_ids(library, LinkDirection::Both, 1), ["IF-001@0"]);
            let warning = "a.md:8: read_next leads to a document without an id: `b.md` (see `contextpack spec lint`)";
            assert_eq!(warnings_of(library)[0], warning);
        });
    }
}

#[test]
fn all_documents_of_a_duplicate_id_are_shown() {
    let first = spec("requirements", "REQ-001", "", "## Summary\nfirst\n");
    let second = spec("requirements", "REQ-001", "", "## Summary\nsecond\n");
    with_builtin(&[("b.md", second), ("a.md", first)], |library| {
        let bundle = bundle_of(library, "REQ-001");
        assert_eq!(walk_files(library, "REQ-001", LinkDirection::Out, 1), ["a.md@0", "b.md@0"]);
        assert_eq!(list_sections(&bundle), ["req_summary:first", "req_summary:second"]);
        assert_eq!(bundle.warnings, ["duplicate id `REQ-001` in a.md and b.md; all are kept"]);
    });
}

/// A link by id leads to all documents with the id, a link by path to one document.
#[test]
fn links_lead_to_and_from_each_document_of_a_duplicate_id() {
    let files = [
        ("1.md", reads_next("3.md")),
        ("2.md", spec("requirements", "REQ-001", "", "")),
        ("3.md", spec("requirements", "REQ-001", "trace:\n  data: [DATA-001]\n", "")),
        ("4.md", spec("data_contracts", "DATA-001", "", "")),
        ("5.md", spec("interfaces", "IF-002", "trace:\n  req: [REQ-001]\n", "")),
    ];
    with_builtin(&files, |library| {
        assert_eq!(walk_ids(library, LinkDirection::Out, 2), ["IF-001@0", "REQ-001@1", "DATA-001@2"]);
        let walk = |seed, direction, depth| walk_files(library, seed, direction, depth);
        assert_eq!(walk("IF-001", LinkDirection::Out, 2), ["1.md@0", "3.md@1", "4.md@2"]);
        assert_eq!(walk("IF-002", LinkDirection::Out, 2), ["5.md@0", "2.md@1", "3.md@1", "4.md@2"]);
        assert_eq!(walk("DATA-001", LinkDirection::In, 2), ["4.md@0", "3.md@1", "1.md@2", "5.md@2"]);
        assert_eq!(walk("REQ-001", LinkDirection::In, 1), ["2.md@0", "3.md@0", "1.md@1", "5.md@1"]);
        assert_eq!(warnings_of(library), ["duplicate id `REQ-001` in 2.md and 3.md; all are kept"]);
        assert_eq!(bundle_of(library, "DATA-001").warnings, [""; 0], "no document of a duplicate id is reached");
    });
}

#[test]
fn a_name_that_could_be_two_files_says_so() {
    for name in ["amb.md", "amb"] {
        let amb = |id| spec("data_contracts", id, "", "");
        let files = [("a.md", reads_next(name)), ("p/amb.md", amb("DATA-001")), ("q/amb.md", amb("DATA-002"))];
        with_builtin(&files, |library| {
            let warning = format!("a.md:8: read_next `{name}` could be p/amb.md or q/amb.md");
            assert_eq!(warnings_of(library), [warning]);
            assert_eq!(walk_ids(library, LinkDirection::Out, 1), ["IF-001@0"]);
        });
    }
}

#[test]
fn a_path_may_start_at_the_root_of_the_tree() {
    for path in ["/docs/data/D7.md", "/docs/data/D7"] {
        let files = [
            ("docs/if/a.md", reads_next(path)),
            ("docs/data/D7.md", spec("data_contracts", "DATA-007", "", "")),
            ("x/docs/data/D7.md", spec("data_contracts", "DATA-008", "", "")),
        ];
        with_builtin(&files, |library| {
            assert_eq!(walk_ids(library, LinkDirection::Out, 1), ["IF-001@0", "DATA-007@1"]);
            assert_eq!(warnings_of(library), [""; 0]);
        });
    }
}

#[test]
fn ids_that_are_unknown_are_named_once() {
    with_builtin(&[("a.md", spec("requirements", "REQ-001", "", ""))], |library| {
        let changed_ids = ["REQ-001", "NOPE", "X", "NOPE"].map(str::to_string).to_vec();
        let request = ImpactRequest {
            changed_ids,
            mode: ImpactMode::Both,
            max_distance: 1,
            roles: None,
            include_doc_links: false,
        };
        assert_eq!(impact(library, &request).unknown_ids, ["NOPE", "X"]);
    });
}

#[test]
fn a_cycle_ends_and_both_directions_are_there() {
    let trace = |id: &str| format!("trace:\n  if: [{id}]\n");
    let files = [
        ("1.md", spec("interfaces", "IF-001", &trace("IF-002"), "")),
        ("2.md", spec("interfaces", "IF-002", &trace("IF-003"), "")),
        ("3.md", spec("interfaces", "IF-003", &trace("IF-001"), "")),
    ];
    with_builtin(&files, |library| {
        assert_eq!(walk_ids(library, LinkDirection::Out, 9), ["IF-001@0", "IF-002@1", "IF-003@2"]);
        assert_eq!(walk_ids(library, LinkDirection::In, 1), ["IF-001@0", "IF-003@1"]);
        assert_eq!(walk_ids(library, LinkDirection::Both, 1), ["IF-001@0", "IF-002@1", "IF-003@1"]);
        assert_eq!(walk_ids(library, LinkDirection::Both, 0), ["IF-001@0"]);
    });
}

#[test]
fn a_fence_that_is_cut_is_closed() {
    let body = format!("## Summary\n```python\n{}```\n## Background\nend\n", "x = 1\n".repeat(200));
    with_builtin(&[("a.md", spec("requirements", "REQ-001", "", &body))], |library| {
        let request = BundleRequest { max_tokens: Some(200), ..request("REQ-001") };
        let bundle = bundle(library, &request).unwrap();
        assert!(bundle.items[0].sections[0].truncated);
        assert_eq!(render(&bundle).matches("```").count(), 2);
        assert!(TokenCounter::O200kBase.count(&render(&bundle)) <= 200);
    });
}

#[test]
fn only_a_fence_that_is_open_is_closed() {
    for (body, added) in [
        ("- ```sh\n  run it\n  ```", ""),
        ("- ```sh\n  run it", ""),
        ("> ```\n> a", ""),
        ("```inline``` is code in a line.", ""),
        ("    ```python\n    a", ""),
        ("```\na\n    ```\n```", ""),
        ("a\n~~~~ py\n~~~\n```", "\n~~~~"),
        ("  ```\n## a", "\n```"),
        ("```", "\n```"),
    ] {
        let text = spec("requirements", "REQ-001", "", &format!("## Summary\n{body}\n"));
        let shown = with_builtin(&[("a.md", text)], |library| render(&bundle_of(library, "REQ-001")));
        assert!(shown.ends_with(&format!("## Summary\n\n{body}{added}\n\n")), "{body}: {shown}");
    }
}

/// `rule line` of every finding of one document.
fn findings(text: &str, schema: &SectionSchema) -> Vec<String> {
    let found = with_library(&[("a.md", text.to_string())], schema.clone(), lint);
    found.iter().map(|finding| format!("{} {}", finding.rule, finding.line)).collect()
}

/// A valid document, after one change.
fn faulty(from: &str, to: &str) -> String {
    spec("requirements", "REQ-001", "", "## LLM_BRIEF\na\n## Summary\nb\n").replace(from, to)
}

#[test]
fn each_rule_of_the_lint_finds_what_it_is_for() {
    let builtin = SectionSchema::builtin();
    for (from, to, expected) in [
        ("", "", &[][..]),
        ("spec_title: t", "spec_title: [t", &["FM-000 5"]),
        ("draft\n---", "draft", &["FM-000 1"]),
        ("scope: s\n", "scope: *s\n", &["FM-000 3"]),
        ("scope: s\n", "scope: &s s\nother: &a [*s]\ntrace: []\n", &[]),
        ("scope: s\n", "scope: s\nother: &a [*b]\n", &["FM-000 4"]),
        ("scope: s\n", "", &["FM-001 1"]),
        ("id: REQ-001\nspec_title: t\n", "", &["FM-001 1", "FM-001 1"]),
        ("kind: requirements", "kind: poems", &["FM-002 2"]),
        ("status: draft", "status: done", &["FM-003 6"]),
        ("id: REQ-001", "id: REQ-1", &["ID-001 4"]),
        ("## Summary", "## Else", &["SEC-001 7"]),
        ("## LLM_BRIEF", "## LLM_BRIEF\n## LLM_BRIEF", &["SEC-002 9"]),
        ("status: draft", "status: draft\ntrace:\n  if: [IF-001]", &["TR-001 8"]),
        ("status: draft", "status: draft\ndoc:\n  read_next:\n    - gone.md", &["TR-002 9"]),
    ] {
        assert_eq!(findings(&faulty(from, to), &builtin), expected, "{to}");
    }
    let own = SectionSchema::parse("kinds: [requirements]\nscopes: [t]\nrules: []\n").unwrap();
    assert_eq!(findings(&faulty("", ""), &own), ["FM-002 3"]);
}

#[test]
fn findings_say_what_is_wrong() {
    let files = [
        ("a.md", faulty("", "")),
        ("b.md", faulty("kind: requirements", "kind: poems")),
        ("c.md", faulty("REQ-001\nspec_title: t", "REQ-002\nspec_title: t\ntrace: {if: [IF-009]}")),
    ];
    let describe = |finding: &Finding| format!("{}:{} {}", finding.file, finding.line, finding.message);
    let found: Vec<String> = with_builtin(&files, |library| lint(library).iter().map(describe).collect());
    let expected = [
        "b.md:4 duplicate id `REQ-001`: a.md has it too",
        "c.md:6 trace to an unknown id: `IF-009`",
        "b.md:2 `poems` is not a known kind",
    ];
    assert_eq!(found, expected);
}

#[test]
fn scores_of_hits_are_relative_to_the_best() {
    let titled = |id: &str, text: &str| spec("requirements", id, "", text);
    let files = [
        ("a.md", titled("REQ-001", "## Summary\nThe walrus swims.\n\nThe walrus dives, and the walrus sleeps.\n")),
        ("b.md", titled("REQ-002", "## Summary\nOne walrus among many other words about ships and shoes and wax.\n")),
        ("c.md", spec("interfaces", "IF-001", "", "## Summary\nA walrus.\n")),
        ("d.md", titled("REQ-003", "## Summary\nNothing of the kind.\n")),
        ("note.md", "# Walrus\n\nThis is not a spec document.\n".to_string()),
    ];
    with_builtin(&files, |library| {
        let hits = search(library, "walrus", None, 10).unwrap();
        assert_eq!(
            hits.iter().map(|hit| hit.header.id).collect::<BTreeSet<_>>(),
            ["REQ-001", "REQ-002", "IF-001"].into()
        );
        assert_eq!(hits[0].score, Score::ONE);
        assert!(hits.is_sorted_by(|a, b| a.score >= b.score) && hits[2].score < Score::ONE, "{hits:?}");
        let requirements = search(library, "walrus", Some(&[SpecRole::Req]), 10).unwrap();
        let of_role = hits.iter().filter(|hit| hit.header.role == SpecRole::Req).map(|hit| (hit.header.id, hit.score));
        assert!(
            requirements.iter().map(|hit| (hit.header.id, hit.score)).eq(of_role),
            "a role does not change the scores"
        );
        assert_eq!(search(library, "walrus", None, 1).unwrap().len(), 1);
        let named = search(library, "REQ-003", None, 1).unwrap();
        assert_eq!((named[0].header.id, named[0].score), ("REQ-003", Score::ONE), "an id names its document");
    });
}

#[test]
fn every_strategy_has_a_profile_that_names_every_role_once() {
    const ROLES: [SpecRole; 9] = [
        SpecRole::Req,
        SpecRole::If,
        SpecRole::Data,
        SpecRole::Test,
        SpecRole::Task,
        SpecRole::Arch,
        SpecRole::Ref,
        SpecRole::Steering,
        SpecRole::Other,
    ];
    let profiles = Profiles::builtin(include_str!("../../profiles/strategies.toml"));
    let names: BTreeSet<&str> = Strategy::ALL.iter().map(|strategy| strategy.name()).collect();
    assert_eq!(profiles.names().collect::<BTreeSet<_>>(), names);
    let roles: BTreeSet<&str> = ROLES.iter().map(|role| role.name()).collect();
    for strategy in Strategy::ALL {
        let profile = profile(strategy);
        let listed: BTreeSet<&str> = profile.roles.iter().map(String::as_str).collect();
        assert_eq!((&listed, profile.roles.len()), (&roles, ROLES.len()), "{strategy:?}");
        assert!(profile.focus.iter().all(|role| roles.contains(role.as_str())), "{strategy:?}");
        assert!(!profile.classes.is_empty(), "{strategy:?}");
    }
}
