//! Shares of the chunk stage into one index, the very one that a single run over the tree writes.
//!
//! Pieces are copied as they are: a share numbers its shards as the whole does. What no share can know is
//! whether a chunk of another one has the uid of one of its own. A run over the whole tree salts the later
//! of the two. If all uids differ, then no share would have given others had it known those of the rest;
//! if some do not, there is no index to be had without the tree, and the merge is refused.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::chunk_stage::STAGE;
use super::share::{Share, ShareMark, TreeHash, unmarked};
use crate::record::{ChunkUid, File, Problem};
use crate::store::{
    AcceleratorEntry, ArtifactEntry, Disk, Draft, Index, Manifest, Recorder, SHARE_STAGE, StoreError, WhenLocked,
};

#[derive(Debug)]
pub struct MergeSummary {
    pub manifest: Manifest,
    pub shares: u64,
    pub shards: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is nothing to merge\n  hint: name the folders that `contextpack chunk --shard I/N` wrote")]
    Nothing,
    #[error("cannot merge `{path}`\n  because it is the whole index of stage `{stage}` and not a share")]
    NotAShare { path: PathBuf, stage: String },
    #[error(
        "cannot merge `{path}`\n  because it is share {index} of {of}, and so is `{first}`\n  hint: name every share once",
        index = share.index, of = share.of
    )]
    Twice { path: PathBuf, first: PathBuf, share: Share },
    #[error(
        "cannot merge {there} of {of} shares\n  because {missing} is not among them\n  hint: run `contextpack chunk --shard {missing}`"
    )]
    Missing { there: usize, of: u32, missing: String },
    #[error(
        "cannot merge `{path}` with `{first}`\n  because {what}\n  hint: rerun `contextpack chunk --shard {index}/{of}` as for the others",
        index = share.index, of = share.of
    )]
    Differs { path: PathBuf, first: PathBuf, share: Share, what: String },
    #[error(
        "cannot merge the shares\n  because the tree was edited while they were made: together they hold another one\n  hint: rerun `contextpack chunk --shard` for all of them"
    )]
    Edited,
    #[error(
        "cannot merge the shares\n  because `{first}` and `{second}` both have a chunk {uid}, and only a run over the whole tree can give one of them another\n  hint: run `contextpack chunk` without --shard"
    )]
    Collision { uid: ChunkUid, first: String, second: String },
}

/// Checks everything before it writes anything.
pub fn run_merge(
    folders: &[PathBuf],
    out: &Path,
    disk: Disk,
    when_locked: WhenLocked<'_>,
) -> Result<MergeSummary, MergeError> {
    let shares = shares(folders)?;
    check_all_there(&shares)?;
    shares[1..].iter().try_for_each(|share| check_alike(&shares[0], share))?;
    shares.iter().try_for_each(Opened::check_pieces)?;
    check_tree(&shares)?;
    let recorder = Recorder::open(out, disk, when_locked)?;
    recorder.check_stage(STAGE)?;
    merge(&shares, recorder)
}

/// A share that is open, with what it says of itself.
struct Opened {
    index: Index,
    mark: ShareMark,
}

/// In the order of their numbers, whatever the order in which they are named.
fn shares(folders: &[PathBuf]) -> Result<Vec<Opened>, MergeError> {
    let mut shares = folders.iter().map(|folder| Opened::open(folder)).collect::<Result<Vec<_>, _>>()?;
    shares.sort_by(|a, b| (a.mark.share.index, a.index.folder()).cmp(&(b.mark.share.index, b.index.folder())));
    Ok(shares)
}

impl Opened {
    fn open(folder: &Path) -> Result<Self, MergeError> {
        let index = Index::open_any(folder)?;
        let stage = index.manifest().stage.clone();
        if stage != SHARE_STAGE {
            return Err(MergeError::NotAShare { path: folder.to_path_buf(), stage });
        }
        let mark = ShareMark::read(index.manifest());
        let mark = mark.ok_or_else(|| StoreError::corrupt(folder, "it does not say which share it is", None))?;
        Ok(Opened { index, mark })
    }

    fn path(&self) -> PathBuf {
        self.index.folder().to_path_buf()
    }

    /// Every file is what the manifest says, and of a shard that is this share's own.
    fn check_pieces(&self) -> Result<(), MergeError> {
        let manifest = self.index.manifest();
        manifest.parts().try_for_each(|part| self.index.piece(part).map(drop))?;
        manifest.accelerator_parts().try_for_each(|part| self.index.accelerator_part(part).map(drop))?;
        let parts = manifest.parts().map(|part| part.index());
        let mut shards = parts.chain(manifest.accelerator_parts().map(|part| part.index()));
        match shards.find(|shard| !self.mark.shards.contains(shard)) {
            None => Ok(()),
            Some(shard) => {
                let cause = format!("it holds shard {shard}, which is none of its own");
                Err(StoreError::corrupt(self.index.folder(), cause, None).into())
            }
        }
    }
}

fn check_all_there(shares: &[Opened]) -> Result<(), MergeError> {
    let Some(first) = shares.first() else { return Err(MergeError::Nothing) };
    let of = first.mark.share.of;
    for pair in shares.windows(2) {
        let share = pair[1].mark.share;
        if share.of != of {
            let other = pair[0].mark.share;
            let what = format!("one is share {}/{} and the other {}/{of}", share.index, share.of, other.index);
            return Err(MergeError::Differs { path: pair[1].path(), first: pair[0].path(), share, what });
        }
        if share == pair[0].mark.share {
            return Err(MergeError::Twice { path: pair[1].path(), first: pair[0].path(), share });
        }
    }
    let is_there = |index: &u32| shares.iter().any(|share| share.mark.share.index == *index);
    match (1..=of).find(|index| !is_there(index)) {
        None => Ok(()),
        Some(index) => Err(MergeError::Missing { there: shares.len(), of, missing: format!("{index}/{of}") }),
    }
}

/// Whether one run could have made both.
fn check_alike(first: &Opened, share: &Opened) -> Result<(), MergeError> {
    let (a, b) = (first.index.manifest(), share.index.manifest());
    let what = match () {
        () if a.ruleset_version != b.ruleset_version => {
            format!("they were made by rules {} and {}", b.ruleset_version, a.ruleset_version)
        }
        () if forms(a) != forms(b) => "they were made by two versions of contextpack".to_string(),
        () if unmarked(a) != unmarked(b) => {
            format!("their settings differ in {}", differing(&unmarked(a), &unmarked(b)).join(", "))
        }
        () if a.source_date != b.source_date => {
            format!("their source dates are {} and {}", b.source_date, a.source_date)
        }
        () if first.mark.tree != share.mark.tree || first.mark.planned != share.mark.planned => {
            "they are of two trees that differ in a file".to_string()
        }
        () => return Ok(()),
    };
    Err(MergeError::Differs { path: share.path(), first: first.path(), share: share.mark.share, what })
}

/// What a manifest lists, and in which form.
fn forms(manifest: &Manifest) -> Vec<(&str, u32)> {
    let artifacts = manifest.artifacts.iter().map(|entry| (entry.name.as_str(), entry.schema_version));
    artifacts.chain(manifest.accelerators.iter().map(|entry| (entry.name.as_str(), entry.version))).collect()
}

/// The names of the settings that two runs do not share.
fn differing(a: &Value, b: &Value) -> Vec<String> {
    let names = |value: &Value| value.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>());
    let mut all = [names(a), names(b)].into_iter().flatten().flatten().collect::<Vec<_>>();
    all.sort();
    all.dedup();
    all.retain(|name| a.get(name) != b.get(name));
    all
}

/// Holds the records of all shares against the tree that each says it is of, and their uids against each other.
fn check_tree(shares: &[Opened]) -> Result<(), MergeError> {
    let mut hash = TreeHash::default();
    let mut uids: Vec<ChunkUid> = Vec::new();
    for share in shares {
        for file in share.index.records::<File>()? {
            let file = file?;
            hash.add_file(&file.file_rel_path, file.bytes, file.digest.as_ref());
            uids.extend(file.chunks);
        }
    }
    for share in shares {
        for problem in share.index.records::<Problem>()? {
            hash.add_problem(&problem?);
        }
    }
    if hash.finish() != shares[0].mark.tree {
        return Err(MergeError::Edited);
    }
    uids.sort_unstable();
    match uids.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(collision(shares, pair[0])?),
    }
}

/// The first two files that have chunks of this uid.
fn collision(shares: &[Opened], uid: ChunkUid) -> Result<MergeError, StoreError> {
    let mut owners = Vec::new();
    for share in shares {
        for file in share.index.records::<File>()? {
            let file = file?;
            owners.extend(file.chunks.contains(&uid).then(|| file.file_rel_path.to_string()));
        }
    }
    let mut owners = owners.into_iter();
    let mut next = || owners.next().unwrap_or_default();
    Ok(MergeError::Collision { uid, first: next(), second: next() })
}

fn merge(shares: &[Opened], recorder: Recorder) -> Result<MergeSummary, MergeError> {
    let first = shares[0].index.manifest();
    let artifacts = first.artifacts.iter().map(|entry| merged(shares, entry, &recorder));
    let accelerators = first.accelerators.iter().map(|entry| merged_accelerator(shares, entry, &recorder));
    let draft = Draft {
        stage: STAGE.to_string(),
        ruleset_version: first.ruleset_version,
        source_date: first.source_date.clone(),
        settings: unmarked(first),
        inputs: Vec::new(),
        artifacts: artifacts.collect::<Result<_, _>>()?,
        accelerators: accelerators.collect::<Result<_, _>>()?,
    };
    let manifest = recorder.commit(draft)?;
    Ok(MergeSummary { manifest, shares: shares.len() as u64, shards: shares[0].mark.planned.into() })
}

/// What all shares have of an artifact.
fn merged(shares: &[Opened], first: &ArtifactEntry, recorder: &Recorder) -> Result<ArtifactEntry, StoreError> {
    let mut whole = ArtifactEntry { records: 0, bytes: 0, parts: Vec::new(), ..first.clone() };
    for Opened { index, .. } in shares {
        let entry = index.artifact(&first.name)?;
        whole.records += entry.records;
        whole.bytes += entry.bytes;
        for part in &entry.parts {
            whole.parts.push(recorder.adopt_piece(index, &first.name, part)?);
        }
    }
    Ok(whole)
}

/// And of an accelerator.
fn merged_accelerator(
    shares: &[Opened],
    first: &AcceleratorEntry,
    recorder: &Recorder,
) -> Result<AcceleratorEntry, StoreError> {
    let mut whole = AcceleratorEntry { parts: Vec::new(), ..first.clone() };
    for Opened { index, .. } in shares {
        for part in &index.accelerator_entry(&first.name, first.version)?.parts {
            whole.parts.push(recorder.adopt_accelerator(index, part)?);
        }
    }
    Ok(whole)
}
