//! Facts of JavaScript and TypeScript by a parser made for them.
//!
//! One parse into an arena, one walk over its tree in text order. All names are slices of the text, so the arena is
//! freed after the walk. A text in which the parser finds an error is left to the grammar, which recovers from errors.

mod apart;
mod binding;
mod body;
mod call;
mod class;
mod commonjs;
mod cut;
mod definition;
mod hoist;
mod locals;
pub mod modules;
mod object;
mod types;
mod value;
mod walk;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use rustc_hash::FxHashSet;

use super::comments::start_with_comments;
use super::depth::is_shallow;
use super::facts::{Definition, Facts};
use super::table::Limits;
use crate::text::Span;
use locals::Locals;

/// A file may be a module or a script, which allow different things; JSX is harmless in both.
pub fn parse_javascript<'t>(text: &'t str, limits: &Limits) -> Option<Facts<'t>> {
    let module = SourceType::mjs().with_jsx(true);
    parse(text, module, limits).or_else(|| parse(text, module.with_commonjs(true), limits))
}

pub fn parse_typescript<'t>(text: &'t str, limits: &Limits) -> Option<Facts<'t>> {
    // A file of declarations may leave out bodies and values, which its name tells and its text does not.
    parse(text, SourceType::ts(), limits).or_else(|| parse(text, SourceType::d_ts(), limits))
}

pub fn parse_tsx<'t>(text: &'t str, limits: &Limits) -> Option<Facts<'t>> {
    parse(text, SourceType::tsx(), limits)
}

/// oxc's parser and every walk over its tree call themselves for each level, so a deep text is not for them.
fn parse<'t>(text: &'t str, source_type: SourceType, limits: &Limits) -> Option<Facts<'t>> {
    if !is_shallow(text) {
        return None;
    }
    let allocator = Allocator::default();
    let options =
        ParseOptions { allow_return_outside_function: true, enable_ident_hashes: false, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, source_type).with_options(options).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut finder = Finder::new(text, limits);
    finder.visit_program(&parsed.program);
    Some(finder.finish(&parsed.program))
}

/// About how much of a text has one mention; room for them is made once.
const BYTES_FOR_A_MENTION: usize = 40;

/// What the walk has found so far, and where in the tree it stands.
#[derive(Default)]
struct Finder<'t> {
    text: &'t str,
    max_chunk_bytes: usize,
    facts: Facts<'t>,
    /// For each definition of `facts`, in the same order.
    visibility: Vec<Visibility>,
    locals: Locals<'t>,
    scopes: Vec<usize>,
    /// Functions around the place; in none of them, names belong to the module.
    function_depth: u32,
    /// Blocks around the place since the last function.
    block_depth: u32,
    /// The namespace around the place.
    namespace: Option<usize>,
    /// Inside a `declare`, where everything can be seen from outside.
    ambient: bool,
    /// The `export` statement whose declaration comes next.
    exporting: Option<Span>,
    /// Starts of names that an assignment defines or exports, which does not use them.
    claimed: FxHashSet<u32>,
    /// Names that an export list gives away.
    exported_names: FxHashSet<&'t str>,
    /// Whether anything is imported or exported; a file without is a script, whose names are global.
    is_module: bool,
    /// What the next variable of a loop, or the first parameter of the next function, holds.
    turn: Option<apart::Whole<'t>>,
    /// What the function around the place says it returns.
    returns: Option<std::borrow::Cow<'t, str>>,
    /// How many lists that are too long for a chunk stand around the place.
    cut_depth: u16,
}

/// Whether other files may name a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    Exported,
    /// When an export list names it or what it belongs to, or the file is a script.
    ByName,
    /// When the definition that it is a member of can be named.
    Member(usize),
    Hidden,
}

impl<'t> Finder<'t> {
    fn new(text: &'t str, limits: &Limits) -> Self {
        Finder {
            text,
            max_chunk_bytes: limits.max_chunk_bytes,
            facts: Facts { mentions: Vec::with_capacity(text.len() / BYTES_FOR_A_MENTION), ..Facts::default() },
            ..Finder::default()
        }
    }

    fn finish(mut self, program: &Program) -> Facts<'t> {
        self.facts.comments = program.comments.iter().map(|comment| span(comment.span)).collect();
        self.settle_visibility();
        for at in &mut self.facts.breaks {
            at.offset = start_with_comments(at.offset, &self.facts.comments, self.text);
        }
        self.facts
    }

    /// Members stand behind what they are members of, so one pass forward settles them all.
    fn settle_visibility(&mut self) {
        for at in 0..self.facts.definitions.len() {
            let definition = &self.facts.definitions[at];
            let exported = match self.visibility[at] {
                Visibility::Exported => true,
                Visibility::ByName => {
                    let name = definition.container.first().unwrap_or(&definition.name);
                    !self.is_module || self.exported_names.contains(&**name)
                }
                Visibility::Member(of) => self.facts.definitions[of].exported && !definition.private,
                Visibility::Hidden => false,
            };
            self.facts.definitions[at].exported = exported;
        }
    }

    fn define(&mut self, definition: Definition<'t>, visibility: Visibility) -> usize {
        self.facts.definitions.push(definition);
        self.visibility.push(visibility);
        self.facts.definitions.len() - 1
    }

    /// What a declaration is to other files because of where it stands; uses up the `export` before it.
    fn visibility_here(&mut self) -> (Option<Span>, Visibility) {
        let export = self.exporting.take();
        let visibility = match (self.namespace, export) {
            _ if !self.in_module() => Visibility::Hidden,
            (Some(namespace), export) if export.is_some() || self.ambient => Visibility::Member(namespace),
            (Some(_), _) => Visibility::Hidden,
            (None, Some(_)) => Visibility::Exported,
            (None, None) => Visibility::ByName,
        };
        (export, visibility)
    }

    /// Whether names that are declared here belong to the module or a namespace of it.
    fn in_module(&self) -> bool {
        self.function_depth == 0 && self.block_depth == 0
    }

    fn slice(&self, at: oxc_span::Span) -> &'t str {
        &self.text[at.start as usize..at.end as usize]
    }
}

fn span(at: oxc_span::Span) -> Span {
    Span { start: at.start, end: at.end }
}

#[cfg(test)]
mod tests;
