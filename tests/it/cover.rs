//! The promises of the records, held against the source itself: every byte of every line that is not
//! blank is in exactly one chunk, only skeletons repeat lines, and what stands where a record says is
//! what it speaks of.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use contextpack::record::{Analysis, Artifact, Chunk, File, Reference, References, Site, Symbol};
use contextpack::source;
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
        chunk(&tree, &out, &["--strict"]);
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
    let chunks = by_path(records(&index), |chunk: &Chunk| chunk.file_rel_path.to_string());
    let symbols = by_path(records(&index), |symbol: &Symbol| symbol.file_rel_path.to_string());
    let references = by_path(records(&index), |record: &References| record.file_rel_path.to_string());
    let (mut files, mut bytes) = (0, 0);
    for file in records::<File>(&index).into_iter().filter(|file| file.analysis != Analysis::Skipped) {
        let name = file.file_rel_path.as_str();
        let path = source.join(std::str::from_utf8(&file.file_rel_path.to_bytes()).unwrap());
        let text =
            source::text(fs::read(&path).unwrap(), false).unwrap_or_else(|| panic!("{} is text", path.display())).text;
        let chunks = chunks.get(name).map_or(&[][..], Vec::as_slice);
        check_file(&text, chunks, name);
        let places = Places::new(&text, name);
        chunks.iter().for_each(|chunk| places.check_chunk(chunk));
        symbols.get(name).into_iter().flatten().for_each(|symbol| places.check_symbol(symbol));
        for record in references.get(name).into_iter().flatten() {
            let chunk = chunks.iter().find(|chunk| chunk.chunk_uid == record.chunk_uid);
            let chunk = chunk.unwrap_or_else(|| panic!("{name} has references of another file's chunk"));
            assert!(record.references.is_sorted_by(|a, b| a.order() < b.order()), "{name} has references in no order");
            record.references.iter().for_each(|reference| places.check_reference(reference, chunk));
        }
        (files, bytes) = (files + 1, bytes + file.bytes);
    }
    (files, bytes)
}

fn by_path<R>(records: Vec<R>, path: impl Fn(&R) -> String) -> BTreeMap<String, Vec<R>> {
    let mut found: BTreeMap<String, Vec<R>> = BTreeMap::new();
    records.into_iter().for_each(|record| found.entry(path(&record)).or_default().push(record));
    found
}

/// A text as UTF-16, in which ranges and sites are measured.
struct Places<'t> {
    text: &'t str,
    path: &'t str,
    units: Vec<u16>,
    line_starts: Vec<usize>,
}

impl<'t> Places<'t> {
    fn new(text: &'t str, path: &'t str) -> Self {
        let units: Vec<u16> = text.encode_utf16().collect();
        let behind_breaks = units.iter().enumerate().filter(|(_, unit)| **unit == u16::from(b'\n'));
        let line_starts = [0].into_iter().chain(behind_breaks.map(|(at, _)| at + 1)).collect();
        Places { text, path, units, line_starts }
    }

    fn between(&self, start: u32, end: u32) -> String {
        String::from_utf16(&self.units[start as usize..end as usize]).expect("no pair is torn")
    }

    fn check_chunk(&self, chunk: &Chunk) {
        let bytes = chunk.byte_range.start as usize..chunk.byte_range.end as usize;
        let same = self.between(chunk.range.start, chunk.range.end) == self.text[bytes];
        assert!(same, "{}:{} bytes and UTF-16 differ", self.path, chunk.lines.start);
    }

    fn check_symbol(&self, symbol: &Symbol) {
        let place = format!("{}:{} {:?}", self.path, symbol.site.line, symbol.name);
        let found = self.at(&symbol.site);
        // What a file exports without a name is called `default`; a note of an export stands where its id stands.
        let is_id = !found.is_empty() && symbol.symbol_id.as_str().contains(&format!("`{found}`"));
        let says = symbol.name == "default" || is_id || holds_letters(&found, &symbol.name);
        assert!(says, "{place} is called so, but there stands {found:?}");
        assert!(!symbol.name.trim().is_empty() && !symbol.name.contains('\n'), "{place} is no name");
    }

    fn check_reference(&self, reference: &Reference, chunk: &Chunk) {
        let place = format!("{}:{} {:?}", self.path, reference.sites[0].line, reference.name);
        assert!(!reference.name.trim().is_empty(), "{place} names nothing");
        assert!(reference.sites.is_sorted(), "{place} has its sites in no order");
        let range = chunk.range;
        for site in &reference.sites {
            assert!(!self.at(site).is_empty(), "{place} stands nowhere");
            // Where it starts: a line that is too long is cut inside of names too. An export may say
            // elsewhere what a note refers to.
            let inside = chunk.derived || (range.start..range.end).contains(&site.start);
            assert!(inside, "{place} is outside of its chunk");
        }
    }

    /// The text at a site, whose line and column must lead to the same place.
    fn at(&self, Site { start, end, line, column }: &Site) -> String {
        let by_line = self.line_starts[*line as usize - 1] + *column as usize;
        assert_eq!(by_line, *start as usize, "{}:{line} is not where its offset is", self.path);
        self.between(*start, *end)
    }
}

/// Whether the letters of a name stand in a text in their order: quotes, escapes and markup may stand
/// between them.
fn holds_letters(text: &str, name: &str) -> bool {
    let mut letters = text.chars();
    name.chars().filter(|letter| letter.is_alphanumeric()).all(|letter| letters.any(|other| other == letter))
}

fn check_file(text: &str, chunks: &[Chunk], path: &str) {
    let index = LineIndex::new(text);
    let mut owners = vec![0u8; text.len()];
    for chunk in chunks.iter().filter(|chunk| !chunk.is_skeleton() && !chunk.derived) {
        let range = chunk.byte_range.start as usize..chunk.byte_range.end as usize;
        assert_eq!(&text[range.clone()], chunk.text, "{path}: the text is the file's own");
        owners[range].iter_mut().for_each(|owner| *owner += 1);
    }
    assert!(owners.iter().all(|owner| *owner <= 1), "{path}: chunks overlap");
    let mut shown = vec![0u8; text.len()];
    for chunk in chunks.iter().filter(|chunk| chunk.is_skeleton()) {
        let mut whole = String::new();
        for lines in chunk.shown.iter().flatten() {
            let range = index.start(lines.start - 1) as usize..index.start(lines.end) as usize;
            whole.push_str(&text[range.clone()]);
            shown[range].iter_mut().for_each(|owner| *owner += 1);
        }
        assert_eq!(whole, chunk.text, "{path}: a skeleton shows whole lines");
    }
    // An export has chunks of its notes, not of its lines.
    if chunks.iter().any(|chunk| chunk.derived) {
        return;
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
