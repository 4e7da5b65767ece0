//! The notes of an export become records: for each a chunk whose text is made from it, a symbol, an item and what it
//! refers to.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::identity::{Uids, collisions};
use super::kind_name::kind_name;
use super::{Chunked, Config, Source};
use crate::dialect::export::{Export, ExportFault, Note, NoteClass, NoteLink, Trouble, UNTITLED, Workspace};
use crate::dialect::note::NoteSource;
use crate::dialect::{nodes, tana};
use crate::language::Languages;
use crate::record::{
    Analysis, Audience, ByteRange, Chunk, ChunkUid, Field, FieldValue, Item, Kind, LanguageId, Lines, NodeId, Problem,
    ProblemCode, Range, Reference, References, Site, Symbol, SymbolId,
};
use crate::text::LineIndex;

/// The notes of a file; none if it is no export.
pub fn read<'t>(source: &Source<'t>) -> Option<Result<Export<'t>, ExportFault>> {
    match source.notes? {
        NoteSource::Nodes => Some(nodes::read(source.text)),
        NoteSource::Tana => Some(tana::read(source.text)),
        NoteSource::Vault(_) | NoteSource::Logseq(_) | NoteSource::Workspace(_) => None,
    }
}

pub fn chunk(source: &Source, export: Export, config: &Config, taken: &BTreeSet<ChunkUid>) -> Chunked {
    let Export { workspace, notes, troubles } = export;
    let index = LineIndex::new(source.text);
    let mut builder = Builder {
        source,
        index: &index,
        language: LanguageId::from(workspace.program),
        workspace: &workspace,
        uids: Uids::new(config, taken),
        nodes: Vec::new(),
        chunked: empty(),
    };
    notes.for_each(|note| builder.add(note));
    let mut chunked = builder.chunked;
    chunked.problems.extend(troubles.into_iter().map(|trouble| problem(trouble, source, &index)));
    chunked.problems.extend(collisions(source.path, &chunked.chunks));
    chunked.sort();
    chunked
}

/// A larger file is cut by lines: its grammar would take too much memory.
const MAX_PARSED_BYTES: usize = 16 << 20;

/// Reads an export that is none as the text that it is.
pub fn chunk_without_notes(
    source: &Source,
    fault: &ExportFault,
    languages: &Languages,
    config: &Config,
    taken: &BTreeSet<ChunkUid>,
) -> Chunked {
    let language = source.language.filter(|_| source.text.len() <= MAX_PARSED_BYTES);
    let plain = Source { path: source.path, text: source.text, language, notes: None };
    let mut chunked = super::chunk(&plain, languages, config, taken);
    let message = format!("it looks like an export of notes but cannot be read as one: {}", fault.0);
    chunked.problems.push(Problem::new(source.path, ProblemCode::ItemSource, message));
    chunked.sort();
    chunked
}

pub(super) fn empty() -> Chunked {
    Chunked {
        analysis: Analysis::Parsed,
        package: None,
        chunks: Vec::new(),
        symbols: Vec::new(),
        references: Vec::new(),
        items: Vec::new(),
        problems: Vec::new(),
    }
}

pub(super) fn problem(trouble: Trouble, source: &Source, index: &LineIndex) -> Problem {
    let lines = trouble.span.map(|span| Lines::from_span(span, index));
    Problem { lines, ..Problem::new(source.path, trouble.code, trouble.message) }
}

struct Builder<'b> {
    source: &'b Source<'b>,
    index: &'b LineIndex<'b>,
    language: LanguageId,
    workspace: &'b Workspace,
    uids: Uids<'b>,
    /// The nodes of the notes so far.
    nodes: Vec<NodeId>,
    chunked: Chunked,
}

impl Builder<'_> {
    fn add(&mut self, mut note: Note) {
        let symbol_id = self.workspace.symbol_id(&note.id);
        let chunk = self.chunk(&note, symbol_id.clone());
        let links = std::mem::take(&mut note.links);
        self.chunked.references.extend(self.references(&chunk, links));
        self.chunked.symbols.push(self.symbol(&note, &chunk, symbol_id.clone()));
        self.nodes.push(NodeId::from(&symbol_id));
        let item = self.item(note, &chunk);
        self.chunked.items.push(item);
        self.chunked.chunks.push(chunk);
    }

    fn chunk(&mut self, note: &Note, symbol_id: SymbolId) -> Chunk {
        let (kind, text) = (kind(note.class), text(note));
        let parts = [self.source.path.as_str(), self.language.as_str(), kind_name(kind), &note.id, &text];
        let (chunk_uid, salt) = self.uids.assign(&parts);
        Chunk {
            audience: Audience::default(),
            blank_after: 0,
            byte_range: ByteRange::from_span(note.span),
            chunk_uid,
            derived: true,
            file_rel_path: self.source.path.clone(),
            kind,
            language_id: self.language.clone(),
            lines: Lines::from_span(note.span, self.index),
            name: Some(note.title.clone()),
            part: None,
            qualified_name: Some(note.title.clone()),
            range: Range::from_span(note.span, self.index),
            salt,
            shown: None,
            signature: signature(note),
            symbol_id: Some(symbol_id),
            text,
        }
    }

    fn symbol(&self, note: &Note, chunk: &Chunk, symbol_id: SymbolId) -> Symbol {
        Symbol {
            audience: Audience::default(),
            byte_range: chunk.byte_range,
            chunk_uid: chunk.chunk_uid,
            doc: Some(note.content.clone()).filter(|content| !content.is_empty()),
            exported: true,
            file_rel_path: chunk.file_rel_path.clone(),
            kind: chunk.kind,
            language_id: chunk.language_id.clone(),
            lines: chunk.lines,
            name: note.title.clone(),
            parameters: Vec::new(),
            qualified_name: note.title.clone(),
            range: chunk.range,
            signature: chunk.signature.clone(),
            site: Site::from_span(note.id_span, self.index),
            symbol_id,
            value_type: note.note_type.as_ref().map(|word| word.to_string()),
        }
    }

    fn item(&self, note: Note, chunk: &Chunk) -> Item {
        let head = line_count(shown_name(&note));
        let body = line_count(&note.content);
        Item {
            aliases: note.aliases,
            body: (body > 0).then_some(Lines { start: head + 1, end: head + body }),
            chunk_uid: Some(chunk.chunk_uid),
            created: note.created,
            depth: note.depth,
            done: note.done,
            due: note.due,
            fields: note.fields,
            head: Some(Lines { start: 1, end: head }),
            modified: note.modified,
            order: self.nodes.len() as u32 - 1,
            parent: note.parent.map(|parent| self.nodes[parent as usize].clone()),
            source_id: note.id.into_owned(),
            tags: note.tags,
            title: note.title,
            unit: note.unit,
            ..Item::new(note.class.word(), self.nodes[self.nodes.len() - 1].clone(), self.source.path)
        }
    }

    /// What a note names, grouped by what it names and how.
    fn references(&self, chunk: &Chunk, mut links: Vec<NoteLink>) -> Option<References> {
        links.sort_by_key(|link| link.span);
        let mut places: FxHashMap<(u8, String, Option<String>), usize> = FxHashMap::default();
        let mut references: Vec<Reference> = Vec::new();
        for NoteLink { role, target, receiver, span } in links {
            let at = *places.entry((role as u8, target.clone(), receiver.clone())).or_insert_with(|| {
                references.push(reference(role, target, receiver));
                references.len() - 1
            });
            let site = Site::from_span(span, self.index);
            if references[at].sites.last() != Some(&site) {
                references[at].sites.push(site);
            }
        }
        references.sort_by(|a, b| a.order().cmp(&b.order()));
        (!references.is_empty()).then(|| References {
            audience: Audience::default(),
            chunk_uid: chunk.chunk_uid,
            file_rel_path: chunk.file_rel_path.clone(),
            language_id: chunk.language_id.clone(),
            references,
            start: chunk.range.start,
            symbol_id: chunk.symbol_id.clone(),
        })
    }
}

fn reference(role: crate::record::Role, name: String, receiver: Option<String>) -> Reference {
    Reference {
        arguments: None,
        binding: None,
        flow: None,
        name,
        receiver,
        receiver_type: None,
        role,
        sites: Vec::new(),
    }
}

fn kind(class: NoteClass) -> Kind {
    match class {
        NoteClass::Tag => Kind::Tag,
        NoteClass::Note | NoteClass::Container => Kind::Item,
    }
}

/// The name and the tags, where there are tags.
fn signature(note: &Note) -> Option<String> {
    let tags = note.tags.iter().map(|tag| format!(" #{tag}")).collect::<String>();
    (!tags.is_empty()).then(|| format!("{}{tags}", note.title))
}

/// The name, the content and the fields, each on lines of its own.
fn text(note: &Note) -> String {
    let mut text = format!("{}\n", shown_name(note));
    if !note.content.is_empty() {
        text.push_str(&note.content);
        text.push('\n');
    }
    note.fields.iter().for_each(|field| push_field(field, &mut text));
    text
}

fn shown_name<'n>(note: &'n Note) -> &'n str {
    if note.name.is_empty() { UNTITLED } else { &note.name }
}

/// `Field:: value, value`. A value is one line.
fn push_field(field: &Field, text: &mut String) {
    text.push_str(&field.name);
    text.push_str("::");
    for (at, value) in field.values.iter().enumerate() {
        text.push_str(if at == 0 { " " } else { ", " });
        text.extend(FieldValue::as_str(value).chars().map(|c| if c == '\n' { ' ' } else { c }));
    }
    text.push('\n');
}

/// How many lines a text has; none if it is empty.
fn line_count(text: &str) -> u32 {
    crate::text::line_count(text)
}

#[cfg(test)]
mod tests;
