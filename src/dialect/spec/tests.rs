use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::chunk::{Config, Source, chunk};
use crate::dialect::Page;
use crate::document::heading::without_number;
use crate::document::spec_id::{is_id, link_target};
use crate::document::yaml;
use crate::language::Languages;
use crate::record::{Field, FileLines, Item, Kind, SpecRole};
use crate::text::RepoPath;

/// A document of a kind and an id, with more front matter and a text.
fn spec(kind: &str, id: &str, more: &str, text: &str) -> String {
    format!("---\nkind: {kind}\nscope: s\nid: {id}\nspec_title: t\nstatus: draft\n{more}---\n{text}")
}

fn page(text: &str) -> Page {
    read(text).expect("it is a spec document")
}

/// A document as the chunk stage reads it: its items, its lines, and the types of its sections by name.
struct Chunked {
    items: Vec<Item>,
    lines: FileLines,
    types: Vec<(String, Option<String>)>,
}

fn chunked(text: &str, schema: &SectionSchema) -> Chunked {
    let (languages, path) = (Languages::builtin(), RepoPath::try_from("a.md".to_string()).unwrap());
    let source = Source { path: &path, text, language: languages.detect(&path, text), notes: None };
    let config = Config { sections: schema.clone().into(), ..Config::default() };
    let chunked = chunk(&source, &languages, &config, &BTreeSet::new());
    let white = chunked.items[0].field(Field::WHITE_LINES).unwrap_or_default();
    let sections = chunked.symbols.iter().filter(|symbol| symbol.kind == Kind::Section);
    Chunked {
        lines: FileLines::new(&chunked.chunks, white),
        types: sections.map(|symbol| (symbol.name.clone(), symbol.value_type.clone())).collect(),
        items: chunked.items,
    }
}

impl Chunked {
    /// The sections of the document that rules match.
    fn matched<'s>(&'s self, schema: &'s SectionSchema) -> Vec<Section<'s>> {
        let (document, sections) = self.items.split_first().expect("it is a spec document");
        match_sections(document.word("kind"), &sections.iter().collect::<Vec<_>>(), schema)
    }

    fn body(&self, item: &Item) -> String {
        item.body.map_or(String::new(), |body| self.lines.text(body).trim_end().to_string())
    }
}

/// `rule:body` of every section of the document that the built-in rules match, each rule once.
fn sections(text: &str) -> Vec<String> {
    let schema = SectionSchema::builtin();
    let document = chunked(text, &schema);
    let found = document.matched(&schema).into_iter().filter(|section| !section.again);
    found.map(|section| format!("{}:{}", section.rule.id, document.body(section.item))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_yaml_or_a_document_crash(text in "[a:#\\[\\]{}\"'\\-|> \n\t日\r,]{0,60}") {
        let _ = yaml::parse(&text, 1);
        let document = format!("---\nid: REQ-001\n{text}\n---\n## LLM_BRIEF\n{text}");
        if read(&document).is_some() {
            let document = chunked(&document, &SectionSchema::builtin());
            document.items.iter().for_each(|item| { document.body(item); });
        }
    }
}

#[test]
fn only_front_matter_with_an_id_makes_a_spec_document() {
    let is_spec = |text: &str| read(text).is_some();
    assert!(is_spec("---\nid: REQ-001\n---\n"));
    assert!(is_spec("---\r\nid: REQ-001\r\n---\r\n"));
    assert!(is_spec("---\nspec_title: one that lacks its id\n---\n"));
    assert!(is_spec("---\nid: 'REQ-001' # why\n---\n"));
    assert!(is_spec("---\nkind: x\nid: \"not closed\nx\n---\n"), "one that cannot be read is still one");
    assert!(is_spec("---\nid: REQ-001\n\n# Title\n"), "one that does not end is still one");
    assert!(is_spec("---\n\nid: REQ-001\n---\n") && is_spec("---\n  kind: x\n  id: REQ-001\n---\n"));
    assert!(is_spec("---\n\"id\": REQ-001\n---\n") && is_spec("---\nkind: x\nscope: y\nstatus: z\n---\n"));
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
        assert!(!is_spec(text), "{text:?}");
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
        assert_eq!(SpecRole::of_id(&page(&spec("x", id, "", "")).id), role, "{id}");
    }
    assert!(is_id("IF-0001") && !is_id("IF-01") && !is_id("FOO-001") && !is_id("IF-00a") && !is_id("if-001"));
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
        let text = spec("interfaces", "IF-001", &format!("trace:\n  req: '{entry}'\n"), "");
        let fields = page(&text).details.fields;
        let links: Vec<&str> = links(&fields).iter().map(|link| link_target(link.text)).collect();
        assert_eq!(links, targets, "{entry}");
    }
}

#[test]
fn a_section_holds_the_headings_below_its_own() {
    let text = spec("requirements", "REQ-001", "", "# T\n## Summary\na\n### b\nc\n#### d\ne\n## Else\nf\n");
    assert_eq!(sections(&text), ["req_summary:a\n### b\nc\n#### d\ne"]);
}

#[test]
fn a_heading_in_a_fence_is_none() {
    let text =
        spec("requirements", "REQ-001", "", "## Summary\n```\n# x\n## Background\n```\nend\n\n> ## Acceptance\n");
    assert_eq!(sections(&text), ["req_summary:```\n# x\n## Background\n```\nend\n\n> ## Acceptance"]);
}

#[test]
fn numbers_of_headings_do_not_matter() {
    for heading in
        ["Summary", "4. Summary", "4.2 Summary", "(4) Summary", "４．概要", "10) 概要", "概要", "第4章 概要", "④ 概要"]
    {
        let text = spec("requirements", "REQ-001", "", &format!("## {heading}\na\n"));
        assert_eq!(sections(&text), ["req_summary:a"], "{heading}");
    }
    assert_eq!(without_number("2024"), "2024");
    assert_eq!(without_number("第4章"), "第4章");
}

#[test]
fn headings_with_markup_are_known_by_their_words() {
    for heading in ["**Summary**", "`Summary`", "[Summary](x.md)", "1. *Summary* {#s}"] {
        let text = spec("requirements", "REQ-001", "", &format!("## {heading}\na\n"));
        assert_eq!(sections(&text), ["req_summary:a"], "{heading}");
    }
}

#[test]
fn a_rule_that_matches_twice_gives_the_first_or_all() {
    let text = spec("requirements", "REQ-001", "", "## Summary\na\n## 2. Summary\nb\n");
    assert_eq!(sections(&text), ["req_summary:a"]);
    let rule = |multiple| {
        format!("rules:\n  - id: s\n    heading: {{text: Summary}}\n    multiple: {multiple}\n    tool_source: true\n")
    };
    for (multiple, again) in [(false, [false, true]), (true, [false, false])] {
        let schema = SectionSchema::parse(&rule(multiple)).unwrap();
        let document = chunked(&text, &schema);
        let found = document.matched(&schema);
        assert_eq!(found.iter().map(|section| section.again).collect::<Vec<_>>(), again);
    }
}

/// `rule heading` of the sections of an interface that are shown.
fn shown_headings(headings: &[&str]) -> Vec<String> {
    let text: String = headings.iter().map(|heading| format!("## {heading}\n")).collect();
    let schema = SectionSchema::builtin();
    let document = chunked(&spec("interfaces", "IF-001", "", &text), &schema);
    let found = document.matched(&schema).into_iter().filter(|section| !section.again);
    found.map(|section| format!("{} {}", section.rule.id, section.item.title)).collect()
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
fn a_rule_that_names_the_kind_wins() {
    let schema = "rules:\n\
        - {id: all, heading: {text: Sum, match: prefix}, tool_source: true}\n\
        - {id: own, kinds: [requirements], heading: {text: Summary, match: prefix}, tool_source: true}\n\
        - {id: hidden, kinds: ['*'], heading: {text: Notes}, tool_source: true}\n\
        - {id: hidden, kinds: [requirements], heading: {text: Remarks}, tool_source: true}\n\
        - {id: quiet, heading: {text: Quiet}}\n";
    let schema = SectionSchema::parse(schema).unwrap();
    let text = spec("requirements", "REQ-001", "", "## Summary\n## Notes\n## Remarks\n## Quiet\n");
    let document = chunked(&text, &schema);
    let found = document.matched(&schema);
    let found: Vec<(&str, &str)> = found.iter().map(|one| (one.rule.id.as_str(), one.item.title.as_str())).collect();
    assert_eq!(found, [("own", "Summary"), ("hidden", "Remarks"), ("quiet", "Quiet")]);
    let types = [("Summary", Some("own")), ("Notes", None), ("Remarks", Some("hidden")), ("Quiet", Some("quiet"))];
    assert_eq!(document.types, types.map(|(name, rule)| (name.to_string(), rule.map(str::to_string))));
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
    assert_eq!(sections(&crlf), sections(&text).iter().map(|one| one.replace('\n', "\r\n")).collect::<Vec<_>>());
    assert_eq!(page(&crlf).details.fields, page(&text).details.fields);
    assert_eq!(page(&crlf).front_lines, page(&text).front_lines);
}
