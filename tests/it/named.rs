//! Questions about one symbol, through the real binary.

use tempfile::tempdir;

use crate::tool::{contextpack, plant, run};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const MANY: &str = "
def load_settings(path):
    return open(path)


def start_server():
    settings = load_settings('a')
    return settings


def unrelated_settings_loader():
    return 'load settings'
";

/// The explanation of a pack, one line per item.
fn explained(files: &[(&str, &str)], arguments: &[&str]) -> Vec<String> {
    let tree = tempdir().unwrap();
    files.iter().for_each(|(path, content)| plant(tree.path(), &[(path, content.as_bytes())]));
    let home = tempdir().unwrap();
    let mut command = contextpack();
    command.current_dir(tree.path()).env("HOME", home.path()).args(["pack", "--repo", ".", "-q", "--explain"]);
    let said = text(&run(command.args(arguments), 0).stderr);
    said.lines().map(|line| line.trim_start_matches("pack: ").to_string()).collect()
}

fn position(lines: &[String], part: &str) -> usize {
    lines.iter().position(|line| line.contains(part)).unwrap_or_else(|| panic!("no `{part}` in {lines:#?}"))
}

const TEST: &str =
    "import app\n\n\ndef make():\n    return 'x'\n\n\ndef test_load():\n    assert app.load_settings(make())\n";

#[test]
fn the_definition_comes_first_then_callers_then_tests() {
    let files = [("app.py", MANY), ("tests/test_app.py", TEST)];
    for question in
        [&["who calls load_settings?"][..], &["what breaks if I change load_settings", "--intent", "impact"]]
    {
        let lines = explained(&files, question);
        let definition = position(&lines, "app.py:2-3: matches");
        let caller = position(&lines, "app.py:6-8: calls `load_settings` (line 7)");
        let test = position(&lines, "tests/test_app.py:8-9: tests `load_settings` (line 9)");
        assert!(definition < caller && caller < test, "{lines:#?}");
        let words = lines.iter().position(|line| line.contains("app.py:11-12"));
        assert!(words.is_none_or(|words| words > test), "{lines:#?}");
    }
}

#[test]
fn a_test_pack_shows_how_tests_are_written() {
    let files = [("app.py", MANY), ("tests/test_app.py", TEST)];
    let lines = explained(&files, &["load_settings", "--intent", "test"]);
    let head = position(&lines, "tests/test_app.py:1-1: how tests are written here");
    assert!(position(&lines, "app.py:2-3") < head, "{lines:#?}");
    assert!(head < position(&lines, "tests `load_settings` (line 9)"), "{lines:#?}");
}

/// The file where a test belongs is shown, not the file whose tests have the most words of the question.
#[test]
fn a_new_test_belongs_into_the_file_that_is_named_after_its_subject() {
    let other = "import report\n\n\ndef test_load_settings_report():\n    # Load the settings, then the settings again.\n    \
                 assert report.settings('load settings')\n";
    let own = "import app\n\n\ndef test_other():\n    assert app.other()\n\n\ndef test_load_defaults():\n    \
               assert app.load_defaults('settings')\n";
    let files = [("app.py", MANY), ("tests/test_app.py", own), ("tests/test_report.py", other)];
    let lines = explained(&files, &["write a test for load_settings"]);
    let head = position(&lines, "tests/test_app.py:1-1: how tests are written here");
    assert!(head < position(&lines, "tests/test_app.py:8-9: a similar test"), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("test_report.py") && line.contains("how tests")), "{lines:#?}");
}

#[test]
fn unit_tests_of_rust_are_in_the_file_that_they_test() {
    let ledger = "pub fn settle(total: u32) -> u32 {\n    total\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    \
                  #[test]\n    fn nothing_is_zero() {\n        assert_eq!(0, 0);\n    }\n}\n";
    let far = "#[test]\nfn settle_is_called_settle() {\n    let settle = \"settle\";\n}\n";
    let lines = explained(&[("src/ledger.rs", ledger), ("tests/far.rs", far)], &["write a test for settle"]);
    let inside = position(&lines, "how tests are written here");
    assert!(lines[inside].starts_with("src/ledger.rs:"), "{lines:#?}");
}

#[test]
fn the_part_of_a_long_caller_with_the_call_is_shown() {
    let filler: String = (0..400).map(|number| format!("    total = total + value_{number} * {number}\n")).collect();
    let long = format!("{MANY}\n\ndef long_caller(total):\n{filler}    return load_settings(total)\n");
    let lines = explained(&[("app.py", &long)], &["callers of load_settings"]);
    let line = &lines[position(&lines, "calls `load_settings` (line 416)")];
    assert!(!line.starts_with("app.py:15-"), "{line}");
}

#[test]
fn a_declaration_stands_for_its_definition() {
    let tree = tempdir().unwrap();
    let files: [(&str, &[u8]); 3] = [
        ("ring.h", b"#ifndef RING_H\n#define RING_H\nint ring_push(int *);\nint ring_pop(int *ring);\n#endif\n"),
        ("ring.c", b"#include \"ring.h\"\n\nint ring_push(int *ring) {\n    return *ring;\n}\n"),
        ("main.c", b"#include \"ring.h\"\n\nint main(void) {\n    int a = 1;\n    return ring_push(&a);\n}\n"),
    ];
    plant(tree.path(), &files);
    let home = tempdir().unwrap();
    let mut command = contextpack();
    command.current_dir(tree.path()).env("HOME", home.path()).args([
        "pack",
        "who calls ring_push",
        "-q",
        "--repo",
        ".",
    ]);
    let shown = text(&run(&mut command, 0).stdout);
    assert!(shown.contains("calls `ring_push` (line 5)") && shown.contains("declares `ring_push`"), "{shown}");
    for name in ["ring_push", "ring.h::ring_push"] {
        let mut command = contextpack();
        command.current_dir(tree.path()).env("HOME", home.path()).args(["show", name, "--repo", "."]);
        let shown = text(&run(&mut command, 0).stdout);
        assert!(shown.starts_with("ring_push (ring.c:3-5)\n  also: ring.h::ring_push\n"), "{shown}");
        assert!(shown.contains("main (main.c)"), "{shown}");
    }
}
