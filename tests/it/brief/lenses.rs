//! Lenses: which edges are followed, which tags are lifted, which fields are shown.

use serde_json::json;

use super::world::{World, brief, crm, ids, nodes};

/// 10. meeting-prep reaches attendees over a field, and lifts people above an equal note without a tag.
#[test]
fn meeting_prep_is_about_people() {
    let world = World::of_nodes(&[
        json!({ "id": "m", "name": "Review", "tags": ["meeting"], "modified": "2026-02-20",
            "fields": { "Attendees": [{ "ref": "ada" }], "Room": ["12"] }, "refs": ["doc"] }),
        json!({ "id": "doc", "name": "A document", "modified": "2026-02-01" }),
        json!({ "id": "ada", "name": "Ada Lovelace", "tags": ["person"], "modified": "2026-02-01" }),
    ]);
    let source = world.source();
    let made = brief(&source, json!({ "query": "Review", "lens": "meeting-prep" }));
    assert_eq!(ids(&made.record), ["m", "ada", "doc"]);
    let ada = &made.record.nodes[1];
    assert_eq!((ada.distance, ada.path[0].field.as_deref()), (1, Some("Attendees")));
    assert_eq!(ada.score_parts.boost.to_string(), "0.1");
    assert!(made.markdown.contains("- **Attendees**: Ada Lovelace\n") && !made.markdown.contains("**Room**"));
    let general = brief(&source, json!({ "query": "Review" })).record;
    assert_eq!(ids(&general), ["m", "doc", "ada"], "without a boost the order is another");
    assert_eq!(world.json(&["meeting", "--lens", "meeting-prep"]).meta.lens, "meeting-prep");
}

/// 15. A boosted tag moves a note, never above 1; tags count in any case, nested, and by what they extend.
#[test]
fn boosted_tags_lift_notes() {
    let note = |id: &str, tags: &[&str]| json!({ "id": id, "name": id, "tags": tags, "modified": "2026-02-20" });
    let mut all = vec![note("t", &["PROJECT"])];
    for (id, tag) in [("a", "Goal"), ("b", "goal/q1"), ("c", "other"), ("d", "Mile Stone"), ("e", "TASK")] {
        let mut one = note(id, &[tag]);
        one["parent"] = json!("t");
        all.push(one);
    }
    let world = World::of_nodes(&all);
    let brief = brief(&world.source(), json!({ "query": "t", "lens": "planning" })).record;
    let boosted: Vec<&str> = brief
        .nodes
        .iter()
        .filter(|node| node.score_parts.boost.in_millionths() == 100_000)
        .map(|node| node.id.as_str())
        .collect();
    assert_eq!(boosted, ["t", "a", "b", "e"], "{brief:?}");
    assert_eq!(brief.nodes[0].score.to_string(), "1", "at most one");
    assert_eq!(ids(&brief)[1..4], ["a", "b", "e"], "boosted notes come first");
}

/// 33. Own lenses: from contextpack.toml, from a file, extending and replacing; a wrong key is refused and named.
#[test]
fn own_lenses() {
    let world = World::new(&[
        ("crm.jsonl", &nodes(&crm())),
        (
            "contextpack.toml",
            "index = \"../index\"\n[lens.people]\nextends = \"meeting-prep\"\nboost_tags = [\"person\"]\nmax_depth = 1\n",
        ),
    ]);
    let file = world.scratch.path().join("lenses.toml");
    std::fs::write(
        &file,
        "[lens.writing]\nedges = { child = 500 }\n[lens.mine]\nextends = \"people\"\nfields = [\"owner\"]\n",
    )
    .unwrap();
    let people = world.json(&["p1", "--lens", "people"]);
    assert_eq!(
        (people.request.lens.max_depth, people.request.lens.boost_tags.as_slice()),
        (1, &["person".to_string()][..])
    );
    assert_eq!((people.meta.depth.asked, people.meta.depth.walked), (2, 1));
    assert_eq!(people.request.lens.edges.len(), 6, "what is left out is meeting-prep's");
    let with_file = ["--lens-file", file.to_str().unwrap()];
    let mine = world.json(&[&["p1", "--lens", "mine"][..], &with_file].concat());
    assert_eq!(mine.request.lens.fields, ["owner"]);
    assert_eq!(mine.nodes[0].fields.keys().collect::<Vec<_>>(), ["Owner"]);
    let replaced = world.json(&[&["p1", "--lens", "writing"][..], &with_file].concat());
    assert_eq!(ids(&replaced), ["p1", "c1", "m3"]);
    assert_eq!(replaced.nodes[1].score_parts.proximity.to_string(), "0.25");
    let listed = world.printed(&[&["--list-lenses"][..], &with_file].concat(), 0);
    assert!(["people", "mine", "general"].iter().all(|name| listed.contains(&format!("{name}: "))), "{listed}");
    std::fs::write(&file, "[lens.bad]\nboost = [\"x\"]\n").unwrap();
    let output = world.run(&[&["p1", "--lens", "bad"][..], &with_file].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("`boost`"), "{said}");
    world.write("contextpack.toml", "index = \"../index\"\n[lens.bad]\nmax_dept = 1\n");
    let output = world.run(&["p1"]);
    assert!(output.status.code() == Some(2) && String::from_utf8(output.stderr).unwrap().contains("max_dept"));
}

/// The lens as it is resolved is a part of the request, and so of the brief's id.
#[test]
fn the_id_of_a_brief_says_what_was_asked() {
    let world = World::crm();
    let id = |arguments: &[&str]| world.json(&[&["p1"][..], arguments].concat()).brief_id;
    let plain = id(&[]);
    assert_eq!(plain, id(&["--lens", "general", "--depth", "2", "--max-tokens", "4k"]));
    for other in [&["--lens", "planning"][..], &["--depth", "1"], &["--max-tokens", "900"], &["--as-of", "2026-02-21"]]
    {
        assert_ne!(plain, id(other), "{other:?}");
    }
    let listed: serde_json::Value = serde_json::from_str(&world.printed(&["--list-lenses", "--json"], 0)).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 5);
}

/// Siblings are reached only where the lens says so.
#[test]
fn siblings_depend_on_the_lens() {
    let world = World::of_nodes(&[
        json!({ "id": "p", "name": "Parent" }),
        json!({ "id": "a", "name": "A", "parent": "p" }),
        json!({ "id": "b", "name": "B", "parent": "p" }),
    ]);
    let source = world.source();
    let reached = |lens: &str| {
        let brief = brief(&source, json!({ "query": "a", "lens": lens })).record;
        ids(&brief).into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(reached("general"), ["a", "p", "b"]);
    assert_eq!(reached("writing"), ["a", "p"]);
}
