//! reStructuredText: sections by adorned titles, labels and documented names, roles and links.
//!
//! One walk over the lines; indentation alone shows what belongs together. Code blocks are not pieces of another
//! language: rST indents them, so their lines are not those of a file, and an indented block does not even parse in
//! Python. They stay in the text of their section.

mod directive;
mod inline;
mod title;

use super::facts::{Break, Definition, Facts};
use super::prose::{self, Heading};
use super::table::Limits;
use crate::record::Kind;
use crate::text::{LineIndex, Span};
use directive::{DirectiveKind, Explicit};

/// How much deeper a cut inside a literal block counts than one beside it.
const LITERAL_DEPTH: usize = 40;
const MAX_BREAK_DEPTH: usize = 200;

pub fn parse<'t>(text: &'t str, _limits: &Limits) -> Option<Facts<'t>> {
    let mut reader = Reader::new(text);
    let mut number = 0;
    while number < reader.lines.line_count() {
        number += reader.take_line(number);
    }
    Some(reader.facts())
}

/// A line without its line break and the white space before it.
#[derive(Clone, Copy)]
struct Line<'t> {
    start: usize,
    indent: usize,
    /// Without its indentation.
    words: &'t str,
}

impl Line<'_> {
    fn words_start(&self, text: &str) -> usize {
        self.words.as_ptr() as usize - text.as_ptr() as usize
    }
}

struct Reader<'t> {
    text: &'t str,
    lines: LineIndex<'t>,
    facts: Facts<'t>,
    headings: Vec<Heading<'t>>,
    /// The kinds of title in the order in which they first appear, which is their level.
    title_styles: Vec<title::Style>,
    paragraph: Option<Paragraph>,
    /// Lines further in than this are what `inside` says.
    block_indent: usize,
    inside: Inside,
    /// Documented names whose content is still going on: their indentation, and which they are.
    elements: Vec<(usize, usize)>,
    /// Where the labels start that stand above the line, with nothing else between.
    labels_start: Option<usize>,
    /// The end of the last line that is not blank.
    words_end: usize,
    after_blank: bool,
    /// What comes next stays with the title above it.
    below_title: bool,
}

/// What the lines that are indented below a directive or a `::` hold.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Prose,
    /// Code, comments, formulas: no prose.
    Literal,
    /// Names of documents.
    TocTree,
}

struct Paragraph {
    start: usize,
    /// Where the text of its last line starts, behind the mark of a list.
    indent: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Reader {
            text,
            lines: LineIndex::new(text),
            facts: Facts::default(),
            headings: Vec::new(),
            title_styles: Vec::new(),
            paragraph: None,
            block_indent: 0,
            inside: Inside::Prose,
            elements: Vec::new(),
            labels_start: None,
            words_end: 0,
            after_blank: true,
            below_title: false,
        }
    }

    fn line(&self, number: u32) -> Line<'t> {
        let raw = self.lines.line_text(number).trim_end();
        let words = raw.trim_start();
        let blanks = &raw[..raw.len() - words.len()];
        let column = |at: usize, c: char| if c == '\t' { at / 8 * 8 + 8 } else { at + 1 };
        Line { start: self.lines.start(number) as usize, indent: blanks.chars().fold(0, column), words }
    }

    /// Takes what starts at a line, and says how many lines that was.
    fn take_line(&mut self, number: u32) -> u32 {
        let line = self.line(number);
        if line.words.is_empty() {
            self.close_paragraph();
            self.after_blank = true;
            return 1;
        }
        if self.inside != Inside::Prose && line.indent > self.block_indent {
            self.take_inside(line);
            self.end_line(line);
            return 1;
        }
        self.inside = Inside::Prose;
        self.close_elements(line.indent);
        if self.paragraph.is_none()
            && let Some(title) = title::at(line, || self.line(number + 1), || self.line(number + 2))
        {
            self.take_title(number, line, title);
            return title.line_count;
        }
        match directive::explicit(line.words) {
            Some(explicit) => self.take_explicit(number, line, explicit),
            None => self.take_words(line),
        }
        self.end_line(line);
        1
    }

    fn end_line(&mut self, line: Line<'t>) {
        self.words_end = line.words_start(self.text) + line.words.len();
        self.after_blank = false;
    }

    fn take_inside(&mut self, line: Line<'t>) {
        let deeper = if self.inside == Inside::Literal { LITERAL_DEPTH } else { 1 };
        if self.after_blank {
            self.take_break(line, deeper);
        }
        if self.inside == Inside::TocTree {
            let entry = Span::new(line.words_start(self.text), line.words_start(self.text) + line.words.len());
            self.facts.mentions.extend(directive::toctree_entry(self.text, entry));
        }
    }

    fn take_title(&mut self, number: u32, line: Line<'t>, title: title::Title) {
        let words = self.line(number + title.words_line);
        let words_start = words.words_start(self.text);
        let name_span = Span::new(words_start, words_start + words.words.len());
        let level = self.level(title.style);
        let labels_start = self.labels_start.take();
        if labels_start.is_none() {
            self.below_title = false;
            self.take_break(line, 0);
        }
        self.facts.mentions.extend(inline::mentions(self.text, name_span));
        self.headings.push(Heading {
            start: labels_start.unwrap_or(line.start),
            end: self.lines.start(number + title.line_count) as usize,
            level,
            name: inline::plain(prose::capped_name(words.words)),
            name_span,
        });
        self.end_line(self.line(number + title.line_count - 1));
        self.below_title = true;
    }

    fn level(&mut self, style: title::Style) -> usize {
        let known = self.title_styles.iter().position(|known| *known == style);
        known.unwrap_or_else(|| {
            self.title_styles.push(style);
            self.title_styles.len() - 1
        })
    }

    fn take_words(&mut self, line: Line<'t>) {
        self.labels_start = None;
        let item = prose::list_item_indent(line.words);
        if self.after_blank {
            self.take_break(line, 0);
        } else if item.is_some() {
            self.take_break(line, 1);
        }
        let indent = line.indent + item.unwrap_or(0);
        let start = self.paragraph.as_ref().map_or(line.words_start(self.text), |paragraph| paragraph.start);
        self.paragraph = Some(Paragraph { start, indent });
    }

    fn take_explicit(&mut self, number: u32, line: Line<'t>, explicit: Explicit<'t>) {
        self.close_paragraph();
        let is_label = matches!(explicit, Explicit::Label(_)) && line.indent == 0;
        let above = self.labels_start.filter(|_| is_label);
        self.below_title &= !is_label;
        if above.is_none() {
            self.take_break(line, 0);
        }
        self.labels_start = above.or(is_label.then_some(line.start));
        match explicit {
            Explicit::Label(name) => self.take_element(line, name),
            Explicit::Directive { name, argument } => self.take_directive(line, name, argument),
            Explicit::Words(words) => self.open_paragraph(line, words),
            // Two dots alone above a blank line end what is above and hold nothing.
            Explicit::Comment("") if number + 1 < self.lines.line_count() && self.lines.is_blank(number + 1) => {}
            Explicit::Comment(_) | Explicit::Link => self.open_block(line, Inside::Literal),
        }
    }

    fn take_directive(&mut self, line: Line<'t>, name: &str, argument: &'t str) {
        let span = self.span(argument);
        match directive::target(name) {
            DirectiveKind::Literal => self.open_block(line, Inside::Literal),
            DirectiveKind::TocTree => self.open_block(line, Inside::TocTree),
            DirectiveKind::File(style) => self.facts.mentions.extend(prose::link_mention(argument, span, style)),
            DirectiveKind::Use => self.facts.mentions.extend(prose::dotted_mention(self.text, span)),
            DirectiveKind::Element => self.take_element(line, directive::signature_name(argument)),
            DirectiveKind::Words => self.open_paragraph(line, argument),
        }
    }

    /// A name that is documented here: a label, or what a directive describes.
    fn take_element(&mut self, line: Line<'t>, name: &'t str) {
        let (container, last) = name.rsplit_once('.').filter(|_| !name.contains(' ')).unwrap_or(("", name));
        if last.is_empty() {
            return;
        }
        let start = line.words_start(self.text);
        let span = Span::new(start, start + line.words.len());
        let mut element = Definition::new(Kind::Element, last, self.span(last), span);
        element.container = container.split('.').filter(|part| !part.is_empty()).map(Into::into).collect();
        self.elements.push((line.indent, self.facts.definitions.len()));
        self.facts.definitions.push(element);
    }

    /// Ends the documented names that a line is not further in than.
    fn close_elements(&mut self, indent: usize) {
        while let Some((_, at)) = self.elements.pop_if(|(element_indent, _)| indent <= *element_indent) {
            let element = &mut self.facts.definitions[at];
            let content = element.span.end as usize..self.words_end.max(element.span.end as usize);
            let blank = self.text[content.clone()].len() - self.text[content.clone()].trim_start().len();
            if blank < content.len() {
                element.body = Some(Span::new(content.start + blank, content.end));
                element.span = Span::new(element.span.start as usize, content.end);
            }
        }
    }

    fn open_block(&mut self, line: Line<'t>, inside: Inside) {
        self.block_indent = line.indent;
        self.inside = inside;
    }

    fn open_paragraph(&mut self, line: Line<'t>, words: &'t str) {
        if !words.is_empty() {
            self.paragraph = Some(Paragraph { start: self.span(words).start as usize, indent: line.indent });
        }
    }

    fn close_paragraph(&mut self) {
        let Some(paragraph) = self.paragraph.take() else { return };
        let span = Span::new(paragraph.start, self.words_end.max(paragraph.start));
        let words = span.text(self.text);
        if words.ends_with("::") {
            self.block_indent = paragraph.indent;
            self.inside = Inside::Literal;
        }
        if !words.starts_with(">>>") {
            self.facts.mentions.extend(inline::mentions(self.text, span));
        }
    }

    fn take_break(&mut self, line: Line<'t>, deeper: usize) {
        let depth = (line.indent + deeper).min(MAX_BREAK_DEPTH) as u16;
        if !std::mem::take(&mut self.below_title) {
            self.facts.breaks.push(Break { offset: line.start as u32, depth });
        }
    }

    /// Where a piece of the text stands in it.
    fn span(&self, piece: &'t str) -> Span {
        let start = piece.as_ptr() as usize - self.text.as_ptr() as usize;
        Span::new(start, start + piece.len())
    }

    fn facts(mut self) -> Facts<'t> {
        self.close_paragraph();
        self.close_elements(0);
        self.facts.definitions.extend(prose::sections(self.text, &self.headings));
        self.facts
    }
}

#[cfg(test)]
mod tests;
