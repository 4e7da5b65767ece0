//! Cuts the sorted file list into shards, so that an edit moves hardly any border. Pure: knows
//! paths and sizes, so that a shard's files are settled before anything is read.

use std::ops::Range;

use xxhash_rust::xxh64::xxh64;

use super::Entry;

/// Ranges of `files`, in order and without gaps. A shard holds at most `max_shard_bytes` of input
/// unless it is one larger file; files above `max_file_bytes` are not read and weigh nothing.
pub fn plan(files: &[Entry], max_shard_bytes: u64, max_file_bytes: u64) -> Vec<Range<usize>> {
    let weigh = |file: &Entry| if file.bytes > max_file_bytes { 0 } else { file.bytes };
    let weights: Vec<u64> = files.iter().map(weigh).collect();
    let mut shards = Vec::new();
    let mut start = 0;
    while start < files.len() {
        let end = shard_end(&files[start..], &weights[start..], max_shard_bytes);
        shards.push(start..start + end);
        start += end;
    }
    shards
}

/// How many of the files go into the shard that starts with the first of them.
///
/// The next shard may start wherever this one is between a third full and full; of those files, the
/// one with the smallest hash of its path does. The hash knows neither sizes nor neighbours, so the
/// same file wins after most edits, and borders that did move fall back into step soon.
fn shard_end(files: &[Entry], weights: &[u64], max_bytes: u64) -> usize {
    let fitting = fitting(weights, max_bytes);
    if fitting == files.len() {
        return fitting;
    }
    let border = third_full(weights, max_bytes)..=fitting;
    let winner = border.min_by_key(|at| (xxh64(files[*at].path.as_str().as_bytes(), 0), *at));
    // Without one, a file stands here that no shard of any size can share.
    winner.unwrap_or(fitting).max(1)
}

/// How many files fit into a shard.
fn fitting(weights: &[u64], max_bytes: u64) -> usize {
    let mut total: u64 = 0;
    let fits = |weight: &&u64| {
        total = total.saturating_add(**weight);
        total <= max_bytes
    };
    weights.iter().take_while(fits).count()
}

/// How many files it takes, one at least, to fill a third of a shard.
fn third_full(weights: &[u64], max_bytes: u64) -> usize {
    let mut total: u64 = 0;
    let is_less = |weight: &&u64| {
        total = total.saturating_add(**weight);
        total < max_bytes / 3
    };
    weights.iter().take_while(is_less).count() + 1
}
