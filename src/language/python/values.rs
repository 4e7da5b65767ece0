//! What an expression gives, as far as the function around it shows.

use std::borrow::Cow;

use ruff_python_ast::{Expr, ExprCall};
use ruff_text_size::{Ranged, TextRange};

use crate::language::facts::{self, CallTarget, Held, HeldSource, MAX_RECEIVER_BYTES};

/// A [`Held`] that is not spelled out yet: most locals are never asked what they hold.
#[derive(Clone, Copy, Default)]
pub struct Value<'a> {
    pub source: Source<'a>,
    pub declared: Option<Declared>,
}

#[derive(Clone, Copy, Default)]
pub enum Source<'a> {
    #[default]
    Unknown,
    /// The parameter's name.
    Parameter(TextRange),
    Call(&'a ExprCall),
}

#[derive(Clone, Copy)]
pub enum Declared {
    /// An annotation, a caught exception, a matched class.
    Written(TextRange),
    /// The type of a literal.
    Literal(&'static str),
}

impl<'a> Value<'a> {
    pub fn parameter(name: TextRange, annotation: Option<TextRange>) -> Self {
        Value { source: Source::Parameter(name), declared: annotation.map(Declared::Written) }
    }

    pub fn call(call: &'a ExprCall) -> Self {
        Value { source: Source::Call(call), declared: None }
    }

    pub fn written(range: TextRange) -> Self {
        Value { source: Source::Unknown, declared: Some(Declared::Written(range)) }
    }

    pub fn literal(expression: &Expr) -> Self {
        Value { source: Source::Unknown, declared: literal_type(expression).map(Declared::Literal) }
    }

    pub fn is_known(self) -> bool {
        !matches!(self.source, Source::Unknown) || self.declared.is_some()
    }

    pub fn held<'t>(self, text: &'t str) -> Held<'t> {
        let source = match self.source {
            Source::Unknown => None,
            Source::Parameter(name) => Some(HeldSource::Parameter(text[name].into())),
            Source::Call(call) => call_target(call, text).map(HeldSource::Call),
        };
        let value_type = match self.declared {
            None => None,
            Some(Declared::Written(range)) => type_text(range, text),
            Some(Declared::Literal(name)) => Some(name.into()),
        };
        Held { source, value_type }
    }

    /// What a definition with this value holds, when more than a literal says so.
    pub fn definition_type<'t>(self, text: &'t str) -> Option<Cow<'t, str>> {
        match self.declared {
            Some(Declared::Literal(_)) => None,
            _ => self.held(text).receiver_type(),
        }
    }
}

fn literal_type(expression: &Expr) -> Option<&'static str> {
    Some(match expression {
        Expr::StringLiteral(_) | Expr::FString(_) => "str",
        Expr::BytesLiteral(_) => "bytes",
        Expr::BooleanLiteral(_) => "bool",
        Expr::List(_) | Expr::ListComp(_) => "list",
        Expr::Dict(_) | Expr::DictComp(_) => "dict",
        Expr::Set(_) | Expr::SetComp(_) => "set",
        Expr::Tuple(_) => "tuple",
        Expr::NumberLiteral(number) => match number.value {
            ruff_python_ast::Number::Int(_) => "int",
            ruff_python_ast::Number::Float(_) => "float",
            ruff_python_ast::Number::Complex { .. } => "complex",
        },
        _ => return None,
    })
}

/// The name that a call names and what stands before it; `None` for the call of a call's result and
/// the like.
pub fn call_target<'t>(call: &ExprCall, text: &'t str) -> Option<CallTarget<'t>> {
    match &*call.func {
        Expr::Name(name) => Some(CallTarget { name: text[name.range].into(), receiver: None }),
        Expr::Attribute(attribute) => Some(CallTarget {
            name: text[attribute.attr.range].into(),
            receiver: Some(receiver(&attribute.value, text)),
        }),
        _ => None,
    }
}

/// An annotation on one line.
pub fn type_text(range: TextRange, text: &str) -> Option<Cow<'_, str>> {
    facts::type_text(&text[range])
}

/// What [`receiver_text`](crate::language::facts::receiver_text) makes of an expression's text, read off
/// the tree: that knows comments and keywords from names. It starts at the end, so that of a long chain
/// no more is looked at for each link than shows that it is too long.
pub fn receiver<'t>(expression: &Expr, text: &'t str) -> Cow<'t, str> {
    if let Expr::Name(name) = expression {
        return text[name.range].into();
    }
    let raw = &text[expression.range()];
    if raw.len() <= MAX_RECEIVER_BYTES && raw.bytes().all(|byte| byte == b'_' || byte == b'.' || is_word(byte)) {
        return raw.into();
    }
    chain(expression, text).unwrap_or("?".into())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

fn chain<'t>(expression: &Expr, text: &'t str) -> Option<Cow<'t, str>> {
    let mut pieces: Vec<&str> = Vec::new();
    let mut length = 0;
    let mut rest = expression;
    loop {
        let (piece, dot, inner) = match rest {
            Expr::Call(call) => ("()", "", &call.func),
            Expr::Subscript(subscript) => ("[]", "", &subscript.value),
            Expr::Attribute(attribute) => (&text[attribute.attr.range], ".", &attribute.value),
            Expr::Await(wait) => ("", "", &wait.value),
            Expr::Name(name) => {
                pieces.push(&text[name.range]);
                return Some(Cow::Owned(pieces.into_iter().rev().collect()));
            }
            Expr::StringLiteral(_) | Expr::FString(_) | Expr::BytesLiteral(_) | Expr::TString(_) => {
                return Some("\"\"".into());
            }
            _ => return None,
        };
        pieces.extend([piece, dot]);
        length += piece.len() + dot.len();
        if length > MAX_RECEIVER_BYTES {
            return None;
        }
        rest = inner;
    }
}
