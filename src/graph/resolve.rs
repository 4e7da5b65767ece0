//! Resolves a name: by scope, by the type of its receiver, by import, by package.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::chain::links;
use super::input::Reference;
use super::tree::{FileNo, SymbolNo, Tree};
use super::{declared, structural};
use crate::language::NameRule;
use crate::language::modules::ModuleMap;
use crate::record::{Kind, Role, Score, Tier};
use limit::{Limit, Steps};

mod bases;
mod choice;
mod limit;
mod modules;
mod scope;
mod values;

/// The confidence of each way to resolve a name, in one table.
pub mod confidence {
    use crate::record::Score;

    pub const SCOPE: Score = Score::percent(95);
    pub const IMPORT: Score = Score::percent(95);
    pub const WILD_IMPORT: Score = Score::percent(85);
    pub const OWN_MEMBER: Score = Score::percent(95);
    /// The type of the receiver is written or constructed where it is used.
    pub const TYPED_MEMBER: Score = Score::percent(85);
    pub const PACKAGE: Score = Score::percent(85);
    /// An override that a call through its base may reach; all overrides share it.
    pub const OVERRIDE: Score = Score::percent(40);
    /// The only definition of the tree with this name.
    pub const ONLY_NAME: Score = Score::percent(60);
    /// One of a few definitions with this name; all of them share it.
    pub const SAME_NAME: Score = Score::percent(45);
}

/// References with more candidates than this stay unresolved.
pub const MAX_CANDIDATES: usize = 8;
/// How many definitions of one name are looked at.
const MAX_NAMED: usize = 8 * MAX_CANDIDATES;
/// How many files one file may re-export the names of.
const MAX_REEXPORTS: usize = 256;
/// How many bases are looked at for a member.
const MAX_BASES: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Symbol(SymbolNo),
    File(FileNo),
    /// A package or namespace of the tree.
    Package(String),
    Outside {
        module: String,
        name: Option<String>,
    },
}

/// The place of a name, as far as its meaning depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    pub file: FileNo,
    /// The innermost type or callable around it.
    pub symbol: Option<SymbolNo>,
    /// In the body of a type or before the name of a member, where members are visible without a receiver.
    pub in_type: bool,
}

/// What a name may be, and how sure that is.
#[derive(Clone, Debug)]
pub struct Resolution {
    pub targets: Vec<Target>,
    pub tier: Tier,
    pub confidence: Score,
}

/// The result for one reference.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// One target, and overrides of it that are less likely.
    Found {
        resolution: Resolution,
        overrides: Vec<SymbolNo>,
    },
    Ambiguous(Resolution),
    Outside(Target),
    /// With the number of candidates, which is 0 or too large.
    Unresolved(usize),
}

/// What an expression evaluates to, as far as types tell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TypedValue {
    /// A definition itself: a module, a type, a function, a variable.
    Definition(Target),
    Instance(SymbolNo),
    /// An instance as the bases of its type see it.
    Base(SymbolNo),
    /// A container that is unwrapped before its content is used.
    Wrapped(Box<TypedValue>),
}

pub struct Resolver<'t> {
    pub tree: &'t Tree<'t>,
    pub modules: &'t ModuleMap<'t>,
    /// The definitions of each symbol that is only a declaration.
    definitions: FxHashMap<SymbolNo, Vec<SymbolNo>>,
    /// The bases that each type names.
    bases: Vec<Vec<SymbolNo>>,
    /// What [`Resolver::overrides`] found so far, by method.
    overridden: Vec<OnceLock<Vec<SymbolNo>>>,
    /// What [`Resolver::linearized`] found so far, by type.
    linearized: Vec<OnceLock<Vec<SymbolNo>>>,
    /// The types that name each type as their base.
    derived: Vec<Vec<SymbolNo>>,
    /// Whether a type has a base outside of the tree, which may have any member.
    has_external_base: Vec<bool>,
    /// The other files whose names each file re-exports, nearest first.
    reexports: Vec<Vec<FileNo>>,
    /// Whether all of the above is complete, so that results may be kept.
    is_settled: bool,
}

impl<'t> Resolver<'t> {
    pub fn new(tree: &'t Tree<'t>, modules: &'t ModuleMap<'t>) -> Self {
        let count = tree.symbols.len();
        let mut resolver = Resolver {
            tree,
            modules,
            definitions: declared::definitions(tree),
            bases: vec![Vec::new(); count],
            derived: vec![Vec::new(); count],
            overridden: vec![OnceLock::new(); count],
            linearized: vec![OnceLock::new(); count],
            has_external_base: vec![false; count],
            reexports: vec![Vec::new(); tree.files.len()],
            is_settled: false,
        };
        resolver.find_reexports();
        resolver.find_bases();
        for (interface, implementer) in structural::implementers(tree, &resolver.derived) {
            if !resolver.derived[interface as usize].contains(&implementer) {
                resolver.derived[interface as usize].push(implementer);
            }
        }
        resolver.is_settled = true;
        resolver
    }

    /// The declarations of the tree, each with its definitions.
    pub fn declarations(&self) -> impl Iterator<Item = (SymbolNo, &[SymbolNo])> {
        let all = 0..self.tree.symbols.len() as SymbolNo;
        all.filter_map(|symbol| Some((symbol, self.definitions.get(&symbol)?.as_slice())))
    }

    pub fn scope_at(&self, file: FileNo, offset: u32) -> Scope {
        let symbol = self.tree.around(file, offset);
        // Decorators and return types before the name are outside of the definition that they belong to.
        if let Some(symbol) = symbol
            && offset < self.tree.row(symbol).site.start
        {
            return Scope { file, symbol: self.tree.parent(symbol), in_type: true };
        }
        let in_type = symbol.is_some_and(|symbol| !self.tree.row(symbol).kind.is_callable());
        Scope { file, symbol, in_type }
    }

    fn rule(&self, scope: Scope) -> Option<&'t NameRule> {
        let of_scope = scope.symbol.and_then(|symbol| self.tree.symbols[symbol as usize].rule);
        of_scope.or(self.tree.files[scope.file as usize].rule)
    }

    /// Resolves a reference. `is_bound` says whether the chunk uses a name on its own, so that it is not local.
    pub fn resolve(&self, reference: &Reference, scope: Scope, is_bound: &dyn Fn(&str) -> bool) -> Outcome {
        let steps = Steps::new();
        let limit = steps.limit();
        if let Some(binding) = &reference.binding {
            let offset = reference.sites.first().map_or(0, |site| site.start);
            let binding = self.tree.seen_from_file(binding, scope.file, offset);
            return self.outcome(self.binding(&binding, reference, scope.file, limit), reference, false);
        }
        let Some(rule) = self.rule(scope) else { return Outcome::Unresolved(0) };
        let Some(receiver) = &reference.receiver else {
            return self.unqualified(reference, scope, rule, limit);
        };
        let links = links(receiver);
        let values = match (&reference.receiver_type, &links) {
            (Some(written), _) => Some(self.types(written, scope, limit)),
            (None, Some(links)) => self.receiver(receiver, links, scope, rule, is_bound, limit),
            (None, None) => None,
        };
        match values {
            Some(values) if !values.is_empty() => self.member(&values, reference, scope, rule, limit),
            // Only the type is written, and it is not of this tree.
            Some(_) if receiver == "?" => Outcome::Unresolved(0),
            _ if links.is_some_and(|links| is_builtin(links[0].name, rule)) => builtin(&reference.name),
            _ => self.by_name(reference, scope, rule),
        }
    }

    fn unqualified(&self, reference: &Reference, scope: Scope, rule: &NameRule, limit: Limit) -> Outcome {
        let name = &*reference.name;
        let is_builtin = || is_builtin(name, rule);
        // A keyword may also be a builtin function, as Python's `super` is.
        if reference.role == Role::Call
            && let Some(targets) = self.keyword_call(name, scope, rule, limit).filter(|_| !is_builtin())
        {
            let resolution = Resolution { targets, tier: Tier::Scope, confidence: confidence::OWN_MEMBER };
            return self.outcome(Some(resolution), reference, false);
        }
        if let Some(resolution) = self.lookup(name, scope, limit) {
            // A member without a receiver is one of `self`, whose type may override it.
            let own = |target: &Target| matches!(target, Target::Symbol(symbol) if self.is_type_member(*symbol));
            let overridable = rule.implicit_self && resolution.targets.iter().all(own);
            return self.outcome(Some(resolution), reference, overridable);
        }
        if reference.role == Role::Call && rule.constructors.iter().any(|word| word == name) {
            let targets = self.self_type(scope).map(Target::Symbol).into_iter().collect();
            let resolution = Resolution { targets, tier: Tier::Scope, confidence: confidence::OWN_MEMBER };
            return self.outcome(Some(resolution), reference, false);
        }
        if is_builtin() {
            return builtin(name);
        }
        if !rule.global {
            return Outcome::Unresolved(0);
        }
        self.by_name(reference, scope, rule)
    }

    /// What the call of a keyword calls: `super(…)`, `this(…)`, `new self(…)`.
    fn keyword_call(&self, name: &str, scope: Scope, rule: &NameRule, limit: Limit) -> Option<Vec<Target>> {
        let is_super = rule.super_words.iter().any(|word| word == name);
        if !is_super && !rule.self_words.iter().any(|word| word == name) {
            return None;
        }
        let own = self.self_type(scope)?;
        let method = scope.symbol.filter(|_| rule.super_is_method).map(|method| &*self.tree.row(method).name);
        Some(match (is_super, method) {
            (false, _) => vec![Target::Symbol(own)],
            (true, Some(method)) => self.member_of(&TypedValue::Base(own), method, limit),
            (true, None) => {
                // Interfaces and traits have no constructor.
                let has_constructor =
                    |base: &&SymbolNo| !matches!(self.tree.row(**base).kind, Kind::Interface | Kind::Trait);
                self.bases_of(own).iter().filter(has_constructor).copied().map(Target::Symbol).collect()
            }
        })
    }

    fn member(
        &self,
        values: &[TypedValue],
        reference: &Reference,
        scope: Scope,
        rule: &NameRule,
        limit: Limit,
    ) -> Outcome {
        let name = &*reference.name;
        if values.iter().any(|value| matches!(value, TypedValue::Wrapped(_))) && is_container_member(name, rule) {
            return builtin(name);
        }
        let mut targets: Vec<Target> = values.iter().flat_map(|value| self.member_of(value, name, limit)).collect();
        targets.sort();
        targets.dedup();
        if targets.is_empty() {
            let constructed = rule.constructors.iter().any(|word| word == name);
            let types = values.iter().filter_map(|value| match value {
                TypedValue::Definition(Target::Symbol(symbol)) if constructed => Some(Target::Symbol(*symbol)),
                _ => None,
            });
            targets = types.collect();
        }
        if targets.is_empty() && rule.extensions && reference.role == Role::Call {
            targets = self.extensions(values, name, limit);
        }
        if targets.is_empty() {
            let is_open = values.iter().any(|value| self.may_have_unknown_members(value));
            // All members of the type are known, and this is not one of them.
            return if is_open { self.by_name(reference, scope, rule) } else { Outcome::Unresolved(0) };
        }
        let own =
            reference.receiver.as_ref().is_some_and(|receiver| rule.self_words.iter().any(|word| word == receiver));
        let confidence = if own { confidence::OWN_MEMBER } else { confidence::TYPED_MEMBER };
        let tier = match targets[0] {
            Target::Symbol(symbol) if self.tree.file_of(symbol) == scope.file => Tier::Scope,
            _ => Tier::Import,
        };
        // A member of a type itself, or of a base, is not overridden.
        let overridable = values.iter().all(|value| match value {
            TypedValue::Instance(_) | TypedValue::Wrapped(_) => true,
            TypedValue::Definition(Target::Symbol(symbol)) => !self.tree.row(*symbol).kind.is_type(),
            TypedValue::Definition(_) | TypedValue::Base(_) => false,
        });
        self.outcome(Some(Resolution { targets, tier, confidence }), reference, overridable)
    }

    /// Functions with this name whose first parameter takes such a value: the extension methods of C#.
    fn extensions(&self, values: &[TypedValue], name: &str, limit: Limit) -> Vec<Target> {
        let of_value = |value: &TypedValue| match value {
            TypedValue::Instance(symbol) => vec![*symbol],
            TypedValue::Definition(Target::Symbol(symbol)) if !self.tree.row(*symbol).kind.is_type() => {
                let values = self.value_of(*symbol, limit).into_iter();
                values
                    .filter_map(|value| if let TypedValue::Instance(symbol) = value { Some(symbol) } else { None })
                    .collect()
            }
            _ => Vec::new(),
        };
        let types = values.iter().flat_map(of_value).flat_map(|own| self.linearized(own).into_owned());
        let types: Vec<SymbolNo> = types.collect();
        let takes = |symbol: &&SymbolNo| {
            let first = self.tree.row(**symbol).parameters.first_type.as_deref();
            let taken = first.map(|first| self.types(first, self.around(**symbol), limit)).unwrap_or_default();
            taken.iter().any(|value| matches!(value, TypedValue::Instance(taken) if types.contains(taken)))
        };
        let named = self.tree.named(name).iter().filter(|_| !types.is_empty());
        named.filter(takes).copied().map(Target::Symbol).collect()
    }
}

/// Whether a container has a member with this name itself.
fn is_container_member(name: &str, rule: &NameRule) -> bool {
    rule.unwrappers.iter().chain(&rule.common).any(|word| word == name)
}

/// Whether what is called outside of the tree is a type, so that the call gives an instance.
fn names_type(name: Option<&str>, rule: &NameRule) -> bool {
    let last = name.and_then(|name| name.rsplit('.').next()).unwrap_or_default();
    !rule.capital_functions && last.starts_with(char::is_uppercase)
}

fn is_builtin(name: &str, rule: &NameRule) -> bool {
    rule.builtins.iter().any(|builtin| builtin == name)
}

/// A name that the language defines everywhere.
fn builtin(name: &str) -> Outcome {
    Outcome::Outside(Target::Outside { module: String::new(), name: Some(name.to_string()) })
}
