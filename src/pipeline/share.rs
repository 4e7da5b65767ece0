//! A share of the chunk stage: which shards it contains, and how shares of the same tree are recognized.
//!
//! The walk determines the shards, so every machine with the same tree computes the same plan and takes its part of
//! it. Only chunk uids depend on other shards; see `merge_stage`.

use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::note_sources::read_file;
use super::settings::ChunkSettings;
use crate::record::{Artifact, Digest, Problem, write_line};
use crate::source::{self, Entry, Walk};
use crate::store::Manifest;
use crate::text::RepoPath;

/// The subdirectory of an index that contains shares.
pub const FOLDER: &str = "shares";
/// The key of the mark among a manifest's settings.
const KEY: &str = "share";

/// Share `index` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    pub index: u32,
    pub of: u32,
}

/// The entry in a share's manifest that identifies it, so that it is not mistaken for a whole index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShareMark {
    #[serde(flatten)]
    pub share: Share,
    /// The shards that it contains.
    pub shards: Range<u32>,
    /// How many shards the whole index has.
    pub planned: u32,
    /// See [`TreeHash`].
    pub tree: Digest,
}

/// The shards of a run, and which of them this run writes.
pub struct Plan {
    pub shards: Vec<Range<usize>>,
    pub own: Range<usize>,
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Share { index, of }),
            _ => Err("a share is I/N, with I from 1 to N, such as 2/3".to_string()),
        }
    }
}

impl Plan {
    pub fn of(files: &[Entry], settings: &ChunkSettings, share: Option<Share>) -> Self {
        let mut shards = source::shards::plan(files, settings.max_shard_bytes, settings.max_file_bytes);
        if shards.is_empty() {
            // Problems of the walk need a shard even if the tree has no files.
            shards.push(0..0);
        }
        // A shard without bytes is work too.
        let is_read = |file: &&Entry| file.bytes <= settings.max_file_bytes;
        let weigh =
            |shard: &Range<usize>| 1 + files[shard.clone()].iter().filter(is_read).map(|file| file.bytes).sum::<u64>();
        let own = match share {
            None => 0..shards.len(),
            Some(share) => share.select_shards(&shards.iter().map(weigh).collect::<Vec<_>>()),
        };
        Plan { shards, own }
    }

    /// The files that this run reads.
    pub fn own_files<'w>(&self, walk: &'w Walk) -> &'w [Entry] {
        match (self.shards[self.own.clone()].first(), self.shards[self.own.clone()].last()) {
            (Some(first), Some(last)) => &walk.files[first.start..last.end],
            _ => &[],
        }
    }
}

impl Share {
    /// The shards that belong to this share: those whose middle is in its part of the total weight. Every shard
    /// belongs to exactly one share, and no share exceeds its part by more than one shard.
    fn select_shards(self, weights: &[u64]) -> Range<usize> {
        let total: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
        let mut before = 0;
        let owner = |weight: &u64| {
            let middle = 2 * before + u128::from(*weight);
            before += u128::from(*weight);
            (middle * u128::from(self.of) / (2 * total)) as u32 + 1
        };
        let owners: Vec<u32> = weights.iter().map(owner).collect();
        owners.partition_point(|owner| *owner < self.index)..owners.partition_point(|owner| *owner <= self.index)
    }
}

impl ShareMark {
    pub fn new(share: Share, plan: &Plan, tree: Digest) -> Self {
        let shards = plan.own.start as u32..plan.own.end as u32;
        ShareMark { share, shards, planned: plan.shards.len() as u32, tree }
    }

    /// The settings with the mark added.
    pub fn among(&self, settings: &serde_json::Value) -> serde_json::Value {
        let mut marked = settings.clone();
        marked[KEY] = serde_json::to_value(self).expect("a mark is JSON");
        marked
    }

    /// The mark of a share's manifest.
    pub fn read(manifest: &Manifest) -> Option<Self> {
        serde_json::from_value(manifest.settings.get(KEY)?.clone()).ok()
    }
}

/// A manifest's settings without the mark of a share.
pub fn unmarked(manifest: &Manifest) -> serde_json::Value {
    let mut settings = manifest.settings.clone();
    settings.as_object_mut().and_then(|settings| settings.remove(KEY));
    settings
}

/// The digest of a tree: of the path, size and content of every file, and of the files that could not be read. Each
/// share records the digest of the whole tree. The records of all shares must give the same digest, so that shares of
/// different trees cannot be merged.
#[derive(Default)]
pub struct TreeHash(blake3::Hasher);

impl TreeHash {
    /// Files must be added in path order.
    pub fn add_file(&mut self, path: &RepoPath, bytes: u64, digest: Option<&Digest>) {
        let line = serde_json::to_vec(&(path, bytes, digest)).expect("it is JSON");
        self.0.update(&line).update(b"\n");
    }

    /// Problems must be added after the files, in key order. Only those of the walk count; the others follow from the
    /// content.
    pub fn add_problem(&mut self, problem: &Problem) {
        if problem.code.is_of_the_walk() {
            let mut line = Vec::new();
            write_line(problem, &mut line);
            self.0.update(&line);
        }
    }

    pub fn finish(self) -> Digest {
        self.0.finalize().into()
    }
}

/// Reads the whole tree, which is fast compared to parsing a share of it.
pub fn tree_digest(root: &Path, walk: &Walk, settings: &ChunkSettings) -> Digest {
    let read = |entry: &Entry| read_file(root, entry, settings).map(|content| (content.bytes.len(), content.digest));
    let contents: Vec<_> = walk.files.par_iter().map(read).collect();
    let mut hash = TreeHash::default();
    let mut problems = walk.problems.clone();
    for (entry, content) in walk.files.iter().zip(contents) {
        match content {
            Ok((bytes, digest)) => hash.add_file(&entry.path, bytes as u64, Some(&digest)),
            Err(problem) => {
                hash.add_file(&entry.path, entry.bytes, None);
                problems.push(problem);
            }
        }
    }
    problems.sort_by(|a, b| a.key().cmp(&b.key()));
    problems.dedup();
    problems.iter().for_each(|problem| hash.add_problem(problem));
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::Share;

    /// Checks which share each shard belongs to.
    #[track_caller]
    fn check(of: u32, weights: &[u64], owners: &[u32]) {
        let mut found = Vec::new();
        for index in 1..=of {
            let range = Share { index, of }.select_shards(weights);
            assert_eq!(range.start, found.len(), "share {index} starts where the one before it ends");
            found.extend(range.map(|_| index));
        }
        assert_eq!(found, owners);
    }

    #[test]
    fn every_shard_is_of_one_share() {
        check(1, &[1, 5, 9], &[1, 1, 1]);
        check(2, &[4, 4, 4, 4], &[1, 1, 2, 2]);
        check(3, &[1, 1, 1, 1, 1, 1], &[1, 1, 2, 2, 3, 3]);
        check(2, &[9, 1, 1, 1], &[1, 2, 2, 2]);
        check(2, &[1, 1, 1, 9], &[1, 1, 1, 2]);
        check(7, &[1, 1], &[2, 6]);
        check(3, &[u64::MAX, u64::MAX], &[1, 3]);
    }

    #[test]
    fn shares_are_written_as_they_are_counted() {
        assert_eq!("2/3".parse(), Ok(Share { index: 2, of: 3 }));
        for wrong in ["0/3", "4/3", "1/0", "1", "a/b", "1/2/3", "-1/2", ""] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}
