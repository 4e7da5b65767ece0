//! A name alone: from the inside out, then by import, then by package.

use super::{Here, Known, Limit, Resolver, Steps, Target, confidence};
use crate::graph::tree::{FileNo, Import, NameNo, SymbolNo, full_name};
use crate::language::modules::Located;
use crate::language::{Modules, NameRule, Shared};
use crate::record::{Kind, Tier};

impl<'t> Resolver<'t> {
    /// A name alone, from the inside out.
    pub(super) fn lookup(&self, name: &str, here: Here, limit: Limit) -> Option<Known> {
        let rule = self.rule(here)?;
        let scoped = self.in_scope(name, here, rule);
        if !scoped.is_empty() {
            let targets = scoped.iter().copied().map(Target::Symbol).collect();
            return Some(Known { targets, tier: Tier::Scope, confidence: confidence::SCOPE });
        }
        let imported = self.imported(name, here, limit).or_else(|| self.in_group(name, here, rule));
        imported.or_else(|| self.crate_named(name, rule))
    }

    pub(super) fn crate_named(&self, name: &str, rule: &NameRule) -> Option<Known> {
        let targets = match self.modules.named(rule.modules, name)? {
            Located::Files(files, _) => files.into_iter().map(Target::File).collect(),
            _ => vec![Target::Outside { module: name.to_string(), name: None }],
        };
        Some(Known { targets, tier: Tier::Import, confidence: confidence::IMPORT })
    }

    pub(super) fn in_scope(&self, name: &str, here: Here, rule: &NameRule) -> Vec<SymbolNo> {
        let number = self.tree.number(name);
        // Most names that a library gives are no symbol's. A header's may be written as a part of its holder's.
        if rule.modules != Modules::Include && number.is_none() {
            return Vec::new();
        }
        let mut in_type = here.in_type;
        for symbol in self.tree.parents(here.scope) {
            let row = self.tree.row(symbol);
            let visible = row.kind.is_callable() || row.kind == Kind::Namespace || rule.implicit_self || in_type;
            let mut own = match row.kind.is_type() {
                _ if !visible => Vec::new(),
                true => number.map_or_else(Vec::new, |number| self.type_member_numbered(symbol, number, name)),
                false => self.held_by(symbol, number, name),
            };
            // Alone, a constructor's name is its type's.
            own.retain(|member| self.tree.row(*member).kind != Kind::Constructor);
            if !own.is_empty() {
                return own;
            }
            in_type = false;
        }
        number.map_or(&[][..], |number| self.tree.top_level_numbered(here.file, number)).to_vec()
    }

    /// What a namespace or a function holds; a namespace that is opened in several files is one.
    pub(super) fn held_by(&self, symbol: SymbolNo, number: Option<NameNo>, name: &str) -> Vec<SymbolNo> {
        let own = number.map_or(&[][..], |number| self.tree.members_numbered(symbol, number));
        let row = self.tree.row(symbol);
        let opened = self.tree.symbols[symbol as usize].rule.is_some_and(|rule| rule.modules == Modules::Include);
        if !own.is_empty() || row.kind != Kind::Namespace || !opened {
            return own.to_vec();
        }
        let elsewhere = self.tree.full_name(&full_name(Some(&row.qualified_name), name));
        elsewhere.iter().copied().filter(|symbol| self.tree.row(*symbol).kind != Kind::Constructor).collect()
    }

    pub(super) fn imported(&self, name: &str, here: Here, limit: Limit) -> Option<Known> {
        let file = here.file;
        let table = &self.tree.files[file as usize];
        if let Some(imports) = table.imports.get(name) {
            let mut targets: Vec<Target> = match imports.as_slice() {
                [import] => self.meaning(import, file, limit),
                _ => self.nearest(imports, here).flat_map(|import| self.meaning(import, file, limit)).collect(),
            };
            targets.sort();
            targets.dedup();
            // One of two imports of a name is there for when the other fails.
            let inside = targets.iter().any(|target| !matches!(target, Target::Outside { .. }));
            targets.retain(|target| !inside || !matches!(target, Target::Outside { .. }));
            return Some(Known { targets, tier: Tier::Import, confidence: confidence::IMPORT });
        }
        let wild = table.wild_imports.iter().find_map(|import| {
            let found = self.through_wild(&import.binding, file, name, limit);
            (!found.is_empty()).then_some(found)
        });
        wild.map(|targets| Known { targets, tier: Tier::Import, confidence: confidence::WILD_IMPORT })
    }

    /// What the name that an import binds stands for. A name is used more often than it is imported, so what
    /// was found is kept; only what is asked for from the outside, so that it is the same whoever asks first.
    fn meaning(&self, import: &Import<'t>, file: FileNo, limit: Limit) -> Vec<Target> {
        if limit.depth() > 1 || !self.is_settled {
            return self.bound(&import.binding, file, limit);
        }
        if let Some(known) = import.meaning.get() {
            return known.clone();
        }
        let found = self.bound(&import.binding, file, Steps::new().limit().deeper());
        let _ = import.meaning.set(found.clone());
        found
    }

    /// The imports of the innermost definition around a place that has any; else all of them.
    pub(super) fn nearest<'n>(&self, imports: &'n [Import<'t>], here: Here) -> impl Iterator<Item = &'n Import<'t>> {
        let scopes = || self.tree.parents(here.scope).map(Some).chain([None]);
        let distance = |import: &Import| scopes().position(|scope| scope == import.scope).unwrap_or(usize::MAX);
        let least = imports.iter().map(distance).min();
        let near = imports.iter().map(move |import| least.is_none_or(|least| distance(import) == least));
        let near: Vec<bool> = near.collect();
        imports.iter().zip(near).filter(|(_, near)| *near).map(|(import, _)| import)
    }

    pub(super) fn in_group(&self, name: &str, here: Here, rule: &NameRule) -> Option<Known> {
        let found = match self.tree.files[here.file as usize].group {
            Some(group) => self.tree.shared(group, name).to_vec(),
            None => Vec::new(),
        };
        let found = if found.is_empty() { self.in_enclosing_packages(name, here, rule) } else { found };
        // Where all files see each other, a file keeps to itself what it hides.
        let seen = |symbol: &SymbolNo| {
            let symbol = &self.tree.symbols[*symbol as usize];
            let hidden = rule.shared == Shared::Repository && !symbol.row.exported && symbol.file != here.file;
            symbol.family() == Some(&rule.family) && !hidden
        };
        let targets: Vec<Target> = found.into_iter().filter(seen).map(Target::Symbol).collect();
        (!targets.is_empty()).then_some(Known { targets, tier: Tier::Scope, confidence: confidence::PACKAGE })
    }

    /// `A` inside of the package `x.y` is `x.y.A`, `x.A` or `A`; inside of a namespace `N` also `N.A`. Where
    /// a package sees only itself, functions and constants of no package are still seen.
    pub(super) fn in_enclosing_packages(&self, name: &str, here: Here, rule: &NameRule) -> Vec<SymbolNo> {
        if rule.modules != Modules::Package {
            return Vec::new();
        }
        if !rule.outer_packages {
            let of_no_package = self.tree.full_name(name).iter().copied();
            let is_seen = |symbol: &SymbolNo| matches!(self.tree.row(*symbol).kind, Kind::Function | Kind::Constant);
            return of_no_package.filter(is_seen).collect();
        }
        let found = self.prefixes(here).map(|prefix| self.tree.full_name(&full_name(Some(&prefix), name)));
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default().to_vec()
    }

    /// The package around a place and those around that, innermost first, down to none.
    pub(super) fn prefixes(&self, here: Here) -> impl Iterator<Item = String> {
        let package = self.tree.input.files[here.file as usize].package.as_deref();
        let around = here.scope.map_or("", |symbol| &*self.tree.row(symbol).qualified_name);
        std::iter::successors(Some(full_name(package, around)), |inner| {
            let outer = inner.rsplit_once('.').map_or("", |(outer, _)| outer);
            (!inner.is_empty()).then(|| outer.to_string())
        })
    }

    /// A package as it is named from a place.
    pub(super) fn package(&self, name: &str, here: Here, rule: &NameRule) -> Option<Target> {
        if rule.modules != Modules::Package {
            return None;
        }
        let full = self.prefixes(here).map(|prefix| full_name(Some(&prefix), name));
        full.into_iter().find(|full| self.tree.has_package(full)).map(Target::Package)
    }

    /// Where names are global, a type is known by its name alone.
    pub(super) fn only_type(&self, name: &str, rule: &NameRule) -> Option<Known> {
        let fits = |symbol: &&SymbolNo| {
            let symbol = &self.tree.symbols[**symbol as usize];
            symbol.row.kind.is_type() && symbol.family() == Some(&rule.family)
        };
        let mut named = self.tree.named(name).iter().filter(|_| rule.global).filter(fits);
        match (named.next(), named.next()) {
            (Some(symbol), None) => Some(Known {
                targets: vec![Target::Symbol(*symbol)],
                tier: Tier::Name,
                confidence: confidence::ONLY_NAME,
            }),
            _ => None,
        }
    }
}
