//! The definitions of a whole tree, found by file, by parent, by name and by package.

mod build;
mod members;
mod names;
mod scopes;

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::input::{Input, SymbolRow};
use super::resolve::Target;
use crate::language::NameRule;
use crate::record::{Binding, Kind};

pub use names::{dotted, full_name, is_include, is_wild};
use scopes::ScopeSpan;

pub type FileNo = u32;
pub type SymbolNo = u32;
pub type NameNo = u32;

/// How many symbols may be inside of each other. A chain of parents is not followed further.
const MAX_NESTING: usize = 256;

/// Read-only tables over the input. Every list in them keeps the order of the input, so a list of candidates is
/// sorted without being sorted.
pub struct Tree<'i> {
    pub input: &'i Input<'i>,
    pub files: Vec<FileTable<'i>>,
    pub symbols: Vec<SymbolTable<'i>>,
    rules: FxHashMap<&'i str, &'i NameRule>,
    file_numbers: FxHashMap<&'i str, FileNo>,
    symbol_numbers: FxHashMap<&'i str, SymbolNo>,
    /// The names of all symbols, numbered, so that tables are keyed by numbers.
    names: FxHashMap<&'i str, NameNo>,
    members: FxHashMap<(SymbolNo, NameNo), Vec<SymbolNo>>,
    top_level: FxHashMap<(FileNo, NameNo), Vec<SymbolNo>>,
    by_name: Vec<Vec<SymbolNo>>,
    /// By package and qualified name, joined by dots.
    by_full_name: FxHashMap<String, Vec<SymbolNo>>,
    /// Top-level names of all files of one directory or package.
    shared: FxHashMap<(u32, NameNo), Vec<SymbolNo>>,
    /// The packages of files and all packages around them, joined by dots.
    packages: FxHashSet<String>,
    /// For each symbol, the first part of the type or namespace that it reopens; else itself.
    merged: Vec<SymbolNo>,
}

pub struct FileTable<'i> {
    pub rule: Option<&'i NameRule>,
    pub symbols: std::ops::Range<u32>,
    scopes: Vec<ScopeSpan>,
    /// The group of files that it shares its top-level names with.
    pub group: Option<u32>,
    pub imports: FxHashMap<&'i str, Vec<Import<'i>>>,
    /// Imports of all names of a module.
    pub wild_imports: Vec<Import<'i>>,
    pub exports: FxHashMap<&'i str, Vec<Import<'i>>>,
    pub wild_exports: Vec<Import<'i>>,
}

/// An import or export as the file around it sees it, and the innermost definition that contains it.
#[derive(Clone)]
pub struct Import<'i> {
    pub binding: Cow<'i, Binding>,
    pub scope: Option<SymbolNo>,
    /// What the name that it binds resolved to.
    pub meaning: OnceLock<Vec<Target>>,
    /// What its module resolved to, if that took no further lookup.
    pub module: OnceLock<Option<Vec<Target>>>,
}

#[derive(Clone, Copy)]
pub struct SymbolTable<'i> {
    pub row: &'i SymbolRow<'i>,
    pub file: FileNo,
    pub parent: Option<SymbolNo>,
    pub rule: Option<&'i NameRule>,
}

impl<'i> Tree<'i> {
    /// A symbol and its parents, innermost first, at most [`MAX_NESTING`] of them.
    pub fn parents(&self, symbol: Option<SymbolNo>) -> impl Iterator<Item = SymbolNo> {
        std::iter::successors(symbol, |symbol| self.symbols[*symbol as usize].parent).take(MAX_NESTING)
    }

    pub fn is_prose(&self, language_id: &str) -> bool {
        self.rules.get(language_id).is_some_and(|rule| rule.is_prose())
    }

    pub fn file(&self, path: &str) -> Option<FileNo> {
        self.file_numbers.get(path).copied()
    }

    pub fn symbol(&self, id: &str) -> Option<SymbolNo> {
        self.symbol_numbers.get(id).copied()
    }

    pub fn path(&self, file: FileNo) -> &'i str {
        self.input.files[file as usize].file_rel_path.as_str()
    }

    pub fn row(&self, symbol: SymbolNo) -> &'i SymbolRow<'i> {
        self.symbols[symbol as usize].row
    }

    pub fn parent(&self, symbol: SymbolNo) -> Option<SymbolNo> {
        self.symbols[symbol as usize].parent
    }

    pub fn file_of(&self, symbol: SymbolNo) -> FileNo {
        self.symbols[symbol as usize].file
    }

    /// The spec document that a file is: its front matter comes first.
    pub fn spec_of(&self, file: FileNo) -> Option<SymbolNo> {
        let first = self.files[file as usize].symbols.clone().next()?;
        (self.row(first).kind == Kind::Spec).then_some(first)
    }

    pub fn top_level(&self, file: FileNo, name: &str) -> &[SymbolNo] {
        self.number(name).map_or(&[], |name| self.top_level_numbered(file, name))
    }

    pub fn top_level_numbered(&self, file: FileNo, name: NameNo) -> &[SymbolNo] {
        self.top_level.get(&(file, name)).map_or(&[], Vec::as_slice)
    }

    pub fn members(&self, parent: SymbolNo, name: &str) -> &[SymbolNo] {
        self.number(name).map_or(&[], |name| self.members_numbered(parent, name))
    }

    pub fn members_numbered(&self, parent: SymbolNo, name: NameNo) -> &[SymbolNo] {
        self.members.get(&(self.merged(parent), name)).map_or(&[], Vec::as_slice)
    }

    /// The first part of a type or namespace that is opened several times.
    pub fn merged(&self, symbol: SymbolNo) -> SymbolNo {
        self.merged[symbol as usize]
    }

    pub fn named(&self, name: &str) -> &[SymbolNo] {
        self.number(name).map_or(&[], |name| &self.by_name[name as usize])
    }

    pub fn full_name(&self, name: &str) -> &[SymbolNo] {
        self.by_full_name.get(name).map_or(&[], Vec::as_slice)
    }

    pub fn has_package(&self, name: &str) -> bool {
        self.packages.contains(name)
    }

    pub fn shared(&self, group: u32, name: &str) -> &[SymbolNo] {
        self.number(name).and_then(|name| self.shared.get(&(group, name))).map_or(&[], Vec::as_slice)
    }

    /// The number of a name that any symbol has. Whoever asks several tables asks for the number once.
    pub fn number(&self, name: &str) -> Option<NameNo> {
        self.names.get(name).copied()
    }

    /// The innermost type or callable around an offset, if any.
    pub fn around(&self, file: FileNo, offset: u32) -> Option<SymbolNo> {
        scopes::innermost(&self.files[file as usize].scopes, offset)
    }
}

impl SymbolTable<'_> {
    pub fn family(&self) -> Option<&str> {
        self.rule.map(|rule| rule.family.as_str())
    }

    pub fn is_code(&self) -> bool {
        self.rule.is_some_and(|rule| !rule.is_prose())
    }
}
