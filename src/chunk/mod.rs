//! One source text in; its chunks, symbols, references, items and problems out. Pure: opens nothing, and the
//! same text under the same configuration gives the same records.
//!
//! A text is split by its language, and by its dialect if it has one (`layer`, `notes`). An export of notes is not
//! split: each note becomes a chunk (`export`).

pub mod blocks;
mod cut;
mod doc;
mod export;
mod identity;
mod items;
mod kind_name;
mod layer;
mod mention;
mod notes;
mod outline;
mod specs;
mod split;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::dialect::note::NoteSource;
use crate::dialect::spec::SectionSchema;
use crate::language::{Language, Languages, Limits};
use crate::record::{Analysis, Audience, Chunk, ChunkUid, Item, Problem, ProblemCode, References, Symbol};
use crate::text::{LineIndex, RepoPath, Span};

use cut::Piece;
use items::Parts;

/// Goes up when the same text gives other records, in any language: old output is then no cache.
///
/// 1: first version.
/// 2: no lone braces, values that hold functions, names of operators, Objective-C, mode lines.
/// 3: Python texts with syntax errors are read by ruff.
/// 4: the modules that names are imported from.
/// 5: references say what chunk they are of.
/// 6: the types of receivers that start with a local name, of loops, and of destructured values.
/// 7: heads of Rust paths, no flow into calls of locals.
/// 8: spec documents: their ids as symbols, what they trace to and say to read next.
/// 9: the rules of their sections, and the ids of specs that code names; secrets are replaced, and texts that turn
///    the direction of writing around are told.
/// 10: the number of empty lines that follow a chunk; more front matter of spec documents is read, and what cannot be is
///     told; rules of sections end with a word; more kinds of secrets, in more forms.
/// 11: the items of spec documents.
/// 12: folders of dependencies are vendored.
///     Packs and bundles that were saved in the tree are no sources.
/// 13: pages of notes.
/// 14: in Logseq, bullets below a heading are no code, blocks of Org mode are, and names with a dot are pages; front
///     matter of templates is read.
pub const RULESET_VERSION: u32 = 14;

/// What a run may set.
#[derive(Clone, Debug)]
pub struct Config {
    /// Longer definitions are cut at statement borders.
    pub max_chunk_bytes: usize,
    /// Which bits of a uid's hash are kept: all of them. Tests keep few, so that uids collide.
    pub uid_mask: u64,
    /// Which sections of spec documents are of which rule.
    pub sections: Arc<SectionSchema>,
    /// What all files of a workspace say together. Absent: the tree is none.
    pub blocks: Option<Arc<blocks::Blocks>>,
}

impl Default for Config {
    fn default() -> Self {
        Config { max_chunk_bytes: 4096, uid_mask: u64::MAX, sections: Arc::new(SectionSchema::builtin()), blocks: None }
    }
}

/// One file's text and what it is written in.
pub struct Source<'s> {
    pub path: &'s RepoPath,
    pub text: &'s str,
    /// Absent: the text is cut by lines.
    pub language: Option<&'s Language>,
    /// Absent: the file holds no notes.
    pub notes: Option<&'s NoteSource>,
}

/// The records of one file, each kind sorted by its key.
#[derive(Debug)]
pub struct Chunked {
    pub analysis: Analysis,
    pub package: Option<String>,
    pub chunks: Vec<Chunk>,
    pub symbols: Vec<Symbol>,
    pub references: Vec<References>,
    pub items: Vec<Item>,
    pub problems: Vec<Problem>,
}

/// Cuts a text into chunks and says what each defines and names. Uids in `taken` belong to chunks of
/// other files and are not given again.
pub fn chunk(source: &Source, languages: &Languages, config: &Config, taken: &BTreeSet<ChunkUid>) -> Chunked {
    if let (Some(NoteSource::Workspace(_)), Some(blocks)) = (source.notes, &config.blocks) {
        let file = blocks.workspace.file(source.path);
        return file.map_or_else(export::empty, |file| blocks::chunk(source, file, blocks, config, taken));
    }
    if let Some(read) = export::read(source) {
        return match read {
            Ok(export) => export::chunk(source, export, config, taken),
            Err(fault) => export::chunk_without_notes(source, &fault, languages, config, taken),
        };
    }
    let index = LineIndex::new(source.text);
    let limits = Limits { max_chunk_bytes: config.max_chunk_bytes };
    let mut layers = layer::layers(source, languages, &limits, &index);
    specs::add_mentions(source, &mut layers[0]);
    let mut given = outline::Descriptors::default();
    let outline = |layer| outline::outline(layer, source.path, &index, &mut given);
    let outlines: Vec<_> = layers.iter().map(outline).collect();
    let pieces: Vec<Piece> = cut::cut(&layers, &outlines, &index, config.max_chunk_bytes);
    let chunks = identity::chunks(source, &layers, &outlines, &pieces, &index, config, taken);
    let owners = cut::Owners::new(&pieces, &index);
    let mut problems = layer::problems(&layers, source.path, &index);
    problems.extend(identity::collisions(source.path, &chunks));
    problems.extend(notes::problem(source, layers[0].page.is_some()));
    let items = layers[0].page.as_ref().map(|page| {
        let (path, layer, outline) = (source.path, &layers[0], &outlines[0]);
        items::items(page, &Parts { path, layer, outline, chunks: &chunks, owners: &owners, index: &index })
    });
    let items = items.unwrap_or_default();
    let mut symbols = outline::symbols(source, &layers, &outlines, &chunks, &owners, &index);
    specs::mark_sections(&items, &mut symbols, &config.sections);
    let mut chunked = Chunked {
        analysis: layers[0].analysis,
        package: layers[0].facts.package.as_ref().map(|package| package.to_string()),
        symbols,
        references: mention::references(source.path, &layers, &chunks, &owners, &index),
        items,
        chunks,
        problems,
    };
    chunked.sort();
    chunked
}

impl Chunked {
    /// Says of all records who may read them.
    pub fn restrict(&mut self, audience: &Audience) {
        self.chunks.iter_mut().for_each(|record| record.audience = audience.clone());
        self.symbols.iter_mut().for_each(|record| record.audience = audience.clone());
        self.references.iter_mut().for_each(|record| record.audience = audience.clone());
        self.items.iter_mut().for_each(|record| record.audience = audience.clone());
        self.problems.iter_mut().for_each(|record| record.audience = audience.clone());
    }

    fn sort(&mut self) {
        use crate::record::Artifact;
        self.chunks.sort_by(|a, b| a.key().cmp(&b.key()));
        self.symbols.sort_by(|a, b| a.key().cmp(&b.key()));
        self.symbols.dedup_by(|a, b| a.key() == b.key());
        self.references.sort_by(|a, b| a.key().cmp(&b.key()));
        self.problems.sort_by(|a, b| a.key().cmp(&b.key()));
        self.problems.dedup();
    }

    /// The analysis failed: the file's lines, and a problem that says so.
    pub fn without_structure(source: &Source, config: &Config, taken: &BTreeSet<ChunkUid>) -> Self {
        let plain = Source { path: source.path, text: source.text, language: None, notes: None };
        let mut chunked = chunk(&plain, &Languages::none(), config, taken);
        let message = "the analysis of this file failed; it was cut by lines";
        chunked.problems.push(Problem::new(source.path, ProblemCode::Internal, message));
        chunked.sort();
        chunked
    }
}

/// A whole-line span, from one line's start to the start of the line behind another.
fn lines_span(first: u32, behind: u32, index: &LineIndex) -> Span {
    Span { start: index.start(first), end: index.start(behind) }
}

#[cfg(test)]
mod note_tests;
#[cfg(test)]
mod tests;
