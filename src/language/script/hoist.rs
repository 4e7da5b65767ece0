//! What a body declares, bound before it is walked: names are known in all of their scope, also
//! above the statement that declares them.

use oxc_ast::ast::*;

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
        for statement in statements {
            self.bind_vars_of(statement);
        }
    }

    fn bind_vars_of<'a>(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::VariableDeclaration(variables) => self.bind_if_var(variables),
            Statement::BlockStatement(block) => self.bind_vars(&block.body),
            Statement::IfStatement(it) => self.bind_vars_of_branches(it),
            Statement::ForStatement(it) => {
                if let Some(ForStatementInit::VariableDeclaration(variables)) = &it.init {
                    self.bind_if_var(variables);
                }
                self.bind_vars_of(&it.body);
            }
            Statement::ForInStatement(it) => self.bind_vars_of_loop(&it.left, &it.body),
            Statement::ForOfStatement(it) => self.bind_vars_of_loop(&it.left, &it.body),
            Statement::WhileStatement(it) => self.bind_vars_of(&it.body),
            Statement::DoWhileStatement(it) => self.bind_vars_of(&it.body),
            Statement::LabeledStatement(it) => self.bind_vars_of(&it.body),
            Statement::WithStatement(it) => self.bind_vars_of(&it.body),
            Statement::SwitchStatement(it) => it.cases.iter().for_each(|case| self.bind_vars(&case.consequent)),
            Statement::TryStatement(it) => {
                self.bind_vars(&it.block.body);
                if let Some(handler) = &it.handler {
                    self.bind_vars(&handler.body.body);
                }
                if let Some(finalizer) = &it.finalizer {
                    self.bind_vars(&finalizer.body);
                }
            }
            _ => {}
        }
    }

    /// A chain of `else if` is as long as it likes, so it is followed and not descended into.
    fn bind_vars_of_branches<'a>(&mut self, mut branch: &IfStatement<'a>) {
        loop {
            self.bind_vars_of(&branch.consequent);
            match &branch.alternate {
                Some(Statement::IfStatement(next)) => branch = next,
                Some(alternate) => return self.bind_vars_of(alternate),
                None => return,
            }
        }
    }

    fn bind_vars_of_loop<'a>(&mut self, left: &ForStatementLeft<'a>, body: &Statement<'a>) {
        if let ForStatementLeft::VariableDeclaration(variables) = left {
            self.bind_if_var(variables);
        }
        self.bind_vars_of(body);
    }

    fn bind_if_var(&mut self, variables: &VariableDeclaration) {
        if variables.kind.is_var() {
            self.bind_variables(variables);
        }
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
