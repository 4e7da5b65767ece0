//! Whether an index is what it says: `verify` trusts neither the reader nor the writer.

use std::io::ErrorKind;
use std::path::Path;

use rayon::prelude::*;
use serde_json::Value;

use super::accelerator_check::{AcceleratorCheck, check_accelerators};
use super::links::{check_evidence, check_links};
use super::manifest::{ArtifactEntry, Part, SHARE_STAGE};
use super::piece::lines_of;
use super::reader::read_bounded;
use super::sidecar::{manifest_named_in, sidecars};
use super::{Index, StoreError};
use crate::record::{ArtifactType, Digest, ErrorCode};

/// Far more than a sidecar's few hundred bytes a part.
const MAX_SIDECAR_BYTES: u64 = 256 << 20;

/// What was found in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The manifest's own digest.
    pub manifest: Digest,
    /// Of artifacts and of accelerators.
    pub pieces: u64,
    pub records: u64,
    /// Of the records' lines, uncompressed.
    pub bytes: u64,
    /// What is odd and harms no reader.
    pub notes: Vec<String>,
}

/// The first file that is not in order, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("cannot trust `{piece}`\n  because {reason}")]
pub struct Fault {
    pub code: ErrorCode,
    /// A file name in the index's folder.
    pub piece: String,
    pub reason: String,
}

/// Shallow: the manifest, every piece's size and digest, the sidecars. Deep: also every line, and every
/// accelerator made again by its check.
pub fn verify(folder: &Path, deep: bool, checks: &[AcceleratorCheck]) -> Result<Report, Fault> {
    let index = Index::open_any(folder)?;
    let manifest = index.manifest();
    index.check_files()?;
    let notes = check_sidecars(&index)?;
    if deep {
        check_lines(&index)?;
        check_accelerators(&index, checks)?;
    }
    Ok(Report {
        manifest: manifest.digest.clone(),
        pieces: (manifest.parts().count() + manifest.accelerator_parts().count()) as u64,
        // The manifest may claim any number, so the records are counted.
        records: manifest.parts().fold(0, |sum, part| part.records.saturating_add(sum)),
        bytes: manifest.parts().fold(0, |sum, part| part.bytes.saturating_add(sum)),
        notes,
    })
}

impl Fault {
    pub fn new(piece: &str, reason: impl Into<String>) -> Self {
        Fault { code: ErrorCode::IndexCorrupt, piece: piece.to_string(), reason: reason.into() }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        let name = error.path.file_name().unwrap_or(error.path.as_os_str());
        Fault { code: error.code, piece: name.to_string_lossy().into_owned(), reason: error.cause }
    }
}

/// The first fault in the order of the index, whatever order the checks ran in.
fn first_fault<T>(done: Vec<Result<T, Fault>>) -> Result<Vec<T>, Fault> {
    done.into_iter().collect()
}

/// A sidecar of another manifest, or none, is what a run leaves that was stopped after its commit.
fn check_sidecars(index: &Index) -> Result<Vec<String>, Fault> {
    let mut notes = Vec::new();
    for (name, expected) in sidecars(index.manifest()) {
        match read_bounded(&index.folder().join(&name), MAX_SIDECAR_BYTES) {
            Ok(found) if found == expected => {}
            Ok(found) => match manifest_named_in(&found) {
                Some(owner) if owner != index.manifest().digest => {
                    notes.push(format!("`{name}` belongs to another manifest: a run was stopped before it wrote it"));
                }
                _ => return Err(Fault::new(&name, "it does not say what the manifest says")),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => {
                notes.push(format!("`{name}` is missing: a run was stopped before it wrote it"));
            }
            Err(error) => return Err(Fault::new(&name, error.to_string())),
        }
    }
    Ok(notes)
}

fn check_lines(index: &Index) -> Result<(), Fault> {
    for entry in &index.manifest().artifacts {
        let pieces = first_fault(entry.parts.par_iter().map(|part| check_piece(index, entry, part)).collect())?;
        check_borders(entry, &pieces)?;
    }
    match index.manifest().stage.as_str() {
        "chunk" | SHARE_STAGE => check_links(index),
        "graph" => check_evidence(index),
        _ => Ok(()),
    }
}

/// What reading a piece from end to end tells of it.
#[derive(Default)]
struct Found {
    hash: blake3::Hasher,
    records: u64,
    /// The key and the line of the first record.
    first: (Value, Vec<u8>),
    last: (Value, Vec<u8>),
}

fn check_piece(index: &Index, entry: &ArtifactEntry, part: &Part) -> Result<Found, Fault> {
    let wrong = |reason: &str| Err(Fault::new(&part.path, reason));
    let found = read_piece(index, entry, part)?;
    if Digest::from(found.hash.finalize()) != part.digest {
        return wrong("its lines are not what the manifest's digest says");
    }
    if found.records != part.records {
        return wrong(&format!("it holds {} records and the manifest says {}", found.records, part.records));
    }
    if (&found.first.0, &found.last.0) != (&part.first, &part.last) {
        return wrong("its first and last key are not those of the manifest");
    }
    Ok(found)
}

fn read_piece(index: &Index, entry: &ArtifactEntry, part: &Part) -> Result<Found, Fault> {
    let mut check = artifact_type(entry)?.line_check();
    let piece = index.piece(part)?;
    let mut found = Found::default();
    let mut buffer = Vec::new();
    for frame in 0..piece.frame_count() {
        piece.read_frame(frame, &mut buffer)?;
        found.hash.update(&buffer);
        for line in lines_of(&buffer) {
            found.records += 1;
            let key = check(line)
                .map_err(|fault| Fault::new(&part.path, format!("record {} is wrong: {fault}", found.records)))?;
            if found.records == 1 {
                found.first = (key.clone(), line.to_vec());
            }
            found.last = (key, line.to_vec());
        }
    }
    Ok(found)
}

/// Order across parts, by the records' own keys: JSON does not know how an enum is ordered.
fn check_borders(entry: &ArtifactEntry, pieces: &[Found]) -> Result<(), Fault> {
    for (pair, part) in pieces.windows(2).zip(entry.parts.iter().skip(1)) {
        let mut check = artifact_type(entry)?.line_check();
        check(&pair[0].last.1)
            .and_then(|_| check(&pair[1].first.1))
            .map_err(|fault| Fault::new(&part.path, format!("record 1 is wrong: {fault}")))?;
    }
    Ok(())
}

fn artifact_type(entry: &ArtifactEntry) -> Result<&'static ArtifactType, Fault> {
    ArtifactType::named(&entry.name)
        .ok_or_else(|| Fault::new(super::manifest::FILE_NAME, format!("no build knows `{}`", entry.name)))
}
