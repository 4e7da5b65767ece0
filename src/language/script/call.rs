//! Mentions of names: calls with what flows into them, uses, types and bases.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

use super::value::{Named, named};
use super::{Finder, span};
use crate::language::facts::{HeldSource, Mention};
use crate::record::Role;

/// Words of the language that the parser has as plain names.
fn is_noise(name: &str) -> bool {
    matches!(name, "undefined" | "NaN" | "Infinity" | "arguments" | "module" | "exports")
}

impl<'t> Finder<'t> {
    /// A plain name that is read or assigned.
    pub(super) fn use_name(&mut self, role: Role, at: oxc_span::Span) {
        let name = self.slice(at);
        if !self.locals.is_value(name) && !is_noise(name) && !self.is_claimed(at) {
            self.facts.mentions.push(Mention::new(role, name, span(at)));
        }
    }

    /// `object.name`, read, assigned or inherited from; the object itself is walked already.
    pub(super) fn use_member(&mut self, role: Role, object: &Expression, at: oxc_span::Span) {
        if is_module_exports(object, self.slice(at)) || self.is_claimed(at) {
            return;
        }
        let mention = self.member(role, object, at);
        self.facts.mentions.push(mention);
    }

    fn member(&self, role: Role, object: &Expression, at: oxc_span::Span) -> Mention<'t> {
        let mention = self.mention(role, at).with_receiver(self.receiver(object));
        Mention { receiver_type: self.receiver_type(object), ..mention }
    }

    fn mention(&self, role: Role, at: oxc_span::Span) -> Mention<'t> {
        Mention::new(role, self.slice(at), span(at))
    }

    /// A place has one role.
    fn is_claimed(&self, at: oxc_span::Span) -> bool {
        !self.claimed.is_empty() && self.claimed.contains(&at.start)
    }

    /// A call or construction. What stands before the name is walked first and the arguments last,
    /// so that mentions come in the order of the text.
    pub(super) fn call<'a>(&mut self, callee: &Expression<'a>, arguments: Option<&[Argument<'a>]>) {
        match named(callee) {
            Named::Plain(at) => self.call_name(at, arguments),
            Named::Member(object, at) => self.call_member(object, at, arguments),
            Named::Nameless => self.visit_expression(callee),
        }
    }

    fn call_name(&mut self, at: oxc_span::Span, arguments: Option<&[Argument]>) {
        if !self.locals.is_value(self.slice(at)) {
            self.push_call(self.mention(Role::Call, at), arguments);
        }
    }

    fn call_member<'a>(&mut self, object: &Expression<'a>, at: oxc_span::Span, arguments: Option<&[Argument<'a>]>) {
        self.visit_expression(object);
        let call = self.member(Role::Call, object, at);
        // A receiver that is a parameter says nothing that the receiver itself does not.
        let held = self.held(object);
        if matches!(held.source, Some(HeldSource::Call(_))) {
            self.facts.mentions.extend(held.flow(None).map(|flow| call.clone().with_flow(flow)));
        }
        self.push_call(call, arguments);
    }

    /// A call, and the values that its arguments bring from another call or from a parameter.
    fn push_call(&mut self, call: Mention<'t>, arguments: Option<&[Argument]>) {
        for (position, argument) in arguments.unwrap_or_default().iter().enumerate() {
            let value = match argument {
                Argument::SpreadElement(spread) => &spread.argument,
                argument => argument.to_expression(),
            };
            let flow = self.held(value).flow(Some(position as u32));
            self.facts.mentions.extend(flow.map(|flow| call.clone().with_flow(flow)));
        }
        let arguments = arguments.map(|arguments| arguments.len() as u32);
        self.facts.mentions.push(Mention { arguments, ..call });
    }

    /// `super(…)` calls the constructor of the base.
    pub(super) fn call_super(&mut self, at: oxc_span::Span, arguments: &[Argument]) {
        self.push_call(self.mention(Role::Call, at), Some(arguments));
    }

    /// An element of JSX calls the component that it names; lower-case tags are the page's own.
    pub(super) fn call_element(&mut self, name: &JSXElementName) {
        match name {
            JSXElementName::IdentifierReference(it) => self.call_name(it.span, None),
            JSXElementName::MemberExpression(it) => {
                self.use_element_object(&it.object);
                self.push_part(Role::Call, it.object.span(), it.property.span);
            }
            _ => {}
        }
    }

    fn use_element_object(&mut self, object: &JSXMemberExpressionObject) {
        match object {
            JSXMemberExpressionObject::IdentifierReference(it) => self.use_name(Role::Use, it.span),
            JSXMemberExpressionObject::MemberExpression(it) => {
                self.use_element_object(&it.object);
                self.push_part(Role::Use, it.object.span(), it.property.span);
            }
            JSXMemberExpressionObject::ThisExpression(_) => {}
        }
    }

    /// The last name of a path that is written out.
    fn push_part(&mut self, role: Role, before: oxc_span::Span, at: oxc_span::Span) {
        let mention = self.mention(role, at).with_receiver(self.slice(before));
        self.facts.mentions.push(mention);
    }

    /// The name of a type, or of a value in a type's place.
    pub(super) fn use_type_name(&mut self, role: Role, name: &TSTypeName) {
        match name {
            TSTypeName::IdentifierReference(it) if role == Role::Use => self.use_name(role, it.span),
            TSTypeName::IdentifierReference(it) => {
                let name = self.slice(it.span);
                if !self.locals.is_type(name) && name != "const" {
                    self.facts.mentions.push(Mention::new(role, name, span(it.span)));
                }
            }
            TSTypeName::QualifiedName(it) => {
                self.use_type_name(Role::Use, &it.left);
                self.push_part(role, it.left.span(), it.right.span);
            }
            TSTypeName::ThisExpression(_) => {}
        }
    }
}

fn is_module_exports(object: &Expression, name: &str) -> bool {
    name == "exports" && matches!(object, Expression::Identifier(it) if it.name.as_str() == "module")
}
