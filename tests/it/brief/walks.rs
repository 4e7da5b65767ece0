//! Which nodes a brief reaches, by which paths, and in which order.

use std::collections::BTreeMap;

use contextpack::record::EdgeType;
use contextpack::record::brief::{ContextBrief, StepDirection};
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
    for (word, count) in [("child", 500u32), ("child", 501), ("child", 5_000), ("backlink", 500), ("backlink", 700)] {
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
        check_best(&all, &brief);
    }
}

/// The kept notes are the newest ones; nothing else tells them apart.
fn check_best(all: &[Value], brief: &ContextBrief) {
    let mut days: Vec<&str> = all[1..].iter().map(|note| note["modified"].as_str().unwrap()).collect();
    days.sort();
    days.reverse();
    let border = days[499];
    let kept = brief.nodes[1..].iter().map(|node| node.modified.as_ref().unwrap().as_str());
    assert!(kept.clone().all(|day| day >= border), "{border}");
}

/// 13. All else equal, the nearer has the higher score. Random graphs; equals are never ordered by chance.
#[test]
fn the_nearer_is_the_better_if_all_else_is_equal() {
    let mut random = Random(7);
    for _ in 0..6 {
        let count = 60;
        let all: Vec<Value> = (0..count)
            .map(|at| {
                let mut note =
                    json!({ "id": format!("n{at}"), "name": format!("Note {at}"), "modified": "2026-02-01" });
                note["refs"] = (0..random.below(3)).map(|_| json!(format!("n{}", random.below(count)))).collect();
                note
            })
            .collect();
        let world = World::of_nodes(&all);
        let source = world.source();
        let first = brief(&source, json!({ "query": "n0", "depth": 5, "maxTokens": 50_000 })).record;
        let mut by_distance: BTreeMap<u32, u32> = BTreeMap::new();
        for node in &first.nodes {
            let score = node.score.in_millionths();
            assert_eq!(*by_distance.entry(node.distance).or_insert(score), score);
        }
        let scores: Vec<u32> = by_distance.values().copied().collect();
        assert!(scores.windows(2).all(|pair| pair[0] > pair[1]), "{by_distance:?}");
        let mut shuffled = all.clone();
        shuffled.reverse();
        let again = World::of_nodes(&shuffled);
        let again = brief(&again.source(), json!({ "query": "n0", "depth": 5, "maxTokens": 50_000 })).record;
        let order =
            |brief: &ContextBrief| brief.nodes.iter().map(|node| (node.score, node.distance)).collect::<Vec<_>>();
        assert_eq!(order(&first), order(&again));
    }
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
