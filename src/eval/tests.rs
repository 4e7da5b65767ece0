//! Figures that were worked out by hand, and by the benchmark's own scorer.

use std::collections::BTreeMap;

use super::tree_file::split_lines;
use super::*;
use crate::record::Lines;
use crate::record::pack::{ContextPack, Item};
use crate::text::{RepoPath, Tokenizer};

const ROW: &str = r#"{"instance_id": "a-1", "query": "why?", "gold_files": ["a.py"],
    "gold_ranges": [{"file": "a.py", "start_line": 3, "end_line": 4, "kind": "insert"}]}"#;

fn row(text: &str) -> Row {
    serde_json::from_str(text).unwrap()
}

/// Rank, path, lines that are said to be shown, text.
type Listed<'l> = (u32, &'l str, &'l [(u32, u32)], &'l str);

/// A pack of items; those of one text are one chunk.
fn pack_of(items: &[Listed]) -> ContextPack {
    let golden = include_str!("../../golden/pack_answer/expected/context_packs.jsonl");
    let mut pack: ContextPack = serde_json::from_str(golden.lines().next().unwrap()).unwrap();
    let pool: Vec<Item> = pack.items().into_iter().cloned().collect();
    let texts: Vec<&str> = items.iter().map(|item| item.3).collect();
    pack.sections.iter_mut().for_each(|section| section.items.clear());
    for (at, (rank, path, shown, text)) in items.iter().enumerate() {
        let mut item = pool[texts.iter().position(|other| other == text).unwrap()].clone();
        item.rank = *rank;
        item.file_rel_path = RepoPath::try_from(path.to_string()).unwrap();
        item.excerpt.shown = shown.iter().map(|&(start, end)| Lines { start, end }).collect();
        item.excerpt.text = text.to_string();
        pack.sections[at % 2].items.push(item);
    }
    pack
}

fn scored(row: &Row, pack: &ContextPack, tree: &[(&str, &str)]) -> Outcome {
    let tree: BTreeMap<&str, &str> = tree.iter().copied().collect();
    let unread = ReadText { text: String::new(), lines: Vec::new() };
    score(row, pack, &unread, |path| tree.get(path.as_str()).map(|text| TreeFile::parse(text.as_bytes())))
}

#[test]
fn a_reader_meets_lines_in_the_order_of_the_text() {
    let file = TreeFile::parse(b"one\n\nthree\nfour\nfive\n");
    let text = "# title\nfive\n… 1\nthree\n\nfour\n";
    let path = RepoPath::try_from("a.py".to_string()).unwrap();
    let end = |line: &str| text.find(line).unwrap() + line.len() + 1;
    let line = |line: &str, number| (path.clone(), number, end(line));
    let lines = vec![line("five", 5), line("three", 3), line("four", 4)];
    let read = ReadText { text: text.to_string(), lines };
    let measured = |start: u32, end: u32| {
        let row = row(&ROW
            .replace("\"start_line\": 3", &format!("\"start_line\": {start}"))
            .replace("\"end_line\": 4", &format!("\"end_line\": {end}")));
        let reading = read.measure(&row, Tokenizer::Cl100kBase, |_| Some(&file));
        (reading.first, reading.whole)
    };
    let tokens = |until: usize| Some(Tokenizer::Cl100kBase.count(&text[..until]) as u32);
    assert_eq!(measured(3, 4), (tokens(text.find("three").unwrap()), tokens(text.len())));
    assert_eq!(measured(2, 3), (tokens(text.find("three").unwrap()), tokens(end("three"))), "blank lines do not count");
    assert_eq!(measured(4, 5), (tokens(text.find("five").unwrap()), tokens(text.len())));
    assert_eq!(measured(1, 1), (None, None));
    assert_eq!(measured(1, 3), (tokens(text.find("three").unwrap()), None), "line 1 is not printed");
}

#[test]
fn files_blocks_functions_and_lies() {
    let tree = [("a.py", "one\n\nthree\nfour"), ("b.py", "x\u{c}y\nz\n")];
    let mut pack = pack_of(&[
        (2, "b.py", &[(1, 2)], "x\u{c}y\nz\n"),
        (1, "a.py", &[(1, 2), (2, 3)], "one\nTHREE\n"),
        (3, "gone.py", &[], "gone"),
        (4, "c.py", &[(1, 1)], "x\u{c}y\nz\n"),
    ]);
    let row = row(r#"{"instance_id": "a-1", "query": "why?", "gold_files": ["b.py", "c.py"],
        "gold_ranges": [{"file": "a.py", "start_line": 1, "end_line": 2}, {"file": "a.py", "start_line": 3, "end_line": 3},
                        {"file": "b.py", "start_line": 2, "end_line": 3}, {"file": "b.py", "start_line": 5, "end_line": 6}],
        "gold_functions": [{"file": "a.py", "start_line": 1, "end_line": 4}, {"file": "a.py", "start_line": 1, "end_line": 5},
                           {"file": "b.py", "start_line": 1, "end_line": 200}]}"#);
    let outcome = scored(&row, &pack, &tree);
    let tokens = outcome.tokens;
    let wanted = Outcome {
        recall: [0.0, 0.5, 0.5],
        all: [0.0; 3],
        pack_files: 0.5,
        // Lines 1 and 2 of a.py; both blocks of b.py end where it ends, at line 2.
        edits: 0.75,
        // Two lines are half of four, not of five, and fewer than sixty.
        functions: Some(1.0 / 3.0),
        first: pack.request.budgets.max_total_tokens,
        whole: [0.0; 4],
        tokens,
        over: false,
        // Line 2 is listed twice and line 3 reads otherwise; a file is not there.
        lies: 3,
        failed: false,
    };
    assert_eq!(outcome, wanted);
    pack.request.budgets.max_total_tokens = tokens - 1;
    assert!(scored(&row, &pack, &tree).over);
    pack.request.budgets.max_total_tokens = tokens;
    assert!(!scored(&row, &pack, &tree).over);
}

#[test]
fn sixty_lines_of_a_long_function_are_enough() {
    let text: String = (1..=200).map(|number| format!("line {number}\n")).collect();
    let functions = |shown| {
        let pack = pack_of(&[(1, "a.py", &[(1, shown)], &text)]);
        let mut row = row(ROW);
        row.gold_functions =
            vec![Block { file: RepoPath::try_from("a.py".to_string()).unwrap(), start_line: 1, end_line: 200 }];
        scored(&row, &pack, &[("a.py", &text)]).functions
    };
    assert_eq!((functions(59), functions(60)), (Some(0.0), Some(1.0)));
}

#[test]
fn nothing_is_shown_of_files_that_are_empty_or_not_there() {
    let pack = pack_of(&[(1, "a.py", &[(1, 1)], "one")]);
    let empty = scored(&row(ROW), &pack, &[("a.py", "")]);
    assert_eq!((empty.recall[0], empty.pack_files, empty.edits, empty.lies), (1.0, 0.0, 0.0, 1));
    let absent = scored(&row(ROW), &pack, &[]);
    assert_eq!((absent.recall[0], absent.pack_files, absent.edits, absent.lies), (1.0, 0.0, 0.0, 1));
}

#[test]
fn lines_are_pythons() {
    let lines = |text| split_lines(text).collect::<Vec<_>>();
    assert_eq!(lines("a\r\nb\rc\n\nd"), ["a", "b", "c", "", "d"]);
    assert_eq!(lines("a\u{b}b\u{c}c\u{1c}d\u{85}e\u{2028}f\u{2029}"), ["a", "b", "c", "d", "e", "f"]);
    assert_eq!(lines("\n"), [""]);
    assert!(lines("").is_empty());
    let last = |text: &str| TreeFile::parse(text.as_bytes()).last;
    assert_eq!([last(""), last("a"), last("a\n"), last("a\r\n\rb\u{c}c"), last("\n\n")], [0, 1, 1, 3, 2]);
}

fn refused(text: &str) -> String {
    read_rows(text).unwrap_err().to_string()
}

#[test]
fn a_row_that_cannot_be_used_is_named() {
    let good = ROW.replace('\n', " ");
    assert_eq!(read_rows(&format!("{good}\n\n")).unwrap().len(), 1);
    let second = |text: &str| refused(&format!("{good}\n{}\n", text.replace("a-1", "a-2")));
    assert_eq!(refused(&format!("{good}\n\n{good}\n")), "line 3: `a-1` is on line 1 already");
    assert_eq!(second("{"), "line 2: EOF while parsing an object at column 1");
    assert!(second(&good.replace("query", "quary")).starts_with("line 2: missing field `query`"));
    assert!(second(&good.replace("a-1", "../a")).contains("`../a` cannot be the name of a tree's folder"));
    assert!(second(&good.replace("[\"a.py\"]", "[]")).contains("nothing to find"));
    assert!(second(&good.replace("[\"a.py\"]", "[\"/etc/passwd\"]")).contains("/etc/passwd"));
    assert!(second(&good.replace(": 3", ": 0")).ends_with("`a.py` has no lines 0 to 4"));
    assert!(second(&good.replace(": 3", ": 5")).ends_with("`a.py` has no lines 5 to 4"));
}

fn saved(rows: &[(&str, f64, Option<f64>)]) -> Vec<SavedRow> {
    let line = |(id, edits, functions): &(&str, f64, Option<f64>)| {
        let outcome = Outcome { edits: *edits, functions: *functions, ..Outcome::default() };
        saved_line(&row(&ROW.replace("a-1", id)), &outcome)
    };
    read_saved(&rows.iter().map(line).collect::<String>()).unwrap()
}

#[test]
fn a_comparison_names_wins_losses_and_strangers() {
    let before = saved(&[("w", 0.0, None), ("x", 0.5, Some(0.5)), ("y", 1.0, Some(1.0)), ("old", 1.0, None)]);
    let after = saved(&[("new", 0.0, None), ("y", 0.5, Some(1.0)), ("x", 0.75, Some(1.0)), ("w", 1.0, None)]);
    let found = compare(&before, &after);
    assert_eq!((found.instances, found.only_before, found.only_after), (3, vec!["old".into()], vec!["new".into()]));
    let edit = found.changes.iter().find(|change| change.metric == "edit").unwrap();
    assert_eq!((edit.pairs, edit.wins, edit.losses, edit.ties), (3, 2, 1, 0));
    assert_eq!((edit.before, edit.after, edit.difference), (0.5, 0.75, 0.25));
    // Of three rows one resample in 27 is the worst row thrice, more than one in 40; so is the best.
    assert_eq!(edit.interval, [-0.5, 1.0]);
    let func = found.changes.iter().find(|change| change.metric == "func").unwrap();
    assert_eq!((func.pairs, func.before, func.after, func.ties), (2, 0.75, 1.0, 1));
    let ids = |edits: &[EditChange]| edits.iter().map(|edit| edit.instance_id.clone()).collect::<Vec<_>>();
    assert_eq!((ids(&found.won), ids(&found.lost)), (vec!["w".into(), "x".into()], vec!["y".into()]));
}

#[test]
fn what_is_no_saved_run_is_refused() {
    let fault = |text| read_saved(text).unwrap_err().to_string();
    assert_eq!(fault("{\"instance_id\": \"a\"}"), "line 1: it has no number `edit`");
    assert!(fault("{\"instance_id\": \"a\", \"edit\": 1}\n[]").starts_with("line 2: "));
}

/// The names of elements that are open after each tag; panics where one closes another.
fn check_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("every tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
    }
    assert!(open.is_empty() && !text.contains('&') && !text.contains("NaN"), "{open:?}");
}

#[test]
fn the_curve_is_a_picture() {
    let summary = |share| Summary { instances: 3, means: [Some(share); Metric::ALL.len()], ..Summary::default() };
    let points: Vec<(u32, Summary)> = BUDGETS.into_iter().zip([0.0, 0.25, 0.5, 0.75, 1.0].map(summary)).collect();
    let drawn = svg(&points);
    check_xml(&drawn);
    assert_eq!(drawn, svg(&points));
    assert_eq!(drawn.matches("<polyline ").count(), 3);
    // From the lower left to the upper right corner of the plot, in equal steps.
    assert!(drawn.contains("points=\"112.0,344.0 224.0,268.0 336.0,192.0 448.0,116.0 560.0,40.0\""), "{drawn}");
    let mut without = points.clone();
    without.iter_mut().for_each(|(_, summary)| summary.means[Metric::Functions as usize] = None);
    assert_eq!(svg(&without).matches("<polyline ").count(), 2);
    BUDGETS.iter().for_each(|budget| assert!(drawn.contains(&format!(">{budget}</text>"))));
    ["packfile", "func", "edit", "token budget", "per cent", "3 questions"]
        .iter()
        .for_each(|label| assert!(drawn.contains(label), "{label}"));
}
