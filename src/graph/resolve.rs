//! What a name means where it stands: by scope, by the receiver's type, by import, by package.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::chain::links;
use super::input::Reference;
use super::tree::{FileNo, SymbolNo, Tree};
use super::{declared, structural};
use crate::language::modules::ModuleMap;
use crate::language::{Modules, NameRule};
use crate::record::{Kind, Role, Score, Tier};
use limit::{Limit, Steps};

mod bases;
mod choice;
mod limit;
mod modules;
mod scope;
mod values;

/// How sure each way of knowing is. One table, so that they can be read beside each other.
pub mod confidence {
    use crate::record::Score;

    pub const SCOPE: Score = Score::percent(95);
    pub const IMPORT: Score = Score::percent(95);
    pub const WILD_IMPORT: Score = Score::percent(85);
    pub const OWN_MEMBER: Score = Score::percent(95);
    /// The receiver's type is written, or made, where it is used.
    pub const TYPED_MEMBER: Score = Score::percent(85);
    pub const PACKAGE: Score = Score::percent(85);
    /// An override that a call through its base may reach, shared by all of them.
    pub const OVERRIDE: Score = Score::percent(40);
    /// No other definition of the tree has this name.
    pub const ONLY_NAME: Score = Score::percent(60);
    /// One of a few of this name, shared by all of them.
    pub const SAME_NAME: Score = Score::percent(45);
}

/// More candidates than this are none.
pub const MAX_CANDIDATES: usize = 8;
/// Of a name that more have, no more are looked at.
const MAX_NAMED: usize = 8 * MAX_CANDIDATES;
/// How many files' names one file may pass on as its own.
const MAX_PASSED_ON: usize = 256;
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

/// Where a name stands.
#[derive(Clone, Copy, Debug)]
pub struct Here {
    pub file: FileNo,
    /// The innermost type or callable around it.
    pub scope: Option<SymbolNo>,
    /// In the body of a type or before a member's name, where members are seen without a receiver.
    pub in_type: bool,
}

#[derive(Clone, Debug)]
pub struct Known {
    pub targets: Vec<Target>,
    pub tier: Tier,
    pub confidence: Score,
}

/// What became of a reference.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// One target, and overrides of it that are less likely.
    Found {
        known: Known,
        overrides: Vec<SymbolNo>,
    },
    Ambiguous(Known),
    Outside(Target),
    /// To nothing known, or to so many.
    Unresolved(usize),
}

/// What an expression is worth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    /// The thing itself: a module, a type, a function, a variable.
    Of(Target),
    Instance(SymbolNo),
    /// An instance as its type's bases see it.
    Base(SymbolNo),
    /// Something that is opened before this is used.
    Held(Box<Value>),
}

pub struct Resolver<'t> {
    pub tree: &'t Tree<'t>,
    pub modules: &'t ModuleMap<'t>,
    /// The definitions of what a symbol only declares.
    definitions: FxHashMap<SymbolNo, Vec<SymbolNo>>,
    /// The types that a type names as its bases.
    bases: Vec<Vec<SymbolNo>>,
    /// What [`Resolver::overrides`] found so far.
    overridden: Vec<OnceLock<Vec<SymbolNo>>>,
    /// The types that name it.
    derived: Vec<Vec<SymbolNo>>,
    /// Types with a base outside of the tree: what they do not have may come from there.
    open: Vec<bool>,
    /// The other files whose names a file passes on as its own, nearest first.
    passed_on: Vec<Vec<FileNo>>,
    /// Whether all of the above is known, so that what is found now holds.
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
            open: vec![false; count],
            passed_on: vec![Vec::new(); tree.files.len()],
            is_settled: false,
        };
        resolver.find_passed_on();
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

    pub fn here(&self, file: FileNo, offset: u32) -> Here {
        let scope = self.tree.around(file, offset);
        // Decorators and return types before the name are read where the definition stands.
        if let Some(symbol) = scope
            && offset < self.tree.row(symbol).site.start()
        {
            return Here { file, scope: self.tree.symbols[symbol as usize].parent, in_type: true };
        }
        let in_type = scope.is_some_and(|symbol| !self.tree.row(symbol).kind.is_callable());
        Here { file, scope, in_type }
    }

    fn rule(&self, here: Here) -> Option<&'t NameRule> {
        let of_scope = here.scope.and_then(|symbol| self.tree.symbols[symbol as usize].rule);
        of_scope.or(self.tree.files[here.file as usize].rule)
    }

    /// What a reference means. `is_bound` tells names that the chunk uses alone from local ones.
    pub fn resolve(&self, reference: &Reference, here: Here, is_bound: &dyn Fn(&str) -> bool) -> Outcome {
        let steps = Steps::new();
        let limit = steps.limit();
        if let Some(binding) = &reference.binding {
            let offset = reference.sites.first().map_or(0, |site| site.start());
            let binding = self.tree.seen_from_file(binding, here.file, offset);
            return self.outcome(self.binding(&binding, reference, here.file, limit), reference, false);
        }
        let Some(rule) = self.rule(here) else { return Outcome::Unresolved(0) };
        let Some(receiver) = &reference.receiver else {
            return self.bare(reference, here, rule, limit);
        };
        let links = links(receiver);
        let values = match (&reference.receiver_type, &links) {
            (Some(written), _) => Some(self.types(written, here, limit)),
            (None, Some(links)) => self.receiver(receiver, links, here, rule, is_bound, limit),
            (None, None) => None,
        };
        match values {
            Some(values) if !values.is_empty() => self.member(&values, reference, here, rule, limit),
            // Nothing but the type is written, and it is not of this tree.
            Some(_) if receiver == "?" => Outcome::Unresolved(0),
            _ if links.is_some_and(|links| is_builtin(links[0].name, rule)) => builtin(&reference.name),
            _ => self.by_name(reference, here, rule),
        }
    }

    fn bare(&self, reference: &Reference, here: Here, rule: &NameRule, limit: Limit) -> Outcome {
        let name = &*reference.name;
        let is_builtin = || is_builtin(name, rule);
        // A word that is a function of the library calls that, as Python's `super` does.
        if reference.role == Role::Call
            && let Some(targets) = self.spelled_call(name, here, rule, limit).filter(|_| !is_builtin())
        {
            let known = Known { targets, tier: Tier::Scope, confidence: confidence::OWN_MEMBER };
            return self.outcome(Some(known), reference, false);
        }
        if let Some(known) = self.lookup(name, here, limit) {
            // A member that is named without its receiver is asked of the value itself.
            let own = |target: &Target| matches!(target, Target::Symbol(symbol) if self.is_of_type(*symbol));
            let overridable = rule.implicit_self && known.targets.iter().all(own);
            return self.outcome(Some(known), reference, overridable);
        }
        if reference.role == Role::Call && rule.constructors.iter().any(|word| word == name) {
            let targets = self.self_type(here).map(Target::Symbol).into_iter().collect();
            let known = Known { targets, tier: Tier::Scope, confidence: confidence::OWN_MEMBER };
            return self.outcome(Some(known), reference, false);
        }
        if is_builtin() {
            return builtin(name);
        }
        if !rule.global {
            return Outcome::Unresolved(0);
        }
        self.by_name(reference, here, rule)
    }

    /// What a call of a word of the language calls: `super(…)`, `this(…)`, `new self(…)`.
    fn spelled_call(&self, name: &str, here: Here, rule: &NameRule, limit: Limit) -> Option<Vec<Target>> {
        let is_super = rule.super_words.iter().any(|word| word == name);
        if !is_super && !rule.self_words.iter().any(|word| word == name) {
            return None;
        }
        let own = self.self_type(here)?;
        let method = here.scope.filter(|_| rule.super_is_method).map(|scope| &*self.tree.row(scope).name);
        Some(match (is_super, method) {
            (false, _) => vec![Target::Symbol(own)],
            (true, Some(method)) => self.member_of(&Value::Base(own), method, limit),
            (true, None) => {
                // Only what has a constructor is constructed.
                let is_built = |base: &&SymbolNo| !matches!(self.tree.row(**base).kind, Kind::Interface | Kind::Trait);
                self.bases_of(own).iter().filter(is_built).copied().map(Target::Symbol).collect()
            }
        })
    }

    fn member(&self, values: &[Value], reference: &Reference, here: Here, rule: &NameRule, limit: Limit) -> Outcome {
        let name = &*reference.name;
        if values.iter().any(|value| matches!(value, Value::Held(_))) && is_of_holder(name, rule) {
            return builtin(name);
        }
        let mut targets: Vec<Target> = values.iter().flat_map(|value| self.member_of(value, name, limit)).collect();
        targets.sort();
        targets.dedup();
        if targets.is_empty() {
            let constructed = rule.constructors.iter().any(|word| word == name);
            let types = values.iter().filter_map(|value| match value {
                Value::Of(Target::Symbol(symbol)) if constructed => Some(Target::Symbol(*symbol)),
                _ => None,
            });
            targets = types.collect();
        }
        if targets.is_empty() && rule.extensions && reference.role == Role::Call {
            targets = self.extensions(values, name, limit);
        }
        if targets.is_empty() {
            let open = values.iter().any(|value| self.is_open(value));
            // What the type has is known, and this is not of it.
            return if open { self.by_name(reference, here, rule) } else { Outcome::Unresolved(0) };
        }
        let own =
            reference.receiver.as_ref().is_some_and(|receiver| rule.self_words.iter().any(|word| word == receiver));
        let confidence = if own { confidence::OWN_MEMBER } else { confidence::TYPED_MEMBER };
        let tier = match targets[0] {
            Target::Symbol(symbol) if self.tree.file_of(symbol) == here.file => Tier::Scope,
            _ => Tier::Import,
        };
        // What a type itself or a base is asked for is not overridden below.
        let overridable = values.iter().all(|value| match value {
            Value::Instance(_) | Value::Held(_) => true,
            Value::Of(Target::Symbol(symbol)) => !self.tree.row(*symbol).kind.is_type(),
            Value::Of(_) | Value::Base(_) => false,
        });
        self.outcome(Some(Known { targets, tier, confidence }), reference, overridable)
    }

    /// Functions of this name whose first parameter takes such a value, as C# gives members to types.
    fn extensions(&self, values: &[Value], name: &str, limit: Limit) -> Vec<Target> {
        let of_value = |value: &Value| match value {
            Value::Instance(symbol) => vec![*symbol],
            Value::Of(Target::Symbol(symbol)) if !self.tree.row(*symbol).kind.is_type() => {
                let held = self.value_of(*symbol, limit).into_iter();
                held.filter_map(|value| if let Value::Instance(symbol) = value { Some(symbol) } else { None }).collect()
            }
            _ => Vec::new(),
        };
        let types: Vec<SymbolNo> = values.iter().flat_map(of_value).flat_map(|own| self.linearized(own)).collect();
        let takes = |symbol: &&SymbolNo| {
            let first = self.tree.row(**symbol).parameters.first_type.as_deref();
            let taken = first.map(|first| self.types(first, self.around(**symbol), limit)).unwrap_or_default();
            taken.iter().any(|value| matches!(value, Value::Instance(taken) if types.contains(taken)))
        };
        let named = self.tree.named(name).iter().filter(|_| !types.is_empty());
        named.filter(takes).copied().map(Target::Symbol).collect()
    }
}

/// Whether a type that holds another has a member of this name itself.
fn is_of_holder(name: &str, rule: &NameRule) -> bool {
    rule.openers.iter().chain(&rule.common).any(|word| word == name)
}

/// Whether what is called outside of the tree is a type, whose instance it gives. In Go both are capital.
fn names_type(name: Option<&str>, rule: &NameRule) -> bool {
    let last = name.and_then(|name| name.rsplit('.').next()).unwrap_or_default();
    rule.modules != Modules::Go && last.starts_with(char::is_uppercase)
}

fn is_builtin(name: &str, rule: &NameRule) -> bool {
    rule.builtins.iter().any(|builtin| builtin == name)
}

/// What a language has everywhere.
fn builtin(name: &str) -> Outcome {
    Outcome::Outside(Target::Outside { module: String::new(), name: Some(name.to_string()) })
}
