//! Functions that are members of an object literal.

use std::borrow::Cow;

use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::binding::inside;
use super::definition::{Callable, Named};
use super::value::unwrapped;
use super::{Finder, Visibility, span};
use crate::record::Kind;

impl<'t> Finder<'t> {
    /// Of the object that a variable is set to, or that a call turns into its value, as in
    /// `defineStore({ … })`.
    pub(super) fn define_members_of_value(&mut self, value: &Expression, of: usize) {
        match unwrapped(value) {
            Expression::ObjectExpression(object) => {
                self.define_members(object, &mut Vec::new(), Visibility::Member(of));
            }
            Expression::CallExpression(call) => {
                for argument in call.arguments.iter().filter_map(Argument::as_expression) {
                    if let Expression::ObjectExpression(object) = unwrapped(argument) {
                        self.define_members(object, &mut Vec::new(), Visibility::Member(of));
                    }
                }
            }
            _ => {}
        }
    }

    /// `container` holds the keys around the object, which nesting does not show.
    pub(super) fn define_members(
        &mut self,
        object: &ObjectExpression,
        container: &mut Vec<Cow<'t, str>>,
        visibility: Visibility,
    ) {
        for property in object.properties.iter().filter_map(ObjectPropertyKind::as_property) {
            match &property.value {
                Expression::ObjectExpression(inner) => {
                    container.push(self.key_text(&property.key).into());
                    self.define_members(inner, container, visibility);
                    container.pop();
                }
                value => self.define_member(property, value, container, visibility),
            }
        }
    }

    fn define_member(
        &mut self,
        property: &ObjectProperty,
        value: &Expression,
        container: &[Cow<'t, str>],
        visibility: Visibility,
    ) {
        let Some(callable) = Callable::of(value) else { return };
        let kind = if property.kind.is_accessor() { Kind::Property } else { Kind::Method };
        let named = Named {
            name: self.key_text(&property.key),
            at: key_span(&property.key),
            whole: span(property.span),
            kind,
            container: container.to_vec(),
            visibility,
        };
        self.define_callable(named, callable);
    }

    pub(super) fn key_text(&self, key: &PropertyKey) -> &'t str {
        self.slice(key_span(key))
    }
}

/// A key without its quotes.
pub fn key_span(key: &PropertyKey) -> oxc_span::Span {
    match key {
        PropertyKey::StringLiteral(it) => inside(it),
        key => key.span(),
    }
}
