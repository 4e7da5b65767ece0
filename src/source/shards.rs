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
    plan_by(&weights, max_shard_bytes, |at| xxh64(files[at].path.as_str().as_bytes(), 0))
}

/// Ranges of things with weights, of which each has a hash that knows neither weights nor neighbours.
pub fn plan_by(weights: &[u64], max: u64, hash: impl Fn(usize) -> u64) -> Vec<Range<usize>> {
    let mut shards = Vec::new();
    let mut start = 0;
    while start < weights.len() {
        let end = start + shard_end(&weights[start..], max, |at| hash(start + at));
        shards.push(start..end);
        start = end;
    }
    shards
}

/// How many things go into the shard that starts with the first of them.
///
/// The next shard may start wherever this one is between a third full and full; of those things, the one
/// with the smallest hash does. The same one wins after most edits, and borders that did move fall back
/// into step soon.
fn shard_end(weights: &[u64], max: u64, hash: impl Fn(usize) -> u64) -> usize {
    let fitting = count_that_fits(weights, max);
    if fitting == weights.len() {
        return fitting;
    }
    let border = count_for_third(weights, max)..=fitting;
    let winner = border.min_by_key(|at| (hash(*at), *at));
    // Without one, this file alone is larger than a shard may be.
    winner.unwrap_or(fitting).max(1)
}

/// How many things fit into a shard.
fn count_that_fits(weights: &[u64], max_bytes: u64) -> usize {
    let mut total: u64 = 0;
    let fits = |weight: &&u64| {
        total = total.saturating_add(**weight);
        total <= max_bytes
    };
    weights.iter().take_while(fits).count()
}

/// How many things it takes, one at least, to fill a third of a shard.
fn count_for_third(weights: &[u64], max_bytes: u64) -> usize {
    let mut total: u64 = 0;
    let is_less = |weight: &&u64| {
        total = total.saturating_add(**weight);
        total < max_bytes / 3
    };
    weights.iter().take_while(is_less).count() + 1
}
