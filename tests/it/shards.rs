//! Shares of a tree's chunks, made apart and merged: the bytes of one run, or a refusal that says why.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use contextpack::pipeline::{
    self, ChunkSettings, ChunkStage, MergeError, Progress, Share, run_chunk, run_merge, run_share,
};
use contextpack::store::{Disk, Draft, Manifest, WhenLocked};
use proptest::prelude::*;
use tempfile::{TempDir, tempdir};

use crate::determinism::plant_tree;
use crate::incremental::{Change, FILES, apply, change};
use crate::tool::{bytes, chunk, contextpack, copy, graph, home, plant, run};

const SMALL_SHARDS: [&str; 2] = ["--max-shard-bytes", "2048"];

/// A tree, and what one run makes of it in `index/chunk`.
struct World {
    scratch: TempDir,
}

impl World {
    /// Of two languages: a tree of all of them is parsed once, in a test of its own.
    fn new() -> Self {
        let world = World { scratch: tempdir().unwrap() };
        plant_small_tree(&world.path("tree"));
        chunk(&world.path("tree"), &world.path("index/chunk"), &SMALL_SHARDS);
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    fn whole(&self) -> std::collections::BTreeMap<String, Vec<u8>> {
        bytes(&self.path("index/chunk"))
    }

    /// Makes a share in a folder named after it.
    #[track_caller]
    fn share(&self, share: &str, options: &[&str]) -> PathBuf {
        let out = self.path(&format!("shares/{}", share.replace('/', "-of-")));
        chunk(&self.path("tree"), &out, &[&SMALL_SHARDS[..], &["--shard", share], options].concat())
    }

    fn shares(&self, of: u32) -> Vec<PathBuf> {
        // Made on other machines, as far as one can play that: other threads, another order of folders.
        let share = |index: u32| {
            let (jobs, seed) = (["1", "2", "8"][index as usize % 3], index.to_string());
            self.share(&format!("{index}/{of}"), &["--jobs", jobs, "--shuffle", &seed])
        };
        (1..=of).map(share).collect()
    }

    /// Merges and gives what was said.
    #[track_caller]
    fn merge(&self, shares: &[&Path], code: i32) -> String {
        let output = run(contextpack().arg("merge").args(shares).arg("--out").arg(self.path("merged")), code);
        String::from_utf8(output.stderr).unwrap()
    }

    /// Merges what cannot be merged: an error is said, and nothing is written.
    #[track_caller]
    fn refused(&self, shares: &[&Path], words: &[&str]) {
        let said = self.merge(shares, 2);
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
        assert!(said.starts_with("merge: ") && !self.path("merged").exists(), "{said}");
    }
}

fn plant_small_tree(root: &Path) {
    for case in ["graph_python", "graph_spec", "python"] {
        copy(&home().join("golden").join(case).join("input"), &root.join(case));
    }
    let others: &[(&str, &[u8])] = &[
        ("zz/a.py", b"def last():\n    return first()\n"),
        ("A/b.py", b"def upper():\n    pass\n"),
        ("a/b.py", b"def lower():\n    pass\n"),
        ("blob.bin", &[0, 1, 2, 3, 0, 255]),
        ("日本/😀.py", "def 挨拶():\n    return 'こんにちは😀'\n".as_bytes()),
    ];
    plant(root, others);
    std::os::unix::fs::symlink("zz/a.py", root.join("link.py")).unwrap();
}

/// The folders in an order that is not theirs.
fn shuffled(shares: &[PathBuf]) -> Vec<&Path> {
    let mut shares: Vec<&Path> = shares.iter().map(PathBuf::as_path).collect();
    let half = shares.len() / 2;
    shares.rotate_left(half);
    shares.reverse();
    shares
}

#[test]
fn any_number_of_shares_merges_to_the_bytes_of_one_run() {
    let world = World::new();
    let whole = world.whole();
    let shards = whole.keys().filter(|name| name.starts_with("files.") && name.ends_with(".zst")).count();
    assert!(shards > 7, "{shards} shards are few");
    for of in [1, 2, 3, 7, shards as u32 + 5] {
        let shares = world.shares(of);
        world.merge(&shuffled(&shares), 0);
        assert!(bytes(&world.path("merged")) == whole, "{of} shares");
        run(contextpack().args(["verify", "--deep"]).arg(world.path("merged")), 0);
        fs::remove_dir_all(world.path("merged")).unwrap();
        let held = shares.iter().map(|share| bytes(share).keys().filter(|name| name.starts_with("files.0")).count());
        let held: Vec<usize> = held.collect();
        assert_eq!(held.iter().sum::<usize>(), shards, "each shard is of one share: {held:?}");
        if of == 3 {
            let most = shares.iter().map(|share| source_bytes(share)).max().unwrap();
            assert!(most * 2 < source_bytes(&world.path("index/chunk")), "the work is shared by bytes of input");
        }
    }
}

/// How many bytes of the tree an index has read.
fn source_bytes(index: &Path) -> u64 {
    let output = run(contextpack().arg("cat").arg(index).arg("files"), 0);
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["bytes"].as_u64().unwrap()).sum()
}

#[test]
fn shares_of_a_tree_in_every_language_merge_to_the_bytes_of_one_run() {
    let scratch = tempdir().unwrap();
    let (tree, options) = (scratch.path().join("tree"), ["--max-shard-bytes", "8192"]);
    plant_tree(&tree);
    let whole = chunk(&tree, &scratch.path().join("whole"), &options);
    let share = |share: &str| {
        let out = scratch.path().join(share.replace('/', "-"));
        chunk(&tree, &out, &[&options[..], &["--shard", share]].concat())
    };
    let shares = ["2/3", "3/3", "1/3"].map(share);
    run(contextpack().arg("merge").args(&shares).arg("--out").arg(scratch.path().join("merged")), 0);
    assert!(bytes(&scratch.path().join("merged")) == bytes(&whole));
}

#[test]
fn shares_of_other_folders_locales_and_file_dates_are_of_one_tree() {
    let world = World::new();
    let elsewhere = world.path("a folder with spaces/другая");
    plant_small_tree(&elsewhere);
    let first = world.share("1/2", &[]);
    let script = "umask 077; exec \"$0\" chunk --source . --out \"$1\" --shard 2/2 --max-shard-bytes 2048 --quiet";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(contextpack().get_program()).arg(world.path("other"));
    command.env_clear().current_dir(&elsewhere);
    command.envs([("LC_ALL", "tr_TR.UTF-8"), ("LANG", "ja_JP.SJIS"), ("TZ", "Pacific/Kiritimati"), ("HOME", "/no")]);
    run(&mut command, 0);
    world.merge(&[&world.path("other"), &first], 0);
    assert!(bytes(&world.path("merged")) == world.whole());
}

#[test]
fn a_graph_of_merged_chunks_is_the_graph_of_one_run() {
    let world = World::new();
    let shares = world.shares(3);
    run(contextpack().arg("merge").args(shuffled(&shares)).arg("--out").arg(world.path("other/chunk")), 0);
    assert!(bytes(&graph(&world.path("index"), &[])) == bytes(&graph(&world.path("other"), &[])));
}

#[test]
fn a_share_is_a_cache_and_so_is_what_was_merged() {
    let world = World::new();
    let shares = world.shares(3);
    world.merge(&shuffled(&shares), 0);
    let said = |output: std::process::Output| String::from_utf8(output.stderr).unwrap();
    let again = |source: &Path, out: &Path, options: &[&str]| {
        let mut command = contextpack();
        command.arg("chunk").arg("--source").arg(source).arg("--out").arg(out).args(SMALL_SHARDS).args(options);
        said(run(&mut command, 0))
    };
    let tree = world.path("tree");
    // An edit in one file: two shares are carried over whole, and the third but for that file.
    fs::write(tree.join("zz/a.py"), "def last():\n    return second()\n").unwrap();
    let analysed: u64 = (1..=3)
        .map(|index| {
            let text = again(&tree, &shares[index - 1], &["--shard", &format!("{index}/3")]);
            let words: Vec<&str> = text.split([' ', ',']).collect();
            let number =
                |word| words[words.iter().position(|found| *found == word).unwrap() - 1].parse::<u64>().unwrap();
            number("files") - number("carried")
        })
        .sum();
    assert!((1..5).contains(&analysed), "{analysed} files were analysed again");
    // The merge keeps what the old index has, and a whole run over the merged one finds nothing to do.
    let before = modified(&world.path("merged"));
    world.merge(&shuffled(&shares), 0);
    let after = modified(&world.path("merged"));
    let kept = after.iter().filter(|file| before.contains(file)).count();
    assert!(kept * 2 > after.len(), "{kept} of {} files were kept", after.len());
    let text = again(&tree, &world.path("merged"), &[]);
    assert!(text.contains(", 0 ignored") || text.contains("carried over"), "{text}");
    assert_eq!(modified(&world.path("merged")), after, "what was merged is what a run makes");
    // Nothing has changed: the same merge writes nothing.
    world.merge(&shuffled(&shares), 0);
    assert_eq!(modified(&world.path("merged")), after);
    let fresh = chunk(&tree, &world.path("fresh"), &SMALL_SHARDS);
    assert!(bytes(&world.path("merged")) == bytes(&fresh));
}

/// Every file but the lock, with its date.
fn modified(index: &Path) -> Vec<(String, std::time::SystemTime)> {
    let names = bytes(index).into_keys();
    names.map(|name| (name.clone(), fs::metadata(index.join(name)).unwrap().modified().unwrap())).collect()
}

#[test]
fn shares_below_the_index_are_not_read_as_source() {
    let scratch = tempdir().unwrap();
    plant(scratch.path(), &[("a.py", b"def a():\n    pass\n"), ("b.py", b"def b():\n    pass\n")]);
    let tool = |arguments: &[&str]| run(contextpack().current_dir(scratch.path()).args(arguments), 0);
    tool(&["chunk", "--shard", "1/2"]);
    tool(&["chunk", "--shard", "2/2"]);
    tool(&["merge", "index/shares/2-of-2", "index/shares/1-of-2"]);
    let merged = bytes(&scratch.path().join("index/chunk"));
    tool(&["chunk"]);
    assert!(bytes(&scratch.path().join("index/chunk")) == merged);
    // What was brought from another machine may have lost its lock on the way.
    for folder in ["index/chunk", "index/shares/2-of-2"] {
        fs::remove_file(scratch.path().join(folder).join(".lock")).unwrap();
    }
    tool(&["chunk", "--shard", "1/2"]);
    tool(&["merge", "index/shares/1-of-2", "index/shares/2-of-2"]);
    assert!(bytes(&scratch.path().join("index/chunk")) == merged);
}

#[test]
fn a_tree_without_files_and_one_with_nothing_but_faults() {
    for files in [&[][..], &[("blob.bin", &[0u8, 1, 2][..])][..]] {
        let scratch = tempdir().unwrap();
        let tree = scratch.path().join("tree");
        fs::create_dir(&tree).unwrap();
        plant(&tree, files);
        std::os::unix::fs::symlink("gone", tree.join("link")).unwrap();
        let whole = chunk(&tree, &scratch.path().join("whole"), &[]);
        let shares = ["1/3", "2/3", "3/3"]
            .map(|share| chunk(&tree, &scratch.path().join(share.replace('/', "-")), &["--shard", share]));
        run(contextpack().arg("merge").args(&shares).arg("--out").arg(scratch.path().join("merged")), 0);
        assert!(bytes(&scratch.path().join("merged")) == bytes(&whole));
    }
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_written() {
    let world = World::new();
    let shares = world.shares(3);
    let [first, second, third] = [0, 1, 2].map(|at| shares[at].as_path());
    world.refused(&[first, third], &["cannot merge 2 of 3 shares", "2/3 is not", "contextpack chunk --shard 2/3"]);
    world.refused(&[third, first, second, third], &["share 3 of 3, and so is", "3-of-3"]);
    world.refused(&[&world.path("index/chunk"), second, third], &["the whole index of stage `chunk`"]);
    world.refused(&[first, &world.path("no")], &["it does not exist"]);
    let two = world.share("2/2", &[]);
    world.refused(&[first, &two, third], &["one is share", "2/2"]);

    let other = |options: &[&str], env: &[(&str, &str)]| {
        let out = world.path("odd");
        let mut command = contextpack();
        command.arg("chunk").arg("--source").arg(world.path("tree")).arg("--out").arg(&out).args(["--shard", "2/3"]);
        run(command.args(options).envs(env.iter().copied()), 0);
        out
    };
    let odd = other(&["--max-shard-bytes", "2048", "--max-chunk-bytes", "512"], &[]);
    world.refused(&[first, &odd, third], &["settings differ in maxChunkBytes", "contextpack chunk --shard 2/3"]);
    let odd = other(&SMALL_SHARDS, &[("SOURCE_DATE_EPOCH", "1700000000")]);
    world.refused(&[first, &odd, third], &["source dates", "2023-11-14T22:13:20Z"]);
    // The same size and date, another content, in a file that this share does not even hold.
    let edited = world.path("tree/A/b.py");
    let date = fs::metadata(&edited).unwrap().modified().unwrap();
    fs::write(&edited, "def UPPER():\n    pass\n").unwrap();
    fs::File::options().append(true).open(&edited).unwrap().set_modified(date).unwrap();
    let odd = other(&SMALL_SHARDS, &[]);
    world.refused(&[first, &odd, third], &["two trees that differ in a file", "odd"]);
    run(contextpack().args(["merge", "--out"]).arg(world.path("merged")), 2);
    run(contextpack().args(["chunk", "--shard", "4/3"]), 2);

    // A piece that went bad.
    copy(second, &world.path("bad"));
    let piece = bytes(second).into_keys().find(|name| name.starts_with("symbols.0")).unwrap();
    let mut content = fs::read(second.join(&piece)).unwrap();
    content[20] ^= 1;
    fs::write(world.path("bad").join(&piece), content).unwrap();
    world.refused(&[first, &world.path("bad"), third], &[&piece, "digest"]);
}

#[test]
fn shares_of_another_version_are_refused() {
    let world = World::new();
    let shares = world.shares(2);
    let path = shares[1].join("manifest.json");
    let Manifest { stage, ruleset_version, source_date, settings, inputs, artifacts, accelerators, .. } =
        Manifest::parse(&fs::read(&path).unwrap()).unwrap();
    let draft = Draft { stage, ruleset_version, source_date, settings, inputs, artifacts, accelerators };
    let other_rules = Draft { ruleset_version: draft.ruleset_version + 1, ..draft.clone() };
    fs::write(&path, other_rules.seal().to_bytes()).unwrap();
    world.refused(&[&shares[0], &shares[1]], &["they were made by rules", "contextpack chunk --shard 2/2"]);
    let mut other_terms = draft.clone();
    other_terms.accelerators[0].version += 1;
    fs::write(&path, other_terms.seal().to_bytes()).unwrap();
    world.refused(&[&shares[0], &shares[1]], &["two versions of contextpack", "contextpack chunk --shard 2/2"]);
    let mut other_form: serde_json::Value = serde_json::from_slice(&draft.seal().to_bytes()).unwrap();
    other_form["schemaVersion"] = 99.into();
    fs::write(&path, other_form.to_string()).unwrap();
    world.refused(&[&shares[0], &shares[1]], &["it is version 99", "contextpack chunk --shard"]);
}

/// A file that changes between the look at the tree and the reading of it is in no share's digest of the tree.
#[test]
fn a_tree_that_was_edited_meanwhile_is_refused() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    let names = ["a.py", "b.py", "c.py", "d.py", "e.py", "f.py"];
    names.iter().for_each(|name| plant(&folder.join("tree"), &[(name, &module("same", 9))]));
    let share = |index: u32, watch: &(dyn Fn(Progress) + Sync)| {
        let stage = stage(folder, &format!("share{index}"), u64::MAX);
        run_share(&stage, Some(Share { index, of: 2 }), Disk::real(), WhenLocked::Refuse, watch).unwrap();
        stage.out
    };
    let first = share(1, &|_| ());
    let last = folder.join("tree/f.py");
    let second = share(2, &|progress| {
        if let Progress::Done { .. } = progress {
            fs::write(&last, module("else", 9)).unwrap();
        }
    });
    let merged = run_merge(&[first, second], &folder.join("merged"), Disk::real(), WhenLocked::Refuse);
    assert!(matches!(merged, Err(MergeError::Edited)), "{merged:?}");
    assert!(!folder.join("merged").exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happened to a tree, shares that are kept from before merge to the bytes of a run from nothing.
    #[test]
    fn incremental_shares_equal_a_full_run(changes in prop::collection::vec(change(), 1..6)) {
        let scratch = tempdir().unwrap();
        let (folder, tree) = (scratch.path(), scratch.path().join("tree"));
        let mut settings = ChunkSettings { max_shard_bytes: 1500, ..ChunkSettings::default() };
        for file in 0..FILES.len() {
            apply(&Change::Write { file, body: file as u16 * 37 + 1 }, &tree, &mut settings);
        }
        for (at, change) in changes.iter().enumerate() {
            apply(change, &tree, &mut settings);
            let made = |out: &str, share: Option<Share>| {
                let stage = ChunkStage { settings: settings.clone(), ..stage(folder, out, u64::MAX) };
                run_share(&stage, share, Disk::real(), WhenLocked::Refuse, &|_| ()).unwrap();
                stage.out
            };
            let shares = [2, 3, 1].map(|index| made(&format!("share{index}"), Some(Share { index, of: 3 })));
            run_merge(&shares, &folder.join("merged"), Disk::real(), WhenLocked::Refuse).unwrap();
            let fresh = made(&format!("fresh{at}"), None);
            prop_assert!(bytes(&folder.join("merged")) == bytes(&fresh), "differs behind step {}: {:?}", at, changes);
        }
    }
}

#[test]
fn a_share_is_never_taken_for_a_whole() {
    let world = World::new();
    let index = world.path("shared");
    let share = chunk(&world.path("tree"), &index.join("chunk"), &[&SMALL_SHARDS[..], &["--shard", "1/2"]].concat());
    let said = |command: &mut Command| String::from_utf8(run(command, 2).stderr).unwrap();
    for command in ["graph", "pack"] {
        let mut command = contextpack_on(&index, command);
        let text = said(&mut command);
        assert!(text.contains("one share of the chunks") && text.contains("contextpack merge"), "{text}");
    }
    let text = said(contextpack().arg("diff").arg(world.path("index")).arg(&index));
    assert!(text.contains("contextpack merge"), "{text}");
    // As an index of its own form it is sound, and can be looked into.
    run(contextpack().args(["verify", "--deep"]).arg(&share), 0);
    run(contextpack().arg("cat").arg(&share).arg("files"), 0);
    // Neither takes the other's place.
    let chunk_to = |out: &Path, options: &[&str]| {
        let mut command = contextpack();
        command.arg("chunk").arg("--source").arg(world.path("tree")).arg("--out").arg(out).args(options);
        said(&mut command)
    };
    let before = (world.whole(), bytes(&share));
    assert!(chunk_to(&world.path("index/chunk"), &["--shard", "1/2"]).contains("stage `chunk`"));
    assert!(chunk_to(&share, &[]).contains("stage `share`"));
    let shares = world.shares(2);
    let into_share = run(contextpack().arg("merge").args(&shares).arg("--out").arg(&share), 2);
    assert!(String::from_utf8(into_share.stderr).unwrap().contains("stage `share`"));
    assert!(before == (world.whole(), bytes(&share)));
}

fn contextpack_on(index: &Path, command: &str) -> Command {
    let mut tool = contextpack();
    tool.args([command, "--index"]).arg(index);
    if command == "pack" {
        tool.args(["--query", "order"]);
    }
    tool
}

fn stage(folder: &Path, out: &str, uid_mask: u64) -> ChunkStage {
    ChunkStage {
        source: folder.join("tree"),
        out: folder.join(out),
        settings: ChunkSettings { max_shard_bytes: 700, uid_mask, ..ChunkSettings::default() },
        jobs: 1,
        epoch: None,
        shuffle: None,
    }
}

/// Makes all shares and merges them; and one run. Whether both have the same bytes, or why there is no merge.
fn merged_as_one_run(folder: &Path, of: u32, uid_mask: u64) -> Result<bool, MergeError> {
    let share = |index: u32| {
        let stage = stage(folder, &format!("share{index}"), uid_mask);
        let share = Some(Share { index, of });
        run_share(&stage, share, Disk::real(), WhenLocked::Refuse, &|_| ()).unwrap();
        stage.out
    };
    let shares: Vec<PathBuf> = (1..=of).map(share).collect();
    run_chunk(&stage(folder, "whole", uid_mask), Disk::real(), WhenLocked::Refuse, &|_| ()).unwrap();
    let out = folder.join("merged");
    run_merge(&shares, &out, Disk::real(), WhenLocked::Refuse).map(|_| bytes(&out) == bytes(&folder.join("whole")))
}

fn module(name: &str, count: usize) -> Vec<u8> {
    (0..count).map(|at| format!("def {name}_{at}(x):\n    return other_{at}(x)\n\n\n")).collect::<String>().into_bytes()
}

/// The narrower the uids, the more collide: inside a share they are salted as one run salts them, between two
/// shares they are found. There is no mask at which a merge gives other bytes than one run.
#[test]
fn colliding_uids_are_those_of_one_run_or_refused() {
    let (mut same, mut salted, mut refused) = (0, 0, 0);
    for bits in [5, 6, 7, 9, 12, 64] {
        let scratch = tempdir().unwrap();
        let names = ["a", "b", "c", "d", "e", "f"];
        for name in names {
            plant(&scratch.path().join("tree"), &[(&format!("{name}.py"), &module(name, 5))]);
        }
        match merged_as_one_run(scratch.path(), 2, u64::MAX >> (64 - bits)) {
            Ok(is_same) => {
                assert!(is_same, "{bits} bits");
                let problems = run(contextpack().arg("cat").arg(scratch.path().join("merged")).arg("problems"), 0);
                salted += u32::from(String::from_utf8(problems.stdout).unwrap().contains("uidCollision"));
                same += 1;
            }
            Err(error @ MergeError::Collision { .. }) => {
                let text = error.to_string();
                assert!(text.contains("both have a chunk xxh64:") && text.contains("without --shard"), "{text}");
                assert!(!scratch.path().join("merged").exists());
                refused += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(same >= 2 && refused >= 2, "{same} the same, {refused} refused");
    println!("{same} merged ({salted} of them with salted uids), {refused} refused");
}

/// Two files of one share that collide, and no other: the salt is the one that a whole run gives.
#[test]
fn a_salt_inside_a_share_is_kept() {
    let found = (0..200).any(|seed| {
        let scratch = tempdir().unwrap();
        let first = module(&format!("first{seed}"), 6);
        let second = module(&format!("second{seed}"), 6);
        plant(&scratch.path().join("tree"), &[("a.py", &first), ("b.py", &second), ("c.py", &module("c", 1))]);
        let merged = merged_as_one_run(scratch.path(), 2, 0x1FF);
        assert!(merged.as_ref().map_or(true, |same| *same));
        let salted = |folder: &str| {
            let cat = run(contextpack().arg("cat").arg(scratch.path().join(folder)).arg("problems"), 0);
            String::from_utf8(cat.stdout).unwrap().contains("uidCollision")
        };
        merged.is_ok() && salted("merged")
    });
    assert!(found, "no seed gives a collision inside a share and none between two");
}

/// Stopped before any of its writes, a merge leaves the old index or the new one.
#[test]
fn a_merge_that_is_stopped_leaves_the_old_index_or_the_new_one() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    let tree = folder.join("tree");
    plant(&tree, &[("a.py", &module("a", 9)), ("b.py", &module("b", 9)), ("c.py", &module("c", 9))]);
    run_chunk(&stage(folder, "old", u64::MAX), Disk::real(), WhenLocked::Refuse, &|_| ()).unwrap();
    plant(&tree, &[("b.py", &module("b", 11)), ("e.py", &module("e", 12))]);
    assert!(merged_as_one_run(folder, 2, u64::MAX).unwrap());
    let (old, new) = (bytes(&folder.join("old")), bytes(&folder.join("merged")));
    let shares = [folder.join("share1"), folder.join("share2")];
    for stop_at in 0.. {
        let out = folder.join("stopped");
        let _ = fs::remove_dir_all(&out);
        copy(&folder.join("old"), &out);
        let count = AtomicU64::new(0);
        let hook = Arc::new(move |_: &str, _: &Path| match count.fetch_add(1, Ordering::SeqCst) {
            at if at >= stop_at => Err(std::io::Error::from(std::io::ErrorKind::StorageFull)),
            _ => Ok(()),
        });
        let outcome = run_merge(&shares, &out, Disk::with_hook(hook), WhenLocked::Refuse);
        pipeline::verify(&out, true).unwrap_or_else(|fault| panic!("torn at operation {stop_at}: {fault}"));
        let manifest = bytes(&out)["manifest.json"].clone();
        assert!(manifest == old["manifest.json"] || manifest == new["manifest.json"]);
        if outcome.is_ok() {
            assert!(bytes(&out) == new && stop_at > 15, "{stop_at} operations");
            return;
        }
    }
}
