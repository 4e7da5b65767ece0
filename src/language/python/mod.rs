//! Python by ruff's parser, many times as fast as by grammar and with Python's own scopes.
//!
//! A text with syntax errors, or one nested deeper than a tree may be walked, is left to the grammar.

mod annotations;
mod bindings;
mod breaks;
mod definitions;
mod expressions;
mod imports;
mod reader;
mod scopes;
mod statements;
mod targets;
mod tokens;
mod values;

use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};

use super::facts::Facts;
use super::table::Limits;
use reader::Reader;
use tokens::Scan;

pub fn parse<'t>(text: &'t str, limits: &Limits) -> Option<Facts<'t>> {
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module)).try_into_module()?;
    if parsed.has_invalid_syntax() {
        return None;
    }
    let scan = Scan::new(parsed.tokens(), text)?;
    let body = &parsed.syntax().body;
    let breaks = breaks::breaks(body, &scan.comments, text, limits.max_chunk_bytes);
    let mut facts = Reader::new(text, &scan).read(body);
    facts.breaks = breaks;
    facts.comments = scan.comments;
    Some(facts)
}

#[cfg(test)]
mod tests;
