//! Runs the built binaries in a sealed environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use contextpack::store::{Disk, Index};

/// A command of the tool that inherits nothing but its path.
pub fn contextpack() -> Command {
    sealed(env!("CARGO_BIN_EXE_contextpack"))
}

pub fn contextpack_chunk() -> Command {
    sealed(env!("CARGO_BIN_EXE_contextpack-chunk"))
}

fn sealed(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
}

/// Runs a command that is to end with a code.
#[track_caller]
pub fn run(command: &mut Command, code: i32) -> Output {
    let output = command.output().expect("the binary starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{command:?}\n{stderr}");
    output
}

/// Runs a command that must end with success before the time is up; else stops it and fails.
#[track_caller]
pub fn run_within(command: &mut Command, time: Duration) {
    let start = Instant::now();
    let mut child = command.spawn().expect("the binary starts");
    loop {
        if let Some(status) = child.try_wait().expect("the child can be asked") {
            assert!(status.success(), "{command:?} ended with {status}");
            return;
        }
        if start.elapsed() > time {
            child.kill().expect("the child can be stopped");
            child.wait().expect("a stopped child ends");
            panic!("{command:?} did not end within {time:?}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Chunks a tree with some options and gives the index's folder.
#[track_caller]
pub fn chunk(source: &Path, out: &Path, options: &[&str]) -> PathBuf {
    run(contextpack().arg("chunk").arg("--source").arg(source).arg("--out").arg(out).args(options), 0);
    out.to_path_buf()
}

/// Makes the graph of the chunks below a folder, on as many threads as they were made on.
#[track_caller]
pub fn graph(index: &Path, options: &[&str]) -> PathBuf {
    let jobs = options.windows(2).find(|pair| pair[0] == "--jobs").map_or("0", |pair| pair[1]);
    run(contextpack().arg("graph").arg("--index").arg(index).args(["--jobs", jobs]), 0);
    index.join("graph")
}

/// Builds the index of a tree in a directory, as `contextpack pack --repo TREE --index INDEX` does.
#[track_caller]
pub fn index_tree(tree: &Path, index: &Path) {
    contextpack::pipeline::index_tree(tree, index).expect("the tree can be indexed");
}

/// Makes the packs of a file of requests from the index in a folder, on as many threads as that was made on.
#[track_caller]
pub fn packs(index: &Path, requests: &Path, options: &[&str]) -> PathBuf {
    let jobs = options.windows(2).find(|pair| pair[0] == "--jobs").map_or("0", |pair| pair[1]);
    let mut command = contextpack();
    command.arg("pack").arg("--index").arg(index).arg("--requests").arg(requests);
    run(command.args(["--quiet", "--jobs", jobs]), 0);
    index.join("packs")
}

/// The records of every artifact of the stage as plain JSONL, by name; one without records is left out.
#[track_caller]
pub fn artifacts(index: &Path) -> BTreeMap<String, String> {
    let cat = |name: &str| {
        let output = run(contextpack().arg("cat").arg(index).arg(name).arg("--operator"), 0);
        String::from_utf8(output.stdout).expect("JSONL is UTF-8")
    };
    let listed = Index::open(index).expect("the stage wrote it");
    let all = listed.manifest().artifacts.iter().map(|artifact| (artifact.name.clone(), cat(&artifact.name)));
    all.filter(|(_, lines)| !lines.is_empty()).collect()
}

/// A disk that kills this process before an operation.
pub fn deadly_disk(kill_at: u64) -> Disk {
    let count = AtomicU64::new(0);
    let hook = Arc::new(move |_: &str, _: &Path| {
        if count.fetch_add(1, Ordering::SeqCst) == kill_at {
            // SAFETY: sends a signal to this very process.
            unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
        }
        Ok(())
    });
    Disk::with_hook(hook)
}

/// All bytes of an index but its lock, by file name.
pub fn bytes(index: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(index).expect("the index is a folder");
    let names =
        entries.map(|entry| entry.expect("it can be listed").file_name().into_string().expect("names are words"));
    names.filter(|name| name != ".lock").map(|name| (name.clone(), std::fs::read(index.join(name)).unwrap())).collect()
}

/// Copies a folder with everything in it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
}

/// Writes a small tree.
pub fn plant(root: &Path, files: &[(&str, &[u8])]) {
    for (path, content) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
}

/// The repository's own folder.
pub fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
