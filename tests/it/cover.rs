//! The promise of the cut, held against the source itself: every byte of every line that is not blank
//! is in exactly one chunk, and only skeletons repeat lines.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use contextpack::record::{Analysis, Artifact, Chunk, File};
use contextpack::source::{Decoded, decode};
use contextpack::store::Index;
use contextpack::text::LineIndex;
use tempfile::tempdir;

use crate::tool::{chunk, contextpack, home, run};

#[test]
fn fixtures_are_covered_at_every_chunk_size() {
    let scratch = tempdir().unwrap();
    for max_chunk_bytes in ["64", "300", "4096", "100000"] {
        let out = scratch.path().join(max_chunk_bytes);
        let index = chunk(&home().join("golden"), &out, &["--max-chunk-bytes", max_chunk_bytes]);
        assert!(check(&index, &home().join("golden")).0 > 100);
    }
}

/// Every folder below `CONTEXTPACK_TREES` is a tree; `.ci/real-trees` fills it from the registries.
#[test]
#[ignore = "needs real trees; run by .ci/real-trees"]
fn real_trees_are_covered() {
    let trees = std::env::var_os("CONTEXTPACK_TREES").expect("CONTEXTPACK_TREES names a folder of trees");
    let scratch = tempdir().unwrap();
    let mut count = 0;
    for tree in fs::read_dir(trees).unwrap() {
        let tree = tree.unwrap().path();
        let out = scratch.path().join(tree.file_name().unwrap());
        chunk(&tree, &out, &[]);
        run(contextpack().arg("verify").arg(&out).arg("--deep"), 0);
        let (files, bytes) = check(&out, &tree);
        println!("{}: {files} files, {bytes} bytes, every line in one chunk", tree.file_name().unwrap().display());
        count += 1;
    }
    assert!(count > 0, "there was no tree");
}

/// Gives how many files and bytes were looked at.
fn check(index: &Path, source: &Path) -> (u64, u64) {
    let index = Index::open(index).unwrap();
    let mut chunks: BTreeMap<String, Vec<Chunk>> = BTreeMap::new();
    for chunk in records::<Chunk>(&index) {
        chunks.entry(chunk.file_rel_path.to_string()).or_default().push(chunk);
    }
    let (mut files, mut bytes) = (0, 0);
    for file in records::<File>(&index).into_iter().filter(|file| file.analysis != Analysis::Skipped) {
        let path = source.join(std::str::from_utf8(&file.file_rel_path.to_bytes()).unwrap());
        let Decoded::Text { text, .. } = decode(fs::read(&path).unwrap()) else { panic!("{} is text", path.display()) };
        check_file(
            &text,
            chunks.get(file.file_rel_path.as_str()).map_or(&[], Vec::as_slice),
            file.file_rel_path.as_str(),
        );
        (files, bytes) = (files + 1, bytes + file.bytes);
    }
    (files, bytes)
}

fn check_file(text: &str, chunks: &[Chunk], path: &str) {
    let index = LineIndex::new(text);
    let mut owners = vec![0u8; text.len()];
    for chunk in chunks.iter().filter(|chunk| chunk.shown.is_none()) {
        let range = chunk.byte_range.start as usize..chunk.byte_range.end as usize;
        assert_eq!(&text[range.clone()], chunk.text, "{path}: the text is the file's own");
        owners[range].iter_mut().for_each(|owner| *owner += 1);
    }
    assert!(owners.iter().all(|owner| *owner <= 1), "{path}: chunks overlap");
    let mut shown = vec![0u8; text.len()];
    for chunk in chunks.iter().filter(|chunk| chunk.shown.is_some()) {
        let mut whole = String::new();
        for lines in chunk.shown.iter().flatten() {
            let range = index.start(lines.start - 1) as usize..index.start(lines.end) as usize;
            whole.push_str(&text[range.clone()]);
            shown[range].iter_mut().for_each(|owner| *owner += 1);
        }
        assert_eq!(whole, chunk.text, "{path}: a skeleton shows whole lines");
    }
    for line in (0..index.line_count()).filter(|line| !index.is_blank(*line)) {
        let start = index.start(line) as usize;
        let held = index.line_text(line).bytes().enumerate().all(|(at, _)| owners[start + at] == 1 || shown[start] > 0);
        assert!(held, "{path}:{} is in no chunk", line + 1);
    }
}

fn records<A: Artifact>(index: &Index) -> Vec<A> {
    index.records::<A>().unwrap().map(|record| record.unwrap()).collect()
}
