//! A bundle as a model reads it: every document under its heading, every section under its own.
//!
//! Every block begins with `#` and ends with a line break, so that the tokens of blocks add up to the tokens of
//! the whole (see [`crate::text::Tokenizer`]).

use std::borrow::Cow;

use crate::language::markdown_open_fence;
use crate::record::bundle::{ContextBundle, ContextItem, SectionSnippet};
use crate::text::one_line;

pub fn render(bundle: &ContextBundle) -> String {
    let item = |item: &ContextItem| item_head(item) + &item.sections.iter().map(section).collect::<String>();
    bundle.items.iter().map(item).collect()
}

/// What stands before a document's sections.
pub fn item_head(item: &ContextItem) -> String {
    let title = match item.spec_title.starts_with(&item.id) {
        true => item.spec_title.clone(),
        false => format!("{} {}", item.id, item.spec_title),
    };
    let ContextItem { file, kind, scope, role, distance, .. } = item;
    let facts = format!("{file} (kind: {kind}, scope: {scope}, role: {}, distance: {distance})", role.name());
    format!("# {}\n\n{}\n\n", one_line(title.trim()), one_line(&facts))
}

pub fn section(section: &SectionSnippet) -> String {
    let SectionSnippet { heading, body, .. } = section;
    match body.is_empty() {
        true => format!("{heading}\n\n"),
        false => format!("{heading}\n\n{}\n\n", closed(body)),
    }
}

/// A heading as it is written, on one line.
pub fn heading(level: u32, name: &str) -> String {
    format!("{} {}", "#".repeat(level as usize), one_line(name))
}

/// A fence that the text leaves open would take in all that stands behind it.
fn closed(body: &str) -> Cow<'_, str> {
    markdown_open_fence(body).map_or(Cow::Borrowed(body), |fence| Cow::Owned(format!("{body}\n{fence}")))
}
