//! Fills the tables of a tree from the input.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::names::{add_package, bound_name, dotted, folder, full_name, is_include, is_reopenable, is_wild};
use super::scopes::scopes;
use super::{FileNo, FileTable, Import, SymbolNo, SymbolTable, Tree};
use crate::graph::input::Input;
use crate::graph::resolve::MAX_CANDIDATES;
use crate::language::modules::seen_from_file;
use crate::language::{Languages, NameRule, Shared};
use crate::record::{Binding, Kind, Role};

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
            merged: Vec::new(),
            file_numbers,
            rules,
        };
        tree.add_files();
        tree.add_symbols();
        tree.add_bindings();
        tree.share_imports();
        tree.name_symbols();
        tree.place_symbols();
        tree.cap_reopened();
        tree
    }

    fn add_files(&mut self) {
        let mut groups: FxHashMap<(String, &str), u32> = FxHashMap::default();
        for file in &self.input.files {
            let language = file.language_id.as_ref().map(|id| id.as_str());
            let rule = language.and_then(|id| self.rules.get(id).copied());
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

    fn add_symbols(&mut self) {
        let mut file = 0;
        for row in &self.input.symbols {
            let number = self.symbols.len() as u32;
            // Symbols are in the order of their files.
            while self.path(file) != row.file_rel_path {
                file += 1;
            }
            let rule = self.rules.get(&*row.language_id).copied();
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
                let offset = reference.sites.first().map_or(0, |site| site.start);
                let import = Import {
                    binding: self.seen_from_file(binding, file, offset),
                    scope: self.around(file, offset),
                    meaning: OnceLock::new(),
                    module: OnceLock::new(),
                };
                let table = &mut self.files[file as usize];
                let (named, wild) = match reference.role {
                    Role::Export => (&mut table.exports, &mut table.wild_exports),
                    _ => (&mut table.imports, &mut table.wild_imports),
                };
                if is_wild(binding) || is_include(binding) {
                    wild.push(import);
                } else {
                    named.entry(bound_name(reference)).or_default().push(import);
                }
            }
        }
    }

    /// Adds imports that hold for all files of a project, such as C#'s `global using`, to each of these files.
    fn share_imports(&mut self) {
        let global = self.files.iter().zip(&self.input.files).flat_map(|(table, file)| {
            let project = folder(file.file_rel_path.as_str());
            let project = project.strip_suffix("/Properties").unwrap_or(project);
            let shared = table.wild_imports.iter().filter(|import| import.binding.style.as_deref() == Some("global"));
            shared.map(move |import| (project, table.rule.map(|rule| &rule.family), import.clone()))
        });
        let global: Vec<(&str, Option<&String>, Import)> = global.collect();
        for (table, file) in self.files.iter_mut().zip(&self.input.files) {
            let own_family = table.rule.map(|rule| &rule.family);
            let is_in = |project: &str| {
                let rest = file.file_rel_path.as_str().strip_prefix(project);
                rest.is_some_and(|rest| rest.starts_with('/') || project.is_empty())
            };
            let shared = global.iter().filter(|(project, family, _)| *family == own_family && is_in(project));
            let shared: Vec<Import> = shared.map(|(_, _, import)| import.clone()).collect();
            table.wild_imports.extend(shared);
        }
    }

    /// Enters every symbol under its full name, and finds the parts of what is opened several times.
    fn name_symbols(&mut self) {
        self.merged = (0..self.symbols.len() as u32).collect();
        for number in 0..self.symbols.len() as u32 {
            let SymbolTable { row, file, rule, .. } = self.symbols[number as usize];
            let Some(rule) = rule.filter(|rule| rule.full_names) else { continue };
            let package = self.input.files[file as usize].package.as_deref();
            let named = self.by_full_name.entry(full_name(package, &row.qualified_name)).or_default();
            let is_part = |other: &&SymbolNo| {
                let other = &self.symbols[**other as usize];
                other.family() == Some(&rule.family) && is_reopenable(other.row.kind)
            };
            // A module with a dotted name is in the packages that the name starts with.
            let outer = row.name.rsplit_once('.').map_or("", |(outer, _)| outer);
            add_package(&mut self.packages, full_name(package, outer));
            if rule.reopened && is_reopenable(row.kind) {
                self.merged[number as usize] = named.iter().find(is_part).copied().unwrap_or(number);
            }
            named.push(number);
        }
    }

    /// Of what is reopened many times, keeps one part more than a reference may have candidates: a module that a
    /// thousand files open would give a thousand candidates for every name that starts with it.
    fn cap_reopened(&mut self) {
        let merged = &self.merged;
        let cap = |symbols: &mut Vec<SymbolNo>| {
            let mut parts: FxHashMap<SymbolNo, usize> = FxHashMap::default();
            symbols.retain(|symbol| {
                let part = parts.entry(merged[*symbol as usize]).or_default();
                *part += 1;
                *part <= MAX_CANDIDATES + 1
            });
        };
        let lists = self.members.values_mut().chain(self.shared.values_mut()).chain(self.by_full_name.values_mut());
        lists.filter(|symbols| symbols.len() > MAX_CANDIDATES + 1).for_each(cap);
    }

    /// A binding inside of an inline module, as its file would write it.
    pub fn seen_from_file<'b>(&self, binding: &'b Binding, file: FileNo, offset: u32) -> Cow<'b, Binding> {
        let has_tree = self.files[file as usize].rule.is_some_and(NameRule::has_module_tree);
        let modules = if has_tree { self.namespaces_around(file, offset) } else { Vec::new() };
        let seen = binding.module.as_deref().filter(|_| !modules.is_empty());
        match seen.and_then(|module| seen_from_file(module, &modules)) {
            Some(module) => Cow::Owned(Binding { module: Some(module), ..binding.clone() }),
            None => Cow::Borrowed(binding),
        }
    }

    /// The names of the namespaces around an offset, outermost first.
    fn namespaces_around(&self, file: FileNo, offset: u32) -> Vec<&'i str> {
        let scopes = self.files[file as usize].scopes.iter();
        let around = scopes.filter(|scope| scope.start <= offset && offset < scope.end);
        let rows = around.map(|scope| self.symbols[scope.symbol as usize].row);
        rows.filter(|row| row.kind == Kind::Namespace).map(|row| &*row.name).collect()
    }
}
