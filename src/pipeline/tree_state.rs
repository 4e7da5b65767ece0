//! Checks whether a tree has changed since its index was made.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;

use super::note_sources::read_file;
use super::{ChunkSettings, PipelineError, walk_options};
use crate::record::pack::TreeState;
use crate::record::{Digest, File};
use crate::source::{self, Entry};
use crate::store::{Index, StoreError};

/// Reads every file of the tree, as the chunk stage does, and compares digests.
pub fn tree_state(tree: &Path, folder: &Path) -> Result<TreeState, PipelineError> {
    let index = Index::open(&folder.join("chunk"))?;
    let settings = ChunkSettings::of(&index)?;
    let walk = source::walk(tree, &walk_options(&folder.join("chunk"), &settings))?;
    let known = file_digests(&index)?;
    let is_same = |entry: &Entry| {
        let digest = read_file(tree, entry, &settings).ok().map(|content| content.digest);
        known.get(entry.path.as_str()) == Some(&digest)
    };
    let is_current = walk.files.len() == known.len() && walk.files.par_iter().all(is_same);
    Ok(if is_current { TreeState::Current } else { TreeState::Changed })
}

/// The digests of the files of an index, by path.
pub(super) fn file_digests(chunks: &Index) -> Result<BTreeMap<String, Option<Digest>>, StoreError> {
    let files = chunks.records::<File>()?.map(|file| file.map(|file| (file.file_rel_path.to_string(), file.digest)));
    files.collect()
}
