//! Counts the terms of files, one file at a time, while their records are in memory.
//!
//! Many threads count at the same time. Each thread numbers terms in its own dictionary, so that a word is split and
//! stemmed once per thread. [`build`](super::build) merges the numbers.

use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::postings::Field;
use super::{ChunkFlags, Terms};
use crate::record::{Chunk, ChunkUid, Lines, Symbol};
use crate::search::numbered::{NumberedTerms, TermList};
use crate::search::words::words;

/// The dictionaries of one shard. A thread that counts a file borrows one of them.
#[derive(Default)]
pub struct Counters(Mutex<Pool>);

#[derive(Default)]
struct Pool {
    /// How many dictionaries there are, idle or not.
    count: usize,
    idle: Vec<Dictionary>,
}

/// The records of one file.
pub struct FileContent<'r> {
    pub chunks: &'r [Chunk],
    /// The same chunks as stored lines.
    pub chunk_lines: &'r [u8],
    pub symbols: &'r [Symbol],
    /// See [`only_importing`](super::only_importing).
    pub only_importing: &'r [ChunkUid],
}

/// What the term index needs to know about one file.
#[derive(Default)]
pub struct FileTerms {
    /// The dictionary that numbers its terms.
    pub(super) dictionary: usize,
    pub(super) chunks: Vec<ChunkTerms>,
    /// Each name that the file defines, with the index of the defining chunk within the file.
    pub(super) names: Vec<(String, u32)>,
}

pub(super) struct ChunkTerms {
    pub uid: ChunkUid,
    pub lines: Lines,
    pub words: u32,
    pub text_bytes: u32,
    pub code_lines: u32,
    /// Length of the stored record, including its line break.
    pub record_bytes: u64,
    pub flags: ChunkFlags,
    /// Distinct terms, in any order.
    pub terms: Vec<TermCount>,
}

#[derive(Clone, Copy)]
pub(super) struct TermCount {
    /// Its number in the dictionary of the file.
    pub term: u32,
    /// How often it occurs in the text.
    pub count: u32,
    /// Bits of [`Field`].
    pub fields: u8,
}

impl Counters {
    /// Counts the terms of a file that was just analysed.
    pub fn count(&self, content: &FileContent) -> FileTerms {
        let mut dictionary = self.borrow();
        let file = dictionary.count_file(content);
        self.pool().idle.push(dictionary);
        file
    }

    /// Copies the terms of some files from an earlier run. `files` are file numbers of that run.
    pub fn reuse(&self, previous: &Terms, files: &[usize]) -> Vec<FileTerms> {
        let mut dictionary = self.new_dictionary();
        let reused = dictionary.reuse_files(previous, files);
        self.pool().idle.push(dictionary);
        reused
    }

    /// The terms of each dictionary, in the order of dictionary numbers.
    pub(super) fn into_terms(self) -> Vec<TermList> {
        let mut dictionaries = self.0.into_inner().unwrap_or_else(PoisonError::into_inner).idle;
        dictionaries.sort_unstable_by_key(|dictionary| dictionary.number);
        dictionaries.into_iter().map(|dictionary| dictionary.terms.into_terms()).collect()
    }

    fn borrow(&self) -> Dictionary {
        let idle = self.pool().idle.pop();
        idle.unwrap_or_else(|| self.new_dictionary())
    }

    fn new_dictionary(&self) -> Dictionary {
        let mut pool = self.pool();
        pool.count += 1;
        Dictionary { number: pool.count - 1, ..Dictionary::default() }
    }

    fn pool(&self) -> std::sync::MutexGuard<'_, Pool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
struct Dictionary {
    number: usize,
    terms: NumberedTerms,
    /// For each term, the last chunk that contains it, and its index among the terms of that chunk.
    last_seen: Vec<(u32, u32)>,
    /// How many chunks were counted; also the number of the current chunk.
    chunk_count: u32,
}

impl Dictionary {
    fn count_file(&mut self, content: &FileContent) -> FileTerms {
        let mut symbols: FxHashMap<ChunkUid, Vec<&Symbol>> = FxHashMap::default();
        content.symbols.iter().for_each(|symbol| symbols.entry(symbol.chunk_uid).or_default().push(symbol));
        let only_importing: FxHashSet<ChunkUid> = content.only_importing.iter().copied().collect();
        let mut file = FileTerms { dictionary: self.number, ..FileTerms::default() };
        let mut start = 0;
        for (chunk, end) in content.chunks.iter().zip(memchr::memchr_iter(b'\n', content.chunk_lines)) {
            let symbols = symbols.get(&chunk.chunk_uid).map_or(&[][..], Vec::as_slice);
            let number = file.chunks.len() as u32;
            file.names.extend(symbols.iter().map(|symbol| (symbol.name.clone(), number)));
            let record_bytes = (end + 1 - std::mem::replace(&mut start, end + 1)) as u64;
            let code_lines = code_lines(&chunk.text);
            let flags = ChunkFlags::of(chunk, symbols, code_lines, only_importing.contains(&chunk.chunk_uid));
            let terms = self.count_chunk(chunk, symbols);
            file.chunks.push(ChunkTerms { code_lines, flags, record_bytes, ..terms });
        }
        file
    }

    /// Its terms, without the facts that do not depend on words.
    fn count_chunk(&mut self, chunk: &Chunk, symbols: &[&Symbol]) -> ChunkTerms {
        self.chunk_count += 1;
        let (mut word_count, mut terms) = (0, Vec::new());
        for (_, word) in words(&chunk.text) {
            word_count += 1;
            self.add(word, &mut terms, |term| term.count += 1);
        }
        let mut mark = |text: &str, field: Field| {
            words(text).for_each(|(_, word)| self.add(word, &mut terms, |term| term.fields |= field as u8));
        };
        chunk.signature.iter().for_each(|text| mark(text, Field::Signature));
        chunk.qualified_name.iter().for_each(|name| mark(name, Field::Name));
        for symbol in symbols {
            mark(&symbol.name, Field::Name);
            symbol.doc.iter().for_each(|doc| mark(doc, Field::Doc));
        }
        ChunkTerms {
            uid: chunk.chunk_uid,
            lines: chunk.lines,
            words: word_count,
            text_bytes: chunk.text.len() as u32,
            code_lines: 0,
            record_bytes: 0,
            flags: ChunkFlags(0),
            terms,
        }
    }

    /// Applies `change` to the count of every term of a word in the current chunk.
    fn add(&mut self, word: &str, terms: &mut Vec<TermCount>, change: impl Fn(&mut TermCount)) {
        let list = self.terms.of_word(word);
        self.last_seen.resize(self.terms.count(), (0, 0));
        for term in self.terms.list(list) {
            let (chunk, at) = &mut self.last_seen[*term as usize];
            if *chunk != self.chunk_count {
                (*chunk, *at) = (self.chunk_count, terms.len() as u32);
                terms.push(TermCount { term: *term, count: 0, fields: 0 });
            }
            change(&mut terms[*at as usize]);
        }
    }

    fn reuse_files(&mut self, previous: &Terms, files: &[usize]) -> Vec<FileTerms> {
        let facts = |file: &usize| self.reused_facts(previous, *file);
        let mut reused: Vec<FileTerms> = files.iter().map(facts).collect();
        let mut owners = vec![None; previous.chunk_count()];
        for (at, file) in files.iter().enumerate() {
            previous.chunks_of(*file).enumerate().for_each(|(number, chunk)| owners[chunk] = Some((at, number)));
        }
        for (term, text) in previous.all_terms().enumerate() {
            let mut own_number = None;
            for posting in previous.postings(term) {
                let Some((file, chunk)) = owners[posting.chunk as usize] else { continue };
                let term = *own_number.get_or_insert_with(|| self.terms.number(text));
                let counted = TermCount { term, count: posting.count, fields: posting.fields };
                reused[file].chunks[chunk].terms.push(counted);
            }
        }
        self.last_seen.resize(self.terms.count(), (0, 0));
        for (name, text) in previous.all_names().enumerate() {
            for (file, chunk) in previous.definitions(name).filter_map(|chunk| owners[chunk]) {
                reused[file].names.push((text.to_string(), chunk as u32));
            }
        }
        reused
    }

    fn reused_facts(&self, previous: &Terms, file: usize) -> FileTerms {
        let facts = |chunk: usize| {
            let (start, end) = previous.lines(chunk);
            let record = previous.record(chunk);
            ChunkTerms {
                uid: previous.uid(chunk),
                lines: Lines { start, end },
                words: previous.words(chunk),
                text_bytes: previous.text_bytes(chunk),
                code_lines: previous.code_lines(chunk),
                record_bytes: record.end - record.start,
                flags: previous.chunk_flags(chunk),
                terms: Vec::new(),
            }
        };
        let chunks = previous.chunks_of(file).map(facts).collect();
        FileTerms { dictionary: self.number, chunks, names: Vec::new() }
    }
}

/// How many lines are code.
fn code_lines(text: &str) -> u32 {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    let mut start = 0;
    ends.filter(|end| is_code(&text[std::mem::replace(&mut start, end + 1)..*end])).count() as u32
}

/// Whether a line is neither blank nor starts like a comment in any language.
fn is_code(line: &str) -> bool {
    const COMMENTS: &[&str] = &["#", "//", "/*", "*", "--", "\"\"\""];
    let line = line.trim_start();
    !line.is_empty() && !COMMENTS.iter().any(|comment| line.starts_with(comment))
}
