//! The names that functions and blocks bind, and what they hold at the place of the walk.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::language::facts::Held;

/// One stack for all open scopes; each name knows where its innermost binding stands on it.
#[derive(Default)]
pub struct Locals<'t> {
    stack: Vec<Local<'t>>,
    innermost: FxHashMap<&'t str, u32>,
}

pub struct Local<'t> {
    name: &'t str,
    meaning: Meaning,
    /// Has a type of its own that no assignment changes.
    annotated: bool,
    pub held: Held<'t>,
    /// The place on the stack of the binding that this one hides.
    hidden: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A value that means nothing outside its function.
    Value,
    /// A type parameter.
    Type,
    /// A definition or an import: it hides locals further out and is mentioned itself.
    Known,
}

const NOWHERE: u32 = u32::MAX;

impl<'t> Locals<'t> {
    /// How many are bound; what [`Locals::leave`] goes back to.
    pub fn mark(&self) -> usize {
        self.stack.len()
    }

    pub fn leave(&mut self, mark: usize) {
        for local in self.stack.drain(mark..).rev() {
            self.innermost.insert(local.name, local.hidden);
        }
    }

    pub fn bind(&mut self, name: &'t str, meaning: Meaning) {
        self.bind_held(name, meaning, Held::default());
    }

    pub fn bind_held(&mut self, name: &'t str, meaning: Meaning, held: Held<'t>) {
        let at = self.stack.len() as u32;
        let hidden = self.innermost.insert(name, at).unwrap_or(NOWHERE);
        let annotated = held.value_type.is_some();
        self.stack.push(Local { name, meaning, annotated, held, hidden });
    }

    pub fn is_value(&self, name: &str) -> bool {
        self.find(name).is_some_and(|local| local.meaning == Meaning::Value)
    }

    pub fn is_type(&self, name: &str) -> bool {
        self.find(name).is_some_and(|local| local.meaning == Meaning::Type)
    }

    pub fn held(&self, name: &str) -> Option<&Held<'t>> {
        self.find(name).filter(|local| local.meaning == Meaning::Value).map(|local| &local.held)
    }

    /// A declaration that gives a value, or a type that stays.
    pub fn declare(&mut self, name: &str, held: Held<'t>, annotated: bool) {
        if let Some(local) = self.find_mut(name) {
            local.annotated = annotated;
            local.held = held;
        }
    }

    /// What a name is, as the value shows that it is taken from.
    pub fn learn(&mut self, name: &str, value_type: Option<Cow<'t, str>>) {
        if let Some(local) = self.find_mut(name).filter(|local| local.meaning == Meaning::Value) {
            local.held.value_type = value_type;
        }
    }

    /// An assignment; one that says nothing leaves what is known.
    pub fn assign(&mut self, name: &str, held: Held<'t>) {
        if held == Held::default() {
            return;
        }
        if let Some(local) = self.find_mut(name).filter(|local| local.meaning == Meaning::Value) {
            let value_type = if local.annotated { local.held.value_type.take() } else { held.value_type };
            local.held = Held { source: held.source, value_type };
        }
    }

    fn find(&self, name: &str) -> Option<&Local<'t>> {
        if self.stack.is_empty() {
            return None;
        }
        let at = *self.innermost.get(name)?;
        self.stack.get(at as usize)
    }

    fn find_mut(&mut self, name: &str) -> Option<&mut Local<'t>> {
        let at = *self.innermost.get(name)?;
        self.stack.get_mut(at as usize)
    }
}
