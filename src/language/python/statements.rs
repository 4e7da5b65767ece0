//! Statements: what they define and bind, in the order of the text.

use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{
    ExceptHandler, ExceptHandlerExceptHandler, Expr, Identifier, Pattern, Stmt, StmtAnnAssign, StmtAssign, StmtFor,
    StmtTypeAlias, StmtWith,
};
use ruff_text_size::Ranged;

use super::reader::{Reader, span};
use super::targets::Assigned;
use super::values::{Declared, Value};
use crate::language::facts::Definition;
use crate::record::Kind;

impl<'t, 'a> Reader<'t, 'a> {
    pub fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Assign(assign) => self.assign(assign),
            Stmt::AnnAssign(assign) => self.annotated_assign(assign),
            Stmt::TypeAlias(alias) => self.type_alias(alias),
            Stmt::For(each) => self.for_each(each),
            Stmt::With(with) => self.with(with),
            Stmt::AugAssign(assign) => {
                self.export_list(&assign.target, &assign.value);
                self.target(&assign.target, None);
                self.visit_expr(&assign.value);
                self.bind(&assign.target, Value::default());
            }
            Stmt::Expr(expression) => {
                self.export_call(&expression.value);
                self.visit_expr(&expression.value);
            }
            _ => walk_stmt(self, statement),
        }
    }

    fn assign(&mut self, assign: &'a StmtAssign) {
        let value = self.value(&assign.value);
        let assigned = Assigned { statement: assign.range, value: Some(&assign.value), declared: None };
        for target in &assign.targets {
            self.export_list(target, &assign.value);
            self.target(target, Some(&assigned));
        }
        self.visit_expr(&assign.value);
        for target in &assign.targets {
            self.bind_parts(target, Some(&assign.value), value);
        }
    }

    fn annotated_assign(&mut self, assign: &'a StmtAnnAssign) {
        let value = assign.value.as_deref().map(|value| self.value(value)).unwrap_or_default();
        let declared = assign.annotation.range();
        if let Some(value) = &assign.value {
            self.export_list(&assign.target, value);
        }
        let is_alias = last_name(&assign.annotation).is_some_and(|name| name == "TypeAlias");
        let assigned =
            Assigned { statement: assign.range, value: assign.value.as_deref(), declared: Some(&assign.annotation) };
        self.target(&assign.target, Some(&assigned));
        self.annotation(&assign.annotation);
        match assign.value.as_deref() {
            Some(value) if is_alias => self.annotation(value),
            Some(value) => self.visit_expr(value),
            None => {}
        }
        self.bind(&assign.target, Value { declared: Some(Declared::Written(declared)), ..value });
    }

    fn type_alias(&mut self, alias: &'a StmtTypeAlias) {
        let name = alias.name.range();
        let definition = Definition::new(Kind::Type, self.word(name), span(name), span(alias.range));
        self.facts.definitions.push(definition);
        self.mark_defined(self.word(name));
        self.enter_type_parameters(alias.type_params.as_deref());
        self.annotation(&alias.value);
        self.scopes.leave();
    }

    fn for_each(&mut self, each: &'a StmtFor) {
        self.target(&each.target, None);
        self.visit_expr(&each.iter);
        self.bind(&each.target, Value::default());
        self.suite(&each.body);
        self.suite(&each.orelse);
    }

    fn with(&mut self, with: &'a StmtWith) {
        for item in &with.items {
            self.visit_expr(&item.context_expr);
            if let Some(target) = &item.optional_vars {
                let value = self.value(&item.context_expr);
                self.target(target, None);
                self.bind_parts(target, None, value);
            }
        }
        self.suite(&with.body);
    }

    fn caught(&mut self, handler: &'a ExceptHandlerExceptHandler) {
        handler.type_.iter().for_each(|caught| self.visit_expr(caught));
        if let Some(name) = &handler.name {
            let value = match handler.type_.as_deref() {
                Some(caught) if last_name(caught).is_some() => Value::written(caught.range()),
                _ => Value::default(),
            };
            self.scopes.set(self.word(name.range), value);
        }
        self.suite(&handler.body);
    }

    fn captured(&mut self, name: &Identifier, pattern: Option<&Pattern>) {
        let value = match pattern {
            Some(Pattern::MatchClass(class)) => Value::written(class.cls.range()),
            _ => Value::default(),
        };
        self.scopes.set(self.word(name.range), value);
    }
}

/// The statements and parts of statements that only hold others.
impl<'a> Visitor<'a> for Reader<'_, 'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        self.statement(statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        self.expression(expression);
    }

    fn visit_annotation(&mut self, expression: &'a Expr) {
        self.annotation(expression);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(handler) = handler;
        self.caught(handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let Pattern::MatchAs(capture) = pattern
            && let Some(name) = &capture.name
        {
            self.captured(name, capture.pattern.as_deref());
        }
        ruff_python_ast::visitor::walk_pattern(self, pattern);
    }
}

/// The last part of a name with dots, or of what is subscripted.
pub fn last_name(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(&name.id),
        Expr::Attribute(attribute) => Some(&attribute.attr),
        _ => None,
    }
}
