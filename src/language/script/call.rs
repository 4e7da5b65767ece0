//! Mentions of names: calls with what flows into them, uses, types and bases.

use std::borrow::Cow;

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
        let mut mention = Mention::new(role, self.slice(at), span(at));
        mention.receiver_type = self.receiver_type(object);
        mention.receiver = Some(self.receiver(object));
        self.facts.mentions.push(mention);
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
        let name = self.slice(at);
        if self.locals.is_value(name) {
            return;
        }
        let mut mention = Mention::new(Role::Call, name, span(at));
        mention.arguments = arguments.map(|arguments| arguments.len() as u32);
        self.facts.mentions.push(mention);
        for (position, argument) in arguments.unwrap_or_default().iter().enumerate() {
            self.flow(position, argument, at, None);
        }
    }

    fn call_member<'a>(&mut self, object: &Expression<'a>, at: oxc_span::Span, arguments: Option<&[Argument<'a>]>) {
        self.visit_expression(object);
        let receiver = self.receiver(object);
        let mut mention = Mention::new(Role::Call, self.slice(at), span(at));
        mention.receiver_type = self.receiver_type(object);
        mention.receiver = Some(receiver.clone());
        mention.arguments = arguments.map(|arguments| arguments.len() as u32);
        self.facts.mentions.push(mention);
        for (position, argument) in arguments.unwrap_or_default().iter().enumerate() {
            self.flow(position, argument, at, Some(&receiver));
        }
        // A receiver that is a parameter says nothing that the receiver itself does not.
        let held = self.held(object);
        if matches!(held.source, Some(HeldSource::Call(_))) {
            let mut mention = Mention::new(Role::Flow, self.slice(at), span(at));
            mention.receiver = Some(receiver);
            mention.flow = held.flow(None);
            self.facts.mentions.push(mention);
        }
    }

    fn flow(&mut self, position: usize, argument: &Argument, at: oxc_span::Span, receiver: Option<&Cow<'t, str>>) {
        let value = match argument {
            Argument::SpreadElement(spread) => &spread.argument,
            argument => argument.to_expression(),
        };
        if let Some(flow) = self.held(value).flow(Some(position as u32)) {
            let mut mention = Mention::new(Role::Flow, self.slice(at), span(at));
            mention.receiver = receiver.cloned();
            mention.flow = Some(flow);
            self.facts.mentions.push(mention);
        }
    }

    /// `super(…)` calls the constructor of the base.
    pub(super) fn call_super(&mut self, at: oxc_span::Span, arguments: &[Argument]) {
        let mut mention = Mention::new(Role::Call, self.slice(at), span(at));
        mention.arguments = Some(arguments.len() as u32);
        self.facts.mentions.push(mention);
        for (position, argument) in arguments.iter().enumerate() {
            self.flow(position, argument, at, None);
        }
    }

    /// An element of JSX calls the component that it names; lower-case tags are the page's own.
    pub(super) fn call_element(&mut self, name: &JSXElementName) {
        match name {
            JSXElementName::IdentifierReference(it) => self.call_name(it.span, None),
            JSXElementName::MemberExpression(it) => {
                self.use_element_object(&it.object);
                let mut mention = Mention::new(Role::Call, self.slice(it.property.span), span(it.property.span));
                mention.receiver = Some(self.slice(it.object.span()).into());
                self.facts.mentions.push(mention);
            }
            _ => {}
        }
    }

    fn use_element_object(&mut self, object: &JSXMemberExpressionObject) {
        match object {
            JSXMemberExpressionObject::IdentifierReference(it) => self.use_name(Role::Use, it.span),
            JSXMemberExpressionObject::MemberExpression(it) => {
                self.use_element_object(&it.object);
                let mut mention = Mention::new(Role::Use, self.slice(it.property.span), span(it.property.span));
                mention.receiver = Some(self.slice(it.object.span()).into());
                self.facts.mentions.push(mention);
            }
            JSXMemberExpressionObject::ThisExpression(_) => {}
        }
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
                let mut mention = Mention::new(role, self.slice(it.right.span), span(it.right.span));
                mention.receiver = Some(self.slice(it.left.span()).into());
                self.facts.mentions.push(mention);
            }
            TSTypeName::ThisExpression(_) => {}
        }
    }
}

fn is_module_exports(object: &Expression, name: &str) -> bool {
    name == "exports" && matches!(object, Expression::Identifier(it) if it.name.as_str() == "module")
}
