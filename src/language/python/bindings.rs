//! The names that a module, class or function binds, found before it is read: in Python a name that
//! is bound anywhere in a function is local everywhere in it.

use ruff_python_ast::visitor::{Visitor, walk_except_handler, walk_expr, walk_pattern, walk_stmt, walk_with_item};
use ruff_python_ast::{Alias, ExceptHandler, Expr, Pattern, Stmt, StmtImport, WithItem};
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

    fn has_walrus(&self, range: TextRange) -> bool {
        if self.walruses.is_empty() {
            return false;
        }
        let at = self.walruses.partition_point(|offset| *offset < range.start().to_u32());
        self.walruses.get(at).is_some_and(|offset| *offset < range.end().to_u32())
    }
}

impl<'e> Visitor<'e> for Bindings<'_, '_> {
    fn visit_stmt(&mut self, statement: &'e Stmt) {
        match statement {
            // What stands in them is bound there.
            Stmt::FunctionDef(function) => return self.bind(function.name.range, Bound::Named),
            Stmt::ClassDef(class) => return self.bind(class.name.range, Bound::Named),
            Stmt::TypeAlias(alias) => return self.target(&alias.name, Bound::Named),
            Stmt::Assign(assign) => assign.targets.iter().for_each(|target| self.target(target, self.assigned)),
            Stmt::AugAssign(assign) => self.target(&assign.target, self.assigned),
            Stmt::AnnAssign(assign) => self.target(&assign.target, self.assigned),
            Stmt::For(each) => self.target(&each.target, Bound::Local),
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => {
                import.names.iter().for_each(|alias| self.bind(bound_name(alias), Bound::Named));
            }
            Stmt::Global(global) => global.names.iter().for_each(|name| self.bind(name.range, Bound::Named)),
            Stmt::Nonlocal(nonlocal) => nonlocal.names.iter().for_each(|name| self.bind(name.range, Bound::Nonlocal)),
            _ => {}
        }
        walk_stmt(self, statement);
    }

    /// An expression binds nothing but by `:=`, so that most are not looked into. It binds in the function even when
    /// it stands in a comprehension of it.
    fn visit_expr(&mut self, expression: &'e Expr) {
        if expression.is_lambda_expr() || !self.has_walrus(expression.range()) {
            return;
        }
        if let Expr::Named(named) = expression {
            self.target(&named.target, Bound::Local);
        }
        walk_expr(self, expression);
    }

    fn visit_with_item(&mut self, item: &'e WithItem) {
        item.optional_vars.iter().for_each(|target| self.target(target, Bound::Local));
        walk_with_item(self, item);
    }

    fn visit_except_handler(&mut self, handler: &'e ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        inner.name.iter().for_each(|name| self.bind(name.range, Bound::Local));
        walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'e Pattern) {
        let name = match pattern {
            Pattern::MatchAs(capture) => capture.name.as_ref(),
            Pattern::MatchStar(star) => star.name.as_ref(),
            Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        name.into_iter().for_each(|name| self.bind(name.range, Bound::Local));
        walk_pattern(self, pattern);
    }
}

fn bound_name(alias: &Alias) -> TextRange {
    alias.asname.as_ref().unwrap_or(&alias.name).range
}
