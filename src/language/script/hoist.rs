//! What a body declares, bound before it is walked: names are known in all of their scope, also
//! above the statement that declares them.

use oxc_ast::ast::*;
use oxc_ast_visit::Visit;

use super::Finder;
use super::binding::is_import_call;
use super::locals::Meaning;

impl<'t> Finder<'t> {
    /// The names that a list of statements declares for the block it is.
    pub(super) fn bind_block<'a>(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            let declaration = match statement {
                Statement::ExportDeclaration(export) => Some(&export.declaration),
                statement => statement.as_declaration(),
            };
            match declaration {
                Some(Declaration::VariableDeclaration(variables)) if !variables.kind.is_var() => {
                    self.bind_variables(variables);
                }
                Some(Declaration::VariableDeclaration(_)) | None => {}
                Some(declaration) => {
                    if let Some(id) = declaration.id() {
                        self.locals.bind(self.slice(id.span), Meaning::Known);
                    }
                }
            }
        }
    }

    /// The `var`s of a function's body, however deep in its blocks.
    pub(super) fn bind_vars<'a>(&mut self, statements: &[Statement<'a>]) {
        let mut vars = Vars(self);
        statements.iter().for_each(|statement| vars.visit_statement(statement));
    }

    /// What a `require` gives is an import wherever it stands, so it is mentioned like one.
    pub(super) fn bind_variables(&mut self, variables: &VariableDeclaration) {
        for declarator in &variables.declarations {
            let imported = declarator.init.as_ref().is_some_and(is_import_call);
            self.bind_pattern(&declarator.id, if imported { Meaning::Known } else { Meaning::Value });
        }
    }

    pub(super) fn bind_pattern(&mut self, pattern: &BindingPattern, meaning: Meaning) {
        each_name(pattern, &mut |name, _| self.locals.bind(self.text_of(name), meaning));
    }

    fn text_of(&self, name: &BindingIdentifier) -> &'t str {
        self.slice(name.span)
    }
}

/// Finds `var`s in statements. It looks into nothing that has `var`s of its own.
struct Vars<'f, 't>(&'f mut Finder<'t>);

impl<'a> Visit<'a> for Vars<'_, '_> {
    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        if it.kind.is_var() {
            self.0.bind_variables(it);
        }
    }

    fn visit_declaration(&mut self, it: &Declaration<'a>) {
        if let Declaration::VariableDeclaration(variables) = it {
            self.visit_variable_declaration(variables);
        }
    }

    fn visit_module_declaration(&mut self, _: &ModuleDeclaration<'a>) {}

    fn visit_expression(&mut self, _: &Expression<'a>) {}

    /// A chain of `else if` is as long as it likes, so it is followed and not descended into.
    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        let mut branch = it;
        loop {
            self.visit_statement(&branch.consequent);
            match &branch.alternate {
                Some(Statement::IfStatement(next)) => branch = next,
                Some(alternate) => return self.visit_statement(alternate),
                None => return,
            }
        }
    }
}

/// Every name that a pattern binds, with the piece of the pattern that it stands for.
pub fn each_name<'p, 'a>(
    pattern: &'p BindingPattern<'a>,
    visit: &mut impl FnMut(&'p BindingIdentifier<'a>, oxc_span::Span),
) {
    match pattern {
        BindingPattern::BindingIdentifier(name) => visit(name, name.span),
        BindingPattern::AssignmentPattern(it) => each_name(&it.left, visit),
        BindingPattern::ObjectPattern(it) => {
            for property in &it.properties {
                match &property.value {
                    BindingPattern::BindingIdentifier(name) => visit(name, property.span),
                    value => each_name(value, visit),
                }
            }
            if let Some(rest) = &it.rest {
                each_name(&rest.argument, visit);
            }
        }
        BindingPattern::ArrayPattern(it) => {
            it.elements.iter().flatten().for_each(|element| each_name(element, visit));
            if let Some(rest) = &it.rest {
                each_name(&rest.argument, visit);
            }
        }
    }
}
