//! What starts with two dots: directives, labels, footnotes, comments.

use crate::language::facts::Mention;
use crate::language::prose;
use crate::text::Span;

use super::inline;

pub enum Explicit<'t> {
    /// `.. name:: argument`
    Directive {
        name: &'t str,
        argument: &'t str,
    },
    /// `.. _name:`
    Label(&'t str),
    /// `.. _name: target`, which names a place outside.
    Link,
    /// The words of a footnote, a citation or a substitution.
    Words(&'t str),
    Comment(&'t str),
}

/// How a directive is read.
pub enum DirectiveKind {
    /// Its content is no prose.
    Literal,
    TocTree,
    /// Its argument is a file, linked in this style.
    File(&'static str),
    /// Its argument is a name of code that is defined elsewhere.
    Use,
    /// It documents the name in its argument.
    Element,
    /// Its argument and content are prose.
    Words,
}

pub fn explicit(words: &str) -> Option<Explicit<'_>> {
    let rest = words.strip_prefix("..")?;
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    let rest = rest.trim_start();
    if let Some(target) = rest.strip_prefix('_') {
        return Some(label(target));
    }
    if rest.starts_with(['[', '|']) {
        return Some(Explicit::Words(rest));
    }
    Some(directive(rest).unwrap_or(Explicit::Comment(rest)))
}

fn label(target: &str) -> Explicit<'_> {
    match target.strip_suffix(':') {
        Some(name) if !name.contains(": ") && !name.starts_with('_') => Explicit::Label(name.trim_matches('`')),
        _ => Explicit::Link,
    }
}

fn directive(rest: &str) -> Option<Explicit<'_>> {
    let (name, argument) = rest.split_once("::")?;
    let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':' | b'.' | b'+');
    let named = !name.is_empty() && name.bytes().all(is_name);
    let ended = argument.is_empty() || argument.starts_with([' ', '\t']);
    (named && ended).then_some(Explicit::Directive { name, argument: argument.trim() })
}

pub fn target(name: &str) -> DirectiveKind {
    match name.strip_prefix("py:").unwrap_or(name) {
        "toctree" => DirectiveKind::TocTree,
        "include" | "literalinclude" => DirectiveKind::File("include"),
        "image" | "figure" => DirectiveKind::File("image"),
        "code" | "code-block" | "sourcecode" | "parsed-literal" | "raw" | "math" | "doctest" | "testcode"
        | "testoutput" | "testsetup" | "testcleanup" | "productionlist" | "prompt" | "console" | "ipython"
        | "graphviz" | "digraph" | "graph" | "mermaid" | "plot" | "csv-table" | "highlight" => DirectiveKind::Literal,
        "class" | "function" | "method" | "classmethod" | "staticmethod" | "attribute" | "property" | "data"
        | "exception" | "module" | "decorator" | "decoratormethod" | "type" => DirectiveKind::Element,
        "currentmodule" => DirectiveKind::Use,
        // What autodoc fills in: the docs of that very name.
        auto if auto.starts_with("auto") => DirectiveKind::Use,
        _ => DirectiveKind::Words,
    }
}

/// The name in `Class.method(argument, ...)`, with the names before it.
pub fn signature_name(argument: &str) -> &str {
    let bare = argument.strip_prefix("async ").unwrap_or(argument);
    let end = bare.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
    bare[..end.unwrap_or(bare.len())].trim_matches('.')
}

/// A document that a table of contents lists, `title <document>` or just the document.
pub fn toctree_entry(text: &str, entry: Span) -> Option<Mention<'static>> {
    let words = entry.text(text);
    if words.starts_with(':') || words == "self" {
        return None;
    }
    let target = inline::target(text, entry);
    prose::link_mention(target.text(text), target, "toctree")
}
