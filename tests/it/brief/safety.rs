//! The same notes give the same bytes whatever happens around them, and however a run ends.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use contextpack::door::brief::Lenses;
use contextpack::pipeline::{BRIEFS, BriefStage, Requests, run_briefs, verify};
use contextpack::store::{Disk, WhenLocked};
use tempfile::tempdir;

use super::world::{World, source_of};
use crate::tool::{bytes, chunk, contextpack, copy, deadly_disk, graph, home, index_tree, run};

const CASES: [&str; 4] = ["notes_vault", "notes_logseq", "notes_tana", "notes_nodes"];

/// One tree with notes of every kind.
fn plant_all(tree: &Path) {
    for case in CASES {
        copy(&home().join("golden").join(case).join("input"), &tree.join(case));
    }
}

const TOPICS: [&str; 6] =
    ["SOC Defender", "Ada Lovelace", "#project", "kick-off notes", "note:notes_vault/Links.md", "p1"];

/// The briefs about some topics, one on a line.
fn briefs(index: &Path) -> String {
    let source = source_of(index);
    let made = TOPICS.map(|topic| {
        let query = serde_json::json!({ "query": topic, "depth": 3, "lens": "meeting-prep", "maxTokens": 9_000 });
        contextpack::door::brief::json(&super::world::brief(&source, query).record)
    });
    made.concat()
}

/// A library that sets the clock to a number of seconds since 1970.
fn clock(folder: &Path) -> PathBuf {
    const SOURCE: &str = r#"
        #define _GNU_SOURCE
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>
        static time_t set(void) { const char *text = getenv("CLOCK"); return text ? atoll(text) : 0; }
        int clock_gettime(clockid_t id, struct timespec *at) {
            if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE) return syscall(SYS_clock_gettime, id, at);
            at->tv_sec = set(); at->tv_nsec = 0; return 0;
        }
        time_t time(time_t *at) { if (at) *at = set(); return set(); }
        int gettimeofday(struct timeval *at, void *zone) { at->tv_sec = set(); at->tv_usec = 0; return 0; }
    "#;
    let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
    fs::write(&source, SOURCE).unwrap();
    run(Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source), 0);
    library
}

/// 25. Another clock, zone, language, directory, number of threads, and dates of files: the same index and briefs.
#[test]
fn neither_clock_nor_place_is_in_a_brief() {
    let scratch = tempdir().unwrap();
    let library = clock(scratch.path());
    let shown = |clock: &str| {
        let mut date = Command::new("date");
        let output = run(date.args(["-u", "+%Y"]).env("LD_PRELOAD", &library).env("CLOCK", clock), 0);
        String::from_utf8(output.stdout).unwrap()
    };
    let (then, later) = ("946684799", "2208988800");
    assert_eq!((shown(then).as_str(), shown(later).as_str()), ("1999\n", "2040\n"), "the clock is set");
    let made = |name: &str, clock: &str, zone: &str, jobs: &str, tree: &Path| {
        let index = scratch.path().join(name);
        let environment = [("TZ", zone), ("CLOCK", clock), ("RAYON_NUM_THREADS", jobs), ("LC_ALL", "tr_TR.UTF-8")];
        let sealed = |command: &mut Command| {
            command.envs(environment).env("LD_PRELOAD", &library).args(["--jobs", jobs, "--quiet"]);
            run(command, 0).stdout
        };
        sealed(contextpack().arg("chunk").arg("--source").arg(tree).arg("--out").arg(index.join("chunk")));
        sealed(contextpack().arg("graph").arg("--index").arg(&index));
        let mut brief = contextpack();
        brief.args(["brief", "SOC Defender", "--json", "--depth", "3", "--no-refresh", "--repo"]).arg(tree);
        let printed = sealed(brief.arg("--index").arg(&index));
        (bytes(&index.join("chunk")), bytes(&index.join("graph")), String::from_utf8(printed).unwrap())
    };
    let (tree, other) = (scratch.path().join("tree"), scratch.path().join("другая папка/with spaces/ağaç"));
    plant_all(&tree);
    plant_all(&other);
    let first = made("first", then, "Pacific/Auckland", "1", &tree);
    assert!(first.2.contains("\"as_of\"") || first.2.contains("\"asOf\":{\"date\":\"2026-"), "{}", first.2);
    assert!(made("second", later, "America/New_York", "8", &other) == first, "the clock, the place or the threads");
    let mut doctor = contextpack();
    doctor.current_dir(&tree).args(["doctor", "determinism", "--json", "--quiet"]);
    let said: serde_json::Value = serde_json::from_slice(&run(&mut doctor, 0).stdout).unwrap();
    assert_eq!(said["same"], true, "{said}");
}

/// What happens to a tree of notes between two runs: a file with another text, a new name, or none.
enum Change {
    Replace(&'static str, &'static str, &'static str),
    Write(&'static str, &'static str),
    Rename(&'static str, &'static str),
    Delete(&'static str),
}

use Change::{Delete, Rename, Replace, Write};

const CHANGES: &[Change] = &[
    Replace("notes_tana/office.json", "Kick-off", "Second kick-off"),
    Replace("notes_nodes/crm.jsonl", "SOC Defender", "SOC Attacker"),
    Replace("notes_logseq/pages/SOC Defender.md", "- same text\n", ""),
    Rename("notes_tana/office.json", "notes_tana/r@2026-01-01.json"),
    Write(
        "notes_tana/r@2026-02-01.json",
        "{\"formatVersion\":1,\"docs\":[{\"id\":\"p1\",\"props\":{\"name\":\"Newer\"}}]}",
    ),
    Write("notes_logseq/pages/Twin.md", "title:: SOC Defender\n- a second page of this title, [[SOC Defender]]\n"),
    Write("notes_vault/Ada Lovelace.md", "A second page of this name.\n"),
    Write("notes_logseq/logseq/config.edn", "{:journal/page-title-format \"yyyy-MM-dd\"}"),
    Write("contextpack.toml", "[notes]\nroots = [{ path = \"notes_vault\", kind = \"logseq\" }]\n"),
    Delete("notes_tana/r@2026-02-01.json"),
    Delete("notes_logseq/logseq/config.edn"),
    Write("contextpack.toml", "[notes]\nroots = []\n"),
    Rename("notes_nodes/crm.jsonl", "moved.jsonl"),
];

fn apply(change: &Change, tree: &Path) -> String {
    match change {
        Replace(path, from, to) => {
            let text = fs::read_to_string(tree.join(path)).unwrap();
            assert!(text.contains(from), "{path}");
            fs::write(tree.join(path), text.replacen(from, to, 1)).unwrap();
            path.to_string()
        }
        Write(path, text) => {
            fs::write(tree.join(path), text).unwrap();
            path.to_string()
        }
        Rename(from, to) => {
            fs::rename(tree.join(from), tree.join(to)).unwrap();
            format!("{from} is {to}")
        }
        Delete(path) => {
            fs::remove_file(tree.join(path)).unwrap();
            format!("without {path}")
        }
    }
}

/// 31. After every change, the next run gives the index and the briefs of a run from nothing.
#[test]
fn a_changed_tree_gives_the_briefs_of_a_new_index() {
    let scratch = tempdir().unwrap();
    let (tree, index) = (scratch.path().join("tree"), scratch.path().join("index"));
    plant_all(&tree);
    index_tree(&tree, &index);
    let mut last = briefs(&index);
    for change in CHANGES {
        let what = apply(change, &tree);
        index_tree(&tree, &index);
        let fresh = tempdir().unwrap();
        index_tree(&tree, fresh.path());
        for stage in ["chunk", "graph"] {
            assert!(bytes(&index.join(stage)) == bytes(&fresh.path().join(stage)), "{stage} after {what}");
        }
        let now = briefs(&index);
        assert!(now == briefs(fresh.path()), "briefs after {what}");
        assert!(now != last, "{what} changes something");
        last = now;
        run(contextpack().args(["verify", "--deep"]).arg(&index), 0);
    }
}

/// 31. Chunks that are made in shares and merged give the same index and the same briefs.
#[test]
fn shares_give_the_briefs_of_one_run() {
    let scratch = tempdir().unwrap();
    let path = |name: &str| scratch.path().join(name);
    plant_all(&path("tree"));
    chunk(&path("tree"), &path("whole/chunk"), &[]);
    graph(&path("whole"), &[]);
    for of in [2, 5] {
        let share = |at: u32| chunk(&path("tree"), &path(&format!("{of}/{at}")), &["--shard", &format!("{at}/{of}")]);
        let shares: Vec<PathBuf> = (1..=of).rev().map(share).collect();
        let merged = path(&format!("merged{of}"));
        run(contextpack().arg("merge").args(&shares).arg("--out").arg(merged.join("chunk")), 0);
        graph(&merged, &[]);
        for stage in ["chunk", "graph"] {
            assert!(bytes(&merged.join(stage)) == bytes(&path("whole").join(stage)), "{stage} of {of} shares");
        }
        assert!(briefs(&merged) == briefs(&path("whole")), "{of} shares");
        run(contextpack().args(["verify", "--deep"]).arg(&merged), 0);
    }
}

const KILL_AT: &str = "CONTEXTPACK_TEST_KILL_BRIEFS_AT";
const FOLDER: &str = "CONTEXTPACK_TEST_BRIEFS";

/// Stores briefs about some topics in a directory.
fn store(index: &Path, out: &Path, topics: &[&str], disk: Disk) {
    let lines: String = topics.iter().map(|topic| format!("{{\"query\":\"{topic}\"}}\n")).collect();
    let requests = Requests::of_briefs(Path::new("requests.jsonl"), &lines, &Lenses::builtin());
    let stage = BriefStage { out: out.to_path_buf(), keep: false, jobs: 1 };
    run_briefs(&stage, &source_of(index), &requests, None, disk, WhenLocked::Refuse, &|_| ()).unwrap();
}

const BEFORE: [&str; 3] = ["SOC Defender", "Kick-off", "c1"];
const AFTER: [&str; 3] = ["SOC Defender", "Ada Lovelace", "#person"];

/// Not a test of its own: the process that [`killed_anywhere_old_briefs_or_new_ones`] kills.
#[test]
#[ignore = "runs only as a child"]
fn child() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("started by its parent"));
    let kill_at: u64 = std::env::var(KILL_AT).expect("started by its parent").parse().unwrap();
    store(&folder.join("index"), &folder.join("killed"), &AFTER, deadly_disk(kill_at));
}

/// 31. A run that is killed at any operation leaves the old briefs or the new ones, and the next run gives the new ones.
#[test]
fn killed_anywhere_old_briefs_or_new_ones() {
    let world = World::crm();
    index_tree(&world.tree(), &world.index());
    let folder = world.scratch.path();
    let path = |name: &str| folder.join(name);
    store(&world.index(), &path("old"), &BEFORE, Disk::real());
    copy(&path("old"), &path("new"));
    store(&world.index(), &path("new"), &AFTER, Disk::real());
    let manifest = |name: &str| fs::read(path(name).join("manifest.json")).unwrap();
    let (old, new) = (manifest("old"), manifest("new"));
    assert_ne!(old, new);
    let (mut kills, mut kept) = (0, 0);
    loop {
        let _ = fs::remove_dir_all(path("killed"));
        copy(&path("old"), &path("killed"));
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["brief::safety::child", "--exact", "--ignored", "--quiet"]);
        let status = child.env(FOLDER, folder).env(KILL_AT, kills.to_string()).output().unwrap().status;
        if status.success() {
            break;
        }
        assert_eq!(status.signal(), Some(libc::SIGKILL), "ended otherwise at operation {kills}");
        verify(&path("killed"), true).unwrap_or_else(|fault| panic!("torn at operation {kills}: {fault}"));
        let found = manifest("killed");
        assert!(found == old || found == new, "neither old nor new at operation {kills}");
        kept += u64::from(found == old);
        store(&world.index(), &path("killed"), &AFTER, Disk::real());
        assert!(bytes(&path("killed")) == bytes(&path("new")), "the next run differs behind a kill at {kills}");
        kills += 1;
    }
    println!("{kills} kills: {kept} left the old briefs, {} the new ones", kills - kept);
    assert!(kills > 8 && kept > 0 && kept < kills, "{kills} kills, {kept} kept");
    assert_eq!(BRIEFS, "briefs");
}
