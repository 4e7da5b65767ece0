//! Places as callers name them, beside the file as it is now.

use std::path::Path;

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use crate::assemble::{IndexView, ReadError};
use crate::record::session::PlaceClaim;
use crate::source::{digest_now, text_now};
use crate::text::RepoPath;

/// A quote that proves a look at a line has so many characters.
const MIN_QUOTE: usize = 12;

/// Looks places up in one tree.
#[derive(Clone, Copy)]
pub struct PlaceFinder<'f> {
    pub view: &'f IndexView<'f>,
    pub tree: &'f Path,
}

impl PlaceFinder<'_> {
    /// `PATH:LINE`, or an object with path, line and perhaps a quote.
    pub fn place(&self, value: &Value) -> Result<PlaceClaim, ReadError> {
        match value {
            Value::String(text) => self.text_place(text),
            Value::Object(object) => {
                if let Some(place) = object.get("place").or_else(|| object.get("proof")) {
                    return self.place(place);
                }
                let text = |name: &str| object.get(name).and_then(Value::as_str);
                let line = object.get("line").and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok());
                match text("path").or_else(|| text("file")) {
                    Some(path) => self.claim(path, line, text("quote")),
                    None => Ok(nowhere("")),
                }
            }
            _ => Ok(nowhere(&value.to_string())),
        }
    }

    /// The first `PATH:LINE` in a text.
    pub fn text_place(&self, text: &str) -> Result<PlaceClaim, ReadError> {
        for word in text.split_whitespace() {
            let word = word.trim_matches(|c: char| matches!(c, '`' | '"' | '\'' | '(' | ')' | ',' | ';'));
            let Some((path, line)) = word.rsplit_once(':') else { continue };
            let first = line.split('-').next().unwrap_or(line).trim_end_matches('.');
            if let Ok(line) = first.parse::<u32>() {
                return Ok(PlaceClaim { given: cut(text), ..self.claim(path, Some(line), None)? });
            }
        }
        Ok(nowhere(text))
    }

    /// A line of a file of the index. Its text is read as it is now.
    pub fn claim(&self, path: &str, line: Option<u32>, quote: Option<&str>) -> Result<PlaceClaim, ReadError> {
        let given = line.map_or_else(|| path.to_string(), |line| format!("{path}:{line}"));
        let Some(path) = self.indexed(path)? else { return Ok(PlaceClaim { line, ..nowhere(&given) }) };
        let (digest, stands) = match quote {
            None => (digest_now(self.tree, &path), None),
            Some(quote) => match text_now(self.tree, &path) {
                Some((digest, text)) => (Some(digest), Some(stands_at(&text, line, quote))),
                None => (None, Some(false)),
            },
        };
        let quote = quote.map(cut);
        Ok(PlaceClaim { digest, given: cut(&given), line, path: Some(path), quote, quote_stands: stands })
    }

    /// The path as the index has it.
    pub fn indexed(&self, given: &str) -> Result<Option<RepoPath>, ReadError> {
        let inside = crate::pipeline::inside_tree(self.tree, given);
        let inside = inside.strip_prefix("./").unwrap_or(inside);
        Ok(self.view.paths()?.iter().find(|path| path.as_str() == inside).cloned())
    }

    /// A line as the index shows it.
    pub fn line_text(&self, path: &RepoPath, line: u32) -> Result<String, ReadError> {
        Ok(self
            .view
            .file_lines(path, &[])?
            .iter()
            .find(|(own, _)| *own == line)
            .map_or("", |(_, text)| text)
            .to_string())
    }
}

fn stands_at(text: &str, line: Option<u32>, quote: &str) -> bool {
    let quote: String = quote.nfc().collect();
    let own = line.and_then(|line| text.lines().nth((line as usize).checked_sub(1)?));
    let own: String = own.unwrap_or_default().nfc().collect();
    quote.trim().chars().count() >= MIN_QUOTE && own.contains(quote.trim())
}

fn nowhere(given: &str) -> PlaceClaim {
    PlaceClaim { digest: None, given: cut(given), line: None, path: None, quote: None, quote_stands: None }
}

/// What a caller wrote may be long; an event is not.
pub fn cut(text: &str) -> String {
    text.chars().take(200).collect()
}
