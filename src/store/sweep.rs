//! What a commit removes: files that look like ours and that the manifest does not name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::StoreError;
use super::disk::Disk;
use super::manifest::{self, Manifest};
use super::piece_name::PieceName;
use super::sidecar::{self, sidecars};
use crate::record::ArtifactType;

/// Removes, in the order of their names, the leftovers of earlier and of interrupted runs.
pub fn sweep(folder: &Path, manifest: &Manifest, disk: &Disk) -> Result<(), StoreError> {
    let kept = file_names(manifest);
    for name in plain_files(folder)?.iter().filter(|name| is_ours(name) && !kept.contains(*name)) {
        disk.remove(&folder.join(name))?;
    }
    Ok(())
}

fn file_names(manifest: &Manifest) -> BTreeSet<String> {
    let pieces = manifest.parts().map(|part| part.path.clone());
    let accelerators = manifest.accelerator_parts().map(|part| part.path.clone());
    pieces.chain(accelerators).chain(sidecars(manifest).map(|(name, _)| name)).collect()
}

/// A file whose name is not UTF-8 was not written by contextpack.
fn plain_files(folder: &Path) -> Result<BTreeSet<String>, StoreError> {
    let unreadable = |error| StoreError::io("list", folder, error);
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if entry.file_type().map_err(unreadable)?.is_file()
            && let Ok(name) = entry.file_name().into_string()
        {
            files.insert(name);
        }
    }
    Ok(files)
}

/// Whether only this program gives files such a name. A suffix alone is not enough: a user's
/// `notes.tmp` is not ours to remove.
fn is_ours(name: &str) -> bool {
    match name.strip_suffix(".tmp") {
        Some(settled) => settled == manifest::FILE_NAME || is_settled(settled),
        None => is_settled(name),
    }
}

fn is_settled(name: &str) -> bool {
    PieceName::parse(name).is_some() || is_sidecar(name)
}

fn is_sidecar(name: &str) -> bool {
    name.strip_suffix(sidecar::SUFFIX).is_some_and(|artifact| ArtifactType::named(artifact).is_some())
}
