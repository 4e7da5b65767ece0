//! A text of notes before its dialect looks at it.

use super::front_matter::FrontMatter;
use super::scan::{Mark, Syntax, scan};
use super::zones::Zones;
use crate::document::front_matter;
use crate::language::{Facts, Heading, Limits, Prose, ProseOutline, read_prose};
use crate::text::LineIndex;

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
}

impl<'t> Sheet<'t> {
    pub fn read(text: &'t str, limits: &Limits) -> Self {
        let Prose { facts, headings, outline } = read_prose(text, limits);
        let front = FrontMatter::find(text);
        let body_start = front.as_ref().map_or_else(|| front_matter::end(text), FrontMatter::end);
        let zones = Zones::new(text, body_start, &outline);
        Sheet { text, index: LineIndex::new(text), facts, headings, outline, front, body_start, zones }
    }

    /// The markup behind the front matter.
    pub fn marks(&self, syntax: Syntax) -> Vec<Mark<'t>> {
        scan(self.text, self.body_start, &self.zones, syntax)
    }
}
