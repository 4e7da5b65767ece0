//! Two writers, one folder.

use std::sync::mpsc;
use std::thread;

use super::*;

#[test]
fn a_second_writer_is_refused_by_name() {
    let folder = scratch();
    let first = open(folder.path(), WhenLocked::Refuse).unwrap();
    let error = open(folder.path(), WhenLocked::Refuse).err().expect("the lock is held");
    assert_eq!(error.code, ErrorCode::Locked);
    assert_eq!(error.cause, format!("process {} is writing it", std::process::id()));
    drop(first);
    assert!(open(folder.path(), WhenLocked::Refuse).is_ok());
}

#[test]
fn a_second_writer_waits() {
    let folder = scratch();
    let first = open(folder.path(), WhenLocked::Refuse).unwrap();
    let (said, heard) = mpsc::channel();
    thread::scope(|scope| {
        let second = scope.spawn(|| {
            let recorder = open(folder.path(), WhenLocked::Wait(&|holder| said.send(holder.to_string()).unwrap()));
            recorder.unwrap().commit(world::draft(vec![], "second")).unwrap()
        });
        assert_eq!(heard.recv().unwrap(), format!("process {}", std::process::id()));
        first.commit(world::draft(vec![], "first")).unwrap();
        let manifest = second.join().unwrap();
        assert_eq!(verify(folder.path(), false).unwrap().manifest, manifest.digest);
    });
}

#[test]
fn the_lock_file_stays_and_is_empty() {
    let folder = scratch();
    World::of_files(1).write(folder.path(), &Disk::real(), 1).unwrap();
    assert_eq!(fs::read(folder.path().join(".lock")).unwrap(), b"");
}

#[test]
fn a_holder_that_is_no_number_is_not_repeated() {
    let folder = scratch();
    let _first = open(folder.path(), WhenLocked::Refuse).unwrap();
    fs::write(folder.path().join(".lock"), "\x1b[31mrm -rf").unwrap();
    let error = open(folder.path(), WhenLocked::Refuse).err().expect("the lock is held");
    assert_eq!(error.cause, "another process is writing it");
}

#[test]
fn many_threads_write_pieces_of_one_index() {
    let folder = scratch();
    let world = World::of_files(16);
    let recorder = open(folder.path(), WhenLocked::Refuse).unwrap();
    let parts = thread::scope(|scope| {
        let write = |(number, file)| {
            let recorder = &recorder;
            let batch = Batch::of(std::slice::from_ref(file)).unwrap();
            scope.spawn(move || recorder.write_piece("files", number as u32, &batch).unwrap())
        };
        let writers: Vec<_> = world.files.iter().enumerate().map(write).collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    recorder.commit(world::draft(vec![ArtifactEntry::of::<File>(parts)], "")).unwrap();
    let read: Result<Vec<File>, _> = Index::open(folder.path()).unwrap().records().unwrap().collect();
    assert_eq!(read.unwrap(), world.files);
}

fn open(folder: &Path, when_locked: WhenLocked<'_>) -> Result<Recorder, StoreError> {
    Recorder::open(folder, Disk::real(), when_locked)
}
