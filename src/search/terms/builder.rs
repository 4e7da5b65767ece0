//! Serializes the counted terms of a shard. The bytes depend only on the records, not on the number of threads.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::count::{ChunkTerms, Counters, FileTerms};
use super::postings::{Posting, push, push_numbers};
use super::{FORM, FileFlags, Section};
use crate::flat::{push_varint, string_sections};
use crate::record::File;
use crate::search::numbered::TermList;
use crate::search::words::{Analyser, words};

/// Builds the term index of one shard. `files` are sorted by path.
pub fn build(files: &[(&File, &FileTerms)], counters: Counters) -> Vec<u8> {
    let dictionaries = counters.into_terms();
    let mut sections = Sections([const { Vec::new() }; Section::COUNT]);
    sections.add_files(files);
    sections.add_chunks(&files.iter().flat_map(|(_, terms)| &terms.chunks).collect::<Vec<_>>());
    sections.add_terms(files, &dictionaries);
    sections.add_names(files);
    FORM.write(&sections.0)
}

/// The content of each [`Section`], in its order.
struct Sections([Vec<u8>; Section::COUNT]);

impl Sections {
    fn put(&mut self, section: Section, bytes: Vec<u8>) {
        self.0[section as usize] = bytes;
    }

    fn add_files(&mut self, files: &[(&File, &FileTerms)]) {
        let [offsets, paths] = string_sections(files.iter().map(|(file, _)| file.file_rel_path.as_str()));
        self.put(Section::PathOffsets, offsets);
        self.put(Section::Paths, paths);
        self.put(Section::FileFlags, files.iter().map(|(file, _)| FileFlags::of(file).0).collect());
        let chunk_count = files.iter().map(|(_, terms)| terms.chunks.len() as u32).sum();
        self.put(Section::FileChunks, le_bytes(first_chunks(files).map(|(first, _)| first).chain([chunk_count])));
    }

    fn add_chunks(&mut self, chunks: &[&ChunkTerms]) {
        let mut offset = 0u64;
        let mut offsets = offset.to_le_bytes().to_vec();
        for chunk in chunks {
            offset += chunk.record_bytes;
            offsets.extend(offset.to_le_bytes());
        }
        self.put(Section::Uids, chunks.iter().flat_map(|chunk| chunk.uid.to_hash().to_le_bytes()).collect());
        self.put(Section::RecordOffsets, offsets);
        self.put(Section::Lines, le_bytes(chunks.iter().flat_map(|chunk| [chunk.lines.start, chunk.lines.end])));
        self.put(Section::Words, le_bytes(chunks.iter().map(|chunk| chunk.words)));
        self.put(Section::TextBytes, le_bytes(chunks.iter().map(|chunk| chunk.text_bytes)));
        self.put(Section::CodeLines, le_bytes(chunks.iter().map(|chunk| chunk.code_lines)));
        self.put(Section::ChunkFlags, chunks.iter().map(|chunk| chunk.flags.0).collect());
    }

    fn add_terms(&mut self, files: &[(&File, &FileTerms)], dictionaries: &[TermList]) {
        let in_paths = path_terms(files);
        let numbering = Numbering::new(dictionaries, &in_paths);
        let in_chunks = PostingLists::new(files, &numbering);
        let (mut terms, mut postings, mut path_postings) = (Vec::new(), Lists::default(), Lists::default());
        let mut next_path = 0;
        for (number, term) in numbering.terms.iter().enumerate() {
            let chunks = in_chunks.get(number);
            let paths = in_paths.get(next_path).filter(|(found, _)| found == term);
            // A file may have been read again with other content, so a dictionary may have terms that no file uses.
            if chunks.is_empty() && paths.is_none() {
                continue;
            }
            terms.push(*term);
            push_postings(chunks, &mut postings.bytes);
            postings.end();
            if let Some((_, list)) = paths {
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

    fn add_names(&mut self, files: &[(&File, &FileTerms)]) {
        let mut all: Vec<(&str, u32)> = first_chunks(files)
            .flat_map(|(first, terms)| terms.names.iter().map(move |(name, chunk)| (&**name, first + chunk)))
            .collect();
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

/// The terms of each file, with the number of the file's first chunk in the shard.
fn first_chunks<'f>(files: &[(&File, &'f FileTerms)]) -> impl Iterator<Item = (u32, &'f FileTerms)> {
    files.iter().scan(0, |next, (_, terms)| Some((std::mem::replace(next, *next + terms.chunks.len() as u32), *terms)))
}

fn push_postings(postings: &[Posting], bytes: &mut Vec<u8>) {
    if !postings.is_empty() {
        push_varint(postings.len() as u32, bytes);
    }
    let mut before = None;
    for posting in postings {
        push(*posting, before, bytes);
        before = Some(posting.chunk);
    }
}

/// A common numbering for the terms of all dictionaries and paths.
struct Numbering<'t> {
    /// Sorted by text.
    terms: Vec<&'t str>,
    /// For each dictionary, the common number of each of its terms.
    numbers: Vec<Vec<u32>>,
}

impl<'t> Numbering<'t> {
    fn new(dictionaries: &'t [TermList], in_paths: &'t [(String, Vec<u32>)]) -> Self {
        let place = |(dictionary, terms): (usize, &'t TermList)| {
            terms.iter().enumerate().map(move |(number, term)| (term.as_str(), Some((dictionary, number))))
        };
        let mut places: Vec<(&str, Option<(usize, usize)>)> = dictionaries.iter().enumerate().flat_map(place).collect();
        places.extend(in_paths.iter().map(|(term, _)| (term.as_str(), None)));
        places.par_sort_unstable();
        let mut terms: Vec<&str> = Vec::new();
        let mut numbers: Vec<Vec<u32>> = dictionaries.iter().map(|terms| vec![0; terms.len()]).collect();
        for (term, place) in places {
            if terms.last() != Some(&term) {
                terms.push(term);
            }
            if let Some((dictionary, number)) = place {
                numbers[dictionary][number] = terms.len() as u32 - 1;
            }
        }
        Numbering { terms, numbers }
    }

    /// The common numbers of the terms in a file's dictionary. Without counted files there is no dictionary.
    fn numbers_of(&self, file: &FileTerms) -> &[u32] {
        self.numbers.get(file.dictionary).map_or(&[], Vec::as_slice)
    }
}

/// The postings of all terms, one list after another.
struct PostingLists {
    /// Where the list of each term ends.
    ends: Vec<usize>,
    postings: Vec<Posting>,
}

impl PostingLists {
    /// A counting sort: files are in the order of their chunks, so every list is sorted too.
    fn new(files: &[(&File, &FileTerms)], numbering: &Numbering) -> Self {
        let mut ends = vec![0; numbering.terms.len() + 1];
        for (_, file) in files {
            let numbers = numbering.numbers_of(file);
            let terms = file.chunks.iter().flat_map(|chunk| &chunk.terms);
            terms.for_each(|term| ends[numbers[term.term as usize] as usize + 1] += 1);
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut postings = vec![Posting { chunk: 0, count: 0, fields: 0 }; ends[numbering.terms.len()]];
        for (first, file) in first_chunks(files) {
            let numbers = numbering.numbers_of(file);
            for (chunk, counted) in (first..).zip(&file.chunks) {
                for term in &counted.terms {
                    let free = &mut ends[numbers[term.term as usize] as usize];
                    postings[*free] = Posting { chunk, count: term.count, fields: term.fields };
                    *free += 1;
                }
            }
        }
        PostingLists { ends, postings }
    }

    fn get(&self, term: usize) -> &[Posting] {
        let start = if term == 0 { 0 } else { self.ends[term - 1] };
        &self.postings[start..self.ends[term]]
    }
}

/// Encoded lists, one after another, and where each ends.
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
        le_bytes([0].into_iter().chain(self.ends.iter().copied()))
    }
}

fn le_bytes(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    numbers.flat_map(u32::to_le_bytes).collect()
}

/// For each term, the files whose path contains it; sorted by term.
fn path_terms(files: &[(&File, &FileTerms)]) -> Vec<(String, Vec<u32>)> {
    let analyser = Analyser::default();
    let mut all: FxHashMap<String, Vec<u32>> = FxHashMap::default();
    for (at, (file, _)) in files.iter().enumerate() {
        let path = file.file_rel_path.as_str();
        let terms: FxHashSet<String> = words(path).flat_map(|(_, word)| analyser.terms(word)).collect();
        terms.into_iter().for_each(|term| all.entry(term).or_default().push(at as u32));
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    all
}
