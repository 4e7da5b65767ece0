//! Finds the file where a test of a symbol belongs, and the chunks of it that show how tests are written there.
//!
//! By convention, the tests of `cookie.py` are in `test_cookie.py`, those of `Cookie.java` in `CookieTest.java`, and in
//! some languages a module of tests is in the file that it tests. Without such a file, a test that reaches the symbol leads to its file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::score::Candidate;
use crate::assemble::{Found, IndexView, ReadError};
use crate::record::{ChunkNo, FileNo};
use crate::search::{Analyser, FileFlags, is_in_test_module, parts, rarity, whole};

/// Chunks of one test file.
#[derive(Default)]
pub struct TestFile {
    /// Imports, fixtures and the first test, in text order.
    pub head: Vec<ChunkNo>,
    /// Tests of something similar, the best first.
    pub similar: Vec<ChunkNo>,
}

/// How many chunks the head of a test file may have.
const MAX_HEAD: usize = 4;
/// How many tests are similar enough.
const MAX_SIMILAR: usize = 4;
/// Further chunks of a file are not read to find tests in it.
const MAX_READ: usize = 400;
/// The words of a file's or a module's name that say that it holds tests.
const TEST_WORDS: &[&str] = &["it", "spec", "specs", "test", "tests", "unittest"];
/// Names of files that say nothing about what is in them.
const GENERIC: &[&str] = &["", "app", "base", "common", "index", "init", "lib", "main", "mod", "util", "utils"];

/// `all` are the candidates of a question about the tests of the first named chunk.
pub fn find(view: &IndexView, found: &Found, all: &[Candidate]) -> Result<TestFile, ReadError> {
    let Some(subject) = found.named.chunks.first() else { return Ok(TestFile::default()) };
    let corpus = view.corpus();
    let own_file = corpus.file_of(*subject);
    let inside = inline_tests(view, own_file)?;
    let chunks: Vec<ChunkNo> = if inside.is_empty() {
        let symbol = found.named.names.first().map(|name| whole(name));
        let named = symbol.and_then(|name| namesake(view, own_file, &name)).or_else(|| file_namesake(view, own_file));
        let file = named.or_else(|| best_test(view, all)).or_else(|| nearest(view, own_file));
        file.map_or_else(Vec::new, |file| corpus.chunks_of(file).collect())
    } else {
        inside
    };
    let head = head(view, &chunks);
    let similar = similar(view, found, all, &chunks, &head);
    Ok(TestFile { head, similar })
}

/// The chunks of a file of code that are in a module of tests.
fn inline_tests(view: &IndexView, file: FileNo) -> Result<Vec<ChunkNo>, ReadError> {
    let corpus = view.corpus();
    if corpus.file_flags(file).has(FileFlags::TEST) {
        return Ok(Vec::new());
    }
    let mut tests = Vec::new();
    for chunk in corpus.chunks_of(file).take(MAX_READ) {
        if is_in_test_module(&*view.chunk(chunk)?) {
            tests.push(chunk);
        }
    }
    Ok(tests)
}

/// The test file that is named after a file. A name such as `index` says nothing.
fn file_namesake(view: &IndexView, subject: FileNo) -> Option<FileNo> {
    let name = stem(view.corpus().path(subject));
    if GENERIC.contains(&name.as_str()) { None } else { namesake(view, subject, &name) }
}

/// The test file with a name; of several, the nearest one.
fn namesake(view: &IndexView, subject: FileNo, name: &str) -> Option<FileNo> {
    let corpus = view.corpus();
    let path = corpus.path(subject);
    let is_test = |file: FileNo| file != subject && corpus.file_flags(file).has(FileFlags::TEST);
    let named = corpus.paths().filter(|(file, other)| is_test(*file) && stem(other) == name);
    let same_language = named.filter(|(_, other)| extension(other) == extension(path));
    same_language.max_by_key(|(file, other)| (nearness(path, other), Reverse(*file))).map(|(file, _)| file)
}

/// The name of a file in lower case without what says that it holds tests.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let words = name.rsplit_once('.').map_or(name, |(stem, _)| stem).split(['.', '-']).flat_map(parts);
    let words = words.map(str::to_lowercase).filter(|word| !TEST_WORDS.contains(&word.as_str()));
    words.collect()
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension).trim_end_matches('x')
}

/// How many directories of two paths have the same name, then how few do not.
fn nearness(a: &str, b: &str) -> (usize, Reverse<usize>) {
    let directories = |path: &str| path.split('/').rev().skip(1).map(str::to_lowercase).collect::<BTreeSet<_>>();
    let (a, b) = (directories(a), directories(b));
    (a.intersection(&b).count(), Reverse(a.symmetric_difference(&b).count()))
}

/// The file of a test that reaches the subject, or else of the best test that the query finds.
fn best_test(view: &IndexView, all: &[Candidate]) -> Option<FileNo> {
    let is_test = |candidate: &&Candidate| view.file_flags(candidate.chunk).has(FileFlags::TEST);
    let worth = |candidate: &&Candidate| (candidate.is_own(), candidate.scores.hybrid_score, Reverse(candidate.chunk));
    all.iter().filter(is_test).max_by_key(worth).map(|candidate| view.corpus().file_of(candidate.chunk))
}

/// The test file whose path starts most like the subject's.
fn nearest(view: &IndexView, subject: FileNo) -> Option<FileNo> {
    let corpus = view.corpus();
    let path = corpus.path(subject);
    let tests = corpus.paths().filter(|(file, _)| corpus.file_flags(*file).has(FileFlags::TEST));
    let common = |other: &str| other.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
    tests.max_by_key(|(file, other)| (common(other), Reverse(*file))).map(|(file, _)| file)
}

/// The first chunks up to the first function.
fn head(view: &IndexView, chunks: &[ChunkNo]) -> Vec<ChunkNo> {
    let first = chunks.iter().take(MAX_HEAD);
    let end = first.clone().position(|chunk| view.corpus().is_callable(*chunk));
    first.take(end.map_or(MAX_HEAD, |end| end + 1)).copied().collect()
}

/// The functions of a test file that have most words in common with the subject's name, unless an edge connects them with
/// the subject: then they are shown anyway.
fn similar(view: &IndexView, found: &Found, all: &[Candidate], chunks: &[ChunkNo], head: &[ChunkNo]) -> Vec<ChunkNo> {
    let corpus = view.corpus();
    let own: BTreeSet<ChunkNo> = all.iter().filter(|one| one.is_own()).map(|one| one.chunk).collect();
    let is_free = |chunk: &ChunkNo| !own.contains(chunk) && !head.contains(chunk) && corpus.is_callable(*chunk);
    let mut worth: BTreeMap<ChunkNo, f64> = chunks.iter().copied().filter(is_free).map(|chunk| (chunk, 0.0)).collect();
    let terms: BTreeSet<String> =
        found.named.names.iter().take(1).flat_map(|name| Analyser::default().terms(name)).collect();
    for term in &terms {
        let rarity = rarity(corpus.holders(term) as usize, corpus.chunk_count());
        let holders = corpus.postings(term).flat_map(|(first, list)| list.map(move |one| ChunkNo(first.0 + one.chunk)));
        for chunk in holders {
            if let Some(worth) = worth.get_mut(&chunk) {
                *worth += rarity;
            }
        }
    }
    let mut similar: Vec<(ChunkNo, f64)> = worth.into_iter().filter(|(_, worth)| *worth > 0.0).collect();
    similar.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    similar.into_iter().take(MAX_SIMILAR).map(|(chunk, _)| chunk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_file_is_named_after_what_it_tests() {
        for (test, subject) in [
            ("tests/test_helpers.py", "src/flask/helpers.py"),
            ("tests/Cell/CoordinateTest.php", "src/Cell/Coordinate.php"),
            ("util/logging_test.cc", "util/logging.cc"),
            ("src/__tests__/useForm.spec.ts", "src/useForm.ts"),
            ("spec/retry_policy_spec.rb", "lib/retry_policy.rb"),
        ] {
            assert_eq!(stem(test), stem(subject), "{test}");
        }
        assert_ne!(stem("tests/test_helpers.py"), stem("src/helper.py"));
    }

    #[test]
    fn the_directories_of_a_test_are_those_of_its_subject() {
        let subject = "src/core/helpers/string.py";
        assert!(nearness(subject, "test/core/helpers/string_test.py") > nearness(subject, "test/string_test.py"));
        assert!(nearness("config.go", "config_test.go") > nearness("config.go", "internal/config/config_test.go"));
    }

    #[test]
    fn tests_are_in_the_same_language() {
        assert_eq!(extension("a/b.test.tsx"), extension("b.ts"));
        assert_ne!(extension("b_test.py"), extension("b.rs"));
    }
}
