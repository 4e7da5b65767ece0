//! The part of the corpus that a search may find.

use super::corpus::Corpus;
use crate::record::{ChunkNo, FileNo};

/// What is outside neither is found nor counts in the score of anything else. Only the rarity of words and the mean
/// lengths are those of the whole corpus: they say what a word is worth in this project.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Absent: everything.
    within: Option<Within>,
}

#[derive(Clone, Debug)]
struct Within {
    files: Vec<bool>,
    chunks: Vec<bool>,
}

impl Scope {
    pub const EVERYTHING: Scope = Scope { within: None };

    /// The files for which `is_inside` holds.
    pub fn of_files(corpus: &Corpus, is_inside: impl Fn(FileNo) -> bool) -> Self {
        let files: Vec<bool> = corpus.all_files().map(is_inside).collect();
        let chunks = corpus.all_chunks().map(|chunk| files[corpus.file_of(chunk).index()]).collect();
        Scope { within: Some(Within { files, chunks }) }
    }

    /// Those of the chunks that are inside this scope.
    pub fn only(&self, corpus: &Corpus, chunks: impl Iterator<Item = ChunkNo>) -> Self {
        let mut within = Within { files: vec![false; corpus.file_count()], chunks: vec![false; corpus.chunk_count()] };
        for chunk in chunks.filter(|chunk| self.has(*chunk)) {
            within.chunks[chunk.index()] = true;
            within.files[corpus.file_of(chunk).index()] = true;
        }
        Scope { within: Some(within) }
    }

    pub fn has(&self, chunk: ChunkNo) -> bool {
        self.within.as_ref().is_none_or(|within| within.chunks[chunk.index()])
    }

    /// Whether any chunk of the file may be inside.
    pub fn has_file(&self, file: FileNo) -> bool {
        self.within.as_ref().is_none_or(|within| within.files[file.index()])
    }

    pub fn is_everything(&self) -> bool {
        self.within.is_none()
    }

    pub fn is_empty(&self) -> bool {
        self.within.as_ref().is_some_and(|within| !within.files.contains(&true))
    }
}
