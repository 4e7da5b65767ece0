//! Files that were changed behind the store's back, and records that contradict each other.

use super::world::{copy_of, draft, path, uid};
use super::*;

#[test]
fn a_cut_piece_is_named() {
    let (folder, manifest) = small_index();
    for part in manifest.parts() {
        let file = folder.path().join(&part.path);
        let whole = fs::read(&file).unwrap();
        for length in (0..whole.len()).step_by(97) {
            fs::write(&file, &whole[..length]).unwrap();
            let fault = verify(folder.path(), false).unwrap_err();
            assert_eq!((&fault.piece, fault.code), (&part.path, ErrorCode::IndexCorrupt));
        }
        fs::remove_file(&file).unwrap();
        assert_eq!(verify(folder.path(), false).unwrap_err(), verify::Fault::new(&part.path, "it is missing"));
        fs::write(&file, &whole).unwrap();
    }
    assert!(verify(folder.path(), true).is_ok());
}

#[test]
fn a_flipped_bit_is_found() {
    let (folder, manifest) = small_index();
    let piece = manifest.artifact("chunk_meta").unwrap().parts[0].path.clone();
    for name in [piece.as_str(), "manifest.json", "symbols.meta.json"] {
        let file = folder.path().join(name);
        let whole = fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(&file, flipped).unwrap();
            match verify(folder.path(), false) {
                Err(fault) => assert_eq!(fault.piece, name),
                // A bit of the digest by which a sidecar names its manifest: then it is another's.
                Ok(report) => assert_eq!((name, report.notes.len()), ("symbols.meta.json", 1)),
            }
        }
        fs::write(&file, &whole).unwrap();
    }
}

#[test]
fn a_cut_manifest_is_no_manifest() {
    let (folder, manifest) = small_index();
    let whole = manifest.to_bytes();
    for length in (0..whole.len()).step_by(97) {
        fs::write(folder.path().join("manifest.json"), &whole[..length]).unwrap();
        assert_eq!(open_error(folder.path()).code, ErrorCode::IndexCorrupt);
    }
}

#[test]
fn no_index_says_what_to_run() {
    let folder = scratch();
    let error = open_error(&folder.path().join("index/chunk"));
    assert_eq!(error.code, ErrorCode::IndexMissing);
    assert!(error.to_string().ends_with("\n  because it does not exist\n  hint: run `contextpack chunk`"), "{error}");
}

#[test]
fn another_version_says_what_to_run() {
    let (folder, manifest) = small_index();
    let text = String::from_utf8(manifest.to_bytes()).unwrap();
    for version in [1, 3] {
        let other =
            text.replace(r#""schemaVersion":2,"settings""#, &format!(r#""schemaVersion":{version},"settings""#));
        let cause = format!("it is version {version} and this build reads version 2");
        check_version(folder.path(), other.as_bytes(), &cause);
    }
    let first = text.replace(r#""schemaVersion":2,"settings""#, r#""schemaVersion":1,"settings""#);
    let start = first.find(r#""accelerators""#).unwrap();
    let first = first.replacen(&first[start..first.find(r#""artifacts""#).unwrap()], "", 1);
    check_version(folder.path(), first.as_bytes(), "it is version 1 and this build reads version 2");

    let mut newer = ArtifactEntry::of::<Symbol>(vec![]);
    newer.schema_version = 7;
    let cause = "its artifact `symbols` is version 7 and this build reads version 2";
    check_version(folder.path(), &draft(vec![newer.clone()], "").seal().to_bytes(), cause);

    newer.name = "dreams".into();
    let cause = "it lists an artifact `dreams` that this build does not know";
    check_version(folder.path(), &draft(vec![newer], "").seal().to_bytes(), cause);
}

fn check_version(folder: &Path, manifest: &[u8], cause: &str) {
    let path = folder.join("manifest.json");
    fs::write(&path, manifest).unwrap();
    let error = open_error(folder);
    assert_eq!(error.code, ErrorCode::ContractVersion);
    let text = format!("cannot use `{}`\n  because {cause}\n  hint: rerun `contextpack chunk`", path.display());
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_part_outside_the_folder_is_refused() {
    let (folder, manifest) = small_index();
    let index = Index::open(folder.path()).unwrap();
    for path in ["../x", "/etc/passwd", "a/b", "..", "", "files.0.0123456789abcdef.jsonl.zst"] {
        let part = Part { path: path.into(), ..manifest.parts().next().unwrap().clone() };
        assert!(index.piece(&part).is_err(), "{path}");
        let draft = draft(vec![ArtifactEntry::of::<Chunk>(vec![part])], "");
        fs::write(folder.path().join("manifest.json"), draft.seal().to_bytes()).unwrap();
        let error = open_error(folder.path());
        assert!(error.cause.contains("is not the name of a piece"), "{error}");
    }
}

#[test]
#[cfg(unix)]
fn a_link_is_no_piece() {
    let (folder, manifest) = small_index();
    let part = manifest.parts().next().unwrap();
    let file = folder.path().join(&part.path);
    fs::rename(&file, folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", &file).unwrap();
    assert_eq!(verify(folder.path(), false).unwrap_err().reason, "it is not a plain file");
}

#[test]
#[cfg(unix)]
fn a_link_under_our_name_is_not_written_through() {
    let outside = scratch();
    let victim = outside.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    let folder = scratch();
    written_to(folder.path());
    for name in ["manifest.json.tmp", "manifest.json", "files.meta.json", "files.meta.json.tmp"] {
        std::os::unix::fs::symlink(&victim, folder.path().join(name)).unwrap();
    }
    World::of_files(2).write(folder.path(), &Disk::real(), 1).unwrap();
    assert!(verify(folder.path(), true).is_ok());

    fs::remove_file(folder.path().join(".lock")).unwrap();
    std::os::unix::fs::symlink(&victim, folder.path().join(".lock")).unwrap();
    assert!(World::of_files(1).write(folder.path(), &Disk::real(), 1).is_err());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
}

#[test]
fn records_out_of_order_are_found() {
    check_deep(|world| world.references.swap(0, 1), "references.00000", "record 2 is wrong: the record's key does not");
    check_deep(|world| world.files.swap(0, 1), "files.00000", "does not come after");
    check_deep(|world| world.files[1] = world.files[0].clone(), "files.00000", "does not come after");
}

#[test]
fn parts_out_of_order_are_found() {
    let world = World::of_files(4);
    let batch = |files: &[File]| Batch::of(files).unwrap();
    let fault = deep_fault(&[batch(&world.files[2..]), batch(&world.files[..2])]);
    assert!(fault.piece.starts_with("files.00001"), "{fault}");
}

#[test]
fn a_batch_that_says_the_wrong_thing_is_found() {
    let batch = Batch::of(&World::of_files(4).files).unwrap();
    let reason = |batch: Batch| deep_fault(&[batch]).reason;
    assert_eq!(reason(Batch { records: 5, ..batch.clone() }), "it holds 4 records and the manifest says 5");
    let keys = "its first and last key are not those of the manifest";
    assert_eq!(reason(Batch { first: json!(["a"]), ..batch.clone() }), keys);
    assert_eq!(reason(Batch { last: json!(["a"]), ..batch.clone() }), keys);
    let spaced = String::from_utf8(batch.lines.clone()).unwrap().replacen(':', ": ", 1).into_bytes();
    assert_eq!(reason(Batch { lines: spaced, ..batch.clone() }), "record 1 is wrong: the line is not canonical JSON");
    let blank = [&b"\n"[..], &batch.lines].concat();
    assert!(reason(Batch { lines: blank, ..batch }).starts_with("record 1 is wrong: EOF"));
}

#[test]
fn ids_that_lead_nowhere_are_found() {
    check_deep(|world| world.symbols[1].chunk_uid = uid(9, 9), "symbols.00000", "that `src/file001.rs` does not have");
    check_deep(|world| world.symbols[1].chunk_uid = uid(0, 0), "symbols.00000", "`xxh64:0000000000000000`");
    check_deep(|world| world.references[0].chunk_uid = uid(2, 0), "references.00000", "`src/file000.rs`");
    check_deep(|world| world.items[0].chunk_uid = Some(uid(2, 0)), "items.00000", "`src/file000.rs`");
    check_deep(|world| world.items[3].parent = Some(uid(0, 0).into()), "items.00001", "that is no item");
    check_deep(
        |world| world.chunks.retain(|chunk| chunk.file_rel_path != path(2)),
        "symbols.00001",
        "`src/file002.rs`",
    );
    check_deep(|world| world.chunks[5].chunk_uid = uid(0, 0), "chunk_meta.00001", "is not the only one of this uid");
}

/// An index of four files in two parts whose records were changed before they were written.
fn check_deep(change: impl Fn(&mut World), piece: &str, reason: &str) {
    let folder = scratch();
    let mut world = World::of_files(4);
    change(&mut world);
    world.write_unsorted(folder.path()).unwrap();
    assert!(verify(folder.path(), false).is_ok());
    let fault = verify(folder.path(), true).unwrap_err();
    assert!(fault.piece.starts_with(piece), "{fault}");
    assert!(fault.reason.contains(reason), "{fault}");
}

fn deep_fault(batches: &[Batch]) -> Fault {
    let folder = scratch();
    let recorder = Recorder::open(folder.path(), Disk::real(), WhenLocked::Refuse).unwrap();
    let write = |(number, batch): (usize, &Batch)| recorder.write_piece("files", number as u32, batch).unwrap();
    let parts = batches.iter().enumerate().map(write).collect();
    recorder.commit(draft(vec![ArtifactEntry::of::<File>(parts)], "")).unwrap();
    assert!(verify(folder.path(), false).is_ok());
    verify(folder.path(), true).unwrap_err()
}

fn small_index() -> (TempDir, Manifest) {
    let folder = scratch();
    let manifest = World::of_files(4).write(folder.path(), &Disk::real(), 2).unwrap();
    (copy_of(folder.path()), manifest)
}

fn open_error(folder: &Path) -> StoreError {
    Index::open(folder).err().expect("the index is damaged")
}
