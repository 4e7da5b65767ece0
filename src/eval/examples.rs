//! What a ranking knew of every file and chunk it looked at, beside whether a fix changed it: examples that
//! weights are fitted to.

use serde::Serialize;

use super::row::{Block, Row};
use crate::record::{ChunkNo, Lines};
use crate::search::{ChunkFeature, Corpus, FileFeature, Hit, Model};

/// The first line of a file of examples: the weights, in the order of the features.
#[derive(Serialize)]
pub struct Header {
    file: Vec<&'static str>,
    chunk: Vec<&'static str>,
}

impl Default for Header {
    fn default() -> Self {
        let file = FileFeature::ALL.map(FileFeature::weight).to_vec();
        Header { file, chunk: ChunkFeature::ALL.map(ChunkFeature::weight).to_vec() }
    }
}

/// One question's.
#[derive(Serialize)]
pub struct Examples<'r> {
    instance_id: &'r str,
    repo: &'r str,
    files: Vec<FileExample>,
    chunks: Vec<ChunkExample>,
}

#[derive(Serialize)]
struct FileExample {
    changed: bool,
    features: Vec<f32>,
}

#[derive(Serialize)]
struct ChunkExample {
    /// Among the files.
    file: usize,
    /// Blocks of the fix that touch it.
    changed: usize,
    /// All but that of its file, which follows from the weights of files.
    features: Vec<f32>,
}

impl<'r> Examples<'r> {
    /// `shown` gives the lines that a chunk's text holds.
    pub fn collect<F>(
        row: &'r Row,
        corpus: &Corpus,
        hits: &[Hit],
        model: &Model,
        shown: impl Fn(ChunkNo) -> Result<Vec<Lines>, F>,
    ) -> Result<Self, F> {
        let files = model.files().iter().map(|of| FileExample {
            changed: row.gold_files.iter().any(|path| path.as_str() == corpus.path(of.file)),
            features: of.features.iter().map(|value| *value as f32).collect(),
        });
        let chunks = hits.iter().zip(model.chunks()).map(|(hit, of)| {
            let path = corpus.path(corpus.file_of(hit.chunk));
            let blocks: Vec<&Block> = row.gold_ranges.iter().filter(|block| block.file.as_str() == path).collect();
            let shown = if blocks.is_empty() { Vec::new() } else { shown(hit.chunk)? };
            let touches = |block: &&&Block| {
                shown.iter().any(|lines| block.start_line <= lines.end && lines.start <= block.end_line)
            };
            Ok(ChunkExample {
                file: of.row,
                changed: blocks.iter().filter(touches).count(),
                features: of.features.iter().map(|value| *value as f32).collect(),
            })
        });
        let chunks = chunks.collect::<Result<_, F>>()?;
        Ok(Examples { instance_id: &row.instance_id, repo: &row.repo, files: files.collect(), chunks })
    }
}
