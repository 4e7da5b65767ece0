//! Of several things that a name could mean, those that fit where it stands.

use super::{Here, Known, MAX_CANDIDATES, MAX_NAMED, Outcome, Resolver, Target, confidence};
use crate::graph::input::{Reference, SymbolRow};
use crate::graph::tree::SymbolNo;
use crate::language::{Modules, NameRule};
use crate::record::{Kind, Role, Tier};

impl<'t> Resolver<'t> {
    pub(super) fn outcome(&self, known: Option<Known>, reference: &Reference, overridable: bool) -> Outcome {
        let Some(mut known) = known else { return Outcome::Unresolved(0) };
        self.fit_targets(&mut known.targets, reference.role);
        if known.targets.len() > 1 && known.targets.iter().all(|target| self.is_part_of_package(target)) {
            // A package is all of its files. That one is named says no more of them.
            known.targets.retain(|_| reference.role == Role::Import);
            if known.targets.len() > MAX_CANDIDATES {
                known.targets.retain(|target| self.is_named_for_folder(target));
            }
            return Outcome::Found { known, overrides: Vec::new() };
        }
        if self.is_spread(&known.targets) {
            return Outcome::Unresolved(0);
        }
        self.choose_overload(&mut known.targets, reference);
        match known.targets.as_slice() {
            [] => Outcome::Unresolved(0),
            [outside @ Target::Outside { .. }] => Outcome::Outside(outside.clone()),
            [Target::Package(_)] => Outcome::Unresolved(0),
            [Target::Symbol(symbol)] if overridable => {
                let overrides = self.overrides(*symbol);
                Outcome::Found { known, overrides }
            }
            [_] => Outcome::Found { known, overrides: Vec::new() },
            many if many.len() > MAX_CANDIDATES => Outcome::Unresolved(many.len()),
            _ => Outcome::Ambiguous(known),
        }
    }

    pub(super) fn fit_targets(&self, targets: &mut Vec<Target>, role: Role) {
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

    /// Of things of one name, those that can stand where it stands: what is called is a function before a
    /// field, what is read the other way round, and a type's place is a type's.
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

    /// A file of a language whose packages are folders, or a namespace, which many files open.
    pub(super) fn is_part_of_package(&self, target: &Target) -> bool {
        match target {
            Target::File(file) => {
                let rule = self.tree.files[*file as usize].rule;
                rule.is_some_and(|rule| matches!(rule.modules, Modules::Go | Modules::Target))
            }
            Target::Symbol(symbol) => self.tree.row(*symbol).kind == Kind::Namespace,
            _ => false,
        }
    }

    /// A file that stands for its package: `store/store.go`.
    pub(super) fn is_named_for_folder(&self, target: &Target) -> bool {
        let Target::File(file) = target else { return false };
        let mut parts = self.tree.path(*file).rsplit('/');
        let stem = parts.next().and_then(|name| name.split('.').next());
        stem == parts.next() || stem == Some("doc")
    }

    /// The definitions of a symbol: itself, unless it is only declared.
    pub(super) fn defined<'s>(&'s self, symbol: &'s SymbolNo) -> &'s [SymbolNo] {
        self.definitions.get(symbol).map_or(std::slice::from_ref(symbol), Vec::as_slice)
    }

    /// Of definitions of one name in one holder, the one that is named so: a type where a type stands, what
    /// takes so many arguments where it is called; of declarations and their implementation, or of a name
    /// that is bound twice, the first that fits.
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
        let holder = |symbol: SymbolNo| self.tree.symbols[symbol as usize].parent.map(|holder| self.tree.whole(holder));
        let is_same = |(symbol, row): &(SymbolNo, &SymbolRow)| {
            let beside = self.tree.file_of(*symbol) == self.tree.file_of(first)
                || holder(*symbol).is_some_and(|own| holder(first) == Some(own));
            self.tree.whole(*symbol) == self.tree.whole(first)
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
        // Of the parts of a type, the one whose file has the plainest name.
        let plainest = rows.iter().min_by_key(|(symbol, _)| self.tree.path(self.tree.file_of(*symbol)).len());
        let chosen = fitting.or(plainest).unwrap_or(&rows[0]).0;
        *targets = vec![Target::Symbol(chosen)];
    }

    /// A namespace of several files is no place to lead to.
    pub(super) fn is_spread(&self, targets: &[Target]) -> bool {
        let is_namespace = |target: &Target| matches!(target, Target::Symbol(symbol) if self.tree.row(*symbol).kind == Kind::Namespace);
        targets.len() > 1 && targets.iter().all(is_namespace)
    }

    /// Nothing but the name: only where it is a rare one, and few have it.
    pub(super) fn by_name(&self, reference: &Reference, here: Here, rule: &NameRule) -> Outcome {
        let name = &*reference.name;
        let named = self.tree.named(name);
        let of_member = reference.receiver.is_some();
        let says_little = !is_rare(name) || rule.common.iter().any(|common| common == name);
        let fits = |symbol: &&SymbolNo| {
            let is_member = self.is_of_type(**symbol);
            let symbol = &self.tree.symbols[**symbol as usize];
            // What is static in C is of its file.
            let hidden = rule.modules == Modules::Include && !symbol.row.exported && symbol.file != here.file;
            let free = rule.global && !of_member && symbol.row.kind != Kind::Constructor && !(is_member && says_little);
            symbol.family() == Some(&rule.family) && !hidden && (symbol.parent.is_some() == of_member || free)
        };
        if of_member && says_little {
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
                let known = Known {
                    targets: vec![Target::Symbol(fitting[0])],
                    tier: Tier::Name,
                    confidence: confidence::ONLY_NAME,
                };
                Outcome::Found { known, overrides: Vec::new() }
            }
            count if count > MAX_CANDIDATES => Outcome::Unresolved(named.len()),
            _ => Outcome::Ambiguous(Known {
                targets: fitting.into_iter().map(Target::Symbol).collect(),
                tier: Tier::Name,
                confidence: confidence::SAME_NAME,
            }),
        }
    }
}

/// A name of several words, which two libraries hardly share.
pub(super) fn is_rare(name: &str) -> bool {
    let name = name.trim_matches('_');
    let humps = name.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    name.len() >= 6 && (name.contains('_') || humps.count() > 0)
}

/// How badly a definition fits a reference to its name: a language may have a type, a method and a field
/// of one name.
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
