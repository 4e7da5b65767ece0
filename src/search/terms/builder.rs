//! A shard's records into the bytes of its terms. What comes out depends on the records alone: they are
//! shared among threads in blocks, and the blocks' terms are merged in the order of terms and chunks.

use std::borrow::Cow;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::postings::{Field, Posting, push, push_numbers};
use super::{ChunkFlags, FORM, FileFlags, Section};
use crate::flat::{push_varint, string_sections};
use crate::record::{ChunkUid, File, Kind, Lines, Mark};
use crate::search::words::{Analyser, words};
use crate::text::RepoPath;

/// The records of one shard: its files, and the lines of its chunks and symbols as they are stored.
pub struct Source<'s> {
    pub files: &'s [File],
    pub chunks: &'s [u8],
    pub symbols: &'s [u8],
}

/// A line that is not a record, or one of a file that is not there.
#[derive(Debug, thiserror::Error)]
pub enum BuildFault {
    #[error("a line is not a record: {0}")]
    Line(#[from] serde_json::Error),
    #[error("a chunk is of `{0}`, which is not among the files")]
    Stray(String),
}

pub fn build(source: &Source) -> Result<Vec<u8>, BuildFault> {
    let defined = Defined::read(source.symbols)?;
    let lines: Vec<&[u8]> = source.chunks.split_inclusive(|byte| *byte == b'\n').collect();
    let block_lines = lines.len().div_ceil(BLOCKS).max(1);
    let blocks: Vec<Result<Block, BuildFault>> = lines
        .par_chunks(block_lines)
        .enumerate()
        .map(|(at, lines)| Block::read(lines, (at * block_lines) as u32, &defined))
        .collect();
    let blocks = blocks.into_iter().collect::<Result<Vec<_>, _>>()?;
    Sections::of(source, &lines, &blocks).map(|sections| FORM.write(&sections.0))
}

/// Enough for the threads of any machine; more would give the merge more to do.
const BLOCKS: usize = 16;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChunkRow<'l> {
    chunk_uid: ChunkUid,
    #[serde(borrow)]
    file_rel_path: Cow<'l, str>,
    kind: Kind,
    lines: Lines,
    #[serde(default, borrow)]
    qualified_name: Option<Cow<'l, str>>,
    #[serde(default, borrow)]
    signature: Option<Cow<'l, str>>,
    #[serde(borrow)]
    text: Cow<'l, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SymbolRow<'l> {
    chunk_uid: ChunkUid,
    #[serde(default, borrow)]
    doc: Option<Cow<'l, str>>,
    #[serde(borrow)]
    name: Cow<'l, str>,
}

/// What the symbols say of each chunk.
#[derive(Default)]
struct Defined<'l>(FxHashMap<ChunkUid, Vec<SymbolRow<'l>>>);

impl<'l> Defined<'l> {
    fn read(lines: &'l [u8]) -> Result<Self, BuildFault> {
        let lines: Vec<&[u8]> = lines.split_inclusive(|byte| *byte == b'\n').collect();
        let rows: Vec<SymbolRow> =
            lines.par_iter().map(|line| serde_json::from_slice(line)).collect::<Result<_, _>>()?;
        let mut defined = Defined::default();
        rows.into_iter().for_each(|row| defined.0.entry(row.chunk_uid).or_default().push(row));
        Ok(defined)
    }

    fn of(&self, uid: ChunkUid) -> &[SymbolRow<'l>] {
        self.0.get(&uid).map_or(&[], Vec::as_slice)
    }
}

/// Some chunks in a row, and the terms in them.
struct Block {
    chunks: Vec<ChunkEntry>,
    /// By term.
    terms: Vec<(String, Vec<Posting>)>,
    /// Which chunk defines which name.
    names: Vec<(String, u32)>,
}

struct ChunkEntry {
    uid: ChunkUid,
    path: String,
    lines: Lines,
    words: u32,
    text_bytes: u32,
    code_lines: u32,
    flags: u8,
}

impl Block {
    fn read(lines: &[&[u8]], first: u32, defined: &Defined) -> Result<Block, BuildFault> {
        let mut counter = Counter::default();
        let mut block = Block { chunks: Vec::with_capacity(lines.len()), terms: Vec::new(), names: Vec::new() };
        for (at, line) in lines.iter().enumerate() {
            let row: ChunkRow = serde_json::from_slice(line)?;
            let chunk = first + at as u32;
            let symbols = defined.of(row.chunk_uid);
            let words = counter.count(chunk, &row, symbols);
            block.names.extend(symbols.iter().map(|symbol| (symbol.name.to_string(), chunk)));
            block.chunks.push(ChunkEntry {
                uid: row.chunk_uid,
                lines: row.lines,
                words,
                text_bytes: row.text.len() as u32,
                code_lines: row.text.lines().filter(|line| is_code(line)).count() as u32,
                flags: flags(&row),
                path: row.file_rel_path.into_owned(),
            });
        }
        block.terms = counter.terms.into_iter().zip(counter.postings).collect();
        block.terms.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(block)
    }
}

/// Neither blank nor, by its first letters, a comment in any language.
fn is_code(line: &str) -> bool {
    const COMMENTS: &[&str] = &["#", "//", "/*", "*", "--", "\"\"\""];
    let line = line.trim_start();
    !line.is_empty() && !COMMENTS.iter().any(|comment| line.starts_with(comment))
}

fn flags(row: &ChunkRow) -> u8 {
    let callable = matches!(row.kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro);
    if callable { ChunkFlags::CALLABLE } else { 0 }
}

/// Counts the terms of one chunk after the other. A word is taken apart once; after that it is numbers.
#[derive(Default)]
struct Counter {
    analyser: Analyser,
    /// Where in `lists` the terms of each word seen so far stand.
    words: FxHashMap<String, (u32, u32)>,
    lists: Vec<u32>,
    numbers: FxHashMap<String, u32>,
    terms: Vec<String>,
    postings: Vec<Vec<Posting>>,
}

impl Counter {
    /// Gives the number of words in the text.
    fn count(&mut self, chunk: u32, row: &ChunkRow, symbols: &[SymbolRow]) -> u32 {
        let mut length = 0;
        for (_, word) in words(&row.text) {
            length += 1;
            self.each(word, chunk, |posting| posting.count += 1);
        }
        let mut mark = |text: &str, field: Field| {
            words(text).for_each(|(_, word)| self.each(word, chunk, |posting| posting.fields |= field as u8));
        };
        row.signature.iter().for_each(|text| mark(text, Field::Signature));
        row.qualified_name.iter().for_each(|name| mark(name, Field::Name));
        for symbol in symbols {
            mark(&symbol.name, Field::Name);
            symbol.doc.iter().for_each(|doc| mark(doc, Field::Doc));
        }
        length
    }

    fn each(&mut self, word: &str, chunk: u32, count: impl Fn(&mut Posting)) {
        let (start, end) = match self.words.get(word) {
            Some(list) => *list,
            None => self.add_word(word),
        };
        for term in &self.lists[start as usize..end as usize] {
            let postings = &mut self.postings[*term as usize];
            if postings.last().is_none_or(|last| last.chunk != chunk) {
                postings.push(Posting { chunk, count: 0, fields: 0 });
            }
            count(postings.last_mut().expect("one was pushed"));
        }
    }

    fn add_word(&mut self, word: &str) -> (u32, u32) {
        let start = self.lists.len() as u32;
        for term in self.analyser.terms(word) {
            let number = self.number(term);
            self.lists.push(number);
        }
        let list = (start, self.lists.len() as u32);
        self.words.insert(word.to_string(), list);
        list
    }

    fn number(&mut self, term: String) -> u32 {
        if let Some(number) = self.numbers.get(&term) {
            return *number;
        }
        let number = self.terms.len() as u32;
        self.terms.push(term.clone());
        self.postings.push(Vec::new());
        self.numbers.insert(term, number);
        number
    }
}

/// The content of each [`Section`], in its order.
struct Sections([Vec<u8>; Section::COUNT]);

impl Sections {
    fn of(source: &Source, lines: &[&[u8]], blocks: &[Block]) -> Result<Self, BuildFault> {
        let mut sections = Sections([const { Vec::new() }; Section::COUNT]);
        let chunks: Vec<&ChunkEntry> = blocks.iter().flat_map(|block| &block.chunks).collect();
        sections.add_files(source.files, &chunks)?;
        sections.add_chunks(&chunks, lines);
        sections.add_terms(source.files, blocks);
        sections.add_names(blocks);
        Ok(sections)
    }

    fn put(&mut self, section: Section, bytes: Vec<u8>) {
        self.0[section as usize] = bytes;
    }

    fn add_files(&mut self, files: &[File], chunks: &[&ChunkEntry]) -> Result<(), BuildFault> {
        let (mut firsts, mut next) = (Vec::new(), 0);
        for file in files {
            firsts.push(next as u32);
            next += chunks[next..].iter().take_while(|chunk| chunk.path == file.file_rel_path.as_str()).count();
        }
        if let Some(stray) = chunks.get(next) {
            return Err(BuildFault::Stray(stray.path.clone()));
        }
        firsts.push(next as u32);
        let [offsets, paths] = string_sections(files.iter().map(|file| file.file_rel_path.as_str()));
        self.put(Section::PathOffsets, offsets);
        self.put(Section::Paths, paths);
        self.put(Section::FileFlags, files.iter().map(file_flags).collect());
        self.put(Section::FileChunks, words_of(firsts.into_iter()));
        Ok(())
    }

    fn add_chunks(&mut self, chunks: &[&ChunkEntry], lines: &[&[u8]]) {
        let mut offset = 0u64;
        let mut offsets = offset.to_le_bytes().to_vec();
        for line in lines {
            offset += line.len() as u64;
            offsets.extend(offset.to_le_bytes());
        }
        self.put(Section::Uids, chunks.iter().flat_map(|chunk| chunk.uid.to_hash().to_le_bytes()).collect());
        self.put(Section::RecordOffsets, offsets);
        self.put(Section::Lines, words_of(chunks.iter().flat_map(|chunk| [chunk.lines.start, chunk.lines.end])));
        self.put(Section::Words, words_of(chunks.iter().map(|chunk| chunk.words)));
        self.put(Section::TextBytes, words_of(chunks.iter().map(|chunk| chunk.text_bytes)));
        self.put(Section::CodeLines, words_of(chunks.iter().map(|chunk| chunk.code_lines)));
        self.put(Section::ChunkFlags, chunks.iter().map(|chunk| chunk.flags).collect());
    }

    fn add_terms(&mut self, files: &[File], blocks: &[Block]) {
        let in_paths = path_terms(files);
        let mut in_chunks: Vec<(&str, &[Posting])> =
            blocks.iter().flat_map(|block| block.terms.iter().map(|(term, list)| (term.as_str(), &list[..]))).collect();
        // Stable: the lists of one term stay in the order of the blocks, which is that of their chunks.
        in_chunks.par_sort_by_key(|(term, _)| *term);
        let mut terms: Vec<&str> =
            in_chunks.iter().map(|(term, _)| *term).chain(in_paths.iter().map(|(term, _)| term.as_str())).collect();
        terms.sort_unstable();
        terms.dedup();
        let (mut postings, mut path_postings) = (Lists::default(), Lists::default());
        let (mut next, mut next_path) = (0, 0);
        for term in &terms {
            let lists = in_chunks[next..].iter().take_while(|(found, _)| found == term).count();
            let lists = &in_chunks[next..next + lists];
            next += lists.len();
            if !lists.is_empty() {
                push_varint(lists.iter().map(|(_, list)| list.len() as u32).sum(), &mut postings.bytes);
            }
            let mut before = None;
            for posting in lists.iter().flat_map(|(_, list)| *list) {
                push(*posting, before, &mut postings.bytes);
                before = Some(posting.chunk);
            }
            postings.end();
            if let Some((_, list)) = in_paths.get(next_path).filter(|(found, _)| found == term) {
                push_numbers(list, &mut path_postings.bytes);
                next_path += 1;
            }
            path_postings.end();
        }
        let [offsets, text] = string_sections(terms.into_iter());
        self.put(Section::TermOffsets, offsets);
        self.put(Section::Terms, text);
        self.put(Section::PostingOffsets, postings.offsets());
        self.put(Section::Postings, postings.bytes);
        self.put(Section::PathPostingOffsets, path_postings.offsets());
        self.put(Section::PathPostings, path_postings.bytes);
    }

    fn add_names(&mut self, blocks: &[Block]) {
        let mut all: Vec<(&str, u32)> = blocks.iter().flat_map(|block| &block.names).map(|(n, c)| (&**n, *c)).collect();
        all.par_sort_unstable();
        all.dedup();
        let (mut names, mut lists) = (Vec::new(), Lists::default());
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            names.push(same[0].0);
            push_numbers(&same.iter().map(|(_, chunk)| *chunk).collect::<Vec<_>>(), &mut lists.bytes);
            lists.end();
        }
        let [offsets, text] = string_sections(names.into_iter());
        self.put(Section::NameOffsets, offsets);
        self.put(Section::Names, text);
        self.put(Section::DefinitionOffsets, lists.offsets());
        self.put(Section::Definitions, lists.bytes);
    }
}

/// Lists one behind the other, and where each ends.
#[derive(Default)]
struct Lists {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Lists {
    fn end(&mut self) {
        self.ends.push(u32::try_from(self.bytes.len()).expect("a shard's postings are far smaller than 4 GiB"));
    }

    fn offsets(&self) -> Vec<u8> {
        words_of([0].into_iter().chain(self.ends.iter().copied()))
    }
}

fn words_of(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    numbers.flat_map(u32::to_le_bytes).collect()
}

/// The files whose path holds a term, sorted by term. A file name as a whole is a term too.
fn path_terms(files: &[File]) -> Vec<(String, Vec<u32>)> {
    let analyser = Analyser::default();
    let mut all: FxHashMap<String, Vec<u32>> = FxHashMap::default();
    for (at, file) in files.iter().enumerate() {
        let path = file.file_rel_path.as_str();
        let terms: FxHashSet<String> = words(path).flat_map(|(_, word)| analyser.terms(word)).collect();
        terms.into_iter().for_each(|term| all.entry(term).or_default().push(at as u32));
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    all
}

const PROSE: &[&str] = &["markdown", "rst", "text"];
const DATA: &[&str] = &["json", "toml", "yaml"];
/// How files begin that record what happened and who did it, in lower case.
const RECORDS: &[&str] = &[
    "authors",
    "changelog",
    "changes",
    "contributors",
    "copying",
    "history",
    "license",
    "licence",
    "news",
    "releases",
];

fn file_flags(file: &File) -> u8 {
    let language = file.language_id.as_ref().map(|id| id.as_str());
    let is_in = |list: &[&str]| language.is_some_and(|language| list.contains(&language));
    let given = [
        (file.marks.contains(&Mark::Test), FileFlags::TEST),
        (file.marks.contains(&Mark::Vendored), FileFlags::VENDORED),
        (is_made(file), FileFlags::GENERATED),
        (language.is_none() || is_in(PROSE), FileFlags::PROSE),
        (is_in(DATA), FileFlags::DATA),
        (file.file_rel_path.folders().any(|folder| EXAMPLES.contains(&folder)), FileFlags::EXAMPLE),
        ((language.is_none() || is_in(PROSE)) && is_record(&file.file_rel_path), FileFlags::RECORDS),
    ];
    given.iter().filter(|(is, _)| *is).fold(0, |flags, (_, flag)| flags | flag)
}

/// Folders of code that only shows how other code is used, or how fast it is.
const EXAMPLES: &[&str] =
    &["bench", "benches", "benchmark", "benchmarks", "demo", "demos", "example", "examples", "sample", "samples"];

/// Folders that hold what a build made.
const BUILT: &[&str] = &["build", "bundle", "bundles", "dist", "out"];

fn is_made(file: &File) -> bool {
    let marked = file.marks.contains(&Mark::Generated) || file.marks.contains(&Mark::Minified);
    marked || file.file_rel_path.folders().any(|folder| BUILT.contains(&folder))
}

fn is_record(path: &RepoPath) -> bool {
    let parts = path.folders().chain([path.file_name()]).map(str::to_lowercase);
    parts.into_iter().any(|part| RECORDS.iter().any(|record| part.starts_with(record)))
}
