//! The workspaces that the bench measures: they have the shape that they promise, and the same bytes everywhere.

use std::collections::BTreeMap;

use contextpack::record::{Digest, Reader};

use super::workspace_data::{Generated, Size, generate};
use super::world::{World, reader};

/// A fortieth of what the bench has.
fn small() -> Generated {
    generate(Size::of(4_000))
}

#[test]
fn the_same_bytes_are_made_everywhere() {
    let text: String = small().files().into_iter().map(|(path, text)| format!("{path}\n{text}")).collect();
    assert_eq!(
        Digest::sha256(text.as_bytes()).as_str(),
        "sha256:1f918cfe8e3c6daf73b8eeaadd007dfe5536e99ffd1ee7df6da62a7b890f9f23"
    );
}

#[test]
fn the_shape_is_as_promised() {
    let world = small();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    world.lines.iter().for_each(|line| *counts.entry(line.kind).or_default() += 1);
    let count = |kind: &str| counts.get(kind).copied().unwrap_or_default();
    assert_eq!(world.lines.len(), 4_000);
    assert_eq!((count("page"), count("kanban_board"), count("kanban_card")), (100, 1, 160));
    assert_eq!((count("database"), count("db_row")), (1, 320));
    let parts = count("text") + count("heading") + count("todo") + count("list_item") + count("code");
    for (kind, share) in [("text", 64), ("heading", 9), ("todo", 12), ("list_item", 10), ("code", 5)] {
        assert!((count(kind) * 100).abs_diff(parts * share) <= 500, "{kind}: {} of {parts}", count(kind));
    }
    let links = world.lines.iter().filter(|line| line.kind == "text" && line.text.contains("[[")).count();
    assert_eq!(links, count("text") / 8);
    assert!(world.pages.iter().all(|page| page.depth < 6));
    assert_eq!(world.activity.len(), 2_400);
}

/// What the generator writes is read without a problem, and its grants hold.
#[test]
fn what_is_generated_can_be_read() {
    let generated = small();
    let world = World::new(&[]);
    generated.plant(&world.tree());
    world.build();
    assert_eq!(world.problems(), [""; 0]);
    let count = |reader: &Reader| world.source().with_blocks(reader, |blocks| blocks.count()).unwrap().unwrap();
    let user = &generated.users[0];
    let names: Vec<String> = [format!("user:{}", user.id), "workspace:w".into()]
        .into_iter()
        .chain(user.teams.iter().map(|team| format!("team:{team}")))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (all, own, public) = (count(&Reader::Operator), count(&reader(&names)), count(&reader(&[])));
    assert_eq!(all, 4_000);
    assert!(own < all && own > all / 2 && public > 0 && public < own, "{own} {public}");
}
