//! What has changed since an earlier brief.

use contextpack::record::brief::{BriefChange, ChangeKind, ContextBrief, GoneWhy};
use serde_json::json;

use super::world::{World, crm, ids, nodes};

/// A brief of the notes as they are, kept as a file.
fn keep(world: &World, name: &str, arguments: &[&str]) -> String {
    let file = world.scratch.path().join(name);
    std::fs::write(&file, world.printed(&[arguments, &["--json"]].concat(), 0)).unwrap();
    file.to_str().unwrap().to_string()
}

fn changes(brief: &ContextBrief) -> Vec<(ChangeKind, &str)> {
    let since = brief.since.as_ref().expect("it is compared");
    since.changes.iter().map(|change| (change.change, change.id.as_str())).collect()
}

/// 35. Each kind of change is found, and nothing else.
#[test]
fn every_kind_of_change_is_named() {
    let mut before = crm();
    before.push(json!({ "id": "r1", "name": "Release", "parent": "p1", "tags": ["task"] }));
    before.push(json!({ "id": "x1", "name": "Old idea", "parent": "p1", "tags": ["idea"] }));
    let world = World::of_nodes(&before);
    let earlier = keep(&world, "monday.json", &["SOC Defender"]);
    let same = world.json(&["SOC Defender", "--since", &earlier]);
    assert!(changes(&same).is_empty(), "{:?}", same.since);
    let first: ContextBrief = serde_json::from_str(&std::fs::read_to_string(&earlier).unwrap()).unwrap();
    assert_eq!(ids(&same), ids(&first), "the same state has the same order");
    assert!(
        world.printed(&["SOC Defender", "--since", &earlier], 0).contains("## Changed since 2026-02-20\n- nothing\n")
    );

    let mut after = before.clone();
    after[0]["fields"]["Status"] = json!(["Done"]);
    after[2]["text"] = json!("Now with an agenda.");
    after[2]["tags"] = json!(["meeting", "important"]);
    after[5]["parent"] = json!("m3");
    after.remove(6);
    after[0]["fields"].as_object_mut().unwrap().remove("Owner");
    after.push(json!({ "id": "n1", "name": "New note", "parent": "p1", "tags": ["note"], "modified": "2026-02-20" }));
    world.write("notes.jsonl", &nodes(&after));
    let brief = world.json(&["SOC Defender", "--since", &earlier]);
    let found = changes(&brief);
    assert_eq!(
        found,
        [
            (ChangeKind::New, "n1"),
            (ChangeKind::Edited, "p1"),
            (ChangeKind::Edited, "m3"),
            (ChangeKind::Moved, "r1"),
            (ChangeKind::Gone, "x1"),
            (ChangeKind::Gone, "a7"),
        ]
    );
    let all = &brief.since.as_ref().unwrap().changes;
    let change = |id: &str| -> &BriefChange { all.iter().find(|change| change.id == id).unwrap() };
    let status = change("p1").fields.iter().find(|field| field.name == "Status").unwrap();
    assert_eq!((status.was.as_str(), status.now.as_str(), change("p1").text), ("Active", "Done", false));
    assert!(change("m3").text && change("m3").tags.is_some());
    assert_eq!(change("r1").parent.as_ref().unwrap().now.as_deref(), Some("m3"));
    assert_eq!((change("a7").why, change("x1").why), (Some(GoneWhy::OutOfReach), Some(GoneWhy::Deleted)));
    let text = world.printed(&["SOC Defender", "--since", &earlier], 0);
    for line in [
        "## Changed since 2026-02-20\n- new: New note [note]\n",
        "- edited: SOC Defender; Owner from Ada Lovelace to nothing; Status from Active to Done\n",
        "- moved: Release; from p1 to m3\n",
        "- gone: Old idea; deleted\n- gone: Ada Lovelace; out of reach\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let only = world.json(&["SOC Defender", "--since", &earlier, "--changed-only"]);
    assert_eq!(ids(&only), ["p1", "n1", "m3", "r1"], "the topic and what has changed");
}

/// What the budget leaves out now was not deleted.
#[test]
fn a_smaller_budget_cuts() {
    let mut all = crm();
    for at in 0..40 {
        all.push(json!({ "id": format!("x{at}"), "name": format!("Item {at}"), "parent": "p1", "tags": ["item"],
            "text": "Some words about it. ".repeat(8) }));
    }
    let world = World::of_nodes(&all);
    let earlier = keep(&world, "large.json", &["p1", "--max-tokens", "9000"]);
    let brief = world.json(&["p1", "--since", &earlier, "--max-tokens", "600"]);
    let since = brief.since.as_ref().unwrap();
    assert!(since.changes.iter().all(|change| change.why == Some(GoneWhy::Cut)), "{:?}", since.changes);
    assert!(since.changes.len() > 20);
    assert_eq!(since.request_changed, ["maxTokens"]);
    let text = world.printed(&["p1", "--since", &earlier, "--max-tokens", "600"], 0);
    let block = text.split("## ").find(|block| block.starts_with("Changed since")).unwrap();
    assert!(block.contains("left out by the budget\n") && block.trim_end().ends_with(" more"), "{block}");
}

/// Another topic cannot be compared; another lens is a warning; an earlier brief can be named by its id.
#[test]
fn earlier_briefs_fit_or_are_refused() {
    let world = World::crm();
    let earlier = keep(&world, "other.json", &["Kick-off"]);
    let output = world.run(&["SOC Defender", "--since", &earlier]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("the earlier brief is about Kick-off"), "{said}");
    let lens = world.json(&["Kick-off", "--since", &earlier, "--lens", "planning", "--depth", "1"]);
    assert_eq!(lens.meta.warnings, ["the earlier brief has another lens", "the earlier brief has another depth"]);
    let id = world.printed(&["SOC Defender", "--write", "--quiet"], 0);
    let by_id = world.json(&["SOC Defender", "--since", id.trim()]);
    assert_eq!(by_id.since.as_ref().unwrap().brief_id.as_str(), id.trim());
    assert!(changes(&by_id).is_empty());
    let mut notes = crm();
    notes[0]["text"] = json!("Changed.");
    world.write("crm.jsonl", &nodes(&notes));
    let later = world.json(&["SOC Defender", "--since", id.trim()]);
    assert_eq!(changes(&later), [(ChangeKind::Edited, "p1")], "it outlives the index that it was made from");
    let missing = world.run(&["SOC Defender", "--since", "brief:00000000000000000000000000000000"]);
    assert_eq!(missing.status.code(), Some(2));
}

/// Fields that one of the two lenses does not show are not called changed.
#[test]
fn another_lens_changes_no_field() {
    let world = World::crm();
    let earlier = keep(&world, "general.json", &["Kick-off"]);
    let mut notes = crm();
    let kick_off = notes.iter_mut().find(|note| note["name"] == "Kick-off").unwrap();
    kick_off["fields"]["Room"] = json!(["4"]);
    world.write("crm.jsonl", &nodes(&notes));
    let text = world.printed(&["Kick-off", "--since", &earlier, "--lens", "planning", "--quiet"], 0);
    assert!(text.contains("\n- edited: Kick-off; fields that are not shown\n"), "{text}");
    let text = world.printed(&["Kick-off", "--since", &earlier, "--quiet"], 0);
    assert!(text.contains("\n- edited: Kick-off; Room from nothing to 4\n"), "{text}");
}
