//! Doors that were made for code: whoever asks, they show nothing of a workspace that the reader may not read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::answers::golden_requests;
use super::doors::{PLACE, asked_in_a_batch, files_below, on_tree, said, texts_below};
use super::world::World;
use crate::tool::{contextpack, copy, home};

/// What user 1 of `golden/workspace_acme` may not read, and what only lists of members and grants say.
pub const HIDDEN: [&str; 9] =
    ["Layoffs", "lawyer", "Initech", "98765", "todo-s", "page-sec", "r-3", "sec-text", "secret-team"];

/// `golden/workspace_acme` with code, spec documents, notes, and names that only rights have.
pub fn mixed() -> World {
    let world = World::of_golden("workspace_acme");
    copy(&home().join("golden/graph_spec/input"), &world.tree());
    world.write("contextpack.toml", "[workspace]\n\n[notes]\nroots = [{ path = \"vault\", kind = \"vault\" }]\n");
    world.write("vault/Invoices.md", "# Invoices\n\nSent by [[Billing]] on Mondays. #money\n");
    world.write("vault/Billing.md", "# Billing\n\nKnows all [[Invoices]].\n");
    let append = |path: &str, line: &str| {
        let text = fs::read_to_string(world.tree().join(path)).unwrap();
        world.write(path, &format!("{text}{line}\n"));
    };
    append("members.jsonl", "{\"user\":\"3\",\"teams\":[\"secret-team\"],\"workspaces\":[\"acme\"]}");
    append("permissions.jsonl", "{\"block\":\"todo-10\",\"read\":[\"user:1\",\"user:2\",\"team:secret-team\"]}");
    world.build();
    world
}

/// Commands that show something of an index. `WORD` is what they ask for.
const DOORS: &[&[&str]] = &[
    &["pack", "WORD"],
    &["pack", "WORD", "--json", "--explain"],
    &["pack", "--focus", "WORD"],
    &["brief", "WORD"],
    &["brief", "WORD", "--format", "json"],
    &["spec", "context", "WORD"],
    &["spec", "index"],
    &["spec", "search", "WORD"],
    &["spec", "impact", "WORD"],
    &["spec", "prompt", "WORD"],
    &["spec", "lint"],
    &["show", "WORD"],
    &["show", "WORD", "--json"],
    &["show", "path", "WORD", "Invoices"],
    &["read", "WORD"],
    &["search", "WORD"],
    &["search", "--regex", "WORD"],
    &["search"],
    &["outline"],
    &["outline", "WORD"],
    &["outline", "workspace/blocks-00001.jsonl"],
    &["read", "workspace/blocks-00001.jsonl"],
];
const OF_CHUNKS: [&str; 6] = ["files", "chunk_meta", "symbols", "references", "items", "problems"];
const OF_GRAPH: [&str; 4] = ["nodes", "edges", "evidence", "coverage"];

/// Names that only hidden blocks have.
pub const NAMES: [&str; 5] = ["todo-s", "page-sec", "Layoffs", "lawyer", "Initech"];

fn with_word<'d>(door: &[&'d str], word: &'d str) -> Vec<&'d str> {
    door.iter().map(|argument| if *argument == "WORD" { word } else { argument }).collect()
}

/// The same tree, but what user 1 may not read was never there.
pub fn without_hidden() -> World {
    let world = mixed();
    let keep = |path: &str, wanted: &dyn Fn(&str) -> bool| {
        let text = fs::read_to_string(world.tree().join(path)).unwrap();
        world
            .write(path, &text.lines().filter(|line| wanted(line)).map(|line| format!("{line}\n")).collect::<String>());
    };
    let hidden = ["page-sec", "sec-text", "todo-s", "r-3"].map(|id| format!("{{\"id\":\"{id}\""));
    keep("blocks.jsonl", &|line| !hidden.iter().any(|hidden| line.starts_with(hidden)));
    keep("activity.jsonl", &|line| line.contains("\"user\":\"1\""));
    keep("members.jsonl", &|line| line.contains("\"user\":\"1\""));
    keep("permissions.jsonl", &|line| !line.contains("r-3") && !line.contains("secret-team"));
    let text = fs::read_to_string(world.tree().join("blocks.jsonl")).unwrap();
    let public = "\"type\":\"page\",\"parent\":\"page-sec\"";
    assert!(text.contains(public));
    world.write(
        "blocks.jsonl",
        &text.replace(public, "\"type\":\"page\"").replace("[\\\"r-1\\\",\\\"r-3\\\"]", "[\\\"r-1\\\"]"),
    );
    let text = texts_below(&world.tree()).concat();
    assert!(!HIDDEN.iter().filter(|hidden| **hidden != "98765").any(|hidden| text.contains(hidden)));
    world.build();
    world
}

/// Whatever user 1 asks through any door: all bytes are those of a tree without what is hidden. So a hidden name is a
/// name that nothing has.
#[test]
fn no_door_shows_what_is_hidden() {
    let (world, left) = (mixed(), without_hidden());
    let same = |arguments: &[&str], asked: &str| {
        let found = said(&world.run(arguments));
        assert_eq!(found, said(&left.run(arguments)), "{arguments:?}");
        let shown = HIDDEN.iter().find(|hidden| **hidden != asked && found.contains(**hidden));
        assert!(shown.is_none(), "{arguments:?} shows {shown:?}: {found}");
        found
    };
    for door in DOORS {
        let words: &[&str] = if door.contains(&"WORD") { &NAMES } else { &[""] };
        for word in words.iter().chain(&["Invoices"]) {
            let found = same(&[&with_word(door, word)[..], &PLACE, &["--as", "user:1"]].concat(), word);
            assert!(!found.contains("POC_E_FORBIDDEN"), "{found}");
        }
    }
    for artifact in OF_CHUNKS.iter().chain(&OF_GRAPH) {
        let stage = if OF_GRAPH.contains(artifact) { "index/graph" } else { "index/chunk" };
        for place in ["index", stage] {
            let found = same(&["cat", place, artifact, "--as", "user:1"], "");
            assert!(found.starts_with("code Some(0)"), "{artifact}: {found}");
        }
    }
    for (word, user, is_found) in
        [("invoices", "user:1", true), ("lawyer", "user:2", true), ("lawyer", "user:1", false)]
    {
        let found = said(&on_tree(&world, &["pack", word, "--as", user]));
        assert_eq!(found.contains("blocks-00001.jsonl"), is_found, "{user} {word}: {found}");
    }
}

/// Packs, what is asked about them, and what lies between two indexes.
#[test]
fn packs_of_a_view_are_explained_from_it() {
    let (world, left) = (mixed(), without_hidden());
    let reader = ["--as", "user:1"];
    let same = |arguments: &[&str], code: i32| {
        let [found, wanted] = [&world, &left].map(|world| world.run(&[arguments, &reader].concat()));
        assert_eq!(said(&found), said(&wanted), "{arguments:?}");
        assert_eq!(found.status.code(), Some(code), "{}", said(&found));
        (found, wanted)
    };
    for (word, file) in [("invoices", "a.json"), ("certificate", "b.json")] {
        let (of_all, of_left) = same(&[&["pack", word, "--json"], &PLACE[..]].concat(), 0);
        fs::write(world.scratch.path().join(file), of_all.stdout).unwrap();
        fs::write(left.scratch.path().join(file), of_left.stdout).unwrap();
    }
    for word in NAMES {
        same(&[&["why-not", "a.json", word], &PLACE[..]].concat(), 0);
    }
    let (visible, _) = same(&[&["why-not", "a.json", "vault/Billing.md"], &PLACE[..]].concat(), 0);
    assert!(!visible.stdout.is_empty());
    same(&[&["diff", "a.json", "b.json"], &PLACE[..]].concat(), 1);
    for world in [&world, &left] {
        world.build_into(&world.scratch.path().join("other")).unwrap();
    }
    same(&["diff", "index", "other"], 0);
    for world in [&world, &left] {
        let text = fs::read_to_string(world.tree().join("blocks.jsonl")).unwrap();
        world.write("blocks.jsonl", &text.replace("the lawyer", "nobody").replace("Renew TLS", "Renew the TLS"));
        world.build_into(&world.scratch.path().join("other")).unwrap();
    }
    same(&["diff", "index", "other", "--json"], 1);
}

/// An index with restricted content opens for somebody or for an operator.
#[test]
fn an_index_with_restricted_content_asks_who_reads() {
    let world = mixed();
    let pack = on_tree(&world, &["pack", "invoices", "--json", "--operator"]);
    fs::write(world.scratch.path().join("a.json"), &pack.stdout).unwrap();
    let others: [&[&str]; 3] = [&["why-not", "a.json", "Billing"], &["pack", "invoices", "--write"], &["doctor"]];
    for door in DOORS.iter().copied().chain(others) {
        let arguments = with_word(door, "Invoices");
        let refused = on_tree(&world, &arguments);
        assert_eq!(refused.status.code(), Some(2), "{door:?}: {}", said(&refused));
        assert!(said(&refused).contains("POC_E_FORBIDDEN"), "{door:?}: {}", said(&refused));
        assert!(refused.stdout.is_empty(), "{door:?}: {}", said(&refused));
        let operator = on_tree(&world, &[&arguments[..], &["--operator"]].concat());
        assert!(!said(&operator).contains("POC_E_FORBIDDEN"), "{door:?}: {}", said(&operator));
    }
    for arguments in [&["cat", "index", "items"][..], &["cat", "index/chunk", "items"], &["diff", "index", "index"]] {
        let refused = world.run(arguments);
        assert!(said(&refused).contains("POC_E_FORBIDDEN") && refused.stdout.is_empty(), "{arguments:?}");
        let operator = world.run(&[arguments, &["--operator"]].concat());
        assert_eq!(operator.status.code(), Some(0), "{arguments:?}: {}", said(&operator));
    }
    for option in ["--as", "--operator"] {
        let access = ["workspace", "access", "page-sec", option, "user:2"];
        let allowed = option == "--operator";
        let output = on_tree(&world, &access[..if allowed { 4 } else { 5 }]);
        assert_eq!(output.status.code() == Some(0), allowed, "{}", said(&output));
    }
}

/// `build` makes no answers from what not everybody may read.
#[test]
fn a_build_makes_no_answers_of_a_restricted_index() {
    for (stage, made, request) in [
        ("pack", "packs", "{\"query\":\"invoices\"}"),
        ("spec", "bundles", "{\"seed_ids\":[\"REQ-201\"]}"),
        ("brief", "briefs", "{\"query\":\"Invoices\"}"),
    ] {
        let world = mixed();
        let toml = fs::read_to_string(world.tree().join("contextpack.toml")).unwrap();
        world.write("contextpack.toml", &format!("{toml}\n[{stage}]\nrequests = \"{stage}.jsonl\"\n"));
        world.write(&format!("{stage}.jsonl"), &format!("{request}\n"));
        let output = contextpack().current_dir(world.tree()).arg("build").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{stage}: {}", said(&output));
        assert!(said(&output).contains("POC_E_FORBIDDEN"), "{stage}: {}", said(&output));
        assert!(!world.tree().join("index").join(made).join("manifest.json").exists());
    }
}

/// An index is as secret as its workspace, and so is everything that is made from it.
#[test]
#[cfg(unix)]
fn a_restricted_index_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = mixed();
    let index = on_tree(&world, &["search", "invoices", "--as", "user:1"]);
    assert_eq!(index.status.code(), Some(0), "{}", said(&index));
    on_tree(&world, &["workspace", "view", "--quiet", "--out", "view", "--as", "user:1"]);
    asked_in_a_batch(&world, &golden_requests("payloads_acme"), &PLACE);
    on_tree(&world, &["pack", "invoices", "--write", "--operator"]);
    on_tree(&world, &["pack", "invoices", "--write", "--as", "user:1"]);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for made in ["index/chunk", "index/graph", "payloads", "view"] {
        let all = files_below(&world.scratch.path().join(made));
        assert!(all.len() > 2, "{made}");
        let open: Vec<_> = all.iter().filter(|path| mode(path) != if path.is_dir() { 0o700 } else { 0o600 }).collect();
        assert!(open.is_empty(), "{made}: {open:?}");
    }
    for closed in ["index", "index/views", "index/packs"] {
        assert_eq!(mode(&world.scratch.path().join(closed)), 0o700, "nobody else gets to what is in {closed}");
    }
    let public = World::new(&[("a.jsonl", "{\"id\":\"a\",\"type\":\"page\",\"title\":\"A\"}\n")]);
    public.write("contextpack.toml", "[workspace]\ndefault_read = [\"public\"]\n");
    public.build();
    let manifest = mode(&public.index().join("chunk/manifest.json"));
    assert_ne!(manifest, 0o600, "what everybody may read is written as ever");
}

/// When each view of an index was written, and what it was made from.
fn views(world: &World) -> BTreeMap<PathBuf, (std::time::SystemTime, Vec<u8>)> {
    let all =
        files_below(&world.index().join("views")).into_iter().filter(|path| path.ends_with("chunk/manifest.json"));
    all.map(|path| (path.clone(), (fs::metadata(&path).unwrap().modified().unwrap(), fs::read(&path).unwrap())))
        .collect()
}

#[test]
fn views_follow_the_rights() {
    let world = World::of_golden("workspace_acme");
    let outline = |user: &str| {
        let said = said(&on_tree(&world, &["outline", "workspace/blocks-00001.jsonl", "--as", user]));
        assert!(said.contains("Book venue"), "{said}");
        said.contains("Send invoices")
    };
    assert!(outline("user:1"));
    let first = views(&world);
    assert_eq!(first.len(), 1);
    assert!(outline("user:1"));
    on_tree(&world, &["pack", "invoices", "--as", "user:1"]);
    assert_eq!(views(&world), first, "nothing has changed");
    assert!(outline("user:2"));
    let both = views(&world);
    assert!(both.len() == 2 && first.iter().all(|(path, written)| both[path] == *written), "each reader has one");
    let permissions = fs::read_to_string(world.tree().join("permissions.jsonl")).unwrap();
    let narrower = format!("{permissions}{{\"block\":\"todo-9\",\"read\":[\"user:2\"]}}\n");
    world.write("permissions.jsonl", &narrower);
    assert!(!outline("user:1"), "the right is gone with the next command");
    assert!(outline("user:2"));
    let now = views(&world);
    assert!(now.len() == 2 && first.iter().all(|(path, written)| now[path] != *written), "it is made again");
    world.write("permissions.jsonl", &permissions);
    assert!(outline("user:1"), "and it comes back");
}
