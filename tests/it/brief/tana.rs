//! Briefs about Tana exports, as the stages read them.

use contextpack::record::brief::{BriefNode, ContextBrief, FoundBy, StepDirection};
use contextpack::record::{EdgeStatus, EdgeType};
use serde_json::{Map, Value, json};

use super::world::{World, brief, ids};
use crate::tool::{bytes, contextpack, run};

/// A document of an export. `more` has other properties, `children` and `modifiedTs`.
fn doc(id: &str, owner: &str, kind: &str, name: &str, more: Value) -> Value {
    let mut props = json!({ "created": 1_770_000_000_000_u64 });
    for (key, value) in [("_ownerId", owner), ("_docType", kind), ("name", name)] {
        if !value.is_empty() {
            props[key] = value.into();
        }
    }
    let mut doc = json!({ "id": id, "modifiedTs": [0, 1_771_545_600_000_u64] });
    for (key, value) in more.as_object().cloned().unwrap_or_else(Map::new) {
        match key.as_str() {
            "children" | "modifiedTs" => doc[&key] = value,
            _ => props[&key] = value,
        }
    }
    doc["props"] = props;
    doc
}

/// A workspace with a tag, two fields and a person.
fn base() -> Vec<Value> {
    vec![
        doc("r", "", "", "Work", json!({ "children": ["r_STASH", "r_SCHEMA"] })),
        doc("r_STASH", "r", "", "Stash", json!({})),
        doc("r_TRASH", "r", "", "Trash", json!({})),
        doc("r_SCHEMA", "r", "", "Schema", json!({ "children": ["project", "status", "owner"] })),
        doc("project", "r_SCHEMA", "tagDef", "project", json!({})),
        doc("status", "r_SCHEMA", "attrDef", "Status", json!({})),
        doc("owner", "r_SCHEMA", "attrDef", "Owner", json!({})),
        doc("ada", "r_STASH", "", "Ada Lovelace", json!({})),
    ]
}

fn note(id: &str, owner: &str, name: &str) -> Value {
    doc(id, owner, "", name, json!({}))
}

/// A field of a note: the documents of its tuple.
fn field(note: &str, label: &str, values: &[&str]) -> Value {
    let children: Vec<&str> = std::iter::once(label).chain(values.iter().copied()).collect();
    doc(&format!("{note}-{label}"), note, "tuple", "", json!({ "children": children }))
}

/// The documents that give a note tags, or let a tag extend others.
fn tagged(note: &str, tags: &[&str]) -> [Value; 2] {
    let (meta, tuple) = (format!("{note}-meta"), format!("{note}-tags"));
    let children: Vec<&str> = std::iter::once("SYS_A13").chain(tags.iter().copied()).collect();
    [
        doc(&meta, note, "metanode", "", json!({ "children": [tuple] })),
        doc(&tuple, &meta, "tuple", "", json!({ "children": children })),
    ]
}

fn export(docs: &[Value]) -> String {
    let editors = json!([["grace@hopper.example", 0]]);
    json!({ "formatVersion": 1, "editors": editors, "lastTxid": 1, "workspaces": {}, "docs": docs }).to_string()
}

fn world(docs: &[Value]) -> World {
    World::new(&[("tana.json", &export(&[base(), docs.to_vec()].concat()))])
}

/// How a brief reached a node.
fn steps(brief: &ContextBrief, id: &str) -> Vec<(EdgeType, StepDirection, Option<String>)> {
    let node =
        brief.nodes.iter().find(|node| node.id == id).unwrap_or_else(|| panic!("{id} is not in {:?}", ids(brief)));
    node.path.iter().map(|step| (step.edge_type, step.direction, step.field.clone())).collect()
}

/// 14. In an export, what is in a note is found from the note, and the note from what is in it. Fields alike.
#[test]
fn children_and_parents_of_an_export_are_found_both_ways() {
    let world = World::of_golden("notes_tana");
    let source = world.source();
    let from = |id: &str| brief(&source, json!({ "query": id, "depth": 1, "maxTokens": 20_000 })).record;
    let (out, back) = (StepDirection::Out, StepDirection::In);
    let project = from("p1");
    for child in ["c1", "m3", "code"] {
        assert_eq!(steps(&project, child), [(EdgeType::Child, out, None)], "{child}");
        assert_eq!(steps(&from(child), "p1"), [(EdgeType::Child, back, None)], "{child}");
    }
    let owner = || Some("Owner".to_string());
    assert_eq!(steps(&project, "ada"), [(EdgeType::Field, out, owner())]);
    assert_eq!(steps(&from("ada"), "p1"), [(EdgeType::Field, back, owner())]);
    assert_eq!(steps(&project, "log"), [(EdgeType::Reference, back, None)]);
    assert_eq!(steps(&from("log"), "p1"), [(EdgeType::Reference, out, None)]);
}

/// 15. A tag that extends a boosted one is boosted as well, through several tags and around a circle of them.
#[test]
fn tags_that_extend_a_boosted_tag_are_boosted() {
    let mut docs = vec![
        doc("large", "r_SCHEMA", "tagDef", "large effort", json!({})),
        doc("huge", "r_SCHEMA", "tagDef", "huge effort", json!({})),
        doc("other", "r_SCHEMA", "tagDef", "other", json!({})),
        doc("top", "r_STASH", "", "Top", json!({ "children": ["a", "b", "c"] })),
    ];
    docs.extend(tagged("large", &["SYS_T01", "project"]));
    docs.extend(tagged("huge", &["SYS_T01", "large", "huge"]));
    for (id, tag) in [("a", "other"), ("b", "huge"), ("c", "project")] {
        docs.push(note(id, "top", &format!("Note {id}")));
        docs.extend(tagged(id, &[tag]));
    }
    let world = world(&docs);
    let made = brief(&world.source(), json!({ "query": "top", "lens": "planning" })).record;
    let boosts: Vec<(&str, String)> =
        notes(&made).map(|node| (node.id.as_str(), node.score_parts.boost.to_string())).collect();
    let expected = [("top", "0"), ("b", "0.1"), ("c", "0.1"), ("a", "0")];
    assert_eq!(boosts, expected.map(|(id, boost)| (id, boost.to_string())));
    let huge = made.nodes.iter().find(|node| node.id == "b").unwrap();
    assert_eq!(
        (huge.tags.as_slice(), huge.tag_ids.as_slice()),
        (&["huge effort".to_string()][..], &["huge".to_string()][..])
    );
}

/// 18. Recency counts from the day of the change, however the export writes it; without one from the day of creation.
#[test]
fn the_day_of_the_change_decides() {
    const OLD: u64 = 1_768_953_600_000;
    const NEW: u64 = 1_771_545_600_000;
    let with = |id: &str, created: u64, modified: Value| {
        doc(id, "top", "", id, json!({ "created": created, "modifiedTs": modified }))
    };
    let world = world(&[
        doc("top", "r_STASH", "", "Top", json!({ "children": ["a", "b", "c", "d"] })),
        with("a", NEW, json!([0, OLD])),
        with("b", OLD, json!([0, NEW])),
        with("c", OLD, json!(format!("[{NEW}]"))),
        with("d", OLD, Value::Null),
    ]);
    let made = brief(&world.source(), json!({ "query": "top" })).record;
    assert_eq!(made.meta.as_of.date.as_ref().unwrap().as_str(), "2026-02-20");
    let found: Vec<(&str, &str, String)> = notes(&made)
        .skip(1)
        .map(|node| {
            (node.id.as_str(), &node.modified.as_ref().unwrap().as_str()[..10], node.score_parts.recency.to_string())
        })
        .collect();
    let (new, old) = (("2026-02-20", "1"), ("2026-01-21", "0.367879"));
    let expected = [("b", new), ("c", new), ("a", old), ("d", old)];
    assert_eq!(found, expected.map(|(id, (day, recency))| (id, day, recency.to_string())));
}

/// 19. Names that are missing are shown as such, wherever they are, and are never found by words.
#[test]
fn missing_names_break_nothing() {
    let mut docs = vec![
        doc("up", "r_STASH", "", "", json!({ "children": ["start"] })),
        doc("start", "up", "", "Start", json!({ "children": ["down", "start-label", "start-status"] })),
        doc("down", "start", "", "", json!({ "name": null, "children": ["leaf"] })),
        note("leaf", "down", "Leaf"),
        doc("label", "r_SCHEMA", "attrDef", "", json!({})),
        doc("tag", "r_SCHEMA", "tagDef", "", json!({})),
        field("start", "label", &["v1"]),
        doc("v1", "start-label", "", "plain", json!({})),
        field("start", "status", &["v2", "target"]),
        doc("v2", "start-status", "", "", json!({})),
        note("target", "r_STASH", ""),
    ];
    docs.extend(tagged("start", &["tag"]));
    let world = world(&docs);
    let source = world.source();
    let made = brief(&source, json!({ "query": "start", "maxTokens": 8_000 }));
    let text = &made.markdown;
    for line in [
        "## Start [(untitled)]\n",
        "- **(untitled)**: plain\n",
        "- **Status**: (untitled)\n",
        "- (untitled)\n",
        "## (untitled) [note]\ntarget; field Status of Start; ",
        "## (untitled) [note]\nup; parent of Start; ",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(ids(&made.record).contains(&"leaf"), "a note without a name is walked through");
    assert_eq!(steps(&made.record, "target"), [(EdgeType::Field, StepDirection::Out, Some("Status".to_string()))]);
    assert_eq!(ids(&brief(&source, json!({ "query": "down" })).record)[..2], ["down", "start"]);
    for query in ["untitled", "(untitled)"] {
        let topic = brief(&source, json!({ "query": query })).record.meta.topics.remove(0);
        assert_eq!((topic.by, topic.starts), (Some(FoundBy::Words), vec!["start".to_string()]), "its tag and field");
    }
}

/// The nodes of a brief that are no containers.
fn notes(brief: &ContextBrief) -> impl Iterator<Item = &BriefNode> {
    brief.nodes.iter().filter(|node| node.class != "container")
}

fn without_containers(brief: &ContextBrief) -> Vec<&str> {
    notes(brief).map(|node| node.id.as_str()).collect()
}

const DAY: &str = "<span data-inlineref-date=\"{&quot;dateTimeString&quot;:&quot;2026-03-01&quot;}\"></span>";

/// 20. Values of every kind: a reference, a text that is only one, a date, an option, yes and no, two values, none.
#[test]
fn values_of_every_kind_are_shown() {
    let labels = ["ref", "inline", "date", "option", "yes", "two", "none"];
    let mut docs: Vec<Value> =
        labels.map(|label| doc(label, "r_SCHEMA", "attrDef", &format!("F {label}"), json!({}))).to_vec();
    let tuples: Vec<String> = labels.map(|label| format!("p-{label}")).to_vec();
    docs.push(doc("p", "r_STASH", "", "Project", json!({ "children": tuples })));
    docs.extend([
        field("p", "ref", &["ada"]),
        field("p", "inline", &["v-inline"]),
        doc("v-inline", "p-inline", "", "<span data-inlineref-node=\"ada\"></span>", json!({})),
        field("p", "date", &["v-date"]),
        doc("v-date", "p-date", "", DAY, json!({})),
        field("p", "option", &["active"]),
        doc("active", "option", "", "Active", json!({})),
        field("p", "yes", &["SYS_V03"]),
        field("p", "two", &["v-one", "v-two"]),
        doc("v-one", "p-two", "", "one", json!({})),
        doc("v-two", "p-two", "", "two", json!({})),
        field("p", "none", &["v-none"]),
        doc("v-none", "p-none", "", "", json!({})),
    ]);
    let world = world(&docs);
    let made = brief(&world.source(), json!({ "query": "Project" }));
    let shown = "- **F ref**: Ada Lovelace\n- **F inline**: Ada Lovelace\n- **F date**: 2026-03-01\n\
                 - **F option**: Active\n- **F yes**: yes\n- **F two**: one, two\n\n";
    assert!(made.markdown.contains(shown), "{}", made.markdown);
    let fields = &made.record.nodes[0].fields;
    assert_eq!(fields["F ref"][0].reference.as_deref(), Some("ada"));
    assert_eq!(fields["F inline"][0].reference.as_deref(), Some("ada"));
    assert_eq!(fields["F date"][0].date.as_ref().unwrap().as_str(), "2026-03-01");
    assert!(!fields.contains_key("F none"));
    let holder = brief(&world.source(), json!({ "query": "v-one" })).record;
    assert_eq!((ids(&holder)[0], holder.meta.topics[0].by), ("p", Some(FoundBy::Id)), "a value's id means its note");
    let ada = made.record.nodes.iter().find(|node| node.id == "ada").expect("a field leads to her");
    assert_eq!((ada.distance, ada.path[0].edge_type), (1, EdgeType::Field));
}

/// 21. Tags and fields of one name stay apart by their ids; one in the trash is gone.
#[test]
fn tags_and_fields_of_one_name_stay_apart() {
    let mut docs = vec![
        doc("project2", "r_SCHEMA", "tagDef", "Project", json!({})),
        doc("project3", "r_TRASH", "tagDef", "project", json!({})),
        doc("status2", "r_SCHEMA", "attrDef", "Status", json!({})),
        doc("p", "r_STASH", "", "First", json!({ "children": ["p-status", "p-status2"] })),
        note("q", "r_STASH", "Second"),
        field("p", "status", &["v1"]),
        doc("v1", "p-status", "", "one", json!({})),
        field("p", "status2", &["v2"]),
        doc("v2", "p-status2", "", "two", json!({})),
    ];
    docs.extend(tagged("p", &["project", "project3"]));
    docs.extend(tagged("q", &["project2"]));
    let world = world(&docs);
    let source = world.source();
    let both = brief(&source, json!({ "query": "#project" })).record;
    let topic = &both.meta.topics[0];
    let mut starts = topic.starts.clone();
    starts.sort();
    assert_eq!(
        (topic.by, topic.ambiguous, starts),
        (Some(FoundBy::Tag), 2, vec!["project".to_string(), "project2".to_string()])
    );
    let one = brief(&source, json!({ "query": "project2" })).record;
    assert_eq!(without_containers(&one), ["project2", "q"], "an id means one of them");
    let first = brief(&source, json!({ "query": "p" })).record;
    assert_eq!(first.nodes[0].tag_ids, ["project"]);
    let values: Vec<&str> = first.nodes[0].fields["Status"].iter().map(|value| value.text.as_str()).collect();
    assert_eq!(values, ["one", "two"]);
    assert!(!world.records().contains("project3"));
}

/// 22. Seconds, milliseconds, microseconds and nanoseconds give one date, in every kind of source.
#[test]
fn dates_of_every_unit_are_one_date() {
    let units = ["1771545600", "1771545600000", "1771545600000000", "1771545600000000000"];
    let number = |unit: &str| unit.parse::<u64>().unwrap();
    let docs: Vec<Value> = units
        .map(|unit| doc(&format!("t{unit}"), "r_STASH", "", "T", json!({ "modifiedTs": [0, number(unit)] })))
        .to_vec();
    let lines = units.map(|unit| format!("{{\"id\":\"n{unit}\",\"name\":\"N\",\"modified\":{unit}}}\n")).concat();
    let mut files = vec![
        ("vault/.obsidian/app.json".to_string(), "{}".to_string()),
        ("tana.json".to_string(), export(&[base(), docs].concat())),
        ("notes.jsonl".to_string(), format!("{{\"contextpackNodes\":1,\"workspace\":\"w\"}}\n{lines}")),
    ];
    files.extend(units.map(|unit| (format!("vault/v{unit}.md"), format!("---\nmodified: {unit}\n---\nText.\n"))));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let world = World::new(&files);
    let source = world.source();
    for (kind, unit) in ["t", "n", "v"].into_iter().flat_map(|kind| units.map(|unit| (kind, unit))) {
        let made = brief(&source, json!({ "query": format!("{kind}{unit}"), "depth": 0 })).record;
        let modified = made.nodes[0].modified.as_ref().map(|date| date.as_str());
        assert_eq!(modified, Some("2026-02-20T00:00:00Z"), "{kind}{unit}");
    }
}

/// 23. What is below the trash is in no record and no brief: no note, tag, field, reference or hit of a search.
#[test]
fn the_trash_leaves_no_trace() {
    let mut docs = vec![
        doc("gone", "r_TRASH", "", "Wasted plan", json!({ "children": ["deep", "gone-status"] })),
        doc("deep", "gone", "", "wasted detail", json!({ "children": ["deeper"] })),
        doc("deeper", "deep", "", "wasted crumb", json!({})),
        field("gone", "status", &["v1"]),
        doc("v1", "gone-status", "", "wasted value", json!({})),
        doc("gonetag", "deep", "tagDef", "wastedtag", json!({})),
        doc(
            "p",
            "r_STASH",
            "",
            "See [[it^deeper]] and <span data-inlineref-node=\"gone\">this</span>",
            json!({
            "children": ["p-owner", "deep"] }),
        ),
        field("p", "owner", &["gone"]),
    ];
    docs.extend(tagged("p", &["gonetag"]));
    let world = world(&docs);
    let records = world.records();
    assert!(!records.contains("asted"), "{}", &records[records.find("asted").unwrap_or(0).saturating_sub(300)..]);
    assert!(records.contains("5 trashed notes left out"), "the count is said");
    let source = world.source();
    for topic in ["wasted", "Wasted plan", "#wastedtag", "gone", "deeper"] {
        assert!(brief(&source, json!({ "query": topic })).record.nodes.is_empty(), "{topic}");
    }
    let made = brief(&source, json!({ "query": "p" }));
    assert!(made.markdown.contains("See [[it]] and [[this]] [note]"), "{}", made.markdown);
    assert!(made.record.nodes[0].fields.is_empty() && made.record.nodes[0].tags.is_empty());
    assert!(
        made.record.nodes.iter().all(|node| ["p", "r_STASH", "ada"].contains(&node.id.as_str())),
        "{:?}",
        ids(&made.record)
    );
}

/// The documents of the golden export.
fn office() -> Vec<Value> {
    let text = std::fs::read_to_string(crate::tool::home().join("golden/notes_tana/input/office.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["docs"].as_array().unwrap().clone()
}

const TOPICS: [&str; 6] = ["p1", "Ada Lovelace", "#person", "Kick-off", "alert triage", "log"];

/// The briefs of an export about some topics, without what says which index they are of.
fn briefs_of(files: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
    let world = World::new(files);
    let source = world.source();
    let made = TOPICS.map(|topic| brief(&source, json!({ "query": topic, "depth": 3 })));
    made.map(|made| (made.markdown, made.record.nodes.iter().map(|node| node.node_id.to_string()).collect())).to_vec()
}

/// 24. The order of the documents in an export says nothing.
#[test]
fn shuffled_documents_give_the_same_briefs() {
    let mut docs = office();
    // The second of two documents with one id is left out, so that their order counts.
    let mut known = std::collections::BTreeSet::new();
    docs.retain(|doc| known.insert(doc["id"].as_str().unwrap_or_default().to_string()));
    let first = briefs_of(&[("office.json", &export(&docs))]);
    assert!(first.iter().all(|(text, nodes)| nodes.len() > 2 && text.len() > 200), "{first:?}");
    let count = docs.len();
    let steps = [7, 11, 13, 17].into_iter().filter(|step| !count.is_multiple_of(*step));
    for step in steps {
        let shuffled: Vec<Value> = (0..count).map(|at| docs[at * step % count].clone()).collect();
        assert_eq!(briefs_of(&[("office.json", &export(&shuffled))]), first, "{step}");
    }
    docs.reverse();
    assert_eq!(briefs_of(&[("office.json", &export(&docs))]), first);
}

/// 26. An export in another shape, and the newest of several days, give the same briefs; older days are not read.
#[test]
fn exports_of_every_shape_give_the_same_briefs() {
    let docs = office();
    let plain = export(&docs);
    let value: Value = serde_json::from_str(&plain).unwrap();
    let texts: Vec<String> = docs.iter().map(Value::to_string).collect();
    let shapes = [
        format!("{{\"currentWorkspaceId\":\"r\",\"storeData\":{plain}}}"),
        serde_json::to_string_pretty(&value).unwrap(),
        format!("{{\"lastTxid\":1,\"formatVersion\":1,\"docs\":[{}]}}", texts.join(",")),
        format!("{{\"docs\":[{}],\"formatVersion\":1}}", texts.join(",")),
    ];
    let first = briefs_of(&[("office.json", &plain)]);
    for shape in &shapes {
        assert_eq!(briefs_of(&[("office.json", shape)]), first, "{}", &shape[..60]);
    }
    let old = export(&[note("old", "", "Only in the old export")]);
    let dated = [("x/r@2026-01-01.json", old.as_str()), ("x/r@2026-02-20.json", plain.as_str())];
    assert_eq!(briefs_of(&dated), first);
    let world = World::new(&dated);
    assert!(!world.records().contains("Only in the old export"));
    assert!(world.problems().iter().any(|said| said.starts_with("itemSuperseded ")), "{:?}", world.problems());
}

/// 26. What is odd in an export is data: loops of owners, tuples in tuples and with many children, merged notes, code.
#[test]
fn odd_exports_are_read() {
    let many: Vec<String> = (0..60).map(|at| format!("c{at:02}")).collect();
    let mut docs = vec![
        doc("p", "r_STASH", "", "Plan", json!({ "children": ["p-status", "wide", "code"] })),
        doc("p-status", "p", "tuple", "", json!({ "children": ["status", "v1", "inner"] })),
        doc("v1", "p-status", "", "Active", json!({})),
        doc("inner", "p-status", "tuple", "", json!({ "children": ["owner", "ada"] })),
        doc("wide", "p", "tuple", "", json!({ "children": many })),
        doc("code", "p", "codeblock", "if a &lt; b:\n    pass", json!({})),
        doc("x", "y", "", "Loop X", json!({})),
        doc("y", "x", "", "Loop Y", json!({})),
        doc("old", "r_STASH", "", "Old name", json!({ "children": ["below"] })),
        note("below", "old", "Below the old one"),
        doc("old-meta", "old", "metanode", "", json!({ "children": ["old-merge"] })),
        doc("old-merge", "old-meta", "tuple", "", json!({ "children": ["SYS_A84", "p"] })),
        note("see", "r_STASH", "See [[x^old]]"),
    ];
    docs.extend(many.iter().map(|id| note(id, "wide", &format!("Line {id}"))));
    let world = world(&docs);
    let source = world.source();
    let plan = brief(&source, json!({ "query": "p", "maxTokens": 20_000 }));
    assert!(plan.markdown.contains("- **Status**: Active\n- **Owner**: Ada Lovelace\n"), "{}", plan.markdown);
    assert!(plan.markdown.contains("- Line c00\n") && plan.markdown.contains("- Line c59\n"));
    assert!(plan.markdown.contains("- ```\n  if a < b:\n      pass\n  ```\n"), "{}", plan.markdown);
    let of_merged = |id: &str| brief(&source, json!({ "query": id })).record;
    assert_eq!(ids(&of_merged("old"))[0], "p", "the merged note is another name of the other");
    assert_eq!(steps(&of_merged("p"), "below"), [(EdgeType::Child, StepDirection::Out, None)]);
    assert_eq!(steps(&of_merged("see"), "p"), [(EdgeType::Reference, StepDirection::Out, None)]);
    let mut looped = ids(&of_merged("x")).into_iter().map(str::to_string).collect::<Vec<_>>();
    looped.sort();
    assert_eq!(looped, ["x", "y"]);
    assert!(world.problems().iter().any(|said| said.starts_with("itemParent ") && said.contains("form a loop")));
}

/// 26. Nothing of the people who edit a workspace is recorded, neither in a record nor in an accelerator or a brief.
#[test]
fn editors_are_never_recorded() {
    let world = World::of_golden("notes_tana");
    let records = world.records();
    let text = world.printed(&["SOC Defender", "--json", "--depth", "5", "--max-tokens", "50000", "--write"], 0);
    assert!(text.contains("brief:"), "{text}");
    let briefs = run(contextpack().arg("cat").arg(world.index().join("briefs")).arg("context_briefs"), 0).stdout;
    let mut all = vec![("records".to_string(), records.into_bytes()), ("briefs".to_string(), briefs)];
    for stage in ["chunk", "graph"] {
        all.extend(bytes(&world.index().join(stage)));
    }
    for (name, content) in all {
        for word in ["lovelace.example", "system@tagr", "editors"] {
            let found = content.windows(word.len()).any(|bytes| bytes == word.as_bytes());
            assert!(!found, "`{word}` is in {name}");
        }
    }
    let edges = contextpack::store::Index::open(&world.index().join("graph")).unwrap();
    let edges = edges.records::<contextpack::record::Edge>().unwrap();
    assert!(edges.map(Result::unwrap).all(|edge| edge.status != EdgeStatus::Ambiguous), "ids are never ambiguous");
}

/// 1.1: a large export on one line is read whole; one that is cut off is said and read as any other file.
#[test]
fn large_exports_are_read_and_broken_ones_are_said() {
    let text = "word ".repeat(200);
    let mut docs = base();
    docs.extend((0..9_000).map(|at| note(&format!("n{at}"), "r_STASH", &format!("Note {at} {text}"))));
    let large = export(&docs);
    assert!(large.len() > 8 << 20, "more than a file of code may have");
    let golden = export(&office());
    let world = World::new(&[("large.json", &large), ("broken.json", &golden[..golden.len() - 10])]);
    let said = world.problems();
    let about = |code: &str| said.iter().filter(|said| said.starts_with(code)).count();
    assert_eq!((about("itemSource"), about("minified"), about("tooLarge")), (1, 0, 0), "{said:?}");
    let source = world.source();
    assert_eq!(ids(&brief(&source, json!({ "query": "n8999" })).record)[0], "n8999");
    assert!(brief(&source, json!({ "query": "p1" })).record.nodes.is_empty());
    let capped = World::new(&[("large.json", &large), ("contextpack.toml", "[notes]\nmax_export_bytes = 1\n")]);
    let output = capped.run(&["n8999"]);
    assert_eq!(output.status.code(), Some(2), "an export above its own cap holds no notes");
}
