//! A share of the chunk stage: which shards are whose, and by what shares of one tree know each other.
//!
//! What the shards are is settled by the walk, so every machine that has the tree draws the same plan and
//! takes its part of it. Only ids are given across shards; see `merge_stage` for those.

use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::settings::ChunkSettings;
use crate::record::{Artifact, Digest, Problem, write_line};
use crate::source::{self, Entry, Walk};
use crate::store::Manifest;
use crate::text::RepoPath;

/// Where shares lie in an index's folder.
pub const FOLDER: &str = "shares";
/// Where the mark stands among a manifest's settings.
const KEY: &str = "share";

/// Share `index` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    pub index: u32,
    pub of: u32,
}

/// What a share's manifest says of it, so that nobody takes it for a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShareMark {
    #[serde(flatten)]
    pub share: Share,
    /// Its first shard, and the first that is no longer its own.
    pub shards: Range<u32>,
    /// How many shards the whole has.
    pub planned: u32,
    /// See [`TreeHash`].
    pub tree: Digest,
}

/// The shards of a run, and which of them it makes.
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
            // What the walk has to say of a tree without files still needs a shard to say it in.
            shards.push(0..0);
        }
        // A shard without a byte is work too.
        let read = |file: &&Entry| file.bytes <= settings.max_file_bytes;
        let weigh =
            |shard: &Range<usize>| 1 + files[shard.clone()].iter().filter(read).map(|file| file.bytes).sum::<u64>();
        let own = match share {
            None => 0..shards.len(),
            Some(share) => share.of_shards(&shards.iter().map(weigh).collect::<Vec<_>>()),
        };
        Plan { shards, own }
    }

    /// The files that are read to make records of them.
    pub fn own_files<'w>(&self, walk: &'w Walk) -> &'w [Entry] {
        match (self.shards[self.own.clone()].first(), self.shards[self.own.clone()].last()) {
            (Some(first), Some(last)) => &walk.files[first.start..last.end],
            _ => &[],
        }
    }
}

impl Share {
    /// Its part of shards with these weights: those whose middle lies in its part of the whole weight. So every
    /// shard is of one share, and no share is heavier than its part by more than one shard.
    fn of_shards(self, weights: &[u64]) -> Range<usize> {
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

    /// The settings of the whole with the mark among them.
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

/// The digest of a tree: of every file's path, size and content, and of what could not be read. A share says
/// it of the whole tree, and the records of all shares together give it again, so that no mixture of two
/// trees passes for one.
#[derive(Default)]
pub struct TreeHash(blake3::Hasher);

impl TreeHash {
    /// In the order of their paths.
    pub fn add_file(&mut self, path: &RepoPath, bytes: u64, digest: Option<&Digest>) {
        let line = serde_json::to_vec(&(path, bytes, digest)).expect("it is JSON");
        self.0.update(&line).update(b"\n");
    }

    /// Behind the files, in the order of their keys. What the analysis says follows from the content.
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

/// Reads the whole tree, which costs little beside the parsing of a share of it.
pub fn tree_digest(root: &Path, walk: &Walk, max_file_bytes: u64) -> Digest {
    let read =
        |entry: &Entry| source::read(root, entry, max_file_bytes).map(|content| (content.bytes.len(), content.digest));
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

    /// The weights of shards, and whose each is.
    #[track_caller]
    fn check(of: u32, weights: &[u64], owners: &[u32]) {
        let mut found = Vec::new();
        for index in 1..=of {
            let range = Share { index, of }.of_shards(weights);
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
