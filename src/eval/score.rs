//! One pack against one row.

use std::collections::{BTreeMap, BTreeSet};

use super::row::{Block, Row};
use crate::record::pack::ContextPack;

/// How a pack did. Shares from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Share of the gold files among the first 1, 5 and 10 distinct files, by rank.
    pub recall: [f64; 3],
    /// Whether all of them are.
    pub all: [f64; 3],
    /// Share of the gold files of which at least one line is shown.
    pub pack_files: f64,
    /// Share of the gold blocks that are shown whole.
    pub edits: f64,
    /// Share of the gold functions of which half, or sixty lines, are shown.
    pub functions: Option<f64>,
    /// Tokens of the items' texts.
    pub tokens: u32,
    pub over: bool,
    /// Lines that are said to be shown and are not.
    pub lies: u32,
}

const FIRST: [usize; 3] = [1, 5, 10];

/// `lines_of` gives the lines of a file of the tree.
pub fn score(row: &Row, pack: &ContextPack, lines_of: impl Fn(&str) -> Vec<String>) -> Outcome {
    let mut outcome = Outcome::default();
    let mut ranked: Vec<&str> = Vec::new();
    let mut shown: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for item in pack.items() {
        let path = item.file_rel_path.as_str();
        if !ranked.contains(&path) {
            ranked.push(path);
        }
        outcome.tokens += pack.request.tokenizer.count(&item.excerpt.text) as u32;
        let lines = lines_of(path);
        let text: BTreeSet<&str> = item.excerpt.text.lines().chain([""]).collect();
        for number in item.excerpt.shown.iter().flat_map(|range| range.start..=range.end) {
            let is_there = lines.get(number as usize - 1).is_some_and(|line| text.contains(line.as_str()));
            match is_there {
                true => drop(shown.entry(path).or_default().insert(number)),
                false => outcome.lies += 1,
            }
        }
    }
    outcome.over = outcome.tokens > pack.request.budgets.max_total_tokens;
    for (at, first) in FIRST.into_iter().enumerate() {
        let hits = row.gold_files.iter().filter(|path| ranked.iter().take(first).any(|ranked| ranked == path)).count();
        outcome.recall[at] = share(hits, row.gold_files.len());
        outcome.all[at] = f64::from(u8::from(hits == row.gold_files.len()));
    }
    let covered = |block: &Block| {
        let last = (lines_of(&block.file).len() as u32).max(1);
        let lines = block.start_line.min(last)..=block.end_line.min(last);
        let size = lines.clone().count();
        (lines.filter(|line| shown.get(block.file.as_str()).is_some_and(|shown| shown.contains(line))).count(), size)
    };
    let in_pack = row.gold_files.iter().filter(|path| shown.contains_key(path.as_str())).count();
    outcome.pack_files = share(in_pack, row.gold_files.len());
    let whole = |block: &&Block| {
        let (count, size) = covered(block);
        count == size
    };
    outcome.edits = share(row.gold_ranges.iter().filter(whole).count(), row.gold_ranges.len());
    let half = |block: &&Block| {
        let (count, size) = covered(block);
        count as f64 >= (size as f64 / 2.0).min(60.0)
    };
    let functions = &row.gold_functions;
    outcome.functions = (!functions.is_empty()).then(|| share(functions.iter().filter(half).count(), functions.len()));
    outcome
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
