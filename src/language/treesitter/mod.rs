//! Facts by grammar: one parse, one pass of the language's query, one sweep over its captures.
//!
//! The captures that a `facts.scm` may use are [`query::Tag`]s; `README.md` beside this file explains them. Everything
//! here works on spans and words and names no language.

mod captured;
mod names;
mod query;
mod scopes;
mod shape;
mod trim;

use std::ops::ControlFlow;

use tree_sitter::{Parser, Tree};

use super::facts::{Facts, ParseFailure};
use super::table::Limits;
pub use query::FactsQuery;

/// Parses a text and asks the query what is in it.
pub fn parse<'t>(
    grammar: &tree_sitter::Language,
    query: &FactsQuery,
    text: &'t str,
    limits: &Limits,
) -> Result<Facts<'t>, ParseFailure> {
    let tree = bounded_parse(grammar, text)?;
    let mut facts = captured::facts(query, &tree, text)?;
    facts.breaks = shape::breaks(&tree, &facts.comments, text, limits.max_chunk_bytes);
    facts.errors = shape::errors(&tree);
    Ok(facts)
}

/// How often the parser or the query may still ask, every hundred steps, whether to go on. A text gets
/// them by its length, many times what real code takes: a count and not a clock, so that every machine
/// gives up on the same texts.
struct Steps(usize);

impl Steps {
    fn new(count: usize) -> Self {
        Steps(count)
    }

    fn take(&mut self) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.are_gone() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn are_gone(&self) -> bool {
        self.0 == 0
    }
}

fn bounded_parse(grammar: &tree_sitter::Language, text: &str) -> Result<Tree, ParseFailure> {
    let mut parser = Parser::new();
    parser.set_language(grammar).expect("linked grammars have the linked library's version");
    let mut steps = Steps::new(2_000 + text.len() / 4);
    let mut progress = |_: &tree_sitter::ParseState| steps.take();
    let options = tree_sitter::ParseOptions::new().progress_callback(&mut progress);
    let bytes = text.as_bytes();
    let tree = parser.parse_with_options(&mut |at, _| &bytes[at.min(bytes.len())..], None, Some(options));
    tree.ok_or(ParseFailure::Limit)
}
