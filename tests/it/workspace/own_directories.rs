//! What this program wrote is never source: an index, a view, or a copy of either, whichever index is in use.

use std::fs;
use std::process::Output;

use super::doors::{PLACE, on_tree, said};
use super::world::World;
use crate::tool::copy;

/// A page that nobody grants, and one that only user 2 may read. Team acme reads by default.
pub fn granted_by_default() -> World {
    let world = World::new(&[(
        "blocks.jsonl",
        "{\"id\":\"p1\",\"type\":\"page\",\"title\":\"Zebra plan\"}\n\
         {\"id\":\"h1\",\"type\":\"page\",\"title\":\"Zebra canary\",\"read\":[\"user:2\"]}\n",
    )]);
    world.write("contextpack.toml", "[workspace]\ndefault_read = [\"workspace:acme\"]\n");
    world
}

fn asked(world: &World, names: &[&str], place: &[&str]) -> String {
    let flags: Vec<&str> = names.iter().flat_map(|name| ["--as", *name]).collect();
    said(&world.run(&[&["workspace", "context", "zebra"], place, &flags[..]].concat()))
}

fn paths(world: &World) -> Vec<String> {
    let files = world.records("chunk", "files");
    files.iter().map(|file| file["fileRelPath"].as_str().unwrap().to_string()).collect()
}

#[test]
fn views_that_an_index_keeps_are_no_source_of_another_index() {
    let world = granted_by_default();
    let kept = ["--repo", "tree", "--index", "tree/kept"];
    for name in ["user:2", "workspace:acme"] {
        assert!(said(&world.run(&[&["pack", "zebra", "--as", name], &kept[..]].concat())).contains("Zebra"), "{name}");
    }
    copy(&world.tree().join("kept"), &world.tree().join("old/copy of kept"));
    let before = asked(&granted_by_default(), &["workspace:acme"], &PLACE);
    assert_eq!(asked(&world, &["workspace:acme"], &PLACE), before);
    assert!(before.contains("Zebra plan") && !before.contains("canary"), "{before}");
    assert!(!asked(&world, &["user:9"], &PLACE).contains("Zebra plan"));
    assert_eq!(paths(&world), ["blocks.jsonl", "contextpack.toml"]);
}

/// A run that was stopped left the tree of a view, and no index.
#[test]
fn a_view_that_is_not_finished_is_no_source() {
    let world = granted_by_default();
    world.write("view/view.json", "{\"isKept\":false,\"principals\":[\"public\"],\"schema\":\"contextpack.view\"}");
    world.write("view/source/workspace/permissions.jsonl", "{\"default\":[\"public\"]}\n");
    world.write("view.json", "{\"schema\":\"of another program\"}");
    assert!(!asked(&world, &["user:9"], &PLACE).contains("Zebra"));
    assert_eq!(paths(&world), ["blocks.jsonl", "contextpack.toml", "view.json"]);
}

/// The example of the docs: `--out view`, in the tree.
#[test]
fn a_view_in_the_tree_changes_nobodys_rights() {
    let world = granted_by_default();
    let readers: [&[&str]; 4] = [&["user:9"], &["user:7", "workspace:acme"], &["user:2", "workspace:acme"], &[]];
    let all = |world: &World| readers.map(|names| asked(world, names, &PLACE));
    let before = all(&world);
    for names in &readers[..3] {
        let flags: Vec<&str> = names.iter().flat_map(|name| ["--as", *name]).collect();
        let made = on_tree(&world, &[&["workspace", "view", "--quiet", "--out", "tree/view"], &flags[..]].concat());
        assert_eq!(made.status.code(), Some(0), "{}", said(&made));
        assert_eq!(all(&world), before, "{names:?}");
    }
    assert_eq!(asked(&world, readers[2], &["--index", "tree/view"]), before[2]);
}

/// A view replaces `source/`, so nothing else may be there.
#[test]
fn a_view_is_written_only_where_nothing_else_is() {
    let world = granted_by_default();
    world.build();
    let written = |out: &str| {
        let arguments = ["workspace", "view", "--quiet", "--as", "user:2", "--out", out];
        let output: Output = on_tree(&world, &arguments);
        (output.status.code(), said(&output))
    };
    world.write("../project/source/main.rs", "fn main() {}\n");
    world.write("../project/view.json", "{}");
    world.write("../file", "text");
    fs::create_dir(world.scratch.path().join("empty")).unwrap();
    for out in ["project", "tree", "index", "file"] {
        let (code, said) = written(out);
        assert!(code == Some(2) && said.contains("it holds files, and none that contextpack wrote"), "{out}: {said}");
    }
    let project = world.scratch.path().join("project");
    assert_eq!(fs::read_to_string(project.join("source/main.rs")).unwrap(), "fn main() {}\n");
    assert_eq!(fs::read_dir(&project).unwrap().count(), 2);
    for out in ["empty", "new/er", "empty"] {
        assert_eq!(written(out).0, Some(0), "{out}");
    }
}
