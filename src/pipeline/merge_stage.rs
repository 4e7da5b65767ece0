//! Merges shares of the chunk stage into the same index that a single run over the tree writes.
//!
//! Pieces are copied unchanged, because a share numbers its shards as the whole does. A share cannot know whether a
//! chunk in another share has the same uid as one of its own. A run over the whole tree would salt the later of the
//! two. If all uids differ, every share has the uids of a whole run. If two are equal, the right index cannot be made
//! without the tree, and the merge is refused.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

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
    #[error("there is nothing to merge\n  hint: name the directories that `contextpack chunk --shard I/N` wrote")]
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

/// Checks everything before writing anything.
pub fn run_merge(
    folders: &[PathBuf],
    out: &Path,
    disk: Disk,
    when_locked: WhenLocked<'_>,
) -> Result<MergeSummary, MergeError> {
    let shares = open_shares(folders)?;
    check_all_there(&shares)?;
    shares[1..].iter().try_for_each(|share| check_alike(&shares[0], share))?;
    shares.iter().try_for_each(OpenShare::check_pieces)?;
    check_tree(&shares)?;
    let recorder = Recorder::open(out, disk, when_locked)?;
    recorder.check_stage(STAGE)?;
    merge(&shares, recorder)
}

/// An opened share and its mark.
struct OpenShare {
    index: Index,
    mark: ShareMark,
}

/// Opens the shares and sorts them by number.
fn open_shares(folders: &[PathBuf]) -> Result<Vec<OpenShare>, MergeError> {
    let mut shares = folders.iter().map(|folder| OpenShare::open(folder)).collect::<Result<Vec<_>, _>>()?;
    shares.sort_by(|a, b| (a.mark.share.index, a.index.folder()).cmp(&(b.mark.share.index, b.index.folder())));
    Ok(shares)
}

impl OpenShare {
    fn open(folder: &Path) -> Result<Self, MergeError> {
        let index = Index::open_any(folder)?;
        let stage = index.manifest().stage.clone();
        if stage != SHARE_STAGE {
            return Err(MergeError::NotAShare { path: folder.to_path_buf(), stage });
        }
        let mark = ShareMark::read(index.manifest());
        let mark = mark.ok_or_else(|| StoreError::corrupt(folder, "it does not say which share it is", None))?;
        Ok(OpenShare { index, mark })
    }

    fn path(&self) -> PathBuf {
        self.index.folder().to_path_buf()
    }

    /// Checks that every file matches the manifest and belongs to one of this share's shards.
    fn check_pieces(&self) -> Result<(), MergeError> {
        let manifest = self.index.manifest();
        self.index.check_files()?;
        let parts = manifest.parts().map(|part| part.index());
        let mut shards = parts.chain(manifest.accelerator_parts().map(|part| part.index()));
        match shards.find(|shard| !self.mark.shards.contains(shard)) {
            None => Ok(()),
            Some(shard) => {
                let cause = format!("it holds shard {shard}, which does not belong to it");
                Err(StoreError::corrupt(self.index.folder(), cause, None).into())
            }
        }
    }
}

fn check_all_there(shares: &[OpenShare]) -> Result<(), MergeError> {
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

/// Checks that one run could have made both.
fn check_alike(first: &OpenShare, share: &OpenShare) -> Result<(), MergeError> {
    let (a, b) = (first.index.manifest(), share.index.manifest());
    let what = if a.ruleset_version != b.ruleset_version {
        format!("they were made by rules {} and {}", b.ruleset_version, a.ruleset_version)
    } else if versions(a) != versions(b) {
        "they were made by two versions of contextpack".to_string()
    } else if unmarked(a) != unmarked(b) {
        format!("their settings differ in {}", differing_settings(&unmarked(a), &unmarked(b)).join(", "))
    } else if a.source_date != b.source_date {
        format!("their source dates are {} and {}", b.source_date, a.source_date)
    } else if first.mark.tree != share.mark.tree || first.mark.planned != share.mark.planned {
        "they are of two trees that differ in a file".to_string()
    } else {
        return Ok(());
    };
    Err(MergeError::Differs { path: share.path(), first: first.path(), share: share.mark.share, what })
}

/// The artifacts and accelerators of a manifest, with their versions.
fn versions(manifest: &Manifest) -> Vec<(&str, u32)> {
    let artifacts = manifest.artifacts.iter().map(|entry| (entry.name.as_str(), entry.schema_version));
    artifacts.chain(manifest.accelerators.iter().map(|entry| (entry.name.as_str(), entry.version))).collect()
}

/// The names of the settings that differ.
fn differing_settings(a: &Value, b: &Value) -> Vec<String> {
    let names: BTreeSet<&String> = [a, b].into_iter().filter_map(Value::as_object).flat_map(Map::keys).collect();
    names.into_iter().filter(|name| a.get(name) != b.get(name)).cloned().collect()
}

/// Checks that the records of all shares form the tree that each share names, and that no uid occurs twice.
fn check_tree(shares: &[OpenShare]) -> Result<(), MergeError> {
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
        Some(pair) => Err(collision_error(shares, pair[0])?),
    }
}

/// The error for a uid that occurs twice. Names the first two files with it.
fn collision_error(shares: &[OpenShare], uid: ChunkUid) -> Result<MergeError, StoreError> {
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

fn merge(shares: &[OpenShare], recorder: Recorder) -> Result<MergeSummary, MergeError> {
    let first = shares[0].index.manifest();
    let artifacts = first.artifacts.iter().map(|entry| merge_artifact(shares, entry, &recorder));
    let accelerators = first.accelerators.iter().map(|entry| merge_accelerator(shares, entry, &recorder));
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

/// Combines the parts that all shares have of an artifact.
fn merge_artifact(
    shares: &[OpenShare],
    first: &ArtifactEntry,
    recorder: &Recorder,
) -> Result<ArtifactEntry, StoreError> {
    let mut whole = ArtifactEntry { records: 0, bytes: 0, parts: Vec::new(), ..first.clone() };
    for OpenShare { index, .. } in shares {
        let entry = index.artifact(&first.name)?;
        whole.records += entry.records;
        whole.bytes += entry.bytes;
        for part in &entry.parts {
            whole.parts.push(recorder.adopt_piece(index, &first.name, part)?);
        }
    }
    Ok(whole)
}

/// Combines the parts that all shares have of an accelerator.
fn merge_accelerator(
    shares: &[OpenShare],
    first: &AcceleratorEntry,
    recorder: &Recorder,
) -> Result<AcceleratorEntry, StoreError> {
    let mut whole = AcceleratorEntry { parts: Vec::new(), ..first.clone() };
    for OpenShare { index, .. } in shares {
        for part in &index.accelerator_entry(&first.name, first.version)?.parts {
            whole.parts.push(recorder.adopt_accelerator(index, part)?);
        }
    }
    Ok(whole)
}
