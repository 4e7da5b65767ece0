//! Definitions and exports that are assignments: `module.exports`, `exports.a`, `A.prototype.b`.

use std::borrow::Cow;

use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::binding::{Bound, import_call};
use super::definition::{Callable, Named};
use super::value::unwrapped;
use super::{Finder, Visibility, span};
use crate::record::{Kind, Role};
use crate::text::Span;

const STYLE: Option<&str> = Some("commonjs");

/// What an assignment gives a value to, as far as other files can see it.
enum ExportTarget<'e, 'a> {
    /// `module.exports`
    Module(oxc_span::Span),
    /// `exports.a`, `module.exports.a`
    Export(oxc_span::Span),
    /// `A.prototype`
    Prototype(&'e Expression<'a>),
    /// `A.prototype.b`
    Method(&'e Expression<'a>, oxc_span::Span),
    /// `a.b`
    Member(&'e Expression<'a>, oxc_span::Span),
}

impl<'t> Finder<'t> {
    /// A statement that assigns, to one target or a chain of them.
    pub(super) fn assigned(&mut self, statement: oxc_span::Span, first: &AssignmentExpression) {
        let mut given = None;
        let (targets, value) = targets(first);
        for target in targets {
            given = self.assign_value(target, value, statement, given);
        }
    }

    /// `const app = module.exports = …`: the variable is what is exported.
    pub(super) fn declared(&mut self, name: &'t str, value: &Expression) {
        if let Expression::AssignmentExpression(first) = value {
            for target in targets(first).0 {
                self.give_name(&target, name);
            }
        }
    }

    /// Returns the name that the value has from now on; a second target exports that name.
    fn assign_value(
        &mut self,
        target: ExportTarget,
        value: &Expression,
        statement: oxc_span::Span,
        given: Option<&'t str>,
    ) -> Option<&'t str> {
        if let Some(name) = given {
            self.give_name(&target, name);
            return given;
        }
        let whole = span(statement);
        match target {
            ExportTarget::Module(at) => self.export_module(at, value, whole),
            ExportTarget::Export(at) => self.export_member(at, value, whole),
            ExportTarget::Prototype(owner) => {
                if let Expression::ObjectExpression(object) = value {
                    let owner = self.receiver(owner);
                    self.define_members(object, &mut vec![owner], Visibility::ByName);
                }
                None
            }
            ExportTarget::Method(owner, at) => {
                self.define_method(owner, at, value, whole, Kind::Method);
                None
            }
            ExportTarget::Member(owner, at) => {
                if self.in_module() {
                    self.define_method(owner, at, value, whole, Kind::Field);
                }
                None
            }
        }
    }

    fn give_name(&mut self, target: &ExportTarget, name: &'t str) {
        let (at, alias) = match target {
            ExportTarget::Module(at) => (*at, "default"),
            ExportTarget::Export(at) => (*at, self.slice(*at)),
            _ => return,
        };
        self.export_name_as(at, name, alias);
    }

    fn export_name_as(&mut self, at: oxc_span::Span, name: &'t str, alias: &'t str) {
        self.claimed.insert(at.start);
        self.exported_names.insert(name);
        let bound = Bound { name: Some(name), alias: Some(alias), style: STYLE, ..Bound::default() };
        self.bind_import(Role::Export, at, bound);
    }

    fn export_module(&mut self, at: oxc_span::Span, value: &Expression, whole: Span) -> Option<&'t str> {
        self.is_module = true;
        if let Expression::ObjectExpression(object) = value
            && self.export_properties(object)
        {
            return None;
        }
        if let Some(own) = own_name(value) {
            let name = self.slice(own);
            self.export_name_as(at, name, "default");
            match value {
                Expression::Identifier(_) => {
                    self.claimed.insert(own.start);
                }
                _ => self.define_export(name, own, value, whole),
            }
            return Some(name);
        }
        if let Some(bound) = self.re_exported(value, "default") {
            self.bind_import(Role::Export, at, bound);
            return None;
        }
        self.define_export("default", at, value, whole);
        Some("default")
    }

    fn export_member(&mut self, at: oxc_span::Span, value: &Expression, whole: Span) -> Option<&'t str> {
        self.is_module = true;
        let alias = self.slice(at);
        match value {
            // Compilers first set every export to nothing.
            Expression::UnaryExpression(it) if it.operator.is_void() => {
                self.claimed.insert(at.start);
                return None;
            }
            Expression::Identifier(it) => {
                let name = self.slice(it.span);
                self.claimed.insert(it.span.start);
                self.export_name_as(at, name, alias);
                return Some(name);
            }
            _ => {}
        }
        self.claimed.insert(at.start);
        if let Some(bound) = self.re_exported(value, alias) {
            self.bind_import(Role::Export, at, bound);
            return None;
        }
        self.define_export(alias, at, value, whole);
        Some(alias)
    }

    /// `module.exports = { a, b: c, d() {} }` exports each member; an object of plain values is one
    /// value, and this says no.
    fn export_properties(&mut self, object: &ObjectExpression) -> bool {
        let gives = |property: &ObjectProperty| {
            matches!(property.value, Expression::Identifier(_)) || Callable::of(&property.value).is_some()
        };
        let properties: Vec<_> = object.properties.iter().filter_map(ObjectPropertyKind::as_property).collect();
        if !properties.iter().any(|property| gives(property)) {
            return false;
        }
        for property in properties {
            let (at, alias) = (super::object::key_span(&property.key), self.key_text(&property.key));
            match &property.value {
                Expression::Identifier(it) => {
                    let name = self.slice(it.span);
                    self.claimed.insert(it.span.start);
                    self.export_name_as(at, name, alias);
                }
                value => match self.re_exported(value, alias) {
                    Some(bound) => self.bind_import(Role::Export, at, bound),
                    None => self.define_export(alias, at, value, span(property.span)),
                },
            }
        }
        true
    }

    fn define_export(&mut self, name: &'t str, at: oxc_span::Span, value: &Expression, whole: Span) {
        let (kind, visibility) = (Kind::Variable, Visibility::Exported);
        let named = Named { name, at, whole, kind, container: Vec::new(), visibility };
        self.define_value(named, None, Some(value));
    }

    /// `exports.a = require("m").b`
    fn re_exported(&self, value: &Expression, alias: &'t str) -> Option<Bound<'t>> {
        let call = import_call(value)?;
        let name = call.member.map(|member| self.slice(member));
        Some(Bound { module: Some(self.literal(call.source)), name, alias: Some(alias), style: Some(call.style) })
    }

    fn define_method(&mut self, owner: &Expression, at: oxc_span::Span, value: &Expression, whole: Span, kind: Kind) {
        let is_class = matches!(unwrapped(value), Expression::ClassExpression(_));
        let owner = self.receiver(owner);
        if owner == "?" || (!is_class && Callable::of(value).is_none()) {
            return;
        }
        self.claimed.insert(at.start);
        let container = owner.split('.').map(|part| Cow::Owned(part.to_string())).collect();
        let named = Named { name: self.slice(at), at, whole, kind, container, visibility: Visibility::ByName };
        self.define_value(named, None, Some(value));
    }
}

/// The targets of `a = b = value` from left to right, and the value.
fn targets<'e, 'a>(first: &'e AssignmentExpression<'a>) -> (Vec<ExportTarget<'e, 'a>>, &'e Expression<'a>) {
    let mut targets = Vec::new();
    let mut next = first;
    loop {
        if next.operator.is_assign() {
            targets.extend(target(&next.left));
        }
        match &next.right {
            Expression::AssignmentExpression(inner) => next = inner,
            value => return (targets, value),
        }
    }
}

fn target<'e, 'a>(left: &'e AssignmentTarget<'a>) -> Option<ExportTarget<'e, 'a>> {
    let AssignmentTarget::StaticMemberExpression(it) = left else { return None };
    let name = it.property.name.as_str();
    match &it.object {
        Expression::Identifier(object) if object.name.as_str() == "exports" => {
            Some(ExportTarget::Export(it.property.span))
        }
        Expression::Identifier(object) if object.name.as_str() == "module" && name == "exports" => {
            Some(ExportTarget::Module(it.span))
        }
        Expression::StaticMemberExpression(object) if is_module_exports(object) => {
            Some(ExportTarget::Export(it.property.span))
        }
        Expression::StaticMemberExpression(object) if object.property.name.as_str() == "prototype" => {
            Some(ExportTarget::Method(&object.object, it.property.span))
        }
        object if name == "prototype" => Some(ExportTarget::Prototype(object)),
        Expression::ThisExpression(_) => None,
        object => Some(ExportTarget::Member(object, it.property.span)),
    }
}

fn is_module_exports(it: &StaticMemberExpression) -> bool {
    let is_module = matches!(&it.object, Expression::Identifier(object) if object.name.as_str() == "module");
    is_module && it.property.name.as_str() == "exports"
}

/// The name that a value has by itself.
fn own_name(value: &Expression) -> Option<oxc_span::Span> {
    match value {
        Expression::Identifier(it) => Some(it.span()),
        Expression::FunctionExpression(it) => it.id.as_ref().map(|id| id.span),
        Expression::ClassExpression(it) => it.id.as_ref().map(|id| id.span),
        _ => None,
    }
}
