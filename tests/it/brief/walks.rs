//! Which nodes a brief reaches, by which paths, and in which order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use contextpack::record::EdgeType;
use contextpack::record::brief::{BriefNode, StepDirection};
use serde_json::{Value, json};

use super::budgets::Random;
use super::world::{World, brief, crm, ids};

/// 3. Loops of any kind end, and no node or path repeats.
#[test]
fn loops_end() {
    let world = World::of_nodes(&[
        json!({ "id": "a", "name": "A", "refs": ["a", "b"], "fields": { "Next": [{ "ref": "c" }] } }),
        json!({ "id": "b", "name": "B", "refs": ["a"] }),
        json!({ "id": "c", "name": "C", "parent": "b", "refs": ["d"] }),
        json!({ "id": "d", "name": "D", "parent": "c", "refs": ["b", "c"] }),
    ]);
    let source = world.source();
    for start in ["a", "b", "c", "d"] {
        let brief = brief(&source, json!({ "query": start, "depth": 5 })).record;
        let mut once = ids(&brief);
        once.sort();
        assert_eq!(once, ["a", "b", "c", "d"], "from {start}");
        for node in &brief.nodes {
            let mut on_path: Vec<&str> = node.path.iter().map(|step| step.to.as_str()).collect();
            on_path.extend(node.path.first().map(|step| step.from.as_str()));
            let length = on_path.len();
            on_path.sort();
            on_path.dedup();
            assert_eq!(on_path.len(), length, "{:?}", node.path);
            assert_eq!(node.path.len(), node.distance as usize);
        }
    }
}

/// 17. Three hops over three kinds of edges, with the field's name, and back again.
#[test]
fn a_path_says_its_edges() {
    let world = World::of_nodes(&[
        json!({ "id": "a", "name": "A" }),
        json!({ "id": "b", "name": "B", "parent": "a", "refs": ["c"] }),
        json!({ "id": "c", "name": "C", "fields": { "Blocked by": [{ "ref": "d" }] } }),
        json!({ "id": "d", "name": "D" }),
    ]);
    let source = world.source();
    let steps = |from: &str, to: &str| -> Vec<(EdgeType, StepDirection, Option<String>)> {
        let brief = brief(&source, json!({ "query": from, "depth": 3 })).record;
        let node = brief.nodes.iter().find(|node| node.id == to).unwrap();
        node.path.iter().map(|step| (step.edge_type, step.direction, step.field.clone())).collect()
    };
    let field = Some("Blocked by".to_string());
    let out = StepDirection::Out;
    assert_eq!(
        steps("a", "d"),
        [(EdgeType::Child, out, None), (EdgeType::Reference, out, None), (EdgeType::Field, out, field.clone())]
    );
    let back = StepDirection::In;
    assert_eq!(
        steps("d", "a"),
        [(EdgeType::Field, back, field), (EdgeType::Reference, back, None), (EdgeType::Child, back, None)]
    );
    let text = brief(&source, json!({ "query": "a", "depth": 3 })).markdown;
    assert!(text.contains("\nd; child, reference, field Blocked by: 3 hops; score "), "{text}");
}

/// 4. Up to 500 children none is cut; of more, the best are kept, and the cut is reported. Backlinks alike.
#[test]
fn many_children_are_cut_to_the_best() {
    for (word, count) in [500u32, 501, 5_000].into_iter().flat_map(|count| [("child", count), ("backlink", count)]) {
        let mut all = vec![json!({ "id": "hub", "name": "Hub", "modified": "2026-02-20" })];
        for at in 0..count {
            let day = format!("20{:02}-01-{:02}", 10 + at % 16, at % 28 + 1);
            let mut note = json!({ "id": format!("x{at}"), "name": format!("Item {at}"), "modified": day });
            match word {
                "child" => note["parent"] = json!("hub"),
                _ => note["refs"] = json!(["hub"]),
            }
            all.push(note);
        }
        let world = World::of_nodes(&all);
        let source = world.source();
        let brief = brief(&source, json!({ "query": "hub", "depth": 1, "maxTokens": 200_000 })).record;
        assert_eq!(brief.nodes.len() as u32, 1 + count.min(500), "{word} {count}");
        if count <= 500 {
            assert!(brief.meta.truncated.is_empty(), "{:?}", brief.meta.truncated);
            continue;
        }
        let [cap] = brief.meta.truncated.as_slice() else { panic!("{:?}", brief.meta.truncated) };
        assert_eq!((cap.cap.as_str(), cap.limit, cap.observed, cap.omitted), ("maxChildren", 500, count, count - 500));
        assert_eq!(cap.scope, format!("{word} of hub"));
        assert_eq!(ids(&brief)[1..], best(&all), "{word} {count}");
    }
}

/// The 500 notes to keep: the newest ones, and of one day those that come first in the source.
fn best(all: &[Value]) -> Vec<&str> {
    let mut notes: Vec<&Value> = all[1..].iter().collect();
    notes.sort_by_key(|note| std::cmp::Reverse(note["modified"].as_str().unwrap()));
    notes.iter().take(500).map(|note| note["id"].as_str().unwrap()).collect()
}

/// 3.4: more nodes than a brief considers are cut to the best of them, and the cut is reported.
#[test]
fn too_many_nodes_are_cut_to_the_best() {
    let mut all = vec![json!({ "id": "top", "name": "Top", "modified": "2026-02-20" })];
    for hub in 0..45 {
        all.push(json!({ "id": format!("h{hub}"), "name": "Hub", "parent": "top", "modified": "2026-02-20" }));
        let day = if hub == 3 { "2026-02-20" } else { "2026-02-01" };
        let note =
            |at| json!({ "id": format!("h{hub}n{at}"), "parent": format!("h{hub}"), "name": "N", "modified": day });
        all.extend((0..460).map(note));
    }
    let count = all.len() as u32;
    assert_eq!(count, 20_746);
    let world = World::of_nodes(&all);
    let brief = brief(&world.source(), json!({ "query": "top", "maxTokens": 9_000 })).record;
    let [cap] = brief.meta.truncated.as_slice() else { panic!("{:?}", brief.meta.truncated) };
    assert_eq!((cap.cap.as_str(), cap.limit, cap.observed, cap.omitted), ("maxNodes", 20_000, count, count - 20_000));
    assert_eq!(brief.meta.counts.reached, count, "all of them are counted");
    assert!(brief.nodes.len() > 506, "{}", brief.nodes.len());
    assert!(brief.nodes[46..506].iter().all(|node| node.id.starts_with("h3n")), "the newest of one distance");
}

/// 13. All else equal, the nearer has the higher score. Random graphs of children, references and fields.
#[test]
fn the_nearer_is_the_better_if_all_else_is_equal() {
    let mut random = Random(7);
    for _ in 0..6 {
        let count = 60;
        let all: Vec<Value> = (0..count)
            .map(|at| {
                let mut other = || json!(format!("n{}", random.below(count)));
                let mut note = json!({ "id": format!("n{at}"), "name": "Note", "modified": "2026-02-01" });
                match at % 3 {
                    0 if at > 0 => note["parent"] = json!(format!("n{}", at / 3)),
                    1 => note["refs"] = json!([other(), other()]),
                    _ => note["fields"] = json!({ "Next": [{ "ref": other() }] }),
                }
                note
            })
            .collect();
        let world = World::of_nodes(&all);
        let brief = brief(&world.source(), json!({ "query": "n0", "depth": 5, "maxTokens": 50_000 })).record;
        let mut by_distance: BTreeMap<u32, u32> = BTreeMap::new();
        for node in &brief.nodes {
            let score = node.score.in_millionths();
            assert_eq!(*by_distance.entry(node.distance).or_insert(score), score);
        }
        let scores: Vec<u32> = by_distance.values().copied().collect();
        assert!(scores.len() > 3 && scores.windows(2).all(|pair| pair[0] > pair[1]), "{by_distance:?}");
    }
}

/// 13. Nodes of one score have an order that does not depend on chance: distance, words, date, path.
#[test]
fn equals_have_one_order() {
    let mut random = Random(3);
    let pages: Vec<(String, String)> = (0..60)
        .map(|at| {
            let day =
                if at % 4 == 0 { String::new() } else { format!("---\nmodified: 2026-02-{:02}\n---\n", at % 3 + 1) };
            let links = format!("[[p{}]] [[p{}]]", random.below(60), random.below(60));
            let words = if at % 5 == 0 { "About the start p0." } else { "Text." };
            (format!("p{at}.md"), format!("{day}{words} {links}\n"))
        })
        .collect();
    let files = pages.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let world = World::new(&files.chain([(".obsidian/app.json", "{}")]).collect::<Vec<_>>());
    let query = json!({ "query": "p0", "depth": 5, "maxTokens": 50_000 });
    let nodes = brief(&world.source(), query).record.nodes;
    let key = |node: &BriefNode| {
        let modified = node.modified.as_ref().map(|date| date.to_string());
        (Reverse(node.score), node.distance, Reverse(node.lexical), Reverse(modified), node.file_rel_path.clone())
    };
    let keys: Vec<_> = nodes[1..].iter().map(key).collect();
    assert!(keys.len() > 30 && keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:#?}");
    let equals = nodes[1..].windows(2).filter(|pair| pair[0].score == pair[1].score).count();
    assert!(equals > 10, "there are nodes of one score: {equals}");
}

/// 12. Fields are shown, references by their names; without fields their edges are walked all the same.
#[test]
fn fields_are_shown_by_name_or_not_at_all() {
    let world = World::crm();
    let with = world.json(&["SOC Defender"]);
    let owner = &with.nodes[0].fields["Owner"][0];
    assert_eq!((owner.text.as_str(), owner.reference.as_deref()), ("Ada Lovelace", Some("a7")));
    for flag in ["--include-fields", "--include-fields=true"] {
        assert!(world.printed(&["SOC Defender", flag], 0).contains("- **Owner**: Ada Lovelace\n"));
    }
    let without = world.json(&["SOC Defender", "--include-fields=false"]);
    assert!(without.nodes.iter().all(|node| node.fields.is_empty()));
    assert_eq!(ids(&without), ids(&with));
    let text = world.printed(&["SOC Defender", "--include-fields=false"], 0);
    assert!(!text.contains("**Owner**") && text.contains("field Owner of SOC Defender"), "{text}");
}

/// 34. What is next to both topics comes before what is next to one.
#[test]
fn what_is_near_both_topics_is_lifted() {
    let world = World::of_nodes(&[
        json!({ "id": "a", "name": "Alpha", "refs": ["both", "only-a"] }),
        json!({ "id": "b", "name": "Beta", "refs": ["both", "only-b"] }),
        json!({ "id": "both", "name": "Both" }),
        json!({ "id": "only-a", "name": "Only of Alpha" }),
        json!({ "id": "only-b", "name": "Only of Beta" }),
    ]);
    let brief = world.json(&["Alpha", "--with", "Beta"]);
    assert_eq!(ids(&brief)[..3], ["a", "b", "both"], "topics first, then what is near both");
    let both = &brief.nodes[2];
    assert_eq!((both.distance, both.topic, both.also.len()), (1, 0, 1));
    assert_eq!((both.also[0].topic, both.also[0].path[0].from.as_str()), (1, "b"));
    let text = world.printed(&["Alpha", "--with", "Beta", "--with", "zzzunknown"], 0);
    assert!(text.starts_with("# Brief: Alpha + Beta + zzzunknown\n"), "{text}");
    assert!(text.contains("\nwarning: nothing matches zzzunknown\n"), "{text}");
}

/// Containers and tags do not lead from note to note, and templates are not reached.
#[test]
fn hubs_do_not_connect_everything() {
    let mut all = crm();
    all.push(json!({ "id": "t9", "name": "Another project", "tags": ["project"] }));
    let world = World::of_nodes(&all);
    let brief = brief(&world.source(), json!({ "query": "p1", "depth": 5 })).record;
    assert!(!ids(&brief).contains(&"t9"), "a common tag is no connection");
    let vault = World::new(&[
        (".obsidian/templates.json", "{\"folder\":\"tpl\"}"),
        ("A.md", "[[Form]] [[B]]\n"),
        ("B.md", "text\n"),
        ("tpl/Form.md", "[[B]] is filled in\n"),
    ]);
    let source = vault.source();
    assert_eq!(ids(&super::brief(&source, json!({ "query": "A", "depth": 3 })).record), ["A", "B"]);
    let found = super::brief(&source, json!({ "query": "filled" })).record;
    assert!(found.nodes.is_empty(), "words do not lead to a template: {:?}", ids(&found));
    assert_eq!(ids(&super::brief(&source, json!({ "query": "Form" })).record)[0], "tpl/Form", "its title does");
}

/// A page that is only named is walked through, and can be a topic.
#[test]
fn unwritten_pages_connect_notes() {
    let world = World::new(&[
        (".obsidian/app.json", "{}"),
        ("A.md", "About [[Nobody wrote this]].\n"),
        ("B.md", "Also [[nobody wrote this]].\n"),
    ]);
    let source = world.source();
    let from_page = brief(&source, json!({ "query": "A" })).record;
    let classes: Vec<(&str, &str)> =
        from_page.nodes.iter().map(|node| (node.name.as_str(), node.class.as_str())).collect();
    assert_eq!(classes, [("A", "page"), ("B", "page")], "a page without text is only walked through");
    let topic = brief(&source, json!({ "query": "Nobody Wrote This" })).record;
    assert_eq!(topic.nodes.len(), 3, "it has backlinks");
}

/// 30. `coding` walks from a note to the code that it names, and back.
#[test]
fn notes_lead_to_the_code_that_they_name() {
    let world = World::new(&[
        ("notes/.obsidian/app.json", "{}"),
        ("notes/Ranking.md", "The order of alerts is made by `rank_alerts_by_age` in `src/rank.py`.\n"),
        ("notes/Other.md", "Nobody else calls `rank_alerts_by_age`.\n"),
        ("src/rank.py", "def rank_alerts_by_age(alerts):\n    return sorted(alerts)\n"),
    ]);
    let source = world.source();
    let coding = brief(&source, json!({ "query": "Ranking", "lens": "coding" }));
    let code = coding.record.nodes.iter().find(|node| node.class == "code").expect("the code is reached");
    assert_eq!((code.distance, code.file_rel_path.as_ref().unwrap().as_str()), (1, "src/rank.py"));
    let fence = "## src/rank.py:1-2 [code]\nrank_alerts_by_age; code named by Ranking; score ";
    assert!(coding.markdown.contains(fence), "{}", coding.markdown);
    assert!(coding.markdown.contains("```python\ndef rank_alerts_by_age(alerts):\n    return sorted(alerts)\n```\n"));
    let codes = coding.record.nodes.iter().filter(|node| node.class == "code").count();
    assert_eq!(codes, 1, "the file and its only function are one text");
    assert!(ids(&coding.record).contains(&"Other"), "and back to the notes that name it");
    let general = brief(&source, json!({ "query": "Ranking" })).record;
    assert!(general.nodes.iter().all(|node| node.class != "code"));
}
