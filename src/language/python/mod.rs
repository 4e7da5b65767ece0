//! Python by ruff's parser: many times as fast as the grammar, and with Python's own scopes.
//!
//! ruff continues after a syntax error. Only a text that is nested too deep for a tree walk is left to the grammar.

mod annotations;
mod bindings;
mod breaks;
mod definitions;
mod expressions;
mod imports;
pub mod modules;
mod reader;
mod scopes;
mod statements;
mod targets;
mod tokens;
mod values;

use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};

use super::facts::{Facts, Mention};
use super::table::Limits;
use crate::text::Span;
use reader::Reader;
use tokens::Scan;

pub fn parse<'t>(text: &'t str, limits: &Limits) -> Option<Facts<'t>> {
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module)).try_into_module()?;
    let scan = Scan::new(parsed.tokens(), text)?;
    let body = &parsed.syntax().body;
    let breaks = breaks::breaks(body, &scan.comments, text, limits.max_chunk_bytes);
    let mut facts = Reader::new(text, &scan).read(body);
    facts.breaks = breaks;
    facts.comments = scan.comments;
    facts.errors = parsed.errors().iter().map(|error| Span::from(error.location.to_std_range())).collect();
    if !facts.errors.is_empty() {
        drop_made_up_names(&mut facts);
    }
    Some(facts)
}

#[cfg(test)]
mod tests;

/// Where a name should stand and none does, ruff puts an empty one to go on with.
fn drop_made_up_names(facts: &mut Facts) {
    let flows = |mention: &Mention| mention.flow.as_ref().is_none_or(|flow| !flow.name.is_empty());
    facts.definitions.retain(|definition| !definition.name.is_empty());
    facts.mentions.retain(|mention| !mention.name.is_empty() && flows(mention));
}
