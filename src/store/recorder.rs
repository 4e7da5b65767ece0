//! Writing an index: pieces under names that no manifest uses yet, then the manifest in one rename,
//! then the sweep of old files. A stop at any moment leaves the old index or the new one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::batch::Batch;
use super::disk::Disk;
use super::error::rerun_hint;
use super::frames::{Compression, encode};
use super::lock::{Lock, WhenLocked};
use super::manifest::{self, AcceleratorPart, Draft, Manifest, Part};
use super::piece_name::PieceName;
use super::reader::{Index, read_bounded};
use super::sidecar::sidecars;
use super::sweep::sweep;
use super::{ManifestFault, StoreError, owner};
use crate::record::{Digest, ErrorCode};

/// The one writer of a folder, from [`Recorder::open`] to [`Recorder::commit`]. Dropped before that,
/// it leaves the old index as it was; pieces that it wrote are swept by the next commit.
pub struct Recorder {
    folder: PathBuf,
    disk: Disk,
    compression: Compression,
    old: Option<Index>,
    old_fault: Option<StoreError>,
    /// The old index's parts by artifact and digest of their lines.
    old_parts: BTreeMap<(String, Digest), Part>,
    /// Dropped last, when everything above is done with the folder.
    _lock: Lock,
}

impl Recorder {
    pub fn open(folder: &Path, disk: Disk, when_locked: WhenLocked<'_>) -> Result<Recorder, StoreError> {
        owner::check(folder)?;
        disk.create_folder(folder)?;
        let lock = Lock::acquire(folder, &disk, when_locked)?;
        let (old, old_fault) = open_old(folder)?;
        let old_parts = old.as_ref().map(|index| parts_by_digest(index.manifest())).unwrap_or_default();
        Ok(Recorder {
            folder: folder.to_path_buf(),
            disk,
            compression: Compression::Default,
            old,
            old_fault,
            old_parts,
            _lock: lock,
        })
    }

    /// The same recorder, with another compression of pieces.
    pub fn with_compression(self, compression: Compression) -> Self {
        Recorder { compression, ..self }
    }

    /// The index that the folder holds now, if it is sound.
    pub fn old(&self) -> Option<&Index> {
        self.old.as_ref()
    }

    /// Why an index that is there cannot be the old one. The run goes on without it.
    pub fn old_fault(&self) -> Option<&StoreError> {
        self.old_fault.as_ref()
    }

    /// Stores a batch as part `index` of an artifact; not written again if the old index has the same
    /// lines and their file is still sound.
    pub fn write_piece(&self, artifact: &str, index: u32, batch: &Batch) -> Result<Part, StoreError> {
        let digest = Digest::blake3(&batch.lines);
        let (stored_bytes, stored_digest) = match self.reuse(artifact, index, &digest)? {
            Some(kept) => (kept.stored_bytes, kept.stored_digest),
            None => self.store(artifact, index, &digest, &batch.lines)?,
        };
        Ok(Part {
            path: PieceName::new(artifact, index, &digest).to_string(),
            records: batch.records,
            bytes: batch.lines.len() as u64,
            digest,
            stored_bytes,
            stored_digest,
            first: batch.first.clone(),
            last: batch.last.clone(),
        })
    }

    /// Stores part `index` of an accelerator; not written again if the old index has it and its file is
    /// still sound.
    pub fn write_accelerator(&self, name: &str, index: u32, bytes: &[u8]) -> Result<AcceleratorPart, StoreError> {
        let digest = Digest::blake3(bytes);
        let path = PieceName::accelerator(name, index, &digest).to_string();
        let part = AcceleratorPart { path, bytes: bytes.len() as u64, digest };
        if !self.has_sound_part(&part) {
            self.disk.replace(&self.folder.join(&part.path), bytes)?;
        }
        Ok(part)
    }

    /// Carries a part of the old index over under a number. Its file is copied if the number is new.
    /// Fails if the file is not what the old manifest says.
    pub fn keep_piece(&self, part: &Part, index: u32) -> Result<Part, StoreError> {
        let path = self.keep_file(&part.path, index, |old| old.piece(part).map(drop))?;
        Ok(Part { path, ..part.clone() })
    }

    /// The same for a part of an accelerator.
    pub fn keep_accelerator(&self, part: &AcceleratorPart, index: u32) -> Result<AcceleratorPart, StoreError> {
        let path = self.keep_file(&part.path, index, |old| old.accelerator_part(part).map(drop))?;
        Ok(AcceleratorPart { path, ..part.clone() })
    }

    /// Takes a part of another index over as it is stored there. Its file is copied, unless the old index has
    /// the same lines.
    pub fn adopt_piece(&self, from: &Index, artifact: &str, part: &Part) -> Result<Part, StoreError> {
        if let Some(kept) = self.reuse(artifact, part.index(), &part.digest)? {
            return Ok(kept);
        }
        from.piece(part)?;
        self.disk.copy(&from.folder().join(&part.path), &self.folder.join(&part.path))?;
        Ok(part.clone())
    }

    /// The same for a part of an accelerator.
    pub fn adopt_accelerator(&self, from: &Index, part: &AcceleratorPart) -> Result<AcceleratorPart, StoreError> {
        if !self.has_sound_part(part) {
            from.accelerator_part(part)?;
            self.disk.copy(&from.folder().join(&part.path), &self.folder.join(&part.path))?;
        }
        Ok(part.clone())
    }

    /// Whether the old index has a part of an accelerator and its file is still sound.
    fn has_sound_part(&self, part: &AcceleratorPart) -> bool {
        self.old.as_ref().is_some_and(|old| {
            old.manifest().accelerator_parts().any(|there| there == part) && old.accelerator_part(part).is_ok()
        })
    }

    /// Gives the name that a file of the old index has under a number, once it is there.
    fn keep_file(
        &self,
        path: &str,
        index: u32,
        check: impl Fn(&Index) -> Result<(), StoreError>,
    ) -> Result<String, StoreError> {
        let from = self.folder.join(path);
        let Some((old, name)) = self.old.as_ref().zip(PieceName::parse(path)) else {
            return Err(StoreError::corrupt(&from, "no sound index holds it", None));
        };
        check(old)?;
        let kept = PieceName { index, ..name }.to_string();
        if kept != path {
            self.disk.copy(&from, &self.folder.join(&kept))?;
        }
        Ok(kept)
    }

    /// Makes the draft the folder's index. Writes nothing if it already is.
    pub fn commit(self, draft: Draft) -> Result<Manifest, StoreError> {
        self.check_stage(&draft.stage)?;
        let manifest = draft.seal();
        if self.old.as_ref().is_none_or(|old| *old.manifest() != manifest) {
            self.publish(&manifest)?;
        }
        self.write_sidecars(&manifest)?;
        sweep(&self.folder, &manifest, &self.disk)?;
        Ok(manifest)
    }

    fn reuse(&self, artifact: &str, index: u32, digest: &Digest) -> Result<Option<Part>, StoreError> {
        let Some(part) = self.old_parts.get(&(artifact.to_string(), digest.clone())) else {
            return Ok(None);
        };
        // A piece that went bad is made again; that it is bad was not asked.
        let sound = self.old.as_ref().is_some_and(|old| old.piece(part).is_ok());
        sound.then(|| self.keep_piece(part, index)).transpose()
    }

    /// Writes a piece and gives its file's size and digest.
    fn store(&self, artifact: &str, index: u32, digest: &Digest, lines: &[u8]) -> Result<(u64, Digest), StoreError> {
        let path = self.folder.join(PieceName::new(artifact, index, digest).to_string());
        let stored = encode(lines, self.compression).map_err(|fault| StoreError::corrupt(&path, fault, None))?;
        self.disk.replace(&path, &stored)?;
        Ok((stored.len() as u64, Digest::blake3(&stored)))
    }

    /// Fails if the folder holds another stage's index, which a commit would refuse to replace.
    pub fn check_stage(&self, wanted: &str) -> Result<(), StoreError> {
        match self.old.as_ref().map(|old| &old.manifest().stage) {
            Some(found) if found != wanted => {
                let cause = format!("it is the index of stage `{found}` and this run writes stage `{wanted}`");
                Err(StoreError::new(ErrorCode::IndexOtherStage, &self.folder, cause, None))
            }
            _ => Ok(()),
        }
    }

    /// The order is the promise: every piece is on the disk under its name before the manifest is.
    fn publish(&self, manifest: &Manifest) -> Result<(), StoreError> {
        let path = self.folder.join(manifest::FILE_NAME);
        let bytes = manifest.to_bytes();
        // What a reader would refuse must not replace what a reader takes.
        Manifest::parse(&bytes)
            .map_err(|fault: ManifestFault| StoreError::corrupt(&path, fault, rerun_hint(&manifest.stage)))?;
        self.disk.sync_folder(&self.folder)?;
        self.disk.replace(&path, &bytes)?;
        self.disk.sync_folder(&self.folder)
    }

    fn write_sidecars(&self, manifest: &Manifest) -> Result<(), StoreError> {
        for (name, content) in sidecars(manifest) {
            let path = self.folder.join(name);
            let there = read_bounded(&path, content.len() as u64).ok();
            if there.as_ref() != Some(&content) {
                self.disk.replace(&path, &content)?;
            }
        }
        Ok(())
    }
}

/// The old index, or why it cannot be used. A failing file system is not a reason to rebuild.
fn open_old(folder: &Path) -> Result<(Option<Index>, Option<StoreError>), StoreError> {
    match Index::open_any(folder) {
        Ok(index) => Ok((Some(index), None)),
        Err(error) if error.is_missing() => Ok((None, None)),
        Err(error) if error.code == ErrorCode::Io => Err(error),
        Err(fault) => Ok((None, Some(fault))),
    }
}

fn parts_by_digest(manifest: &Manifest) -> BTreeMap<(String, Digest), Part> {
    let parts = manifest.artifacts.iter().flat_map(|entry| entry.parts.iter().map(move |part| (entry, part)));
    parts.map(|(entry, part)| ((entry.name.clone(), part.digest.clone()), part.clone())).collect()
}
