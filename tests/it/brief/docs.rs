//! Every command of `docs/notes.md` runs, and every block of TOML and JSON on the page can be read.

use std::fs;
use std::path::Path;
use std::process::Command;

use contextpack::door::brief::Lenses;

use super::world::World;
use crate::pages::{self, example, examples};
use crate::tool::{home, plant, run};

fn is_script(block: &str) -> bool {
    ["contextpack ", "pipelines/", "mkdir "].iter().any(|start| block.starts_with(start))
}

fn block(start: &str) -> String {
    example("notes.md", start)
}

/// A vault in git in which every command of the page has what it speaks of.
fn vault() -> World {
    let world = World::new(&[
        (".obsidian/app.json", "{}"),
        (
            "Projects/SOC Defender.md",
            "---\ntags: project\nstatus: Active\nowner: \"[[Ada Lovelace]]\"\n---\nDetects and ranks the alerts of the night shift.\n\n## Goals\n\nSee [[Kick-off]].\n",
        ),
        ("Ada Lovelace.md", "---\ntags: [person]\n---\n"),
        ("Kick-off.md", "---\npeople: \"[[Ada Lovelace]]\"\n---\n- [ ] send the notes\n"),
        ("briefs.jsonl", "{\"query\":\"SOC Defender\"}\n"),
        (".gitignore", "/index/\n"),
    ]);
    plant(&world.tree(), &[("people.toml", block("[lens.people]").as_bytes())]);
    crate::tool::copy(&home().join("pipelines"), &world.tree().join("pipelines"));
    for arguments in [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "--message", "first"]] {
        let user = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
        run(Command::new("git").args(user).args(arguments).current_dir(world.tree()), 0);
    }
    world
}

#[test]
fn every_command_of_the_page_runs() {
    if ["git", "bash", "awk", "jq"].iter().any(|tool| Command::new(tool).arg("--version").output().is_err()) {
        return println!("skipped: git, bash, awk and jq are needed");
    }
    let world = vault();
    let binaries = Path::new(env!("CARGO_BIN_EXE_contextpack")).parent().unwrap().to_path_buf();
    let path = std::env::join_paths(
        [binaries].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let path = path.unwrap();
    let scripts: Vec<String> = examples("notes.md").into_iter().filter(|block| is_script(block)).collect();
    assert!(scripts.len() >= 10, "{scripts:?}");
    for script in &scripts {
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", script]).current_dir(world.tree());
        run(bash.env("PATH", &path).env("HOME", world.scratch.path()), 0);
    }
    let read = |name: &str| fs::read_to_string(world.tree().join(name)).unwrap();
    assert!(read(".contextpack/dates.jsonl").starts_with("{\"path\":\"Ada Lovelace.md\",\"created\":\"2"));
    assert!(read("brief.md").starts_with("# Brief: SOC Defender\n"));
    assert!(world.tree().join("index/nightly-brief.json").is_file() && world.tree().join("briefs").is_dir());
}

#[test]
fn every_example_of_the_page_can_be_read() {
    let mut lenses = Lenses::builtin();
    lenses.add_file(&block("[lens.people]")).unwrap();
    assert_eq!(lenses.get("people").unwrap().edges.len(), 3);
    assert!(block("[notes]").parse::<toml::Table>().unwrap().contains_key("notes"));
    let world = World::new(&[("nodes.jsonl", &block("{\"contextpackNodes\""))]);
    let text = world.printed(&["SOC Defender"], 0);
    for part in ["## SOC Defender [project]", "- **Owner**: Ada Lovelace", "Agreed on the *goals*."] {
        assert!(text.contains(part), "{text}");
    }
    let page = pages::text("notes.md");
    assert!(Lenses::builtin().names().all(|name| page.contains(&format!("| `{name}` |"))));
}
