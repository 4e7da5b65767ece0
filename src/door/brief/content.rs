//! What one node of a brief says: its name, tags, fields and text. Reads nothing but the chunks of that node.

use std::sync::Arc;

use xxhash_rust::xxh64::xxh64;

use super::fields::{ShownField, attachments, shown_fields, unnamed_attachments};
use super::text::{block_lines, content_lines, harmless, without_heading_mark};
use crate::assemble::ReadError;
use crate::assemble::notes::{NodeClass, NoteIndex};
use crate::graph::adjacency::Direction;
use crate::graph::notes::NoteClass;
use crate::record::{
    Chunk, ChunkUid, EdgeType, Field, FieldValue, FileLines, Item, Lines, NodeNo, NoteNo, SymbolId, write_line,
};
use crate::text::RepoPath;

pub struct Content {
    pub node: NodeNo,
    pub class: &'static str,
    pub shape: Shape,
    /// On one line; empty if it has none.
    pub name: String,
    pub tags: Vec<String>,
    /// All fields that readers may see.
    pub fields: Vec<ShownField>,
    pub attachments: Vec<String>,
    /// Attachments that the text does not name.
    pub unnamed_attachments: Vec<String>,
    /// The name as it is written, if it has several lines or is too long for a heading.
    pub name_lines: Vec<String>,
    /// The lines below the name.
    pub lines: Vec<String>,
    /// Absent for what is no note.
    pub item: Option<Item>,
    /// Where code stands.
    pub code: Option<CodePlace>,
}

/// How a node is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Under a heading of its own.
    Unit,
    /// A section of a page.
    Section,
    /// An entry of a list.
    Block,
    /// A block whose text is a part of a section that is printed before it.
    Inside,
}

pub struct CodePlace {
    pub path: RepoPath,
    pub lines: Lines,
    pub language: String,
}

impl Content {
    pub fn read(index: &NoteIndex, node: NodeNo) -> Result<Content, ReadError> {
        match index.class(node) {
            Some(NodeClass::Note(note, class)) => Reader { index, node, note, class }.read(),
            Some(NodeClass::Code) => code(index, node),
            Some(NodeClass::PlainTag) => Ok(Content::named(index, node, "tag")),
            Some(NodeClass::Unwritten) | None => Ok(Content::named(index, node, "unwritten")),
        }
    }

    /// A node of which nothing is known but its name.
    fn named(index: &NoteIndex, node: NodeNo, class: &'static str) -> Content {
        Content {
            node,
            class,
            shape: Shape::Unit,
            name: index.name(node).to_string(),
            tags: Vec::new(),
            fields: Vec::new(),
            attachments: Vec::new(),
            unnamed_attachments: Vec::new(),
            name_lines: Vec::new(),
            lines: Vec::new(),
            item: None,
            code: None,
        }
    }

    /// Of its name, content, tags and fields.
    pub fn digest(&self) -> ChunkUid {
        let mut bytes = Vec::new();
        let fields: Vec<(&str, Vec<&str>)> = self.fields.iter().map(ShownField::texts).collect();
        let text = (&self.name, &self.name_lines, &self.lines);
        write_line(&(text, &self.tags, fields), &mut bytes);
        ChunkUid::from_hash(xxh64(&bytes, 0))
    }
}

/// The word for a class of notes.
pub fn class_word(class: NodeClass) -> &'static str {
    match class {
        NodeClass::Note(_, NoteClass::Page) => "page",
        NodeClass::Note(_, NoteClass::Section) => "section",
        NodeClass::Note(_, NoteClass::Block) => "block",
        NodeClass::Note(_, NoteClass::Tag) | NodeClass::PlainTag => "tag",
        NodeClass::Note(_, NoteClass::Container) => "container",
        NodeClass::Note(_, NoteClass::Note) => "note",
        NodeClass::Unwritten => "unwritten",
        NodeClass::Code => "code",
    }
}

fn code(index: &NoteIndex, node: NodeNo) -> Result<Content, ReadError> {
    let mut content = Content::named(index, node, "code");
    let Some(chunk) = index.chunk(node) else { return Ok(content) };
    let chunk = index.view.chunk(chunk)?;
    content.lines = chunk.text.trim_end().lines().map(str::to_string).collect();
    if let Some(name) = &chunk.qualified_name {
        content.name = name.clone();
    }
    let (path, language) = (chunk.file_rel_path.clone(), chunk.language_id.as_str().to_string());
    content.code = Some(CodePlace { path, lines: chunk.lines, language });
    Ok(content)
}

struct Reader<'r> {
    index: &'r NoteIndex<'r>,
    node: NodeNo,
    note: NoteNo,
    class: NoteClass,
}

impl Reader<'_> {
    fn read(&self) -> Result<Content, ReadError> {
        let item = self.index.item(self.note)?;
        let shape = match self.class {
            _ if self.index.notes.is_unit(self.note) => Shape::Unit,
            NoteClass::Section => Shape::Section,
            _ => Shape::Block,
        };
        let chunk = self.index.chunk(self.node).map(|chunk| self.index.view.chunk(chunk)).transpose()?;
        let own = match &chunk {
            Some(chunk) if chunk.derived => OwnText::of_derived(&item, chunk),
            Some(_) => self.file_text(&item, shape)?,
            None => OwnText::default(),
        };
        let class = class_word(NodeClass::Note(self.note, self.class));
        Ok(Content {
            node: self.node,
            class,
            shape,
            name: item.title.clone(),
            tags: item.tags.clone(),
            fields: shown_fields(self.index, &item, &own.printed, &own.lines),
            attachments: attachments(&item),
            unnamed_attachments: unnamed_attachments(&item, &own.printed),
            name_lines: own.name,
            lines: own.lines,
            item: Some(item),
            code: None,
        })
    }

    /// The node's own lines of its file: those of a section without the sections in it, those of a block alone.
    fn file_text(&self, item: &Item, shape: Shape) -> Result<OwnText, ReadError> {
        let is_list_entry = self.class == NoteClass::Block;
        let own = if is_list_entry { item.head } else { self.own_body(item)? };
        let Some(own) = own else { return Ok(OwnText::default()) };
        let page = self.page(item)?;
        let printed = PrintedLines::of(own, page.as_ref());
        let lines = self.lines(item, page.as_ref(), &printed)?;
        if is_list_entry {
            let lines = without_heading_mark(block_lines(&lines));
            return Ok(match shape {
                // Its first line is its heading.
                Shape::Unit if lines.len() == 1 => OwnText { printed, ..OwnText::default() },
                _ => OwnText { name: lines, lines: Vec::new(), printed },
            });
        }
        Ok(OwnText { name: Vec::new(), lines: content_lines(&lines), printed })
    }

    /// The lines of a page or a section that are in none of the notes in it.
    fn own_body(&self, item: &Item) -> Result<Option<Lines>, ReadError> {
        let Some(body) = item.body else { return Ok(None) };
        let Some(first) = self.first_part()? else { return Ok(Some(body)) };
        let end = first.head.map_or(body.end, |head| head.start.saturating_sub(1)).min(body.end);
        Ok((end >= body.start).then_some(Lines { start: body.start, end }))
    }

    /// The first note in this one whose lines are not shown here.
    fn first_part(&self) -> Result<Option<Item>, ReadError> {
        let (graph, notes) = (self.index.graph, self.index.notes);
        let children = graph.neighbours(self.node, Direction::Out, EdgeType::Child);
        let mut parts: Vec<NoteNo> = children.filter_map(|neighbour| notes.note(neighbour.node)).collect();
        parts.retain(|part| notes.path(*part) == notes.path(self.note));
        parts.sort_by_key(|part| notes.order(*part));
        for part in parts {
            if notes.class(part) != NoteClass::Block || !is_inline(self.index, notes.node(part))? {
                return self.index.item(part).map(Some);
            }
        }
        Ok(None)
    }

    /// The item of the page that the note is on.
    fn page(&self, item: &Item) -> Result<Option<Item>, ReadError> {
        let node = self.index.graph.node(SymbolId::of_file(&item.file_rel_path).as_str());
        let page = node.and_then(|node| self.index.notes.note(node));
        page.map(|page| self.index.item(page)).transpose()
    }

    /// The text of some lines of the note's file.
    fn lines(&self, item: &Item, page: Option<&Item>, printed: &PrintedLines) -> Result<Vec<String>, ReadError> {
        let corpus = self.index.view.corpus();
        let file = corpus.file(item.file_rel_path.as_str());
        let Some(own) = printed.lines else { return Ok(Vec::new()) };
        let overlaps = |(start, end): (u32, u32)| start <= own.end && own.start <= end;
        let chunks = file.into_iter().flat_map(|file| corpus.chunks_of(file));
        let chunks = chunks.filter(|chunk| overlaps(corpus.lines(*chunk)));
        let chunks = chunks.map(|chunk| self.index.view.chunk(chunk)).collect::<Result<Vec<_>, _>>()?;
        let text = FileLines::new(chunks.iter().map(Arc::as_ref), values(page, Field::WHITE_LINES));
        let shown = (own.start..=own.end).filter(|line| printed.shows(*line));
        Ok(shown.map(|line| text.text(Lines { start: line, end: line })).collect())
    }
}

/// Whether the text of a block is in the chunk of what is around it: the block has no chunk of its own.
pub fn is_inline(index: &NoteIndex, block: NodeNo) -> Result<bool, ReadError> {
    let Some(chunk) = index.chunk(block) else { return Ok(true) };
    let own = index.view.chunk(chunk)?.symbol_id.clone();
    Ok(own.is_none_or(|symbol| symbol.as_str() != index.graph.id(block)))
}

/// The lines of a file that the text of a note shows.
#[derive(Default)]
pub struct PrintedLines {
    /// Absent for a note whose text is in no file.
    lines: Option<Lines>,
    /// Lines that are left out: comments, properties, data of plugins.
    hidden: Vec<Lines>,
}

impl PrintedLines {
    fn of(lines: Lines, page: Option<&Item>) -> Self {
        let hidden = values(page, Field::HIDDEN_LINES).iter().filter_map(hidden_lines).collect();
        PrintedLines { lines: Some(lines), hidden }
    }

    pub fn shows(&self, line: u32) -> bool {
        let holds = |lines: &Lines| (lines.start..=lines.end).contains(&line);
        self.lines.as_ref().is_some_and(holds) && !self.hidden.iter().any(holds)
    }
}

fn values<'p>(page: Option<&'p Item>, name: &str) -> &'p [FieldValue] {
    page.and_then(|page| page.field(name)).unwrap_or_default()
}

fn hidden_lines(value: &FieldValue) -> Option<Lines> {
    Some(Lines { start: value.line?, end: value.as_str().parse().ok()? })
}

/// The text of a note without the notes in it.
#[derive(Default)]
struct OwnText {
    name: Vec<String>,
    lines: Vec<String>,
    printed: PrintedLines,
}

impl OwnText {
    /// The text of a derived chunk has the name, the content and the fields, in this order.
    fn of_derived(item: &Item, chunk: &Chunk) -> Self {
        let all: Vec<&str> = chunk.text.lines().collect();
        let part = |lines: Option<Lines>| -> Vec<String> {
            let Some(Lines { start, end }) = lines else { return Vec::new() };
            let lines = all.iter().take(end as usize).skip(start.saturating_sub(1) as usize);
            harmless(lines.map(|line| line.to_string()).collect())
        };
        OwnText { name: part(item.head), lines: content_lines(&part(item.body)), printed: PrintedLines::default() }
    }
}
