//! The state of one reading, and the small steps that all the rest is made of.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{BoolOp, Expr, Stmt};
use ruff_text_size::TextRange;
use rustc_hash::FxHashSet;

use super::bindings::Bindings;
use super::scopes::{Bound, ScopeKind, Scopes};
use super::tokens::Scan;
use super::values::{Value, receiver};
use crate::language::facts::{Facts, Held, Mention};
use crate::record::Role;
use crate::text::Span;

pub struct Reader<'t, 'a> {
    pub text: &'t str,
    pub scan: &'a Scan,
    pub scopes: Scopes<'t, 'a>,
    pub facts: Facts<'t>,
    /// The names of the definitions around, outermost first.
    pub path: Vec<&'t str>,
    pub place: EnclosingBlock,
    /// The first parameter of the method around, by which it names its object.
    pub object: Option<Object<'t>>,
    pub class_count: u32,
    /// The variables that are defined already; only looked up, so that its order does not matter.
    pub defined: FxHashSet<(Owner, &'t str)>,
}

/// What statements stand in directly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum EnclosingBlock {
    Module,
    Class { class: u32, is_enum: bool },
    Function,
}

/// Whose variable a name is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    Module,
    Class(u32),
    /// An object of the class, by `self.name = …`.
    Object(u32),
}

#[derive(Clone, Copy)]
pub struct Object<'t> {
    pub name: &'t str,
    pub class: u32,
    /// How much of the path names the class.
    pub depth: usize,
}

/// Types that every program uses, so that naming them says nothing.
const BUILTIN_TYPES: [&str; 13] =
    ["bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple", "type"];

impl<'t, 'a> Reader<'t, 'a> {
    pub fn new(text: &'t str, scan: &'a Scan) -> Self {
        Reader {
            text,
            scan,
            scopes: Scopes::default(),
            facts: Facts::default(),
            path: Vec::new(),
            place: EnclosingBlock::Module,
            object: None,
            class_count: 0,
            defined: FxHashSet::default(),
        }
    }

    pub fn read(mut self, body: &'a [Stmt]) -> Facts<'t> {
        let names = self.bindings(body, Bound::Named);
        self.scopes.enter(ScopeKind::Open, &names);
        self.suite(body);
        self.facts
    }

    pub fn suite(&mut self, body: &'a [Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    /// The names that a body binds.
    pub fn bindings(&self, body: &[Stmt], assigned: Bound) -> Vec<(&'t str, Bound)> {
        let mut bindings = Bindings { text: self.text, walruses: &self.scan.walruses, assigned, names: Vec::new() };
        bindings.visit_body(body);
        bindings.names
    }

    pub fn word(&self, range: TextRange) -> &'t str {
        &self.text[range]
    }

    /// A name that stands alone; a local one means nothing outside its function.
    pub fn name(&mut self, role: Role, range: TextRange) {
        let word = self.word(range);
        let is_noise = BUILTIN_TYPES.contains(&word);
        if !is_noise && !self.scopes.is_local(word) {
            self.facts.mentions.push(Mention::new(role, word, span(range)));
        }
    }

    /// A name behind a dot.
    pub fn member(&mut self, role: Role, base: &Expr, name: TextRange) -> &mut Mention<'t> {
        let mut mention = Mention::new(role, self.word(name), span(name));
        mention.receiver = Some(receiver(base, self.text));
        mention.receiver_type = self.receiver_type(base);
        self.facts.mentions.push(mention);
        self.facts.mentions.last_mut().expect("pushed just now")
    }

    fn receiver_type(&self, base: &Expr) -> Option<std::borrow::Cow<'t, str>> {
        let Expr::Name(name) = base else { return None };
        let value = self.scopes.value(self.word(name.range))?;
        Held::receiver_type(&value.held(self.text))
    }

    /// What an expression gives.
    pub fn value(&self, expression: &'a Expr) -> Value<'a> {
        match expression {
            Expr::Call(call) => match &*call.func {
                // What a local function returns is not known outside its function.
                Expr::Name(name) if !self.is_called_by_name(self.word(name.range)) => Value::default(),
                _ => Value::call(call),
            },
            Expr::Name(name) => self.scopes.value(self.word(name.range)).unwrap_or_default(),
            Expr::Await(inner) => self.value(&inner.value),
            Expr::Starred(inner) => self.value(&inner.value),
            Expr::Named(inner) => self.value(&inner.value),
            // `given or Default()`: what is known of either holds for both, or one would be no use.
            Expr::BoolOp(choice) if choice.op == BoolOp::Or => self.first_known(&choice.values),
            Expr::If(choice) => self.first_known([&*choice.body, &*choice.orelse]),
            _ => Value::literal(expression),
        }
    }

    fn first_known(&self, choices: impl IntoIterator<Item = &'a Expr>) -> Value<'a> {
        let values = choices.into_iter().map(|choice| self.value(choice));
        values.into_iter().find(|value| value.is_known()).unwrap_or_default()
    }

    /// `cls(…)` makes an object of the class around, though `cls` is a parameter.
    pub fn is_called_by_name(&self, word: &str) -> bool {
        self.object.is_some_and(|object| object.name == word) || !self.scopes.is_local(word)
    }
}

pub fn span(range: TextRange) -> Span {
    Span::new(range.start().to_usize(), range.end().to_usize())
}
