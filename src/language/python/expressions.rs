//! Expressions: calls, uses, the scopes of lambdas and comprehensions, and values that flow into calls.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Comprehension, Expr, ExprBinOp, ExprCall, ExprLambda, ExprNamed};
use ruff_text_size::TextRange;

use super::bindings::Bindings;
use super::reader::{Reader, span};
use super::scopes::{Bound, ScopeKind};
use super::values::{Source, Value, receiver};
use crate::language::facts::Mention;
use crate::record::Role;

impl<'t, 'a> Reader<'t, 'a> {
    pub fn expression(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => self.name(Role::Use, name.range),
            Expr::Attribute(attribute) => {
                self.expression(&attribute.value);
                self.member(Role::Use, &attribute.value, attribute.attr.range);
            }
            Expr::Call(call) => self.call(call),
            Expr::BinOp(operation) => self.operands(operation),
            Expr::Lambda(lambda) => self.lambda(lambda),
            Expr::Named(named) => self.walrus(named),
            Expr::ListComp(list) => self.comprehension(&list.generators, [Some(&*list.elt), None]),
            Expr::SetComp(set) => self.comprehension(&set.generators, [Some(&*set.elt), None]),
            Expr::Generator(generator) => self.comprehension(&generator.generators, [Some(&*generator.elt), None]),
            Expr::DictComp(dict) => self.comprehension(&dict.generators, [dict.key.as_deref(), Some(&*dict.value)]),
            Expr::StringLiteral(_) | Expr::NumberLiteral(_) | Expr::NoneLiteral(_) | Expr::BooleanLiteral(_) => {}
            _ => walk_expr(self, expression),
        }
    }

    /// `a + b + c + …` nests to the left, once for every operator.
    fn operands(&mut self, operation: &'a ExprBinOp) {
        let mut rights: Vec<&'a Expr> = vec![&operation.right];
        let mut first = &*operation.left;
        while let Expr::BinOp(inner) = first {
            rights.push(&inner.right);
            first = &inner.left;
        }
        self.expression(first);
        rights.into_iter().rev().for_each(|right| self.expression(right));
    }

    fn call(&mut self, call: &'a ExprCall) {
        match &*call.func {
            Expr::Name(name) => {
                let word = self.word(name.range);
                if self.is_called_by_name(word) {
                    let mut mention = Mention::new(Role::Call, word, span(name.range));
                    mention.arguments = Some(call.arguments.len() as u32);
                    self.facts.mentions.push(mention);
                    self.flows(call, None, name.range);
                }
            }
            Expr::Attribute(attribute) => {
                self.expression(&attribute.value);
                let mention = self.member(Role::Call, &attribute.value, attribute.attr.range);
                mention.arguments = Some(call.arguments.len() as u32);
                self.flows(call, Some(&attribute.value), attribute.attr.range);
            }
            function => self.expression(function),
        }
        for argument in call.arguments.iter_source_order() {
            self.expression(argument.value());
        }
    }

    /// Values that reach a call from another one or from a parameter.
    fn flows(&mut self, call: &'a ExprCall, base: Option<&'a Expr>, name: TextRange) {
        for (at, argument) in call.arguments.iter_source_order().enumerate() {
            let value = self.value(argument.value());
            self.flow(value, Some(at as u32), base, name);
        }
        if let Some(expression) = base {
            let value = self.value(expression);
            // A receiver that is a parameter says nothing that the receiver itself does not.
            if let Source::Call(_) = value.source {
                self.flow(value, None, base, name);
            }
        }
    }

    fn flow(&mut self, value: Value<'a>, argument: Option<u32>, base: Option<&'a Expr>, name: TextRange) {
        if let Source::Unknown = value.source {
            return;
        }
        let Some(flow) = value.held(self.text).flow(argument) else { return };
        let mention = Mention::new(Role::Flow, self.word(name), span(name)).with_flow(flow);
        let receiver = base.map(|base| receiver(base, self.text));
        self.facts.mentions.push(Mention { receiver, ..mention });
    }

    fn walrus(&mut self, named: &'a ExprNamed) {
        self.target(&named.target, None);
        self.expression(&named.value);
        let value = self.value(&named.value);
        self.bind(&named.target, value);
    }

    fn lambda(&mut self, lambda: &'a ExprLambda) {
        let mut bindings = self.no_bindings();
        for parameter in lambda.parameters.iter().flat_map(|parameters| parameters.iter()) {
            parameter.default().into_iter().for_each(|default| self.expression(default));
            bindings.names.push((self.word(parameter.name().range), Bound::Local));
        }
        bindings.visit_expr(&lambda.body);
        // Its parameters are not the function's, so no value comes from them.
        self.scopes.enter(ScopeKind::Open, &bindings.names);
        self.expression(&lambda.body);
        self.scopes.leave();
    }

    /// What a comprehension binds is its own, but for what its first `for` runs over.
    fn comprehension(&mut self, generators: &'a [Comprehension], results: [Option<&'a Expr>; 2]) {
        let mut bindings = self.no_bindings();
        generators.iter().for_each(|generator| bindings.target(&generator.target, Bound::Local));
        if let Some(first) = generators.first() {
            self.expression(&first.iter);
        }
        self.scopes.enter(ScopeKind::Open, &bindings.names);
        results.into_iter().flatten().for_each(|result| self.expression(result));
        for (at, generator) in generators.iter().enumerate() {
            self.target(&generator.target, None);
            if at > 0 {
                self.expression(&generator.iter);
            }
            generator.ifs.iter().for_each(|condition| self.visit_expr(condition));
        }
        self.scopes.leave();
    }

    fn no_bindings(&self) -> Bindings<'t, 'a> {
        Bindings { text: self.text, walruses: &self.scan.walruses, assigned: Bound::Local, names: Vec::new() }
    }
}
