//! The term index of one shard, as an accelerator: which chunks contain a term, in which fields and how often; which
//! chunks define a name; where each chunk's record is. It is read in place, without parsing.
//!
//! Pure: [`Counters`] count the terms of files, [`build`] turns them into bytes, [`Terms`] reads the bytes.

mod builder;
mod count;
mod flags;
mod postings;

use std::ops::Range;

pub use builder::build;
pub use count::{Counters, FileContent, FileTerms};
pub use flags::{ChunkFlags, FileFlags, is_in_test_module, only_importing};
pub use postings::{Field, Posting, Postings};

use crate::flat::{FlatFault, Form, Strings, is_rising, number, rows};
use crate::record::ChunkUid;

/// The accelerator's name in the manifest and in file names.
pub const NAME: &str = "terms";
/// 2: each list of postings begins with its length; chunks have a number of code lines and a flag for callables.
/// 3: a flag for boilerplate.
pub const VERSION: u32 = 3;

const FORM: Form = Form { magic: *b"ctxpkter", version: VERSION, sections: Section::COUNT };

/// The sections, in the order of the file.
#[derive(Clone, Copy)]
enum Section {
    /// The files of the shard, sorted by path.
    PathOffsets,
    Paths,
    /// [`FileFlags`].
    FileFlags,
    /// The first chunk of each file, and the number of chunks: u32.
    FileChunks,
    /// The chunks in the order of their records: u64.
    Uids,
    /// Where each chunk's line starts among the lines of its piece, and where the last one ends: u64.
    RecordOffsets,
    /// First and last line of each chunk: u32 twice.
    Lines,
    /// Words of each chunk's text: u32.
    Words,
    /// Bytes of each chunk's text: u32.
    TextBytes,
    /// Lines of code in each chunk's text: u32.
    CodeLines,
    /// [`ChunkFlags`].
    ChunkFlags,
    TermOffsets,
    Terms,
    /// Where each term's postings start, and where the last ones end: u32. Each list begins with its length.
    PostingOffsets,
    Postings,
    /// The same for the files whose path contains the term.
    PathPostingOffsets,
    PathPostings,
    /// Defined names, exactly as written.
    NameOffsets,
    Names,
    DefinitionOffsets,
    /// The chunks that define each name.
    Definitions,
}

impl Section {
    const COUNT: usize = Section::Definitions as usize + 1;
}

/// The terms of one shard. A number of a chunk, file or term that does not exist panics, like a slice index.
#[derive(Clone, Copy)]
pub struct Terms<'b> {
    paths: Strings<'b>,
    file_flags: &'b [u8],
    file_chunks: &'b [[u8; 4]],
    uids: &'b [[u8; 8]],
    record_offsets: &'b [[u8; 8]],
    lines: &'b [[u8; 8]],
    words: &'b [[u8; 4]],
    text_bytes: &'b [[u8; 4]],
    code_lines: &'b [[u8; 4]],
    chunk_flags: &'b [u8],
    terms: Strings<'b>,
    postings: Lists<'b>,
    path_postings: Lists<'b>,
    names: Strings<'b>,
    definitions: Lists<'b>,
}

/// Why bytes are not a valid term index. The text continues a sentence after "because".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermsFault {
    #[error(transparent)]
    Form(#[from] FlatFault),
    #[error("its sections do not fit each other")]
    Sections,
}

#[derive(Clone, Copy)]
struct Lists<'b> {
    offsets: &'b [[u8; 4]],
    bytes: &'b [u8],
}

impl<'b> Terms<'b> {
    pub fn parse(bytes: &'b [u8]) -> Result<Self, TermsFault> {
        let sections = FORM.parse(bytes)?;
        Self::from_sections(|section| sections[section as usize]).ok_or(TermsFault::Sections)
    }

    fn from_sections(section: impl Fn(Section) -> &'b [u8]) -> Option<Self> {
        let paths = Strings::parse(section(Section::PathOffsets), section(Section::Paths))?;
        let terms = Strings::parse(section(Section::TermOffsets), section(Section::Terms))?;
        let names = Strings::parse(section(Section::NameOffsets), section(Section::Names))?;
        let chunks = section(Section::Uids).len() / 8;
        let lists = |offsets: Section, bytes: Section, count: usize| {
            Lists::parse(rows(section(offsets), count + 1)?, section(bytes))
        };
        let terms = Terms {
            paths,
            file_flags: section(Section::FileFlags),
            file_chunks: rows(section(Section::FileChunks), paths.count() + 1)?,
            uids: rows(section(Section::Uids), chunks)?,
            record_offsets: rows(section(Section::RecordOffsets), chunks + 1)?,
            lines: rows(section(Section::Lines), chunks)?,
            words: rows(section(Section::Words), chunks)?,
            text_bytes: rows(section(Section::TextBytes), chunks)?,
            code_lines: rows(section(Section::CodeLines), chunks)?,
            chunk_flags: section(Section::ChunkFlags),
            terms,
            postings: lists(Section::PostingOffsets, Section::Postings, terms.count())?,
            path_postings: lists(Section::PathPostingOffsets, Section::PathPostings, terms.count())?,
            names,
            definitions: lists(Section::DefinitionOffsets, Section::Definitions, names.count())?,
        };
        terms.is_sound(chunks).then_some(terms)
    }

    /// Checks what accesses rely on. Numbers inside postings are checked when they are read.
    fn is_sound(&self, chunks: usize) -> bool {
        self.file_flags.len() == self.paths.count()
            && self.chunk_flags.len() == chunks
            && self.file_chunks.first().map(number) == Some(0)
            && is_rising(self.file_chunks)
            && self.file_chunks.last().map(number) == Some(chunks)
            && is_rising(self.record_offsets)
    }

    pub fn chunk_count(&self) -> usize {
        self.uids.len()
    }

    pub fn file_count(&self) -> usize {
        self.file_flags.len()
    }

    pub fn path(&self, file: usize) -> &'b str {
        self.paths.get(file)
    }

    pub fn file(&self, path: &str) -> Option<usize> {
        self.paths.find(path)
    }

    pub fn file_flags(&self, file: usize) -> FileFlags {
        FileFlags(self.file_flags[file])
    }

    pub fn chunks_of(&self, file: usize) -> Range<usize> {
        number(&self.file_chunks[file])..number(&self.file_chunks[file + 1])
    }

    pub fn file_of(&self, chunk: usize) -> usize {
        self.file_chunks.partition_point(|first| number(first) <= chunk) - 1
    }

    pub fn uid(&self, chunk: usize) -> ChunkUid {
        ChunkUid::from_hash(u64::from_le_bytes(self.uids[chunk]))
    }

    /// Where the chunk's line is among the lines of its piece, including its line break.
    pub fn record(&self, chunk: usize) -> Range<u64> {
        let offset = |at: usize| u64::from_le_bytes(self.record_offsets[at]);
        offset(chunk)..offset(chunk + 1)
    }

    /// The first and last line of a chunk.
    pub fn lines(&self, chunk: usize) -> (u32, u32) {
        let (lines, _) = self.lines[chunk].as_chunks::<4>();
        (u32::from_le_bytes(lines[0]), u32::from_le_bytes(lines[1]))
    }

    pub fn words(&self, chunk: usize) -> u32 {
        u32::from_le_bytes(self.words[chunk])
    }

    pub fn text_bytes(&self, chunk: usize) -> u32 {
        u32::from_le_bytes(self.text_bytes[chunk])
    }

    pub fn code_lines(&self, chunk: usize) -> u32 {
        u32::from_le_bytes(self.code_lines[chunk])
    }

    pub fn chunk_flags(&self, chunk: usize) -> ChunkFlags {
        ChunkFlags(self.chunk_flags[chunk])
    }

    /// The number of a term.
    pub fn term(&self, term: &str) -> Option<usize> {
        self.terms.find(term)
    }

    pub fn all_terms(&self) -> impl Iterator<Item = &'b str> {
        self.terms.iter()
    }

    /// The chunks that contain a term.
    pub fn postings(&self, term: usize) -> Postings<'b> {
        Postings::new(self.postings.get(term), self.chunk_count()).1
    }

    /// How many chunks contain a term.
    pub fn holders(&self, term: usize) -> u32 {
        Postings::new(self.postings.get(term), self.chunk_count()).0.min(self.chunk_count() as u32)
    }

    /// The files whose path contains a term.
    pub fn files_with(&self, term: usize) -> impl Iterator<Item = usize> + use<'b> {
        postings::numbers(self.path_postings.get(term), self.file_count())
    }

    /// The number of a defined name, exactly as written.
    pub fn name(&self, name: &str) -> Option<usize> {
        self.names.find(name)
    }

    pub fn all_names(&self) -> impl Iterator<Item = &'b str> {
        self.names.iter()
    }

    /// The chunks that define a name.
    pub fn definitions(&self, name: usize) -> impl Iterator<Item = usize> + use<'b> {
        postings::numbers(self.definitions.get(name), self.chunk_count())
    }
}

impl<'b> Lists<'b> {
    fn parse(offsets: &'b [[u8; 4]], bytes: &'b [u8]) -> Option<Self> {
        (is_rising(offsets) && offsets.last().map(number) == Some(bytes.len())).then_some(Lists { offsets, bytes })
    }

    fn get(&self, at: usize) -> &'b [u8] {
        &self.bytes[number(&self.offsets[at])..number(&self.offsets[at + 1])]
    }
}

#[cfg(test)]
mod tests;
