//! A tree into an index that packs are made from: a pipeline that says nothing but where.

use std::path::Path;

use super::build::{Build, BuildError};
use super::settings::ChunkSection;
use super::{Pipeline, Progress};
use crate::record::Digest;
use crate::store::WhenLocked;

/// How to index a tree, and whom to tell.
pub struct IndexTree<'w> {
    pub jobs: usize,
    /// See [`ChunkSettings::allow_secrets`].
    pub allow_secrets: bool,
    /// `SOURCE_DATE_EPOCH`, if it is set.
    pub epoch: Option<String>,
    pub when_locked: &'w (dyn Fn(&str) + Sync),
    pub watch: &'w (dyn Fn(Progress) + Sync),
}

impl IndexTree<'_> {
    /// Makes the index in a folder, or brings it up to date.
    pub fn run(&self, tree: &Path, folder: &Path) -> Result<(), BuildError> {
        self.run_signed(tree, folder).map(drop)
    }

    /// Says what it made, by the signatures of both stages: another process may replace the index at once.
    pub fn run_signed(&self, tree: &Path, folder: &Path) -> Result<[Digest; 2], BuildError> {
        let chunk = ChunkSection { allow_secrets: Some(self.allow_secrets), ..ChunkSection::default() };
        let (source, index) = (tree.to_path_buf(), folder.to_path_buf());
        let pipeline = Pipeline { source, index, chunk, ..Pipeline::default() };
        let build = Build {
            pipeline: &pipeline,
            repo_id: String::new(),
            jobs: self.jobs,
            epoch: self.epoch.clone(),
            when_locked: WhenLocked::Wait(self.when_locked),
            watch: self.watch,
        };
        let mut made = Vec::new();
        build.run(&mut |stage| made.push(stage.index_signature.clone()))?;
        Ok(made.try_into().expect("without requests there are two stages"))
    }
}

/// Quietly.
pub fn index_tree(tree: &Path, folder: &Path) -> Result<(), BuildError> {
    IndexTree { jobs: 0, allow_secrets: false, epoch: None, when_locked: &|_| (), watch: &|_| () }.run(tree, folder)
}
