//! What dialects need to know of a text beyond its facts: its blocks, links and fences, and what is no prose.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag};

use crate::language::facts::Facts;
use crate::language::prose::Heading;
use crate::text::Span;

/// A text as dialects read it.
#[derive(Default)]
pub struct Prose<'t> {
    pub facts: Facts<'t>,
    /// In text order.
    pub headings: Vec<Heading<'t>>,
    pub outline: ProseOutline<'t>,
}

/// All in text order.
#[derive(Default)]
pub struct ProseOutline<'t> {
    pub blocks: Vec<ProseBlock>,
    pub links: Vec<ProseLink<'t>>,
    pub fences: Vec<ProseFence<'t>>,
    /// Code and formulas: nothing in them is markup.
    pub verbatim: Vec<Span>,
    /// Code that only its indentation marks.
    pub indented: Vec<Span>,
}

/// An item of a list, or a block that nothing is around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProseBlock {
    pub span: Span,
    pub is_list_item: bool,
}

/// A link or an image with its target as the parser reads it.
pub struct ProseLink<'t> {
    pub target: CowStr<'t>,
    /// Where the target is written.
    pub span: Span,
    pub is_image: bool,
}

pub struct ProseFence<'t> {
    /// The words behind the fence.
    pub info: CowStr<'t>,
    pub span: Span,
}

impl<'t> ProseOutline<'t> {
    /// Takes a block that opens inside of so many others.
    pub fn open_block(&mut self, tag: &Tag<'t>, range: &Range<usize>, depth: usize) {
        let span = Span::from(range.clone());
        let is_list_item = matches!(tag, Tag::Item);
        if is_list_item || depth == 0 {
            self.blocks.push(ProseBlock { span, is_list_item });
        }
        match tag {
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                self.verbatim.push(span);
                self.fences.push(ProseFence { info: info.clone(), span });
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => self.indented.push(span),
            _ => {}
        }
    }

    pub fn take_inline(&mut self, event: &Event<'t>, range: &Range<usize>) {
        if matches!(event, Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_)) {
            self.verbatim.push(Span::from(range.clone()));
        }
    }
}
