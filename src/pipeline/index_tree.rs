//! Both stages with their default settings: a tree into an index that packs are made from.

use std::path::Path;

use super::{ChunkSettings, ChunkStage, GraphError, GraphStage, Progress, StageError, run_chunk, run_graph};
use crate::store::{Disk, WhenLocked};

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

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error(transparent)]
    Chunk(#[from] StageError),
    #[error(transparent)]
    Graph(#[from] GraphError),
}

impl IndexTree<'_> {
    /// Makes the index in a folder, or brings it up to date.
    pub fn run(&self, tree: &Path, folder: &Path) -> Result<(), IndexError> {
        let chunk = ChunkStage {
            source: tree.to_path_buf(),
            out: folder.join("chunk"),
            settings: ChunkSettings { allow_secrets: self.allow_secrets, ..ChunkSettings::default() },
            jobs: self.jobs,
            epoch: self.epoch.clone(),
            shuffle: None,
        };
        run_chunk(&chunk, Disk::real(), WhenLocked::Wait(self.when_locked), self.watch)?;
        let graph = GraphStage {
            index: folder.to_path_buf(),
            scip: Vec::new(),
            max_shard_bytes: GraphStage::SHARD_BYTES,
            jobs: self.jobs,
        };
        run_graph(&graph, Disk::real(), WhenLocked::Wait(self.when_locked))?;
        Ok(())
    }
}

/// Quietly.
pub fn index_tree(tree: &Path, folder: &Path) -> Result<(), IndexError> {
    IndexTree { jobs: 0, allow_secrets: false, epoch: None, when_locked: &|_| (), watch: &|_| () }.run(tree, folder)
}
