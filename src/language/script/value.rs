//! What an expression gives: where its value comes from, what type it has, and how it reads as a
//! receiver.

use std::borrow::Cow;

use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::Finder;
use crate::language::facts::{self, CallTarget, Held, MAX_RECEIVER_BYTES, typed_call, typed_receiver};

/// Longer chains of members and calls say no more than `?`.
const MAX_RECEIVER_LINKS: u32 = 40;

/// The expression inside what only wraps it: `(x)`, `await x`, `x!`, `x as T`.
pub fn unwrapped<'e, 'a>(mut expression: &'e Expression<'a>) -> &'e Expression<'a> {
    loop {
        expression = match expression {
            Expression::ParenthesizedExpression(it) => &it.expression,
            Expression::AwaitExpression(it) => &it.argument,
            Expression::TSNonNullExpression(it) => &it.expression,
            Expression::TSAsExpression(it) => &it.expression,
            Expression::TSSatisfiesExpression(it) => &it.expression,
            Expression::TSTypeAssertion(it) => &it.expression,
            Expression::TSInstantiationExpression(it) => &it.expression,
            other => return other,
        }
    }
}

/// The last name of what is called or constructed, and what stands before it.
pub enum Named<'e, 'a> {
    Plain(oxc_span::Span),
    Member(&'e Expression<'a>, oxc_span::Span),
    Nameless,
}

pub fn named<'e, 'a>(expression: &'e Expression<'a>) -> Named<'e, 'a> {
    match unwrapped(expression) {
        Expression::Identifier(it) => Named::Plain(it.span),
        Expression::StaticMemberExpression(it) => Named::Member(&it.object, it.property.span),
        Expression::PrivateFieldExpression(it) => Named::Member(&it.object, it.field.span),
        Expression::ChainExpression(it) => match &it.expression {
            ChainElement::StaticMemberExpression(it) => Named::Member(&it.object, it.property.span),
            ChainElement::PrivateFieldExpression(it) => Named::Member(&it.object, it.field.span),
            _ => Named::Nameless,
        },
        _ => Named::Nameless,
    }
}

impl<'t> Finder<'t> {
    pub(super) fn held(&self, expression: &Expression) -> Held<'t> {
        let written = asserted_type(expression).and_then(|at| self.type_text(at));
        let mut held = match unwrapped(expression) {
            Expression::Identifier(it) => self.locals.held(self.slice(it.span)).cloned().unwrap_or_default(),
            Expression::CallExpression(it) => self.called(&it.callee),
            Expression::NewExpression(it) => self.constructed(&it.callee),
            Expression::ChainExpression(it) => match &it.expression {
                ChainElement::CallExpression(it) => self.called(&it.callee),
                _ => Held::default(),
            },
            _ => Held::default(),
        };
        if written.is_some() {
            held.value_type = written;
        }
        held
    }

    fn called(&self, callee: &Expression) -> Held<'t> {
        self.target(callee).map(Held::call).unwrap_or_default()
    }

    fn constructed(&self, callee: &Expression) -> Held<'t> {
        let mut held = self.called(callee);
        if held.source.is_some() {
            held.value_type = Some(self.receiver(callee)).filter(|name| name != "?");
        }
        held
    }

    /// `None` for what has no name that means something outside its function.
    fn target(&self, callee: &Expression) -> Option<CallTarget<'t>> {
        match named(callee) {
            Named::Plain(at) if self.locals.is_value(self.slice(at)) => None,
            Named::Plain(at) => Some(CallTarget { name: self.slice(at).into(), receiver: None }),
            Named::Member(object, at) => {
                let call = CallTarget { name: self.slice(at).into(), receiver: Some(self.receiver(object)) };
                Some(typed_call(call, |head| self.locals.held(head).cloned()))
            }
            Named::Nameless => None,
        }
    }

    /// The type of a variable or field: written, constructed, or the call that gives it.
    pub(super) fn value_type(
        &self,
        annotation: Option<&TSTypeAnnotation>,
        value: Option<&Expression>,
    ) -> Option<Cow<'t, str>> {
        self.annotation(annotation).or_else(|| self.held(value?).receiver_type())
    }

    pub(super) fn annotation(&self, annotation: Option<&TSTypeAnnotation>) -> Option<Cow<'t, str>> {
        self.type_text(annotation?.type_annotation.span())
    }

    /// A type on one line.
    pub(super) fn type_text(&self, at: oxc_span::Span) -> Option<Cow<'t, str>> {
        facts::type_text(self.slice(at))
    }

    /// What the receiver is, where this function shows it.
    pub(super) fn receiver_type(&self, object: &Expression) -> Option<Cow<'t, str>> {
        match object {
            Expression::Identifier(it) => self.locals.held(self.slice(it.span))?.receiver_type(),
            Expression::ThisExpression(_) => None,
            other => match unwrapped(other) {
                Expression::NewExpression(it) => self.constructed(&it.callee).value_type,
                Expression::Identifier(_) => self.held(other).receiver_type(),
                _ => match asserted_type(other) {
                    Some(asserted) => self.type_text(asserted),
                    None => self.local_type(&self.receiver(other))?,
                },
            },
        }
    }

    /// What a chain is that starts with a local; the outer `None` when it starts with none.
    pub(super) fn local_type(&self, receiver: &str) -> Option<Option<Cow<'t, str>>> {
        typed_receiver(receiver, |head| self.locals.held(head).cloned())
    }

    /// Names and what joins them as written, arguments and subscripts emptied; `?` for the rest.
    pub(super) fn receiver(&self, expression: &Expression) -> Cow<'t, str> {
        let raw = self.slice(expression.span());
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'#' | 0x80..);
        if raw.len() <= MAX_RECEIVER_BYTES && raw.bytes().all(is_plain) {
            return Cow::Borrowed(raw);
        }
        let mut text = String::new();
        match self.write_receiver(expression, &mut text, MAX_RECEIVER_LINKS) {
            Some(()) if text.len() <= MAX_RECEIVER_BYTES => Cow::Owned(text),
            _ => Cow::Borrowed("?"),
        }
    }

    fn write_receiver(&self, expression: &Expression, text: &mut String, links: u32) -> Option<()> {
        let links = links.checked_sub(1)?;
        match unwrapped(expression) {
            Expression::Identifier(it) => text.push_str(self.slice(it.span)),
            Expression::ThisExpression(_) => text.push_str("this"),
            Expression::Super(_) => text.push_str("super"),
            Expression::ImportMeta(_) => text.push_str("import.meta"),
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => text.push_str("\"\""),
            Expression::CallExpression(it) => self.write_call(&it.callee, it.optional, text, links)?,
            Expression::NewExpression(it) => self.write_call(&it.callee, false, text, links)?,
            Expression::ChainExpression(it) => match &it.expression {
                ChainElement::CallExpression(it) => self.write_call(&it.callee, it.optional, text, links)?,
                ChainElement::TSNonNullExpression(it) => self.write_receiver(&it.expression, text, links)?,
                element => self.write_member(element.as_member_expression()?, text, links)?,
            },
            other => self.write_member(other.as_member_expression()?, text, links)?,
        }
        Some(())
    }

    fn write_call(&self, callee: &Expression, optional: bool, text: &mut String, links: u32) -> Option<()> {
        self.write_receiver(callee, text, links)?;
        text.push_str(if optional { "?.()" } else { "()" });
        Some(())
    }

    fn write_member(&self, member: &MemberExpression, text: &mut String, links: u32) -> Option<()> {
        self.write_receiver(member.object(), text, links)?;
        let name = match member {
            MemberExpression::StaticMemberExpression(it) => it.property.span,
            MemberExpression::PrivateFieldExpression(it) => it.field.span,
            MemberExpression::ComputedMemberExpression(it) => {
                text.push_str(if it.optional { "?.[]" } else { "[]" });
                return Some(());
            }
        };
        text.push_str(if member.optional() { "?." } else { "." });
        text.push_str(self.slice(name));
        Some(())
    }
}

/// The type of `x as T` and `<T>x`, but not of `x as const`.
fn asserted_type(expression: &Expression) -> Option<oxc_span::Span> {
    let asserted = match expression {
        Expression::ParenthesizedExpression(it) => return asserted_type(&it.expression),
        Expression::TSAsExpression(it) => &it.type_annotation,
        Expression::TSTypeAssertion(it) => &it.type_annotation,
        _ => return None,
    };
    let is_const = matches!(asserted, TSType::TSTypeReference(it) if it.type_name.is_const());
    (!is_const).then(|| asserted.span())
}
