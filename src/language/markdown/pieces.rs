//! A text as the blocks that people see: headings, paragraphs, items of lists, cells of tables. For dialects whose notes
//! consist of blocks.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use super::aside::Aside;
use super::{containers, fence};
use crate::language::list_item_indent;
use crate::text::Span;

/// One block of a text. Blocks inside of quotes are words of the quote.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece<'t> {
    pub kind: PieceKind,
    /// With its marks. Of an item without the blocks below it.
    pub span: Span,
    /// Its words as they are written, without the marks of blocks and the indentation of lines.
    pub words: Cow<'t, str>,
    /// Where its words are.
    pub words_span: Span,
    /// The place of the list, item, table or row around it among the pieces.
    pub parent: Option<usize>,
    /// Links and images in its words, in order.
    pub links: Vec<PieceLink<'t>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceKind {
    Heading,
    Paragraph,
    /// A block of HTML, or lines that only their indentation makes code.
    Raw,
    Quote,
    Code {
        language: Option<String>,
    },
    List {
        is_ordered: bool,
    },
    Item,
    Table,
    Row,
    Cell,
    Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceLink<'t> {
    pub target: CowStr<'t>,
    /// What people see, without markup.
    pub title: String,
    /// The whole link.
    pub span: Span,
    pub is_image: bool,
}

const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

/// The blocks of a text in its order, outer ones first. What is in no block of the parser, such as definitions of
/// links, is a paragraph; so is all of a text that nests too deep.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut cutter = Cutter::new(text);
    if containers::are_shallow(text) {
        for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
            cutter.take(event, range);
        }
    }
    cutter.fill(text.len());
    cutter.finish()
}

struct Cutter<'t> {
    text: &'t str,
    pieces: Vec<Piece<'t>>,
    /// Lists, items, tables and rows that are open, outermost first.
    open: Vec<usize>,
    /// The piece that takes all that starts before an offset.
    taker: Option<Taker>,
    /// Inline text of an item without a paragraph around it.
    run: Option<usize>,
    /// Links that are open, outermost first, with the piece that they are in.
    links: Vec<(usize, PieceLink<'t>)>,
    /// Where the blocks so far end that nothing is around.
    covered: usize,
    /// Whether an aside may still be closed.
    has_asides: bool,
}

#[derive(Clone, Copy)]
struct Taker {
    piece: usize,
    end: usize,
    /// How many blocks are open that it has taken, its own among them.
    depth: usize,
}

impl<'t> Cutter<'t> {
    fn new(text: &'t str) -> Self {
        Cutter {
            text,
            pieces: Vec::new(),
            open: Vec::new(),
            taker: None,
            run: None,
            links: Vec::new(),
            covered: 0,
            has_asides: text.contains("</aside>"),
        }
    }

    fn take(&mut self, event: Event<'t>, range: Range<usize>) {
        if let Some(taker) = self.taker {
            let is_inside = match &event {
                Event::End(tag) if is_block(tag) => taker.depth > 0,
                _ => range.start < taker.end,
            };
            if is_inside {
                return self.take_inside(taker, event, range);
            }
        }
        match event {
            Event::Start(tag) if is_block(&tag.to_end()) => self.open_block(tag, range),
            Event::End(tag) if is_block(&tag) => self.close_block(tag, range),
            Event::Rule => {
                self.start_block(&range);
                self.push(PieceKind::Rule, range.clone(), range.end..range.end);
            }
            inline => self.take_run(inline, range),
        }
    }

    fn open_block(&mut self, tag: Tag<'t>, range: Range<usize>) {
        self.start_block(&range);
        match tag {
            Tag::List(first) => self.open_container(PieceKind::List { is_ordered: first.is_some() }, range),
            Tag::Item => self.open_container(PieceKind::Item, range),
            Tag::Table(_) => self.open_container(PieceKind::Table, range),
            Tag::TableHead | Tag::TableRow => self.open_container(PieceKind::Row, range),
            Tag::TableCell => self.take_leaf(PieceKind::Cell, range),
            Tag::Heading { .. } => {
                let nothing = range.end..range.end;
                self.take_leaf_words(PieceKind::Heading, range, nothing);
            }
            Tag::BlockQuote(_) => self.take_leaf(PieceKind::Quote, range),
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                self.take_leaf(PieceKind::Code { language: fence::language(&info) }, range);
            }
            Tag::HtmlBlock => self.take_html(range),
            Tag::CodeBlock(CodeBlockKind::Indented) => self.take_leaf(PieceKind::Raw, range),
            Tag::Paragraph => self.take_paragraph(range),
            _ => self.take_leaf(PieceKind::Paragraph, range),
        }
    }

    fn close_block(&mut self, tag: TagEnd, range: Range<usize>) {
        self.run = None;
        if !matches!(tag, TagEnd::List(_) | TagEnd::Item | TagEnd::Table | TagEnd::TableHead | TagEnd::TableRow) {
            return;
        }
        let Some(closed) = self.open.pop() else { return };
        let is_bare = closed + 1 == self.pieces.len() && self.pieces[closed].words_span.is_empty();
        if matches!(tag, TagEnd::Item) && is_bare {
            self.pieces[closed].words_span = Span::from(self.item_words(&range));
        }
    }

    /// What the parser made nothing of, such as the definition of a link.
    fn item_words(&self, range: &Range<usize>) -> Range<usize> {
        let words = trimmed(self.text, range.clone());
        let start = words.start + list_item_indent(&self.text[words.clone()]).unwrap_or_default();
        trimmed(self.text, start..words.end.max(start))
    }

    /// Ends inline text, and keeps what stands between two blocks.
    fn start_block(&mut self, range: &Range<usize>) {
        (self.run, self.taker) = (None, None);
        if self.open.is_empty() {
            self.fill(range.start);
            self.covered = self.covered.max(range.end);
        }
    }

    fn fill(&mut self, end: usize) {
        let start = self.covered;
        self.covered = end.max(start);
        if start >= end || self.text[start..end].trim().is_empty() {
            return;
        }
        let mut from = start;
        let mut at = start;
        for line in self.text[start..end].split_inclusive('\n') {
            at += line.len();
            if line.trim().is_empty() || at == end {
                self.push_words(from..at);
                from = at;
            }
        }
    }

    /// A paragraph, unless there are no words.
    fn push_words(&mut self, range: Range<usize>) {
        let words = trimmed(self.text, range);
        if !words.is_empty() {
            self.push(PieceKind::Paragraph, words.clone(), words);
        }
    }

    fn open_container(&mut self, kind: PieceKind, range: Range<usize>) {
        let nothing = range.end..range.end;
        let piece = self.push(kind, range, nothing);
        self.open.push(piece);
    }

    fn take_leaf(&mut self, kind: PieceKind, range: Range<usize>) {
        let words = range.clone();
        self.take_leaf_words(kind, range, words);
    }

    fn take_leaf_words(&mut self, kind: PieceKind, range: Range<usize>, words: Range<usize>) {
        let end = range.end;
        let piece = self.push(kind, range, words);
        self.taker = Some(Taker { piece, end, depth: 1 });
    }

    /// The first paragraph of an item is what the item says.
    fn take_paragraph(&mut self, range: Range<usize>) {
        match self.fresh_item() {
            Some(piece) => {
                self.taker = Some(Taker { piece, end: range.end, depth: 1 });
                self.pieces[piece].words_span = Span::from(trimmed(self.text, range));
            }
            None => self.take_leaf(PieceKind::Paragraph, range),
        }
    }

    /// The innermost item, if it has neither words nor blocks yet.
    fn fresh_item(&self) -> Option<usize> {
        let last = *self.open.last()?;
        let piece = &self.pieces[last];
        let is_fresh = piece.kind == PieceKind::Item && piece.words_span.is_empty() && last + 1 == self.pieces.len();
        is_fresh.then_some(last)
    }

    /// `<aside>` is a quote up to its end, wherever the parser ends the block of HTML. What follows in the same block is
    /// inline text.
    fn take_html(&mut self, range: Range<usize>) {
        let html = trimmed(self.text, range.clone());
        if !self.has_asides || !Aside::opens(&self.text[html.clone()]) {
            return self.take_leaf(PieceKind::Raw, range);
        }
        let Some(aside) = Aside::at(self.text, html.start) else {
            self.has_asides = false;
            return self.take_leaf(PieceKind::Raw, range);
        };
        self.take_leaf_words(PieceKind::Quote, aside.whole.clone(), aside.words.clone());
        if self.open.is_empty() {
            self.covered = self.covered.max(aside.whole.end);
        }
    }

    fn take_inside(&mut self, taker: Taker, event: Event<'t>, range: Range<usize>) {
        match event {
            Event::Start(tag) if is_block(&tag.to_end()) => {
                self.taker = Some(Taker { depth: taker.depth + 1, ..taker });
            }
            Event::End(tag) if is_block(&tag) => self.taker = Some(Taker { depth: taker.depth - 1, ..taker }),
            Event::Text(words) if matches!(self.pieces[taker.piece].kind, PieceKind::Code { .. }) => {
                self.pieces[taker.piece].words.to_mut().push_str(&words);
            }
            inline => {
                if self.pieces[taker.piece].kind == PieceKind::Heading {
                    self.extend_words(taker.piece, &range);
                }
                self.take_link(taker.piece, inline, range);
            }
        }
    }

    fn take_run(&mut self, inline: Event<'t>, range: Range<usize>) {
        let piece = match self.run.or_else(|| self.fresh_item()) {
            Some(piece) => piece,
            None => self.push(PieceKind::Paragraph, range.clone(), range.end..range.end),
        };
        self.run = Some(piece);
        self.extend_words(piece, &range);
        self.take_link(piece, inline, range);
    }

    fn extend_words(&mut self, piece: usize, range: &Range<usize>) {
        let words = &mut self.pieces[piece].words_span;
        // The parser leaves out the backslash before a character that is no markup.
        let start = range.start - usize::from(self.text[..range.start].ends_with('\\'));
        if words.is_empty() {
            *words = Span::new(start, range.end);
        }
        words.end = words.end.max(range.end as u32);
    }

    fn take_link(&mut self, piece: usize, inline: Event<'t>, range: Range<usize>) {
        match inline {
            Event::Start(Tag::Link { dest_url, .. }) => self.open_link(piece, dest_url, range, false),
            Event::Start(Tag::Image { dest_url, .. }) => self.open_link(piece, dest_url, range, true),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some((piece, link)) = self.links.pop() {
                    self.pieces[piece].links.push(link);
                }
            }
            Event::Text(words) | Event::Code(words) => {
                self.links.iter_mut().for_each(|(_, link)| link.title.push_str(&words));
            }
            Event::SoftBreak | Event::HardBreak => self.links.iter_mut().for_each(|(_, link)| link.title.push(' ')),
            _ => {}
        }
    }

    fn open_link(&mut self, piece: usize, target: CowStr<'t>, range: Range<usize>, is_image: bool) {
        let link = PieceLink { target, title: String::new(), span: Span::from(range), is_image };
        self.links.push((piece, link));
    }

    fn push(&mut self, kind: PieceKind, range: Range<usize>, words: Range<usize>) -> usize {
        let span = Span::from(trimmed(self.text, range));
        let words_span = Span::from(words);
        let parent = self.open.last().copied();
        self.pieces.push(Piece { kind, span, words: Cow::Borrowed(""), words_span, parent, links: Vec::new() });
        self.pieces.len() - 1
    }

    fn finish(mut self) -> Vec<Piece<'t>> {
        for piece in &mut self.pieces {
            piece.settle(self.text);
        }
        self.pieces
    }
}

impl<'t> Piece<'t> {
    /// Finds its words, when it is known where they are.
    fn settle(&mut self, text: &'t str) {
        let words = trimmed(text, self.words_span.start as usize..self.words_span.end as usize);
        let raw = &text[words.clone()];
        self.words_span = Span::from(words);
        match self.kind {
            PieceKind::Item | PieceKind::Paragraph => self.span = up_to(self.span, self.words_span),
            _ => {}
        }
        self.words = match self.kind {
            PieceKind::Code { .. } => return self.end_code(),
            PieceKind::Quote => Cow::Owned(quoted(raw)),
            PieceKind::Cell => cell(raw),
            _ => by_line(raw, str::trim),
        };
        self.links.sort_by_key(|link| (link.span.start, std::cmp::Reverse(link.span.end)));
    }

    /// Code is the parser's text, which has no marks around it.
    fn end_code(&mut self) {
        let words = self.words.to_mut();
        if words.ends_with('\n') {
            words.pop();
        }
    }
}

/// From the start of a piece to the end of its words, if it has some.
fn up_to(span: Span, words: Span) -> Span {
    if words.is_empty() { span } else { Span { end: words.end.max(span.start), ..span } }
}

fn is_block(tag: &TagEnd) -> bool {
    super::is_block(tag) || *tag == TagEnd::TableCell
}

/// A range without white space around it.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let raw = &text[range.clone()];
    let end = range.start + raw.trim_end().len();
    end - raw.trim().len()..end
}

/// Changes each line; line breaks become `\n`.
fn by_line<'t>(raw: &'t str, change: impl Fn(&str) -> &str) -> Cow<'t, str> {
    if !raw.contains('\n') {
        return Cow::Borrowed(raw);
    }
    Cow::Owned(raw.lines().map(change).collect::<Vec<_>>().join("\n"))
}

/// The words of a quote without the marks before its lines. An aside has none.
fn quoted(raw: &str) -> String {
    let unmarked = |line: &str| {
        let line = line.trim_end();
        let bare = line.trim_start().strip_prefix('>').map(|bare| bare.strip_prefix(' ').unwrap_or(bare));
        bare.unwrap_or(line).to_string()
    };
    let lines: Vec<String> = raw.lines().map(unmarked).collect();
    lines.join("\n").trim().to_string()
}

/// The words of a cell without the lines around it.
fn cell(raw: &str) -> Cow<'_, str> {
    let inside = raw.strip_prefix('|').unwrap_or(raw);
    let inside = if inside.ends_with("\\|") { inside } else { inside.strip_suffix('|').unwrap_or(inside) };
    let inside = inside.trim();
    if inside.contains("\\|") { Cow::Owned(inside.replace("\\|", "|")) } else { Cow::Borrowed(inside) }
}
