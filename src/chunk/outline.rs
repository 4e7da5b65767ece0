//! The definitions of a layer as a tree: their nesting, their names, and which lines belong to each.

use std::collections::BTreeMap;

use crate::language::{Definition, Exported};
use crate::record::{Audience, ByteRange, Chunk, Kind, Lines, Parameter, Range, Site, Symbol, SymbolId, escaped};
use crate::text::{LineIndex, RepoPath, Span};

use super::cut::Owners;
use super::layer::Layer;
use super::{Source, doc};

/// One node for each definition of the layer, in the same order.
pub struct Outline {
    pub nodes: Vec<Node>,
}

pub struct Node {
    pub parent: Option<usize>,
    pub qualified_name: String,
    /// Absent for what is no symbol of its own, or was defined before under the same name.
    pub symbol_id: Option<SymbolId>,
    /// 0-based, half-open; with the comments and attributes right above.
    pub lines: std::ops::Range<u32>,
    /// The comments among those.
    pub comments: Vec<Span>,
    in_callable: bool,
}

/// How often each descriptor was given, over all layers of a file.
#[derive(Default)]
pub struct Descriptors(BTreeMap<String, u32>);

pub fn outline(layer: &Layer, path: &RepoPath, index: &LineIndex, given: &mut Descriptors) -> Outline {
    let above = Above::new(layer, index);
    let file = Names { qualified: String::new(), descriptor: file_descriptor(path) };
    let mut open: Vec<usize> = Vec::new();
    let mut named: Vec<Names> = Vec::new();
    let mut nodes: Vec<Node> = Vec::new();
    for (at, definition) in layer.facts.definitions.iter().enumerate() {
        // Names that one statement defines have one span and are siblings.
        while open.last().is_some_and(|outer| !holds(layer.facts.definitions[*outer].span, definition.span)) {
            open.pop();
        }
        let parent = open.last().copied();
        open.push(at);
        let around = match definition.key {
            Some(_) => file.clone(),
            None => around(definition, parent, &nodes, &named, layer, &file),
        };
        let (descriptor, is_symbol) = given.assign(&around.descriptor, definition);
        let qualified = joined(&around.qualified, &definition.name, &layer.separator);
        let (lines, comments) = above.lines(definition, index);
        nodes.push(Node {
            parent,
            symbol_id: is_symbol.then(|| SymbolId::built_in(&descriptor)),
            in_callable: definition.kind != Kind::Field
                && parent.is_some_and(|p| nodes[p].in_callable || layer.facts.definitions[p].kind.is_callable()),
            qualified_name: qualified.clone(),
            lines,
            comments,
        });
        named.push(Names { qualified, descriptor });
    }
    Outline { nodes }
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.contains(inner) && outer != inner
}

#[derive(Clone)]
struct Names {
    qualified: String,
    descriptor: String,
}

/// The qualifier of a definition's own name. An explicit container replaces what the nesting shows,
/// down to the namespaces around it.
fn around(
    definition: &Definition,
    parent: Option<usize>,
    nodes: &[Node],
    named: &[Names],
    layer: &Layer,
    file: &Names,
) -> Names {
    let mut ancestors = std::iter::successors(parent, |at| nodes[*at].parent);
    if definition.container.is_empty() {
        // A field that a constructor declares is the type's, not the constructor's.
        let skips = |at: &usize| definition.kind == Kind::Field && layer.facts.definitions[*at].kind.is_callable();
        return ancestors.find(|at| !skips(at)).map_or(file, |parent| &named[parent]).clone();
    }
    let namespace = ancestors.find(|at| layer.facts.definitions[*at].kind == Kind::Namespace);
    let kind = if definition.kind == Kind::Section { Kind::Section } else { Kind::Class };
    let outer = namespace.map_or(file, |at| &named[at]).clone();
    definition.container.iter().fold(outer, |names, container| Names {
        qualified: joined(&names.qualified, container, &layer.separator),
        descriptor: format!("{}{}", names.descriptor, own_descriptor(container, kind, 0)),
    })
}

fn joined(around: &str, name: &str, separator: &str) -> String {
    if around.is_empty() { name.to_string() } else { format!("{around}{separator}{name}") }
}

impl Descriptors {
    /// A descriptor that is this definition's own, and whether it makes a symbol record.
    fn assign(&mut self, around: &str, definition: &Definition) -> (String, bool) {
        let kind = definition.kind;
        let name = definition.key.as_ref().unwrap_or(&definition.name);
        let plain = format!("{around}{}", own_descriptor(name, kind, 0));
        if kind == Kind::Impl {
            return (plain, false);
        }
        let count = self.0.entry(plain.clone()).or_insert(0);
        let before = *count;
        *count += 1;
        match repeat(kind) {
            _ if before == 0 => (plain, true),
            Repeat::Numbered => (format!("{around}{}", own_descriptor(name, kind, before)), true),
            Repeat::Shared => (plain, true),
            Repeat::First => (plain, false),
        }
    }
}

/// What a second definition under one name is.
enum Repeat {
    /// Another symbol: an overload, a second section under the same heading.
    Numbered,
    /// The same symbol, opened again: a type.
    Shared,
    /// Only another assignment.
    First,
}

fn repeat(kind: Kind) -> Repeat {
    use Kind::*;
    match kind {
        Function | Method | Constructor | Macro | Property | Section | Table | Block | Item => Repeat::Numbered,
        _ if kind.is_type() || kind == Namespace || kind == Service => Repeat::Shared,
        _ => Repeat::First,
    }
}

/// One descriptor of SCIP's grammar.
fn own_descriptor(name: &str, kind: Kind, ordinal: u32) -> String {
    use Kind::*;
    let numbered = |name: &str| if ordinal == 0 { escaped(name) } else { escaped(&format!("{name}+{ordinal}")) };
    let disambiguator = if ordinal == 0 { String::new() } else { format!("+{ordinal}") };
    match kind {
        Function | Method | Constructor => format!("{}({disambiguator}).", escaped(name)),
        Namespace => format!("{}/", escaped(name)),
        Macro => format!("{}!", numbered(name)),
        Section | Key | Table | Block | Rule | Element | Item => format!("{}:", numbered(name)),
        _ if kind.is_type() || kind == Service => format!("{}#", numbered(name)),
        _ => format!("{}.", numbered(name)),
    }
}

/// The folders and the file itself, as namespaces.
fn file_descriptor(path: &RepoPath) -> String {
    path.as_str().split('/').map(|part| format!("{}/", escaped(part))).collect()
}

/// Comments and attributes on lines of their own, looked up from the line below.
struct Above {
    /// First line, last line, span, whether it is a comment; sorted.
    all: Vec<(u32, u32, Span, bool)>,
}

impl Above {
    fn new(layer: &Layer, index: &LineIndex) -> Self {
        let comments = layer.facts.comments.iter().map(|span| (*span, true));
        let prefixes = layer.facts.prefixes.iter().map(|span| (*span, false));
        let alone = comments.chain(prefixes).filter(|(span, _)| starts_line(span.start, index));
        let placed = alone.map(|(span, comment)| {
            let lines = Lines::from_span(span, index);
            (lines.start - 1, lines.end - 1, span, comment)
        });
        let mut all: Vec<_> = placed.collect();
        all.sort();
        Above { all }
    }

    /// A definition's lines, from the topmost comment or attribute that touches it.
    fn lines(&self, definition: &Definition, index: &LineIndex) -> (std::ops::Range<u32>, Vec<Span>) {
        let own = Lines::from_span(definition.span, index);
        let (mut first, behind) = (own.start - 1, own.end);
        let mut comments = Vec::new();
        let mut at = self.all.partition_point(|(line, ..)| *line < first);
        while let Some((line, last, span, is_comment)) = at.checked_sub(1).map(|at| self.all[at]) {
            if last + 1 != first {
                break;
            }
            (first, at) = (line, at - 1);
            if is_comment {
                comments.push(span);
            }
        }
        comments.reverse();
        (first..behind, comments)
    }
}

/// Whether only white space precedes an offset on its line.
pub fn starts_line(offset: u32, index: &LineIndex) -> bool {
    let line = index.line(offset);
    let before = (offset - index.start(line)) as usize;
    index.line_text(line).as_bytes()[..before].iter().all(u8::is_ascii_whitespace)
}

/// The symbol records of all layers.
pub fn symbols(
    source: &Source,
    layers: &[Layer],
    outlines: &[Outline],
    chunks: &[Chunk],
    owners: &Owners,
    index: &LineIndex,
) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for (layer, outline) in layers.iter().zip(outlines) {
        for (definition, node) in layer.facts.definitions.iter().zip(&outline.nodes) {
            let (Some(symbol_id), Some(owner)) = (&node.symbol_id, owners.chunk_at(definition.span.start)) else {
                continue;
            };
            symbols.push(Symbol {
                audience: Audience::default(),
                symbol_id: symbol_id.clone(),
                file_rel_path: source.path.clone(),
                language_id: layer.language.clone(),
                kind: definition.kind,
                name: definition.name.to_string(),
                qualified_name: node.qualified_name.clone(),
                chunk_uid: chunks[owner].chunk_uid,
                range: Range::from_span(definition.span, index),
                byte_range: ByteRange::from_span(definition.span),
                lines: Lines::from_span(definition.span, index),
                site: Site::from_span(definition.name_span, index),
                exported: !node.in_callable && is_exported(definition, layer.exported),
                signature: doc::signature(definition, source.text),
                doc: doc::doc(definition, &node.comments, source.text),
                value_type: definition.value_type.as_ref().map(|value_type| value_type.to_string()),
                parameters: definition.parameters.iter().map(parameter).collect(),
            });
        }
    }
    symbols
}

fn parameter(param: &crate::language::Param) -> Parameter {
    Parameter { name: param.name.to_string(), value_type: param.value_type.as_ref().map(|text| text.to_string()) }
}

fn is_exported(definition: &Definition, rule: Exported) -> bool {
    let name = &*definition.name;
    match rule {
        Exported::All => true,
        Exported::Uppercase => name.starts_with(char::is_uppercase),
        Exported::NoUnderscore => !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__")),
        Exported::Marked => definition.exported,
        Exported::Unmarked => !definition.private,
    }
}
