//! Places at which a long text may be cut: before statements, and inside long expressions before
//! their elements.

use ruff_python_ast::{ExceptHandler, Expr, Stmt};
use ruff_text_size::{Ranged, TextSize};

use crate::language::comments::start_with_comments;
use crate::language::facts::Break;
use crate::text::Span;

/// Below this depth a cut is no better than one at a line's end.
const MAX_DEPTH: u16 = 200;

pub fn breaks(body: &[Stmt], comments: &[Span], text: &str, max_chunk_bytes: usize) -> Vec<Break> {
    let mut cutter = Cutter { text, comments, max_chunk_bytes, found: Vec::new() };
    if text.len() > max_chunk_bytes {
        cutter.suite(body, 1);
    }
    cutter.found
}

struct Cutter<'s> {
    text: &'s str,
    comments: &'s [Span],
    max_chunk_bytes: usize,
    found: Vec<Break>,
}

impl Cutter<'_> {
    fn suite(&mut self, body: &[Stmt], depth: u16) {
        for statement in body {
            self.cut(statement.start(), depth);
            if self.is_long(statement) && depth < MAX_DEPTH {
                self.statement(statement, depth + 1);
            }
        }
    }

    fn statement(&mut self, statement: &Stmt, depth: u16) {
        match statement {
            Stmt::FunctionDef(function) => self.suite(&function.body, depth),
            Stmt::ClassDef(class) => self.suite(&class.body, depth),
            Stmt::With(with) => self.suite(&with.body, depth),
            Stmt::For(each) => {
                self.suite(&each.body, depth);
                self.suite(&each.orelse, depth);
            }
            Stmt::While(each) => {
                self.suite(&each.body, depth);
                self.suite(&each.orelse, depth);
            }
            Stmt::If(choice) => {
                self.suite(&choice.body, depth);
                for clause in &choice.elif_else_clauses {
                    self.clause(clause, &clause.body, depth);
                }
            }
            Stmt::Match(choice) => choice.cases.iter().for_each(|case| self.clause(case, &case.body, depth)),
            Stmt::Try(attempt) => {
                self.suite(&attempt.body, depth);
                for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                    self.clause(handler, &handler.body, depth);
                }
                self.suite(&attempt.orelse, depth);
                self.suite(&attempt.finalbody, depth);
            }
            Stmt::Assign(assign) => self.inside(&assign.value, depth),
            Stmt::AugAssign(assign) => self.inside(&assign.value, depth),
            Stmt::AnnAssign(assign) => assign.value.iter().for_each(|value| self.inside(value, depth)),
            Stmt::Return(result) => result.value.iter().for_each(|value| self.inside(value, depth)),
            Stmt::Expr(expression) => self.inside(&expression.value, depth),
            _ => {}
        }
    }

    /// A part of a statement that starts with a word of its own, such as `else`.
    fn clause(&mut self, clause: &impl Ranged, body: &[Stmt], depth: u16) {
        self.cut(clause.start(), depth);
        if self.is_long(clause) && depth < MAX_DEPTH {
            self.suite(body, depth + 1);
        }
    }

    /// The elements of a long expression.
    fn inside(&mut self, expression: &Expr, depth: u16) {
        if !self.is_long(expression) || depth >= MAX_DEPTH {
            return;
        }
        match expression {
            Expr::List(list) => list.elts.iter().for_each(|element| self.element(element, depth)),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|element| self.element(element, depth)),
            Expr::Set(set) => set.elts.iter().for_each(|element| self.element(element, depth)),
            Expr::Dict(dict) => {
                for item in &dict.items {
                    item.key.iter().for_each(|key| self.cut(key.start(), depth));
                    self.inside(&item.value, depth + 1);
                }
            }
            Expr::Call(call) => {
                self.inside(&call.func, depth + 1);
                for argument in call.arguments.iter_source_order() {
                    self.cut(argument.range().start(), depth);
                    self.inside(argument.value(), depth + 1);
                }
            }
            Expr::Attribute(attribute) => self.inside(&attribute.value, depth + 1),
            Expr::Subscript(subscript) => self.inside(&subscript.value, depth + 1),
            Expr::Await(wait) => self.inside(&wait.value, depth + 1),
            Expr::BoolOp(choice) => choice.values.iter().for_each(|value| self.element(value, depth)),
            Expr::BinOp(operation) => {
                self.inside(&operation.left, depth + 1);
                self.element(&operation.right, depth);
            }
            _ => {}
        }
    }

    fn element(&mut self, element: &Expr, depth: u16) {
        self.cut(element.start(), depth);
        self.inside(element, depth + 1);
    }

    fn cut(&mut self, at: TextSize, depth: u16) {
        let offset = start_with_comments(at.to_u32(), self.comments, self.text);
        self.found.push(Break { offset, depth });
    }

    fn is_long(&self, node: &impl Ranged) -> bool {
        node.range().len().to_usize() > self.max_chunk_bytes
    }
}
