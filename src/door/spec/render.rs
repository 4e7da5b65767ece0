//! Renders a bundle for a model: every document and every section under its own heading.
//!
//! Every block begins with `#` and ends with a line break, so that the tokens of blocks add up to the tokens of the
//! whole (see [`crate::text::Tokenizer`]).

use std::borrow::Cow;

use crate::language::markdown_open_fence;
use crate::record::bundle::{ContextBundle, ContextItem, SectionSnippet};
use crate::text::one_line;

pub fn render(bundle: &ContextBundle) -> String {
    let item = |item: &ContextItem| item_head(item) + &item.sections.iter().map(section).collect::<String>();
    bundle.items.iter().map(item).collect()
}

/// The text before a document's sections.
pub fn item_head(item: &ContextItem) -> String {
    let title = if item.spec_title.starts_with(&item.id) {
        item.spec_title.clone()
    } else {
        format!("{} {}", item.id, item.spec_title)
    };
    let ContextItem { file, kind, scope, role, distance, .. } = item;
    let facts = format!("{file} (kind: {kind}, scope: {scope}, role: {}, distance: {distance})", role.name());
    format!("# {}\n\n{}\n\n", one_line(title.trim()), one_line(&facts))
}

pub fn section(section: &SectionSnippet) -> String {
    let SectionSnippet { heading, body, .. } = section;
    if body.is_empty() { format!("{heading}\n\n") } else { format!("{heading}\n\n{}\n\n", close_fence(body)) }
}

/// A Markdown heading on one line.
pub fn heading(level: u32, name: &str) -> String {
    format!("{} {}", "#".repeat(level as usize), one_line(name))
}

/// Closes a fence that the text leaves open, because it would include everything after it.
fn close_fence(body: &str) -> Cow<'_, str> {
    markdown_open_fence(body).map_or(Cow::Borrowed(body), |fence| Cow::Owned(format!("{body}\n{fence}")))
}
