//! A document as its dialect reads it. The chunk stage makes items of pages, whatever their dialect is.

use crate::language::Heading;
use crate::record::{Field, Lines};

pub struct Page<'t> {
    /// The kind of its item.
    pub kind: &'static str,
    /// The id that people use; empty if the document gives none.
    pub id: String,
    /// Empty if the document gives none.
    pub title: String,
    pub fields: Vec<Field>,
    /// The lines of its front matter.
    pub front_lines: Lines,
    /// The offset of the text behind the front matter.
    pub body_start: usize,
    /// In text order.
    pub headings: Vec<Heading<'t>>,
}
