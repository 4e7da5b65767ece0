//! Files that say who may read what count wherever they are, and what cannot say it is read by nobody else than before.

use std::os::unix::fs::symlink;

use super::doors::{PLACE, on_tree, said};
use super::world::World;
use crate::tool::{contextpack, run};

const BLOCKS: &str = "{\"id\":\"a\",\"type\":\"page\",\"title\":\"Zebra plan\"}\n\
                      {\"id\":\"b\",\"type\":\"page\",\"title\":\"Zebra canary\"}\n\
                      {\"id\":\"c\",\"type\":\"text\",\"parent\":\"b\",\"text\":\"canary text\"}\n";
const NARROW: &str = "{\"block\":\"b\",\"read\":[\"user:2\"]}\n";

/// Blocks that user 1 reads by default, but for what `rights` say.
fn world(files: &[(&str, &str)]) -> World {
    let world = World::new(&[("blocks.jsonl", BLOCKS)]);
    world.write("contextpack.toml", "[workspace]\ndefault_read = [\"user:1\", \"user:2\"]\n");
    files.iter().for_each(|(path, text)| world.write(path, text));
    world
}

fn asked(world: &World, name: &str) -> String {
    said(&on_tree(world, &["workspace", "context", "zebra", "--as", name]))
}

#[test]
fn no_rule_leaves_out_what_says_who_may_read_what() {
    let ignoring: [&[(&str, &str)]; 7] = [
        &[(".gitignore", "permissions.jsonl\n"), ("permissions.jsonl", NARROW)],
        &[(".ignore", "*.jsonl\n!blocks.jsonl\n"), ("x/Permissions.JSONL", NARROW)],
        &[(".contextpackignore", "x/\n"), ("x/permissions.jsonl", NARROW)],
        &[(".gitignore", "x/\n"), ("x/y/z/permissions.jsonl", NARROW), ("x/y/more.jsonl", BLOCKS)],
        &[(".hidden/permissions.jsonl", NARROW)],
        &[(".trash/permissions.jsonl", NARROW), (".obsidian/app.json", "{}")],
        &[
            (
                "contextpack.toml",
                "exclude = [\"permissions.jsonl\"]\n[workspace]\ndefault_read = [\"user:1\", \"user:2\"]\n\
                 [notes]\nroots = [{ path = \"src\", kind = \"code\" }]\n",
            ),
            ("src/permissions.jsonl", NARROW),
        ],
    ];
    let plain = asked(&world(&[("permissions.jsonl", NARROW)]), "user:1");
    assert!(plain.contains("Zebra plan") && !plain.contains("canary"), "{plain}");
    for files in ignoring {
        let world = world(files);
        assert_eq!(asked(&world, "user:1"), plain, "{files:?}");
        assert!(asked(&world, "user:2").contains("canary"), "{files:?}");
        assert!(!said(&on_tree(&world, &["search", "canary", "--as", "user:1"])).contains("Zebra"), "{files:?}");
        world.write("permissions.jsonl", "{\"block\":\"a\",\"read\":[\"user:2\"]}\n");
        assert!(!asked(&world, "user:1").contains("Zebra plan"), "{files:?}: a change is seen");
    }
    let members = world(&[(".gitignore", "members.jsonl\n"), ("members.jsonl", "{\"user\":\"1\"}\n")]);
    assert!(asked(&members, "user:2").contains("POC_E_FORBIDDEN"), "nobody states user 2");
}

#[test]
fn rights_that_are_no_file_end_the_run() {
    for (name, is_link) in [("permissions.jsonl", true), ("members.jsonl", true), ("below/Permissions.jsonl", false)] {
        let world = world(&[("elsewhere.txt", NARROW), ("below/x", "")]);
        match is_link {
            true => symlink("elsewhere.txt", world.tree().join(name)).unwrap(),
            false => world.write(&format!("{name}/x.txt"), "text"),
        }
        for ignored in ["", "*.jsonl\n", "below/\n"] {
            world.write(".gitignore", ignored);
            let refused = on_tree(&world, &["workspace", "context", "zebra", "--as", "user:1"]);
            assert_eq!(refused.status.code(), Some(2), "{name}: {}", said(&refused));
            assert!(
                said(&refused).contains("POC_E_PERMISSIONS") && said(&refused).contains(name),
                "{}",
                said(&refused)
            );
            assert!(!world.index().join("chunk/manifest.json").exists());
        }
        let as_code = world.run(&["chunk", "--repo", "tree", "--out", "code"]);
        assert_eq!(as_code.status.code(), Some(0), "without a workspace these names mean nothing");
    }
}

/// Blocks behind a line that cannot be read, in a file of another ending, in a tree without roots, with a key twice.
#[test]
fn a_file_with_blocks_is_never_read_as_a_text() {
    let hidden = "{\"id\":\"b\",\"type\":\"text\",\"text\":\"Zebra canary\",\"read\":[\"user:2\"]}\n";
    let page = "{\"id\":\"a\",\"type\":\"page\",\"title\":\"Zebra plan\"}\n";
    let tree = "{\"blocks\":{\"b\":{\"type\":\"text\",\"data\":{\"content\":\"Zebra canary\"},\
                \"metadata\":{\"permissions\":{\"read\":[\"user:2\"]}}}}}";
    let twice = hidden.replace("\"read\"", "\"read\":[\"user:1\"],\"read\"");
    for (name, text, second_reads) in [
        ("x.jsonl", format!("{{\"id\":\"x\",\"type\"\n{hidden}"), true),
        ("x.JSONL", format!("{{\"version\":1}}\n{hidden}"), true),
        ("x.ndjson", hidden.to_string(), true),
        ("x.json", tree.to_string(), true),
        ("x.json", format!("[{}]", hidden.trim()), false),
        ("x.jsonl", twice, false),
    ] {
        let world = World::new(&[("a.jsonl", page), (name, &text)]);
        world.write("contextpack.toml", "[workspace]\ndefault_read = [\"user:1\", \"user:2\"]\n");
        let found = asked(&world, "user:1");
        assert!(found.contains("Zebra plan") && !found.contains("canary"), "{name} {text}: {found}");
        for door in [&["search", "zebra"][..], &["pack", "zebra"], &["outline"]] {
            assert!(!said(&on_tree(&world, &[door, &["--as", "user:1"]].concat())).contains("canary"), "{text}");
        }
        assert_eq!(asked(&world, "user:2").contains("canary"), second_reads, "{name} {text}");
        run(contextpack().args(["verify", "--deep"]).arg(world.index()), 0);
    }
}

const HOME: &str = "0000000000000000000000000000000a";
const DEAL: &str = "0000000000000000000000000000000b";

/// What lies in the folder of a page is read by those who may read the page.
#[test]
fn attachments_belong_to_their_page() {
    for folder in [format!("Home/Deal {DEAL}"), "Home/Deal".to_string(), format!("Home/Deal {DEAL}/deeper")] {
        let page = format!("Home/Deal {DEAL}.md");
        let world = World::new(&[
            (&format!("Home {HOME}.md"), "# Home\n\nZebra plan\n"),
            (&page, "# Deal\n\nZebra deal\n"),
            (&format!("{folder}/contract.txt"), "zebra canary\n"),
            (&format!("{folder}/rows.csv"), "a,b\nzebra canary,2\n"),
            (&format!("{folder}/code.py"), "def zebra_canary(): pass\n"),
            ("Home/open.txt", "zebra attachment of home\n"),
            ("readme.txt", "zebra readme\n"),
            ("index.html", "<p>zebra canary</p>\n"),
            (&format!("Home/Deal {DEAL}.html"), "<p>zebra canary</p>\n"),
            ("permissions.jsonl", &format!("{{\"block\":\"{DEAL}\",\"read\":[\"user:2\"]}}\n")),
        ]);
        world.write("contextpack.toml", "[workspace]\ndefault_read = [\"user:1\", \"user:2\"]\n");
        let search = |name: &str| said(&on_tree(&world, &["search", "zebra", "--as", name]));
        let (one, two) = (search("user:1"), search("user:2"));
        assert!(one.contains("attachment of home") && one.contains("readme") && !one.contains("canary"), "{one}");
        assert!(!one.contains("Deal") && !said(&on_tree(&world, &["outline", "--as", "user:1"])).contains("Deal"));
        assert!(two.contains("contract.txt") && two.contains("rows.csv") && two.contains("code.py"), "{two}");
        assert!(!two.contains(".html"), "pages of an export are read once: {two}");
        run(contextpack().args(["verify", "--deep"]).arg(world.index()), 0);
        world.write("permissions.jsonl", "");
        assert!(search("user:1").contains("contract.txt"), "an attachment follows its page");
    }
    let other = World::new(&[("index.html", "<p>zebra</p>\n"), ("a/index.html", "<p>zebra</p>\n")]);
    other.write("contextpack.toml", "[workspace]\ndefault_read = [\"user:1\"]\n");
    assert_eq!(said(&on_tree(&other, &["search", "zebra", "--as", "user:1"])).matches("index.html").count(), 2);
}

/// Two pages with one title: whose folder it is cannot be known.
#[test]
fn an_attachment_of_two_pages_needs_both() {
    let world = World::new(&[
        (&format!("Deal {HOME}.md"), "# Deal\n\nZebra\n"),
        (&format!("Deal {DEAL}.md"), "# Deal\n\nZebra\n"),
        ("Deal/contract.txt", "zebra canary\n"),
        ("permissions.jsonl", &format!("{{\"block\":\"{DEAL}\",\"read\":[\"user:2\"]}}\n")),
    ]);
    world.write("contextpack.toml", "[workspace]\ndefault_read = [\"user:1\", \"user:2\"]\n");
    for (name, is_shown) in [("user:1", false), ("user:2", true)] {
        assert_eq!(
            said(&on_tree(&world, &["search", "canary", "--as", name])).contains("contract"),
            is_shown,
            "{name}"
        );
    }
}

/// Doors that use an index as it is look at the tree when somebody reads: rights may have changed.
#[test]
fn every_door_of_a_tree_sees_a_changed_right() {
    let world = world(&[]);
    let doors: [&[&str]; 4] = [
        &["show", "Zebra canary"],
        &["show", "path", "Zebra plan", "Zebra canary"],
        &["why-not", "a.json", "canary"],
        &["pack", "canary"],
    ];
    let pack = on_tree(&world, &["pack", "zebra plan", "--json", "--as", "user:1"]);
    world.write("../a.json", &String::from_utf8(pack.stdout).unwrap());
    let before = doors.map(|door| said(&on_tree(&world, &[door, &["--as", "user:1"]].concat())));
    assert!(before[0].starts_with("code Some(0)") && before[3].contains("canary text"), "{before:?}");
    world.write("permissions.jsonl", NARROW);
    let unknown = said(&on_tree(&world, &["show", "Zebra canary", "--as", "user:1"]));
    assert!(unknown.starts_with("code Some(2)"), "{unknown}");
    for (door, before) in doors.iter().zip(&before) {
        world.write("permissions.jsonl", "");
        assert_eq!(said(&on_tree(&world, &[door, &["--as", "user:1"][..]].concat())), *before, "{door:?}");
        world.write("permissions.jsonl", NARROW);
        assert_ne!(said(&on_tree(&world, &[door, &["--as", "user:1"][..]].concat())), *before, "{door:?}");
    }
}

/// Payloads name who may read them, also where nothing else is beside them.
#[test]
fn payloads_are_printed_for_those_whom_they_name() {
    let world = world(&[
        ("permissions.jsonl", NARROW),
        ("p.jsonl", "{\"id\":\"c\",\"type\":\"page\",\"title\":\"Zebra for all\",\"read\":[\"public\"]}\n"),
    ]);
    let requests = "{\"query\":\"zebra\",\"user\":{\"id\":\"1\"}}\n{\"query\":\"zebra\",\"user\":{\"id\":\"2\",\"teamIds\":[\"ops\"]}}\n\
                    {\"query\":\"zebra\"}\n{\"query\":\"canary\",\"other\":1}\n";
    world.write("../requests.jsonl", requests);
    for out in ["payloads", "index/payloads"] {
        let batch = ["workspace", "batch", "requests.jsonl", "--quiet", "--out", out];
        assert_eq!(world.run(&[&batch, &PLACE[..]].concat()).status.code(), Some(1));
        let cat = |artifact: &str, names: &[&str]| {
            let output = world.run(&[&["cat", out, artifact], names].concat());
            (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
        };
        for (names, lines, is_hidden_shown) in [
            (&["--as", "user:1"][..], 2, false),
            (&["--as", "user:2"], 1, false),
            (&["--as", "user:2", "--as", "team:ops"], 2, true),
            (&["--as", "public"], 1, false),
            (&["--operator"], 3, true),
        ] {
            let (code, printed, said) = cat("context_payloads", names);
            assert_eq!((code, printed.lines().count()), (Some(0), lines), "{out} {names:?}: {said}");
            assert_eq!(printed.contains("canary"), is_hidden_shown, "{out} {names:?}");
        }
        for (artifact, names) in [("context_payloads", &[][..]), ("problems", &[]), ("problems", &["--as", "user:1"])] {
            let (code, printed, said) = cat(artifact, names);
            assert!(
                code == Some(2) && printed.is_empty() && said.contains("POC_E_FORBIDDEN"),
                "{artifact} {names:?}: {said}"
            );
        }
        assert_eq!(cat("problems", &["--operator"]).1.lines().count(), 1);
    }
}
