//! Markdown: sections by heading, fences as pieces of other languages, links and names of code.
//!
//! Headings and fences inside lists or quotes do not count: a section consists of whole lines, and the lines of such a
//! fence start with indentation or `>`.

mod aside;
mod containers;
mod fence;
mod outline;
mod pieces;

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use super::facts::{Break, Facts, Mention};
use super::prose::{self, Heading};
use super::table::Limits;
use super::text as plain_text;
use crate::document::front_matter;
use crate::record::Role;
use crate::text::{LineIndex, Span};
pub use outline::{Prose, ProseBlock, ProseFence, ProseLink, ProseOutline};
pub use pieces::{Piece, PieceKind, PieceLink, pieces};

/// Deeper breaks are no better than the end of a line.
const MAX_BREAK_DEPTH: usize = 200;

/// What texts use beside CommonMark.
const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_FOOTNOTES).union(Options::ENABLE_STRIKETHROUGH);

/// The same where `$` makes formulas.
const OPTIONS_WITH_MATH: Options = OPTIONS.union(Options::ENABLE_MATH);

pub fn parse<'t>(text: &'t str, limits: &Limits) -> Option<Facts<'t>> {
    if !containers::are_shallow(text) {
        return plain_text::parse(text, limits);
    }
    Some(Reader::new(text, limits.max_chunk_bytes).read(OPTIONS).facts())
}

/// The headings of a text that stand in no list, quote or fence, in its order.
pub fn headings(text: &str) -> Vec<Heading<'_>> {
    if containers::are_shallow(text) { Reader::new(text, usize::MAX).read(OPTIONS).headings } else { Vec::new() }
}

/// Reads a text for dialects that find more in it than markdown does. The facts have no links: dialects decide what
/// a link means. A text that nests too deep is plain text.
pub fn read_prose<'t>(text: &'t str, limits: &Limits) -> Prose<'t> {
    if !containers::are_shallow(text) {
        let facts = plain_text::parse(text, limits).unwrap_or_default();
        return Prose { facts, ..Prose::default() };
    }
    let reader = Reader { outline: Some(ProseOutline::default()), ..Reader::new(text, limits.max_chunk_bytes) };
    reader.read(OPTIONS_WITH_MATH).prose()
}

/// The marks of the fence that a text leaves open. What is put behind the text tells: an open fence takes it in.
pub fn open_fence(text: &str) -> Option<&str> {
    let has_fence = text.contains("```") || text.contains("~~~");
    if !has_fence || !containers::are_shallow(text) {
        return None;
    }
    let followed = format!("{text}\n\n# x");
    let is_open = |event: &Event, range: &Range<usize>| {
        matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))) && range.end == followed.len()
    };
    let mut events = Parser::new_ext(&followed, OPTIONS).into_offset_iter();
    let (_, range) = events.find(|(event, range)| is_open(event, range))?;
    let fence = text[range.start..].trim_start();
    let mark = fence.chars().next()?;
    Some(&fence[..fence.len() - fence.trim_start_matches(mark).len()])
}

struct Reader<'t> {
    text: &'t str,
    lines: LineIndex<'t>,
    max_chunk_bytes: usize,
    facts: Facts<'t>,
    headings: Vec<Heading<'t>>,
    heading: Option<OpenHeading>,
    /// Links and images that are open, outermost first.
    links: Vec<(LinkType, CowStr<'t>)>,
    /// Links to places of this file: the anchor, and where the link stands.
    anchors: Vec<(CowStr<'t>, Span)>,
    /// Blocks that are open.
    depth: usize,
    /// The end of the last piece of a line.
    inline_end: usize,
    /// The line right below a heading, which stays with it.
    kept: Kept,
    /// What dialects ask for; absent if none asks.
    outline: Option<ProseOutline<'t>>,
}

/// Whether a heading waits for the block below it, or which line that block starts at.
#[derive(PartialEq)]
enum Kept {
    Nothing,
    Next,
    Line(u32),
}

struct OpenHeading {
    name: String,
    span: Option<Range<usize>>,
}

impl<'t> Reader<'t> {
    fn read(mut self, options: Options) -> Self {
        let skipped = front_matter::end(self.text);
        for (event, range) in Parser::new_ext(&self.text[skipped..], options).into_offset_iter() {
            self.take(event, range.start + skipped..range.end + skipped);
        }
        self
    }

    fn new(text: &'t str, max_chunk_bytes: usize) -> Self {
        Reader {
            text,
            lines: LineIndex::new(text),
            max_chunk_bytes,
            facts: Facts::default(),
            headings: Vec::new(),
            heading: None,
            links: Vec::new(),
            anchors: Vec::new(),
            depth: 0,
            inline_end: 0,
            kept: Kept::Nothing,
            outline: None,
        }
    }

    fn take(&mut self, event: Event<'t>, range: Range<usize>) {
        match event {
            Event::Start(tag) if is_block(&tag.to_end()) => self.open_block(tag, range),
            Event::End(tag) if is_block(&tag) => self.close_block(tag, range),
            Event::Rule => self.take_break(&range),
            inline => self.take_inline(inline, range),
        }
    }

    fn open_block(&mut self, tag: Tag<'t>, range: Range<usize>) {
        match &tag {
            Tag::Heading { .. } => self.kept = Kept::Nothing,
            _ if self.kept == Kept::Next => self.kept = Kept::Line(self.line_start(range.start)),
            _ => {}
        }
        self.take_break(&range);
        if let Some(outline) = &mut self.outline {
            outline.open_block(&tag, &range, self.depth);
        }
        match tag {
            // A lone carriage return ends a line for the parser, and none of ours.
            Tag::Heading { .. } if self.depth == 0 && self.starts_line(range.start) => {
                self.heading = Some(OpenHeading { name: String::new(), span: None });
            }
            Tag::CodeBlock(kind) => self.take_code_block(kind, range),
            _ => {}
        }
        self.depth += 1;
    }

    fn close_block(&mut self, tag: TagEnd, range: Range<usize>) {
        self.depth -= 1;
        if let TagEnd::Heading(level) = tag {
            self.close_heading(level, range);
        }
    }

    fn close_heading(&mut self, level: HeadingLevel, range: Range<usize>) {
        let Some(OpenHeading { name, span: Some(span) }) = self.heading.take() else { return };
        let last_line = self.lines.line(range.end.saturating_sub(1) as u32);
        // The parser keeps wide spaces, and lines of them.
        let start = span.end - self.text[span.clone()].trim_start().len();
        let raw = without_anchor(self.text[start..span.end].trim_end());
        let name = Some(without_anchor(name.trim())).filter(|name| !name.is_empty()).unwrap_or(raw);
        let (name, raw_name) = (prose::capped_name(name), prose::capped_name(raw));
        if name.is_empty() {
            return;
        }
        self.headings.push(Heading {
            start: self.line_start(start) as usize,
            end: self.lines.start(last_line + 1) as usize,
            level: level as usize,
            name: if name == raw_name { raw_name.into() } else { name.to_string().into() },
            name_span: Span::new(start, start + raw.len()),
        });
        self.kept = Kept::Next;
    }

    fn take_code_block(&mut self, kind: CodeBlockKind<'t>, range: Range<usize>) {
        if range.len() > self.max_chunk_bytes {
            let depth = self.break_depth() + 1;
            self.facts.breaks.extend(fence::breaks(self.text, range.clone(), depth));
        }
        let at_line_start = self.line_start(range.start) as usize == range.start;
        if let CodeBlockKind::Fenced(info) = kind
            && self.depth == 0
            && at_line_start
        {
            self.facts.embedded.extend(fence::embedded(self.text, range, &info));
        }
    }

    fn take_inline(&mut self, event: Event<'t>, range: Range<usize>) {
        if let Some(heading) = &mut self.heading {
            heading.take(&event, &range);
        }
        if let Some(outline) = &mut self.outline {
            outline.take_inline(&event, &range);
        }
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) => {
                return self.links.push((link_type, dest_url));
            }
            Event::End(TagEnd::Link) => self.close_link(&range, "link"),
            Event::End(TagEnd::Image) => self.close_link(&range, "image"),
            Event::Code(_) => self.take_code(&range),
            Event::Start(_) => return,
            _ => {}
        }
        self.inline_end = range.end;
    }

    /// The text itself and not what the parser made of it, so that the mention has its place.
    fn take_code(&mut self, range: &Range<usize>) {
        let raw = &self.text[range.clone()];
        let ticks = raw.len() - raw.trim_start_matches('`').len();
        let span = Span::new(range.start + ticks, (range.end - ticks).max(range.start + ticks));
        self.facts.mentions.extend(prose::code_mention(self.text, span));
    }

    fn close_link(&mut self, range: &Range<usize>, style: &str) {
        let Some((link_type, target)) = self.links.pop() else { return };
        if matches!(link_type, LinkType::Autolink | LinkType::Email) {
            return;
        }
        let span = self.target_span(range, &target);
        if let Some(outline) = &mut self.outline {
            outline.links.push(ProseLink { target, span, is_image: style == "image" });
        } else if target.starts_with('#') {
            self.anchors.push((target, span));
        } else {
            self.facts.mentions.extend(prose::link_mention(&target, span, style));
        }
    }

    /// Where the target is written: behind the link's text, or else the whole link stands for it.
    fn target_span(&self, range: &Range<usize>, target: &str) -> Span {
        let tail = self.inline_end.clamp(range.start, range.end);
        match self.text[tail..range.end].find(target) {
            Some(at) if !target.is_empty() => Span::new(tail + at, tail + at + target.len()),
            _ => Span::from(range.clone()),
        }
    }

    /// Between two blocks, at the start of a line.
    fn take_break(&mut self, range: &Range<usize>) {
        let offset = self.line_start(range.start);
        if self.depth <= MAX_BREAK_DEPTH && self.kept != Kept::Line(offset) {
            self.facts.breaks.push(Break { offset, depth: self.break_depth() });
        }
    }

    fn break_depth(&self) -> u16 {
        self.depth.min(MAX_BREAK_DEPTH) as u16
    }

    fn starts_line(&self, offset: usize) -> bool {
        self.text[self.line_start(offset) as usize..offset].trim().is_empty()
    }

    fn line_start(&self, offset: usize) -> u32 {
        self.lines.start(self.lines.line(offset as u32))
    }

    fn prose(mut self) -> Prose<'t> {
        self.facts.definitions = prose::sections(self.text, &self.headings);
        self.facts.may_have_front_matter = true;
        Prose { facts: self.facts, headings: self.headings, outline: self.outline.unwrap_or_default() }
    }

    fn facts(mut self) -> Facts<'t> {
        self.facts.definitions = prose::sections(self.text, &self.headings);
        self.facts.may_have_front_matter = true;
        let by_slug: BTreeMap<String, &Heading<'t>> =
            self.headings.iter().rev().map(|heading| (slug(&heading.name), heading)).collect();
        for (anchor, span) in &self.anchors {
            let heading = by_slug.get(&slug(anchor));
            self.facts.mentions.extend(heading.map(|heading| Mention::new(Role::Use, heading.name.clone(), *span)));
        }
        self.facts
    }
}

impl OpenHeading {
    fn take(&mut self, event: &Event, range: &Range<usize>) {
        let start = self.span.as_ref().map_or(range.start, |span| span.start);
        self.span = Some(start..range.end);
        match event {
            Event::Text(words) | Event::Code(words) | Event::InlineMath(words) => self.name.push_str(words),
            Event::SoftBreak | Event::HardBreak => self.name.push(' '),
            _ => {}
        }
    }
}

/// What the text is made of, as against what a line is made of.
fn is_block(tag: &TagEnd) -> bool {
    !matches!(
        tag,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image
            | TagEnd::TableCell
    )
}

/// Without the `{#anchor}` that some dialects put behind a heading. Other braces are the heading's
/// own, as in `GET /users/{id}`.
fn without_anchor(heading: &str) -> &str {
    match heading.strip_suffix('}').and_then(|head| head.rfind("{#")) {
        Some(at) => heading[..at].trim_end(),
        None => heading,
    }
}

/// A heading's anchor as the usual renderers make it, and the same of an anchor itself.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests;
