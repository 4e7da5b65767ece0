//! What a name means where it stands: by scope, by the receiver's type, by import, by package.

use rustc_hash::FxHashMap;

use std::sync::OnceLock;

use super::chain::{Link, Suffix, alternatives, links};
use super::input::Reference;
use super::tree::{FileNo, Import, SymbolNo, Tree, dotted, full_name, is_include};
use super::{declared, structural};
use crate::language::modules::{Located, ModuleMap};
use crate::language::{Modules, NameRule, Shared};
use crate::record::{Binding, Kind, Role, Score, Tier};

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
/// How far re-exports, aliases and types are followed.
const MAX_DEPTH: u32 = 16;
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
        };
        resolver.find_passed_on();
        resolver.find_bases();
        for (interface, implementer) in structural::implementers(tree, &resolver.derived) {
            if !resolver.derived[interface as usize].contains(&implementer) {
                resolver.derived[interface as usize].push(implementer);
            }
        }
        resolver
    }

    /// The declarations of the tree, each with its definitions.
    pub fn declarations(&self) -> impl Iterator<Item = (SymbolNo, &[SymbolNo])> {
        let all = 0..self.tree.symbols.len() as SymbolNo;
        all.filter_map(|symbol| Some((symbol, self.definitions.get(&symbol)?.as_slice())))
    }

    /// First of all, because members are looked for in bases.
    fn find_bases(&mut self) {
        let mut found: Vec<(SymbolNo, Option<SymbolNo>)> = Vec::new();
        for record in &self.tree.input.references {
            let Some(file) = self.tree.file(&record.file_rel_path) else { continue };
            for reference in record.references.iter().filter(|reference| reference.role == Role::Inherit) {
                for site in &reference.sites {
                    let here = self.here(file, site.start());
                    let Some(owner) = self.type_around(here, reference, site.start()) else { continue };
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
                Some(base) if !self.bases[owner as usize].contains(&base) => {
                    self.bases[owner as usize].push(base);
                    self.derived[base as usize].push(owner);
                }
                Some(_) => {}
            }
        }
    }

    fn base_targets(&self, reference: &Reference, here: Here) -> Vec<Target> {
        let known = match &reference.receiver {
            None => self.lookup(&reference.name, here, 0),
            Some(receiver) => self.member_of_text(receiver, &reference.name, here, 0),
        };
        known.map(|known| known.targets).unwrap_or_default()
    }

    /// The type whose head names a base; for a Rust `impl`, the type that it is for.
    fn type_around(&self, here: Here, _: &Reference, offset: u32) -> Option<SymbolNo> {
        let own = self.tree.holders(here.scope).find(|symbol| self.tree.row(*symbol).kind.is_type());
        if let Some(own) = own {
            return Some(self.tree.type_itself(own));
        }
        // An `impl` is a chunk without a symbol; its members know their type.
        let range = self.tree.files[here.file as usize].symbols.clone();
        let next = range.clone().find(|symbol| self.tree.row(*symbol).site.start() > offset)?;
        let holder = self.tree.symbols[next as usize].parent?;
        self.tree.row(holder).kind.is_type().then_some(holder)
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
        if let Some(binding) = &reference.binding {
            let offset = reference.sites.first().map_or(0, |site| site.start());
            let binding = self.tree.seen_from_file(binding, here.file, offset);
            return self.outcome(self.binding(&binding, reference, here.file), reference, false);
        }
        let Some(rule) = self.rule(here) else { return Outcome::Unresolved(0) };
        let Some(receiver) = &reference.receiver else {
            return self.bare(reference, here, rule);
        };
        let values = match &reference.receiver_type {
            Some(written) => Some(self.types(written, here, 0)),
            None => self.receiver(receiver, here, rule, is_bound),
        };
        match values {
            Some(values) if !values.is_empty() => self.member(&values, reference, here, rule),
            // Nothing but the type is written, and it is not of this tree.
            Some(_) if receiver == "?" => Outcome::Unresolved(0),
            _ if is_builtin(receiver, rule) => builtin(&reference.name),
            _ => self.by_name(reference, here, rule),
        }
    }

    fn bare(&self, reference: &Reference, here: Here, rule: &NameRule) -> Outcome {
        let name = &*reference.name;
        if reference.role == Role::Call
            && let Some(targets) = self.spelled_call(name, here, rule)
        {
            let known = Known { targets, tier: Tier::Scope, confidence: confidence::OWN_MEMBER };
            return self.outcome(Some(known), reference, false);
        }
        if let Some(known) = self.lookup(name, here, 0) {
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
        if rule.builtins.iter().any(|builtin| builtin == name) {
            return builtin(name);
        }
        if !rule.global {
            return Outcome::Unresolved(0);
        }
        self.by_name(reference, here, rule)
    }

    /// What a call of a word of the language calls: `super(…)`, `this(…)`, `new self(…)`.
    fn spelled_call(&self, name: &str, here: Here, rule: &NameRule) -> Option<Vec<Target>> {
        let is_super = rule.super_words.iter().any(|word| word == name);
        if !is_super && !rule.self_words.iter().any(|word| word == name) {
            return None;
        }
        let own = self.self_type(here)?;
        let method = here.scope.filter(|_| rule.super_is_method).map(|scope| &*self.tree.row(scope).name);
        Some(match (is_super, method) {
            (false, _) => vec![Target::Symbol(own)],
            (true, Some(method)) => self.member_of(&Value::Base(own), method, 0),
            (true, None) => {
                // Only what has a constructor is constructed.
                let is_built = |base: &&SymbolNo| !matches!(self.tree.row(**base).kind, Kind::Interface | Kind::Trait);
                self.bases_of(own).iter().filter(is_built).copied().map(Target::Symbol).collect()
            }
        })
    }

    fn bases_of(&self, symbol: SymbolNo) -> &[SymbolNo] {
        &self.bases[self.tree.whole(symbol) as usize]
    }

    fn is_of_type(&self, symbol: SymbolNo) -> bool {
        self.tree.symbols[symbol as usize].parent.is_some_and(|holder| self.tree.row(holder).kind.is_type())
    }

    fn member(&self, values: &[Value], reference: &Reference, here: Here, rule: &NameRule) -> Outcome {
        let name = &*reference.name;
        if values.iter().any(|value| matches!(value, Value::Held(_))) && is_of_holder(name, rule) {
            return builtin(name);
        }
        let mut targets: Vec<Target> = values.iter().flat_map(|value| self.member_of(value, name, 0)).collect();
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
            targets = self.extensions(values, name);
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
    fn extensions(&self, values: &[Value], name: &str) -> Vec<Target> {
        let of_value = |value: &Value| match value {
            Value::Instance(symbol) => vec![*symbol],
            Value::Of(Target::Symbol(symbol)) if !self.tree.row(*symbol).kind.is_type() => {
                let held = self.value_of(*symbol, 0).into_iter();
                held.filter_map(|value| if let Value::Instance(symbol) = value { Some(symbol) } else { None }).collect()
            }
            _ => Vec::new(),
        };
        let types: Vec<SymbolNo> = values.iter().flat_map(of_value).flat_map(|own| self.linearized(own)).collect();
        let takes = |symbol: &&SymbolNo| {
            let first = self.tree.row(**symbol).parameters.first().and_then(|first| first.value_type.as_deref());
            let taken = first.map(|first| self.types(first, self.around(**symbol), 0)).unwrap_or_default();
            taken.iter().any(|value| matches!(value, Value::Instance(taken) if types.contains(taken)))
        };
        let named = self.tree.named(name).iter().filter(|_| !types.is_empty());
        named.filter(takes).copied().map(Target::Symbol).collect()
    }

    /// Whether a value may have members that the tree does not show.
    fn is_open(&self, value: &Value) -> bool {
        match value {
            Value::Instance(symbol) | Value::Base(symbol) | Value::Of(Target::Symbol(symbol)) => {
                self.linearized(*symbol).iter().any(|base| self.open[self.tree.whole(*base) as usize])
                    || !self.tree.row(*symbol).kind.is_type()
            }
            Value::Held(held) => self.is_open(held),
            Value::Of(_) => false,
        }
    }

    /// Nothing but the name: only where it is a rare one, and few have it.
    fn by_name(&self, reference: &Reference, here: Here, rule: &NameRule) -> Outcome {
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

    fn outcome(&self, known: Option<Known>, reference: &Reference, overridable: bool) -> Outcome {
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

    fn fit_targets(&self, targets: &mut Vec<Target>, role: Role) {
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
    fn fit_role(&self, symbols: &mut Vec<SymbolNo>, role: Role) {
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
    fn is_part_of_package(&self, target: &Target) -> bool {
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
    fn is_named_for_folder(&self, target: &Target) -> bool {
        let Target::File(file) = target else { return false };
        let mut parts = self.tree.path(*file).rsplit('/');
        let stem = parts.next().and_then(|name| name.split('.').next());
        stem == parts.next() || stem == Some("doc")
    }

    /// The definitions of a symbol: itself, unless it is only declared.
    fn defined<'s>(&'s self, symbol: &'s SymbolNo) -> &'s [SymbolNo] {
        self.definitions.get(symbol).map_or(std::slice::from_ref(symbol), Vec::as_slice)
    }

    /// Of definitions of one name in one holder, the one that is named so: a type where a type stands, what
    /// takes so many arguments where it is called; of declarations and their implementation, or of a name
    /// that is bound twice, the first that fits.
    fn choose_overload(&self, targets: &mut Vec<Target>, reference: &Reference) {
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
        let is_same = |(symbol, row): &(SymbolNo, &super::input::SymbolRow)| {
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
            rows.iter().find(|(_, row)| row.kind.is_callable() && fits(row.parameters.len() as u32, count))
        };
        let fitting = taking(|takes, given| takes == given).or_else(|| taking(|takes, given| takes >= given));
        // Of the parts of a type, the one whose file has the plainest name.
        let plainest = rows.iter().min_by_key(|(symbol, _)| self.tree.path(self.tree.file_of(*symbol)).len());
        let chosen = fitting.or(plainest).unwrap_or(&rows[0]).0;
        *targets = vec![Target::Symbol(chosen)];
    }

    /// A namespace of several files is no place to lead to.
    fn is_spread(&self, targets: &[Target]) -> bool {
        let is_namespace = |target: &Target| matches!(target, Target::Symbol(symbol) if self.tree.row(*symbol).kind == Kind::Namespace);
        targets.len() > 1 && targets.iter().all(is_namespace)
    }

    /// The same member in types below this one's; found once for each, because many call the same.
    fn overrides(&self, method: SymbolNo) -> Vec<SymbolNo> {
        self.overridden[method as usize].get_or_init(|| self.find_overrides(method)).clone()
    }

    fn find_overrides(&self, method: SymbolNo) -> Vec<SymbolNo> {
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

    /// A name alone, from the inside out.
    pub fn lookup(&self, name: &str, here: Here, depth: u32) -> Option<Known> {
        let rule = self.rule(here)?;
        let scoped = self.in_scope(name, here, rule);
        if !scoped.is_empty() {
            let targets = scoped.iter().copied().map(Target::Symbol).collect();
            return Some(Known { targets, tier: Tier::Scope, confidence: confidence::SCOPE });
        }
        let imported = self.imported(name, here, depth).or_else(|| self.in_group(name, here, rule));
        imported.or_else(|| self.crate_named(name, rule))
    }

    fn crate_named(&self, name: &str, rule: &NameRule) -> Option<Known> {
        let targets = match self.modules.named(rule.modules, name)? {
            Located::Files(files, _) => files.into_iter().map(Target::File).collect(),
            _ => vec![Target::Outside { module: name.to_string(), name: None }],
        };
        Some(Known { targets, tier: Tier::Import, confidence: confidence::IMPORT })
    }

    fn in_scope(&self, name: &str, here: Here, rule: &NameRule) -> Vec<SymbolNo> {
        let mut at = here.scope;
        let mut in_type = here.in_type;
        while let Some(symbol) = at {
            let row = self.tree.row(symbol);
            let visible = row.kind.is_callable() || row.kind == Kind::Namespace || rule.implicit_self || in_type;
            let mut own = match row.kind.is_type() {
                _ if !visible => Vec::new(),
                true => self.type_member(symbol, name),
                false => self.held_by(symbol, name),
            };
            // Alone, a constructor's name is its type's.
            own.retain(|member| self.tree.row(*member).kind != Kind::Constructor);
            if !own.is_empty() {
                return own;
            }
            in_type = false;
            at = self.tree.symbols[symbol as usize].parent;
        }
        self.tree.top_level(here.file, name).to_vec()
    }

    /// What a namespace or a function holds; a namespace that is opened in several files is one.
    fn held_by(&self, symbol: SymbolNo, name: &str) -> Vec<SymbolNo> {
        let own = self.tree.members(symbol, name);
        let row = self.tree.row(symbol);
        let opened = self.tree.symbols[symbol as usize].rule.is_some_and(|rule| rule.modules == Modules::Include);
        if !own.is_empty() || row.kind != Kind::Namespace || !opened {
            return own.to_vec();
        }
        let elsewhere = self.tree.full_name(&full_name(Some(&row.qualified_name), name));
        elsewhere.iter().copied().filter(|symbol| self.tree.row(*symbol).kind != Kind::Constructor).collect()
    }

    fn imported(&self, name: &str, here: Here, depth: u32) -> Option<Known> {
        let file = here.file;
        let table = &self.tree.files[file as usize];
        if let Some(imports) = table.imports.get(name) {
            let mut targets: Vec<Target> =
                self.nearest(imports, here).flat_map(|import| self.bound(&import.binding, file, depth)).collect();
            targets.sort();
            targets.dedup();
            // One of two imports of a name is there for when the other fails.
            let inside = targets.iter().any(|target| !matches!(target, Target::Outside { .. }));
            targets.retain(|target| !inside || !matches!(target, Target::Outside { .. }));
            return Some(Known { targets, tier: Tier::Import, confidence: confidence::IMPORT });
        }
        let wild = table.wild_imports.iter().find_map(|import| {
            let found = self.through_wild(&import.binding, file, name, depth);
            (!found.is_empty()).then_some(found)
        });
        wild.map(|targets| Known { targets, tier: Tier::Import, confidence: confidence::WILD_IMPORT })
    }

    /// The imports of the innermost definition around a place that has any; else all of them.
    fn nearest<'n>(&self, imports: &'n [Import<'t>], here: Here) -> impl Iterator<Item = &'n Import<'t>> {
        let scopes = || self.tree.holders(here.scope).map(Some).chain([None]);
        let distance = |import: &Import| scopes().position(|scope| scope == import.scope).unwrap_or(usize::MAX);
        let least = if imports.len() > 1 { imports.iter().map(distance).min() } else { None };
        let near = imports.iter().map(move |import| least.is_none_or(|least| distance(import) == least));
        let near: Vec<bool> = near.collect();
        imports.iter().zip(near).filter(|(_, near)| *near).map(|(import, _)| import)
    }

    fn in_group(&self, name: &str, here: Here, rule: &NameRule) -> Option<Known> {
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
    fn in_enclosing_packages(&self, name: &str, here: Here, rule: &NameRule) -> Vec<SymbolNo> {
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
    fn prefixes(&self, here: Here) -> impl Iterator<Item = String> {
        let package = self.tree.input.files[here.file as usize].package.as_deref();
        let around = here.scope.map_or("", |symbol| &*self.tree.row(symbol).qualified_name);
        std::iter::successors(Some(full_name(package, around)), |inner| {
            let outer = inner.rsplit_once('.').map_or("", |(outer, _)| outer);
            (!inner.is_empty()).then(|| outer.to_string())
        })
    }

    /// A package as it is named from a place.
    fn package(&self, name: &str, here: Here, rule: &NameRule) -> Option<Target> {
        if rule.modules != Modules::Package {
            return None;
        }
        let full = self.prefixes(here).map(|prefix| full_name(Some(&prefix), name));
        full.into_iter().find(|full| self.tree.has_package(full)).map(Target::Package)
    }

    /// What an import or export statement names.
    fn binding(&self, binding: &Binding, reference: &Reference, file: FileNo) -> Option<Known> {
        let targets = match binding.module {
            None if reference.role == Role::Export => {
                let local = binding.name.as_deref().unwrap_or(&reference.name);
                self.local(file, local, 0)
            }
            _ if super::tree::is_wild(binding) => self.module_of(binding, file),
            _ => self.bound_exactly(binding, file, 0),
        };
        Some(Known { targets, tier: Tier::Import, confidence: confidence::IMPORT })
    }

    fn module_of(&self, binding: &Binding, file: FileNo) -> Vec<Target> {
        let module = Binding { name: None, ..binding.clone() };
        self.bound_exactly(&module, file, 0)
    }

    /// A name of a file, as the file itself sees it.
    fn local(&self, file: FileNo, name: &str, depth: u32) -> Vec<Target> {
        let own = self.tree.top_level(file, name);
        match own.is_empty() {
            false => own.iter().copied().map(Target::Symbol).collect(),
            true => {
                let here = Here { file, scope: None, in_type: false };
                self.imported(name, here, depth + 1).map(|known| known.targets).unwrap_or_default()
            }
        }
    }

    /// What the name that an import gives stands for in the file. `import a.b` gives `a` alone in Python.
    fn bound(&self, binding: &Binding, file: FileNo, depth: u32) -> Vec<Target> {
        let python = self.tree.files[file as usize].rule.is_some_and(|rule| rule.modules == Modules::Python);
        if let (true, None, None, Some(module)) = (python, &binding.name, &binding.alias, &binding.module)
            && let Some((head, _)) = module.split_once('.')
            && !head.is_empty()
        {
            let head = Binding { module: Some(head.to_string()), ..binding.clone() };
            return self.bound_exactly(&head, file, depth);
        }
        let targets = self.bound_exactly(binding, file, depth);
        let returns = self.tree.files[file as usize].rule.is_some_and(|rule| rule.returns);
        if !returns || binding.name.is_some() {
            return targets;
        }
        let returned = |target: Target| match target {
            Target::File(file) => self.returned(file, depth + 1),
            target => target,
        };
        targets.into_iter().map(returned).collect()
    }

    /// What importing a file gives where that is what the file returns: `M` of Lua's `return M`.
    fn returned(&self, file: FileNo, depth: u32) -> Target {
        let symbols = self.tree.files[file as usize].symbols.clone();
        let names = symbols.map(|symbol| &*self.tree.row(symbol).name);
        let exports = &self.tree.files[file as usize].exports;
        let exported = names.filter(|name| exports.contains_key(name)).flat_map(|name| self.local(file, name, depth));
        let mut exported: Vec<Target> = exported.collect();
        exported.dedup();
        match exported.as_slice() {
            [one] => one.clone(),
            _ => Target::File(file),
        }
    }

    fn bound_exactly(&self, binding: &Binding, file: FileNo, depth: u32) -> Vec<Target> {
        let Some(rule) = self.tree.files[file as usize].rule.filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        let name = binding.name.as_deref().filter(|name| *name != "*");
        let Some(module) = binding.module.as_deref() else {
            let full = dotted(name.unwrap_or_default());
            return self.in_package("", &full);
        };
        let rules = self.import_rules(rule, binding);
        match self.modules.locate(rules, file, module) {
            Located::Outside => vec![Target::Outside { module: module.to_string(), name: name.map(str::to_string) }],
            Located::Missing => Vec::new(),
            Located::Package(package) => match name {
                None => match self.in_package("", &package).as_slice() {
                    [Target::Outside { .. }] => vec![Target::Outside { module: package, name: None }],
                    known => known.to_vec(),
                },
                Some(name) => self.in_package(&package, &dotted(name)),
            },
            Located::Files(files, rest) => {
                let is_required =
                    rules == Modules::Script && name.is_none() && binding.style.as_deref() == Some("require");
                let mut targets: Vec<Target> = match files.as_slice() {
                    [file] if is_required => self.required(*file, depth),
                    _ => files.into_iter().map(Target::File).collect(),
                };
                for part in rest.split("::").filter(|part| !part.is_empty()).chain(name) {
                    targets = targets
                        .iter()
                        .flat_map(|target| self.member_of(&Value::Of(target.clone()), part, depth + 1))
                        .collect();
                }
                targets
            }
        }
    }

    /// Namespaces of C++ and requires of PHP and Ruby are imported by other words than their files are.
    fn import_rules(&self, rule: &NameRule, binding: &Binding) -> Modules {
        match (rule.modules, binding.style.as_deref()) {
            (Modules::Include, Some("include" | "include-system")) => Modules::Include,
            (Modules::Include, _) => Modules::Package,
            (
                Modules::Package,
                Some(
                    "require" | "require_once" | "require_relative" | "include" | "include_once" | "load" | "autoload"
                    | "part",
                ),
            ) if rule.family != "elixir" => Modules::Path,
            (modules, _) => modules,
        }
    }

    fn in_package(&self, package: &str, name: &str) -> Vec<Target> {
        let full = full_name((!package.is_empty()).then_some(package), name);
        let found = self.tree.full_name(&full);
        let is_package = |symbol: &SymbolNo| self.tree.row(*symbol).kind == Kind::Namespace;
        let is_spread = self.tree.has_package(&full) && found.iter().all(is_package);
        if !found.is_empty() && !is_spread {
            return found.iter().copied().map(Target::Symbol).collect();
        }
        match self.tree.has_package(&full) {
            true => vec![Target::Package(full)],
            false => vec![Target::Outside { module: package.to_string(), name: Some(name.to_string()) }],
        }
    }

    fn through_wild(&self, binding: &Binding, file: FileNo, name: &str, depth: u32) -> Vec<Target> {
        if depth >= MAX_DEPTH {
            return Vec::new();
        }
        let from = self.module_targets(binding, file, depth + 1);
        let is_part = binding.style.as_deref() == Some("part of");
        let found = from.iter().flat_map(|target| match target {
            Target::Outside { .. } => Vec::new(),
            // A part sees what its library sees.
            Target::File(library) if is_part => match self.exported(*library, name, depth + 1) {
                own if own.is_empty() => self.local(*library, name, depth + 1),
                own => own,
            },
            target => self.member_of(&Value::Of(target.clone()), name, depth + 1),
        });
        let by_path = self.tree.files[file as usize].rule.is_some_and(|rule| rule.modules == Modules::Path);
        let seen = |target: &Target| match target {
            Target::Outside { .. } | Target::Package(_) => false,
            Target::Symbol(symbol) => !by_path || is_include(binding) || self.tree.row(*symbol).exported,
            Target::File(_) => true,
        };
        found.filter(seen).collect()
    }

    fn module_targets(&self, binding: &Binding, file: FileNo, depth: u32) -> Vec<Target> {
        let module = Binding { name: None, ..binding.clone() };
        self.bound_exactly(&module, file, depth)
    }

    /// What other files get when they ask a file for a name.
    fn exported(&self, file: FileNo, name: &str, depth: u32) -> Vec<Target> {
        if depth >= MAX_DEPTH {
            return Vec::new();
        }
        if name == "default" && self.tree.files[file as usize].rule.is_some_and(|rule| rule.modules == Modules::Script)
        {
            return self.default_export(file, depth);
        }
        let own = self.exported_itself(file, name, depth);
        if !own.is_empty() {
            return own;
        }
        let others = self.passed_on[file as usize].iter();
        others.map(|file| self.exported_itself(*file, name, depth)).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// A file's default export is not passed on; one that has none is its own.
    fn default_export(&self, file: FileNo, depth: u32) -> Vec<Target> {
        let said = self.exported_itself(file, "default", depth);
        if said.is_empty() { vec![Target::File(file)] } else { said }
    }

    /// What `require` gives: all of a file's exports, or the one value that they were set to.
    fn required(&self, file: FileNo, depth: u32) -> Vec<Target> {
        let exports = self.tree.files[file as usize].exports.get("default");
        let is_set =
            |import: &Import| matches!(import.binding.style.as_deref(), Some("commonjs" | "assign" | "require"));
        match exports.is_some_and(|exports| exports.iter().any(is_set)) || exports.is_none() {
            true => self.default_export(file, depth + 1),
            false => vec![Target::File(file)],
        }
    }

    fn exported_itself(&self, file: FileNo, name: &str, depth: u32) -> Vec<Target> {
        let table = &self.tree.files[file as usize];
        let said = table.exports.get(name).into_iter().flatten().map(|import| &*import.binding);
        let said = said.flat_map(|binding| match &binding.module {
            Some(_) => self.bound_exactly(binding, file, depth + 1),
            None => self.local(file, binding.name.as_deref().unwrap_or(name), depth + 1),
        });
        let said: Vec<Target> = said.collect();
        if !said.is_empty() {
            return said;
        }
        let own = self.tree.top_level(file, name);
        if !own.is_empty() {
            return own.iter().copied().map(Target::Symbol).collect();
        }
        let rules = table.rule.map_or(Modules::None, |rule| rule.modules);
        if let Some(inside) = self.modules.inside(rules, file, name) {
            return vec![Target::File(inside)];
        }
        // In Python and in headers, what a file imports others may take from it.
        if matches!(rules, Modules::Python | Modules::Include | Modules::Path)
            && let Some(imports) = table.imports.get(name)
        {
            return imports.iter().flat_map(|import| self.bound(&import.binding, file, depth + 1)).collect();
        }
        Vec::new()
    }

    /// Finds which files' names each file passes on as its own. Until that is known, each passes on its own
    /// alone, so that finding it needs no names that are passed on.
    fn find_passed_on(&mut self) {
        let direct: Vec<Vec<FileNo>> = (0..self.tree.files.len()).map(|file| self.star_files(file as FileNo)).collect();
        let closed = (0..direct.len()).map(|file| match direct[file].is_empty() {
            true => Vec::new(),
            false => closure(file as FileNo, &direct),
        });
        self.passed_on = closed.collect();
    }

    /// The files whose names a file passes on by a star.
    fn star_files(&self, file: FileNo) -> Vec<FileNo> {
        let table = &self.tree.files[file as usize];
        let passes = table.rule.is_some_and(|rule| matches!(rule.modules, Modules::Python | Modules::Include));
        let imports = table.wild_imports.iter().filter(|import| passes || is_include(&import.binding));
        let targets =
            table.wild_exports.iter().chain(imports).flat_map(|star| self.module_targets(&star.binding, file, 0));
        let files = targets.filter_map(|target| if let Target::File(file) = target { Some(file) } else { None });
        files.collect()
    }

    /// The values of a receiver, if it is anything that can be followed.
    fn receiver(&self, text: &str, here: Here, rule: &NameRule, is_bound: &dyn Fn(&str) -> bool) -> Option<Vec<Value>> {
        let links = links(text)?;
        let head = links[0].name;
        let spelled = rule.self_words.iter().chain(&rule.super_words).any(|word| word == head);
        let upper = head.starts_with(|c: char| c.is_uppercase() || matches!(c, '@' | '$'));
        let followed = spelled
            || upper
            || is_bound(head)
            || text.contains("::")
            || self.is_full_name(text, rule)
            || self.is_path_head(head, here, rule);
        followed.then(|| self.chain(&links, here, 0))
    }

    /// Whether it is a package's name in full, or a definition's.
    fn is_full_name(&self, text: &str, rule: &NameRule) -> bool {
        let full = || dotted(text);
        rule.modules == Modules::Package && (self.tree.has_package(&full()) || !self.tree.full_name(&full()).is_empty())
    }

    /// Whether a name can only be the first of a path: a word for a module, or a namespace.
    fn is_path_head(&self, name: &str, here: Here, rule: &NameRule) -> bool {
        let is_namespace = |target: &Target| match target {
            Target::Symbol(symbol) => self.tree.row(*symbol).kind == Kind::Namespace,
            _ => false,
        };
        match rule.modules {
            Modules::Rust => matches!(name, "crate" | "super"),
            Modules::Include => {
                self.lookup(name, here, 0).is_some_and(|known| known.targets.first().is_some_and(is_namespace))
            }
            _ => false,
        }
    }

    /// What `crate`, `self` and `super` mean at the head of a path.
    fn module_word(&self, word: &str, here: Here, rule: &NameRule) -> Option<Value> {
        if rule.modules != Modules::Rust || !matches!(word, "crate" | "self" | "super") {
            return None;
        }
        let is_namespace = |symbol: &SymbolNo| self.tree.row(*symbol).kind == Kind::Namespace;
        let mut around = self.tree.holders(here.scope).filter(is_namespace);
        let file = || match self.modules.locate(rule.modules, here.file, word) {
            Located::Files(files, _) => files.first().copied().map(Target::File),
            _ => None,
        };
        let target = match (word, around.next(), around.next()) {
            ("self", Some(inner), _) | ("super", Some(_), Some(inner)) => Some(Target::Symbol(inner)),
            ("super", Some(_), None) => Some(Target::File(here.file)),
            _ => file(),
        };
        target.map(Value::Of)
    }

    fn chain(&self, links: &[Link], here: Here, depth: u32) -> Vec<Value> {
        let Some(rule) = self.rule(here).filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        let mut values = self.head(&links[0], here, rule, depth);
        for link in &links[1..] {
            let members: Vec<Value> = values.iter().flat_map(|value| self.step(value, link, rule, depth + 1)).collect();
            values = members;
            values.truncate(MAX_CANDIDATES);
        }
        values
    }

    fn head(&self, link: &Link, here: Here, rule: &NameRule, depth: u32) -> Vec<Value> {
        if let Some(written) = link.name.strip_prefix('<').and_then(|name| name.strip_suffix('>')) {
            return match link.suffix {
                Suffix::None => self.types(written, here, depth + 1),
                Suffix::Index => self.each_of(written, here, depth + 1),
                Suffix::Call => Vec::new(),
            };
        }
        if rule.self_words.iter().any(|word| word == link.name)
            && let Some(own) = self.self_type(here)
        {
            return vec![Value::Instance(own)];
        }
        if let Some(module) = self.module_word(link.name, here, rule) {
            return vec![module];
        }
        if rule.super_words.iter().any(|word| word == link.name) {
            return self.self_type(here).map(Value::Base).into_iter().collect();
        }
        if link.name.starts_with('@') {
            let own = self.self_type(here).map(Value::Instance);
            return own.iter().flat_map(|own| self.step(own, link, rule, depth + 1)).collect();
        }
        let known = self.lookup(link.name, here, depth + 1).or_else(|| self.only_type(link.name, rule));
        let package = || self.package(link.name, here, rule).into_iter().collect();
        let values = known.map_or_else(package, |known| known.targets).into_iter().map(Value::Of);
        values.flat_map(|value| self.suffixed(value, link.suffix, rule, depth)).collect()
    }

    /// Where names are global, a type is known by its name alone.
    fn only_type(&self, name: &str, rule: &NameRule) -> Option<Known> {
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

    fn step(&self, value: &Value, link: &Link, rule: &NameRule, depth: u32) -> Vec<Value> {
        let opens = rule.openers.iter().any(|word| word == link.name);
        if matches!(value, Value::Held(_)) && is_of_holder(link.name, rule) {
            return if opens { vec![value.clone()] } else { Vec::new() };
        }
        if let Value::Of(Target::Outside { module, name: None }) = value
            && rule.modules == Modules::Rust
            && link.suffix == Suffix::None
        {
            // Only the last part of a path is a name: `std::fs::read` is of `std::fs`.
            let module = if module.is_empty() { String::new() } else { format!("{module}::{}", link.name) };
            return vec![Value::Of(Target::Outside { module, name: None })];
        }
        let members = self.member_of(value, link.name, depth);
        match value {
            Value::Instance(_) if members.is_empty() && opens => return vec![value.clone()],
            // `self.items.iter()` in a loop, where an item is asked for.
            Value::Of(Target::Symbol(list)) if members.is_empty() && opens && link.suffix == Suffix::Index => {
                return self.elements(*list, depth + 1);
            }
            _ => {}
        }
        let constructs = rule.constructors.iter().any(|word| word == link.name);
        let found = members.into_iter().map(Value::Of);
        let found: Vec<Value> = found.flat_map(|value| self.suffixed(value, link.suffix, rule, depth)).collect();
        match value {
            // A constructor that does not say what it returns.
            Value::Of(Target::Symbol(symbol)) if found.is_empty() && constructs => vec![Value::Instance(*symbol)],
            _ => found,
        }
    }

    fn suffixed(&self, value: Value, suffix: Suffix, rule: &NameRule, depth: u32) -> Vec<Value> {
        match (suffix, &value) {
            (Suffix::None, _) => vec![value],
            (Suffix::Call, Value::Of(Target::Symbol(symbol))) => self.result(*symbol, depth),
            (Suffix::Call, Value::Of(Target::Outside { name, .. })) if !names_type(name.as_deref(), rule) => {
                vec![Value::Of(Target::Outside { module: String::new(), name: None })]
            }
            (_, Value::Of(Target::Outside { .. })) => vec![value],
            (Suffix::Index, Value::Of(Target::Symbol(symbol))) => self.elements(*symbol, depth),
            _ => Vec::new(),
        }
    }

    /// What a call gives: a type its instance, a function what it says it returns.
    fn result(&self, symbol: SymbolNo, depth: u32) -> Vec<Value> {
        let holder = self.tree.symbols[symbol as usize].parent;
        match (self.tree.row(symbol).kind, holder) {
            (kind, _) if kind.is_type() => vec![Value::Instance(symbol)],
            (Kind::Constructor, Some(holder)) => vec![Value::Instance(holder)],
            _ => {
                let given = self.value_of(symbol, depth);
                // Where functions construct, their methods stand below them.
                let rule = self.tree.symbols[symbol as usize].rule;
                let constructs = rule.is_some_and(|rule| rule.modules == Modules::Script);
                if given.is_empty() && constructs { vec![Value::Instance(symbol)] } else { given }
            }
        }
    }

    fn value_of(&self, symbol: SymbolNo, depth: u32) -> Vec<Value> {
        let row = self.tree.row(symbol);
        let Some(written) = row.value_type.as_deref().filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        self.types(written, self.around(symbol), depth + 1)
    }

    fn elements(&self, symbol: SymbolNo, depth: u32) -> Vec<Value> {
        let row = self.tree.row(symbol);
        let Some(written) = row.value_type.as_deref().filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        self.elements_of(written, self.around(symbol), depth + 1)
    }

    /// What a list of this type holds.
    fn elements_of(&self, list: &str, here: Here, depth: u32) -> Vec<Value> {
        let of_each = |written: super::chain::Written| match (written.is_list, written.arguments.last()) {
            (true, _) => self.typed(written.name, here, depth + 1),
            (false, Some(last)) => self.types(last, here, depth + 1),
            (false, None) => Vec::new(),
        };
        alternatives(list).into_iter().flat_map(of_each).collect()
    }

    /// What a loop over a value of this type holds. A table of two types is not gone over by either.
    fn each_of(&self, text: &str, here: Here, depth: u32) -> Vec<Value> {
        let is_type = || alternatives(text).iter().any(|written| written.is_list || !written.arguments.is_empty());
        let is_chain = text.starts_with('<') || text.contains("()") || !is_type();
        if let Some(mut chain) = links(text).filter(|_| depth < MAX_DEPTH && is_chain) {
            let last = chain.len() - 1;
            chain[last].suffix = Suffix::None;
            let held = self.chain(&chain, here, depth + 1).into_iter();
            return held
                .flat_map(|value| match value {
                    Value::Of(Target::Symbol(symbol)) if !self.tree.row(symbol).kind.is_type() => {
                        let written = self.tree.row(symbol).value_type.as_deref();
                        written.map(|written| self.each_of(written, self.around(symbol), depth + 1)).unwrap_or_default()
                    }
                    _ => Vec::new(),
                })
                .collect();
        }
        let of_each = |written: super::chain::Written| match (written.is_list, written.arguments.as_slice()) {
            (true, _) => self.typed(written.name, here, depth + 1),
            (false, [one]) => self.types(one, here, depth + 1),
            _ => Vec::new(),
        };
        alternatives(text).into_iter().filter(|_| depth < MAX_DEPTH).flat_map(of_each).collect()
    }

    /// Where a symbol's own type is read.
    fn around(&self, symbol: SymbolNo) -> Here {
        Here { file: self.tree.file_of(symbol), scope: self.tree.symbols[symbol as usize].parent, in_type: false }
    }

    /// The values of a type as it is written.
    fn types(&self, text: &str, here: Here, depth: u32) -> Vec<Value> {
        if depth >= MAX_DEPTH {
            return Vec::new();
        }
        if text.starts_with('<')
            && let Some(links) = links(text)
        {
            return self.chain(&links, here, depth + 1);
        }
        if text.contains(['(', '[']) && links(text).is_some() {
            return self.typed(text, here, depth + 1);
        }
        if let Some(list) = text.strip_suffix("[]") {
            return self.elements_of(list, here, depth + 1);
        }
        let Some(rule) = self.rule(here) else { return Vec::new() };
        let mut values: Vec<Value> = alternatives(text)
            .into_iter()
            .flat_map(|written| {
                if written.is_list {
                    return Vec::new();
                }
                let last = written.name.rsplit(['.', ':']).next().unwrap_or(written.name);
                match written.arguments.first() {
                    Some(first) if rule.wrappers.iter().any(|wrapper| wrapper == last) => {
                        self.types(first, here, depth + 1)
                    }
                    Some(first) if rule.holders.iter().any(|holder| holder == last) => {
                        let held = self.types(first, here, depth + 1).into_iter();
                        held.map(|value| Value::Held(Box::new(value))).collect()
                    }
                    _ => self.typed(written.name, here, depth + 1),
                }
            })
            .collect();
        values.sort();
        values.dedup();
        values
    }

    /// An instance of the type of this name.
    fn typed(&self, name: &str, here: Here, depth: u32) -> Vec<Value> {
        let Some(links) = links(name).filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        let values = self.chain(&links, here, depth + 1);
        values
            .into_iter()
            .flat_map(|value| match value {
                Value::Of(Target::Symbol(symbol)) if self.tree.row(symbol).kind == Kind::Type => {
                    let aliased = self.value_of(symbol, depth + 1);
                    if aliased.is_empty() { vec![Value::Instance(symbol)] } else { aliased }
                }
                Value::Of(Target::Symbol(symbol)) if self.tree.row(symbol).kind.is_type() => {
                    vec![Value::Instance(symbol)]
                }
                // Where functions construct, they are types too.
                Value::Of(Target::Symbol(symbol)) if self.tree.row(symbol).kind == Kind::Function => {
                    vec![Value::Instance(symbol)]
                }
                // Not a type, but a value of one.
                Value::Of(Target::Symbol(symbol)) if !self.tree.row(symbol).kind.is_callable() => {
                    self.value_of(symbol, depth + 1)
                }
                Value::Of(Target::Symbol(symbol)) if self.tree.row(symbol).kind == Kind::Property => {
                    self.value_of(symbol, depth + 1)
                }
                Value::Instance(symbol) => vec![Value::Instance(symbol)],
                Value::Of(outside @ Target::Outside { .. }) => vec![Value::Of(outside)],
                Value::Held(held) => vec![Value::Held(held)],
                // A chain from a type to what it holds: `Shelf.best`.
                Value::Of(Target::Symbol(symbol)) if links.len() > 1 && self.is_read(symbol) => {
                    self.value_of(symbol, depth + 1)
                }
                _ => Vec::new(),
            })
            .collect()
    }

    /// The type around a place, whose instance `self` is; in a method of no type, the object that holds it.
    fn self_type(&self, here: Here) -> Option<SymbolNo> {
        let mut at = here.scope;
        let mut object = None;
        while let Some(symbol) = at {
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
            at = holder;
        }
        object
    }

    fn member_of_text(&self, receiver: &str, name: &str, here: Here, depth: u32) -> Option<Known> {
        let values = self.chain(&links(receiver)?, here, depth);
        let targets: Vec<Target> = values.iter().flat_map(|value| self.member_of(value, name, depth)).collect();
        (!targets.is_empty()).then_some(Known { targets, tier: Tier::Import, confidence: confidence::TYPED_MEMBER })
    }

    fn member_of(&self, value: &Value, name: &str, depth: u32) -> Vec<Target> {
        if depth >= MAX_DEPTH {
            return Vec::new();
        }
        let symbols = |symbols: Vec<SymbolNo>| symbols.into_iter().map(Target::Symbol).collect();
        match value {
            Value::Instance(symbol) => {
                let is_type = self.tree.row(*symbol).kind.is_type();
                let mut members = self.type_member(*symbol, name);
                members.retain(|member| is_type || self.tree.row(*member).kind != Kind::Function);
                symbols(members)
            }
            Value::Base(symbol) => {
                let bases = self.bases_of(*symbol).iter();
                symbols(
                    bases.map(|base| self.type_member(*base, name)).find(|found| !found.is_empty()).unwrap_or_default(),
                )
            }
            Value::Held(held) => self.member_of(held, name, depth + 1),
            Value::Of(Target::Symbol(symbol)) => self.member_of_symbol(*symbol, name, depth),
            Value::Of(Target::File(file)) => self.exported(*file, name, depth + 1),
            Value::Of(Target::Package(package)) => {
                let inside = self.in_package(package, name).into_iter();
                inside.filter(|target| !matches!(target, Target::Outside { .. })).collect()
            }
            Value::Of(Target::Outside { module, name: inside }) => {
                let path = inside.as_ref().map_or(name.to_string(), |inside| format!("{inside}.{name}"));
                vec![Target::Outside { module: module.clone(), name: Some(path) }]
            }
        }
    }

    fn member_of_symbol(&self, symbol: SymbolNo, name: &str, depth: u32) -> Vec<Target> {
        let row = self.tree.row(symbol);
        if row.kind.is_type() {
            let own = self.type_member(symbol, name);
            if !own.is_empty() || row.kind != Kind::Type {
                return own.into_iter().map(Target::Symbol).collect();
            }
        }
        let own = self.held_by(symbol, name);
        if !own.is_empty() {
            return own.into_iter().map(Target::Symbol).collect();
        }
        if !self.is_read(symbol) {
            return Vec::new();
        }
        let values = self.value_of(symbol, depth + 1);
        values.iter().flat_map(|value| self.member_of(value, name, depth + 2)).collect()
    }

    /// A property is read without being called; a function is not a value of what it returns.
    fn is_read(&self, symbol: SymbolNo) -> bool {
        let kind = self.tree.row(symbol).kind;
        !kind.is_callable() || kind == Kind::Property
    }

    /// A member of a type or of the first base that has it.
    fn type_member(&self, symbol: SymbolNo, name: &str) -> Vec<SymbolNo> {
        let own = self.tree.members(symbol, name);
        if !own.is_empty() || self.bases_of(symbol).is_empty() {
            return own.to_vec();
        }
        let bases = self.linearized(symbol);
        let found = bases.iter().map(|base| self.tree.members(*base, name)).find(|found| !found.is_empty());
        // What Go embeds is a field by its type's name.
        let embedded = || bases[1..].iter().copied().find(|base| &*self.tree.row(*base).name == name);
        found.map_or_else(|| embedded().into_iter().collect(), <[SymbolNo]>::to_vec)
    }

    /// A type and its bases, nearest first.
    fn linearized(&self, symbol: SymbolNo) -> Vec<SymbolNo> {
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

/// All files that can be reached from one, nearest first, without itself.
fn closure(file: FileNo, direct: &[Vec<FileNo>]) -> Vec<FileNo> {
    let mut all = vec![file];
    let mut at = 0;
    while at < all.len() && all.len() < MAX_PASSED_ON {
        for next in &direct[all[at] as usize] {
            if !all.contains(next) {
                all.push(*next);
            }
        }
        at += 1;
    }
    all.remove(0);
    all
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

fn is_builtin(receiver: &str, rule: &NameRule) -> bool {
    let head = links(receiver).map(|links| links[0].name);
    head.is_some_and(|head| rule.builtins.iter().any(|builtin| builtin == head))
}

/// What a language has everywhere.
fn builtin(name: &str) -> Outcome {
    Outcome::Outside(Target::Outside { module: String::new(), name: Some(name.to_string()) })
}

/// A name of several words, which two libraries hardly share.
fn is_rare(name: &str) -> bool {
    let name = name.trim_matches('_');
    let humps = name.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    name.len() >= 6 && (name.contains('_') || humps.count() > 0)
}

/// How badly a definition fits a reference to its name: a language may have a type, a method and a field
/// of one name.
fn unfitness(kind: Kind, role: Role) -> u8 {
    let is_only_type = matches!(kind, Kind::Interface | Kind::Type);
    match role {
        Role::Type | Role::Inherit => u8::from(!kind.is_type()),
        Role::Call | Role::Flow if is_only_type => 2,
        Role::Call | Role::Flow => u8::from(!kind.is_callable() && !kind.is_type()),
        Role::Use if is_only_type => 2,
        Role::Use => u8::from(kind.is_callable() && kind != Kind::Property),
        Role::Import | Role::Export => 0,
    }
}
