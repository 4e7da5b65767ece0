//! Briefs about Logseq graphs and `nodes.jsonl`, as the stages read them.

use std::collections::BTreeSet;

use contextpack::record::EdgeType;
use contextpack::record::brief::ContextBrief;
use contextpack::store::Index;
use serde_json::json;

use super::world::{World, brief, ids, nodes};

const CONFIG: (&str, &str) = ("logseq/config.edn", "{:meta/version 1}");

fn graph(files: &[(&str, &str)]) -> World {
    World::new(&[&[CONFIG], files].concat())
}

const ID: &str = "65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e01";

/// The names of the notes that a brief reaches in one step over references.
fn referred(brief: &ContextBrief) -> Vec<&str> {
    let near = brief.nodes.iter().filter(|node| node.distance == 1 && node.path[0].edge_type == EdgeType::Reference);
    let mut names: Vec<&str> = near.map(|node| node.name.as_str()).collect();
    names.sort();
    names
}

/// 28. Pages by the names in their files, journals by their titles, aliases, YAML titles, blocks by id, tags as pages.
#[test]
fn links_of_a_graph_lead_to_titles_and_blocks() {
    let block = format!("- The block\n  id:: {ID}\n\t- below it\n");
    let world = graph(&[
        ("pages/area___ops.md", "- Text.\n"),
        ("pages/area%2Fold.md", "- Text.\n"),
        ("pages/Named.md", "---\ntitle: A YAML title\n---\n- Text.\n"),
        ("pages/Titled.md", "title:: Own title\nalias:: Other name, [[x, y]]\n- Text.\n"),
        ("pages/Holder.md", &block),
        ("pages/deep work.md", "- Text.\n"),
        ("journals/2026_02_20.md", "- A day.\n"),
        (
            "pages/From.md",
            &format!(
                "- [[area/ops]] [[AREA/old]]\n- [[A YAML title]]\n- [[own title]] [[Other name]] [[x, y]]\n- (({ID}))\n\
             - {{{{embed (({ID}))}}}}\n- [[Feb 20th, 2026]]\n- #[[deep work]] text\n- `[[Holder]]`\n"
            ),
        ),
    ]);
    let source = world.source();
    let made = brief(&source, json!({ "query": "From", "depth": 1, "maxTokens": 20_000 })).record;
    assert_eq!(
        referred(&made),
        ["A YAML title", "Feb 20th, 2026", "Own title", "The block", "area/old", "area/ops", "deep work"]
    );
    let day = made.nodes.iter().find(|node| node.name == "Feb 20th, 2026").unwrap();
    assert_eq!(day.modified.as_ref().unwrap().as_str(), "2026-02-20", "a journal's day is in its name");
    for (topic, id) in [("feb 20th, 2026", "Feb 20th, 2026"), (ID, "The block"), ("area/old", "area/old")] {
        let name = &brief(&source, json!({ "query": topic })).record.nodes[0].name;
        assert_eq!(name, id, "{topic}");
    }
    let below = brief(&source, json!({ "query": ID })).record;
    assert!(below.nodes.iter().any(|node| node.name == "below it"), "{:?}", ids(&below));
}

/// 28. Bullets with tabs or spaces are one outline; properties, tasks and what Logseq keeps for itself.
#[test]
fn outlines_tasks_and_properties_are_shown() {
    let page = "owner:: [[Ada]]\ntags:: project\n\n- Text of it\n\t- TODO Write it\n\t  DEADLINE: <2026-02-27 Fri>\n\t  priority:: high\n\
                \t  id:: 65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e02\n\t  collapsed:: true\n\t\t- Inner\n\t- Second\n";
    let of = |page: &str| {
        let world = graph(&[("pages/Plan.md", page), ("pages/Ada.md", "- Text.\n")]);
        let made = brief(&world.source(), json!({ "query": "Plan", "depth": 4 }));
        made.markdown
    };
    let text = of(page);
    for line in [
        "## Plan [project]\n",
        "- **owner**: Ada\n",
        "- Text of it\n  - TODO Write it\n",
        "    - **due**: 2026-02-27 Fri\n    - **priority**: high\n    - Inner\n",
        "\n  - Second\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("collapsed") && !text.contains("9e02"), "{text}");
    assert_eq!(of(&page.replace('\t', "  ")), text, "two spaces are a level, too");
}

fn node_ids(world: &World) -> BTreeSet<String> {
    world.records();
    let index = Index::open(&world.index().join("chunk")).unwrap();
    let items = index.records::<contextpack::record::Item>().unwrap();
    items.map(|item| item.unwrap().node_id.to_string()).collect()
}

/// 28. A new bullet between others changes no id, and so a brief before and after shows the same nodes.
#[test]
fn a_new_sibling_changes_no_other_id() {
    let world =
        graph(&[("pages/Plan.md", "- one\n\t- two\n- three\n- same\n- same\n"), ("pages/Other.md", "- [[Plan]]\n")]);
    let before = node_ids(&world);
    world.write("pages/Plan.md", "- zero\n- one\n\t- between\n\t- two\n- three\n- same\n- more\n- same\n");
    let after = node_ids(&world);
    assert!(before.is_subset(&after), "{before:#?}\n{after:#?}");
    assert_eq!(after.len(), before.len() + 3);
}

/// 28. What is not read is said, and is no note.
#[test]
fn files_that_are_not_read_are_said() {
    let world = World::of_golden("notes_logseq");
    let said = world.problems();
    let sources: Vec<&String> = said.iter().filter(|said| said.starts_with("itemSource ")).collect();
    assert_eq!(sources.len(), 2, "{said:?}");
    assert!(
        sources.iter().any(|said| said.contains("Org mode")) && sources.iter().any(|said| said.contains("whiteboard"))
    );
}

/// 29. Lines in any order; a bad line is named; second ids, loops and deleted notes are left out; the rest is a brief.
#[test]
fn odd_lines_are_named_and_the_rest_is_read() {
    let lines = [
        json!({ "id": "c", "name": "Child", "parent": "p", "refs": ["later"] }).to_string(),
        json!({ "id": "p", "name": "Plan", "modified": "2026-02-20" }).to_string(),
        json!({ "id": "later", "name": "Later", "fields": { "Owner": [{ "ref": "ada" }] } }).to_string(),
        json!({ "id": "ada", "name": "Ada" }).to_string(),
        json!({ "id": "d", "name": "Dropped plan", "deleted": true, "parent": "p" }).to_string(),
        "{\"id\": \"broken\", \"name\": \"Not closed\"".to_string(),
        json!({ "id": "d2", "name": "Below what is dropped", "parent": "d" }).to_string(),
        json!({ "id": "p", "name": "The same id" }).to_string(),
        json!({ "id": "x", "name": "X", "parent": "y" }).to_string(),
        json!({ "id": "y", "name": "Y", "parent": "x" }).to_string(),
        json!({ "id": "u", "name": "U", "parent": "nobody", "nmae": 1 }).to_string(),
    ];
    let text = format!("{{\"contextpackNodes\":1,\"workspace\":\"crm\"}}\n{}\n", lines.join("\n"));
    let world = World::new(&[("notes.jsonl", &text)]);
    let said = world.problems();
    for (line, words) in [
        ("itemData 7: ", "not a JSON object"),
        ("itemDuplicate 9: ", "another note before has the id `p`"),
        ("itemParent 10: ", "form a loop"),
        ("itemData 12: ", "`nmae`"),
        ("itemData 12: ", "`nobody`"),
        ("itemData 0: ", "2 deleted notes"),
    ] {
        assert!(said.iter().any(|said| said.starts_with(line) && said.contains(words)), "{line}{words}: {said:#?}");
    }
    let source = world.source();
    let made = brief(&source, json!({ "query": "Plan", "depth": 3 })).record;
    assert_eq!(ids(&made), ["p", "c", "later", "ada"]);
    let mut looped =
        ids(&brief(&source, json!({ "query": "x" })).record).into_iter().map(str::to_string).collect::<Vec<_>>();
    looped.sort();
    assert_eq!(looped, ["x", "y"]);
    assert!(brief(&source, json!({ "query": "dropped" })).record.nodes.is_empty());
    assert!(!world.records().contains("Below what is dropped"));
    let reversed: Vec<serde_json::Value> = lines
        .iter()
        .rev()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|note: &serde_json::Value| note["name"] != "The same id")
        .collect();
    let reversed = World::of_nodes(&reversed);
    assert_eq!(
        ids(&brief(&reversed.source(), json!({ "query": "Plan", "depth": 3 })).record),
        ids(&made),
        "{}",
        nodes(&[])
    );
}
