//! The names that a module, class or function binds, found before it is read: in Python a name that
//! is bound anywhere in a function is local everywhere in it.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Alias, ExceptHandler, Expr, Pattern, Stmt, StmtImport};
use ruff_text_size::{Ranged, TextRange};

use super::scopes::Bound;

pub struct Bindings<'t, 'w> {
    pub text: &'t str,
    /// Where the text has `:=`, first to last.
    pub walruses: &'w [u32],
    /// What an assignment makes of a name: a local of a function, a variable of a module or class.
    pub assigned: Bound,
    pub names: Vec<(&'t str, Bound)>,
}

impl<'t> Bindings<'t, '_> {
    pub fn suite(&mut self, body: &[Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::FunctionDef(function) => self.bind(function.name.range, Bound::Named),
            Stmt::ClassDef(class) => self.bind(class.name.range, Bound::Named),
            Stmt::TypeAlias(alias) => self.target(&alias.name, Bound::Named),
            Stmt::Assign(assign) => {
                assign.targets.iter().for_each(|target| self.target(target, self.assigned));
                self.expression(&assign.value);
            }
            Stmt::AugAssign(assign) => {
                self.target(&assign.target, self.assigned);
                self.expression(&assign.value);
            }
            Stmt::AnnAssign(assign) => {
                self.target(&assign.target, self.assigned);
                assign.value.iter().for_each(|value| self.expression(value));
            }
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => {
                import.names.iter().for_each(|alias| self.bind(bound_name(alias), Bound::Named));
            }
            Stmt::Global(global) => global.names.iter().for_each(|name| self.bind(name.range, Bound::Named)),
            Stmt::Nonlocal(nonlocal) => nonlocal.names.iter().for_each(|name| self.bind(name.range, Bound::Nonlocal)),
            Stmt::Expr(expression) => self.expression(&expression.value),
            Stmt::Return(_) | Stmt::Assert(_) | Stmt::Raise(_) | Stmt::Delete(_) => self.simple(statement),
            _ => self.compound(statement),
        }
    }

    fn compound(&mut self, statement: &Stmt) {
        match statement {
            Stmt::For(each) => {
                self.target(&each.target, Bound::Local);
                self.expression(&each.iter);
                self.suite(&each.body);
                self.suite(&each.orelse);
            }
            Stmt::While(each) => {
                self.expression(&each.test);
                self.suite(&each.body);
                self.suite(&each.orelse);
            }
            Stmt::If(choice) => {
                self.expression(&choice.test);
                self.suite(&choice.body);
                for clause in &choice.elif_else_clauses {
                    clause.test.iter().for_each(|test| self.expression(test));
                    self.suite(&clause.body);
                }
            }
            Stmt::With(with) => {
                for item in &with.items {
                    self.expression(&item.context_expr);
                    item.optional_vars.iter().for_each(|target| self.target(target, Bound::Local));
                }
                self.suite(&with.body);
            }
            Stmt::Match(choice) => {
                self.expression(&choice.subject);
                for case in &choice.cases {
                    self.pattern(&case.pattern);
                    case.guard.iter().for_each(|guard| self.expression(guard));
                    self.suite(&case.body);
                }
            }
            Stmt::Try(attempt) => {
                self.suite(&attempt.body);
                for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                    handler.name.iter().for_each(|name| self.bind(name.range, Bound::Local));
                    self.suite(&handler.body);
                }
                self.suite(&attempt.orelse);
                self.suite(&attempt.finalbody);
            }
            _ => {}
        }
    }

    fn import(&mut self, import: &StmtImport) {
        import.names.iter().for_each(|alias| self.bind(bound_name(alias), Bound::Named));
        // `import a.b` binds `a`.
        for (name, _) in self.names.iter_mut().rev().take(import.names.len()) {
            *name = name.split('.').next().unwrap_or(name).trim_end();
        }
    }

    fn bind(&mut self, name: TextRange, bound: Bound) {
        self.names.push((&self.text[name], bound));
    }

    pub fn target(&mut self, target: &Expr, bound: Bound) {
        match target {
            Expr::Name(name) => self.bind(name.range, bound),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|element| self.target(element, bound)),
            Expr::List(list) => list.elts.iter().for_each(|element| self.target(element, bound)),
            Expr::Starred(starred) => self.target(&starred.value, bound),
            _ => {}
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::MatchAs(capture) => {
                capture.name.iter().for_each(|name| self.bind(name.range, Bound::Local));
                capture.pattern.iter().for_each(|inner| self.pattern(inner));
            }
            Pattern::MatchStar(star) => star.name.iter().for_each(|name| self.bind(name.range, Bound::Local)),
            Pattern::MatchSequence(sequence) => sequence.patterns.iter().for_each(|inner| self.pattern(inner)),
            Pattern::MatchOr(choice) => choice.patterns.iter().for_each(|inner| self.pattern(inner)),
            Pattern::MatchMapping(mapping) => {
                mapping.patterns.iter().for_each(|inner| self.pattern(inner));
                mapping.rest.iter().for_each(|name| self.bind(name.range, Bound::Local));
            }
            Pattern::MatchClass(class) => {
                class.arguments.patterns.iter().for_each(|inner| self.pattern(inner));
                class.arguments.keywords.iter().for_each(|keyword| self.pattern(&keyword.pattern));
            }
            Pattern::MatchValue(_) | Pattern::MatchSingleton(_) => {}
        }
    }

    /// An expression binds nothing but by `:=`, so that most are not looked into.
    pub fn expression(&mut self, expression: &Expr) {
        if self.has_walrus(expression.range()) {
            self.visit_expr(expression);
        }
    }

    fn simple(&mut self, statement: &Stmt) {
        if self.has_walrus(statement.range()) {
            self.visit_stmt(statement);
        }
    }

    fn has_walrus(&self, range: TextRange) -> bool {
        if self.walruses.is_empty() {
            return false;
        }
        let at = self.walruses.partition_point(|offset| *offset < range.start().to_u32());
        self.walruses.get(at).is_some_and(|offset| *offset < range.end().to_u32())
    }
}

/// Finds `:=`, which binds in the function even when it stands in a comprehension of it.
impl<'e> Visitor<'e> for Bindings<'_, '_> {
    fn visit_expr(&mut self, expression: &'e Expr) {
        match expression {
            Expr::Lambda(_) => return,
            Expr::Named(named) => self.target(&named.target, Bound::Local),
            _ => {}
        }
        walk_expr(self, expression);
    }
}

fn bound_name(alias: &Alias) -> TextRange {
    alias.asname.as_ref().unwrap_or(&alias.name).range
}
