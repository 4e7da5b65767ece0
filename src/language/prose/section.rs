//! Headings, and the sections that they make.

use std::borrow::Cow;

use crate::language::facts::Definition;
use crate::record::Kind;
use crate::text::Span;

/// A paragraph that a stray underline turns into a heading would make a name of a page's length,
/// repeated in the container of every section below it.
const MAX_NAME_BYTES: usize = 200;

pub struct Heading<'t> {
    /// Where its section starts: the start of a line.
    pub start: usize,
    /// The end of the heading's last line, line break included.
    pub end: usize,
    /// The smaller, the further out.
    pub level: usize,
    pub name: Cow<'t, str>,
    pub name_span: Span,
}

/// One section a heading, from its first line to the next heading of whatever level, so that none
/// overlap; the headings above it are its container.
pub fn sections<'t>(text: &'t str, headings: &[Heading<'t>]) -> Vec<Definition<'t>> {
    let ends = headings.iter().skip(1).map(|next| next.start).chain([text.len()]);
    let mut above: Vec<&Heading<'t>> = Vec::new();
    let mut found = Vec::with_capacity(headings.len());
    for (heading, end) in headings.iter().zip(ends) {
        while above.last().is_some_and(|outer| outer.level >= heading.level) {
            above.pop();
        }
        let end = heading.start + text[heading.start..end].trim_end().len();
        let span = Span::new(heading.start, end);
        let mut section = Definition::new(Kind::Section, heading.name.clone(), heading.name_span, span);
        section.body = body(text, heading.end, end);
        section.container = above.iter().map(|outer| outer.name.clone()).collect();
        found.push(section);
        above.push(heading);
    }
    found
}

/// From the first line that is not blank.
fn body(text: &str, start: usize, end: usize) -> Option<Span> {
    let below = text.get(start..end)?;
    let blank = below.len() - below.trim_start().len();
    let line = below[..blank].rfind('\n').map_or(0, |at| at + 1);
    (blank < below.len()).then(|| Span::new(start + line, end))
}

pub fn capped_name(name: &str) -> &str {
    name[..name.floor_char_boundary(MAX_NAME_BYTES)].trim()
}
