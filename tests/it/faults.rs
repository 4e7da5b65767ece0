//! A run over old output, killed at every write, sync and rename: the old index or the new, never torn.
//!
//!     cargo test --test it faults -- --nocapture      also prints how many kills there were

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use contextpack::pipeline::{self, ChunkSettings, ChunkStage, PipelineError, run_chunk};
use contextpack::store::{Disk, WhenLocked};
use tempfile::tempdir;

use crate::tool::{bytes, deadly_disk, plant};

const KILL_AT: &str = "CONTEXTPACK_TEST_KILL_AT";
const FOLDER: &str = "CONTEXTPACK_TEST_FOLDER";

fn stage(folder: &Path, out: &Path) -> ChunkStage {
    ChunkStage {
        source: folder.join("tree"),
        out: out.to_path_buf(),
        // Several shards, of which the edit leaves one alone, changes one and adds one.
        settings: ChunkSettings { max_shard_bytes: 700, ..ChunkSettings::default() },
        jobs: 1,
        epoch: None,
        shuffle: None,
    }
}

fn run(folder: &Path, out: &Path, disk: Disk) -> Result<(), PipelineError> {
    run_chunk(&stage(folder, out), disk, WhenLocked::Refuse, &|_| ()).map(drop)
}

fn module(name: &str, count: usize) -> Vec<u8> {
    (0..count).map(|at| format!("def {name}_{at}(x):\n    return other_{at}(x)\n\n\n")).collect::<String>().into_bytes()
}

/// The tree before the edit is indexed in `old`, the one behind it lies in `tree`.
fn prepare(folder: &Path) {
    let tree = folder.join("tree");
    plant(&tree, &[("a.py", &module("a", 9)), ("b.py", &module("b", 9)), ("c.py", &module("c", 9)), ("d.py", b"x = ")]);
    run(folder, &folder.join("old"), Disk::real()).unwrap();
    plant(&tree, &[("b.py", &module("b", 11)), ("e.py", &module("e", 12)), ("f.bin", &[0, 1])]);
    run(folder, &folder.join("new"), Disk::real()).unwrap();
}

/// A fresh copy of the old index.
fn copy_of_old(folder: &Path, name: &str) -> PathBuf {
    let copy = folder.join(name);
    let _ = fs::remove_dir_all(&copy);
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(folder.join("old")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    copy
}

/// Not a test of its own: the process that [`killed_anywhere_old_or_new`] kills.
#[test]
#[ignore = "runs only as a child"]
fn child() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("started by its parent"));
    let kill_at: u64 = std::env::var(KILL_AT).expect("started by its parent").parse().unwrap();
    run(&folder, &folder.join("killed"), deadly_disk(kill_at)).unwrap();
}

#[test]
fn killed_anywhere_old_or_new() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    prepare(folder);
    let (old, new) = (manifest(&folder.join("old")), manifest(&folder.join("new")));
    assert_ne!(old, new);
    let (mut kills, mut kept) = (0, 0);
    loop {
        let killed = copy_of_old(folder, "killed");
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["faults::child", "--exact", "--ignored", "--quiet"])
            .env(FOLDER, folder)
            .env(KILL_AT, kills.to_string());
        let status = child.output().unwrap().status;
        if status.success() {
            break;
        }
        assert_eq!(status.signal(), Some(libc::SIGKILL), "ended otherwise at operation {kills}");
        let report =
            pipeline::verify(&killed, true).unwrap_or_else(|fault| panic!("torn at operation {kills}: {fault}"));
        let found = manifest(&killed);
        assert!(found == old || found == new, "neither old nor new at operation {kills}: {report:?}");
        kept += u32::from(found == old);
        run(folder, &killed, Disk::real()).unwrap();
        assert!(
            bytes(&killed) == bytes(&folder.join("new")),
            "the next run differs behind a kill at operation {kills}"
        );
        kills += 1;
    }
    println!("{kills} kills: {kept} left the old index, {} the new one, 0 torn", kills - u64::from(kept));
    assert!(kills > 30 && kept > 0 && u64::from(kept) < kills);
}

#[test]
fn a_full_disk_at_any_moment_leaves_the_old_index() {
    let scratch = tempdir().unwrap();
    let folder = scratch.path();
    prepare(folder);
    let new = manifest(&folder.join("new"));
    for full_at in 0.. {
        let out = copy_of_old(folder, "full");
        let count = AtomicU64::new(0);
        let hook = Arc::new(move |_: &str, _: &Path| match count.fetch_add(1, Ordering::SeqCst) {
            at if at >= full_at => Err(std::io::Error::from(std::io::ErrorKind::StorageFull)),
            _ => Ok(()),
        });
        let outcome = run(folder, &out, Disk::with_hook(hook));
        pipeline::verify(&out, true).unwrap_or_else(|fault| panic!("torn at operation {full_at}: {fault}"));
        match outcome {
            Ok(()) => return assert!(full_at > 30),
            Err(error) => assert!(error.to_string().contains("full") || manifest(&out) == new, "{error}"),
        }
    }
}

fn manifest(index: &Path) -> Vec<u8> {
    fs::read(index.join("manifest.json")).unwrap()
}
