//! The same tree gives the same bytes, whatever else differs.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use tempfile::tempdir;

use crate::tool::{bytes, chunk, contextpack, copy, home, plant, run};

/// All golden inputs in one tree, with a link, a binary file and names that sort unlike they are made.
pub fn plant_tree(root: &Path) {
    for case in fs::read_dir(home().join("golden")).unwrap() {
        let case = case.unwrap();
        // Cases about another one's tree have none of their own.
        if case.path().join("input").is_dir() {
            copy(&case.path().join("input"), &root.join(case.file_name()));
        }
    }
    let others: &[(&str, &[u8])] = &[
        ("zz/a.py", b"def last():\n    return first()\n"),
        ("A/b.py", b"def upper():\n    pass\n"),
        ("a/b.py", b"def lower():\n    pass\n"),
        ("a-b/c.py", b"X = 1\n"),
        ("a.b/c.py", b"X = 1\n"),
        ("blob.bin", &[0, 1, 2, 3, 0, 255]),
        (".gitignore", b"ignored/\n*.log\n"),
        ("ignored/x.py", b"X = 1\n"),
        ("日本/😀.py", "def 挨拶():\n    return 'こんにちは😀'\n".as_bytes()),
    ];
    plant(root, others);
    symlink("zz/a.py", root.join("link.py")).unwrap();
}

#[test]
fn one_digest_whatever_the_surroundings() {
    let scratch = tempdir().unwrap();
    let tree = scratch.path().join("tree");
    plant_tree(&tree);
    let small_shards = ["--max-shard-bytes", "8192"];
    let first = bytes(&chunk(&tree, &scratch.path().join("first"), &small_shards));
    assert!(first.len() > 20, "the tree makes several shards, so that their order could go wrong");

    for (at, jobs) in ["1", "2", "8"].into_iter().enumerate() {
        let seed = at.to_string();
        let options = [&small_shards[..], &["--jobs", jobs, "--shuffle", &seed]].concat();
        assert_eq!(bytes(&chunk(&tree, &scratch.path().join(jobs), &options)), first, "{jobs} threads");
    }

    let elsewhere = scratch.path().join("a folder with spaces/другая/deep/er");
    plant_tree(&elsewhere);
    make_old(&elsewhere);
    let script = "umask 077; exec \"$0\" chunk --source . --out \"$1\" --max-shard-bytes 8192 --quiet";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(contextpack().get_program()).arg(scratch.path().join("elsewhere"));
    command.env_clear().current_dir(&elsewhere);
    command.envs([("LC_ALL", "tr_TR.UTF-8"), ("LANG", "ja_JP.SJIS"), ("TZ", "Pacific/Kiritimati"), ("USER", "other")]);
    command.envs([("HOME", "/nonexistent"), ("HOSTNAME", "other"), ("PATH", "/usr/bin:/bin")]);
    run(&mut command, 0);
    assert_eq!(bytes(&scratch.path().join("elsewhere")), first, "another folder, locale, zone, umask, file dates");
}

/// Sets every file's date to another year.
fn make_old(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            make_old(&entry.path());
        } else if kind.is_file() {
            let file = fs::File::options().append(true).open(entry.path()).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(946_684_799)).unwrap();
        }
    }
}

#[test]
fn the_source_date_is_the_epoch_that_is_set() {
    let scratch = tempdir().unwrap();
    plant(scratch.path(), &[("tree/a.py", b"X = 1\n")]);
    let (tree, out) = (scratch.path().join("tree"), scratch.path().join("out"));
    let mut command = contextpack();
    command.env("SOURCE_DATE_EPOCH", "1700000000").arg("chunk").arg("--source").arg(&tree).arg("--out").arg(&out);
    run(&mut command, 0);
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(manifest.contains(r#""sourceDate":"2023-11-14T22:13:20Z""#), "{manifest}");
    run(
        contextpack().env("SOURCE_DATE_EPOCH", "soon").args(["chunk", "--source"]).arg(&tree).arg("--out").arg(&out),
        2,
    );
}

#[test]
fn a_run_that_changes_nothing_writes_nothing() {
    let scratch = tempdir().unwrap();
    let tree = scratch.path().join("tree");
    plant_tree(&tree);
    let out = chunk(&tree, &scratch.path().join("out"), &["--max-shard-bytes", "8192"]);
    make_old(&out);
    let dates = |folder: &Path| -> Vec<_> {
        let mut dates: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.file_name() != ".lock")
            .map(|entry| (entry.file_name(), entry.metadata().unwrap().modified().unwrap()))
            .collect();
        dates.sort();
        dates
    };
    let before = dates(&out);
    chunk(&tree, &out, &["--max-shard-bytes", "8192", "--jobs", "1"]);
    assert_eq!(dates(&out), before);
}
