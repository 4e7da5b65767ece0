//! The blocks of a page, in the headings and bullets that they are below.

use rustc_hash::{FxHashMap, FxHashSet};

use super::block::BlockText;
use super::outline::{Bullet, bullets};
use crate::dialect::Part;
use crate::dialect::markup::Sheet;
use crate::dialect::page::NAMELESS;
use crate::language::{Complaint, Definition, Facts, Heading, capped_name};
use crate::record::{Kind, ProblemCode};
use crate::text::{LineIndex, RepoPath, Span};

/// The page and its parts.
pub struct Blocks<'t> {
    pub parts: Vec<Part>,
    /// The lines of each part that are its own.
    pub spans: Vec<Span>,
    /// What the lines before all parts say, then those of each part.
    pub texts: Vec<BlockText<'t>>,
}

/// Where a part starts.
enum Start<'h, 't> {
    Heading(&'h Heading<'t>),
    Bullet(Bullet),
}

impl Start<'_, '_> {
    fn offset(&self) -> usize {
        match self {
            Start::Heading(heading) => heading.start,
            Start::Bullet(bullet) => bullet.start,
        }
    }
}

impl<'t> Blocks<'t> {
    /// Finds the parts, and adds the definitions of bullets to the facts.
    pub fn read(path: &RepoPath, sheet: &mut Sheet<'t>) -> Self {
        let (text, index, facts) = (sheet.text, &sheet.index, &mut sheet.facts);
        let bullets = bullets(text, sheet.body_start, &sheet.org_blocks).into_iter().map(Start::Bullet);
        let mut starts: Vec<Start> = sheet.headings.iter().map(Start::Heading).chain(bullets).collect();
        starts.sort_by_key(Start::offset);
        clip_sections(&starts, facts, text);
        let first = starts.first().map_or(text.len(), Start::offset).max(sheet.body_start);
        let preamble = BlockText::read_preamble(index, sheet.body_start, first);
        let blocks = Blocks { parts: Vec::new(), spans: Vec::new(), texts: vec![preamble] };
        let (keys, sections, open) = (Keys::default(), Vec::new(), Vec::new());
        let mut reader = Reader { path, index, facts, blocks, keys, sections, open };
        for (at, start) in starts.iter().enumerate() {
            reader.take(start, starts.get(at + 1).map_or(text.len(), Start::offset));
        }
        reader.blocks
    }
}

/// The lines of a section end where its first bullet starts.
fn clip_sections(starts: &[Start], facts: &mut Facts, text: &str) {
    for definition in facts.definitions.iter_mut().filter(|definition| definition.kind == Kind::Section) {
        let at = starts.partition_point(|start| start.offset() <= definition.span.start as usize);
        let end = starts.get(at).map_or(text.len(), Start::offset);
        let own = Span { start: definition.span.start, end: definition.span.end.min(end as u32) };
        definition.span.end = own.start + own.text(text).trim_end().len() as u32;
        let end = definition.span.end;
        definition.body =
            definition.body.filter(|body| body.start < end).map(|body| Span { end: body.end.min(end), ..body });
    }
}

struct Reader<'r, 't> {
    path: &'r RepoPath,
    index: &'r LineIndex<'t>,
    facts: &'r mut Facts<'t>,
    blocks: Blocks<'t>,
    keys: Keys<'t>,
    /// The sections that are open: level and part.
    sections: Vec<(usize, usize)>,
    /// The bullets that are open: column and part.
    open: Vec<(usize, usize)>,
}

impl<'t> Reader<'_, 't> {
    fn take(&mut self, start: &Start, end: usize) {
        match start {
            Start::Heading(heading) => self.take_heading(heading, end),
            Start::Bullet(bullet) => self.take_bullet(bullet, end),
        }
    }

    fn take_heading(&mut self, heading: &Heading, end: usize) {
        self.open.clear();
        while self.sections.pop_if(|(level, _)| *level >= heading.level).is_some() {}
        let parent = self.sections.last().map(|(_, outer)| *outer);
        self.sections.push((heading.level, self.blocks.parts.len()));
        let text = BlockText::read_preamble(self.index, heading.end.min(end), end);
        let part = Part { parent, ..Part::section(heading, self.index.text()) };
        self.push(part, Span::new(heading.start, end), text);
    }

    fn take_bullet(&mut self, bullet: &Bullet, end: usize) {
        while self.open.pop_if(|(indent, _)| *indent >= bullet.indent).is_some() {}
        let parent = self.open.last().or(self.sections.last()).map(|(_, outer)| *outer);
        self.open.push((bullet.indent, self.blocks.parts.len()));
        let block = BlockText::read(self.index, bullet.content, end);
        let text = self.index.text();
        let (key, id) = self.key(&block);
        let title = capped_name(block.title.text);
        let own = Span::new(bullet.start, bullet.start + text[bullet.start..end].trim_end().len());
        // A bullet without text is called by its mark, whose characters are ASCII.
        let mark = bullet.start + (own.len() - own.text(text).trim_start_matches([' ', '\t']).len());
        let name_span = match block.title.text.len() {
            0 => Span::new(mark, mark + 1),
            len => Span::new(block.title.start, block.title.start + len),
        };
        let name = if title.is_empty() { NAMELESS } else { title };
        let mut definition = Definition::new(Kind::Item, name, name_span, own);
        definition.key = Some(key.into());
        self.facts.definitions.push(definition);
        let head = own.start as usize..own.end as usize;
        let mut part = Part::new("block", (Kind::Item, name_span.start), title, head);
        part.parent = parent;
        part.depth = parent.map_or(0, |outer| self.blocks.parts[outer].depth) + 1;
        part.id = Some(id);
        self.push(part, Span::new(bullet.start, end), block);
    }

    /// What makes the symbol of a block, and the id that people use.
    fn key(&mut self, block: &BlockText<'t>) -> (String, String) {
        let Some(id) = block.id(self.index.text()) else {
            let key = self.keys.of_text(block.hash(self.path.as_str()));
            return (key.clone(), key);
        };
        if !self.keys.given.insert(id) {
            let message = format!("the id `{id}` is given to two blocks of this page");
            let span = block.properties.iter().find(|(_, value)| value.text(self.index.text()) == id);
            let span = span.map_or(Span { start: 0, end: 0 }, |(_, value)| *value);
            self.facts.complaints.push(Complaint { code: ProblemCode::ItemDuplicate, span, message });
        }
        (format!("^{id}"), id.to_string())
    }

    fn push(&mut self, part: Part, span: Span, text: BlockText<'t>) {
        self.blocks.parts.push(part);
        self.blocks.spans.push(span);
        self.blocks.texts.push(text);
    }
}

/// The keys that blocks of a page have.
#[derive(Default)]
struct Keys<'t> {
    given: FxHashSet<&'t str>,
    /// How many blocks have a text of this hash.
    of_texts: FxHashMap<u64, u32>,
}

impl Keys<'_> {
    /// The hash, and a number among blocks of one text.
    fn of_text(&mut self, hash: u64) -> String {
        let count = self.of_texts.entry(hash).or_insert(0);
        *count += 1;
        format!("^~{hash:016x}+{}", *count - 1)
    }
}
