use super::*;
use crate::record::{Digest, ProblemCode};
use crate::source::read::read_settled;
use crate::text::thread_seconds;

fn entry(name: &str) -> Entry {
    Entry { path: path(name), bytes: 0 }
}

fn check_fault(tree: &Tree, name: &str, max_bytes: u64, code: ProblemCode, message: &str) {
    let problem = read(tree.root(), &entry(name), max_bytes).unwrap_err();
    assert_eq!((problem.code, problem.message.as_str()), (code, message));
    assert_eq!(problem.file_rel_path, path(name));
}

#[test]
fn gives_bytes_and_their_digest() {
    let tree = Tree::new(&[("a/b", "text\n"), ("empty", "")]);
    let content = read(tree.root(), &entry("a/b"), 5).unwrap();
    assert_eq!(content, Content { bytes: b"text\n".to_vec(), digest: Digest::blake3(b"text\n") });
    assert_eq!(read(tree.root(), &entry("empty"), 0).unwrap().bytes, b"");
    assert_eq!(read(tree.root(), &entry("a/b"), u64::MAX).unwrap().bytes, b"text\n");
}

#[test]
fn a_file_above_the_cap_is_not_read() {
    let tree = Tree::new(&[("a", "12345")]);
    check_fault(&tree, "a", 4, ProblemCode::TooLarge, "it has 5 bytes and the cap is 4");
    let line = std::fs::File::create(tree.path("line")).unwrap();
    // A file of holes: it takes no room on the disk, and half a second to read.
    line.set_len(2 << 30).unwrap();
    let before = thread_seconds();
    check_fault(&tree, "line", 1 << 20, ProblemCode::TooLarge, "it has 2147483648 bytes and the cap is 1048576");
    let seconds = thread_seconds() - before;
    assert!(seconds < 0.1, "it was refused only after {seconds} s of work");
}

#[test]
fn what_took_a_files_place_is_not_read() {
    let tree = Tree::new(&[("secret", "x"), ("folder/x", "")]);
    tree.link("link", "secret");
    tree.pipe("pipe");
    let _socket = std::os::unix::net::UnixListener::bind(tree.path("socket")).unwrap();
    for name in ["link", "pipe", "socket", "folder"] {
        check_fault(&tree, name, 10, ProblemCode::NotAFile, "it is no longer a regular file");
    }
    check_fault(&tree, "gone", 10, ProblemCode::Unreadable, "it is gone");
    check_fault(&tree, "secret/x", 10, ProblemCode::Unreadable, "a folder on its path is no longer one");
}

#[test]
fn a_file_without_permission_is_unreadable() {
    let tree = Tree::new(&[("shut", "x")]);
    set_mode(tree.root(), 0o755);
    set_mode(&tree.path("shut"), 0);
    as_nobody(|| check_fault(&tree, "shut", 10, ProblemCode::Unreadable, "permission is denied"));
}

#[test]
fn a_file_that_changes_is_read_again() {
    let tree = Tree::new(&[("a", "old")]);
    let mut changes = [("a", "newer"), ("a", "newest")].into_iter();
    let bytes = read_settled(&tree.path("a"), 100, || {
        if let Some((name, text)) = changes.next() {
            tree.write(name, text);
        }
    });
    assert_eq!(bytes.unwrap(), b"newest");
}

#[test]
fn a_file_of_the_same_size_in_its_place_is_a_change() {
    let tree = Tree::new(&[("a", "old"), ("b", "new")]);
    let old = std::fs::metadata(tree.path("a")).unwrap().modified().unwrap();
    std::fs::File::options().write(true).open(tree.path("b")).unwrap().set_modified(old).unwrap();
    let bytes = read_settled(&tree.path("a"), 100, || {
        let _ = std::fs::rename(tree.path("b"), tree.path("a"));
    });
    assert_eq!(bytes.unwrap(), b"new");
}

#[test]
fn a_file_that_keeps_changing_is_a_problem() {
    let tree = Tree::new(&[("log", "")]);
    let mut length = 0;
    let fault = read_settled(&tree.path("log"), 100, || {
        length += 1;
        tree.write("log", "x".repeat(length));
    });
    assert_eq!(fault.unwrap_err().code, ProblemCode::ChangedWhileRead);
    assert_eq!(length, 4);
}

#[test]
fn a_file_that_outgrows_the_cap_meanwhile_is_too_large() {
    let tree = Tree::new(&[("log", "123")]);
    let fault = read_settled(&tree.path("log"), 4, || tree.write("log", "12345"));
    assert_eq!(fault.unwrap_err().code, ProblemCode::TooLarge);
}

#[test]
fn a_file_under_a_writer_is_whole_or_a_problem() {
    let tree = Tree::new(&[("log", "")]);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0.. {
                // A new length each time, since clocks of file systems are too coarse to tell two writes apart.
                tree.write("log", format!("{}", number % 10).repeat(100_000 + number));
                if done.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
            }
        });
        for _ in 0..50 {
            match read(tree.root(), &entry("log"), 1 << 20) {
                Ok(content) => assert!(content.bytes.windows(2).all(|pair| pair[0] == pair[1])),
                Err(problem) => assert_eq!(problem.code, ProblemCode::ChangedWhileRead),
            }
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

/// Run it by hand: the figure is the machine's.
#[test]
#[ignore = "measures time"]
fn seven_thousand_files_take_little_time() {
    let tree = Tree::new(&[]);
    for number in 0..7_000 {
        tree.write(&format!("f{}/g{number}", number % 70), "some text\n".repeat(number % 400));
    }
    let started = std::time::Instant::now();
    let walk = tree.walk();
    let walked = started.elapsed();
    let bytes: usize = walk.files.iter().map(|file| read(tree.root(), file, 1 << 20).unwrap().bytes.len()).sum();
    println!("walked in {walked:?}, read {bytes} bytes in {:?}", started.elapsed() - walked);
}
