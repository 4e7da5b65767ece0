//! Which names are local at a place, and what they hold.
//!
//! The reader enters a scope with all the names that it binds, as Python decides them, before it
//! reads what stands in it. So a name is looked up once, however deep its scope stands.

use rustc_hash::FxHashMap;

use super::values::Value;

/// What binding a name in a scope makes of it; a later one wins over an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// It means nothing outside its function.
    Local,
    /// It is defined or imported here or declared `global`, so that other places may mean the same.
    Named,
    /// It is the enclosing function's.
    Nonlocal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// Seen from the scopes inside it.
    Open,
    /// A class: what it binds is not seen from its methods.
    Class,
}

#[derive(Default)]
pub struct Scopes<'t, 'a> {
    /// The newest binding of each name; only looked up, so that its order does not matter.
    newest: FxHashMap<&'t str, usize>,
    bindings: Vec<Binding<'t, 'a>>,
    open: Vec<(ScopeKind, usize)>,
}

struct Binding<'t, 'a> {
    name: &'t str,
    scope: usize,
    bound: Bound,
    value: Value<'a>,
    /// The binding of the same name around this one.
    outer: Option<usize>,
}

impl<'t, 'a> Scopes<'t, 'a> {
    pub fn enter(&mut self, kind: ScopeKind, names: &[(&'t str, Bound)]) {
        self.open.push((kind, self.bindings.len()));
        self.declare_all(names);
    }

    /// Locals first: what else a name is bound as then finds the local that it overrides.
    pub fn declare_all(&mut self, names: &[(&'t str, Bound)]) {
        for (name, bound) in names.iter().filter(|(_, bound)| *bound == Bound::Local) {
            self.declare(name, *bound, Value::default());
        }
        for (name, bound) in names.iter().filter(|(_, bound)| *bound != Bound::Local) {
            self.declare(name, *bound, Value::default());
        }
    }

    /// Adds a name to the scope that was entered last.
    pub fn declare(&mut self, name: &'t str, bound: Bound, value: Value<'a>) {
        let scope = self.open.len();
        let known = self.newest.get(name).copied();
        match known {
            Some(at) if self.bindings[at].scope == scope => {
                let binding = &mut self.bindings[at];
                binding.bound = binding.bound.max(bound);
            }
            // Where no function around binds the name, there is nothing to keep apart from it.
            None if bound != Bound::Local => {}
            outer => {
                self.newest.insert(name, self.bindings.len());
                self.bindings.push(Binding { name, scope, bound, value, outer });
            }
        }
    }

    pub fn leave(&mut self) {
        let (_, first) = self.open.pop().expect("a scope is left as often as entered");
        while self.bindings.len() > first {
            let Some(Binding { name, outer, .. }) = self.bindings.pop() else { return };
            match outer {
                Some(outer) => self.newest.insert(name, outer),
                None => self.newest.remove(name),
            };
        }
    }

    pub fn is_local(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// What a local holds here; `None` when the name is not local.
    pub fn value(&self, name: &str) -> Option<Value<'a>> {
        self.find(name).map(|at| self.bindings[at].value)
    }

    /// From here on a local holds something else.
    pub fn set(&mut self, name: &str, value: Value<'a>) {
        if let Some(at) = self.find(name) {
            self.bindings[at].value = value;
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        if self.bindings.is_empty() {
            return None;
        }
        let mut next = self.newest.get(name).copied();
        while let Some(at) = next {
            let binding = &self.bindings[at];
            let hidden = binding.scope != self.open.len() && self.open[binding.scope - 1].0 == ScopeKind::Class;
            match binding.bound {
                _ if hidden => {}
                Bound::Local => return Some(at),
                Bound::Named => return None,
                Bound::Nonlocal => {}
            }
            next = binding.outer;
        }
        None
    }
}
