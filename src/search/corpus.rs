//! All shards' terms as one: chunks and files are numbered through.

use std::ops::Range;
use std::sync::OnceLock;

use super::file_names::FileNames;
use super::terms::{ChunkFlags, FileFlags, Posting, Terms};
use crate::record::ChunkUid;

/// What can be searched. Numbers are its own: chunks and files in the order of their records.
pub struct Corpus<'b> {
    shards: Vec<Shard<'b>>,
    file_of_chunk: Vec<u32>,
    chunk_words: Vec<u32>,
    file_words: Vec<u32>,
    mean_chunk_words: f64,
    mean_file_words: f64,
    file_names: OnceLock<FileNames>,
}

struct Shard<'b> {
    /// Of its pieces.
    number: u32,
    terms: Terms<'b>,
    first_chunk: u32,
    first_file: u32,
}

/// Where the record of a chunk stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordPlace {
    pub shard: u32,
    pub start: u64,
    pub end: u64,
}

impl<'b> Corpus<'b> {
    /// The shards by number.
    pub fn new(all: impl IntoIterator<Item = (u32, Terms<'b>)>) -> Self {
        let (mut shards, mut file_of_chunk, mut file_words) = (Vec::new(), Vec::new(), Vec::new());
        let mut chunk_words: Vec<u32> = Vec::new();
        for (number, terms) in all {
            let (first_chunk, first_file) = (file_of_chunk.len() as u32, file_words.len() as u32);
            for file in 0..terms.file_count() {
                let chunks = terms.chunks_of(file);
                let first = chunk_words.len();
                chunk_words.extend(chunks.clone().map(|chunk| terms.words(chunk)));
                file_words.push(chunk_words[first..].iter().sum());
                file_of_chunk.extend(chunks.map(|_| first_file + file as u32));
            }
            shards.push(Shard { number, terms, first_chunk, first_file });
        }
        let words: u64 = file_words.iter().map(|words| u64::from(*words)).sum();
        let mean = |count: usize| (words as f64 / count.max(1) as f64).max(1.0);
        let (mean_chunk_words, mean_file_words) = (mean(file_of_chunk.len()), mean(file_words.len()));
        Corpus {
            shards,
            file_of_chunk,
            chunk_words,
            file_words,
            mean_chunk_words,
            mean_file_words,
            file_names: OnceLock::new(),
        }
    }

    pub fn chunk_count(&self) -> usize {
        self.file_of_chunk.len()
    }

    pub fn file_count(&self) -> usize {
        self.file_words.len()
    }

    pub fn mean_chunk_words(&self) -> f64 {
        self.mean_chunk_words
    }

    pub fn mean_file_words(&self) -> f64 {
        self.mean_file_words
    }

    pub fn file_of(&self, chunk: u32) -> u32 {
        self.file_of_chunk[chunk as usize]
    }

    pub fn file_words(&self, file: u32) -> u32 {
        self.file_words[file as usize]
    }

    pub fn path(&self, file: u32) -> &'b str {
        let (terms, file) = self.shard_of_file(file);
        terms.path(file)
    }

    pub fn paths(&self) -> impl Iterator<Item = (u32, &'b str)> {
        (0..self.file_count() as u32).map(|file| (file, self.path(file)))
    }

    /// Made when first asked for.
    pub fn file_names(&self) -> &FileNames {
        self.file_names.get_or_init(|| FileNames::of(self.paths().map(|(_, path)| path)))
    }

    pub fn file(&self, path: &str) -> Option<u32> {
        self.shards.iter().find_map(|shard| Some(shard.first_file + shard.terms.file(path)? as u32))
    }

    pub fn file_flags(&self, file: u32) -> FileFlags {
        let (terms, file) = self.shard_of_file(file);
        terms.file_flags(file)
    }

    pub fn chunks_of(&self, file: u32) -> Range<u32> {
        let shard = self.shard(|shard| shard.first_file, file);
        let chunks = shard.terms.chunks_of((file - shard.first_file) as usize);
        shard.first_chunk + chunks.start as u32..shard.first_chunk + chunks.end as u32
    }

    pub fn uid(&self, chunk: u32) -> ChunkUid {
        let (terms, chunk) = self.shard_of_chunk(chunk);
        terms.uid(chunk)
    }

    pub fn chunk(&self, uid: ChunkUid) -> Option<u32> {
        self.shards.iter().find_map(|shard| Some(shard.first_chunk + shard.terms.chunk(uid)? as u32))
    }

    pub fn chunk_flags(&self, chunk: u32) -> ChunkFlags {
        let (terms, chunk) = self.shard_of_chunk(chunk);
        terms.chunk_flags(chunk)
    }

    /// How many terms the names have that a chunk defines.
    pub fn name_terms(&self, chunk: u32) -> u8 {
        let (terms, chunk) = self.shard_of_chunk(chunk);
        terms.name_terms(chunk)
    }

    pub fn words(&self, chunk: u32) -> u32 {
        self.chunk_words[chunk as usize]
    }

    pub fn text_bytes(&self, chunk: u32) -> u32 {
        let (terms, chunk) = self.shard_of_chunk(chunk);
        terms.text_bytes(chunk)
    }

    /// First and last line.
    pub fn lines(&self, chunk: u32) -> (u32, u32) {
        let (terms, chunk) = self.shard_of_chunk(chunk);
        terms.lines(chunk)
    }

    pub fn record(&self, chunk: u32) -> RecordPlace {
        let shard = self.shard(|shard| shard.first_chunk, chunk);
        let Range { start, end } = shard.terms.record((chunk - shard.first_chunk) as usize);
        RecordPlace { shard: shard.number, start, end }
    }

    /// The chunks that hold a term, in order.
    pub fn postings(&self, term: &str) -> impl Iterator<Item = Posting> {
        self.shards.iter().filter_map(move |shard| Some((shard, shard.terms.term(term)?))).flat_map(|(shard, term)| {
            let first = shard.first_chunk;
            shard.terms.postings(term).map(move |posting| Posting { chunk: first + posting.chunk, ..posting })
        })
    }

    /// About how many chunks hold a term, without looking at them.
    pub fn about_holders(&self, term: &str) -> usize {
        let holders = |shard: &Shard| Some(shard.terms.about_holders(shard.terms.term(term)?));
        self.shards.iter().filter_map(holders).sum()
    }

    /// The files whose path holds a term, in order.
    pub fn files_with(&self, term: &str) -> impl Iterator<Item = u32> {
        self.shards.iter().filter_map(move |shard| Some((shard, shard.terms.term(term)?))).flat_map(|(shard, term)| {
            let first = shard.first_file;
            shard.terms.files_with(term).map(move |file| first + file as u32)
        })
    }

    /// The chunks that define a name, as it is written, in order.
    pub fn definitions(&self, name: &str) -> impl Iterator<Item = u32> {
        self.shards.iter().filter_map(move |shard| Some((shard, shard.terms.name(name)?))).flat_map(|(shard, name)| {
            let first = shard.first_chunk;
            shard.terms.definitions(name).map(move |chunk| first + chunk as u32)
        })
    }

    /// All names that are defined, by shard.
    pub fn names(&self) -> impl Iterator<Item = &'b str> {
        self.shards.iter().flat_map(|shard| shard.terms.all_names())
    }

    fn shard_of_chunk(&self, chunk: u32) -> (Terms<'b>, usize) {
        let shard = self.shard(|shard| shard.first_chunk, chunk);
        (shard.terms, (chunk - shard.first_chunk) as usize)
    }

    fn shard_of_file(&self, file: u32) -> (Terms<'b>, usize) {
        let shard = self.shard(|shard| shard.first_file, file);
        (shard.terms, (file - shard.first_file) as usize)
    }

    /// The last shard that starts at or before a number.
    fn shard(&self, first: impl Fn(&Shard) -> u32, number: u32) -> &Shard<'b> {
        &self.shards[self.shards.partition_point(|shard| first(shard) <= number) - 1]
    }
}
