//! A text of notes before its dialect looks at it.

use super::front_matter::FrontMatter;
use super::org_block::{OrgBlock, org_blocks};
use super::outdent::read_outdented;
use super::scan::{Mark, Syntax, scan};
use super::zones::Zones;
use crate::document::front_matter;
use crate::language::{Facts, Heading, Limits, Prose, ProseOutline, read_prose};
use crate::text::{LineIndex, Span};

pub struct Sheet<'t> {
    pub text: &'t str,
    pub index: LineIndex<'t>,
    pub facts: Facts<'t>,
    pub headings: Vec<Heading<'t>>,
    pub outline: ProseOutline<'t>,
    pub front: Option<FrontMatter<'t>>,
    /// The offset of the text behind the front matter.
    pub body_start: usize,
    pub zones: Zones,
    /// Blocks of Org mode whose text is no markup; only Logseq has them.
    pub org_blocks: Vec<OrgBlock>,
    syntax: Syntax,
}

impl<'t> Sheet<'t> {
    pub fn read(text: &'t str, limits: &Limits, syntax: Syntax) -> Self {
        let mut prose = read_prose(text, limits);
        let front = FrontMatter::find(text);
        let body_start = front.as_ref().map_or_else(|| front_matter::end(text), FrontMatter::end);
        let mut org_blocks = Vec::new();
        if syntax == Syntax::Logseq {
            read_outdented(text, limits, &mut prose);
            org_blocks = self::org_blocks(text, body_start, &prose.outline);
        }
        let Prose { facts, headings, outline } = prose;
        let literal: Vec<Span> = org_blocks.iter().map(|block| block.span).collect();
        let zones = Zones::new(text, body_start, &outline, &literal);
        let index = LineIndex::new(text);
        Sheet { text, index, facts, headings, outline, front, body_start, zones, org_blocks, syntax }
    }

    /// The markup behind the front matter.
    pub fn marks(&self) -> Vec<Mark<'t>> {
        scan(self.text, self.body_start, &self.zones, self.syntax)
    }
}
