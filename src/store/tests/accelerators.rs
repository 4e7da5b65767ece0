//! Accelerators: written like pieces, read by mapping, made again by a deep verification.

use super::world::{draft, names};
use super::*;

#[test]
fn an_accelerator_comes_back_mapped() {
    let folder = scratch();
    let manifest = World::of_files(3).write(folder.path(), &Disk::real(), 2).unwrap();
    let index = Index::open(folder.path()).unwrap();
    let mapped = index.accelerator("terms", 1).unwrap();
    let bytes: Vec<&[u8]> = mapped.iter().map(|part| &**part).collect();
    assert_eq!(bytes, [&b"src/file000.rs\0src/file001.rs\0"[..], b"src/file002.rs\0"]);
    let part = &manifest.accelerators[0].parts[1];
    assert_eq!(part.path, format!("terms.00001.{}.bin", Digest::blake3(b"src/file002.rs\0").short()));
    // The map keeps what a later run sweeps.
    World::of_files(1).write(folder.path(), &Disk::real(), 2).unwrap();
    assert!(!folder.path().join(&part.path).exists());
    assert_eq!(&*mapped[1], b"src/file002.rs\0");
}

#[test]
fn another_accelerator_is_missing_and_another_version_says_what_to_run() {
    let folder = scratch();
    World::of_files(1).write(folder.path(), &Disk::real(), 1).unwrap();
    let index = Index::open(folder.path()).unwrap();
    let error = |name, version| index.accelerator(name, version).err().unwrap();
    assert_eq!(error("vectors", 1).code, ErrorCode::IndexMissing);
    let version = error("terms", 2);
    assert_eq!(version.code, ErrorCode::ContractVersion);
    let cause = "its accelerator `terms` is version 1 and this build reads version 2";
    let text = format!("\n  because {cause}\n  hint: rerun `contextpack chunk`");
    assert!(version.to_string().ends_with(&text), "{version}");
}

#[test]
fn the_signature_does_not_know_accelerators() {
    let sealed = |bytes: &[u8]| {
        let digest = Digest::blake3(bytes);
        let path = piece_name::PieceName::accelerator("terms", 0, &digest).to_string();
        let parts = vec![AcceleratorPart { path, bytes: 3, digest }];
        let accelerators = vec![AcceleratorEntry { name: "terms".into(), version: 1, parts }];
        Draft { accelerators, ..draft(vec![], "") }.seal()
    };
    let (one, other) = (sealed(b"one"), sealed(b"other"));
    assert_eq!(one.index_signature, other.index_signature);
    assert_ne!(one.digest, other.digest);
}

#[test]
fn an_accelerator_that_went_bad_is_named_and_made_again() {
    let folder = scratch();
    let world = World::of_files(3);
    let manifest = world.write(folder.path(), &Disk::real(), 2).unwrap();
    let part = &manifest.accelerators[0].parts[0];
    let file = folder.path().join(&part.path);
    let whole = fs::read(&file).unwrap();
    let flipped: Vec<u8> = whole.iter().map(|byte| byte ^ 1).collect();
    for damaged in [&whole[1..], b"", &flipped] {
        fs::write(&file, damaged).unwrap();
        let fault = verify(folder.path(), false).unwrap_err();
        assert_eq!((&fault.piece, fault.code), (&part.path, ErrorCode::IndexCorrupt));
        assert!(Index::open(folder.path()).unwrap().accelerator("terms", 1).is_err());
        assert_eq!(world.write(folder.path(), &Disk::real(), 2).unwrap(), manifest);
        assert!(verify(folder.path(), true).is_ok());
    }
    fs::remove_file(&file).unwrap();
    assert_eq!(verify(folder.path(), false).unwrap_err(), verify::Fault::new(&part.path, "it is missing"));
}

#[test]
fn an_accelerator_that_its_records_do_not_make_is_named() {
    check_deep(&[(0, "src/file000.rs\0"), (1, "src/file001.rs\0")], None);
    let wrong = "it is not what its records make";
    check_deep(&[(0, "src/file000.rs\0"), (1, "src/file009.rs\0")], Some(("terms.00001.", wrong)));
    check_deep(&[(0, "src/file000.rs\0"), (2, "src/file001.rs\0")], Some(("terms.00002.", wrong)));
    let unlisted = "its records make it and the manifest does not list it";
    check_deep(&[(0, "src/file000.rs\0")], Some(("terms.00001.", unlisted)));
    let three = [(0, "src/file000.rs\0"), (1, "src/file001.rs\0"), (2, "src/file002.rs\0")];
    check_deep(&three, Some(("terms.00002.", "its records do not make it")));
}

#[test]
fn an_accelerator_that_nobody_knows_is_not_sound() {
    let folder = scratch();
    World::of_files(1).write(folder.path(), &Disk::real(), 1).unwrap();
    assert!(super::super::verify(folder.path(), false, &[]).is_ok());
    let fault = super::super::verify(folder.path(), true, &[]).unwrap_err();
    assert_eq!(fault.piece, "manifest.json");
    let newer = AcceleratorCheck { version: 2, ..world::TERMS };
    let fault = super::super::verify(folder.path(), true, &[newer]).unwrap_err();
    assert_eq!((fault.piece.as_str(), fault.code), ("manifest.json", ErrorCode::ContractVersion));
}

#[test]
fn a_part_of_an_accelerator_outside_the_folder_is_refused() {
    let digest = Digest::blake3(b"x");
    let right = piece_name::PieceName::accelerator("terms", 0, &digest).to_string();
    let refusal = |path: &str, bytes: u64| {
        let parts = vec![AcceleratorPart { path: path.into(), bytes, digest: digest.clone() }];
        let accelerators = vec![AcceleratorEntry { name: "terms".into(), version: 1, parts }];
        let sealed = Draft { accelerators, ..draft(vec![], "") }.seal();
        Manifest::parse(&sealed.to_bytes()).err().map(|fault| fault.to_string())
    };
    assert_eq!(refusal(&right, 1), None);
    assert!(refusal(&right, 0).unwrap().contains("is empty"));
    let lines = right.replace(".bin", ".jsonl.zst");
    let other = right.replace("terms", "vectors");
    for path in ["../x", "/etc/passwd", "", &format!("../{right}"), &lines, &other] {
        assert!(refusal(path, 1).is_some(), "{path}");
    }
}

#[test]
fn accelerators_are_sorted_and_unique() {
    let sealed = |names: [&str; 2]| {
        let entry = |name: &str| AcceleratorEntry { name: name.into(), version: 1, parts: vec![] };
        Draft { accelerators: names.map(entry).to_vec(), ..draft(vec![], "") }.seal()
    };
    assert_eq!(Manifest::parse(&sealed(["vectors", "terms"]).to_bytes()).unwrap().accelerators[0].name, "terms");
    let twice = Manifest::parse(&sealed(["terms", "terms"]).to_bytes()).unwrap_err();
    assert_eq!(twice.to_string(), "its accelerators are not sorted by name");
}

/// An index of two files in two parts with these parts of an accelerator, and where a deep verification
/// finds it wrong, if it does.
fn check_deep(terms: &[(u32, &str)], expected: Option<(&str, &str)>) {
    let folder = scratch();
    let recorder = Recorder::open(folder.path(), Disk::real(), WhenLocked::Refuse).unwrap();
    let files = World::of_files(2).files;
    let write = |(number, files): (usize, &[File])| {
        recorder.write_piece("files", number as u32, &Batch::of(files).unwrap()).unwrap()
    };
    let mut artifacts = vec![ArtifactEntry::of::<File>(files.chunks(1).enumerate().map(write).collect())];
    // A chunk stage's links are checked too.
    artifacts.push(ArtifactEntry::of::<Chunk>(vec![]));
    artifacts.push(ArtifactEntry::of::<Symbol>(vec![]));
    artifacts.push(ArtifactEntry::of::<References>(vec![]));
    artifacts.push(ArtifactEntry::of::<Item>(vec![]));
    let write = |(number, bytes): &(u32, &str)| recorder.write_accelerator("terms", *number, bytes.as_bytes()).unwrap();
    let parts: Vec<AcceleratorPart> = terms.iter().map(write).collect();
    assert!(parts.iter().all(|part| names(folder.path()).contains(&part.path)));
    let accelerators = vec![AcceleratorEntry { name: "terms".into(), version: 1, parts }];
    recorder.commit(Draft { accelerators, ..draft(artifacts, "") }).unwrap();
    assert!(verify(folder.path(), false).is_ok());
    let fault = verify(folder.path(), true).err();
    let found = fault.as_ref().map(|fault| (&fault.piece[.."terms.00000.".len()], fault.reason.as_str()));
    assert_eq!(found, expected);
}
