//! Joins the terms of all shards: chunks and files are numbered across shards.

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::file_names::FileNames;
use super::handles::Handles;
use super::terms::{ChunkFlags, FileFlags, Postings, Terms};
use crate::record::{ChunkNo, ChunkUid, FileNo};

/// Everything that can be searched. Chunks and files are numbered in the order of their records, across shards.
pub struct Corpus<'b> {
    shards: Vec<Shard<'b>>,
    chunks: Vec<ChunkFacts>,
    files: Vec<FileFacts>,
    mean_chunk_words: f64,
    mean_file_words: f64,
    file_names: OnceLock<FileNames>,
    /// Built on first use: a walk looks up thousands of chunks.
    by_uid: OnceLock<FxHashMap<ChunkUid, ChunkNo>>,
    /// Built on first use: all uids, in order.
    handles: OnceLock<Handles>,
}

struct Shard<'b> {
    /// The shard's number in the index.
    number: u32,
    terms: Terms<'b>,
    first_chunk: u32,
    first_file: u32,
}

/// Facts that the ranking needs about every chunk.
#[derive(Clone, Copy, Debug)]
pub struct ChunkFacts {
    pub file: FileNo,
    pub words: u32,
    pub text_bytes: u32,
    pub code_lines: u32,
    pub flags: ChunkFlags,
}

struct FileFacts {
    words: u32,
    first_chunk: u32,
    flags: FileFlags,
}

/// The shard of a chunk's record, and the bytes of the record there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordPlace {
    pub shard: u32,
    pub start: u64,
    pub end: u64,
}

impl<'b> Corpus<'b> {
    /// Takes shards in the order of their numbers.
    pub fn new(all: impl IntoIterator<Item = (u32, Terms<'b>)>) -> Self {
        let (mut shards, mut chunks, mut files) = (Vec::new(), Vec::<ChunkFacts>::new(), Vec::new());
        for (number, terms) in all {
            shards.push(Shard { number, terms, first_chunk: chunks.len() as u32, first_file: files.len() as u32 });
            for file in 0..terms.file_count() {
                let first = chunks.len();
                chunks.extend(terms.chunks_of(file).map(|chunk| ChunkFacts {
                    file: FileNo(files.len() as u32),
                    words: terms.words(chunk),
                    text_bytes: terms.text_bytes(chunk),
                    code_lines: terms.code_lines(chunk),
                    flags: terms.chunk_flags(chunk),
                }));
                let words = chunks[first..].iter().map(|chunk| chunk.words).sum();
                files.push(FileFacts { words, first_chunk: first as u32, flags: terms.file_flags(file) });
            }
        }
        let words: u64 = files.iter().map(|file| u64::from(file.words)).sum();
        let mean = |count: usize| (words as f64 / count.max(1) as f64).max(1.0);
        Corpus {
            shards,
            mean_chunk_words: mean(chunks.len()),
            mean_file_words: mean(files.len()),
            chunks,
            files,
            file_names: OnceLock::new(),
            by_uid: OnceLock::new(),
            handles: OnceLock::new(),
        }
    }

    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    pub fn mean_file_words(&self) -> f64 {
        self.mean_file_words
    }

    pub fn file_of(&self, chunk: ChunkNo) -> FileNo {
        self.chunks[chunk.index()].file
    }

    pub fn file_words(&self, file: FileNo) -> u32 {
        self.files[file.index()].words
    }

    pub fn path(&self, file: FileNo) -> &'b str {
        let (terms, file) = self.shard_of_file(file);
        terms.path(file)
    }

    pub fn all_files(&self) -> impl Iterator<Item = FileNo> + use<> {
        (0..self.file_count() as u32).map(FileNo)
    }

    pub fn all_chunks(&self) -> impl Iterator<Item = ChunkNo> + use<> {
        (0..self.chunk_count() as u32).map(ChunkNo)
    }

    pub fn paths(&self) -> impl Iterator<Item = (FileNo, &'b str)> {
        self.all_files().map(|file| (file, self.path(file)))
    }

    /// Built on first use.
    pub fn file_names(&self) -> &FileNames {
        self.file_names.get_or_init(|| FileNames::from_paths(self.paths().map(|(_, path)| path)))
    }

    pub fn file(&self, path: &str) -> Option<FileNo> {
        self.shards.iter().find_map(|shard| Some(FileNo(shard.first_file + shard.terms.file(path)? as u32)))
    }

    pub fn file_flags(&self, file: FileNo) -> FileFlags {
        self.files[file.index()].flags
    }

    pub fn chunks_of(&self, file: FileNo) -> impl Iterator<Item = ChunkNo> + use<> {
        let next = self.files.get(file.index() + 1);
        let end = next.map_or(self.chunks.len() as u32, |next| next.first_chunk);
        (self.files[file.index()].first_chunk..end).map(ChunkNo)
    }

    pub fn uid(&self, chunk: ChunkNo) -> ChunkUid {
        let (terms, chunk) = self.shard_of_chunk(chunk);
        terms.uid(chunk)
    }

    pub fn chunk(&self, uid: ChunkUid) -> Option<ChunkNo> {
        let chunks = || self.all_chunks().map(|chunk| (self.uid(chunk), chunk)).collect();
        self.by_uid.get_or_init(chunks).get(&uid).copied()
    }

    /// Short names of chunks.
    pub fn handles(&self) -> &Handles {
        self.handles.get_or_init(|| Handles::new(self.all_chunks().map(|chunk| self.uid(chunk))))
    }

    pub fn facts(&self, chunk: ChunkNo) -> ChunkFacts {
        self.chunks[chunk.index()]
    }

    /// The length of each chunk in words, divided by the mean length.
    pub fn chunk_lengths(&self) -> impl Iterator<Item = f64> {
        self.chunks.iter().map(|chunk| f64::from(chunk.words) / self.mean_chunk_words)
    }

    /// The first and last line of a chunk.
    pub fn lines(&self, chunk: ChunkNo) -> (u32, u32) {
        let (terms, chunk) = self.shard_of_chunk(chunk);
        terms.lines(chunk)
    }

    pub fn record(&self, chunk: ChunkNo) -> RecordPlace {
        let shard = self.shard(|shard| shard.first_chunk, chunk.0);
        let Range { start, end } = shard.terms.record((chunk.0 - shard.first_chunk) as usize);
        RecordPlace { shard: shard.number, start, end }
    }

    /// The chunks that contain a term, in order. Each list is numbered from the first chunk of its shard.
    pub fn postings(&self, term: &str) -> impl Iterator<Item = (ChunkNo, Postings<'b>)> {
        let postings =
            move |shard: &Shard<'b>| Some((ChunkNo(shard.first_chunk), shard.terms.postings(shard.terms.term(term)?)));
        self.shards.iter().filter_map(postings)
    }

    /// How many chunks contain a term, without reading the list.
    pub fn holders(&self, term: &str) -> u32 {
        let holders = |shard: &Shard| Some(shard.terms.holders(shard.terms.term(term)?));
        self.shards.iter().filter_map(holders).sum()
    }

    /// The files whose path contains a term, in order.
    pub fn files_with(&self, term: &str) -> impl Iterator<Item = FileNo> {
        self.shards.iter().filter_map(move |shard| Some((shard, shard.terms.term(term)?))).flat_map(|(shard, term)| {
            let first = shard.first_file;
            shard.terms.files_with(term).map(move |file| FileNo(first + file as u32))
        })
    }

    /// The chunks that define exactly this name, in order.
    pub fn definitions(&self, name: &str) -> impl Iterator<Item = ChunkNo> {
        self.shards.iter().filter_map(move |shard| Some((shard, shard.terms.name(name)?))).flat_map(|(shard, name)| {
            let first = shard.first_chunk;
            shard.terms.definitions(name).map(move |chunk| ChunkNo(first + chunk as u32))
        })
    }

    /// All defined names, by shard.
    pub fn names(&self) -> impl Iterator<Item = &'b str> {
        self.shards.iter().flat_map(|shard| shard.terms.all_names())
    }

    fn shard_of_chunk(&self, chunk: ChunkNo) -> (Terms<'b>, usize) {
        let shard = self.shard(|shard| shard.first_chunk, chunk.0);
        (shard.terms, (chunk.0 - shard.first_chunk) as usize)
    }

    fn shard_of_file(&self, file: FileNo) -> (Terms<'b>, usize) {
        let shard = self.shard(|shard| shard.first_file, file.0);
        (shard.terms, (file.0 - shard.first_file) as usize)
    }

    /// The last shard that starts at or before a number.
    fn shard(&self, first: impl Fn(&Shard) -> u32, number: u32) -> &Shard<'b> {
        &self.shards[self.shards.partition_point(|shard| first(shard) <= number) - 1]
    }
}
