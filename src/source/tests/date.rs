use std::process::Command;

use super::*;
use crate::source::date::date;

/// Runs git without the settings of whoever runs the test.
fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgSign=false"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", "1000000000 +0000")
        .env("GIT_COMMITTER_DATE", "1234567890 +0900")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn repository() -> Tree {
    let tree = Tree::new(&[("a", "text\n")]);
    git(tree.root(), &["init", "--quiet"]);
    git(tree.root(), &["add", "."]);
    git(tree.root(), &["commit", "--quiet", "--message", "first"]);
    tree
}

fn check(root: &Path, variable: Option<&str>, expected: &str) {
    assert_eq!(source_date(root, variable).unwrap(), expected);
}

#[test]
fn seconds_become_a_date() {
    for (seconds, expected) in [
        (0, "1970-01-01T00:00:00Z"),
        (951_782_399, "2000-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (951_868_800, "2000-03-01T00:00:00Z"),
        (1_234_567_890, "2009-02-13T23:31:30Z"),
        (1_735_689_599, "2024-12-31T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"),
    ] {
        assert_eq!(date(seconds).as_deref(), Some(expected));
    }
    assert_eq!(date(253_402_300_800), None);
    assert_eq!(date(u64::MAX), None);
}

#[test]
fn the_variable_comes_first() {
    check(repository().root(), Some("86400"), "1970-01-02T00:00:00Z");
    for value in ["", "+1", "-1", "1.5", "1e9", " 1", "2020-01-01", "99999999999999999999", "253402300800"] {
        let error = source_date(Path::new("."), Some(value)).unwrap_err();
        assert_eq!(error, SourceError::BadEpoch { value: value.to_string() });
    }
}

#[test]
fn the_head_commit_comes_next() {
    let tree = repository();
    check(tree.root(), None, "2009-02-13T23:31:30Z");
    git(tree.root(), &["gc", "--quiet", "--prune=now"]);
    git(tree.root(), &["pack-refs", "--all"]);
    check(tree.root(), None, "2009-02-13T23:31:30Z");
    git(tree.root(), &["checkout", "--quiet", "--detach"]);
    check(tree.root(), None, "2009-02-13T23:31:30Z");
    git(tree.root(), &["worktree", "add", "--quiet", "other"]);
    check(&tree.path("other"), None, "2009-02-13T23:31:30Z");
}

#[test]
fn without_a_sound_repository_in_the_root_it_is_the_epoch() {
    let tree = repository();
    tree.write("inner/a", "");
    check(&tree.path("inner"), None, "1970-01-01T00:00:00Z");
    tree.write("inner/.git", "gitdir: nowhere");
    check(&tree.path("inner"), None, "1970-01-01T00:00:00Z");
    git(tree.root(), &["init", "--quiet", "unborn"]);
    check(&tree.path("unborn"), None, "1970-01-01T00:00:00Z");
    std::fs::create_dir(tree.path("piped")).unwrap();
    tree.pipe("piped/.git");
    check(&tree.path("piped"), None, "1970-01-01T00:00:00Z");
    std::fs::remove_dir_all(tree.path(".git/objects")).unwrap();
    check(tree.root(), None, "1970-01-01T00:00:00Z");
}
