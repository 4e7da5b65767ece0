//! Facts about files and chunks besides their words, one bit per fact.

use crate::language::builtin_rule;
use crate::record::{Chunk, ChunkUid, File, Kind, Mark, Reference, References, Role, SourceKind, Symbol};
use crate::text::RepoPath;

/// Facts about a file: its marks, its language and its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileFlags(pub u8);

impl FileFlags {
    pub const TEST: u8 = 1;
    pub const VENDORED: u8 = 2;
    pub const GENERATED: u8 = 4;
    /// Markdown, reStructuredText, plain text, notes of any form.
    pub const PROSE: u8 = 8;
    /// Settings and data: JSON, YAML, TOML.
    pub const DATA: u8 = 16;
    /// A change log, a licence, or a list of authors.
    pub const RECORDS: u8 = 32;
    /// An example, a demonstration or a benchmark: code that uses the product, not part of it.
    pub const EXAMPLE: u8 = 64;

    pub fn of(file: &File) -> Self {
        let language = file.language_id.as_ref().and_then(|id| builtin_rule(id.as_str()));
        let is_notes = file.source_kind.is_some_and(SourceKind::is_notes);
        let is_prose =
            is_notes || file.language_id.is_none() || language.is_some_and(|language| language.names.is_prose());
        let facts = [
            (file.marks.contains(&Mark::Test), FileFlags::TEST),
            (file.marks.contains(&Mark::Vendored), FileFlags::VENDORED),
            (is_generated(file), FileFlags::GENERATED),
            (is_prose, FileFlags::PROSE),
            (language.is_some_and(|language| language.data), FileFlags::DATA),
            (file.file_rel_path.folders().any(|folder| EXAMPLES.contains(&folder)), FileFlags::EXAMPLE),
            (is_prose && is_record(&file.file_rel_path), FileFlags::RECORDS),
        ];
        FileFlags(facts.iter().filter(|(is_true, _)| *is_true).fold(0, |flags, (_, flag)| flags | flag))
    }

    pub fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// Facts about a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkFlags(pub u8);

impl ChunkFlags {
    /// A function, method, constructor or macro.
    pub const CALLABLE: u8 = 1;
    /// Code that seldom answers anything: imports, the head of a file, lists of modules, declarations of functions, what
    /// is around the contents of a namespace.
    pub const BOILERPLATE: u8 = 2;

    /// `symbols` are those of the chunk.
    pub fn of(chunk: &Chunk, symbols: &[&Symbol], code_lines: u32, only_imports: bool) -> Self {
        let all_are = |fits: fn(Kind) -> bool| symbols.iter().all(|symbol| fits(symbol.kind));
        let is_boilerplate = match chunk.kind {
            Kind::Namespace => chunk.is_skeleton(),
            // A function that is defined in code outside of definitions has no body.
            Kind::Module if symbols.is_empty() => only_imports || code_lines == 0,
            Kind::Module => all_are(is_callable) || all_are(|kind| kind == Kind::Namespace),
            _ => false,
        };
        let facts = [(is_callable(chunk.kind), ChunkFlags::CALLABLE), (is_boilerplate, ChunkFlags::BOILERPLATE)];
        ChunkFlags(facts.iter().filter(|(is_true, _)| *is_true).fold(0, |flags, (_, flag)| flags | flag))
    }

    pub fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

fn is_callable(kind: Kind) -> bool {
    matches!(kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro)
}

/// The chunks that name nothing but what they import or export.
pub fn only_importing(references: &[References]) -> Vec<ChunkUid> {
    let is_import = |reference: &Reference| matches!(reference.role, Role::Import | Role::Export);
    let only = references.iter().filter(|of_chunk| of_chunk.references.iter().all(is_import));
    only.map(|of_chunk| of_chunk.chunk_uid).collect()
}

/// Whether a chunk of a file of code is in a module of tests.
pub fn is_in_test_module(chunk: &Chunk) -> bool {
    let (Some(rule), Some(name)) = (builtin_rule(chunk.language_id.as_str()), &chunk.qualified_name) else {
        return false;
    };
    let outermost = name.split(rule.separator.as_str()).next();
    outermost.is_some_and(|module| rule.test_modules.iter().any(|tests| tests == module))
}

/// Lower-case prefixes of the names of change logs, licences and lists of authors.
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

/// Directories of examples and benchmarks.
const EXAMPLES: &[&str] =
    &["bench", "benches", "benchmark", "benchmarks", "demo", "demos", "example", "examples", "sample", "samples"];

/// Directories of build output.
const BUILT: &[&str] = &["build", "bundle", "bundles", "dist", "out"];

fn is_generated(file: &File) -> bool {
    let is_marked = file.marks.contains(&Mark::Generated) || file.marks.contains(&Mark::Minified);
    is_marked || file.file_rel_path.folders().any(|folder| BUILT.contains(&folder))
}

fn is_record(path: &RepoPath) -> bool {
    let parts = path.folders().chain([path.file_name()]).map(str::to_lowercase);
    parts.into_iter().any(|part| RECORDS.iter().any(|record| part.starts_with(record)))
}
