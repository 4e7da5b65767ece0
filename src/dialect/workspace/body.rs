//! The body of a page, written in markdown, as blocks. Headings do not nest: every block is a child of the page, except
//! in lists and tables.

use std::collections::BTreeSet;

use crate::language::{Piece, PieceKind, PieceLink, markdown_pieces};
use crate::record::BlockType;
use crate::text::Span;

use super::media::{self, is_address};
use super::{Block, BlockLink, LinkTarget};

/// A body and the page around it.
pub struct Body<'b> {
    pub text: &'b str,
    /// The id of the page.
    pub page: &'b str,
    pub place: BodyPlace,
}

/// Where the blocks of a body are in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyPlace {
    /// The body is a piece of the file from this offset on.
    From(u32),
    /// The body stands in a value of JSON: this is the place of all its blocks.
    Inside(Span),
}

/// What a link of a body leads to. Whether a page of that id is there makes no difference: somebody who may not read it
/// must not learn that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A page or database right below this page.
    Child(String),
    /// Another page or database.
    Page(String),
    /// A file beside the pages.
    File,
    /// Something outside.
    Other,
}

/// The blocks of a body, and what is right below the page.
#[derive(Debug, Default, PartialEq)]
pub struct BodyBlocks {
    pub blocks: Vec<Block>,
    /// Blocks of the body, and pages and databases whose links stand alone on a line, in the order of the body.
    pub children: Vec<String>,
    /// Pages and databases below the page that words link to, in the order of the first links.
    pub mentioned: Vec<String>,
}

impl Body<'_> {
    /// Cuts the body. `find` says what the target of a link is.
    pub fn read(&self, find: &dyn Fn(&str) -> Target) -> BodyBlocks {
        let pieces = markdown_pieces(self.text);
        let mut reader = Reader {
            body: self,
            find,
            owners: Vec::with_capacity(pieces.len()),
            listed: BTreeSet::new(),
            captioned: 0,
            read: BodyBlocks::default(),
        };
        for (at, piece) in pieces.iter().enumerate() {
            let is_around = pieces.get(at + 1).is_some_and(|next| next.parent == Some(at));
            let says_nothing = piece.kind == PieceKind::Item && piece.words.is_empty() && !is_around;
            let owner = if says_nothing { Owner::Page } else { reader.take(piece) };
            reader.owners.push(owner);
        }
        reader.read
    }
}

struct Reader<'r> {
    body: &'r Body<'r>,
    find: &'r dyn Fn(&str) -> Target,
    /// What became of each piece.
    owners: Vec<Owner>,
    /// The pages and databases among the children so far.
    listed: BTreeSet<String>,
    /// How many blocks there were when the last caption was found.
    captioned: usize,
    read: BodyBlocks,
}

/// What the pieces below a piece belong to.
#[derive(Clone, Copy)]
enum Owner {
    Page,
    /// The place of a block.
    Block(usize),
    /// A list in a block or in the page, with its own block once it has an item that is no task.
    List {
        around: Option<usize>,
        is_ordered: bool,
        span: Span,
        list: Option<usize>,
    },
}

impl Reader<'_> {
    fn take(&mut self, piece: &Piece) -> Owner {
        let around = self.around(piece);
        match &piece.kind {
            PieceKind::List { is_ordered } => {
                return Owner::List { around, is_ordered: *is_ordered, span: piece.span, list: None };
            }
            PieceKind::Item => return Owner::Block(self.take_item(piece)),
            PieceKind::Table => return Owner::Block(self.open(BlockType::Table, piece.span, around)),
            PieceKind::Row => return Owner::Block(self.open(BlockType::TableRow, piece.span, around)),
            PieceKind::Paragraph => self.take_paragraph(piece, around),
            PieceKind::Rule => {
                self.open(BlockType::Divider, piece.span, around);
            }
            PieceKind::Code { language } => {
                let at = self.add(BlockType::Code, piece, around);
                self.read.blocks[at].language = language.clone();
            }
            PieceKind::Raw => self.take_raw(piece, around),
            PieceKind::Heading => self.add_words(BlockType::Heading, piece, around),
            PieceKind::Quote => self.add_words(BlockType::Quote, piece, around),
            PieceKind::Cell => {
                self.add(BlockType::TableCell, piece, around);
            }
        }
        around.map_or(Owner::Page, Owner::Block)
    }

    /// The block around a piece; absent if that is the page.
    fn around(&self, piece: &Piece) -> Option<usize> {
        match self.owners[piece.parent?] {
            Owner::Page => None,
            Owner::Block(at) => Some(at),
            Owner::List { around, list, .. } => list.or(around),
        }
    }

    /// An item of a list or a task. Tasks belong to what is around the list, and end it.
    fn take_item(&mut self, piece: &Piece) -> usize {
        let Some(place) = piece.parent else { return self.add(BlockType::ListItem, piece, None) };
        let Owner::List { around, is_ordered, span, list } = self.owners[place] else {
            return self.add(BlockType::ListItem, piece, self.around(piece));
        };
        let own = match task_state(&piece.words) {
            Some(is_done) => {
                self.owners[place] = Owner::List { around, is_ordered, span, list: None };
                return self.take_task(piece, is_done, around);
            }
            None => list.unwrap_or_else(|| self.open_list(span, piece.span, is_ordered, around)),
        };
        self.owners[place] = Owner::List { around, is_ordered, span, list: Some(own) };
        self.add(BlockType::ListItem, piece, Some(own))
    }

    fn open_list(&mut self, list: Span, item: Span, is_ordered: bool, around: Option<usize>) -> usize {
        let at = self.open(BlockType::List, Span { start: item.start, end: list.end.max(item.end) }, around);
        self.read.blocks[at].is_ordered = is_ordered;
        at
    }

    fn take_task(&mut self, piece: &Piece, is_done: bool, around: Option<usize>) -> usize {
        let at = self.add(BlockType::Todo, piece, around);
        let mark = if is_done { "- [x] " } else { "- [ ] " };
        let block = &mut self.read.blocks[at];
        block.text = format!("{mark}{}", block.text[TASK_MARK..].trim());
        block.done = Some(is_done);
        at
    }

    /// Lines that hold one link or image and nothing else are blocks of their own.
    fn take_paragraph(&mut self, piece: &Piece, around: Option<usize>) {
        let mut words: Option<Span> = None;
        for line in line_spans(self.body.text, piece.words_span) {
            let alone = links_in(piece, line).first().filter(|link| link.span == line);
            if let Some(link) = alone {
                self.take_text(piece, words.take(), around);
                self.take_alone(piece, link, around);
            } else if !line.is_empty() {
                words = Some(Span { start: words.map_or(line.start, |words| words.start), end: line.end });
            }
        }
        self.take_text(piece, words, around);
    }

    fn take_text(&mut self, piece: &Piece, words: Option<Span>, around: Option<usize>) {
        let Some(words) = words else { return };
        let lines: Vec<&str> = words.text(self.body.text).lines().map(str::trim).collect();
        let text = lines.join("\n");
        if self.take_caption(&text) {
            return;
        }
        let links = links_in(piece, words);
        let at = self.open(BlockType::Text, words, around);
        self.read.blocks[at].text = self.without_paths(&text, links);
        self.take_links(at, links);
    }

    /// Notion writes the caption of a picture once more below it.
    fn take_caption(&mut self, text: &str) -> bool {
        let place = self.read.blocks.len();
        let last = self.read.blocks.last().filter(|last| last.block_type == BlockType::Image);
        let is_caption =
            self.captioned != place && last.is_some_and(|image| image.text.strip_prefix(media::IMAGE) == Some(text));
        if is_caption {
            self.captioned = place;
        }
        is_caption
    }

    fn take_alone(&mut self, piece: &Piece, link: &PieceLink, around: Option<usize>) {
        if link.is_image {
            let at = self.open(BlockType::Image, link.span, around);
            self.read.blocks[at].text = media::image_text(&link.title, &link.target);
            return;
        }
        let target = (self.find)(&link.target);
        let is_page = matches!(target, Target::Child(_) | Target::Page(_));
        if !is_page && link.title.trim().is_empty() && link.target.is_empty() {
            return;
        }
        let at = self.open(BlockType::Embed, link.span, around);
        if !is_page || is_address(&link.target) {
            self.read.blocks[at].text = media::embed_text(&link.title, &link.target);
        }
        match target {
            Target::Child(id) if self.listed.insert(id.clone()) => self.read.children.push(id),
            _ => self.take_links(at, links_in(piece, link.span)),
        }
    }

    /// Links inside of the export as the words that people see. Their paths are the exporter's, and made of titles of
    /// other pages.
    fn without_paths(&self, words: &str, links: &[PieceLink]) -> String {
        let (mut text, mut rest) = (String::with_capacity(words.len()), words);
        for link in links.iter().filter(|link| !link.is_image && !is_address(&link.target)) {
            let written = link.span.text(self.body.text);
            let parts = rest.split_once(written).filter(|_| (self.find)(&link.target) != Target::Other);
            if let Some((before, after)) = parts {
                text.push_str(before);
                text.push_str(&link.title);
                rest = after;
            }
        }
        text + rest
    }

    /// Lines of HTML or of indented words. Comments say nothing.
    fn take_raw(&mut self, piece: &Piece, around: Option<usize>) {
        let is_comment = piece.words.starts_with("<!--") && piece.words.ends_with("-->");
        if !is_comment {
            self.add_words(BlockType::Text, piece, around);
        }
    }

    /// A block, if it says something.
    fn add_words(&mut self, block_type: BlockType, piece: &Piece, around: Option<usize>) {
        if !piece.words.is_empty() {
            self.add(block_type, piece, around);
        }
    }

    fn add(&mut self, block_type: BlockType, piece: &Piece, around: Option<usize>) -> usize {
        let at = self.open(block_type, piece.span, around);
        self.read.blocks[at].text = self.without_paths(&piece.words, &piece.links);
        self.take_links(at, &piece.links);
        at
    }

    fn open(&mut self, block_type: BlockType, span: Span, around: Option<usize>) -> usize {
        let at = self.read.blocks.len();
        let id = format!("{}:{}", self.body.page, at + 1);
        let mut block = Block::new(id.clone(), block_type, self.place(span));
        match around {
            Some(around) => {
                let around = &mut self.read.blocks[around];
                block.parent = Some(around.id.clone());
                around.children.push(id);
            }
            None => {
                block.parent = Some(self.body.page.to_string());
                self.read.children.push(id);
            }
        }
        self.read.blocks.push(block);
        at
    }

    fn take_links(&mut self, at: usize, links: &[PieceLink]) {
        for link in links.iter().filter(|link| !link.is_image) {
            let id = match (self.find)(&link.target) {
                Target::Child(id) => {
                    self.read.mentioned.push(id.clone());
                    id
                }
                Target::Page(id) => id,
                Target::File | Target::Other => continue,
            };
            let span = self.place(link.span);
            let link = BlockLink { to: LinkTarget::Id(id), label: None, is_relation: false, span };
            self.read.blocks[at].links.push(link);
        }
    }

    fn place(&self, span: Span) -> Span {
        match self.body.place {
            BodyPlace::From(offset) => span.shifted(offset),
            BodyPlace::Inside(around) => around,
        }
    }
}

/// The links that start in a part of the words of a piece.
fn links_in<'p, 't>(piece: &'p Piece<'t>, part: Span) -> &'p [PieceLink<'t>] {
    let before = |offset: u32| piece.links.partition_point(|link| link.span.start < offset);
    &piece.links[before(part.start)..before(part.end)]
}

/// The length of `[ ]`.
const TASK_MARK: usize = 3;

/// Whether an item is a task that is done; absent if it is no task.
fn task_state(words: &str) -> Option<bool> {
    let (mark, rest) = words.split_at_checked(TASK_MARK)?;
    let stands_apart = rest.is_empty() || rest.starts_with(char::is_whitespace);
    match mark {
        "[ ]" if stands_apart => Some(false),
        "[x]" | "[X]" if stands_apart => Some(true),
        _ => None,
    }
}

/// The lines of a piece of a text, without white space around them.
fn line_spans(text: &str, piece: Span) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = piece.start as usize;
    for line in piece.text(text).split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        spans.push(Span::new(start, start.max(at + line.trim_end().len())));
        at += line.len();
    }
    spans
}

#[cfg(test)]
mod tests;
