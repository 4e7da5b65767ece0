//! Definitions of functions and variables. These read the tree and bind nothing; what is mentioned
//! inside them, the walk finds by itself.

use std::borrow::Cow;

use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::binding::is_import_call;
use super::hoist::each_name;
use super::value::unwrapped;
use super::{Finder, Visibility, span};
use crate::language::facts::{Definition, Param};
use crate::record::Kind;
use crate::text::Span;

/// A name and what it is set to: a declarator, an assignment, a member.
pub struct Named<'t> {
    pub name: &'t str,
    pub at: oxc_span::Span,
    pub whole: Span,
    /// Its kind when the value is neither a function nor a class.
    pub kind: Kind,
    pub container: Vec<Cow<'t, str>>,
    pub visibility: Visibility,
}

/// Anything with parameters and a body.
#[derive(Clone, Copy)]
pub enum Callable<'e, 'a> {
    Function(&'e Function<'a>),
    Arrow(&'e ArrowFunctionExpression<'a>),
}

impl<'e, 'a> Callable<'e, 'a> {
    pub fn of(expression: &'e Expression<'a>) -> Option<Self> {
        match expression {
            Expression::FunctionExpression(it) => Some(Callable::Function(it)),
            Expression::ArrowFunctionExpression(it) => Some(Callable::Arrow(it)),
            Expression::AwaitExpression(_) => None,
            wrapped => match unwrapped(wrapped) {
                inner if std::ptr::eq(inner, wrapped) => None,
                inner => Callable::of(inner),
            },
        }
    }

    pub fn params(self) -> &'e FormalParameters<'a> {
        match self {
            Callable::Function(it) => &it.params,
            Callable::Arrow(it) => &it.params,
        }
    }

    fn return_type(self) -> Option<&'e TSTypeAnnotation<'a>> {
        match self {
            Callable::Function(it) => it.return_type.as_deref(),
            Callable::Arrow(it) => it.return_type.as_deref(),
        }
    }

    fn body(self) -> Option<Span> {
        match self {
            Callable::Function(it) => it.body.as_ref().map(|body| span(body.span)),
            Callable::Arrow(it) => Some(span(it.body.span())),
        }
    }
}

impl<'t> Finder<'t> {
    /// A function's declaration at any depth: bundles keep whole programs inside one function.
    pub(super) fn define_function(&mut self, it: &Function) {
        let (export, visibility) = self.visibility_here();
        let Some(id) = &it.id else { return };
        let whole = whole(export, it.span);
        let mut definition = Definition::new(Kind::Function, self.slice(id.span), span(id.span), whole);
        self.fill_callable(&mut definition, Callable::Function(it));
        self.define(definition, visibility);
    }

    pub(super) fn fill_callable(&self, definition: &mut Definition<'t>, callable: Callable) {
        definition.body = callable.body();
        definition.value_type = self.annotation(callable.return_type());
        definition.parameters = self.parameters(callable.params());
    }

    pub(super) fn parameters(&self, params: &FormalParameters) -> Vec<Param<'t>> {
        let rest = params.rest.iter().map(|rest| (&rest.rest.argument, &rest.type_annotation, None));
        let items = params.items.iter().map(|item| (&item.pattern, &item.type_annotation, item.initializer.as_deref()));
        let mut found = Vec::with_capacity(params.items.len());
        for (pattern, annotation, default) in items.chain(rest) {
            let value_type = self.parameter_type(pattern, annotation.as_deref(), default);
            each_name(pattern, &mut |name, _| {
                found.push(Param { name: self.slice(name.span).into(), value_type: value_type.clone() });
            });
        }
        found
    }

    /// Of a plain parameter: as written, or as its default shows.
    pub(super) fn parameter_type(
        &self,
        pattern: &BindingPattern,
        annotation: Option<&TSTypeAnnotation>,
        default: Option<&Expression>,
    ) -> Option<Cow<'t, str>> {
        let plain = matches!(pattern, BindingPattern::BindingIdentifier(_));
        if plain { self.value_type(annotation, default) } else { None }
    }

    /// The variables of a module or namespace.
    pub(super) fn define_variables(&mut self, it: &VariableDeclaration, export: Option<Span>, visibility: Visibility) {
        let kind = if it.kind.is_const() { Kind::Constant } else { Kind::Variable };
        let statement = whole(export, it.span);
        for (position, declarator) in it.declarations.iter().enumerate() {
            if declarator.init.as_ref().is_some_and(is_import_call) {
                continue;
            }
            let whole = match position {
                0 if it.declarations.len() == 1 => statement,
                0 => Span { start: statement.start, end: declarator.span.end },
                _ => span(declarator.span),
            };
            self.define_declarator(declarator, whole, kind, visibility);
        }
    }

    fn define_declarator(&mut self, it: &VariableDeclarator, whole: Span, kind: Kind, visibility: Visibility) {
        if let BindingPattern::BindingIdentifier(id) = &it.id {
            let name = self.slice(id.span);
            let named = Named { name, at: id.span, whole, kind, container: Vec::new(), visibility };
            self.define_value(named, it.type_annotation.as_deref(), it.init.as_ref());
            return;
        }
        each_name(&it.id, &mut |id, piece| {
            let definition = Definition::new(kind, self.slice(id.span), span(id.span), span(piece));
            self.define(definition, visibility);
        });
    }

    /// What a name is depends on what it is set to.
    pub(super) fn define_value(
        &mut self,
        named: Named<'t>,
        annotation: Option<&TSTypeAnnotation>,
        value: Option<&Expression>,
    ) -> usize {
        if let Some(Expression::ClassExpression(class)) = value.map(unwrapped) {
            return self.define_class(class, named);
        }
        if let Some(callable) = value.and_then(Callable::of) {
            return self.define_callable(named, callable);
        }
        if let Some(callable) = value.filter(|_| is_component_name(named.name)).and_then(wrapped_function) {
            return self.define_callable(named, callable);
        }
        let Named { name, at, whole, kind, container, visibility } = named;
        let mut definition = Definition::new(kind, name, span(at), whole);
        definition.container = container;
        definition.value_type = self.value_type(annotation, value);
        definition.body = value.map(GetSpan::span).filter(|at| self.slice(*at).contains('\n')).map(span);
        let at = self.define(definition, visibility);
        if let Some(value) = value {
            self.define_members_of_value(value, at);
        }
        at
    }

    pub(super) fn define_callable(&mut self, named: Named<'t>, callable: Callable) -> usize {
        let kind = match named.kind {
            Kind::Method | Kind::Property => named.kind,
            Kind::Field => Kind::Method,
            _ => Kind::Function,
        };
        let mut definition = Definition::new(kind, named.name, span(named.at), named.whole);
        definition.container = named.container;
        self.fill_callable(&mut definition, callable);
        self.define(definition, named.visibility)
    }

    /// `export default …`; what has no name of its own is called `default`.
    pub(super) fn define_default(&mut self, it: &ExportDefaultDeclaration) {
        self.is_module = true;
        let (at, whole) = (self.default_word(it), span(it.span));
        let own_name = match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.id.as_ref().map(|id| id.span),
            ExportDefaultDeclarationKind::ClassDeclaration(it) => it.id.as_ref().map(|id| id.span),
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(it) => Some(it.id.span),
            ExportDefaultDeclarationKind::Identifier(it) => Some(it.span),
            _ => None,
        };
        if let Some(own_name) = own_name {
            self.export_default_name(at, self.slice(own_name));
            // The walk defines a declaration that has a name, as after any `export`.
            self.exporting = Some(whole);
            return;
        }
        let (kind, visibility) = (Kind::Constant, Visibility::Exported);
        let named = Named { name: "default", at, whole, kind, container: Vec::new(), visibility };
        match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => {
                self.define_callable(named, Callable::Function(it))
            }
            ExportDefaultDeclarationKind::ClassDeclaration(it) => self.define_class(it, named),
            other => self.define_value(named, None, other.as_expression()),
        };
    }
}

/// From the `export` before a declaration to the declaration's end.
pub fn whole(export: Option<Span>, own: oxc_span::Span) -> Span {
    let own = span(own);
    export.map_or(own, |export| Span { start: export.start.min(own.start), end: export.end.max(own.end) })
}

/// `Button`, but neither `button` nor `BUTTON`.
fn is_component_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase()) && name.contains(|c: char| c.is_ascii_lowercase())
}

/// The component inside `memo(forwardRef((props) => …))`.
fn wrapped_function<'e, 'a>(value: &'e Expression<'a>) -> Option<Callable<'e, 'a>> {
    let mut value = value;
    for _ in 0..4 {
        let Expression::CallExpression(call) = unwrapped(value) else { return None };
        value = call.arguments.first()?.as_expression()?;
        if let Some(callable) = Callable::of(value) {
            return Some(callable);
        }
    }
    None
}
