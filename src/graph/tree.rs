//! The definitions of a whole tree, found by file, by holder, by name and by package.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::descriptor;
use super::input::{Input, Reference, SymbolRow};
use super::resolve::MAX_CANDIDATES;
use super::resolve::Target;
use crate::language::modules::seen_from_file;
use crate::language::{Languages, Modules, NameRule, Shared};
use crate::record::{Binding, Kind, Role};

pub type FileNo = u32;
pub type SymbolNo = u32;
pub type NameNo = u32;

/// How many symbols may be inside of each other. A chain of parents is not followed further.
const MAX_NESTING: usize = 256;

/// Read-only tables over the input. Everything in them is in the order of the input, so that a list of
/// candidates is sorted without being sorted.
pub struct Tree<'i> {
    pub input: &'i Input<'i>,
    pub files: Vec<FileTable<'i>>,
    pub symbols: Vec<SymbolTable<'i>>,
    file_numbers: FxHashMap<&'i str, FileNo>,
    symbol_numbers: FxHashMap<&'i str, SymbolNo>,
    /// The names of all symbols, numbered, so that tables are keyed by numbers.
    names: FxHashMap<&'i str, NameNo>,
    members: FxHashMap<(SymbolNo, NameNo), Vec<SymbolNo>>,
    top_level: FxHashMap<(FileNo, NameNo), Vec<SymbolNo>>,
    by_name: Vec<Vec<SymbolNo>>,
    /// Package and qualified name, joined by dots.
    by_full_name: FxHashMap<String, Vec<SymbolNo>>,
    /// Top-level names of all files of one folder or package.
    shared: FxHashMap<(u32, NameNo), Vec<SymbolNo>>,
    /// Packages of files and everything that holds one, joined by dots.
    packages: rustc_hash::FxHashSet<String>,
    /// For every symbol, the first part of the type or namespace that it opens again; else itself.
    wholes: Vec<SymbolNo>,
}

pub struct FileTable<'i> {
    pub rule: Option<&'i NameRule>,
    pub symbols: std::ops::Range<u32>,
    scopes: Vec<Scope>,
    /// Which group of files it shares its top-level names with.
    pub group: Option<u32>,
    pub imports: FxHashMap<&'i str, Vec<Import<'i>>>,
    /// Imports of all names of a module.
    pub wild_imports: Vec<Import<'i>>,
    pub exports: FxHashMap<&'i str, Vec<Import<'i>>>,
    pub wild_exports: Vec<Import<'i>>,
}

/// An import or export as the file around it sees it, and the innermost definition that it stands in.
#[derive(Clone)]
pub struct Import<'i> {
    pub binding: Cow<'i, Binding>,
    pub scope: Option<SymbolNo>,
    /// What the name that it binds was found to mean.
    pub meaning: OnceLock<Vec<Target>>,
}

/// What a type or callable spans, and which of its file's scopes is around it.
struct Scope {
    start: u32,
    end: u32,
    symbol: SymbolNo,
    outer: Option<usize>,
}

#[derive(Clone, Copy)]
pub struct SymbolTable<'i> {
    pub row: &'i SymbolRow<'i>,
    pub file: FileNo,
    pub parent: Option<SymbolNo>,
    pub rule: Option<&'i NameRule>,
}

impl<'i> Tree<'i> {
    pub fn new(input: &'i Input<'i>, languages: &'i Languages) -> Self {
        let rules: FxHashMap<&str, &NameRule> =
            languages.iter().map(|language| (language.id(), &language.rule.names)).collect();
        let file_numbers: FxHashMap<&str, FileNo> =
            input.files.iter().enumerate().map(|(at, file)| (file.file_rel_path.as_str(), at as u32)).collect();
        let mut tree = Tree {
            input,
            files: Vec::new(),
            symbols: Vec::new(),
            symbol_numbers: FxHashMap::default(),
            members: FxHashMap::default(),
            top_level: FxHashMap::default(),
            names: FxHashMap::default(),
            by_name: Vec::new(),
            by_full_name: FxHashMap::default(),
            shared: FxHashMap::default(),
            packages: Default::default(),
            wholes: Vec::new(),
            file_numbers,
        };
        tree.add_files(&rules);
        tree.add_symbols(&rules);
        tree.add_bindings();
        tree.share_imports();
        tree.name_symbols();
        tree.place_symbols();
        tree.thin_reopened();
        tree
    }

    /// Keeps no more parts of what is opened again and again than a reference may have candidates, and one: a
    /// module that a thousand files open would be a thousand candidates of every name that starts with it.
    fn thin_reopened(&mut self) {
        let wholes = &self.wholes;
        let thin = |symbols: &mut Vec<SymbolNo>| {
            let mut parts: FxHashMap<SymbolNo, usize> = FxHashMap::default();
            symbols.retain(|symbol| {
                let part = parts.entry(wholes[*symbol as usize]).or_default();
                *part += 1;
                *part <= MAX_CANDIDATES + 1
            });
        };
        let lists = self.members.values_mut().chain(self.shared.values_mut()).chain(self.by_full_name.values_mut());
        lists.filter(|symbols| symbols.len() > MAX_CANDIDATES + 1).for_each(thin);
    }

    fn add_files(&mut self, rules: &FxHashMap<&str, &'i NameRule>) {
        let mut groups: FxHashMap<(String, &str), u32> = FxHashMap::default();
        for file in &self.input.files {
            let language = file.language_id.as_ref().map(|id| id.as_str());
            let rule = language.and_then(|id| rules.get(id).copied());
            let path = file.file_rel_path.as_str();
            add_package(&mut self.packages, file.package.as_deref().map(dotted).unwrap_or_default());
            let group = rule.and_then(|rule| {
                let key = match rule.shared {
                    Shared::File => return None,
                    Shared::Folder => format!("{}\n{}", folder(path), file.package.as_deref().unwrap_or_default()),
                    Shared::Package => file.package.clone().unwrap_or_else(|| format!("/{}", folder(path))),
                    Shared::Repository => String::new(),
                };
                let next = groups.len() as u32;
                Some(*groups.entry((key, rule.family.as_str())).or_insert(next))
            });
            self.files.push(FileTable {
                rule,
                symbols: 0..0,
                scopes: Vec::new(),
                group,
                imports: FxHashMap::default(),
                wild_imports: Vec::new(),
                exports: FxHashMap::default(),
                wild_exports: Vec::new(),
            });
        }
    }

    fn add_symbols(&mut self, rules: &FxHashMap<&str, &'i NameRule>) {
        let mut file = 0;
        for row in &self.input.symbols {
            let number = self.symbols.len() as u32;
            // They are in the order of their files.
            while self.path(file) != row.file_rel_path {
                file += 1;
            }
            let rule = rules.get(&*row.language_id).copied();
            let range = &mut self.files[file as usize].symbols;
            *range = if range.start == range.end { number..number + 1 } else { range.start..number + 1 };
            self.symbol_numbers.entry(&row.symbol_id).or_insert(number);
            self.symbols.push(SymbolTable { row, file, parent: None, rule });
        }
        for file in &mut self.files {
            let range = file.symbols.clone();
            file.scopes = scopes(&self.symbols[range.start as usize..range.end as usize], range.start);
        }
    }

    fn add_bindings(&mut self) {
        let mut file = 0;
        for record in &self.input.references {
            while self.path(file) != record.file_rel_path {
                file += 1;
            }
            for reference in &record.references {
                let Some(binding) = reference.binding.as_deref().filter(|binding| !binding.is_source()) else {
                    continue;
                };
                let offset = reference.sites.first().map_or(0, |site| site.start());
                let import = Import {
                    binding: self.seen_from_file(binding, file, offset),
                    scope: self.around(file, offset),
                    meaning: OnceLock::new(),
                };
                let table = &mut self.files[file as usize];
                let (named, wild) = match reference.role {
                    Role::Export => (&mut table.exports, &mut table.wild_exports),
                    _ => (&mut table.imports, &mut table.wild_imports),
                };
                match is_wild(binding) || is_include(binding) {
                    true => wild.push(import),
                    false => named.entry(bound_name(reference)).or_default().push(import),
                }
            }
        }
    }

    /// Imports that hold for all files of a project, such as C#'s `global using`, are theirs too.
    fn share_imports(&mut self) {
        let said = self.files.iter().zip(&self.input.files).flat_map(|(table, file)| {
            let project = folder(file.file_rel_path.as_str());
            let project = project.strip_suffix("/Properties").unwrap_or(project);
            let shared = table.wild_imports.iter().filter(|import| import.binding.style.as_deref() == Some("global"));
            shared.map(move |import| (project, table.rule.map(|rule| &rule.family), import.clone()))
        });
        let said: Vec<(&str, Option<&String>, Import)> = said.collect();
        for (table, file) in self.files.iter_mut().zip(&self.input.files) {
            let family = table.rule.map(|rule| &rule.family);
            let around = |project: &str| {
                file.file_rel_path
                    .as_str()
                    .strip_prefix(project)
                    .is_some_and(|rest| rest.starts_with('/') || project.is_empty())
            };
            let theirs = said.iter().filter(|(project, of, _)| *of == family && around(project));
            let theirs: Vec<Import> = theirs.map(|(_, _, import)| import.clone()).collect();
            table.wild_imports.extend(theirs);
        }
    }

    /// Enters every symbol under its full name, and finds the parts of what is opened twice.
    fn name_symbols(&mut self) {
        self.wholes = (0..self.symbols.len() as u32).collect();
        for number in 0..self.symbols.len() as u32 {
            let SymbolTable { row, file, rule, .. } = self.symbols[number as usize];
            let Some(rule) = rule.filter(|rule| rule.has_full_names()) else { continue };
            let package = self.input.files[file as usize].package.as_deref();
            let named = self.by_full_name.entry(full_name(package, &row.qualified_name)).or_default();
            let is_part = |other: &&SymbolNo| {
                let other = &self.symbols[**other as usize];
                other.family() == Some(&rule.family) && is_open(other.row.kind)
            };
            // A module of a dotted name lies in the packages that the name starts with.
            let outer = row.name.rsplit_once('.').map_or("", |(outer, _)| outer);
            add_package(&mut self.packages, full_name(package, outer));
            if rule.reopened && is_open(row.kind) {
                self.wholes[number as usize] = named.iter().find(is_part).copied().unwrap_or(number);
            }
            named.push(number);
        }
    }

    /// A binding inside of an inline module, as its file would write it.
    pub fn seen_from_file<'b>(&self, binding: &'b Binding, file: FileNo, offset: u32) -> Cow<'b, Binding> {
        let is_rust = self.files[file as usize].rule.is_some_and(|rule| rule.modules == Modules::Rust);
        let modules = if is_rust { self.namespaces_around(file, offset) } else { Vec::new() };
        let seen = binding.module.as_deref().filter(|_| !modules.is_empty());
        match seen.and_then(|module| seen_from_file(module, &modules)) {
            Some(module) => Cow::Owned(Binding { module: Some(module), ..binding.clone() }),
            None => Cow::Borrowed(binding),
        }
    }

    /// The names of the namespaces around a place, outermost first.
    fn namespaces_around(&self, file: FileNo, offset: u32) -> Vec<&'i str> {
        let scopes = self.files[file as usize].scopes.iter();
        let around = scopes.filter(|scope| scope.start <= offset && offset < scope.end);
        let rows = around.map(|scope| self.symbols[scope.symbol as usize].row);
        rows.filter(|row| row.kind == Kind::Namespace).map(|row| &*row.name).collect()
    }

    /// Gives every symbol its holder and enters it under its name.
    fn place_symbols(&mut self) {
        for number in 0..self.symbols.len() as u32 {
            let row = self.symbols[number as usize].row;
            let parent = descriptor::parent(&row.symbol_id).and_then(|id| self.symbol_numbers.get(id)).copied();
            self.symbols[number as usize].parent = parent;
            let next = self.names.len() as NameNo;
            let name = *self.names.entry(&row.name).or_insert(next);
            if name == next {
                self.by_name.push(Vec::new());
            }
            self.by_name[name as usize].push(number);
            let file = self.symbols[number as usize].file;
            self.name_extension(number);
            let Some(rule) = self.symbols[number as usize].rule else { continue };
            if let Some(parent) = parent {
                self.members.entry((self.whole(parent), name)).or_default().push(number);
            }
            // In C an enumerator is a name of what is around its enum.
            let escapes = row.kind == Kind::EnumMember && rule.modules == Modules::Include;
            let holder = match parent {
                Some(parent) if escapes => self.symbols[parent as usize].parent,
                _ => parent,
            };
            match holder {
                Some(outer) if escapes => self.members.entry((outer, name)).or_default().push(number),
                None if is_top_level(row) || escapes => {
                    self.top_level.entry((file, name)).or_default().push(number);
                    if let Some(group) = self.files[file as usize].group {
                        self.shared.entry((group, name)).or_default().push(number);
                    }
                }
                _ => {}
            }
        }
        self.adopt();
    }

    /// A function that stands apart from the type it extends is imported as one of its package.
    fn name_extension(&mut self, number: SymbolNo) {
        let SymbolTable { row, file, parent, rule } = self.symbols[number as usize];
        let apart = match parent.map(|parent| self.row(parent).range) {
            Some(around) => !(around.start <= row.range.start && row.range.end <= around.end),
            None => !is_top_level(row),
        };
        if apart && rule.is_some_and(|rule| rule.extensions) {
            let package = self.input.files[file as usize].package.as_deref();
            self.by_full_name.entry(full_name(package, &row.name)).or_default().push(number);
        }
    }

    /// Members whose type is defined in another file of the group: methods of a Go type, definitions that
    /// stand apart from their C++ class, a Rust type's second `impl`.
    fn adopt(&mut self) {
        for number in 0..self.symbols.len() as u32 {
            let symbol = &self.symbols[number as usize];
            let (row, file) = (symbol.row, symbol.file);
            if symbol.parent.is_some() || is_top_level(row) {
                continue;
            }
            let holder = row.qualified_name.strip_suffix(&*row.name).unwrap_or_default();
            let holder = holder.trim_end_matches([':', '.', '\\', '#']);
            let last = holder.rsplit([':', '.']).next().unwrap_or(holder);
            let shared = self.files[file as usize].group.map_or(&[][..], |group| self.shared(group, last));
            let types = if shared.is_empty() { self.named(last) } else { shared };
            let fits = |other: &&SymbolNo| {
                let other = &self.symbols[**other as usize];
                other.row.kind.is_type() && other.family() == self.symbols[number as usize].family()
            };
            let mut fitting = types.iter().filter(fits);
            // Where functions construct, their methods are theirs; a table of Lua is a variable that holds what
            // is set in it.
            let is_function = |other: &&SymbolNo| self.row(**other).kind == Kind::Function;
            let own = self.top_level(file, holder);
            let function = || own.iter().find(is_function).or(own.first()).copied();
            let only = match (fitting.next().copied(), fitting.next()) {
                (None, _) => function(),
                (only, None) => only,
                _ => None,
            };
            if let Some(holder) = only {
                self.hold(holder, number);
            }
        }
        self.join_extensions();
    }

    /// Makes a symbol a member of another one, unless that would be one of its own parents then: C++ may define
    /// a type in the declaration of a variable of that very type, as in `struct S { … } *S::instance;`.
    fn hold(&mut self, holder: SymbolNo, member: SymbolNo) {
        let around = self.parents(Some(holder)).position(|symbol| symbol == member);
        if around.is_some() || self.parents(Some(holder)).count() == MAX_NESTING {
            return;
        }
        let name = self.names[&*self.symbols[member as usize].row.name];
        self.symbols[member as usize].parent = Some(holder);
        self.members.entry((self.whole(holder), name)).or_default().push(member);
    }

    /// What an extension of a type holds is the type's own, wherever it stands.
    fn join_extensions(&mut self) {
        for number in 0..self.symbols.len() as u32 {
            let symbol = &self.symbols[number as usize];
            let holder = symbol.parent.unwrap_or(number);
            if let Some(extended) = self.extended_type(holder) {
                match holder == number {
                    true => self.forget(number),
                    false => self.hold(extended, number),
                }
            }
        }
    }

    /// The type that an extension of its name extends.
    fn extended_type(&self, extension: SymbolNo) -> Option<SymbolNo> {
        let symbol = &self.symbols[extension as usize];
        if symbol.row.kind != Kind::Extension {
            return None;
        }
        let fits = |other: &&SymbolNo| {
            let other = &self.symbols[**other as usize];
            other.row.kind.is_type() && other.row.kind != Kind::Extension && other.family() == symbol.family()
        };
        let mut fitting = self.named(&symbol.row.name).iter().filter(fits);
        match (fitting.next(), fitting.next()) {
            (Some(extended), None) => Some(*extended),
            _ => None,
        }
    }

    /// Takes a symbol out of the names of its file and group.
    fn forget(&mut self, number: SymbolNo) {
        let symbol = &self.symbols[number as usize];
        let (name, file) = (self.names[&*symbol.row.name], symbol.file);
        let group = self.files[file as usize].group;
        let top_level = self.top_level.get_mut(&(file, name));
        let shared = group.and_then(|group| self.shared.get_mut(&(group, name)));
        top_level.into_iter().chain(shared).for_each(|symbols| symbols.retain(|symbol| *symbol != number));
    }

    /// The type itself, where a symbol is an extension of one.
    pub fn type_itself(&self, symbol: SymbolNo) -> SymbolNo {
        self.extended_type(symbol).unwrap_or(symbol)
    }

    /// A symbol and its parents, innermost first, no more than [`MAX_NESTING`].
    pub fn parents(&self, symbol: Option<SymbolNo>) -> impl Iterator<Item = SymbolNo> {
        std::iter::successors(symbol, |symbol| self.symbols[*symbol as usize].parent).take(MAX_NESTING)
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

    pub fn file_of(&self, symbol: SymbolNo) -> FileNo {
        self.symbols[symbol as usize].file
    }

    /// The spec document that a file is: front matter comes before all else.
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

    pub fn members(&self, holder: SymbolNo, name: &str) -> &[SymbolNo] {
        self.number(name).map_or(&[], |name| self.members_numbered(holder, name))
    }

    pub fn members_numbered(&self, holder: SymbolNo, name: NameNo) -> &[SymbolNo] {
        self.members.get(&(self.whole(holder), name)).map_or(&[], Vec::as_slice)
    }

    /// The first part of a type or namespace that is opened several times.
    pub fn whole(&self, symbol: SymbolNo) -> SymbolNo {
        self.wholes[symbol as usize]
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

    /// The number of a name that any symbol has; what asks for it in several tables asks for this once.
    pub fn number(&self, name: &str) -> Option<NameNo> {
        self.names.get(name).copied()
    }

    /// The innermost type or callable around a place, if any.
    pub fn around(&self, file: FileNo, offset: u32) -> Option<SymbolNo> {
        let scopes = &self.files[file as usize].scopes;
        let mut at = scopes.partition_point(|scope| scope.start <= offset).checked_sub(1);
        while let Some(scope) = at.map(|at| &scopes[at]) {
            if offset < scope.end {
                return Some(scope.symbol);
            }
            at = scope.outer;
        }
        None
    }
}

/// The types and callables of a file by their ranges, each with the one around it.
fn scopes(symbols: &[SymbolTable], first: SymbolNo) -> Vec<Scope> {
    let mut scopes: Vec<Scope> = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        let (row, number) = (symbol.row, first + at as u32);
        if row.kind.is_callable() || row.kind.is_type() || row.kind == Kind::Namespace {
            scopes.push(Scope { start: row.range.start, end: row.range.end, symbol: number, outer: None });
        }
    }
    scopes.sort_by_key(|scope| (scope.start, std::cmp::Reverse(scope.end), scope.symbol));
    let mut open: Vec<usize> = Vec::new();
    for at in 0..scopes.len() {
        while open.last().is_some_and(|outer| scopes[*outer].end <= scopes[at].start) {
            open.pop();
        }
        scopes[at].outer = open.last().copied();
        open.push(at);
    }
    scopes
}

impl SymbolTable<'_> {
    pub fn family(&self) -> Option<&str> {
        self.rule.map(|rule| rule.family.as_str())
    }
}

/// The name that a binding gives or takes in its own file.
fn bound_name<'r>(reference: &'r Reference) -> &'r str {
    let alias = reference.binding.as_ref().and_then(|binding| binding.alias.as_deref());
    alias.unwrap_or(&reference.name)
}

/// Whether it stands for all names of a module, as themselves.
pub fn is_wild(binding: &Binding) -> bool {
    binding.name.as_deref() == Some("*") && binding.alias.is_none()
}

/// A package and everything around it.
fn add_package(packages: &mut rustc_hash::FxHashSet<String>, mut package: String) {
    while !package.is_empty() && packages.insert(package.clone()) {
        package = package.rsplit_once('.').map_or(String::new(), |(outer, _)| outer.to_string());
    }
}

/// Whether more members may be given to it elsewhere.
fn is_open(kind: Kind) -> bool {
    kind == Kind::Namespace || kind.is_type() && kind != Kind::Type
}

/// Whether it puts another file's text where it stands, so that all names of the one are the other's.
pub fn is_include(binding: &Binding) -> bool {
    matches!(binding.style.as_deref(), Some("include" | "include-system" | "source" | "part" | "part of"))
}

/// Whether nothing but its file holds a symbol.
fn is_top_level(row: &SymbolRow) -> bool {
    row.qualified_name == row.name && row.kind != Kind::Section
}

/// Package and name, joined by dots whatever the language joins them by.
pub fn full_name(package: Option<&str>, name: &str) -> String {
    let mut full = package.map(dotted).unwrap_or_default();
    if !full.is_empty() && !name.is_empty() {
        full.push('.');
    }
    full + &dotted(name)
}

/// `a::b`, `a\b` and `a/b` as `a.b`.
pub fn dotted(name: &str) -> String {
    name.trim_start_matches('\\').replace("::", ".").replace(['\\', '/'], ".")
}

/// Everything before the last `/`.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
