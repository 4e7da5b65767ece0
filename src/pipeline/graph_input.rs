//! Reads the records of a chunk index that the graph stage needs.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use serde::Deserialize;

use super::ChunkSettings;
use crate::graph::input::{Input, TextRow, is_manifest, place_text};
use crate::record::{Artifact, Chunk, File, Item, References, Symbol, codec};
use crate::store::{Index, Piece, StoreError};

/// The decompressed lines from which the input borrows its strings.
pub struct InputLines {
    files: Vec<FrameLines>,
    symbols: Vec<FrameLines>,
    references: Vec<FrameLines>,
}

/// One frame of a piece, and its lines once they were read.
struct FrameLines {
    piece: Arc<Piece>,
    frame: usize,
    lines: Vec<u8>,
}

impl InputLines {
    pub fn open(index: &Index) -> Result<Self, StoreError> {
        Ok(InputLines {
            files: frames::<File>(index)?,
            symbols: frames::<Symbol>(index)?,
            references: frames::<References>(index)?,
        })
    }

    pub fn input(&mut self, index: &Index) -> Result<Input<'_>, StoreError> {
        let files = rows::<File, File>(index, &mut self.files)?;
        Ok(Input {
            manifests: manifests(index, &files)?,
            items: index.records::<Item>()?.collect::<Result<Vec<Item>, StoreError>>()?,
            symbols: rows::<Symbol, _>(index, &mut self.symbols)?,
            note_roots: ChunkSettings::of(index)?.notes.roots,
            references: rows::<References, _>(index, &mut self.references)?,
            files,
        })
    }
}

fn frames<A: Artifact>(index: &Index) -> Result<Vec<FrameLines>, StoreError> {
    let pieces = index.artifact(A::NAME)?.parts.par_iter().map(|part| index.piece(part));
    let pieces = pieces.collect::<Result<Vec<_>, StoreError>>()?;
    let frames_of = |piece: Arc<Piece>| {
        let frames = 0..piece.frame_count();
        frames.map(move |frame| FrameLines { piece: Arc::clone(&piece), frame, lines: Vec::new() })
    };
    Ok(pieces.into_iter().flat_map(frames_of).collect())
}

/// Reads the rows of a frame while its lines are still in the processor's cache.
fn rows<'l, A: Artifact, R: Deserialize<'l> + Send>(
    index: &Index,
    frames: &'l mut [FrameLines],
) -> Result<Vec<R>, StoreError> {
    let read_rows = |FrameLines { piece, frame, lines }: &'l mut FrameLines| {
        piece.read_frame(*frame, lines)?;
        let lines: &'l [u8] = lines;
        // Checking UTF-8 once per frame is faster than once per string.
        let text = std::str::from_utf8(lines).map_err(|fault| not_a_record::<A>(index, fault))?;
        let row = |line| codec::read(line).map_err(|fault| not_a_record::<A>(index, fault));
        let mut start = 0;
        let line = |end| &text[std::mem::replace(&mut start, end + 1)..end];
        memchr::memchr_iter(b'\n', lines).map(line).map(row).collect::<Result<Vec<R>, StoreError>>()
    };
    let rows = frames.par_iter_mut().map(read_rows).collect::<Result<Vec<Vec<R>>, StoreError>>()?;
    let mut all = Vec::with_capacity(rows.iter().map(Vec::len).sum());
    rows.into_iter().for_each(|rows| all.extend(rows));
    Ok(all)
}

fn not_a_record<A: Artifact>(index: &Index, fault: impl std::fmt::Display) -> StoreError {
    StoreError::corrupt(index.folder(), format!("a line is not a record of `{}`: {fault}", A::NAME), None)
}

/// The full texts of the files that say where modules are.
fn manifests(index: &Index, files: &[File]) -> Result<BTreeMap<String, String>, StoreError> {
    let mut manifests = BTreeMap::new();
    for file in files.iter().filter(|file| is_manifest(file.file_rel_path.as_str())) {
        let path = file.file_rel_path.as_str();
        manifests.insert(path.to_string(), text(index, path)?);
    }
    Ok(manifests)
}

/// A file's text, reassembled from its chunks.
pub fn text(index: &Index, path: &str) -> Result<String, StoreError> {
    let mut text = String::new();
    index.find(Chunk::NAME, &[path.into()], |line| {
        if let Ok(row) = serde_json::from_slice::<TextRow>(line) {
            place_text(&mut text, &row);
        }
        Ok::<(), StoreError>(())
    })?;
    Ok(text)
}
