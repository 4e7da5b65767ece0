//! Chooses among several definitions that a name could mean.

use super::{MAX_CANDIDATES, MAX_NAMED, Outcome, Resolution, Resolver, Scope, Target, confidence};
use crate::graph::input::{Reference, SymbolRow};
use crate::graph::tree::SymbolNo;
use crate::language::NameRule;
use crate::record::{Kind, Role, Tier};

impl<'t> Resolver<'t> {
    pub(super) fn outcome(&self, resolution: Option<Resolution>, reference: &Reference, overridable: bool) -> Outcome {
        let Some(mut resolution) = resolution else { return Outcome::Unresolved(0) };
        self.fit_targets(&mut resolution.targets, reference.role);
        if resolution.targets.len() > 1 && resolution.targets.iter().all(|target| self.is_part_of_package(target)) {
            // A package is all of its files. Only an import leads to all of them.
            resolution.targets.retain(|_| reference.role == Role::Import);
            if resolution.targets.len() > MAX_CANDIDATES {
                resolution.targets.retain(|target| self.is_named_for_folder(target));
            }
            return Outcome::Found { resolution, overrides: Vec::new() };
        }
        if self.is_spread(&resolution.targets) {
            return Outcome::Unresolved(0);
        }
        self.choose_overload(&mut resolution.targets, reference);
        match resolution.targets.as_slice() {
            [] => Outcome::Unresolved(0),
            [Target::Outside { .. }] => Outcome::Outside(resolution.targets.remove(0)),
            [Target::Package(_)] => Outcome::Unresolved(0),
            [Target::Symbol(symbol)] if overridable => {
                let overrides = self.overrides(*symbol);
                Outcome::Found { resolution, overrides }
            }
            [_] => Outcome::Found { resolution, overrides: Vec::new() },
            many if many.len() > MAX_CANDIDATES => Outcome::Unresolved(many.len()),
            _ => Outcome::Ambiguous(resolution),
        }
    }

    pub(super) fn fit_targets(&self, targets: &mut Vec<Target>, role: Role) {
        // Most names have one target, which nothing replaces.
        match targets.as_slice() {
            [Target::Symbol(symbol)] if self.definitions.contains_key(symbol) => {}
            [] | [_] => return,
            _ => {}
        }
        let symbols = targets.iter().filter_map(|target| match target {
            Target::Symbol(symbol) => Some(self.defined(symbol)),
            _ => None,
        });
        let mut symbols: Vec<SymbolNo> = symbols.flatten().copied().collect();
        self.fit_role(&mut symbols, role);
        targets.retain(|target| !matches!(target, Target::Symbol(_)));
        targets.extend(symbols.into_iter().map(Target::Symbol));
        targets.sort();
        targets.dedup();
    }

    /// Keeps the definitions that fit a role: a call prefers functions to fields, a use the other way round, and
    /// a type position takes types.
    pub(super) fn fit_role(&self, symbols: &mut Vec<SymbolNo>, role: Role) {
        let fits = |symbol: &SymbolNo| {
            let kind = self.tree.row(*symbol).kind;
            match role {
                Role::Call | Role::Flow => kind.is_callable() || kind.is_type(),
                Role::Type | Role::Inherit => kind.is_type(),
                Role::Use => !kind.is_callable() || kind == Kind::Property,
                _ => true,
            }
        };
        if symbols.len() > 1 && symbols.iter().any(fits) {
            symbols.retain(fits);
        }
    }

    /// A file of a language whose packages are directories, or a namespace, which many files may open.
    pub(super) fn is_part_of_package(&self, target: &Target) -> bool {
        match target {
            Target::File(file) => self.tree.files[*file as usize].rule.is_some_and(|rule| rule.folder_packages),
            Target::Symbol(symbol) => self.tree.row(*symbol).kind == Kind::Namespace,
            _ => false,
        }
    }

    /// A file with the name of its package: `store/store.go`.
    pub(super) fn is_named_for_folder(&self, target: &Target) -> bool {
        let Target::File(file) = target else { return false };
        let mut parts = self.tree.path(*file).rsplit('/');
        let stem = parts.next().and_then(|name| name.split('.').next());
        stem == parts.next() || stem == Some("doc")
    }

    /// The definitions of a symbol: itself, unless it is only a declaration.
    pub(super) fn defined<'s>(&'s self, symbol: &'s SymbolNo) -> &'s [SymbolNo] {
        self.definitions.get(symbol).map_or(std::slice::from_ref(symbol), Vec::as_slice)
    }

    /// Chooses one of several definitions with one name and one parent: by role, then by the number of arguments,
    /// then the first that fits.
    pub(super) fn choose_overload(&self, targets: &mut Vec<Target>, reference: &Reference) {
        if targets.len() < 2 {
            return;
        }
        let rows: Vec<_> = targets
            .iter()
            .filter_map(|target| match target {
                Target::Symbol(symbol) => Some((*symbol, self.tree.row(*symbol))),
                _ => None,
            })
            .collect();
        let (first, first_row) = match rows.first() {
            Some(first) if rows.len() == targets.len() => *first,
            _ => return,
        };
        let parent = |symbol: SymbolNo| self.tree.parent(symbol).map(|parent| self.tree.merged(parent));
        let is_same = |(symbol, row): &(SymbolNo, &SymbolRow)| {
            let beside = self.tree.file_of(*symbol) == self.tree.file_of(first)
                || parent(*symbol).is_some_and(|own| parent(first) == Some(own));
            self.tree.merged(*symbol) == self.tree.merged(first)
                || beside && row.qualified_name == first_row.qualified_name
        };
        if !rows.iter().all(is_same) {
            return;
        }
        let best = rows.iter().map(|(_, row)| unfitness(row.kind, reference.role)).min();
        let rows: Vec<_> =
            rows.into_iter().filter(|(_, row)| Some(unfitness(row.kind, reference.role)) == best).collect();
        let taking = |fits: fn(u32, u32) -> bool| {
            let count = reference.arguments?;
            rows.iter().find(|(_, row)| row.kind.is_callable() && fits(row.parameters.count, count))
        };
        let fitting = taking(|takes, given| takes == given).or_else(|| taking(|takes, given| takes >= given));
        // Of the parts of a type, the one whose file has the shortest path.
        let shortest = rows.iter().min_by_key(|(symbol, _)| self.tree.path(self.tree.file_of(*symbol)).len());
        let chosen = fitting.or(shortest).unwrap_or(&rows[0]).0;
        *targets = vec![Target::Symbol(chosen)];
    }

    /// A namespace that several files open is not a target.
    pub(super) fn is_spread(&self, targets: &[Target]) -> bool {
        let is_namespace = |target: &Target| matches!(target, Target::Symbol(symbol) if self.tree.row(*symbol).kind == Kind::Namespace);
        targets.len() > 1 && targets.iter().all(is_namespace)
    }

    /// Resolves by name alone: only rare names, and only if few definitions have them.
    pub(super) fn by_name(&self, reference: &Reference, scope: Scope, rule: &NameRule) -> Outcome {
        let name = &*reference.name;
        let named = self.tree.named(name);
        let of_member = reference.receiver.is_some();
        let is_common = !is_rare(name) || rule.common.iter().any(|common| common == name);
        let fits = |symbol: &&SymbolNo| {
            let is_member = self.is_type_member(**symbol);
            let symbol = &self.tree.symbols[**symbol as usize];
            let hidden = rule.file_private && !symbol.row.exported && symbol.file != scope.file;
            let free = rule.global && !of_member && symbol.row.kind != Kind::Constructor && !(is_member && is_common);
            symbol.family() == Some(&rule.family) && !hidden && (symbol.parent.is_some() == of_member || free)
        };
        if of_member && is_common {
            return Outcome::Unresolved(named.len());
        }
        let mut fitting: Vec<SymbolNo> =
            named.iter().filter(fits).flat_map(|symbol| self.defined(symbol)).copied().take(MAX_NAMED).collect();
        fitting.sort_unstable();
        fitting.dedup();
        self.fit_role(&mut fitting, reference.role);
        fitting.truncate(MAX_CANDIDATES + 1);
        match fitting.len() {
            0 => Outcome::Unresolved(0),
            1 => {
                let resolution = Resolution {
                    targets: vec![Target::Symbol(fitting[0])],
                    tier: Tier::Name,
                    confidence: confidence::ONLY_NAME,
                };
                Outcome::Found { resolution, overrides: Vec::new() }
            }
            count if count > MAX_CANDIDATES => Outcome::Unresolved(named.len()),
            _ => Outcome::Ambiguous(Resolution {
                targets: fitting.into_iter().map(Target::Symbol).collect(),
                tier: Tier::Name,
                confidence: confidence::SAME_NAME,
            }),
        }
    }
}

/// A name of several words, which two libraries rarely share.
pub(super) fn is_rare(name: &str) -> bool {
    let name = name.trim_matches('_');
    let humps = name.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    name.len() >= 6 && (name.contains('_') || humps.count() > 0)
}

/// How badly a definition fits a reference: a language may have a type, a method and a field with one name.
pub(super) fn unfitness(kind: Kind, role: Role) -> u8 {
    let is_only_type = matches!(kind, Kind::Interface | Kind::Type);
    match role {
        Role::Type | Role::Inherit => u8::from(!kind.is_type()),
        Role::Call | Role::Flow if is_only_type => 2,
        Role::Call | Role::Flow => u8::from(!kind.is_callable() && !kind.is_type()),
        Role::Use if is_only_type => 2,
        Role::Use => u8::from(kind.is_callable() && kind != Kind::Property),
        _ => 0,
    }
}
