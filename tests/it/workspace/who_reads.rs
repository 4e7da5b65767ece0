//! A reader is never accepted and ignored: without rights there is nobody to read as, what one call says holds for that
//! call, and what was made for one reader is for them.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::doors::{PLACE, on_tree, said, server};
use super::own_directories::granted_by_default;
use super::world::World;

/// Blocks with grants, without anything that says that they are a workspace.
fn without_settings() -> World {
    let world = World::new(&[
        (
            "blocks.jsonl",
            "{\"id\":\"p1\",\"type\":\"page\",\"title\":\"Zebra plan\",\"read\":[\"user:1\"]}\n\
             {\"id\":\"h1\",\"type\":\"page\",\"title\":\"Zebra canary\",\"read\":[\"user:2\"]}\n",
        ),
        ("permissions.jsonl", "{\"default\":[\"user:1\"]}\n"),
        ("src/main.py", "def zebra(): pass\n"),
    ]);
    world.remove("contextpack.toml");
    world
}

const DOORS: [&[&str]; 7] = [
    &["pack", "zebra"],
    &["pack", "zebra", "--source-kind", "code"],
    &["search", "zebra"],
    &["read", "blocks.jsonl"],
    &["outline", "blocks.jsonl"],
    &["show", "zebra"],
    &["brief", "zebra"],
];

/// Whatever an earlier call left in the cache.
#[test]
fn nobody_reads_as_somebody_where_nothing_says_who_may_read_what() {
    let histories: [&[&[&str]]; 3] = [
        &[],
        &[&["pack", "zebra"]],
        &[&["workspace", "context", "zebra", "--as", "user:1"], &["pack", "zebra", "--as", "user:1"]],
    ];
    for history in histories {
        let world = without_settings();
        history.iter().for_each(|arguments| drop(on_tree(&world, arguments)));
        for door in DOORS {
            let refused = on_tree(&world, &[door, &["--as", "user:1"]].concat());
            assert_eq!(refused.status.code(), Some(2), "{door:?}: {}", said(&refused));
            let said = said(&refused);
            assert!(said.contains("POC_E_FORBIDDEN: nothing says who may read what"), "{door:?}: {said}");
            assert!(said.contains("--source-kind workspace") && !said.contains("Zebra"), "{door:?}: {said}");
        }
        let mcp = world.run(&[&["mcp"], &PLACE[..], &["--as", "user:1"]].concat());
        assert!(mcp.status.code() == Some(2) && said(&mcp).contains("POC_E_FORBIDDEN"), "{}", said(&mcp));
        let context = said(&on_tree(&world, &["workspace", "context", "zebra", "--as", "user:1"]));
        assert!(context.contains("Zebra plan") && !context.contains("canary"), "the command says that it is one");
    }
    let code = without_settings();
    on_tree(&code, &["pack", "zebra"]);
    for door in [&["pack", "zebra", "--index", "index"][..], &["cat", "index", "files"], &["diff", "index", "index"]] {
        let refused = said(&code.run(&[door, &["--as", "user:1"]].concat()));
        assert!(refused.contains("POC_E_FORBIDDEN"), "{door:?}: {refused}");
    }
}

#[test]
fn a_flag_or_the_settings_say_that_a_tree_is_a_workspace() {
    let world = without_settings();
    let pack = |more: &[&str]| said(&on_tree(&world, &[&["pack", "zebra", "--as", "user:1"], more].concat()));
    let by_flag = pack(&["--source-kind", "workspace"]);
    assert!(by_flag.contains("Zebra plan") && !by_flag.contains("canary"), "{by_flag}");
    world.write("contextpack.toml", "[workspace]\n");
    let by_settings = pack(&[]);
    assert!(by_settings.contains("Zebra plan") && !by_settings.contains("canary"), "{by_settings}");
    let as_code = pack(&["--source-kind", "code"]);
    assert!(!as_code.contains("canary"), "blocks are never shown as text: {as_code}");
    let context = said(&on_tree(&world, &["workspace", "context", "zebra", "--as", "user:1"]));
    assert!(context.contains("Zebra plan"), "{context}");
}

/// The flag says who may read roots without grants, for that call only.
#[test]
fn a_default_reader_is_one_of_one_call() {
    for toml in ["[workspace]\n", "[workspace]\ndefault_read = [\"workspace:acme\"]\n"] {
        let world = World::new(&[("a.jsonl", "{\"id\":\"a\",\"type\":\"page\",\"title\":\"Zebra\"}\n")]);
        world.write("contextpack.toml", toml);
        let ask = |more: &[&str]| said(&on_tree(&world, &[&["workspace", "context", "zebra"], more].concat()));
        let of_all = ["--as", "user:9", "--default-read", "public"];
        let [before, public] = [ask(&["--as", "user:9"]), ask(&[])];
        assert!(ask(&of_all).contains("[Zebra]"), "{toml}");
        for more in [&["--no-refresh"][..], &["--no-refresh", "--default-read", "user:9"]] {
            let refused = ask(&[&["--as", "user:9"], more].concat());
            assert!(refused.contains("POC_E_FORBIDDEN") && refused.contains("--default-read"), "{more:?}: {refused}");
        }
        assert!(ask(&[&of_all[..], &["--no-refresh"]].concat()).contains("[Zebra]"));
        for door in [&["search", "zebra", "--no-refresh"][..], &["pack", "zebra", "--no-refresh"]] {
            for names in [&["--as", "user:9"][..], &[]] {
                let refused = said(&on_tree(&world, &[door, names].concat()));
                assert!(refused.contains("POC_E_FORBIDDEN") && !refused.contains("[Zebra]"), "{door:?}: {refused}");
            }
        }
        for arguments in [&["cat", "index", "items"][..], &["cat", "index", "nodes", "--as", "user:9"]] {
            assert!(said(&world.run(arguments)).contains("POC_E_FORBIDDEN"), "{arguments:?}");
        }
        let mut client = server(&world, &["user:9".to_string()]);
        assert!(!client.call("workspace_context", json!({ "query": "zebra" })).text().contains("[Zebra]"));
        assert_eq!([ask(&["--as", "user:9"]), ask(&[])], [before, public], "{toml}");
        assert!(!said(&on_tree(&world, &["pack", "zebra", "--as", "user:9"])).contains("Zebra"), "{toml}");
    }
}

#[test]
fn a_default_reader_is_not_remembered_without_settings() {
    let world = World::new(&[("a.jsonl", "{\"id\":\"a\",\"type\":\"page\",\"title\":\"Zebra\"}\n")]);
    world.remove("contextpack.toml");
    let ask = |more: &[&str]| said(&on_tree(&world, &[&["workspace", "context", "zebra"], more].concat()));
    let given = ask(&["--as", "user:1", "--default-read", "user:1"]);
    assert!(given.contains("[Zebra]"), "{given}");
    let without = ask(&["--as", "user:1"]);
    assert!(!without.contains("[Zebra]") && without.contains("--default-read says who"), "{without}");
    let nobody = ask(&["--as", "user:1", "--default-read", "user:2"]);
    assert!(!nobody.contains("[Zebra]") && !nobody.contains("--default-read says who"), "{nobody}");
}

fn kept_views(world: &World) -> Vec<PathBuf> {
    let views = fs::read_dir(world.index().join("views")).unwrap();
    views.map(|entry| PathBuf::from("index/views").join(entry.unwrap().file_name())).collect()
}

/// The records of a kept view do not say whose they are, so its directory does.
#[test]
fn a_kept_view_is_for_its_reader() {
    let world = granted_by_default();
    assert!(said(&on_tree(&world, &["pack", "zebra", "--as", "user:2", "--as", "workspace:acme"])).contains("canary"));
    let views = kept_views(&world);
    let [view] = views.as_slice() else { panic!("one view: {views:?}") };
    let [view, stage] = [view.clone(), view.join("chunk")].map(|path| path.to_str().unwrap().to_string());
    let doors: [&[&str]; 6] = [
        &["cat", &view, "items"],
        &["cat", &stage, "items"],
        &["pack", "zebra", "--index", &view],
        &["search", "zebra", "--index", &view],
        &["diff", &view, &view],
        &["workspace", "context", "zebra", "--index", &view],
    ];
    for door in doors {
        for names in [&[][..], &["--as", "user:2"], &["--as", "user:9"], &["--as", "workspace:acme"]] {
            let refused = world.run(&[door, names].concat());
            assert!(said(&refused).contains("POC_E_FORBIDDEN"), "{door:?} {names:?}: {}", said(&refused));
            assert!(refused.stdout.is_empty(), "{door:?} {names:?}: {}", said(&refused));
        }
        let own = world.run(&[door, &["--as", "user:2", "--as", "workspace:acme"]].concat());
        assert_eq!(own.status.code(), Some(0), "{door:?}: {}", said(&own));
    }
}

/// Commands that show what only operators may see take no reader.
#[test]
fn a_tool_of_operators_takes_no_reader() {
    let world = granted_by_default();
    world.build();
    let doctor = |names: &[&str]| on_tree(&world, &[&["doctor"], names].concat());
    for names in [&[][..], &["--as", "user:2"]] {
        let refused = doctor(names);
        assert!(refused.status.code() == Some(2) && refused.stdout.is_empty(), "{names:?}: {}", said(&refused));
        assert!(said(&refused).contains("POC_E_FORBIDDEN"), "{names:?}: {}", said(&refused));
    }
    let operator = doctor(&["--operator"]);
    assert!(!said(&operator).contains("POC_E_FORBIDDEN"), "{}", said(&operator));
    assert_eq!(said(&operator).matches("operator").count(), 1, "said once: {}", said(&operator));
    let access = on_tree(&world, &["workspace", "access", "h1", "--operator"]);
    assert_eq!(said(&access).matches("operator").count(), 1, "said once: {}", said(&access));
    let unknown = on_tree(&world, &["workspace", "access", "nothing", "--operator"]);
    assert_eq!(unknown.status.code(), Some(1), "as --help says: {}", said(&unknown));
    assert!(said(&unknown).contains("POC_E_NOT_FOUND: no block has the id `nothing`"), "{}", said(&unknown));
    world.write("b.jsonl", "{\"id\":\"b\",\"type\":\"text\",\"text\":\"b\"}\n{\"id\":\"broken\"\n");
    let chunk = ["chunk", "--pipeline", "tree/contextpack.toml", "--out", "other"];
    let built = said(&world.run(&chunk));
    assert!(built.contains("`contextpack cat other problems --operator`"), "{built}");
}

#[test]
fn settings_of_a_workspace_are_checked() {
    let world = granted_by_default();
    let refused = |toml: &str| {
        world.write("contextpack.toml", &format!("[workspace]\n{toml}\n"));
        let output = on_tree(&world, &["workspace", "context", "zebra", "--as", "user:1"]);
        assert_eq!(output.status.code(), Some(2), "{toml}: {}", said(&output));
        said(&output)
    };
    for name in ["bob", "user:", "User:1", "user: 1", ""] {
        let said = refused(&format!("default_read = [\"public\", \"{name}\"]"));
        assert!(said.contains("default_read") && said.contains(&format!("`{name}`")), "{said}");
    }
    let keys = ["default_read", "derived_columns", "due_words", "max_file_bytes", "budget", "types", "intents"];
    let unknown = refused("defualt_read = []");
    assert!(keys.iter().all(|key| unknown.contains(&format!("`{key}`"))), "{unknown}");
    let nested = refused("[workspace.budget]\ntotl = 5");
    assert!(nested.contains("`total`") && !nested.contains("default_read"), "{nested}");
    world.write("contextpack.toml", "[workspace]\nmax_file_bytes = 40\n");
    let small = on_tree(&world, &["workspace", "context", "zebra", "--as", "user:2"]);
    assert!(!said(&small).contains("canary") && said(&small).contains("code Some(1)"), "{}", said(&small));
    world.write("permissions.jsonl", "{\"default\":[\"user:1\",\"user:2\",\"user:3\"]}\n");
    let rights = said(&on_tree(&world, &["workspace", "context", "zebra", "--as", "user:2"]));
    assert!(rights.contains("POC_E_PERMISSIONS"), "rights that are too large are not left out: {rights}");
    world.write("contextpack.toml", "[workspace]\nmax_file_bytes = 4000\n");
    let read = said(&on_tree(&world, &["workspace", "context", "zebra", "--as", "user:2"]));
    assert!(read.contains("canary"), "{read}");
}
