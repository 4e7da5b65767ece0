//! What an expression evaluates to: receivers, chains of members, types as they are written.

use super::{
    Limit, MAX_CANDIDATES, Resolution, Resolver, Scope, Target, TypedValue, confidence, is_container_member, names_type,
};
use crate::graph::chain::{Link, Suffix, WrittenType, alternatives, links};
use crate::graph::tree::{SymbolNo, dotted};
use crate::language::NameRule;
use crate::language::modules::Located;
use crate::record::{Kind, Tier};

impl<'t> Resolver<'t> {
    /// The values of a receiver, if it can be followed.
    pub(super) fn receiver(
        &self,
        text: &str,
        links: &[Link],
        scope: Scope,
        rule: &NameRule,
        is_bound: &dyn Fn(&str) -> bool,
        limit: Limit,
    ) -> Option<Vec<TypedValue>> {
        let head = links[0].name;
        let is_keyword = rule.self_words.iter().chain(&rule.super_words).any(|word| word == head);
        let upper = head.starts_with(|c: char| c.is_uppercase() || matches!(c, '@' | '$'));
        let is_followed = is_keyword
            || upper
            || is_bound(head)
            || text.as_bytes().windows(2).any(|pair| pair == b"::")
            || self.is_full_name(text, rule)
            || self.is_path_head(head, scope, rule, limit);
        is_followed.then(|| self.chain(links, scope, limit))
    }

    /// Whether it is the full name of a package or a definition.
    pub(super) fn is_full_name(&self, text: &str, rule: &NameRule) -> bool {
        let is_known = |full: String| self.tree.has_package(&full) || !self.tree.full_name(&full).is_empty();
        rule.packages_in_scope && is_known(dotted(text))
    }

    /// Whether a name can only start a path: a word for a module, or a namespace.
    pub(super) fn is_path_head(&self, name: &str, scope: Scope, rule: &NameRule, limit: Limit) -> bool {
        let is_namespace = |target: &Target| match target {
            Target::Symbol(symbol) => self.tree.row(*symbol).kind == Kind::Namespace,
            _ => false,
        };
        // `self` is a value as well.
        let is_word = rule.is_module_word(name) && !rule.self_words.iter().any(|word| word == name);
        let lookup = || self.lookup(name, scope, limit);
        let starts_with_namespace = || lookup().is_some_and(|found| found.targets.first().is_some_and(is_namespace));
        is_word || rule.open_namespaces && starts_with_namespace()
    }

    /// What `crate`, `self` and `super` mean at the start of a path.
    pub(super) fn module_word(&self, word: &str, scope: Scope, rule: &NameRule) -> Option<TypedValue> {
        if !rule.is_module_word(word) {
            return None;
        }
        let is_namespace = |symbol: &SymbolNo| self.tree.row(*symbol).kind == Kind::Namespace;
        let mut around = self.tree.parents(scope.symbol).filter(is_namespace);
        let file = || match self.modules.locate(rule.modules, scope.file, word) {
            Located::Files(files, _) => files.first().copied().map(Target::File),
            _ => None,
        };
        let target = match (word, around.next(), around.next()) {
            ("self", Some(inner), _) | ("super", Some(_), Some(inner)) => Some(Target::Symbol(inner)),
            ("super", Some(_), None) => Some(Target::File(scope.file)),
            _ => file(),
        };
        target.map(TypedValue::Definition)
    }

    pub(super) fn chain(&self, links: &[Link], scope: Scope, limit: Limit) -> Vec<TypedValue> {
        let Some(rule) = self.rule(scope).filter(|_| !limit.is_reached()) else { return Vec::new() };
        let mut values = self.head(&links[0], scope, rule, limit);
        for link in &links[1..] {
            let members: Vec<TypedValue> =
                values.iter().flat_map(|value| self.step(value, link, rule, limit.deeper())).collect();
            values = members;
            values.truncate(MAX_CANDIDATES);
        }
        values
    }

    pub(super) fn head(&self, link: &Link, scope: Scope, rule: &NameRule, limit: Limit) -> Vec<TypedValue> {
        if let Some(written) = link.name.strip_prefix('<').and_then(|name| name.strip_suffix('>')) {
            return match link.suffix {
                Suffix::None => self.types(written, scope, limit.deeper()),
                Suffix::Index => self.each_of(written, scope, limit.deeper()),
                Suffix::Call => Vec::new(),
            };
        }
        if rule.self_words.iter().any(|word| word == link.name)
            && let Some(own) = self.self_type(scope)
        {
            return vec![TypedValue::Instance(own)];
        }
        if let Some(module) = self.module_word(link.name, scope, rule) {
            return vec![module];
        }
        if rule.super_words.iter().any(|word| word == link.name) {
            return self.self_type(scope).map(TypedValue::Base).into_iter().collect();
        }
        if link.name.starts_with('@') {
            let own = self.self_type(scope).map(TypedValue::Instance);
            return own.iter().flat_map(|own| self.step(own, link, rule, limit.deeper())).collect();
        }
        let resolution = self.lookup(link.name, scope, limit.deeper()).or_else(|| self.only_type(link.name, rule));
        let package = || self.package(link.name, scope, rule).into_iter().collect();
        let values =
            resolution.map_or_else(package, |resolution| resolution.targets).into_iter().map(TypedValue::Definition);
        values.flat_map(|value| self.suffixed(value, link.suffix, rule, limit)).collect()
    }

    pub(super) fn step(&self, value: &TypedValue, link: &Link, rule: &NameRule, limit: Limit) -> Vec<TypedValue> {
        let opens = rule.unwrappers.iter().any(|word| word == link.name);
        if matches!(value, TypedValue::Wrapped(_)) && is_container_member(link.name, rule) {
            return if opens { vec![value.clone()] } else { Vec::new() };
        }
        if let TypedValue::Definition(Target::Outside { module, name: None }) = value
            && rule.has_module_tree()
            && link.suffix == Suffix::None
        {
            // Only the last part of a path is a name: `std::fs::read` is `read` of the module `std::fs`.
            let module = if module.is_empty() { String::new() } else { format!("{module}::{}", link.name) };
            return vec![TypedValue::Definition(Target::Outside { module, name: None })];
        }
        let members = self.member_of(value, link.name, limit);
        match value {
            TypedValue::Instance(_) if members.is_empty() && opens => return vec![value.clone()],
            // `self.items.iter()` in a loop gives an item.
            TypedValue::Definition(Target::Symbol(list))
                if members.is_empty() && opens && link.suffix == Suffix::Index =>
            {
                return self.elements(*list, limit.deeper());
            }
            _ => {}
        }
        let constructs = rule.constructors.iter().any(|word| word == link.name);
        let found = members.into_iter().map(TypedValue::Definition);
        let found: Vec<TypedValue> = found.flat_map(|value| self.suffixed(value, link.suffix, rule, limit)).collect();
        match value {
            // A constructor without a return type.
            TypedValue::Definition(Target::Symbol(symbol)) if found.is_empty() && constructs => {
                vec![TypedValue::Instance(*symbol)]
            }
            _ => found,
        }
    }

    pub(super) fn suffixed(&self, value: TypedValue, suffix: Suffix, rule: &NameRule, limit: Limit) -> Vec<TypedValue> {
        match (suffix, &value) {
            (Suffix::None, _) => vec![value],
            (Suffix::Call, TypedValue::Definition(Target::Symbol(symbol))) => self.result(*symbol, limit),
            (Suffix::Call, TypedValue::Definition(Target::Outside { name, .. }))
                if !names_type(name.as_deref(), rule) =>
            {
                vec![TypedValue::Definition(Target::Outside { module: String::new(), name: None })]
            }
            (_, TypedValue::Definition(Target::Outside { .. })) => vec![value],
            (Suffix::Index, TypedValue::Definition(Target::Symbol(symbol))) => self.elements(*symbol, limit),
            _ => Vec::new(),
        }
    }

    /// The result of a call: an instance for a type, the return type for a function.
    pub(super) fn result(&self, symbol: SymbolNo, limit: Limit) -> Vec<TypedValue> {
        let parent = self.tree.parent(symbol);
        match (self.tree.row(symbol).kind, parent) {
            (kind, _) if kind.is_type() => vec![TypedValue::Instance(symbol)],
            (Kind::Constructor, Some(parent)) => vec![TypedValue::Instance(parent)],
            _ => {
                let result = self.value_of(symbol, limit);
                // Where functions construct, they have methods.
                let rule = self.tree.symbols[symbol as usize].rule;
                let constructs = rule.is_some_and(|rule| rule.functions_construct);
                if result.is_empty() && constructs { vec![TypedValue::Instance(symbol)] } else { result }
            }
        }
    }

    pub(super) fn value_of(&self, symbol: SymbolNo, limit: Limit) -> Vec<TypedValue> {
        let row = self.tree.row(symbol);
        let Some(written) = row.value_type.as_deref().filter(|_| !limit.is_reached()) else { return Vec::new() };
        self.types(written, self.around(symbol), limit.deeper())
    }

    pub(super) fn elements(&self, symbol: SymbolNo, limit: Limit) -> Vec<TypedValue> {
        let row = self.tree.row(symbol);
        let Some(written) = row.value_type.as_deref().filter(|_| !limit.is_reached()) else { return Vec::new() };
        self.elements_of(written, self.around(symbol), limit.deeper())
    }

    /// The elements of a list of this type.
    pub(super) fn elements_of(&self, list: &str, scope: Scope, limit: Limit) -> Vec<TypedValue> {
        let of_each = |written: WrittenType| match (written.is_list, written.arguments.last()) {
            (true, _) => self.typed(written.name, scope, limit.deeper()),
            (false, Some(last)) => self.types(last, scope, limit.deeper()),
            (false, None) => Vec::new(),
        };
        alternatives(list).into_iter().flat_map(of_each).collect()
    }

    /// What a loop over a value of this type gives. With two type arguments that is not known.
    pub(super) fn each_of(&self, text: &str, scope: Scope, limit: Limit) -> Vec<TypedValue> {
        let is_type = || alternatives(text).iter().any(|written| written.is_list || !written.arguments.is_empty());
        let is_chain = text.starts_with('<') || text.contains("()") || !is_type();
        if let Some(mut chain) = links(text).filter(|_| !limit.is_reached() && is_chain) {
            let last = chain.len() - 1;
            chain[last].suffix = Suffix::None;
            let values = self.chain(&chain, scope, limit.deeper()).into_iter();
            return values
                .flat_map(|value| match value {
                    TypedValue::Definition(Target::Symbol(symbol)) if !self.tree.row(symbol).kind.is_type() => {
                        let written = self.tree.row(symbol).value_type.as_deref();
                        written
                            .map(|written| self.each_of(written, self.around(symbol), limit.deeper()))
                            .unwrap_or_default()
                    }
                    _ => Vec::new(),
                })
                .collect();
        }
        let of_each = |written: WrittenType| match (written.is_list, written.arguments.as_slice()) {
            (true, _) => self.typed(written.name, scope, limit.deeper()),
            (false, [one]) => self.types(one, scope, limit.deeper()),
            _ => Vec::new(),
        };
        alternatives(text).into_iter().filter(|_| !limit.is_reached()).flat_map(of_each).collect()
    }

    /// The scope in which the type of a symbol is written.
    pub(super) fn around(&self, symbol: SymbolNo) -> Scope {
        Scope { file: self.tree.file_of(symbol), symbol: self.tree.parent(symbol), in_type: false }
    }

    /// The values that a type may have, as it is written.
    pub(super) fn types(&self, text: &str, scope: Scope, limit: Limit) -> Vec<TypedValue> {
        if limit.is_reached() {
            return Vec::new();
        }
        if text.starts_with('<')
            && let Some(links) = links(text)
        {
            return self.chain(&links, scope, limit.deeper());
        }
        if text.contains(['(', '[']) && links(text).is_some() {
            return self.typed(text, scope, limit.deeper());
        }
        if let Some(list) = text.strip_suffix("[]") {
            return self.elements_of(list, scope, limit.deeper());
        }
        let Some(rule) = self.rule(scope) else { return Vec::new() };
        let mut values: Vec<TypedValue> = alternatives(text)
            .into_iter()
            .flat_map(|written| {
                if written.is_list {
                    return Vec::new();
                }
                let last = written.name.rsplit(['.', ':']).next().unwrap_or(written.name);
                match written.arguments.first() {
                    Some(first) if rule.wrappers.iter().any(|wrapper| wrapper == last) => {
                        self.types(first, scope, limit.deeper())
                    }
                    Some(first) if rule.containers.iter().any(|container| container == last) => {
                        let content = self.types(first, scope, limit.deeper()).into_iter();
                        content.map(|value| TypedValue::Wrapped(Box::new(value))).collect()
                    }
                    _ => self.typed(written.name, scope, limit.deeper()),
                }
            })
            .collect();
        values.sort();
        values.dedup();
        values
    }

    /// An instance of the type with this name.
    pub(super) fn typed(&self, name: &str, scope: Scope, limit: Limit) -> Vec<TypedValue> {
        let Some(links) = links(name).filter(|_| !limit.is_reached()) else { return Vec::new() };
        let values = self.chain(&links, scope, limit.deeper());
        values
            .into_iter()
            .flat_map(|value| match value {
                TypedValue::Definition(Target::Symbol(symbol)) if self.tree.row(symbol).kind == Kind::Type => {
                    let aliased = self.value_of(symbol, limit.deeper());
                    if aliased.is_empty() { vec![TypedValue::Instance(symbol)] } else { aliased }
                }
                TypedValue::Definition(Target::Symbol(symbol)) if self.tree.row(symbol).kind.is_type() => {
                    vec![TypedValue::Instance(symbol)]
                }
                // Where functions construct, they are types too.
                TypedValue::Definition(Target::Symbol(symbol)) if self.tree.row(symbol).kind == Kind::Function => {
                    vec![TypedValue::Instance(symbol)]
                }
                // Not a type, but a value of one, or a chain that starts with a type: `Shelf.best`.
                TypedValue::Definition(Target::Symbol(symbol)) if self.is_read(symbol) => {
                    self.value_of(symbol, limit.deeper())
                }
                TypedValue::Instance(symbol) => vec![TypedValue::Instance(symbol)],
                TypedValue::Definition(outside @ Target::Outside { .. }) => vec![TypedValue::Definition(outside)],
                TypedValue::Wrapped(content) => vec![TypedValue::Wrapped(content)],
                _ => Vec::new(),
            })
            .collect()
    }

    pub(super) fn member_of_text(&self, receiver: &str, name: &str, scope: Scope, limit: Limit) -> Option<Resolution> {
        let values = self.chain(&links(receiver)?, scope, limit);
        let targets: Vec<Target> = values.iter().flat_map(|value| self.member_of(value, name, limit)).collect();
        (!targets.is_empty()).then_some(Resolution {
            targets,
            tier: Tier::Import,
            confidence: confidence::TYPED_MEMBER,
        })
    }

    pub(super) fn member_of(&self, value: &TypedValue, name: &str, limit: Limit) -> Vec<Target> {
        if limit.is_reached() {
            return Vec::new();
        }
        let symbols = |symbols: Vec<SymbolNo>| symbols.into_iter().map(Target::Symbol).collect();
        match value {
            TypedValue::Instance(symbol) => {
                let is_type = self.tree.row(*symbol).kind.is_type();
                let mut members = self.type_member(*symbol, name);
                members.retain(|member| is_type || self.tree.row(*member).kind != Kind::Function);
                symbols(members)
            }
            TypedValue::Base(symbol) => {
                let bases = self.bases_of(*symbol).iter();
                symbols(
                    bases.map(|base| self.type_member(*base, name)).find(|found| !found.is_empty()).unwrap_or_default(),
                )
            }
            TypedValue::Wrapped(content) => self.member_of(content, name, limit.deeper()),
            TypedValue::Definition(Target::Symbol(symbol)) => self.member_of_symbol(*symbol, name, limit),
            TypedValue::Definition(Target::File(file)) => self.exported(*file, name, limit.deeper()),
            TypedValue::Definition(Target::Package(package)) => {
                self.known_in_package(package, name).unwrap_or_default()
            }
            TypedValue::Definition(Target::Outside { module, name: inside }) => {
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
        let own = self.own_members(symbol, self.tree.number(name), name);
        if !own.is_empty() {
            return own.into_iter().map(Target::Symbol).collect();
        }
        if !self.is_read(symbol) {
            return Vec::new();
        }
        let values = self.value_of(symbol, limit.deeper());
        values.iter().flat_map(|value| self.member_of(value, name, limit.deeper().deeper())).collect()
    }

    /// Whether naming a symbol gives its value: a function has to be called, a property has not.
    pub(super) fn is_read(&self, symbol: SymbolNo) -> bool {
        let kind = self.tree.row(symbol).kind;
        !kind.is_callable() || kind == Kind::Property
    }
}
