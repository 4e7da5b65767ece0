//! Reading an index: manifest first, pieces through it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{slice, vec};

use memmap2::Mmap;
use rayon::prelude::*;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::error::{rerun_hint, rerun_hint_of_folder, run_hint_of_folder};
use super::manifest::{self, AcceleratorEntry, AcceleratorPart, ArtifactEntry, Manifest, Part, SHARE_STAGE};
use super::manifest_check::{Heading, ManifestFault};
use super::mapped::Mapped;
use super::piece::Piece;
use crate::record::{Artifact, ErrorCode};

/// Hundreds of thousands of pieces; beyond that, it is not a manifest.
const MAX_MANIFEST_BYTES: u64 = 256 << 20;

/// One stage's index. Pieces are mapped when first asked for and stay mapped, so an index that is
/// open outlives the sweep of a writer who replaces it.
pub struct Index {
    folder: PathBuf,
    manifest: Manifest,
    pieces: Mutex<BTreeMap<String, Arc<Piece>>>,
    /// Pieces that are mapped and not checked yet.
    held: Mutex<BTreeMap<String, Mmap>>,
}

/// The records of some parts, in key order.
pub struct Records<'i, A> {
    index: &'i Index,
    parts: slice::Iter<'i, Part>,
    /// The piece that is being read, and its next frame.
    piece: Option<(Arc<Piece>, usize)>,
    /// What is left of one frame: only one is in memory at a time.
    frame: vec::IntoIter<A>,
}

impl Index {
    /// A share of an index cannot be opened as an index.
    pub fn open(folder: &Path) -> Result<Index, StoreError> {
        let index = Index::open_any(folder)?;
        if index.manifest.stage == SHARE_STAGE {
            let hint = "run `contextpack merge` over all shares".to_string();
            let cause = "it holds one share of the chunks and not all of them";
            Err(StoreError::new(ErrorCode::IndexShare, folder, cause, Some(hint)))
        } else {
            Ok(index)
        }
    }

    /// For those who do not mind a share: it is as sound as a whole index.
    pub fn open_any(folder: &Path) -> Result<Index, StoreError> {
        let path = folder.join(manifest::FILE_NAME);
        let bytes = read_bounded(&path, MAX_MANIFEST_BYTES).map_err(|error| match error.kind() {
            ErrorKind::NotFound => StoreError::missing(&path, "it does not exist", run_hint_of_folder(folder)),
            ErrorKind::FileTooLarge => StoreError::corrupt(&path, error, rerun_hint_of_folder(folder)),
            _ => StoreError::io("read", &path, error),
        })?;
        let manifest = Manifest::parse(&bytes).map_err(|fault| manifest_error(&path, &bytes, fault))?;
        Ok(Index { folder: folder.to_path_buf(), manifest, pieces: Mutex::default(), held: Mutex::default() })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What the manifest says of an artifact. One without records is listed; one that is not listed
    /// belongs to another stage.
    pub fn artifact(&self, name: &str) -> Result<&ArtifactEntry, StoreError> {
        self.manifest.artifact(name).ok_or_else(|| {
            let path = self.folder.join(manifest::FILE_NAME);
            StoreError::missing(&path, format!("it holds no artifact `{name}`"), None)
        })
    }

    /// Maps all pieces now: a writer that sweeps them later does not matter to this reader. Each is checked when it is
    /// asked for.
    pub fn hold(&self) -> Result<(), StoreError> {
        for part in self.manifest.parts() {
            let map = Mapped::hold(self, &part.path, part.stored_bytes)?;
            self.held.lock().unwrap_or_else(PoisonError::into_inner).insert(part.path.clone(), map);
        }
        Ok(())
    }

    pub(super) fn take_held(&self, name: &str) -> Option<Mmap> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).remove(name)
    }

    /// A piece, checked against the manifest the first time it is asked for.
    pub fn piece(&self, part: &Part) -> Result<Arc<Piece>, StoreError> {
        if let Some(piece) = self.mapped().get(&part.path) {
            return Ok(Arc::clone(piece));
        }
        // Not under the lock: several threads check several pieces.
        let piece = Arc::new(Piece::open(self, part)?);
        self.mapped().insert(part.path.clone(), Arc::clone(&piece));
        Ok(piece)
    }

    /// Checks every file against the manifest. Of several faults, gives the first part's.
    pub fn check_files(&self) -> Result<(), StoreError> {
        let (parts, accelerators): (Vec<_>, Vec<_>) =
            (self.manifest.parts().collect(), self.manifest.accelerator_parts().collect());
        let pieces = parts.par_iter().map(|part| self.piece(part).map(drop));
        let accelerators = accelerators.par_iter().map(|part| self.accelerator_part(part).map(drop));
        pieces.chain(accelerators).collect::<Vec<_>>().into_iter().collect()
    }

    /// What the manifest says of an accelerator whose form is of this version.
    pub fn accelerator_entry(&self, name: &str, version: u32) -> Result<&AcceleratorEntry, StoreError> {
        let path = self.folder.join(manifest::FILE_NAME);
        match self.manifest.accelerator(name) {
            None => Err(StoreError::missing(&path, format!("it holds no accelerator `{name}`"), None)),
            Some(entry) if entry.version == version => Ok(entry),
            Some(AcceleratorEntry { version: found, .. }) => {
                let cause =
                    format!("its accelerator `{name}` is version {found} and this build reads version {version}");
                Err(StoreError::new(ErrorCode::ContractVersion, &path, cause, rerun_hint(&self.manifest.stage)))
            }
        }
    }

    /// All parts of an accelerator, mapped and checked against the manifest.
    pub fn accelerator(&self, name: &str, version: u32) -> Result<Vec<Mapped>, StoreError> {
        let parts = &self.accelerator_entry(name, version)?.parts;
        let mapped: Vec<_> = parts.par_iter().map(|part| self.accelerator_part(part)).collect();
        // Of several faults, always the first part's.
        mapped.into_iter().collect()
    }

    /// One part of an accelerator. Who asks keeps it: it is checked each time it is asked for.
    pub fn accelerator_part(&self, part: &AcceleratorPart) -> Result<Mapped, StoreError> {
        Mapped::open(self, &part.path, part.bytes, &part.digest)
    }

    /// All records of a type, in key order.
    pub fn records<A: Artifact>(&self) -> Result<Records<'_, A>, StoreError> {
        Ok(self.records_of(&self.artifact(A::NAME)?.parts))
    }

    /// The records of some parts of an artifact, for readers that share the parts among threads.
    pub fn records_of<'i, A: Artifact>(&'i self, parts: &'i [Part]) -> Records<'i, A> {
        Records { index: self, parts: parts.iter(), piece: None, frame: Vec::new().into_iter() }
    }

    /// Gives every line of an artifact, in key order.
    pub fn for_each_line<E: From<StoreError>>(
        &self,
        artifact: &str,
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.artifact(artifact)?.parts.iter().try_for_each(|part| self.piece(part)?.for_each_line(&mut each))
    }

    /// Gives some fields of every record of a type, in key order.
    pub fn for_each_row<A: Artifact, R: DeserializeOwned>(
        &self,
        mut each: impl FnMut(R, &[u8]),
    ) -> Result<(), StoreError> {
        for part in &self.artifact(A::NAME)?.parts {
            let piece = self.piece(part)?;
            piece.for_each_line(|line| {
                each(piece.parse::<A, R>(line)?, line);
                Ok::<(), StoreError>(())
            })?;
        }
        Ok(())
    }

    fn mapped(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Piece>>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<A: Artifact> Records<'_, A> {
    fn read_next(&mut self) -> Result<Option<A>, StoreError> {
        loop {
            if let Some(record) = self.frame.next() {
                return Ok(Some(record));
            }
            if let Some((piece, next)) = &mut self.piece
                && *next < piece.frame_count()
            {
                self.frame = piece.read_records(*next)?.into_iter();
                *next += 1;
                continue;
            }
            let Some(part) = self.parts.next() else { return Ok(None) };
            self.piece = Some((self.index.piece(part)?, 0));
        }
    }
}

impl<A: Artifact> Iterator for Records<'_, A> {
    type Item = Result<A, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read_next();
        if read.is_err() {
            // Records after a fault are not read: half an answer would look like a whole one.
            self.piece = None;
            self.parts = [].iter();
        }
        read.transpose()
    }
}

/// The content of a plain file that is not larger than expected.
pub(super) fn read_bounded(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    // Before it is opened: a pipe would keep the reader waiting for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {max_bytes} bytes")));
    }
    Ok(bytes)
}

fn manifest_error(path: &Path, bytes: &[u8], fault: ManifestFault) -> StoreError {
    let heading: Heading = serde_json::from_slice(bytes).unwrap_or_default();
    let of_folder = || path.parent().and_then(rerun_hint_of_folder);
    let hint = heading.stage.as_deref().and_then(rerun_hint).or_else(of_folder);
    let code = if fault.is_version { ErrorCode::ContractVersion } else { ErrorCode::IndexCorrupt };
    StoreError::new(code, path, fault, hint)
}
