//! What a model is asked, so that it extracts the slots.

use crate::record::frame::FrameLang;

/// JSON Schema (2020-12) of what a model answers.
pub const EXTRACTION_SCHEMA: &str = include_str!("extraction.schema.json");

const JAPANESE: &str = include_str!("prompt.ja.txt");
const ENGLISH: &str = include_str!("prompt.en.txt");

/// The prompt for a request in normal form.
pub fn prompt(query: &str, lang: FrameLang) -> String {
    let text = if lang == FrameLang::Ja { JAPANESE } else { ENGLISH };
    text.replacen("{query}", query, 1)
}
