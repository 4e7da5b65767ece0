//! One pack against one row.

use std::collections::{BTreeMap, BTreeSet};

use super::reading::{ReadText, WITHIN};
use super::row::{Block, Row};
use super::tree_file::{TreeFile, split_lines};
use crate::record::pack::{ContextPack, Item};
use crate::text::RepoPath;

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
    /// Tokens that are read before the first gold line; the budget if it is not printed.
    pub first: u32,
    /// Whether all gold lines are printed within the first 1,000, 2,000, 4,000 and 8,000 tokens.
    pub whole: [f64; WITHIN.len()],
    /// Tokens of the items' texts.
    pub tokens: u32,
    pub over: bool,
    /// Lines that are said to be shown and are not.
    pub lies: u32,
    /// There is no pack; everything else is 0.
    pub failed: bool,
}

const FIRST: [usize; 3] = [1, 5, 10];

/// `file_of` gives a file of the tree, if it has it.
pub fn score(
    row: &Row,
    pack: &ContextPack,
    text: &ReadText,
    file_of: impl Fn(&RepoPath) -> Option<TreeFile>,
) -> Outcome {
    let items = items(pack);
    let paths = row.gold_files.iter().chain(row.gold_ranges.iter().chain(&row.gold_functions).map(|block| &block.file));
    let paths: BTreeSet<&RepoPath> = paths.chain(items.iter().map(|item| &item.file_rel_path)).collect();
    let files: Files = paths.into_iter().map(|path| (path, file_of(path))).collect();

    let mut outcome = Outcome::default();
    let mut ranked: Vec<&RepoPath> = Vec::new();
    let mut shown = Shown::new();
    for item in items {
        let path = &item.file_rel_path;
        if !ranked.contains(&path) {
            ranked.push(path);
        }
        outcome.tokens += pack.request.tokenizer.count(&item.excerpt.text) as u32;
        let (lies, lines) = verified(item, files[path].as_ref());
        outcome.lies += lies;
        shown.entry(path).or_default().extend(lines);
    }
    outcome.over = outcome.tokens > pack.request.budgets.max_total_tokens;
    rate_files(&mut outcome, row, &ranked, &shown);
    rate_lines(&mut outcome, row, &files, &shown);
    let reading = text.measure(row, pack.request.tokenizer, |path| files.get(path).and_then(Option::as_ref));
    outcome.first = reading.first.unwrap_or(pack.request.budgets.max_total_tokens);
    outcome.whole = WITHIN.map(|limit| f64::from(u8::from(reading.whole.is_some_and(|tokens| tokens <= limit))));
    outcome
}

impl Outcome {
    /// Of a row that no pack could be made for.
    pub fn failed(row: &Row, budget: u32) -> Self {
        let functions = (!row.gold_functions.is_empty()).then_some(0.0);
        Outcome { functions, first: budget, failed: true, ..Outcome::default() }
    }
}

type Files<'p> = BTreeMap<&'p RepoPath, Option<TreeFile>>;
type Shown<'p> = BTreeMap<&'p RepoPath, BTreeSet<u32>>;

/// Each chunk once, by rank.
fn items(pack: &ContextPack) -> Vec<&Item> {
    let mut seen = BTreeSet::new();
    let all = pack.sections.iter().flat_map(|section| &section.items);
    let mut items: Vec<&Item> = all.filter(|item| seen.insert(&item.chunk_uid)).collect();
    items.sort_by_key(|item| item.rank);
    items
}

/// How many lines an item lists that it does not show, and those that it does. A blank line is shown by showing
/// its neighbours; a file that is not there is one lie.
fn verified(item: &Item, file: Option<&TreeFile>) -> (u32, BTreeSet<u32>) {
    let Some(file) = file else { return (1, BTreeSet::new()) };
    let text: BTreeSet<&str> = split_lines(&item.excerpt.text).chain([""]).collect();
    let line = |number: u32| number.checked_sub(1).and_then(|at| file.lines.get(at as usize));
    let listed: Vec<u32> = item.excerpt.shown.iter().flat_map(|range| range.start..=range.end).collect();
    let is_there = |number: &u32| line(*number).is_some_and(|line| text.contains(line.as_str()));
    let good: BTreeSet<u32> = listed.iter().copied().filter(is_there).collect();
    ((listed.len() - good.len()) as u32, good)
}

fn rate_files(outcome: &mut Outcome, row: &Row, ranked: &[&RepoPath], shown: &Shown) {
    let gold = &row.gold_files;
    for (at, first) in FIRST.into_iter().enumerate() {
        let first = &ranked[..first.min(ranked.len())];
        let hits = gold.iter().filter(|path| first.contains(path)).count();
        outcome.recall[at] = share(hits, gold.len());
        outcome.all[at] = f64::from(u8::from(hits == gold.len()));
    }
    let is_shown = |path: &&RepoPath| shown.get(path).is_some_and(|lines| !lines.is_empty());
    outcome.pack_files = share(gold.iter().filter(is_shown).count(), gold.len());
}

fn rate_lines(outcome: &mut Outcome, row: &Row, files: &Files, shown: &Shown) {
    let count = |block: &Block, start, end| match shown.get(&block.file) {
        None => 0,
        Some(lines) => (start..=end).filter(|line| lines.contains(line)).count(),
    };
    // An insertion at the end of a file points to the line after its last.
    let is_whole = |block: &&Block| {
        let last = files[&block.file].as_ref().map_or(0, |file| file.last);
        let (start, end) = (block.start_line.min(last), block.end_line.min(last));
        count(block, start, end) == size(start, end)
    };
    let is_mostly = |block: &&Block| {
        let (start, end) = (block.start_line, block.end_line);
        count(block, start, end) as f64 >= (size(start, end) as f64 / 2.0).min(60.0)
    };
    let (blocks, functions) = (&row.gold_ranges, &row.gold_functions);
    outcome.edits = share(blocks.iter().filter(is_whole).count(), blocks.len());
    outcome.functions =
        (!functions.is_empty()).then(|| share(functions.iter().filter(is_mostly).count(), functions.len()));
}

fn size(start: u32, end: u32) -> usize {
    (end - start) as usize + 1
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
