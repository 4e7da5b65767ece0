//! Looks up a single name: in the scopes from the inside out, then by import, then by package.

use super::{Limit, Resolution, Resolver, Scope, Steps, Target, confidence};
use crate::graph::tree::{FileNo, Import, NameNo, SymbolNo, full_name};
use crate::language::modules::Located;
use crate::language::{NameRule, Shared};
use crate::record::{Kind, Tier};

impl<'t> Resolver<'t> {
    /// Looks up a single name.
    pub(super) fn lookup(&self, name: &str, scope: Scope, limit: Limit) -> Option<Resolution> {
        let rule = self.rule(scope)?;
        let scoped = self.in_scope(name, scope, rule);
        if !scoped.is_empty() {
            let targets = scoped.iter().copied().map(Target::Symbol).collect();
            return Some(Resolution { targets, tier: Tier::Scope, confidence: confidence::SCOPE });
        }
        let imported = self.imported(name, scope, limit).or_else(|| self.in_group(name, scope, rule));
        imported.or_else(|| self.crate_named(name, rule))
    }

    pub(super) fn crate_named(&self, name: &str, rule: &NameRule) -> Option<Resolution> {
        let targets = match self.modules.named(rule.modules, name)? {
            Located::Files(files, _) => files.into_iter().map(Target::File).collect(),
            _ => vec![Target::Outside { module: name.to_string(), name: None }],
        };
        Some(Resolution { targets, tier: Tier::Import, confidence: confidence::IMPORT })
    }

    pub(super) fn in_scope(&self, name: &str, scope: Scope, rule: &NameRule) -> Vec<SymbolNo> {
        let number = self.tree.number(name);
        // Most names of a library are not symbols. A name of an open namespace may be found by its full name.
        if !rule.open_namespaces && number.is_none() {
            return Vec::new();
        }
        let mut in_type = scope.in_type;
        for symbol in self.tree.parents(scope.symbol) {
            let row = self.tree.row(symbol);
            let visible = row.kind.is_callable() || row.kind == Kind::Namespace || rule.implicit_self || in_type;
            let mut own = match row.kind.is_type() {
                _ if !visible => Vec::new(),
                true => number.map_or_else(Vec::new, |number| self.type_member_numbered(symbol, number, name)),
                false => self.own_members(symbol, number, name),
            };
            // Without a receiver, the name of a constructor means its type.
            own.retain(|member| self.tree.row(*member).kind != Kind::Constructor);
            if !own.is_empty() {
                return own;
            }
            in_type = false;
        }
        number.map_or(&[][..], |number| self.tree.top_level_numbered(scope.file, number)).to_vec()
    }

    /// Members of a namespace or a function; a namespace that several files open is one.
    pub(super) fn own_members(&self, symbol: SymbolNo, number: Option<NameNo>, name: &str) -> Vec<SymbolNo> {
        let own = number.map_or(&[][..], |number| self.tree.members_numbered(symbol, number));
        let row = self.tree.row(symbol);
        let opened = self.tree.symbols[symbol as usize].rule.is_some_and(|rule| rule.open_namespaces);
        if !own.is_empty() || row.kind != Kind::Namespace || !opened {
            return own.to_vec();
        }
        let elsewhere = self.tree.full_name(&full_name(Some(&row.qualified_name), name));
        elsewhere.iter().copied().filter(|symbol| self.tree.row(*symbol).kind != Kind::Constructor).collect()
    }

    pub(super) fn imported(&self, name: &str, scope: Scope, limit: Limit) -> Option<Resolution> {
        let file = scope.file;
        let table = &self.tree.files[file as usize];
        if let Some(imports) = table.imports.get(name) {
            let mut targets: Vec<Target> = match imports.as_slice() {
                [import] => self.meaning(import, file, limit),
                _ => self.nearest(imports, scope).flat_map(|import| self.meaning(import, file, limit)).collect(),
            };
            targets.sort();
            targets.dedup();
            // Of two imports of one name, the external one is a fallback.
            let inside = targets.iter().any(|target| !matches!(target, Target::Outside { .. }));
            targets.retain(|target| !inside || !matches!(target, Target::Outside { .. }));
            return Some(Resolution { targets, tier: Tier::Import, confidence: confidence::IMPORT });
        }
        let wild = table.wild_imports.iter().find_map(|import| {
            let found = self.through_wild(import, file, name, limit);
            (!found.is_empty()).then_some(found)
        });
        wild.map(|targets| Resolution { targets, tier: Tier::Import, confidence: confidence::WILD_IMPORT })
    }

    /// What the name that an import binds means. A name is used more often than it is imported, so the result is
    /// kept. It is computed with limits of its own, so that it does not depend on which lookup comes first.
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

    /// The imports of the innermost definition around a scope that has any; else all of them.
    pub(super) fn nearest<'n>(&self, imports: &'n [Import<'t>], scope: Scope) -> impl Iterator<Item = &'n Import<'t>> {
        let scopes = || self.tree.parents(scope.symbol).map(Some).chain([None]);
        let distance = |import: &Import| scopes().position(|scope| scope == import.scope).unwrap_or(usize::MAX);
        let least = imports.iter().map(distance).min();
        let near = imports.iter().map(move |import| least.is_none_or(|least| distance(import) == least));
        let near: Vec<bool> = near.collect();
        imports.iter().zip(near).filter(|(_, near)| *near).map(|(import, _)| import)
    }

    pub(super) fn in_group(&self, name: &str, scope: Scope, rule: &NameRule) -> Option<Resolution> {
        let found = match self.tree.files[scope.file as usize].group {
            Some(group) => self.tree.shared(group, name).to_vec(),
            None => Vec::new(),
        };
        let found = if found.is_empty() { self.in_enclosing_packages(name, scope, rule) } else { found };
        // Where all files see each other, a symbol that is not exported is visible in its own file only.
        let seen = |symbol: &SymbolNo| {
            let symbol = &self.tree.symbols[*symbol as usize];
            let hidden = rule.shared == Shared::Repository && !symbol.row.exported && symbol.file != scope.file;
            symbol.family() == Some(&rule.family) && !hidden
        };
        let targets: Vec<Target> = found.into_iter().filter(seen).map(Target::Symbol).collect();
        (!targets.is_empty()).then_some(Resolution { targets, tier: Tier::Scope, confidence: confidence::PACKAGE })
    }

    /// `A` inside of the package `x.y` is `x.y.A`, `x.A` or `A`; inside of a namespace `N` also `N.A`. Where
    /// a package sees only itself, functions and constants without a package are visible too.
    pub(super) fn in_enclosing_packages(&self, name: &str, scope: Scope, rule: &NameRule) -> Vec<SymbolNo> {
        if !rule.packages_in_scope {
            return Vec::new();
        }
        if !rule.outer_packages {
            let without_package = self.tree.full_name(name).iter().copied();
            let is_visible = |symbol: &SymbolNo| matches!(self.tree.row(*symbol).kind, Kind::Function | Kind::Constant);
            return without_package.filter(is_visible).collect();
        }
        let found = self.prefixes(scope).map(|prefix| self.tree.full_name(&full_name(Some(&prefix), name)));
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default().to_vec()
    }

    /// The package around a scope and the packages around that, innermost first; the last is empty.
    pub(super) fn prefixes(&self, scope: Scope) -> impl Iterator<Item = String> {
        let package = self.tree.input.files[scope.file as usize].package.as_deref();
        let around = scope.symbol.map_or("", |symbol| &*self.tree.row(symbol).qualified_name);
        std::iter::successors(Some(full_name(package, around)), |inner| {
            let outer = inner.rsplit_once('.').map_or("", |(outer, _)| outer);
            (!inner.is_empty()).then(|| outer.to_string())
        })
    }

    /// The package that a name means in a scope.
    pub(super) fn package(&self, name: &str, scope: Scope, rule: &NameRule) -> Option<Target> {
        if !rule.packages_in_scope {
            return None;
        }
        let full = self.prefixes(scope).map(|prefix| full_name(Some(&prefix), name));
        full.into_iter().find(|full| self.tree.has_package(full)).map(Target::Package)
    }

    /// Where names are global, the only type with a name.
    pub(super) fn only_type(&self, name: &str, rule: &NameRule) -> Option<Resolution> {
        let fits = |symbol: &&SymbolNo| {
            let symbol = &self.tree.symbols[**symbol as usize];
            symbol.row.kind.is_type() && symbol.family() == Some(&rule.family)
        };
        let mut named = self.tree.named(name).iter().filter(|_| rule.global).filter(fits);
        match (named.next(), named.next()) {
            (Some(symbol), None) => Some(Resolution {
                targets: vec![Target::Symbol(*symbol)],
                tier: Tier::Name,
                confidence: confidence::ONLY_NAME,
            }),
            _ => None,
        }
    }
}
