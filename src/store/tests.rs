//! The store, written and read the way stages do. What goes wrong on purpose stands in the folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::record::{
    Analysis, Artifact, ArtifactType, Audience, ByteRange, Chunk, ChunkUid, Digest, ErrorCode, File, Item, Kind, Lines,
    NodeId, Problem, ProblemCode, Range, Reference, References, Role, Site, Symbol, SymbolId, write_line,
};

mod accelerators;
mod access;
mod bombs;
mod damage;
mod locks;
mod stops;
mod world;

use world::{World, scratch};

/// With the one accelerator that a [`World`] has.
fn verify(folder: &Path, deep: bool) -> Result<Report, Fault> {
    super::verify(folder, deep, &[world::TERMS])
}

#[test]
fn what_is_written_is_read() {
    let folder = scratch();
    let world = World::of_files(10);
    let manifest = world.write(folder.path(), &Disk::real(), 3).unwrap();
    let index = Index::open(folder.path()).unwrap();
    assert_eq!(index.manifest(), &manifest);
    assert_eq!(World::read(&index), world);
    let report = verify(folder.path(), true).unwrap();
    assert_eq!((report.pieces, report.notes), (28, vec![]));
}

#[test]
fn nothing_is_an_index_too() {
    let folder = scratch();
    World::default().write(folder.path(), &Disk::real(), 3).unwrap();
    assert_eq!(World::read(&Index::open(folder.path()).unwrap()), World::default());
    assert_eq!(verify(folder.path(), true).unwrap().pieces, 0);
    let sidecar = fs::read_to_string(folder.path().join("symbols.meta.json")).unwrap();
    assert!(sidecar.contains(r#""parts":[],"schemaVersion":2,"totalBytes":0,"totalRecords":0"#), "{sidecar}");
}

#[test]
fn a_second_run_touches_nothing() {
    let folder = scratch();
    let world = World::of_files(7);
    let first = world.write(folder.path(), &Disk::real(), 2).unwrap();
    let before = stamps(folder.path());
    assert_eq!(world.write(folder.path(), &Disk::real(), 2).unwrap(), first);
    assert_eq!(stamps(folder.path()), before);
}

#[test]
fn a_wrong_sidecar_is_repaired_and_nothing_else() {
    let folder = scratch();
    let world = World::of_files(3);
    world.write(folder.path(), &Disk::real(), 2).unwrap();
    let mut before = stamps(folder.path());
    fs::remove_file(folder.path().join("files.meta.json")).unwrap();
    world.write(folder.path(), &Disk::real(), 2).unwrap();
    let mut after = stamps(folder.path());
    before.remove("files.meta.json");
    assert!(after.remove("files.meta.json").is_some());
    assert_eq!(after, before);
}

#[test]
fn a_bad_piece_is_made_again() {
    let folder = scratch();
    let world = World::of_files(3);
    let manifest = world.write(folder.path(), &Disk::real(), 2).unwrap();
    let name = &manifest.parts().next().unwrap().path;
    fs::write(folder.path().join(name), "bad").unwrap();
    assert!(verify(folder.path(), false).is_err());
    assert_eq!(world.write(folder.path(), &Disk::real(), 2).unwrap(), manifest);
    assert!(verify(folder.path(), true).is_ok());
}

#[test]
fn a_piece_that_moves_is_copied() {
    let folder = scratch();
    let world = World::of_files(6);
    world.without_file(0).write_parts(folder.path(), &Disk::real(), &[5]).unwrap();
    let (disk, log) = stops::logging();
    let manifest = world.write_parts(folder.path(), &disk, &[1, 5]).unwrap();
    let copies = log.lock().unwrap().iter().filter(|operation| operation.starts_with("copy")).count();
    assert_eq!(copies, 6, "one piece per artifact");
    assert_eq!(verify(folder.path(), true).unwrap().manifest, manifest.digest);
    assert_eq!(World::read(&Index::open(folder.path()).unwrap()), world);
}

#[test]
fn an_old_part_is_kept_by_name() {
    let folder = scratch();
    World::of_files(3).write(folder.path(), &Disk::real(), 9).unwrap();
    let recorder = Recorder::open(folder.path(), Disk::real(), WhenLocked::Refuse).unwrap();
    let part = recorder.old().unwrap().artifact("symbols").unwrap().parts[0].clone();
    let moved = recorder.keep_piece(&part, 4).unwrap();
    assert!(moved.path.starts_with("symbols.00004."), "{}", moved.path);
    assert_eq!(recorder.keep_piece(&part, 0).unwrap(), part);
    let draft = world::draft(vec![ArtifactEntry::of::<Symbol>(vec![moved])], "symbols alone");
    recorder.commit(draft).unwrap();
    assert_eq!(Index::open(folder.path()).unwrap().records::<Symbol>().unwrap().count(), 3);
}

#[test]
fn the_signature_knows_records_and_rules_and_no_compression() {
    let parts = |stored: &[u8]| {
        let digest = Digest::sha256(b"lines");
        let path = piece_name::PieceName::new("files", 0, &digest).to_string();
        let stored_digest = Digest::blake3(stored);
        let (first, last) = (json!(["a"]), json!(["a"]));
        vec![Part { path, records: 1, bytes: 5, digest, stored_bytes: 9, stored_digest, first, last }]
    };
    let draft = |stored: &[u8]| world::draft(vec![ArtifactEntry::of::<File>(parts(stored))], "same");
    let (one, other) = (draft(b"one").seal(), draft(b"other").seal());
    assert_eq!(one.index_signature, other.index_signature);
    assert_ne!(one.digest, other.digest);
    let ruled = Draft { ruleset_version: 2, ..draft(b"one") }.seal();
    assert_ne!(one.index_signature, ruled.index_signature);
}

#[test]
fn the_sweep_takes_ours_and_leaves_what_is_foreign() {
    let folder = scratch();
    let place = |name: &str| fs::write(folder.path().join(name), "x").unwrap();
    let foreign = [
        "notes.tmp",
        "data.bin",
        "my.meta.json",
        "log.jsonl.zst",
        "README.md",
        "A.00000.0123456789abcdef.bin",
        "terms.0.0123456789abcdef.bin",
    ];
    let ours = [
        "files.00000.0123456789abcdef.jsonl.zst",
        "gone.00012.0123456789abcdef.jsonl.zst.tmp",
        "terms.00000.0123456789abcdef.bin",
        "adjacency.00000.0123456789abcdef.bin.tmp",
        "manifest.json.tmp",
        "files.meta.json.tmp",
    ];
    written_to(folder.path());
    foreign.iter().chain(&ours).for_each(|name| place(name));
    fs::create_dir(folder.path().join("files.00001.0123456789abcdef.jsonl.zst")).unwrap();
    World::of_files(2).write(folder.path(), &Disk::real(), 1).unwrap();
    assert!(foreign.iter().all(|name| folder.path().join(name).exists()));
    assert!(ours.iter().all(|name| !folder.path().join(name).exists()));
    assert!(folder.path().join("files.00001.0123456789abcdef.jsonl.zst").is_dir());
}

#[test]
fn another_stage_does_not_sweep_this_one() {
    let folder = scratch();
    World::of_files(2).write(folder.path(), &Disk::real(), 1).unwrap();
    let recorder = Recorder::open(folder.path(), Disk::real(), WhenLocked::Refuse).unwrap();
    let error = recorder.commit(Draft { stage: "graph".into(), ..world::draft(vec![], "") }).unwrap_err();
    assert_eq!(error.code, ErrorCode::IndexOtherStage);
    assert!(verify(folder.path(), true).is_ok());
}

#[test]
fn an_old_index_that_is_damaged_is_reported_and_replaced() {
    let folder = scratch();
    written_to(folder.path());
    fs::write(folder.path().join("manifest.json"), "{}").unwrap();
    let recorder = Recorder::open(folder.path(), Disk::real(), WhenLocked::Refuse).unwrap();
    assert!(recorder.old().is_none());
    assert_eq!(recorder.old_fault().unwrap().code, ErrorCode::IndexCorrupt);
    recorder.commit(world::draft(vec![], "")).unwrap();
    assert!(verify(folder.path(), false).is_ok());
}

#[test]
fn a_folder_of_somebodys_own_is_refused() {
    let folder = scratch();
    fs::write(folder.path().join("manifest.json"), "{}").unwrap();
    let refused = Recorder::open(folder.path(), Disk::real(), WhenLocked::Refuse).map(drop).unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotAnIndex);
    assert_eq!(world::names(folder.path()), ["manifest.json".to_string()].into());
}

/// As a stage leaves a folder in which it was stopped.
fn written_to(folder: &Path) {
    fs::write(folder.join(".lock"), "").unwrap();
}

#[test]
fn lines_make_the_batch_that_records_make() {
    let world = World::of_files(4);
    let batch = Batch::of(&world.symbols).unwrap();
    let symbols = ArtifactType::named("symbols").unwrap();
    assert_eq!(Batch::of_lines(symbols, batch.lines.clone()).unwrap().unwrap(), batch);
    assert_eq!(Batch::of_lines(symbols, Vec::new()).unwrap(), None);
    assert_eq!(Batch::of::<Symbol>(&[]), None);
}

/// When each file of ours was last written.
fn stamps(folder: &Path) -> BTreeMap<String, SystemTime> {
    world::names(folder)
        .into_iter()
        .filter(|name| name != ".lock")
        .map(|name| (name.clone(), fs::metadata(folder.join(name)).unwrap().modified().unwrap()))
        .collect()
}
