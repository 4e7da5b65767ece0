//! Functions and classes.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{AnyParameterRef, Decorator, Expr, Parameters, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::reader::{EnclosingBlock, Object, Owner, Reader, span};
use super::scopes::{Bound, ScopeKind};
use super::statements::last_name;
use super::values::{Value, type_text};
use crate::language::facts::{Definition, Param};
use crate::record::Kind;
use crate::text::Span;

impl<'t, 'a> Reader<'t, 'a> {
    pub fn function(&mut self, function: &'a StmtFunctionDef) {
        self.decorators(&function.decorator_list);
        let name = self.word(function.name.range);
        let kind = self.function_kind(name, &function.decorator_list);
        let mut definition = Definition::new(kind, name, span(function.name.range), span(function.range));
        let header_end = function.returns.as_ref().map_or(function.parameters.range.end(), |returns| returns.end());
        definition.body = self.body_span(header_end, &function.body);
        definition.doc = docstring(&function.body);
        definition.value_type = function.returns.as_ref().and_then(|returns| type_text(returns.range(), self.text));
        definition.parameters = self.parameter_list(&function.parameters);
        self.facts.definitions.push(definition);
        self.mark_defined(name);

        self.enter_type_parameters(function.type_params.as_deref());
        self.parameter_types(&function.parameters);
        function.returns.iter().for_each(|returns| self.annotation(returns));
        self.function_body(function);
        self.scopes.leave();
    }

    fn function_kind(&self, name: &str, decorators: &[Decorator]) -> Kind {
        let in_class = matches!(self.place, EnclosingBlock::Class { .. });
        if in_class && decorators.iter().any(is_property) {
            return Kind::Property;
        }
        if in_class && name == "__init__" { Kind::Constructor } else { Kind::Function }
    }

    fn function_body(&mut self, function: &'a StmtFunctionDef) {
        let names = self.bindings(&function.body, Bound::Local);
        let object = self.method_object(function);
        self.scopes.enter(ScopeKind::Open, &[]);
        for parameter in function.parameters.iter() {
            let (name, annotation) = (parameter.name().range, parameter.annotation().map(Ranged::range));
            self.scopes.declare(self.word(name), Bound::Local, Value::parameter(name, annotation));
        }
        self.scopes.declare_all(&names);
        let around = (self.place, self.object);
        (self.place, self.object) = (EnclosingBlock::Function, object);
        self.path.push(self.word(function.name.range));
        self.suite(&function.body);
        self.path.pop();
        (self.place, self.object) = around;
        self.scopes.leave();
    }

    /// The name by which a method, or a function inside one, names its object.
    fn method_object(&self, function: &StmtFunctionDef) -> Option<Object<'t>> {
        let first = function.parameters.iter_non_variadic_params().next();
        let first = first.map(|parameter| self.word(parameter.parameter.name.range));
        match self.place {
            EnclosingBlock::Class { .. } if function.decorator_list.iter().any(|d| is_named(d, "staticmethod")) => None,
            EnclosingBlock::Class { class, .. } => Some(Object { name: first?, class, depth: self.path.len() }),
            _ => self.object.filter(|object| !function.parameters.includes(object.name)),
        }
    }

    fn parameter_list(&self, parameters: &Parameters) -> Vec<Param<'t>> {
        let parameter = |parameter: AnyParameterRef| Param {
            name: self.word(parameter.name().range).into(),
            value_type: parameter.annotation().and_then(|annotation| type_text(annotation.range(), self.text)),
        };
        parameters.iter_source_order().map(parameter).collect()
    }

    /// Annotations and defaults stand in the scope around the function.
    fn parameter_types(&mut self, parameters: &'a Parameters) {
        for parameter in parameters.iter_source_order() {
            parameter.annotation().into_iter().for_each(|annotation| self.annotation(annotation));
            parameter.default().into_iter().for_each(|default| self.expression(default));
        }
    }

    pub fn class(&mut self, class: &'a StmtClassDef) {
        self.decorators(&class.decorator_list);
        let is_enum = class.bases().iter().any(is_enum_base);
        let kind = if is_enum { Kind::Enum } else { Kind::Class };
        let name = self.word(class.name.range);
        let mut definition = Definition::new(kind, name, span(class.name.range), span(class.range));
        let parameters_end = class.type_params.as_ref().map(|parameters| parameters.range.end());
        let header_end = class.arguments.as_ref().map(|arguments| arguments.range.end()).or(parameters_end);
        definition.body = self.body_span(header_end.unwrap_or(class.name.end()), &class.body);
        definition.doc = docstring(&class.body);
        self.facts.definitions.push(definition);
        self.mark_defined(name);

        self.enter_type_parameters(class.type_params.as_deref());
        class.bases().iter().for_each(|base| self.base(base));
        class.keywords().iter().for_each(|keyword| self.visit_expr(&keyword.value));
        self.class_body(class, is_enum);
        self.scopes.leave();
    }

    fn class_body(&mut self, class: &'a StmtClassDef, is_enum: bool) {
        let names = self.bindings(&class.body, Bound::Named);
        self.class_count += 1;
        let number = self.class_count;
        // What the class itself defines is not defined again by its methods.
        self.defined.extend(names.iter().map(|(name, _)| (Owner::Object(number), *name)));
        self.scopes.enter(ScopeKind::Class, &names);
        let around = (self.place, self.object);
        (self.place, self.object) = (EnclosingBlock::Class { class: number, is_enum }, None);
        self.path.push(self.word(class.name.range));
        // What a constructor sets is defined there, wherever in the class it stands.
        class.body.iter().filter(|statement| is_constructor(statement)).for_each(|first| self.statement(first));
        class.body.iter().filter(|statement| !is_constructor(statement)).for_each(|rest| self.statement(rest));
        self.path.pop();
        (self.place, self.object) = around;
        self.scopes.leave();
    }

    fn decorators(&mut self, decorators: &'a [Decorator]) {
        decorators.iter().for_each(|decorator| self.expression(&decorator.expression));
    }

    /// From the first statement on, or from a comment before it, which is not signature either.
    fn body_span(&self, header_end: TextSize, body: &[Stmt]) -> Option<Span> {
        let (first, last) = (body.first()?, body.last()?);
        let comments = &self.scan.comments;
        let after = comments.partition_point(|comment| comment.start < header_end.to_u32());
        let start = first.start().to_usize();
        let start = comments.get(after).map_or(start, |comment| start.min(comment.start as usize));
        Some(Span::new(start, last.end().to_usize()))
    }
}

fn docstring(body: &[Stmt]) -> Option<Span> {
    match body.first()? {
        Stmt::Expr(first) if first.value.is_string_literal_expr() => {
            Some(span(TextRange::new(first.start(), first.end())))
        }
        _ => None,
    }
}

fn is_constructor(statement: &Stmt) -> bool {
    matches!(statement, Stmt::FunctionDef(function) if function.name.as_str() == "__init__")
}

fn is_named(decorator: &Decorator, name: &str) -> bool {
    last_name(&decorator.expression) == Some(name)
}

/// `@property`, `@cached_property` and their like, `@name.setter`.
fn is_property(decorator: &Decorator) -> bool {
    let is_accessor = |attr: &str| matches!(attr, "setter" | "getter" | "deleter");
    match &decorator.expression {
        Expr::Attribute(attribute) if is_accessor(&attribute.attr) => true,
        expression => last_name(expression).is_some_and(|name| name.ends_with("property")),
    }
}

fn is_enum_base(base: &Expr) -> bool {
    last_name(base).is_some_and(|name| name.ends_with("Enum") || name.ends_with("Flag"))
}
