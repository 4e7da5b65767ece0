//! What a SCIP symbol's text says of it, by the grammar in `scip.proto`. Reads each text once, copies nothing:
//! an index holds millions of them.

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SymbolKind {
    /// Known inside its document only.
    Local,
    Parameter,
    TypeParameter,
    /// A file, module, package or namespace.
    Module,
    Type,
    /// A method descriptor that is not inside a type.
    Function,
    Method,
    /// A term inside a type: a field, property, attribute or enum member.
    Member,
    /// A term that is not inside a type.
    Variable,
    Macro,
    /// What indexers put nowhere else; for scip-typescript, a property of an object literal.
    Meta,
    /// Not by the grammar.
    Unreadable,
}

pub fn kind_of(symbol: &str) -> SymbolKind {
    if symbol.starts_with("local ") {
        return SymbolKind::Local;
    }
    let Some(global) = Global::read(symbol) else { return SymbolKind::Unreadable };
    let inside_type = global.owner.is_some_and(|owner| owner.suffix == Suffix::Type);
    match global.last.suffix {
        Suffix::Parameter => SymbolKind::Parameter,
        Suffix::TypeParameter => SymbolKind::TypeParameter,
        Suffix::Namespace => SymbolKind::Module,
        // How scip-python writes a module.
        Suffix::Meta if global.last.name == "__init__" => SymbolKind::Module,
        Suffix::Meta => SymbolKind::Meta,
        Suffix::Macro => SymbolKind::Macro,
        Suffix::Type => SymbolKind::Type,
        Suffix::Method if inside_type => SymbolKind::Method,
        Suffix::Method => SymbolKind::Function,
        Suffix::Term if inside_type => SymbolKind::Member,
        Suffix::Term => SymbolKind::Variable,
    }
}

/// Scheme, manager, name and version, as written: what all symbols of one package start with. None for a
/// local symbol.
pub fn package(symbol: &str) -> Option<&str> {
    let read = Global::read(symbol).filter(|_| !symbol.starts_with("local "))?;
    Some(&symbol[..read.package_end])
}

/// The name that a person would know it by, without its backticks; a module's for `__init__:`. Empty for what
/// cannot be read.
pub fn name(symbol: &str) -> &str {
    match Global::read(symbol) {
        Some(Global { last, owner: Some(owner), .. }) if last.suffix == Suffix::Meta && last.name == "__init__" => {
            owner.name
        }
        Some(global) => global.last.name,
        None => symbol.strip_prefix("local ").unwrap_or_default(),
    }
}

/// The symbol of the type whose constructor this is, as scip-typescript writes that.
pub fn constructed_type(symbol: &str) -> Option<&str> {
    let global = Global::read(symbol)?;
    let constructs = global.last.suffix == Suffix::Method && global.last.name == "<constructor>";
    (constructs && global.owner?.suffix == Suffix::Type).then(|| &symbol[..global.last.start])
}

struct Global<'s> {
    package_end: usize,
    owner: Option<Descriptor<'s>>,
    last: Descriptor<'s>,
}

#[derive(Clone, Copy)]
struct Descriptor<'s> {
    /// Where it starts in the symbol.
    start: usize,
    /// Without its backticks; backticks inside stay doubled.
    name: &'s str,
    suffix: Suffix,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Suffix {
    Namespace,
    Type,
    Term,
    Method,
    TypeParameter,
    Parameter,
    Meta,
    Macro,
}

impl<'s> Global<'s> {
    fn read(symbol: &'s str) -> Option<Self> {
        let package_end = (0..4).try_fold(0, |from, _| after_space_escaped(symbol, from))?;
        let (mut owner, mut last) = (None, None);
        let mut at = package_end;
        while at < symbol.len() {
            let (descriptor, next) = descriptor(symbol, at)?;
            owner = last.replace(descriptor);
            at = next;
        }
        Some(Global { package_end, owner, last: last? })
    }
}

/// Past one part and the space that ends it; two spaces mean one space inside.
fn after_space_escaped(symbol: &str, mut from: usize) -> Option<usize> {
    loop {
        from += symbol.get(from..)?.find(' ')? + 1;
        match symbol[from..].strip_prefix(' ') {
            Some(_) => from += 1,
            None => return Some(from),
        }
    }
}

fn descriptor(symbol: &str, start: usize) -> Option<(Descriptor<'_>, usize)> {
    let rest = &symbol[start..];
    let enclosed = |open, close, suffix| {
        let (name, after) = identifier(rest.strip_prefix(open)?)?;
        Some((name, after.strip_prefix(close)?, suffix))
    };
    let (name, after, suffix) = match rest.chars().next()? {
        '(' => enclosed('(', ')', Suffix::Parameter)?,
        '[' => enclosed('[', ']', Suffix::TypeParameter)?,
        _ => {
            let (name, after) = identifier(rest)?;
            let (after, suffix) = suffix(after)?;
            (name, after, suffix)
        }
    };
    Some((Descriptor { start, name, suffix }, symbol.len() - after.len()))
}

fn suffix(after_name: &str) -> Option<(&str, Suffix)> {
    let mut characters = after_name.chars();
    let suffix = match characters.next()? {
        '/' => Suffix::Namespace,
        '#' => Suffix::Type,
        '.' => Suffix::Term,
        ':' => Suffix::Meta,
        '!' => Suffix::Macro,
        '(' => {
            let disambiguator = characters.as_str().find(|character| !is_simple(character))?;
            return Some((characters.as_str()[disambiguator..].strip_prefix(").")?, Suffix::Method));
        }
        _ => return None,
    };
    Some((characters.as_str(), suffix))
}

fn identifier(text: &str) -> Option<(&str, &str)> {
    let Some(quoted) = text.strip_prefix('`') else {
        let end = text.find(|character| !is_simple(character)).unwrap_or(text.len());
        return (end > 0).then(|| text.split_at(end));
    };
    let mut end = quoted.find('`')?;
    while quoted[end + 1..].starts_with('`') {
        end += 2 + quoted[end + 2..].find('`')?;
    }
    Some((&quoted[..end], &quoted[end + 1..]))
}

/// The grammar has ASCII only; letters of other scripts are let through, as SCIP's own crate does.
fn is_simple(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '+' | '-' | '$')
}
