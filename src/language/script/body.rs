//! Bodies and what they declare: the scopes that functions and blocks open.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

use super::Finder;
use super::apart::Whole;
use super::hoist::each_name;
use super::locals::Meaning;
use crate::language::facts::Held;

impl<'t> Finder<'t> {
    /// A body with names of its own, walked inside the scope of its parameters.
    pub(super) fn walk_body<'a>(&mut self, whole: oxc_span::Span, statements: &[Statement<'a>]) {
        self.bind_vars(statements);
        self.bind_block(statements);
        self.walk_statements(whole, statements);
    }

    pub(super) fn walk_statements<'a>(&mut self, whole: oxc_span::Span, statements: &[Statement<'a>]) {
        let starts = statements.iter().map(|statement| start_of(statement));
        self.walk_list(whole, starts, |finder| {
            statements.iter().for_each(|statement| finder.visit_statement(statement));
        });
    }

    pub(super) fn inside_function(&mut self, walk: impl FnOnce(&mut Self)) {
        let mark = self.locals.mark();
        let outer = self.returns.take();
        self.function_depth += 1;
        walk(self);
        self.function_depth -= 1;
        self.returns = outer;
        self.locals.leave(mark);
    }

    pub(super) fn inside_block(&mut self, walk: impl FnOnce(&mut Self)) {
        let mark = self.locals.mark();
        self.block_depth += 1;
        walk(self);
        self.block_depth -= 1;
        self.locals.leave(mark);
    }

    pub(super) fn bind_parameter(
        &mut self,
        pattern: &BindingPattern,
        annotation: Option<&TSTypeAnnotation>,
        default: Option<&Expression>,
    ) {
        let turn = self.turn.take();
        let value_type = self.parameter_type(pattern, annotation, default);
        each_name(pattern, &mut |name, _| {
            let name = self.slice(name.span);
            self.locals.bind_held(name, Meaning::Value, Held::parameter(name, value_type.clone()));
        });
        let whole = match annotation {
            Some(_) => Whole::of_type(self.annotation(annotation)),
            None => turn.unwrap_or(Whole::of_type(None)),
        };
        if value_type.is_none() {
            self.take_apart(pattern, &whole);
        }
    }

    pub(super) fn walk_declarator<'a>(&mut self, it: &VariableDeclarator<'a>) {
        self.visit_binding_pattern(&it.id);
        if let Some(annotation) = &it.type_annotation {
            self.visit_ts_type_annotation(annotation);
        }
        let imported = self.import_declarator(it);
        if let (BindingPattern::BindingIdentifier(id), Some(init)) = (&it.id, &it.init) {
            self.declared(self.slice(id.span), init);
        }
        if let Some(init) = it.init.as_ref().filter(|_| !imported) {
            self.visit_expression(init);
        }
        if let Some(init) = it.init.as_ref().filter(|_| !imported) {
            let annotation = self.annotation(it.type_annotation.as_deref());
            match &it.id {
                BindingPattern::BindingIdentifier(_) => self.put_together(init, &Whole::of_type(annotation)),
                pattern if annotation.is_some() => self.take_apart(pattern, &Whole::of_type(annotation)),
                pattern => self.take_apart(pattern, &self.whole(init)),
            }
        }
        if let BindingPattern::BindingIdentifier(id) = &it.id {
            let name = self.slice(id.span);
            if self.locals.is_value(name) {
                let annotation = self.annotation(it.type_annotation.as_deref());
                let held = it.init.as_ref().map(|init| self.held(init)).unwrap_or_default();
                let annotated = annotation.is_some();
                let held = Held { source: held.source, value_type: annotation.or(held.value_type) };
                self.locals.declare(name, held, annotated);
            }
        }
    }

    pub(super) fn walk_type_arguments<'a>(&mut self, arguments: Option<&TSTypeParameterInstantiation<'a>>) {
        if let Some(arguments) = arguments {
            self.visit_ts_type_parameter_instantiation(arguments);
        }
    }
}

/// A decorator may stand before the `export` of its class.
fn start_of(statement: &Statement) -> u32 {
    let class = match statement {
        Statement::ClassDeclaration(class) => Some(class),
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::ClassDeclaration(class) => Some(class),
            _ => None,
        },
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::ClassDeclaration(class) => Some(class),
            _ => None,
        },
        _ => None,
    };
    let start = statement.span().start;
    class.and_then(|class| class.decorators.first()).map_or(start, |first| first.span.start.min(start))
}
