//! Makes what a reader may see of a few blocks, for tests. The functions of the real stages build the index in memory, so
//! a test sees what a user would see.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use super::{Leak, ReadableBlocks};
use crate::chunk::blocks::{Blocks as AllBlocks, chunk};
use crate::chunk::{Chunked, Config, Source};
use crate::dialect::workspace::audiences::Workspace;
use crate::dialect::workspace::{RowRules, WorkspaceFile, read, recognised};
use crate::graph::blocks::{Blocks, Texts, build};
use crate::record::{ChunkNo, ChunkUid, File, Item, Principal, Reader};
use crate::search::Corpus;
use crate::search::terms::{self, Counters, FileContent, Terms};
use crate::text::RepoPath;

/// The index of a workspace.
pub struct TestIndex {
    blocks: Vec<u8>,
    terms: Vec<u8>,
}

/// Somebody with these principals, besides `public`.
pub fn reader(principals: &[&str]) -> Reader {
    let principal = |text: &&str| Principal::try_from(text.to_string()).expect("tests name principals");
    Reader::As(["public"].iter().chain(principals).map(principal).collect())
}

/// Calls `test` with what a reader may see of the lines of a `blocks.jsonl`.
pub fn with_blocks<R>(jsonl: &str, reader: &Reader, test: impl FnOnce(&ReadableBlocks) -> R) -> R {
    with_files(&[("blocks.jsonl", jsonl)], reader, test)
}

/// Calls `test` with what a reader may see of a workspace of several files. At least one holds a block.
pub fn with_files<R>(files: &[(&str, &str)], reader: &Reader, test: impl FnOnce(&ReadableBlocks) -> R) -> R {
    TestIndex::new(files).with(reader, None, test)
}

impl TestIndex {
    /// Everybody may read what nobody restricts.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let texts: Vec<&str> = sorted(files).into_iter().map(|(_, text)| text).collect();
        let read: Vec<(RepoPath, Arc<WorkspaceFile>)> = sorted(files).into_iter().map(read_file).collect();
        let workspace = Workspace::new(read.clone(), &["public".to_string()]);
        let blocks = Arc::new(AllBlocks { workspace, rules: RowRules::default() });
        let config = Config { blocks: Some(blocks.clone()), ..Config::default() };
        let mut taken = BTreeSet::new();
        let mut chunked = Vec::new();
        for ((path, file), text) in read.iter().zip(texts) {
            let records = chunk(&Source { path, text, language: None, notes: None }, file, &blocks, &config, &taken);
            taken.extend(records.chunks.iter().map(|chunk| chunk.chunk_uid));
            chunked.push(records);
        }
        let files: Vec<File> =
            read.iter().zip(&chunked).map(|((path, file), records)| record(path, file, records)).collect();
        TestIndex { blocks: blocks_of(&files, &chunked), terms: terms_of(&files, &chunked) }
    }

    /// Calls `test` with what a reader may see, or with what a view with a leak shows.
    pub fn with<R>(&self, reader: &Reader, leak: Option<Leak>, test: impl FnOnce(&ReadableBlocks) -> R) -> R {
        let blocks = Blocks::parse(&self.blocks).expect("it was built here");
        let corpus = Corpus::new([(0, Terms::parse(&self.terms).expect("it was built here"))]);
        test(&ReadableBlocks::of(&blocks, &corpus, reader).with_leak(leak))
    }
}

fn sorted<'f>(files: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let mut files = files.to_vec();
    files.sort_unstable();
    files
}

fn read_file((path, text): (&str, &str)) -> (RepoPath, Arc<WorkspaceFile>) {
    let path = RepoPath::try_from(path.to_string()).expect("tests name paths");
    let kind = recognised(&path, text).unwrap_or_else(|| panic!("{path} is no file of a workspace"));
    let file = read(kind, text).unwrap_or_else(|fault| panic!("{path}: {}", fault.0));
    assert!(file.troubles.is_empty(), "{path}: {:?}", file.troubles);
    (path, Arc::new(file))
}

fn record(path: &RepoPath, file: &WorkspaceFile, records: &Chunked) -> File {
    let chunks: Vec<ChunkUid> = records.chunks.iter().map(|chunk| chunk.chunk_uid).collect();
    let record = json!({
        "analysis": "parsed", "bytes": 0, "chunks": chunks, "fileRelPath": path, "lines": 0, "references": 0,
        "sourceKind": file.kind, "symbols": 0,
    });
    serde_json::from_value(record).expect("a record of a file")
}

fn blocks_of(files: &[File], chunked: &[Chunked]) -> Vec<u8> {
    let items: Vec<Item> = chunked.iter().flat_map(|records| records.items.iter().cloned()).collect();
    let chunks = chunked.iter().flat_map(|records| &records.chunks);
    let text = |(number, chunk): (usize, &crate::record::Chunk)| -> (ChunkUid, (ChunkNo, String)) {
        (chunk.chunk_uid, (ChunkNo(number as u32), chunk.text.clone()))
    };
    let texts: Texts = chunks.enumerate().map(text).collect();
    build(&items, files, &texts).expect("tests have blocks")
}

fn terms_of(files: &[File], chunked: &[Chunked]) -> Vec<u8> {
    let counters = Counters::default();
    let count = |records: &Chunked| {
        let chunk_lines = vec![b'\n'; records.chunks.len()];
        let (chunks, symbols) = (&records.chunks, &records.symbols);
        let content = FileContent { chunks, chunk_lines: &chunk_lines, symbols, only_importing: &[] };
        counters.count(&content)
    };
    let counted: Vec<_> = chunked.iter().map(count).collect();
    terms::build(&files.iter().zip(&counted).collect::<Vec<_>>(), counters)
}

#[test]
fn a_reader_sees_the_blocks_that_they_may_read() {
    let jsonl = r#"
        {"id":"p","type":"page","title":"Plan"}
        {"id":"t","type":"todo","parent":"p","text":"Send invoices","due":"2025-06-09"}
        {"id":"s","type":"text","parent":"p","text":"Layoffs","read":["user:2"]}"#;
    let ids = |reader: &Reader| with_blocks(jsonl, reader, |view| shown(view).join(" "));
    assert_eq!(ids(&reader(&[])), "p t");
    assert_eq!(ids(&reader(&["user:2"])), "p t s");
    let files = [("a/blocks.jsonl", jsonl), ("permissions.jsonl", r#"{"block":"t","read":["team:ops"]}"#)];
    assert_eq!(with_files(&files, &reader(&["user:2"]), |view| shown(view).join(" ")), "p s");
}

fn shown<'b>(view: &ReadableBlocks<'b>) -> Vec<&'b str> {
    view.in_order().iter().map(|block| view.id(*block)).collect()
}
