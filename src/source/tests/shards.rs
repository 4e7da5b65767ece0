use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::source::shards::plan;

const MAX_SHARD_BYTES: u64 = 3_000;
const MAX_FILE_BYTES: u64 = 5_000;

fn entries(sizes: impl IntoIterator<Item = u64>) -> Vec<Entry> {
    let entry = |(at, bytes)| Entry { path: path(&format!("d{:02}/f{at:05}", at / 40)), bytes };
    sizes.into_iter().enumerate().map(entry).collect()
}

fn planned(files: &[Entry]) -> Vec<std::ops::Range<usize>> {
    plan(files, MAX_SHARD_BYTES, MAX_FILE_BYTES)
}

/// Checks how many files each shard gets.
fn check(sizes: &[u64], max_shard_bytes: u64, max_file_bytes: u64, expected: &[usize]) {
    let shards = plan(&entries(sizes.iter().copied()), max_shard_bytes, max_file_bytes);
    assert_eq!(shards.iter().map(|range| range.len()).collect::<Vec<_>>(), expected);
}

/// Each shard as the names in it.
fn shards(files: &[Entry]) -> BTreeSet<Vec<RepoPath>> {
    let names = |range: std::ops::Range<usize>| files[range].iter().map(|file| file.path.clone()).collect();
    planned(files).into_iter().map(names).collect()
}

fn weight(files: &[Entry]) -> u64 {
    files.iter().map(|file| file.bytes).filter(|bytes| *bytes <= MAX_FILE_BYTES).sum()
}

/// Sizes as trees have them: mostly small, a few large, some empty.
fn sizes(seed: u64, count: usize) -> impl Iterator<Item = u64> {
    (0..count as u64).map(move |at| match xxhash_rust::xxh64::xxh64(&at.to_le_bytes(), seed) % 1_000 {
        chance @ 0..20 => chance * 100,
        20..40 => 0,
        40..45 => 9_000,
        chance => chance / 4,
    })
}

/// How many shards of a tree change their list of files by an edit, over many trees and edits.
fn moved_shards(edit: impl Fn(&mut Vec<Entry>, usize)) -> Vec<usize> {
    let moved = |seed: u64| {
        let before = entries(sizes(seed, 2_000));
        let mut after = before.clone();
        edit(&mut after, seed as usize * 97 % before.len());
        shards(&before).difference(&shards(&after)).count()
    };
    (0..100).map(moved).collect()
}

fn check_few_move(name: &str, edit: impl Fn(&mut Vec<Entry>, usize)) {
    let moved = moved_shards(edit);
    let (most, total) = (moved.iter().max().unwrap(), moved.iter().sum::<usize>());
    println!("{name}: {:.2} of 125 or so on average, {most} at most", total as f64 / moved.len() as f64);
    assert!(total <= 2 * moved.len() && *most <= 6, "{name}: {moved:?}");
}

#[test]
fn small_trees_are_one_shard() {
    check(&[], 3_000, 5_000, &[]);
    check(&[0], 3_000, 5_000, &[1]);
    check(&[1_000, 1_000, 1_000], 3_000, 5_000, &[3]);
}

#[test]
fn a_huge_file_stands_alone() {
    check(&[10, 4_000, 10], 3_000, 5_000, &[1, 1, 1]);
    check(&[4_000, 4_000], 3_000, 5_000, &[1, 1]);
    check(&[1, 0, 1], 0, 10, &[1, 1, 1]);
}

#[test]
fn a_file_that_is_not_read_weighs_nothing() {
    check(&[1_000, 9_000, 1_000], 3_000, 5_000, &[3]);
    check(&[u64::MAX; 5], 3_000, 5_000, &[5]);
}

#[test]
fn sizes_near_the_largest_number_do_not_overflow() {
    check(&[u64::MAX, u64::MAX], 10, u64::MAX, &[1, 1]);
    check(&[1, 1], u64::MAX, u64::MAX, &[2]);
}

#[test]
fn an_edit_moves_few_borders() {
    check_few_move("resize", |files, at| files[at].bytes = (files[at].bytes + 37) % 600);
    check_few_move("remove", |files, at| drop(files.remove(at)));
    check_few_move("add", |files, at| {
        let path = path(&format!("{}b", files[at].path));
        files.insert(at + 1, Entry { path, bytes: 123 });
    });
}

proptest! {
    #[test]
    fn shards_partition_the_list(sizes in prop::collection::vec(0..6_000u64, 0..300), max in 0..20_000u64) {
        let files = entries(sizes);
        let mut next = 0;
        for range in plan(&files, max, MAX_FILE_BYTES) {
            prop_assert_eq!(range.start, next);
            prop_assert!(range.end > range.start);
            prop_assert!(weight(&files[range.clone()]) <= max || range.len() == 1);
            next = range.end;
        }
        prop_assert_eq!(next, files.len());
    }
}
