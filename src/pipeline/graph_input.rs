//! Reads a chunk index as the graph stage needs it.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Deserialize;

use crate::graph::input::{ChunkLine, ChunkRow, Input, is_manifest, place_text};
use crate::record::{Artifact, Chunk, File, LanguageId, References, Symbol};
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
        let mut input = Input {
            files,
            symbols: rows::<Symbol, _>(index, &self.symbols)?,
            references: rows::<References, _>(index, &self.references)?,
            ..Input::default()
        };
        (input.chunks, input.manifests) = chunks(index, &input)?;
        Ok(input)
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

fn rows<'l, A: Artifact, R: Deserialize<'l> + Send>(
    index: &Index,
    frames: &'l [Vec<u8>],
) -> Result<Vec<R>, StoreError> {
    let of_frame = |frame: &'l Vec<u8>| {
        let lines = frame.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(serde_json::from_slice).collect::<Result<Vec<R>, serde_json::Error>>()
    };
    let rows: Result<Vec<Vec<R>>, _> = frames.par_iter().map(of_frame).collect();
    let rows = rows.map_err(|fault| not_a_record::<A>(index, &fault))?;
    Ok(rows.into_iter().flatten().collect())
}

fn not_a_record<A: Artifact>(index: &Index, fault: &serde_json::Error) -> StoreError {
    StoreError::corrupt(index.folder(), format!("a line is not a record of `{}`: {fault}", A::NAME), None)
}

/// Chunks without their texts, and the whole texts of the files that say where modules lie.
fn chunks(index: &Index, input: &Input) -> Result<(Vec<ChunkRow>, BTreeMap<String, String>), StoreError> {
    let of_part = |part: &Part| {
        let mut rows = Vec::with_capacity(part.records as usize);
        let mut manifests: BTreeMap<String, String> = BTreeMap::new();
        let mut languages: Vec<LanguageId> = Vec::new();
        let mut last_file = 0;
        let piece = index.piece(part)?;
        piece.for_each_line(|line| {
            let line: ChunkLine = serde_json::from_slice(line).map_err(|fault| not_a_record::<Chunk>(index, &fault))?;
            let is_same =
                input.files.get(last_file).is_some_and(|file| file.file_rel_path.as_str() == line.file_rel_path);
            if !is_same {
                last_file =
                    input.file(&line.file_rel_path).ok_or_else(|| piece.corrupt("a chunk's file is not listed"))?;
            }
            if is_manifest(&line.file_rel_path) {
                place_text(manifests.entry(line.file_rel_path.to_string()).or_default(), &line);
            }
            rows.push(row(&line, last_file as u32, &mut languages));
            Ok::<(), StoreError>(())
        })?;
        Ok((rows, manifests))
    };
    let parts = index.artifact(Chunk::NAME)?.parts.par_iter().map(of_part).collect::<Result<Vec<_>, StoreError>>()?;
    let (mut rows, mut manifests) = (Vec::new(), BTreeMap::new());
    for (more_rows, more_manifests) in parts {
        rows.extend(more_rows);
        manifests.extend(more_manifests);
    }
    Ok((rows, manifests))
}

fn row(line: &ChunkLine, file: u32, languages: &mut Vec<LanguageId>) -> ChunkRow {
    let known = languages.iter().find(|id| id.as_str() == line.language_id).cloned();
    let language_id = known.unwrap_or_else(|| {
        languages.push(LanguageId::from(&*line.language_id));
        languages[languages.len() - 1].clone()
    });
    let boxed = |text: &Option<std::borrow::Cow<str>>| text.as_deref().map(Box::from);
    let symbol_id = boxed(&line.symbol_id);
    ChunkRow {
        chunk_uid: line.chunk_uid,
        file,
        language_id,
        // A symbol has the name already.
        qualified_name: if symbol_id.is_some() { None } else { boxed(&line.qualified_name) },
        range: line.range,
        symbol_id,
    }
}
