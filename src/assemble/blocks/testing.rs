//! Makes what a reader may see of a few blocks, for tests. The real stages build the index, so a test sees what a user
//! would see.

#![expect(clippy::disallowed_methods, reason = "tests make trees")]

use super::ReadableBlocks;
use crate::pipeline::service::{self, Freshness, Refresh, Root};
use crate::record::{Principal, Reader};

/// Everybody may read what nobody restricts.
const SETTINGS: &str = "[workspace]\ndefault_read = [\"public\"]\n";

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
    let folder = tempfile::tempdir().unwrap();
    let (tree, index) = (folder.path().join("tree"), folder.path().join("index"));
    for (path, text) in files.iter().chain(&[("contextpack.toml", SETTINGS)]) {
        let path = tree.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let root = Root::of_tree(Some(&tree), Some(&index)).unwrap();
    let source = service::open(&root, Freshness::Refresh(&Refresh::QUIET)).unwrap().packs().unwrap();
    source.with_blocks(reader, test).unwrap().expect("the files hold blocks")
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
