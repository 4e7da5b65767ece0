//! Reads a chunk index as the graph stage needs it.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::graph::input::{Input, Row, TextRow, is_manifest, place_text};
use crate::record::{Artifact, Chunk, File, References, Symbol};
use crate::store::{Index, Part, StoreError};

/// The lines of the artifacts whose strings the input borrows.
pub struct InputLines {
    symbols: Vec<Vec<u8>>,
    references: Vec<Vec<u8>>,
}

impl InputLines {
    pub fn read(index: &Index) -> Result<Self, StoreError> {
        Ok(InputLines { symbols: frames::<Symbol>(index)?, references: frames::<References>(index)? })
    }

    pub fn input(&self, index: &Index) -> Result<Input<'_>, StoreError> {
        let files = index.records::<File>()?.collect::<Result<Vec<File>, StoreError>>()?;
        Ok(Input {
            manifests: manifests(index, &files)?,
            symbols: rows::<Symbol, _>(index, &self.symbols)?,
            references: rows::<References, _>(index, &self.references)?,
            files,
        })
    }
}

/// An artifact's frames, decompressed.
fn frames<A: Artifact>(index: &Index) -> Result<Vec<Vec<u8>>, StoreError> {
    let of_part = |part: &Part| {
        let piece = index.piece(part)?;
        let read = |frame| {
            let mut lines = Vec::new();
            piece.read_frame(frame, &mut lines).map(|()| lines)
        };
        (0..piece.frame_count()).map(read).collect::<Result<Vec<_>, StoreError>>()
    };
    let parts = index.artifact(A::NAME)?.parts.par_iter().map(of_part).collect::<Result<Vec<_>, _>>()?;
    Ok(parts.into_iter().flatten().collect())
}

fn rows<'l, A: Artifact, R: Row<'l> + Send>(index: &Index, frames: &'l [Vec<u8>]) -> Result<Vec<R>, StoreError> {
    // Once for a whole frame is faster than for each of its strings.
    let of_frame = |frame: &'l Vec<u8>| {
        let text = std::str::from_utf8(frame).map_err(|fault| not_a_record::<A>(index, fault))?;
        let row = |line| R::read(line).ok_or_else(|| not_a_record::<A>(index, "it is of another form"));
        text.lines().map(row).collect::<Result<Vec<R>, StoreError>>()
    };
    let rows = frames.par_iter().map(of_frame).collect::<Result<Vec<Vec<R>>, StoreError>>()?;
    Ok(rows.into_iter().flatten().collect())
}

fn not_a_record<A: Artifact>(index: &Index, fault: impl std::fmt::Display) -> StoreError {
    StoreError::corrupt(index.folder(), format!("a line is not a record of `{}`: {fault}", A::NAME), None)
}

/// The whole texts of the files that say where modules lie.
fn manifests(index: &Index, files: &[File]) -> Result<BTreeMap<String, String>, StoreError> {
    let mut manifests = BTreeMap::new();
    for file in files.iter().filter(|file| is_manifest(file.file_rel_path.as_str())) {
        let path = file.file_rel_path.as_str();
        manifests.insert(path.to_string(), text(index, path)?);
    }
    Ok(manifests)
}

/// A file's text, as its chunks hold it.
pub fn text(index: &Index, path: &str) -> Result<String, StoreError> {
    let mut text = String::new();
    index.find(Chunk::NAME, &[path.into()], |line| {
        if let Ok(row) = serde_json::from_slice::<TextRow>(line) {
            place_text(&mut text, &row);
        }
    })?;
    Ok(text)
}
