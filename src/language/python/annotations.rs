//! Types: annotations, quoted ones too, bases and type parameters.

use ruff_python_ast::{Expr, ExprSubscript, Operator, StringLiteral, TypeParam, TypeParams};
use ruff_python_parser::parse_string_annotation;

use super::reader::Reader;
use super::scopes::{Bound, ScopeKind};
use super::statements::last_name;
use crate::record::Role;

/// A part of an annotation.
enum Part<'e> {
    Type(&'e Expr),
    Quoted(&'e StringLiteral),
    /// An expression that is no type, such as what `Annotated` adds.
    Value(&'e Expr),
}

impl<'a> Reader<'_, 'a> {
    pub fn annotation(&mut self, annotation: &'a Expr) {
        let mut parts = Vec::new();
        split(annotation, &mut parts);
        for part in parts {
            match part {
                Part::Type(name) => self.dotted(Role::Type, name),
                Part::Quoted(literal) => self.quoted(literal),
                Part::Value(value) => self.expression(value),
            }
        }
    }

    /// A type in quotes, because it is defined further down.
    fn quoted(&mut self, literal: &StringLiteral) {
        let Ok(parsed) = parse_string_annotation(self.text, literal) else { return };
        let mut parts = Vec::new();
        split(parsed.expr(), &mut parts);
        for part in parts {
            if let Part::Type(name) = part {
                self.dotted(Role::Type, name);
            }
        }
    }

    /// A name with or without dots; what stands before the last dot is used.
    fn dotted(&mut self, role: Role, expression: &Expr) {
        match expression {
            Expr::Name(name) => self.name(role, name.range),
            Expr::Attribute(attribute) => {
                self.dotted(Role::Use, &attribute.value);
                self.member(role, &attribute.value, attribute.attr.range);
            }
            _ => {}
        }
    }

    pub fn base(&mut self, base: &'a Expr) {
        match base {
            Expr::Name(_) => self.dotted(Role::Inherit, base),
            Expr::Attribute(attribute) => {
                self.expression(&attribute.value);
                self.member(Role::Inherit, &attribute.value, attribute.attr.range);
            }
            // `Generic[T]`
            Expr::Subscript(subscript) => {
                self.base(&subscript.value);
                self.annotation(&subscript.slice);
            }
            _ => self.expression(base),
        }
    }

    /// Type parameters have a scope around what they are parameters of.
    pub fn enter_type_parameters(&mut self, parameters: Option<&'a TypeParams>) {
        self.scopes.enter(ScopeKind::Open, &[]);
        for parameter in parameters.iter().flat_map(|parameters| &parameters.type_params) {
            let name = self.word(parameter.name().range);
            self.scopes.declare(name, Bound::Local, Default::default());
        }
        for parameter in parameters.iter().flat_map(|parameters| &parameters.type_params) {
            if let TypeParam::TypeVar(variable) = parameter {
                variable.bound.iter().for_each(|bound| self.annotation(bound));
            }
            parameter.default().into_iter().for_each(|default| self.annotation(default));
        }
    }
}

fn split<'e>(annotation: &'e Expr, parts: &mut Vec<Part<'e>>) {
    match annotation {
        Expr::Name(_) | Expr::Attribute(_) => parts.push(Part::Type(annotation)),
        Expr::Subscript(subscript) => split_subscript(subscript, parts),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|element| split(element, parts)),
        Expr::List(list) => list.elts.iter().for_each(|element| split(element, parts)),
        Expr::Starred(starred) => split(&starred.value, parts),
        Expr::BinOp(operation) if operation.op == Operator::BitOr => {
            split(&operation.left, parts);
            split(&operation.right, parts);
        }
        Expr::StringLiteral(string) => parts.extend(string.as_single_part_string().map(Part::Quoted)),
        _ => parts.push(Part::Value(annotation)),
    }
}

fn split_subscript<'e>(subscript: &'e ExprSubscript, parts: &mut Vec<Part<'e>>) {
    split(&subscript.value, parts);
    match (last_name(&subscript.value), &*subscript.slice) {
        (Some("Literal"), values) => parts.push(Part::Value(values)),
        (Some("Annotated"), Expr::Tuple(tuple)) => {
            tuple.elts.iter().take(1).for_each(|first| split(first, parts));
            parts.extend(tuple.elts.iter().skip(1).map(Part::Value));
        }
        (_, slice) => split(slice, parts),
    }
}
