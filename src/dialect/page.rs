//! A document as its dialect reads it. The chunk stage makes items of pages, whatever their dialect is.

use std::ops::Range;

use crate::language::Heading;
use crate::record::{Date, Field, Kind, Lines};

/// The name of a definition without letters.
pub const NAMELESS: &str = "…";

pub struct Page {
    /// The kind of its item.
    pub kind: &'static str,
    /// The id that people use; empty if the document gives none.
    pub id: String,
    /// Empty if the document gives none.
    pub title: String,
    pub details: Details,
    /// The lines of its front matter.
    pub front_lines: Option<Lines>,
    /// The offset of the text behind the front matter.
    pub body_start: usize,
    /// Outer parts before those in them, in text order.
    pub parts: Vec<Part>,
    /// Lines of the file that are no content for readers.
    pub hidden_lines: Vec<Lines>,
}

/// A section or a block of a page.
pub struct Part {
    /// The kind of its item.
    pub kind: &'static str,
    /// The kind of its definition, and where the name of its definition starts.
    pub definition: (Kind, u32),
    pub title: String,
    /// The id that people use; absent: the page's, and its name behind `#`.
    pub id: Option<String>,
    /// Its title without markup.
    pub name: String,
    pub details: Details,
    /// The part around it; absent if that is the page.
    pub parent: Option<usize>,
    pub depth: u32,
    pub is_unit: bool,
    /// Of a section its heading, of a block its own text.
    pub head: Range<usize>,
    /// Where what is in it ends; absent: where the next part starts that is not in it.
    pub end: Option<usize>,
}

/// What a document says of itself or of a part of it.
#[derive(Clone, Debug, Default)]
pub struct Details {
    pub aliases: Vec<String>,
    pub tags: Vec<String>,
    pub fields: Vec<Field>,
    pub created: Option<Date>,
    pub modified: Option<Date>,
    pub due: Option<Date>,
    pub done: Option<bool>,
}

impl Part {
    /// A part that says nothing but what and where it is.
    pub fn new(kind: &'static str, definition: (Kind, u32), title: &str, head: Range<usize>) -> Self {
        Part {
            kind,
            definition,
            title: title.to_string(),
            id: None,
            name: title.to_string(),
            details: Details::default(),
            parent: None,
            depth: 0,
            is_unit: false,
            head,
            end: None,
        }
    }

    /// The section of a heading.
    pub fn section(heading: &Heading, text: &str) -> Self {
        let title = heading.name_span.text(text);
        let definition = (Kind::Section, heading.name_span.start);
        let mut part = Part::new("section", definition, title, heading.start..heading.end);
        part.depth = heading.level as u32;
        if heading.name != title {
            part.name = heading.name.to_string();
            part.details.aliases.push(heading.name.to_string());
        }
        part
    }

    /// Takes what the text says of it. Names that it has already stay.
    pub fn describe(&mut self, details: Details) {
        let aliases = std::mem::take(&mut self.details.aliases);
        self.details = Details { aliases, ..details };
    }
}

impl Page {
    /// The sections of headings, each in the nearest one above it whose heading is of a smaller level.
    pub fn sections(headings: &[Heading], text: &str) -> Vec<Part> {
        // The sections that are open, outermost first: level and number.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut sections = Vec::with_capacity(headings.len());
        for (at, heading) in headings.iter().enumerate() {
            while open.pop_if(|(level, _)| *level >= heading.level).is_some() {}
            let parent = open.last().map(|(_, outer)| *outer);
            open.push((heading.level, at));
            sections.push(Part { parent, ..Part::section(heading, text) });
        }
        sections
    }
}

/// Where each part ends: its own end, or else where the next part starts that is not in it.
pub fn part_ends(parts: &[Part], text_end: usize) -> Vec<usize> {
    let mut ends = vec![text_end; parts.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        while let Some(closed) = open.pop_if(|outer| Some(*outer) != part.parent) {
            ends[closed] = part.head.start;
        }
        open.push(at);
    }
    parts.iter().zip(ends).map(|(part, end)| part.end.unwrap_or(end)).collect()
}
