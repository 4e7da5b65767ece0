//! Whatever happened to a tree, the next run gives the bytes that a run from nothing gives.

use std::fs;
use std::path::Path;

use contextpack::pipeline::{ChunkSettings, ChunkStage, run_chunk};
use contextpack::store::{Disk, WhenLocked};
use proptest::prelude::*;
use tempfile::tempdir;

use crate::tool::bytes;

/// Something that happens to a tree between two runs.
#[derive(Clone, Debug)]
pub enum Change {
    Write { file: usize, body: u16 },
    Delete { file: usize },
    Rename { from: usize, to: usize },
    Ignore { rule: usize },
    ChunkBytes { bytes: usize },
    ShardBytes { bytes: u64 },
    Secrets { allowed: bool },
    Nothing,
}

pub const FILES: &[&str] = &[
    "a.py",
    "b/c.py",
    "b/d.go",
    "b/test_e.py",
    "f.rs",
    "g.md",
    "h/i/j.js",
    "h/i/k.unknown",
    "l.py",
    "m/n.py",
    "o.go",
    "p.bin",
    "q.json",
    "r.txt",
    "s/t.py",
    "u/v.md",
];
const RULES: &[&str] = &["", "*.py\n", "b/\n", "!b/\n*.go\n", "h/i\n"];

pub fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (0..FILES.len(), any::<u16>()).prop_map(|(file, body)| Change::Write { file, body }),
        2 => (0..FILES.len()).prop_map(|file| Change::Delete { file }),
        2 => (0..FILES.len(), 0..FILES.len()).prop_map(|(from, to)| Change::Rename { from, to }),
        1 => (0..RULES.len()).prop_map(|rule| Change::Ignore { rule }),
        1 => prop_oneof![Just(64), Just(200), Just(4096)].prop_map(|bytes| Change::ChunkBytes { bytes }),
        1 => prop_oneof![Just(300), Just(1500), Just(1 << 20)].prop_map(|bytes| Change::ShardBytes { bytes }),
        1 => any::<bool>().prop_map(|allowed| Change::Secrets { allowed }),
        1 => Just(Change::Nothing),
    ]
}

/// A few definitions, of which two bodies have some in common; some are spec documents where the file is markdown,
/// some do not parse, some are not text.
fn content(body: u16) -> Vec<u8> {
    if body.is_multiple_of(31) {
        return vec![0, 1, 2, body as u8];
    }
    let count = body % 7;
    let functions = (0..count).map(|at| {
        let name = (body / 7 + at) % 11;
        format!("def f{name}(x):\n    '''Doc {name}.'''\n    return g{at}(x, f{at})\n\n\nclass C{name}:\n    y = {at}\n\n    def m(self):\n        pass\n\n")
    });
    // In two parts, so that no secret stands here.
    let key = ["AK", "IAQ3EGU7Z2TBV4XYMD"].concat();
    let is_spec = body.is_multiple_of(3);
    let front = is_spec.then(|| format!("---\nid: REQ-{body:03}\nkind: tests\n---\n\n# Part {count}\n\n## Steps\n\n"));
    front.into_iter().chain(functions).chain([format!("z = {body}\nkey = '{key}'\n")]).collect::<String>().into_bytes()
}

pub fn apply(change: &Change, tree: &Path, settings: &mut ChunkSettings) {
    let place = |file: &usize| tree.join(FILES[*file]);
    match change {
        Change::Write { file, body } => {
            fs::create_dir_all(place(file).parent().unwrap()).unwrap();
            fs::write(place(file), content(*body)).unwrap();
        }
        Change::Delete { file } => drop(fs::remove_file(place(file))),
        Change::Rename { from, to } if place(from).exists() => {
            fs::create_dir_all(place(to).parent().unwrap()).unwrap();
            fs::rename(place(from), place(to)).unwrap();
        }
        Change::Ignore { rule } => fs::write(tree.join(".gitignore"), RULES[*rule]).unwrap(),
        Change::ChunkBytes { bytes } => settings.max_chunk_bytes = *bytes,
        Change::ShardBytes { bytes } => settings.max_shard_bytes = *bytes,
        Change::Secrets { allowed } => settings.allow_secrets = *allowed,
        Change::Rename { .. } | Change::Nothing => {}
    }
}

fn chunk(tree: &Path, out: &Path, settings: &ChunkSettings) -> u64 {
    let stage = ChunkStage {
        source: tree.to_path_buf(),
        out: out.to_path_buf(),
        settings: settings.clone(),
        jobs: 2,
        epoch: None,
        shuffle: None,
    };
    run_chunk(&stage, Disk::real(), WhenLocked::Refuse, &|_| ()).expect("the stage runs").carried
}

fn check(changes: &[Change], uid_mask: u64) -> u64 {
    let scratch = tempdir().unwrap();
    let tree = scratch.path().join("tree");
    fs::create_dir_all(&tree).unwrap();
    let mut settings = ChunkSettings { max_shard_bytes: 1500, uid_mask, ..ChunkSettings::default() };
    (0..FILES.len()).for_each(|file| apply(&Change::Write { file, body: file as u16 * 37 + 1 }, &tree, &mut settings));
    let mut carried = 0;
    for (at, change) in changes.iter().enumerate() {
        apply(change, &tree, &mut settings);
        carried += chunk(&tree, &scratch.path().join("kept"), &settings);
        let fresh = scratch.path().join(format!("fresh{at}"));
        assert_eq!(chunk(&tree, &fresh, &settings), 0);
        assert!(bytes(&scratch.path().join("kept")) == bytes(&fresh), "differs behind step {at}: {changes:?}");
    }
    carried
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn incremental_equals_full(changes in prop::collection::vec(change(), 1..8)) {
        check(&changes, u64::MAX);
    }

    /// With so few uids that many collide, salts depend on the files before; they too come out the same.
    #[test]
    fn incremental_equals_full_with_colliding_uids(changes in prop::collection::vec(change(), 1..6)) {
        check(&changes, 0x7FF);
    }
}

#[test]
fn unchanged_files_are_carried_over() {
    let edit = Change::Write { file: 0, body: 99 };
    assert_eq!(check(&[Change::Nothing, edit], u64::MAX), FILES.len() as u64 - 1);
}
