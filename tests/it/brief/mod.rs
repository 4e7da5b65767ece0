//! From a topic of notes to a brief: the acceptance tests of the contract for notes, section 6.

mod budgets;
mod changes;
mod docs;
mod lenses;
mod logseq;
mod safety;
mod tana;
mod text;
mod vaults;
mod walks;
mod world;

use contextpack::record::brief::{AsOfSource, ContextBrief, FoundBy};
use contextpack::record::pack::TreeState;
use serde_json::{Value, json};

use crate::tool::{contextpack, run};
use world::{World, brief, crm, ids, nodes};

/// The example of the contract: byte for byte, 211 tokens.
const EXAMPLE: &str = "\
# Brief: SOC Defender

lens general; depth 2; as of 2026-02-20 (newest note); budget 4000 o200k_base
no embeddings: ranked by distance and recency

## SOC Defender [project]
p1; topic; score 1; 2026-02-20
- **Status**: Active
- **Owner**: Ada Lovelace

Detects and ranks the alerts of the night shift.

- Alert triage ends within 5 minutes
## Kick-off [meeting]
m3; child of SOC Defender; score 0.586612; 2026-02-10
- **Attendees**: Grace Hopper

## Ada Lovelace [person]
a7; field Owner of SOC Defender; score 0.319914; 2025-11-22

## Grace Hopper [person]
g8; child, field Attendees: 2 hops; score 0.207325; 2025-10-23

";

/// 7. `brief \"SOC Defender\"` gives title, units and fields.
#[test]
fn the_example_of_the_contract() {
    let world = World::crm();
    assert_eq!(world.printed(&["SOC Defender"], 0), EXAMPLE);
    let brief = world.json(&["SOC Defender"]);
    assert_eq!(brief.meta.tokens.used, 211);
    assert_eq!(ids(&brief), ["p1", "c1", "m3", "a7", "g8"]);
    let counts = &brief.meta.counts;
    assert_eq!((counts.reached, counts.included, counts.omitted, counts.undated), (5, 5, 0, 0));
    assert_eq!(brief.meta.topics[0].by, Some(FoundBy::Title));
    assert_eq!((brief.meta.as_of.from, brief.meta.tree), (AsOfSource::NewestNote, TreeState::Current));
    let child = &brief.nodes[1];
    assert_eq!((child.score.to_string().as_str(), child.distance), ("0.674202", 1));
    assert_eq!((child.shown.lines, child.shown.of, child.unit.as_str()), (1, 1, "p1"));
    assert_eq!(child.score_parts.recency.to_string(), "0.935506");
}

/// 1. An unknown topic is an answer, not an error.
#[test]
fn an_unknown_topic_is_an_empty_brief() {
    let world = World::crm();
    let text = world.printed(&["zzzunknown"], 1);
    assert_eq!(text, "# Brief: zzzunknown\n\nNo matching nodes found.\n");
    let brief: ContextBrief = serde_json::from_str(&world.printed(&["zzzunknown", "--json"], 1)).unwrap();
    assert!(brief.nodes.is_empty() && brief.overflow.is_empty());
    assert_eq!(brief.meta.message.as_deref(), Some("No matching nodes found."));
    assert_eq!(brief.meta.topics[0].by, None);
}

/// 3.2: the ways to name a topic, each before the next.
#[test]
fn a_topic_is_an_id_a_tag_a_title_or_words() {
    let mut notes = crm();
    notes[3]["aliases"] = json!(["The Countess"]);
    let world = World::of_nodes(&notes);
    let source = world.source();
    let found = |query: &str| {
        let brief = brief(&source, json!({ "query": query })).record;
        (brief.meta.topics[0].by, brief.meta.topics[0].starts.clone())
    };
    let node_id = brief(&source, json!({ "query": "p1" })).record.nodes[0].node_id.to_string();
    let records = world.records();
    let item: Value = records
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .find(|record: &Value| record["sourceId"] == "p1")
        .unwrap();
    for (query, by, start) in [
        ("p1", FoundBy::Id, "p1"),
        (item["chunkUid"].as_str().unwrap(), FoundBy::Id, "p1"),
        (node_id.as_str(), FoundBy::Id, "p1"),
        ("soc  DEFENDER", FoundBy::Title, "p1"),
        ("the countess", FoundBy::Title, "a7"),
        ("night shift alerts", FoundBy::Words, "p1"),
    ] {
        let (found_by, starts) = found(query);
        assert_eq!((found_by, starts[0].as_str()), (Some(by), start), "{query}");
    }
    let partly = brief(&source, json!({ "query": "night shift xyzzy" })).record;
    assert_eq!(partly.meta.topics[0].by, Some(FoundBy::Words));
    assert_eq!(partly.meta.warnings, ["no note has the word xyzzy"]);
    let tag = brief(&source, json!({ "query": "#Person" })).record;
    assert_eq!(tag.meta.topics[0].by, Some(FoundBy::Tag));
    let mut tagged: Vec<&str> =
        tag.nodes.iter().filter(|node| node.distance == 1).map(|node| node.id.as_str()).collect();
    tagged.sort();
    assert_eq!(tagged, ["a7", "g8"], "a tag stands for the notes that have it");
}

/// 3.2: several notes of one name are all starts, at most five.
#[test]
fn notes_of_one_name_are_all_starts() {
    let note =
        |at: u32| json!({ "id": format!("n{at}"), "name": "Weekly", "modified": format!("2026-01-{:02}", at + 1) });
    let all: Vec<Value> = (0..7).map(note).collect();
    let world = World::of_nodes(&all);
    let brief = world.json(&["weekly"]);
    assert_eq!(brief.meta.topics[0].ambiguous, 7);
    assert_eq!(brief.meta.topics[0].starts, ["n6", "n5", "n4", "n3", "n2"], "the newest");
    let warning = "7 notes have the name weekly; the brief starts at the newest 5 of them";
    assert_eq!(brief.meta.warnings, [warning]);
    assert!(world.printed(&["weekly"], 0).contains(warning));
}

/// A section of a page, a block, and a path are topics of a vault.
#[test]
fn parts_of_pages_are_topics() {
    let page = "Intro.\n\n## Goals\n\nTo win.\n\n- a point ^p1\n\n## Risks\n\nTo lose.\n";
    let world = World::new(&[(".obsidian/app.json", "{}"), ("dir/Plan.md", page), ("Other.md", "[[Plan]]\n")]);
    let source = world.source();
    for (query, id) in [
        ("Plan#Goals", "dir/Plan#Goals"),
        ("dir/Plan.md", "dir/Plan"),
        ("note:dir/Plan.md", "dir/Plan"),
        ("dir/Plan", "dir/Plan"),
        ("plan", "dir/Plan"),
    ] {
        assert_eq!(ids(&brief(&source, json!({ "query": query })).record)[0], id, "{query}");
    }
    let block = brief(&source, json!({ "query": "^p1" })).record;
    assert_eq!(block.nodes[0].name.split(" ^").next(), Some("a point"), "{:?}", block.nodes[0]);
}

/// 5. Without vectors: 60 % distance, 40 % recency, and a line that says so.
#[test]
fn without_vectors_distance_and_recency_decide() {
    let mut notes = crm();
    notes.push(json!({ "id": "u1", "name": "Undated" }));
    let world = World::of_nodes(&notes);
    let brief = world.json(&["u1"]);
    assert_eq!(brief.nodes[0].score.to_string(), "0.8");
    assert!(!brief.meta.embeddings.available);
    assert_eq!(brief.meta.counts.undated, 1);
    assert!(brief.nodes[0].score_parts.similarity.is_none());
    assert!(world.printed(&["u1"], 0).contains("\nno embeddings: ranked by distance and recency\n"));
}

/// 6. The index answers for a tree that has changed or is gone, and says so.
#[test]
fn an_index_answers_for_a_tree_that_has_changed() {
    let world = World::crm();
    world.json(&["SOC Defender"]);
    let mut notes = crm();
    notes[0]["text"] = json!("Something else.");
    world.write("crm.jsonl", &nodes(&notes));
    let brief = world.json(&["SOC Defender", "--no-refresh"]);
    assert_eq!(brief.meta.tree, TreeState::Changed);
    assert_eq!(brief.meta.warnings, ["the notes have changed since they were indexed"]);
    assert_eq!(brief.nodes[0].content, "Detects and ranks the alerts of the night shift.");
    std::fs::remove_dir_all(world.tree()).unwrap();
    let mut command = contextpack();
    command.args(["brief", "SOC Defender", "--quiet", "--index"]).arg(world.index());
    let text = String::from_utf8(run(&mut command, 0).stdout).unwrap();
    assert_eq!(text, EXAMPLE);
}

/// The exit codes of the contract, each with what helps.
#[test]
fn what_cannot_be_asked_is_refused_with_a_code() {
    let world = World::crm();
    let refused = |arguments: &[&str], said: &[&str]| {
        let output = world.run(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(said.iter().all(|said| text.contains(said)), "{arguments:?}: {text}");
    };
    refused(&["p1", "--depth", "6"], &["POC_E_BUDGET_EXCEEDED", "`depth` is 6 and may be at most 5"]);
    refused(&["p1", "--max-tokens", "1000001"], &["POC_E_BUDGET_EXCEEDED"]);
    refused(&["p1", "--lens", "planing"], &["POC_E_BAD_REQUEST", "did you mean `planning`?", "meeting-prep"]);
    refused(&["  "], &["POC_E_BAD_REQUEST", "there is no topic"]);
    let code = World::new(&[("main.rs", "fn main() {}\n")]);
    let output = code.run(&["x"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && text.contains("--source-kind"), "{text}");
}

/// A search for words ranks at most 800 texts: those of other directories do not push out what is inside.
#[test]
fn words_are_searched_inside_the_directory() {
    let log =
        |at: usize| (format!("log/{at}.md"), "Night shift, night shift: alerts of the night shift.\n".to_string());
    let mut files: Vec<(String, String)> = (0..900).map(log).collect();
    files.push((".obsidian/app.json".to_string(), "{}".to_string()));
    let long = "Nothing of interest happened while the others were away for lunch. ".repeat(30);
    files.push(("work/Rota.md".to_string(), format!("{long}\n{long} Once there was a night with alerts.\n")));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let source = World::new(&files).source();
    let found = brief(&source, json!({ "query": "night shift alerts", "in": "work" })).record;
    assert_eq!(found.meta.topics[0].starts, ["work/Rota"]);
}

/// `--in` limits a brief to a part of the tree.
#[test]
fn only_notes_of_a_directory_are_used() {
    let files = [
        (".obsidian/app.json", "{}"),
        ("work/Plan.md", "See [[Team]] and [[Home plan]].\n"),
        ("work/Team.md", "Three people.\n"),
        ("home/Home plan.md", "See [[Plan]].\n"),
        ("home/Plan.md", "Another plan.\n"),
    ];
    let world = World::new(&files);
    let source = world.source();
    let shown = |within: Option<&str>| {
        let brief = brief(&source, json!({ "query": "plan", "in": within })).record;
        brief.nodes.iter().map(|node| node.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(shown(Some("work")), ["work/Plan", "work/Team"]);
    assert_eq!(shown(Some("home/")), ["home/Plan", "home/Home plan"]);
    assert!(shown(None).len() > 3);
}

/// 25. The same bytes whatever the clock, the zone and the number of threads.
#[test]
fn the_same_notes_give_the_same_bytes_everywhere() {
    let world = World::crm();
    let first = world.printed(&["SOC Defender", "--json"], 0);
    for (zone, jobs) in [("Pacific/Auckland", "1"), ("America/New_York", "8")] {
        let environment = [("TZ", zone), ("RAYON_NUM_THREADS", jobs), ("LANG", "de_DE.UTF-8")];
        let arguments = ["SOC Defender", "--json", "--jobs", jobs];
        let again = world.run_with(&arguments, &environment);
        assert_eq!(String::from_utf8(again.stdout).unwrap(), first, "{zone}");
    }
    let dated = world.run_with(&["SOC Defender"], &[("SOURCE_DATE_EPOCH", "1771804800")]);
    assert!(String::from_utf8(dated.stdout).unwrap().contains("as of 2026-02-23 (source date)"));
}

/// Many requests are answered into `briefs/`, each once.
#[test]
fn many_requests_are_stored() {
    let world = World::crm();
    let requests = world.scratch.path().join("requests.jsonl");
    let lines =
        "{\"query\":\"SOC Defender\",\"lens\":\"planning\"}\n{\"topics\":[\"p1\"],\"maxTokens\":700}\n{\"nope\":1}\n";
    std::fs::write(&requests, lines).unwrap();
    let arguments = ["--requests", requests.to_str().unwrap(), "--json"];
    let summary: Value = serde_json::from_str(&world.printed(&arguments, 1)).unwrap();
    assert_eq!((&summary["briefs"], &summary["known"], &summary["refused"]), (&json!(2), &json!(0), &json!(1)));
    let again: Value = serde_json::from_str(&world.printed(&arguments, 1)).unwrap();
    assert_eq!((&again["known"], &again["indexSignature"]), (&json!(2), &summary["indexSignature"]));
    run(contextpack().arg("verify").arg(world.index()).arg("--deep"), 0);
    let stored = run(contextpack().arg("cat").arg(world.index().join("briefs")).arg("context_briefs"), 0).stdout;
    let stored = String::from_utf8(stored).unwrap();
    assert_eq!(stored.lines().count(), 2);
    let printed = world.printed(&["SOC Defender", "--lens", "planning", "--json"], 0);
    assert!(stored.lines().any(|line| format!("{line}\n") == printed), "a stored brief has the bytes that are printed");
    let id = world.printed(&["Kick-off", "--write", "--quiet"], 0);
    let kept = run(contextpack().arg("cat").arg(world.index().join("briefs")).arg("context_briefs"), 0).stdout;
    let kept = String::from_utf8(kept).unwrap();
    assert!(kept.lines().count() == 3 && kept.contains(id.trim()), "{kept}");
}
