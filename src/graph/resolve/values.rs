//! What an expression is worth: receivers, chains of members, types as they are written.

use super::{Here, Known, Limit, MAX_CANDIDATES, Resolver, Target, Value, confidence, is_of_holder, names_type};
use crate::graph::chain::{Link, Suffix, Written, alternatives, links};
use crate::graph::tree::{SymbolNo, dotted};
use crate::language::modules::Located;
use crate::language::{Modules, NameRule};
use crate::record::{Kind, Tier};

impl<'t> Resolver<'t> {
    /// The values of a receiver, if it is anything that can be followed.
    pub(super) fn receiver(
        &self,
        text: &str,
        links: &[Link],
        here: Here,
        rule: &NameRule,
        is_bound: &dyn Fn(&str) -> bool,
        limit: Limit,
    ) -> Option<Vec<Value>> {
        let head = links[0].name;
        let spelled = rule.self_words.iter().chain(&rule.super_words).any(|word| word == head);
        let upper = head.starts_with(|c: char| c.is_uppercase() || matches!(c, '@' | '$'));
        let followed = spelled
            || upper
            || is_bound(head)
            || text.as_bytes().windows(2).any(|pair| pair == b"::")
            || self.is_full_name(text, rule)
            || self.is_path_head(head, here, rule, limit);
        followed.then(|| self.chain(links, here, limit))
    }

    /// Whether it is a package's name in full, or a definition's.
    pub(super) fn is_full_name(&self, text: &str, rule: &NameRule) -> bool {
        let full = || dotted(text);
        rule.modules == Modules::Package && (self.tree.has_package(&full()) || !self.tree.full_name(&full()).is_empty())
    }

    /// Whether a name can only be the first of a path: a word for a module, or a namespace.
    pub(super) fn is_path_head(&self, name: &str, here: Here, rule: &NameRule, limit: Limit) -> bool {
        let is_namespace = |target: &Target| match target {
            Target::Symbol(symbol) => self.tree.row(*symbol).kind == Kind::Namespace,
            _ => false,
        };
        match rule.modules {
            Modules::Rust => matches!(name, "crate" | "super"),
            Modules::Include => {
                self.lookup(name, here, limit).is_some_and(|known| known.targets.first().is_some_and(is_namespace))
            }
            _ => false,
        }
    }

    /// What `crate`, `self` and `super` mean at the head of a path.
    pub(super) fn module_word(&self, word: &str, here: Here, rule: &NameRule) -> Option<Value> {
        if rule.modules != Modules::Rust || !matches!(word, "crate" | "self" | "super") {
            return None;
        }
        let is_namespace = |symbol: &SymbolNo| self.tree.row(*symbol).kind == Kind::Namespace;
        let mut around = self.tree.parents(here.scope).filter(is_namespace);
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

    pub(super) fn chain(&self, links: &[Link], here: Here, limit: Limit) -> Vec<Value> {
        let Some(rule) = self.rule(here).filter(|_| !limit.is_reached()) else { return Vec::new() };
        let mut values = self.head(&links[0], here, rule, limit);
        for link in &links[1..] {
            let members: Vec<Value> =
                values.iter().flat_map(|value| self.step(value, link, rule, limit.deeper())).collect();
            values = members;
            values.truncate(MAX_CANDIDATES);
        }
        values
    }

    pub(super) fn head(&self, link: &Link, here: Here, rule: &NameRule, limit: Limit) -> Vec<Value> {
        if let Some(written) = link.name.strip_prefix('<').and_then(|name| name.strip_suffix('>')) {
            return match link.suffix {
                Suffix::None => self.types(written, here, limit.deeper()),
                Suffix::Index => self.each_of(written, here, limit.deeper()),
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
            return own.iter().flat_map(|own| self.step(own, link, rule, limit.deeper())).collect();
        }
        let known = self.lookup(link.name, here, limit.deeper()).or_else(|| self.only_type(link.name, rule));
        let package = || self.package(link.name, here, rule).into_iter().collect();
        let values = known.map_or_else(package, |known| known.targets).into_iter().map(Value::Of);
        values.flat_map(|value| self.suffixed(value, link.suffix, rule, limit)).collect()
    }

    pub(super) fn step(&self, value: &Value, link: &Link, rule: &NameRule, limit: Limit) -> Vec<Value> {
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
        let members = self.member_of(value, link.name, limit);
        match value {
            Value::Instance(_) if members.is_empty() && opens => return vec![value.clone()],
            // `self.items.iter()` in a loop, where an item is asked for.
            Value::Of(Target::Symbol(list)) if members.is_empty() && opens && link.suffix == Suffix::Index => {
                return self.elements(*list, limit.deeper());
            }
            _ => {}
        }
        let constructs = rule.constructors.iter().any(|word| word == link.name);
        let found = members.into_iter().map(Value::Of);
        let found: Vec<Value> = found.flat_map(|value| self.suffixed(value, link.suffix, rule, limit)).collect();
        match value {
            // A constructor that does not say what it returns.
            Value::Of(Target::Symbol(symbol)) if found.is_empty() && constructs => vec![Value::Instance(*symbol)],
            _ => found,
        }
    }

    pub(super) fn suffixed(&self, value: Value, suffix: Suffix, rule: &NameRule, limit: Limit) -> Vec<Value> {
        match (suffix, &value) {
            (Suffix::None, _) => vec![value],
            (Suffix::Call, Value::Of(Target::Symbol(symbol))) => self.result(*symbol, limit),
            (Suffix::Call, Value::Of(Target::Outside { name, .. })) if !names_type(name.as_deref(), rule) => {
                vec![Value::Of(Target::Outside { module: String::new(), name: None })]
            }
            (_, Value::Of(Target::Outside { .. })) => vec![value],
            (Suffix::Index, Value::Of(Target::Symbol(symbol))) => self.elements(*symbol, limit),
            _ => Vec::new(),
        }
    }

    /// What a call gives: a type its instance, a function what it says it returns.
    pub(super) fn result(&self, symbol: SymbolNo, limit: Limit) -> Vec<Value> {
        let holder = self.tree.symbols[symbol as usize].parent;
        match (self.tree.row(symbol).kind, holder) {
            (kind, _) if kind.is_type() => vec![Value::Instance(symbol)],
            (Kind::Constructor, Some(holder)) => vec![Value::Instance(holder)],
            _ => {
                let given = self.value_of(symbol, limit);
                // Where functions construct, their methods stand below them.
                let rule = self.tree.symbols[symbol as usize].rule;
                let constructs = rule.is_some_and(|rule| rule.modules == Modules::Script);
                if given.is_empty() && constructs { vec![Value::Instance(symbol)] } else { given }
            }
        }
    }

    pub(super) fn value_of(&self, symbol: SymbolNo, limit: Limit) -> Vec<Value> {
        let row = self.tree.row(symbol);
        let Some(written) = row.value_type.as_deref().filter(|_| !limit.is_reached()) else { return Vec::new() };
        self.types(written, self.around(symbol), limit.deeper())
    }

    pub(super) fn elements(&self, symbol: SymbolNo, limit: Limit) -> Vec<Value> {
        let row = self.tree.row(symbol);
        let Some(written) = row.value_type.as_deref().filter(|_| !limit.is_reached()) else { return Vec::new() };
        self.elements_of(written, self.around(symbol), limit.deeper())
    }

    /// What a list of this type holds.
    pub(super) fn elements_of(&self, list: &str, here: Here, limit: Limit) -> Vec<Value> {
        let of_each = |written: Written| match (written.is_list, written.arguments.last()) {
            (true, _) => self.typed(written.name, here, limit.deeper()),
            (false, Some(last)) => self.types(last, here, limit.deeper()),
            (false, None) => Vec::new(),
        };
        alternatives(list).into_iter().flat_map(of_each).collect()
    }

    /// What a loop over a value of this type holds. A table of two types is not gone over by either.
    pub(super) fn each_of(&self, text: &str, here: Here, limit: Limit) -> Vec<Value> {
        let is_type = || alternatives(text).iter().any(|written| written.is_list || !written.arguments.is_empty());
        let is_chain = text.starts_with('<') || text.contains("()") || !is_type();
        if let Some(mut chain) = links(text).filter(|_| !limit.is_reached() && is_chain) {
            let last = chain.len() - 1;
            chain[last].suffix = Suffix::None;
            let held = self.chain(&chain, here, limit.deeper()).into_iter();
            return held
                .flat_map(|value| match value {
                    Value::Of(Target::Symbol(symbol)) if !self.tree.row(symbol).kind.is_type() => {
                        let written = self.tree.row(symbol).value_type.as_deref();
                        written
                            .map(|written| self.each_of(written, self.around(symbol), limit.deeper()))
                            .unwrap_or_default()
                    }
                    _ => Vec::new(),
                })
                .collect();
        }
        let of_each = |written: Written| match (written.is_list, written.arguments.as_slice()) {
            (true, _) => self.typed(written.name, here, limit.deeper()),
            (false, [one]) => self.types(one, here, limit.deeper()),
            _ => Vec::new(),
        };
        alternatives(text).into_iter().filter(|_| !limit.is_reached()).flat_map(of_each).collect()
    }

    /// Where a symbol's own type is read.
    pub(super) fn around(&self, symbol: SymbolNo) -> Here {
        Here { file: self.tree.file_of(symbol), scope: self.tree.symbols[symbol as usize].parent, in_type: false }
    }

    /// The values of a type as it is written.
    pub(super) fn types(&self, text: &str, here: Here, limit: Limit) -> Vec<Value> {
        if limit.is_reached() {
            return Vec::new();
        }
        if text.starts_with('<')
            && let Some(links) = links(text)
        {
            return self.chain(&links, here, limit.deeper());
        }
        if text.contains(['(', '[']) && links(text).is_some() {
            return self.typed(text, here, limit.deeper());
        }
        if let Some(list) = text.strip_suffix("[]") {
            return self.elements_of(list, here, limit.deeper());
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
                        self.types(first, here, limit.deeper())
                    }
                    Some(first) if rule.holders.iter().any(|holder| holder == last) => {
                        let held = self.types(first, here, limit.deeper()).into_iter();
                        held.map(|value| Value::Held(Box::new(value))).collect()
                    }
                    _ => self.typed(written.name, here, limit.deeper()),
                }
            })
            .collect();
        values.sort();
        values.dedup();
        values
    }

    /// An instance of the type of this name.
    pub(super) fn typed(&self, name: &str, here: Here, limit: Limit) -> Vec<Value> {
        let Some(links) = links(name).filter(|_| !limit.is_reached()) else { return Vec::new() };
        let values = self.chain(&links, here, limit.deeper());
        values
            .into_iter()
            .flat_map(|value| match value {
                Value::Of(Target::Symbol(symbol)) if self.tree.row(symbol).kind == Kind::Type => {
                    let aliased = self.value_of(symbol, limit.deeper());
                    if aliased.is_empty() { vec![Value::Instance(symbol)] } else { aliased }
                }
                Value::Of(Target::Symbol(symbol)) if self.tree.row(symbol).kind.is_type() => {
                    vec![Value::Instance(symbol)]
                }
                // Where functions construct, they are types too.
                Value::Of(Target::Symbol(symbol)) if self.tree.row(symbol).kind == Kind::Function => {
                    vec![Value::Instance(symbol)]
                }
                // Not a type, but a value of one, or a chain from a type to what it holds: `Shelf.best`.
                Value::Of(Target::Symbol(symbol)) if self.is_read(symbol) => self.value_of(symbol, limit.deeper()),
                Value::Instance(symbol) => vec![Value::Instance(symbol)],
                Value::Of(outside @ Target::Outside { .. }) => vec![Value::Of(outside)],
                Value::Held(held) => vec![Value::Held(held)],
                _ => Vec::new(),
            })
            .collect()
    }

    pub(super) fn member_of_text(&self, receiver: &str, name: &str, here: Here, limit: Limit) -> Option<Known> {
        let values = self.chain(&links(receiver)?, here, limit);
        let targets: Vec<Target> = values.iter().flat_map(|value| self.member_of(value, name, limit)).collect();
        (!targets.is_empty()).then_some(Known { targets, tier: Tier::Import, confidence: confidence::TYPED_MEMBER })
    }

    pub(super) fn member_of(&self, value: &Value, name: &str, limit: Limit) -> Vec<Target> {
        if limit.is_reached() {
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
            Value::Held(held) => self.member_of(held, name, limit.deeper()),
            Value::Of(Target::Symbol(symbol)) => self.member_of_symbol(*symbol, name, limit),
            Value::Of(Target::File(file)) => self.exported(*file, name, limit.deeper()),
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

    pub(super) fn member_of_symbol(&self, symbol: SymbolNo, name: &str, limit: Limit) -> Vec<Target> {
        let row = self.tree.row(symbol);
        if row.kind.is_type() {
            let own = self.type_member(symbol, name);
            if !own.is_empty() || row.kind != Kind::Type {
                return own.into_iter().map(Target::Symbol).collect();
            }
        }
        let own = self.held_by(symbol, self.tree.number(name), name);
        if !own.is_empty() {
            return own.into_iter().map(Target::Symbol).collect();
        }
        if !self.is_read(symbol) {
            return Vec::new();
        }
        let values = self.value_of(symbol, limit.deeper());
        values.iter().flat_map(|value| self.member_of(value, name, limit.deeper().deeper())).collect()
    }

    /// A property is read without being called; a function is not a value of what it returns.
    pub(super) fn is_read(&self, symbol: SymbolNo) -> bool {
        let kind = self.tree.row(symbol).kind;
        !kind.is_callable() || kind == Kind::Property
    }
}
