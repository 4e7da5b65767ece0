//! Destructured and constructed objects: `const { a, b: c } = value`, `for (const a of list)`,
//! `const value: Type = { a, b }`. Each name is one of the value's type.

use std::borrow::Cow;

use oxc_ast::ast::*;

use super::object::key_span;
use super::value::unwrapped;
use super::{Finder, span};
use crate::language::facts::{Mention, UNKNOWN, element_type, member_type};
use crate::record::Role;

/// Methods that give each element of what they are called on to the function they are given.
const VISITORS: &[&str] = &["every", "filter", "find", "findIndex", "findLast", "flatMap", "forEach", "map", "some"];

/// What is longer says too little to go on.
const MAX_TYPE_BYTES: usize = 120;

/// Something of which parts are named.
#[derive(Clone)]
pub struct Whole<'t> {
    /// As written.
    receiver: Cow<'t, str>,
    value_type: Option<Cow<'t, str>>,
}

impl<'t> Whole<'t> {
    /// A value that only its type is known of.
    pub fn of_type(value_type: Option<Cow<'t, str>>) -> Self {
        Whole { receiver: UNKNOWN.into(), value_type }
    }

    fn part(&self, name: &str) -> Self {
        let known = self.value_type.as_ref().filter(|known| known.len() < MAX_TYPE_BYTES);
        Whole::of_type(known.map(|known| member_type(known, &format!(".{name}"))))
    }

    fn element(&self) -> Self {
        let known = self.value_type.as_ref().filter(|known| known.len() < MAX_TYPE_BYTES);
        Whole::of_type(known.map(|known| element_type(known)))
    }

    fn is_unknown(&self) -> bool {
        self.receiver == UNKNOWN && self.value_type.is_none()
    }
}

impl<'t> Finder<'t> {
    /// What an expression is, as other functions would name it.
    pub(super) fn whole(&self, value: &Expression) -> Whole<'t> {
        let receiver = self.receiver(value);
        let value_type = match self.local_type(&receiver) {
            Some(known) => known,
            None => self.held(value).receiver_type().or_else(|| Some(receiver.clone()).filter(|it| it != UNKNOWN)),
        };
        Whole { receiver, value_type }
    }

    /// Mentions the members that a pattern takes and notes of its names what they hold.
    pub(super) fn take_apart(&mut self, pattern: &BindingPattern, whole: &Whole<'t>) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                self.locals.learn(self.slice(name.span), whole.value_type.clone());
            }
            BindingPattern::AssignmentPattern(it) => self.take_apart(&it.left, whole),
            BindingPattern::ObjectPattern(it) => {
                for property in it.properties.iter().filter(|property| !property.computed) {
                    self.use_part(&property.key, whole);
                    self.take_apart(&property.value, &whole.part(self.key_text(&property.key)));
                }
            }
            BindingPattern::ArrayPattern(it) => {
                let element = whole.element();
                it.elements.iter().flatten().for_each(|pattern| self.take_apart(pattern, &element));
            }
        }
    }

    /// Mentions the members of a type that an object is made with.
    pub(super) fn put_together(&mut self, value: &Expression, whole: &Whole<'t>) {
        match unwrapped(value) {
            Expression::ObjectExpression(object) if whole.value_type.is_some() => {
                for property in object.properties.iter().filter_map(ObjectPropertyKind::as_property) {
                    if !property.computed {
                        self.use_part(&property.key, whole);
                        self.put_together(&property.value, &whole.part(self.key_text(&property.key)));
                    }
                }
            }
            Expression::ArrayExpression(array) if whole.value_type.is_some() => {
                let element = whole.element();
                let values = array.elements.iter().filter_map(ArrayExpressionElement::as_expression);
                values.for_each(|value| self.put_together(value, &element));
            }
            Expression::ConditionalExpression(it) => {
                self.put_together(&it.consequent, whole);
                self.put_together(&it.alternate, whole);
            }
            _ => {}
        }
    }

    fn use_part(&mut self, key: &PropertyKey, whole: &Whole<'t>) {
        if whole.is_unknown() {
            return;
        }
        let at = key_span(key);
        let mention = Mention::new(Role::Use, self.slice(at), span(at)).with_receiver(whole.receiver.clone());
        let receiver_type = whole.value_type.clone().filter(|known| *known != whole.receiver);
        self.facts.mentions.push(Mention { receiver_type, ..mention });
    }

    /// What each turn of a loop holds.
    pub(super) fn turn(&self, list: &Expression) -> Whole<'t> {
        self.whole(list).element()
    }

    /// What a call gives to the function that it is given: `book` in `books.map((book) => …)`.
    pub(super) fn visited(&self, call: &CallExpression) -> Option<Whole<'t>> {
        let Expression::StaticMemberExpression(callee) = &call.callee else { return None };
        let visits = VISITORS.contains(&callee.property.name.as_str());
        visits.then(|| self.turn(&callee.object)).filter(|turn| turn.value_type.is_some())
    }
}
