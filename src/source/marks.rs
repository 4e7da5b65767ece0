//! Guesses from a file's path and text what kind of file it is: someone else's, a test, made by a
//! machine. Pure. The guesses rank; only the one for very long lines keeps a file from being chunked.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::record::Mark;
use crate::text::{NamePatterns, RepoPath};

static WORDS: LazyLock<Words> =
    LazyLock::new(|| toml::from_str(include_str!("marks.toml")).expect("the built-in words are valid"));

/// The lists of `marks.toml`, which says what each is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    vendored_folders: Vec<String>,
    dependency_folders: Vec<String>,
    test_folders: Vec<String>,
    spec_folders: Vec<String>,
    source_folders: Vec<String>,
    test_folder_endings: Vec<String>,
    generated_names: Vec<String>,
    generated_endings: Vec<String>,
    generated_signs: Vec<String>,
    generated_openings: Vec<String>,
    own_file: Vec<String>,
    linking_words: Vec<String>,
    generated_words: Vec<String>,
    prose_endings: Vec<String>,
    minified_name_endings: Vec<String>,
    minifiable_endings: Vec<String>,
}

/// What comments begin with. A lone `*` goes on with one that began above.
const COMMENT_BEGINNINGS: &[&str] = &["//", "#", "/*", "*", "--", ";", "<!--", "%", "'", "\"\"\"", "{-", "(*", "@REM"];

/// A generated file says so near its top.
const HEADER_LINES: usize = 20;
const HEADER_BYTES: usize = 2 << 10;

const MIN_MINIFIED_BYTES: usize = 5 << 10;
const MAX_AVERAGE_LINE_BYTES: usize = 500;
const LONG_LINE_BYTES: usize = 5_000;

/// The marks of a text file, sorted. `test_files` are its language's names for test files.
pub fn marks(path: &RepoPath, text: &str, test_files: Option<&NamePatterns>) -> Vec<Mark> {
    let guesses = [
        (Mark::Generated, is_generated(path, text)),
        (Mark::Minified, is_minified(path, text)),
        (Mark::Test, is_test(path, test_files)),
        (Mark::Vendored, lies_in(path, &WORDS.vendored_folders) || is_dependency(path)),
    ];
    guesses.into_iter().filter(|(_, holds)| *holds).map(|(mark, _)| mark).collect()
}

fn is_test(path: &RepoPath, test_files: Option<&NamePatterns>) -> bool {
    lies_in(path, &WORDS.test_folders)
        || lies_in(path, &WORDS.spec_folders)
            && !lies_in(path, &WORDS.source_folders)
            && !ends_in(path, &WORDS.prose_endings)
        || path.folders().any(|folder| ends_with_any(&folder.to_lowercase(), &WORDS.test_folder_endings))
        || test_files.is_some_and(|patterns| patterns.matches(path.file_name()))
}

/// Whether a file belongs to a project in a root folder of dependencies.
fn is_dependency(path: &RepoPath) -> bool {
    let mut folders = path.folders();
    let first = folders.next().unwrap_or_default();
    folders.next().is_some() && WORDS.dependency_folders.iter().any(|name| first.eq_ignore_ascii_case(name))
}

fn lies_in(path: &RepoPath, folders: &[String]) -> bool {
    path.folders().any(|folder| folders.iter().any(|name| folder.eq_ignore_ascii_case(name)))
}

fn ends_in(path: &RepoPath, endings: &[String]) -> bool {
    ends_with_any(&path.file_name().to_lowercase(), endings)
}

fn ends_with_any(name: &str, endings: &[String]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending))
}

fn is_generated(path: &RepoPath, text: &str) -> bool {
    WORDS.generated_names.iter().any(|name| name == path.file_name())
        || ends_in(path, &WORDS.generated_endings)
        || says_generated(text, ends_in(path, &WORDS.prose_endings))
}

fn says_generated(text: &str, is_prose: bool) -> bool {
    let header = &text[..text.floor_char_boundary(HEADER_BYTES)];
    let beginnings: &[&str] = if is_prose { &["<!--"] } else { COMMENT_BEGINNINGS };
    let mut block = None;
    header.lines().take(HEADER_LINES).any(|line| {
        let comment = comment_in(line.trim(), beginnings, &mut block);
        comment.is_some_and(is_own_generation_notice)
    })
}

/// The comment on a line, without what begins it. `block` is the end of a comment that goes on over
/// lines, where it goes on.
fn comment_in<'t>(line: &'t str, beginnings: &[&str], block: &mut Option<&'static str>) -> Option<&'t str> {
    let begun = beginnings.iter().find_map(|beginning| line.strip_prefix(beginning));
    let comment = begun.or(block.is_some().then_some(line))?;
    match *block {
        Some(end) if line.contains(end) => *block = None,
        Some(_) => (),
        None => *block = block_end(line),
    }
    Some(comment.trim_start_matches(|character: char| !character.is_alphanumeric() && !matches!(character, '@' | '<')))
}

/// What ends the block comment that a line begins and does not end.
fn block_end(line: &str) -> Option<&'static str> {
    let blocks = [("/*", "*/"), ("<!--", "-->"), ("\"\"\"", "\"\"\""), ("{-", "-}"), ("(*", "*)")];
    let (beginning, end) = blocks.into_iter().find(|(beginning, _)| line.starts_with(beginning))?;
    (!line[beginning.len()..].contains(end)).then_some(end)
}

fn is_own_generation_notice(comment: &str) -> bool {
    let lowered = comment.to_lowercase();
    WORDS.generated_signs.iter().any(|sign| holds_word(comment, sign))
        || WORDS.generated_openings.iter().any(|opening| lowered.starts_with(opening))
        || WORDS.own_file.iter().any(|own| is_called_generated(&lowered, own))
}

/// Whether a sign occurs as a word: not quoted, and not as the start of a longer word.
fn holds_word(comment: &str, sign: &str) -> bool {
    let Some((before, after)) = comment.split_once(sign) else { return false };
    let joins = |character: char| character.is_alphanumeric() || matches!(character, '`' | '"' | '\'' | '_');
    !before.ends_with(joins) && !after.starts_with(joins)
}

/// Whether the comment says of its own file that it is generated, without other words between.
fn is_called_generated(lowered: &str, own: &str) -> bool {
    let Some((_, after)) = lowered.split_once(own) else { return false };
    let word = after.split_whitespace().find(|word| !WORDS.linking_words.iter().any(|linking| linking == word));
    word.is_some_and(|word| WORDS.generated_words.iter().any(|generated| word.starts_with(generated)))
}

fn is_minified(path: &RepoPath, text: &str) -> bool {
    ends_in(path, &WORDS.minified_name_endings)
        || text.len() > MIN_MINIFIED_BYTES && ends_in(path, &WORDS.minifiable_endings) && has_long_lines(text)
}

fn has_long_lines(text: &str) -> bool {
    let long: usize = text.lines().map(str::len).filter(|bytes| *bytes > LONG_LINE_BYTES).sum();
    text.len() / text.lines().count().max(1) > MAX_AVERAGE_LINE_BYTES || long * 2 > text.len()
}
