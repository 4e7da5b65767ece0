//! A run that ends at any operation: by a full disk, by a kill, by a panic.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::world::{copy_of, names};
use super::*;

#[test]
fn a_full_disk_leaves_an_index_and_a_clear_error() {
    let stops = run_until_done(
        |number, at| if at == number { Err(io::Error::from_raw_os_error(libc::ENOSPC)) } else { Ok(()) },
    );
    for stop in stops {
        let error = stop.result.unwrap().unwrap_err();
        assert_eq!(error.code, ErrorCode::Io);
        let text = error.to_string();
        let folder = stop.folder.path().display().to_string();
        assert!(text.contains(&folder) && text.contains("No space left on device"), "{text}");
    }
}

#[test]
fn a_kill_leaves_the_old_index_or_the_new_one() {
    // Once killed, nothing is done any more: neither cleaning up nor letting go of the lock's name.
    run_until_done(|number, at| if at >= number { Err(io::Error::other("killed")) } else { Ok(()) });
}

#[test]
fn a_panic_leaves_the_old_index_or_the_new_one() {
    let stops = run_until_done(|number, at| match at == number {
        // A panic without its message on the terminal.
        true => resume_unwind(Box::new("stopped")),
        false => Ok(()),
    });
    assert!(stops.iter().all(|stop| stop.result.is_none()));
}

#[test]
fn a_kill_of_the_first_run_leaves_no_index_or_the_new_one() {
    let world = World::of_files(3);
    for number in 0.. {
        let folder = scratch();
        let disk = stopping(number, |number, at| if at >= number { Err(io::Error::other("killed")) } else { Ok(()) });
        if world.write(folder.path(), &disk, 2).is_ok() {
            break;
        }
        match verify(folder.path(), true) {
            Ok(_) => assert_eq!(World::read(&Index::open(folder.path()).unwrap()), world),
            Err(fault) => assert_eq!(fault.code, ErrorCode::IndexMissing),
        }
        world.write(folder.path(), &Disk::real(), 2).unwrap();
        assert!(verify(folder.path(), true).unwrap().notes.is_empty());
    }
}

#[test]
fn everything_is_on_the_disk_before_it_is_named() {
    let folder = scratch();
    let (disk, log) = logging();
    World::of_files(3).write(folder.path(), &disk, 2).unwrap();
    let log = log.lock().unwrap();
    for (at, operation) in log.iter().enumerate().filter(|(_, operation)| operation.starts_with("rename")) {
        assert!(log[at - 1].starts_with("sync /"), "{operation} after {}", log[at - 1]);
    }
    let manifest =
        log.iter().position(|operation| operation.ends_with("manifest.json") && operation.starts_with("rename"));
    let synced: Vec<usize> = (0..log.len()).filter(|at| log[*at].starts_with("sync directory")).collect();
    let last = |ending: &str| log.iter().rposition(|operation| operation.ends_with(ending)).unwrap();
    let last_piece = last(".zst").max(last(".bin"));
    let first_sidecar = log.iter().position(|operation| operation.contains(".meta.json")).unwrap();
    let manifest = manifest.unwrap();
    assert!(last_piece < synced[0] && synced[0] < manifest && manifest < synced[1] && synced[1] < first_sidecar);
}

/// A disk that writes down what it does.
pub fn logging() -> (Disk, Arc<Mutex<Vec<String>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&log);
    let hook = move |verb: &str, path: &Path| {
        kept.lock().unwrap().push(format!("{verb} {}", path.display()));
        Ok(())
    };
    (Disk::with_hook(Arc::new(hook)), log)
}

/// One run that was stopped: its folder, and its result unless it panicked.
struct Stop {
    folder: TempDir,
    result: Option<Result<Manifest, StoreError>>,
}

type Fails = fn(usize, usize) -> io::Result<()>;

/// Runs over an old index again and again, stopped one operation later each time, until a run gets
/// through. After every stop the index is the old one or the new one, and the next run repairs all.
fn run_until_done(fails: Fails) -> Vec<Stop> {
    let (old, new) = (World::of_files(5), World::of_files(6).without_file(1));
    let template = scratch();
    let old_digest = old.write(template.path(), &Disk::real(), 2).unwrap().digest;
    let clean = copy_of(template.path());
    let new_manifest = new.write(clean.path(), &Disk::real(), 2).unwrap();
    let mut stops = Vec::new();
    let mut digests = BTreeMap::new();
    for number in 0.. {
        let folder = copy_of(template.path());
        let disk = stopping(number, fails);
        let run = || new.write(folder.path(), &disk, 2);
        let result = catch_unwind(AssertUnwindSafe(run)).ok();
        if matches!(result, Some(Ok(_))) {
            break;
        }
        let found = verify(folder.path(), true).unwrap().manifest;
        assert!(found == old_digest || found == new_manifest.digest);
        *digests.entry(found).or_insert(0) += 1;
        let repaired = copy_of(folder.path());
        assert_eq!(new.write(repaired.path(), &Disk::real(), 2).unwrap(), new_manifest);
        assert_eq!(verify(repaired.path(), true).unwrap().notes, Vec::<String>::new());
        assert_eq!(names(repaired.path()), names(clean.path()));
        stops.push(Stop { folder, result });
    }
    assert_eq!(digests.len(), 2, "some stops come before the commit and some behind it");
    assert!(stops.len() > 50, "{} stops", stops.len());
    stops
}

fn stopping(number: usize, fails: Fails) -> Disk {
    let count = AtomicUsize::new(0);
    Disk::with_hook(Arc::new(move |_: &str, _: &Path| fails(number, count.fetch_add(1, Ordering::SeqCst))))
}
