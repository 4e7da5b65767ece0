//! Types and what they inherit: bases, overrides, the type around a place.

use super::{Here, MAX_BASES, MAX_CANDIDATES, Resolver, Steps, Target, Value};
use crate::graph::input::Reference;
use crate::graph::tree::{NameNo, SymbolNo};
use crate::record::{Kind, Role};

/// How many bases a type may name. All of them are compared with each other.
const MAX_DIRECT_BASES: usize = 1024;

impl<'t> Resolver<'t> {
    /// First of all, because members are looked for in bases.
    pub(super) fn find_bases(&mut self) {
        let mut found: Vec<(SymbolNo, Option<SymbolNo>)> = Vec::new();
        for record in &self.tree.input.references {
            let Some(file) = self.tree.file(&record.file_rel_path) else { continue };
            for reference in record.references.iter().filter(|reference| reference.role == Role::Inherit) {
                for site in &*reference.sites {
                    let here = self.here(file, site.start());
                    let Some(owner) = self.type_around(here, site.start()) else { continue };
                    let outside = Here { file, scope: self.tree.symbols[owner as usize].parent, in_type: false };
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
            let owner = self.tree.whole(owner);
            match base.map(|base| self.tree.whole(base)) {
                None => self.open[owner as usize] = true,
                Some(base) if is_new_base(&self.bases[owner as usize], base) => {
                    self.bases[owner as usize].push(base);
                    self.derived[base as usize].push(owner);
                }
                Some(_) => {}
            }
        }
    }

    pub(super) fn base_targets(&self, reference: &Reference, here: Here) -> Vec<Target> {
        let steps = Steps::new();
        let known = match &reference.receiver {
            None => self.lookup(&reference.name, here, steps.limit()),
            Some(receiver) => self.member_of_text(receiver, &reference.name, here, steps.limit()),
        };
        known.map(|known| known.targets).unwrap_or_default()
    }

    /// The type whose head names a base; for a Rust `impl`, the type that it is for.
    pub(super) fn type_around(&self, here: Here, offset: u32) -> Option<SymbolNo> {
        let own = self.tree.parents(here.scope).find(|symbol| self.tree.row(*symbol).kind.is_type());
        if let Some(own) = own {
            return Some(self.tree.type_itself(own));
        }
        // An `impl` is a chunk without a symbol; its members know their type.
        let range = self.tree.files[here.file as usize].symbols.clone();
        let next = range.clone().find(|symbol| self.tree.row(*symbol).site.start() > offset)?;
        let holder = self.tree.symbols[next as usize].parent?;
        self.tree.row(holder).kind.is_type().then_some(holder)
    }

    pub(super) fn bases_of(&self, symbol: SymbolNo) -> &[SymbolNo] {
        &self.bases[self.tree.whole(symbol) as usize]
    }

    pub(super) fn is_of_type(&self, symbol: SymbolNo) -> bool {
        self.tree.symbols[symbol as usize].parent.is_some_and(|holder| self.tree.row(holder).kind.is_type())
    }

    /// The same member in types below this one's; found once for each, because many call the same.
    pub(super) fn overrides(&self, method: SymbolNo) -> Vec<SymbolNo> {
        self.overridden[method as usize].get_or_init(|| self.find_overrides(method)).clone()
    }

    pub(super) fn find_overrides(&self, method: SymbolNo) -> Vec<SymbolNo> {
        let row = self.tree.row(method);
        let Some(holder) = self.tree.symbols[method as usize].parent.filter(|_| row.kind.is_callable()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let holder = self.tree.whole(holder);
        let mut open = self.derived[holder as usize].clone();
        let mut seen = vec![holder];
        while let Some(derived) = open.pop() {
            if seen.contains(&derived) || seen.len() > MAX_BASES {
                continue;
            }
            seen.push(derived);
            let members = self.tree.members(derived, &row.name).iter().flat_map(|member| self.defined(member));
            found.extend(members.filter(|member| self.tree.row(**member).kind.is_callable()));
            open.extend(&self.derived[derived as usize]);
        }
        found.sort_unstable();
        found.dedup();
        if found.len() > MAX_CANDIDATES { Vec::new() } else { found }
    }

    /// The type around a place, whose instance `self` is; in a method of no type, the object that holds it.
    pub(super) fn self_type(&self, here: Here) -> Option<SymbolNo> {
        let mut object = None;
        for symbol in self.tree.parents(here.scope) {
            let row = self.tree.row(symbol);
            if row.kind.is_type() {
                return Some(self.tree.type_itself(symbol));
            }
            let holder = self.tree.symbols[symbol as usize].parent;
            let is_object = |holder: &SymbolNo| {
                matches!(self.tree.row(*holder).kind, Kind::Variable | Kind::Constant | Kind::Namespace)
            };
            if row.kind == Kind::Method && object.is_none() {
                object = holder.filter(is_object);
            }
        }
        object
    }

    /// Whether a value may have members that the tree does not show.
    pub(super) fn is_open(&self, value: &Value) -> bool {
        match value {
            Value::Instance(symbol) | Value::Base(symbol) | Value::Of(Target::Symbol(symbol)) => {
                self.linearized(*symbol).iter().any(|base| self.open[self.tree.whole(*base) as usize])
                    || !self.tree.row(*symbol).kind.is_type()
            }
            Value::Held(held) => self.is_open(held),
            Value::Of(_) => false,
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
        // What Go embeds is a field by its type's name.
        let embedded = || bases[1..].iter().copied().find(|base| &*self.tree.row(*base).name == name);
        found.map_or_else(|| embedded().into_iter().collect(), <[SymbolNo]>::to_vec)
    }

    /// A type and its bases, nearest first. Each is looked at once, so a cycle of bases ends.
    pub(super) fn linearized(&self, symbol: SymbolNo) -> Vec<SymbolNo> {
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
