//! The sections and blocks of a page in their order, and which is in which.

use std::cmp::Reverse;

use crate::dialect::{Page, Part, part_ends};
use crate::language::Heading;
use crate::text::Span;

/// Outer parts before those in them, and where the text of each is.
pub struct Parts {
    pub parts: Vec<Part>,
    pub spans: Vec<Span>,
}

struct Entry {
    part: Part,
    span: Span,
    /// The number of the heading; absent for a block.
    heading: Option<usize>,
}

/// Blocks are in what is around them, sections in the section that their heading is below. The section of the page's
/// title is no part: what is in it is in the page.
pub fn arrange(headings: &[Heading], title: Option<usize>, blocks: Vec<(Part, Span)>, text: &str) -> Parts {
    let mut entries = sections(headings, text);
    if let Some(title) = title {
        entries.remove(title);
    }
    entries.extend(blocks.into_iter().map(|(part, span)| Entry { part, span, heading: None }));
    entries.sort_by_key(|entry| (entry.span.start, entry.heading.is_none(), Reverse(entry.span.end)));
    let mut places: Vec<Option<usize>> = vec![None; headings.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut arranged = Parts { parts: Vec::new(), spans: Vec::new() };
    for (at, Entry { mut part, span, heading }) in entries.into_iter().enumerate() {
        while open.pop_if(|outer| arranged.spans[*outer].end <= span.start).is_some() {}
        match heading {
            Some(heading) => {
                places[heading] = Some(at);
                part.parent = part.parent.and_then(|outer| places[outer]);
            }
            None => {
                part.parent = open.last().copied();
                part.depth = part.parent.map_or(0, |outer| arranged.parts[outer].depth) + 1;
            }
        }
        open.push(at);
        arranged.parts.push(part);
        arranged.spans.push(span);
    }
    arranged
}

/// The sections with the number of the section around each; the text of a section goes to the next heading.
fn sections(headings: &[Heading], text: &str) -> Vec<Entry> {
    let parts = Page::sections(headings, text);
    let ends = part_ends(&parts, text.len());
    let next = headings.iter().skip(1).map(|heading| heading.start).chain([text.len()]);
    let all = parts.into_iter().zip(ends).zip(next).enumerate();
    all.map(|(at, ((part, end), next))| Entry {
        span: Span::new(part.head.start, next),
        part: Part { end: Some(end), ..part },
        heading: Some(at),
    })
    .collect()
}
