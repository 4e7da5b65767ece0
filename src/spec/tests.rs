use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::dialect::spec::{Document, SectionSchema, sections, without_number};
use crate::document::spec_id::{is_id, link_target};
use crate::document::yaml;
use crate::record::bundle::{BundleRequest, LinkDirection, TokenCounter};
use crate::record::{Digest, SpecRole};
use crate::text::RepoPath;

/// A document of a kind and an id, with more front matter and a text.
fn spec(kind: &str, id: &str, more: &str, text: &str) -> String {
    format!("---\nkind: {kind}\nscope: s\nid: {id}\nspec_title: t\nstatus: draft\n{more}---\n{text}")
}

fn document(path: &str, text: &str) -> Document {
    let path = RepoPath::try_from(path.to_string()).unwrap();
    Document::read(path, text.to_string(), Digest::sha256(text.as_bytes())).expect("it is a spec document")
}

fn catalog(files: &[(&str, String)]) -> Catalog {
    let paths = files.iter().map(|(path, _)| RepoPath::try_from(path.to_string()).unwrap()).collect::<BTreeSet<_>>();
    Catalog::new(files.iter().map(|(path, text)| document(path, text)).collect(), &paths)
}

fn request(seed: &str) -> BundleRequest {
    serde_json::from_value(serde_json::json!({ "seed_ids": [seed] })).unwrap()
}

/// `rule:body` of every section that a bundle of the document alone shows.
fn shown(text: &str) -> Vec<String> {
    let catalog = catalog(&[("a.md", text.to_string())]);
    let bundle = bundle(&catalog, &SectionSchema::builtin(), &request("REQ-001"));
    let sections = bundle.items.iter().flat_map(|item| &item.sections);
    sections.map(|section| format!("{}:{}", section.rule_id, section.body)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_yaml_or_a_document_crash(text in "[a:#\\[\\]{}\"'\\-|> \n\t日\r,]{0,60}") {
        let _ = yaml::parse(&text, 1);
        let path = RepoPath::try_from("a.md".to_string()).unwrap();
        let all = format!("---\nid: REQ-001\n{text}\n---\n## LLM_BRIEF\n{text}");
        let hash = Digest::sha256(b"");
        let document = Document::read(path, all, hash);
        if let Some(document) = document {
            document.headings.iter().for_each(|head| { document.body(head); });
        }
    }
}

#[test]
fn only_front_matter_with_an_id_makes_a_spec_document() {
    let read = |text: &str| {
        let path = RepoPath::try_from("a.md".to_string()).unwrap();
        Document::read(path, text.to_string(), Digest::sha256(b"")).is_some()
    };
    assert!(read("---\nid: REQ-001\n---\n"));
    assert!(read("---\r\nid: REQ-001\r\n---\r\n"));
    assert!(read("---\nspec_title: one that lacks its id\n---\n"));
    assert!(read("---\nid: 'REQ-001' # why\n---\n"));
    assert!(read("---\nkind: x\nid: \"not closed\nx\n---\n"), "one that cannot be read is still one");
    assert!(read("---\nid: REQ-001\n\n# Title\n"), "one that does not end is still one");
    assert!(read("---\n\nid: REQ-001\n---\n") && read("---\n  kind: x\n  id: REQ-001\n---\n"));
    assert!(read("---\n\"id\": REQ-001\n---\n") && read("---\nkind: x\nscope: y\nstatus: z\n---\n"));
    for text in [
        "",
        "# id: REQ-001",
        "---\ntitle: x\n---\n",
        "---\nid: intro\ntitle: x\n---\n",
        "---\n",
        "---\n\nid: intro\n\n---\n",
        "---\nmenu:\n  id: REQ-001\n---\n",
        "---\n\nText.\n\nid: REQ-001\n",
        "text\n---\nid: REQ-001\n---\n",
    ] {
        assert!(!read(text), "{text:?}");
    }
}

#[test]
fn an_id_gives_the_role() {
    for (id, role) in [
        ("REQ-001", SpecRole::Req),
        ("NFR-001", SpecRole::Req),
        ("IF-001", SpecRole::If),
        ("DATA-001", SpecRole::Data),
        ("TEST-001", SpecRole::Test),
        ("TASK-001", SpecRole::Task),
        ("ARCH-001", SpecRole::Arch),
        ("REF-001", SpecRole::Ref),
        ("STEER-001", SpecRole::Steering),
        ("REQS-001", SpecRole::Other),
        ("x", SpecRole::Other),
    ] {
        assert_eq!(SpecRole::of_id(id), role, "{id}");
    }
    assert!(is_id("IF-0001") && !is_id("IF-01") && !is_id("FOO-001") && !is_id("IF-00a") && !is_id("if-001"));
}

#[test]
fn a_section_holds_the_headings_below_its_own() {
    let text = spec("requirements", "REQ-001", "", "# T\n## Summary\na\n### b\nc\n#### d\ne\n## Else\nf\n");
    assert_eq!(shown(&text), ["req_summary:a\n### b\nc\n#### d\ne"]);
}

#[test]
fn a_heading_in_a_fence_is_none() {
    let text =
        spec("requirements", "REQ-001", "", "## Summary\n```\n# x\n## Background\n```\nend\n\n> ## Acceptance\n");
    assert_eq!(shown(&text), ["req_summary:```\n# x\n## Background\n```\nend\n\n> ## Acceptance"]);
}

#[test]
fn numbers_of_headings_do_not_matter() {
    for heading in
        ["Summary", "4. Summary", "4.2 Summary", "(4) Summary", "４．概要", "10) 概要", "概要", "第4章 概要", "④ 概要"]
    {
        let text = spec("requirements", "REQ-001", "", &format!("## {heading}\na\n"));
        assert_eq!(shown(&text), ["req_summary:a"], "{heading}");
    }
    assert_eq!(without_number("2024"), "2024");
    assert_eq!(without_number("第4章"), "第4章");
}

#[test]
fn a_rule_that_matches_twice_gives_the_first_or_all() {
    let text = spec("requirements", "REQ-001", "", "## Summary\na\n## 2. Summary\nb\n");
    assert_eq!(shown(&text), ["req_summary:a"]);
    let rule = |multiple| {
        format!("rules:\n  - id: s\n    heading: {{text: Summary}}\n    multiple: {multiple}\n    tool_source: true\n")
    };
    for (multiple, again) in [(false, [false, true]), (true, [false, false])] {
        let schema = SectionSchema::parse(&rule(multiple)).unwrap();
        let document = document("a.md", &text);
        assert_eq!(sections(&document, &schema).iter().map(|found| found.again).collect::<Vec<_>>(), again);
    }
}

/// `rule heading` of the sections of an interface that are shown.
fn shown_headings(headings: &[&str]) -> Vec<String> {
    let text: String = headings.iter().map(|heading| format!("## {heading}\n")).collect();
    let document = document("a.md", &spec("interfaces", "IF-001", "", &text));
    let schema = SectionSchema::builtin();
    let found = sections(&document, &schema).into_iter().filter(|found| !found.again);
    found.map(|found| format!("{} {}", found.rule.id, found.head.name)).collect()
}

#[test]
fn a_beginning_ends_with_its_word() {
    assert_eq!(shown_headings(&["例外", "Roles and permissions", "Scopes granted by OAuth", "Inputsx"]), [""; 0]);
    let headings = ["例", "Scope and assumptions", "Inputs（入力）", "エラー処理", "Summary: all"];
    let rules = ["if_examples", "scope", "if_inputs", "if_errors", "if_summary"];
    assert_eq!(shown_headings(&headings), [0, 1, 2, 3, 4].map(|at| format!("{} {}", rules[at], headings[at])));
}

#[test]
fn of_two_headings_the_one_that_is_named_whole_is_taken() {
    let (both, own) = ("13. Inputs / Outputs（コア関数）", "5. Inputs");
    for headings in [[both, own], [own, both]] {
        assert_eq!(shown_headings(&headings), ["if_inputs 5. Inputs"]);
    }
    assert_eq!(shown_headings(&[both, "Inputs of all"]), [format!("if_inputs {both}")]);
    assert_eq!(shown_headings(&["Example one", "例"]), ["if_examples 例"]);
}

#[test]
fn headings_with_markup_are_known_by_their_words() {
    for heading in ["**Summary**", "`Summary`", "[Summary](x.md)", "1. *Summary* {#s}"] {
        let shown = shown(&spec("requirements", "REQ-001", "", &format!("## {heading}\na\n")));
        assert_eq!(shown, ["req_summary:a"], "{heading}");
    }
}

#[test]
fn a_rule_that_names_the_kind_wins() {
    let schema = "rules:\n\
        - {id: all, heading: {text: Sum, match: prefix}, tool_source: true}\n\
        - {id: own, kinds: [requirements], heading: {text: Summary, match: prefix}, tool_source: true}\n\
        - {id: hidden, kinds: ['*'], heading: {text: Notes}, tool_source: true}\n\
        - {id: hidden, kinds: [requirements], heading: {text: Remarks}, tool_source: true}\n\
        - {id: quiet, heading: {text: Quiet}}\n";
    let schema = SectionSchema::parse(schema).unwrap();
    let document =
        document("a.md", &spec("requirements", "REQ-001", "", "## Summary\n## Notes\n## Remarks\n## Quiet\n"));
    let found = sections(&document, &schema);
    let found: Vec<(&str, &str)> = found.iter().map(|one| (one.rule.id.as_str(), one.head.name.as_str())).collect();
    assert_eq!(found, [("own", "Summary"), ("hidden", "Remarks"), ("quiet", "Quiet")]);
    let catalog = Catalog::new(vec![document], &BTreeSet::new());
    let bundle = bundle(&catalog, &schema, &request("REQ-001"));
    let ids: Vec<&str> = bundle.items[0].sections.iter().map(|section| section.rule_id.as_str()).collect();
    assert_eq!(ids, ["own", "hidden"], "only what is marked for tools");
}

#[test]
fn schemas_that_make_no_sense_are_faults() {
    for text in [
        "a: b",
        "rules: {a: b}",
        "rules:\n  - {id: x}",
        "rules:\n  - {heading: {text: x}}",
        "rules:\n  - {id: x, heading: {text: x, match: fuzzy}}",
        "rules:\n  - {id: x, heading: {level: two, text: x}}",
        "rules: []\noption: {}",
        "rules: []\noptions: {default_tool_sauce: true}",
        "rules:\n  - {id: x, heading: {text: x, mach: prefix}}",
    ] {
        assert!(SectionSchema::parse(text).is_err(), "{text}");
    }
    let misspelt = SectionSchema::parse("rules:\n  - id: x\n    heading: {text: x}\n    tool_sorce: true\n");
    assert!(misspelt.unwrap_err().to_string().starts_with("line 4: `tool_sorce` is none of id, kinds, heading, "));
}

#[test]
fn crlf_changes_nothing_but_the_line_ends() {
    let text = spec("requirements", "REQ-001", "trace:\n  if: [IF-001]\n", "## LLM_BRIEF\n\na\nb\n\n## 概要\nc\n");
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(shown(&crlf), shown(&text).iter().map(|one| one.replace('\n', "\r\n")).collect::<Vec<_>>());
    assert_eq!(document("a.md", &crlf).front, document("a.md", &text).front);
    assert_eq!(document("a.md", &crlf).front_lines, document("a.md", &text).front_lines);
}

/// Ids of the documents that a walk from one comes to, with their distances.
fn walked(catalog: &Catalog, direction: LinkDirection, depth: u32) -> Vec<String> {
    let request = BundleRequest { direction, depth, ..request("IF-001") };
    let bundle = bundle(catalog, &SectionSchema::builtin(), &request);
    bundle.items.iter().map(|item| format!("{}@{}", item.id, item.distance)).collect()
}

#[test]
fn ids_paths_and_bare_names_are_links() {
    let next = "doc:\n  read_next:\n    - DATA-001\n    - ../x/two.md\n    - x/three.md#part\n    - four.md\n    - five\n    - note.txt\n    - gone.md\n";
    let catalog = catalog(&[
        ("d/a/one.md", spec("interfaces", "IF-001", next, "")),
        ("d/x/zero.md", spec("data_contracts", "DATA-001", "", "")),
        ("d/x/two.md", spec("data_contracts", "DATA-002", "", "")),
        ("d/x/three.md", spec("data_contracts", "DATA-003", "", "")),
        ("else/where/four.md", spec("data_contracts", "DATA-004", "", "")),
        ("else/five.md", spec("data_contracts", "DATA-005", "", "")),
    ]);
    let found = walked(&catalog, LinkDirection::Out, 1);
    assert_eq!(found, ["IF-001@0", "DATA-001@1", "DATA-002@1", "DATA-003@1", "DATA-004@1", "DATA-005@1"]);
    let lost: Vec<(&str, u32)> = catalog.broken_links.iter().map(|one| (one.target.as_str(), one.line)).collect();
    assert_eq!(lost, [("note.txt", 14), ("gone.md", 15)]);
}

/// A document of `IF-001` that says to read something next.
fn reads_next(entry: &str) -> String {
    spec("interfaces", "IF-001", &format!("doc:\n  read_next: [{entry}]\n"), "")
}

fn warnings(catalog: &Catalog) -> Vec<String> {
    bundle(catalog, &SectionSchema::builtin(), &request("IF-001")).warnings
}

#[test]
fn documents_without_an_id_are_not_linked() {
    let nameless = "---\nkind: requirements\nscope: s\nstatus: draft\ntrace:\n  if: [IF-001]\n---\n".to_string();
    for text in [nameless, spec("requirements", "REQ-001", "x: [\n", "")] {
        let catalog = catalog(&[("a.md", reads_next("b.md")), ("b.md", text)]);
        assert_eq!(walked(&catalog, LinkDirection::Both, 1), ["IF-001@0"]);
        let warning = "a.md:8: read_next leads to a document without an id: `b.md` (see `contextpack spec lint`)";
        assert_eq!(warnings(&catalog)[0], warning);
    }
}

#[test]
fn what_leads_to_or_from_a_second_document_of_an_id_is_of_the_first() {
    let catalog = catalog(&[
        ("1.md", reads_next("3.md")),
        ("2.md", spec("requirements", "REQ-001", "", "")),
        ("3.md", spec("requirements", "REQ-001", "trace:\n  data: [DATA-001]\n", "")),
        ("4.md", spec("data_contracts", "DATA-001", "", "")),
    ]);
    assert_eq!(walked(&catalog, LinkDirection::Out, 2), ["IF-001@0", "REQ-001@1", "DATA-001@2"]);
    assert_eq!(warnings(&catalog), ["3.md: its id `REQ-001` is that of 2.md, which is used"]);
}

#[test]
fn several_ids_in_one_entry_are_all_links() {
    for (entry, targets) in [
        ("REQ-008, REQ-009", &["REQ-008", "REQ-009"][..]),
        ("REQ-008 / REQ-009", &["REQ-008", "REQ-009"]),
        ("REQ-008/REQ-009", &["REQ-008", "REQ-009"]),
        ("REQ-008、REQ-009 IF-001: what they are", &["REQ-008", "REQ-009", "IF-001"]),
        ("REQ-008: as in REQ-009", &["REQ-008"]),
        ("REQ-008/x.md", &["REQ-008/x.md"]),
        ("REQ-008/REQ-009.md", &["REQ-008/REQ-009.md"]),
    ] {
        let document = document("a.md", &spec("interfaces", "IF-001", &format!("trace:\n  req: '{entry}'\n"), ""));
        let front = document.front.unwrap();
        let links: Vec<&str> = front.links().iter().map(|(_, said)| link_target(&said.text)).collect();
        assert_eq!(links, targets, "{entry}");
    }
}

#[test]
fn a_name_that_could_be_two_files_says_so() {
    for name in ["amb.md", "amb"] {
        let amb = |id| spec("data_contracts", id, "", "");
        let files = [("a.md", reads_next(name)), ("p/amb.md", amb("DATA-001")), ("q/amb.md", amb("DATA-002"))];
        let said = format!("a.md:8: read_next `{name}` could be p/amb.md or q/amb.md");
        assert_eq!(warnings(&catalog(&files)), [said]);
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
        assert_eq!(walked(&catalog(&files), LinkDirection::Out, 1), ["IF-001@0", "DATA-007@1"]);
    }
}

#[test]
fn ids_that_are_unknown_are_named_once() {
    let catalog = catalog(&[("a.md", spec("requirements", "REQ-001", "", ""))]);
    let changed_ids = ["REQ-001", "NOPE", "X", "NOPE"].map(str::to_string).to_vec();
    let request =
        ImpactRequest { changed_ids, mode: ImpactMode::Both, max_distance: 1, roles: None, include_doc_links: false };
    assert_eq!(impact(&catalog, &request).unknown_ids, ["NOPE", "X"]);
}

#[test]
fn a_cycle_ends_and_both_directions_are_there() {
    let trace = |id: &str| format!("trace:\n  if: [{id}]\n");
    let catalog = catalog(&[
        ("1.md", spec("interfaces", "IF-001", &trace("IF-002"), "")),
        ("2.md", spec("interfaces", "IF-002", &trace("IF-003"), "")),
        ("3.md", spec("interfaces", "IF-003", &trace("IF-001"), "")),
    ]);
    assert_eq!(walked(&catalog, LinkDirection::Out, 9), ["IF-001@0", "IF-002@1", "IF-003@2"]);
    assert_eq!(walked(&catalog, LinkDirection::In, 1), ["IF-001@0", "IF-003@1"]);
    assert_eq!(walked(&catalog, LinkDirection::Both, 1), ["IF-001@0", "IF-002@1", "IF-003@1"]);
    assert_eq!(walked(&catalog, LinkDirection::Both, 0), ["IF-001@0"]);
}

#[test]
fn of_two_documents_with_one_id_the_first_has_it() {
    let first = spec("requirements", "REQ-001", "", "## Summary\nfirst\n");
    let second = spec("requirements", "REQ-001", "", "## Summary\nsecond\n");
    let catalog = catalog(&[("b.md", second), ("a.md", first)]);
    let bundle = bundle(&catalog, &SectionSchema::builtin(), &request("REQ-001"));
    assert_eq!((bundle.items.len(), bundle.items[0].sections[0].body.as_str()), (1, "first"));
    assert_eq!(bundle.warnings, ["b.md: its id `REQ-001` is that of a.md, which is used"]);
}

#[test]
fn a_fence_that_is_cut_is_closed() {
    let body = format!("## Summary\n```python\n{}```\n## Background\nend\n", "x = 1\n".repeat(200));
    let catalog = catalog(&[("a.md", spec("requirements", "REQ-001", "", &body))]);
    let request = BundleRequest { max_tokens: Some(200), ..request("REQ-001") };
    let bundle = bundle(&catalog, &SectionSchema::builtin(), &request);
    assert!(bundle.items[0].sections[0].truncated);
    assert_eq!(render(&bundle).matches("```").count(), 2);
    assert!(TokenCounter::O200kBase.count(&render(&bundle)) <= 200);
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
        let catalog = catalog(&[("a.md", spec("requirements", "REQ-001", "", &format!("## Summary\n{body}\n")))]);
        let bundle = bundle(&catalog, &SectionSchema::builtin(), &request("REQ-001"));
        let shown = render(&bundle);
        assert!(shown.ends_with(&format!("## Summary\n\n{body}{added}\n\n")), "{body}: {shown}");
    }
}

/// `rule line` of every finding of one document.
fn findings(text: &str, schema: &SectionSchema) -> Vec<String> {
    let found = lint(&catalog(&[("a.md", text.to_string())]), schema);
    found.iter().map(|finding| format!("{} {}", finding.rule, finding.line)).collect()
}

#[test]
fn each_rule_of_the_lint_finds_what_it_is_for() {
    let sound = "## LLM_BRIEF\na\n## Summary\nb\n";
    let with = |from: &str, to: &str| spec("requirements", "REQ-001", "", sound).replace(from, to);
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
        assert_eq!(findings(&with(from, to), &builtin), expected, "{to}");
    }
    let own = SectionSchema::parse("kinds: [requirements]\nscopes: [t]\nrules: []\n").unwrap();
    assert_eq!(findings(&with("", ""), &own), ["FM-002 3"]);
}
