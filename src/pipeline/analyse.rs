//! Turns one file's bytes into its records, already serialized as lines, and its terms.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::chunk::{Chunked, Config, Source, chunk};
use crate::dialect::note::NoteSource;
use crate::door::is_own_output;
use crate::language::{Language, Languages};
use crate::record::{
    Analysis, Artifact, Audience, Chunk, ChunkUid, File, Item, LanguageId, Lines, Mark, Problem, ProblemCode,
    References, SourceKind, Symbol, write_line,
};
use crate::search::terms::{Counters, FileContent, FileTerms, only_importing};
use crate::secrets;
use crate::source::{self, Content, Entry, Text, line_ending, marks};
use crate::text::{LineIndex, bidi_controls, line_count};

use super::note_sources::NoteSources;

/// The artifacts whose records are kept as lines.
pub const LINE_ARTIFACTS: [&str; 4] = [Chunk::NAME, Symbol::NAME, References::NAME, Item::NAME];

/// One file's records. They are serialized where the file is analysed, so that this happens in parallel.
pub struct FileRecords {
    pub file: File,
    /// For each of [`LINE_ARTIFACTS`].
    pub lines: [Vec<u8>; LINE_ARTIFACTS.len()],
    pub problems: Vec<Problem>,
    pub terms: FileTerms,
}

/// Shared inputs for the analysis of every file of a shard.
pub struct AnalysisContext<'r> {
    pub allow_secrets: bool,
    pub languages: &'r Languages,
    pub notes: &'r NoteSources,
    pub config: Config,
    pub counters: &'r Counters,
}

/// Decodes, marks and chunks a file that was read.
pub fn analyse(context: &AnalysisContext, entry: &Entry, content: Content, taken: &BTreeSet<ChunkUid>) -> FileRecords {
    let AnalysisContext { allow_secrets, languages, .. } = *context;
    let mut file = bare_file(entry, content.bytes.len() as u64);
    file.digest = Some(content.digest);
    let Some(read) = source::text(content.bytes, allow_secrets) else {
        return skip_file(file, Mark::Binary, ProblemCode::Binary, "not text; not chunked");
    };
    let text = read.text.as_str();
    let language = languages.detect(&entry.path, text);
    let test_files = language.map(|language| &language.test_files);
    file.language_id = language.map(|language| LanguageId::from(language.id()));
    file.encoding = Some(read.encoding.clone());
    file.line_ending = line_ending(text);
    file.lines = line_count(text);
    file.marks = marks(&entry.path, text, test_files);
    if context.notes.is_aside(&entry.path) && !file.marks.contains(&Mark::Vendored) {
        file.marks.push(Mark::Vendored);
        file.marks.sort();
    }
    if context.config.blocks.as_ref().is_some_and(|blocks| blocks.workspace.is_copy_of_pages(&entry.path)) {
        let message = "pages of an export once more, without who may read them; not chunked";
        return skip_file(file, Mark::Generated, ProblemCode::ItemView, message);
    }
    let notes = context.notes.source_of(&entry.path, text);
    if let (Some(NoteSource::Tana), Some(later)) = (&notes, context.notes.superseding(&entry.path)) {
        let message = format!("an older export than `{later}`; not chunked");
        return skip_file(file, Mark::Generated, ProblemCode::ItemSuperseded, &message);
    }
    // An export is one long line, too.
    if matches!(notes, Some(NoteSource::Tana | NoteSource::Nodes | NoteSource::Workspace(_))) {
        file.marks.retain(|mark| *mark != Mark::Minified);
    }
    // A pack as JSON is one long line.
    if is_own_output(text) {
        let message = "a pack, bundle or payload that was made from a tree; not chunked";
        return skip_file(file, Mark::Generated, ProblemCode::OwnOutput, message);
    }
    if file.marks.contains(&Mark::Minified) {
        return skip_file(file, Mark::Minified, ProblemCode::Minified, "machine-made lines; not chunked");
    }
    let mut records = chunk_file(context, file, &FileText { text, language, notes }, taken);
    records.problems.extend(problems_of_text(entry, &read));
    if !allow_secrets {
        records.problems.extend(secrets_of_path(entry));
    }
    records
}

/// Problems of the text itself: replaced bytes, bidirectional controls, secrets.
fn problems_of_text(entry: &Entry, read: &Text) -> Vec<Problem> {
    let mut problems = Vec::new();
    if read.replaced {
        let message = "bytes that the encoding does not know were replaced";
        problems.push(Problem::new(&entry.path, ProblemCode::Decoding, message));
    }
    let turned = bidi_controls(&read.text);
    if turned.is_none() && read.secrets.is_empty() {
        return problems;
    }
    let index = LineIndex::new(&read.text);
    let line = |at: usize| index.line(at as u32) + 1;
    let lines = |first, last| Lines { start: line(first), end: line(last) };
    if let Some((first, last)) = turned {
        let message = "characters that turn the direction of writing around; it may not read as it runs";
        problems.push(Problem::at(&entry.path, ProblemCode::Bidi, lines(first, last), message));
    }
    for secret in &read.secrets {
        let message = format!("what looks like a secret ({}) was replaced", secret.rule);
        let lines = lines(secret.span.start, secret.span.end - 1);
        problems.push(Problem::at(&entry.path, ProblemCode::Secret, lines, message));
    }
    problems
}

/// Secrets in a path are reported, but the path is not changed, because the file is found by it.
fn secrets_of_path(entry: &Entry) -> impl Iterator<Item = Problem> {
    secrets::find(entry.path.as_str()).into_iter().map(|secret| {
        let message = format!("its path holds what looks like a secret ({}); paths are kept", secret.rule);
        Problem::new(&entry.path, ProblemCode::Secret, message)
    })
}

/// The records of a file that was not read.
pub fn unread(entry: &Entry, problem: Problem) -> FileRecords {
    let mut file = bare_file(entry, entry.bytes);
    if problem.code == ProblemCode::TooLarge {
        file.marks.push(Mark::TooLarge);
    }
    FileRecords { problems: vec![problem], ..without_chunks(file) }
}

/// The text of a file and what it is.
struct FileText<'f> {
    text: &'f str,
    language: Option<&'f Language>,
    notes: Option<NoteSource>,
}

fn chunk_file(
    context: &AnalysisContext,
    mut file: File,
    content: &FileText,
    taken: &BTreeSet<ChunkUid>,
) -> FileRecords {
    let AnalysisContext { languages, config, counters, .. } = context;
    let path = file.file_rel_path.clone();
    let FileText { text, language, notes } = content;
    let source = Source { path: &path, text, language: *language, notes: notes.as_ref() };
    // A parser that panics on one file must not end the run.
    let mut chunked = catch_unwind(AssertUnwindSafe(|| chunk(&source, languages, config, taken)))
        .unwrap_or_else(|_| Chunked::without_structure(&source, config, taken));
    let is_of_workspace = matches!(notes, Some(NoteSource::Workspace(_)));
    if let Some(blocks) = config.blocks.as_ref().filter(|_| !is_of_workspace) {
        chunked.restrict(&blocks.workspace.audience_of_file(&path));
    }
    file.analysis = chunked.analysis;
    file.package = chunked.package;
    file.chunks = chunked.chunks.iter().map(|chunk| chunk.chunk_uid).collect();
    file.symbols = chunked.symbols.len() as u32;
    let references = chunked.references.iter().flat_map(|record| &record.references);
    file.references = references.map(|reference| reference.sites.len() as u32).sum();
    let source_kind = notes.as_ref().map_or(SourceKind::Spec, NoteSource::kind);
    file.source_kind = (is_of_workspace || !chunked.items.is_empty()).then_some(source_kind);
    let reference_bytes = 90 * file.references as usize + 120 * chunked.references.len();
    let only_importing = only_importing(&chunked.references);
    // Records are dropped as soon as they are written: a large export has a million.
    let references = lines(&std::mem::take(&mut chunked.references), reference_bytes);
    let items = std::mem::take(&mut chunked.items);
    let items = lines(&items, 300 * items.len());
    let chunks = lines(&chunked.chunks, text.len() + text.len() / 8 + 400 * chunked.chunks.len());
    let content = FileContent {
        chunks: &chunked.chunks,
        chunk_lines: &chunks,
        symbols: &chunked.symbols,
        only_importing: &only_importing,
    };
    let terms = counters.count(&content);
    drop(std::mem::take(&mut chunked.chunks));
    let symbols = lines(&chunked.symbols, 600 * chunked.symbols.len());
    FileRecords { file, terms, lines: [chunks, symbols, references, items], problems: chunked.problems }
}

fn lines<A: Artifact>(records: &[A], expected_bytes: usize) -> Vec<u8> {
    let mut lines = Vec::with_capacity(expected_bytes);
    records.iter().for_each(|record| write_line(record, &mut lines));
    // The lines are kept until the whole shard is written.
    lines.shrink_to_fit();
    lines
}

fn skip_file(mut file: File, mark: Mark, code: ProblemCode, message: &str) -> FileRecords {
    file.marks.push(mark);
    file.marks.sort();
    file.marks.dedup();
    let problem = Problem::new(&file.file_rel_path, code, message);
    FileRecords { problems: vec![problem], ..without_chunks(file) }
}

pub fn without_chunks(file: File) -> FileRecords {
    FileRecords { file, lines: Default::default(), problems: Vec::new(), terms: FileTerms::default() }
}

fn bare_file(entry: &Entry, bytes: u64) -> File {
    File {
        analysis: Analysis::Skipped,
        audience: Audience::default(),
        bytes,
        chunks: Vec::new(),
        digest: None,
        encoding: None,
        file_rel_path: entry.path.clone(),
        language_id: None,
        line_ending: None,
        lines: 0,
        marks: Vec::new(),
        package: None,
        references: 0,
        source_kind: None,
        symbols: 0,
    }
}
