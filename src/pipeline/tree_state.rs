//! Checks whether a tree has changed since its index was made.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;

use super::{ChunkSettings, StageError, walk_options};
use crate::record::pack::TreeState;
use crate::record::{Digest, File};
use crate::source::{self, Entry};
use crate::store::Index;

/// Reads every file of the tree, as the chunk stage does, and compares digests.
pub fn tree_state(tree: &Path, folder: &Path) -> Result<TreeState, StageError> {
    let index = Index::open(&folder.join("chunk"))?;
    let walk = source::walk(tree, &walk_options(&folder.join("chunk")))?;
    let mut known: BTreeMap<String, Option<Digest>> = BTreeMap::new();
    for file in index.records::<File>()? {
        let file = file?;
        known.insert(file.file_rel_path.to_string(), file.digest);
    }
    let max_file_bytes = ChunkSettings::of(&index)?.max_file_bytes;
    let is_same = |entry: &Entry| {
        let digest = source::read(tree, entry, max_file_bytes).ok().map(|content| content.digest);
        known.get(entry.path.as_str()) == Some(&digest)
    };
    let is_current = walk.files.len() == known.len() && walk.files.par_iter().all(is_same);
    Ok(if is_current { TreeState::Current } else { TreeState::Changed })
}
