//! Types and what they inherit: bases, overrides, the type around a scope.

use std::borrow::Cow;

use super::{MAX_BASES, MAX_CANDIDATES, Resolver, Scope, Steps, Target, TypedValue};
use crate::graph::input::Reference;
use crate::graph::tree::{NameNo, SymbolNo};
use crate::record::{Kind, Role};

/// How many bases a type may name. They are compared with each other.
const MAX_DIRECT_BASES: usize = 1024;

impl<'t> Resolver<'t> {
    /// Finds the bases of all types. This comes first, because members are looked up in bases.
    pub(super) fn find_bases(&mut self) {
        let mut found: Vec<(SymbolNo, Option<SymbolNo>)> = Vec::new();
        for record in &self.tree.input.references {
            let Some(file) = self.tree.file(&record.file_rel_path) else { continue };
            for reference in record.references.iter().filter(|reference| reference.role == Role::Inherit) {
                for site in &*reference.sites {
                    let scope = self.scope_at(file, site.start);
                    let Some(owner) = self.type_around(scope, site.start) else { continue };
                    let outside = Scope { file, symbol: self.tree.parent(owner), in_type: false };
                    let targets = self.base_targets(reference, outside);
                    let types = targets.iter().filter_map(|target| match target {
                        Target::Symbol(symbol) if *symbol != owner => Some(*symbol),
                        _ => None,
                    });
                    let types: Vec<SymbolNo> = types.collect();
                    found.extend(types.iter().map(|base| (owner, Some(*base))));
                    if types.is_empty() {
                        found.push((owner, None));
                    }
                }
            }
        }
        for (owner, base) in found {
            let owner = self.tree.merged(owner);
            match base.map(|base| self.tree.merged(base)) {
                None => self.has_external_base[owner as usize] = true,
                Some(base) if is_new_base(&self.bases[owner as usize], base) => {
                    self.bases[owner as usize].push(base);
                    self.derived[base as usize].push(owner);
                }
                Some(_) => {}
            }
        }
    }

    pub(super) fn base_targets(&self, reference: &Reference, scope: Scope) -> Vec<Target> {
        let steps = Steps::new();
        let resolution = match &reference.receiver {
            None => self.lookup(&reference.name, scope, steps.limit()),
            Some(receiver) => self.member_of_text(receiver, &reference.name, scope, steps.limit()),
        };
        resolution.map(|resolution| resolution.targets).unwrap_or_default()
    }

    /// The type whose header names a base; for a Rust `impl`, the type that it is for.
    pub(super) fn type_around(&self, scope: Scope, offset: u32) -> Option<SymbolNo> {
        let own = self.tree.parents(scope.symbol).find(|symbol| self.tree.row(*symbol).kind.is_type());
        if let Some(own) = own {
            return Some(self.tree.type_itself(own));
        }
        // An `impl` is a chunk without a symbol; its members know their type.
        let range = self.tree.files[scope.file as usize].symbols.clone();
        let next = range.clone().find(|symbol| self.tree.row(*symbol).site.start > offset)?;
        let parent = self.tree.parent(next)?;
        self.tree.row(parent).kind.is_type().then_some(parent)
    }

    pub(super) fn bases_of(&self, symbol: SymbolNo) -> &[SymbolNo] {
        &self.bases[self.tree.merged(symbol) as usize]
    }

    pub(super) fn is_type_member(&self, symbol: SymbolNo) -> bool {
        self.tree.parent(symbol).is_some_and(|parent| self.tree.row(parent).kind.is_type())
    }

    /// The overrides of a method in derived types; found once, because many references call the same method.
    pub(super) fn overrides(&self, method: SymbolNo) -> Vec<SymbolNo> {
        self.overridden[method as usize].get_or_init(|| self.find_overrides(method)).clone()
    }

    pub(super) fn find_overrides(&self, method: SymbolNo) -> Vec<SymbolNo> {
        let row = self.tree.row(method);
        let Some(parent) = self.tree.parent(method).filter(|_| row.kind.is_callable()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let parent = self.tree.merged(parent);
        let mut pending = self.derived[parent as usize].clone();
        let mut seen = vec![parent];
        // Each type is looked at once, so a cycle of bases ends.
        while let Some(derived) = pending.pop() {
            if seen.contains(&derived) || seen.len() > MAX_BASES {
                continue;
            }
            seen.push(derived);
            let members = self.tree.members(derived, &row.name).iter().flat_map(|member| self.defined(member));
            found.extend(members.filter(|member| self.tree.row(**member).kind.is_callable()));
            pending.extend(&self.derived[derived as usize]);
        }
        found.sort_unstable();
        found.dedup();
        if found.len() > MAX_CANDIDATES { Vec::new() } else { found }
    }

    /// The type around a scope, whose instance `self` is; for a method outside of types, the object that has it.
    pub(super) fn self_type(&self, scope: Scope) -> Option<SymbolNo> {
        let mut object = None;
        for symbol in self.tree.parents(scope.symbol) {
            let row = self.tree.row(symbol);
            if row.kind.is_type() {
                return Some(self.tree.type_itself(symbol));
            }
            let is_object = |parent: &SymbolNo| {
                matches!(self.tree.row(*parent).kind, Kind::Variable | Kind::Constant | Kind::Namespace)
            };
            if row.kind == Kind::Method && object.is_none() {
                object = self.tree.parent(symbol).filter(is_object);
            }
        }
        object
    }

    /// Whether a value may have members that the tree does not define.
    pub(super) fn may_have_unknown_members(&self, value: &TypedValue) -> bool {
        match value {
            TypedValue::Instance(symbol)
            | TypedValue::Base(symbol)
            | TypedValue::Definition(Target::Symbol(symbol)) => {
                self.linearized(*symbol).iter().any(|base| self.has_external_base[self.tree.merged(*base) as usize])
                    || !self.tree.row(*symbol).kind.is_type()
            }
            TypedValue::Wrapped(content) => self.may_have_unknown_members(content),
            TypedValue::Definition(_) => false,
        }
    }

    /// A member of a type or of the first base that has it.
    pub(super) fn type_member(&self, symbol: SymbolNo, name: &str) -> Vec<SymbolNo> {
        self.tree.number(name).map_or_else(Vec::new, |number| self.type_member_numbered(symbol, number, name))
    }

    pub(super) fn type_member_numbered(&self, symbol: SymbolNo, number: NameNo, name: &str) -> Vec<SymbolNo> {
        let own = self.tree.members_numbered(symbol, number);
        if !own.is_empty() || self.bases_of(symbol).is_empty() {
            return own.to_vec();
        }
        let bases = self.linearized(symbol);
        let members = bases[1..].iter().map(|base| self.tree.members_numbered(*base, number));
        let found = members.into_iter().find(|found| !found.is_empty());
        // A type that Go embeds is a field with the name of the type.
        let embedded = || bases[1..].iter().copied().find(|base| &*self.tree.row(*base).name == name);
        found.map_or_else(|| embedded().into_iter().collect(), <[SymbolNo]>::to_vec)
    }

    /// A type and its bases, nearest first; found once, because many members of a type are looked up.
    pub(super) fn linearized(&self, symbol: SymbolNo) -> Cow<'_, [SymbolNo]> {
        if !self.is_settled {
            return Cow::Owned(self.find_linearized(symbol));
        }
        Cow::Borrowed(self.linearized[symbol as usize].get_or_init(|| self.find_linearized(symbol)))
    }

    /// Each base is looked at once, so a cycle of bases ends.
    fn find_linearized(&self, symbol: SymbolNo) -> Vec<SymbolNo> {
        let mut all = vec![symbol];
        let mut at = 0;
        while at < all.len() && all.len() < MAX_BASES {
            for base in self.bases_of(all[at]) {
                if !all.contains(base) {
                    all.push(*base);
                }
            }
            at += 1;
        }
        all
    }
}

/// Whether a base is not known yet, and there is room for it.
fn is_new_base(bases: &[SymbolNo], base: SymbolNo) -> bool {
    bases.len() < MAX_DIRECT_BASES && !bases.contains(&base)
}
