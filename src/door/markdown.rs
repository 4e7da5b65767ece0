//! Markdown blocks for doors that show parts of documents.
//!
//! Every block begins with `#` and ends with a line break, so that the tokens of blocks add up to the tokens of the
//! whole (see [`crate::text::Tokenizer`]).

use crate::language::markdown_open_fence;
use crate::record::Chunk;
use crate::text::{fence, one_line};

/// A heading on one line.
pub fn heading(level: u32, name: &str) -> String {
    format!("{} {}", "#".repeat(level as usize), one_line(name))
}

/// A heading and the text below it. Closes a fence that the text leaves open, because it would include everything
/// after it.
pub fn section(heading: &str, body: &str) -> String {
    match markdown_open_fence(body) {
        _ if body.is_empty() => format!("{heading}\n\n"),
        Some(fence) => format!("{heading}\n\n{body}\n{fence}\n\n"),
        None => format!("{heading}\n\n{body}\n\n"),
    }
}

/// The place and name of a chunk of code, and its text in a fence.
pub fn code(chunk: &Chunk) -> (String, String) {
    let (path, lines) = (&chunk.file_rel_path, chunk.lines);
    let name = chunk.qualified_name.as_deref().unwrap_or_default();
    let title = format!("{path}:{}-{} {name}", lines.start, lines.end);
    let fence = fence(&chunk.text);
    let body = format!("{fence}{}\n{}\n{fence}", chunk.language_id.as_str(), chunk.text.trim_end());
    (title.trim_end().to_string(), body)
}
