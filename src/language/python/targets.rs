//! Targets of assignments: definitions of modules, classes and objects, and what locals hold.

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Expr, ExprAttribute, ExprName};
use ruff_text_size::{Ranged, TextRange};

use super::reader::{EnclosingBlock, Object, Owner, Reader, span};
use super::statements::last_name;
use super::values::{Value, type_text};
use crate::language::facts::Definition;
use crate::record::{Kind, Role};

/// An assignment that may define its targets.
pub struct Assigned<'a> {
    pub statement: TextRange,
    pub value: Option<&'a Expr>,
    /// The annotation.
    pub declared: Option<&'a Expr>,
}

impl<'t, 'a> Reader<'t, 'a> {
    /// Says what stands in a target: a definition, or the use of what is defined elsewhere.
    pub fn target(&mut self, target: &'a Expr, assigned: Option<&Assigned<'a>>) {
        match target {
            Expr::Name(name) => match assigned {
                Some(assigned) if self.defines_variable(name.range) => self.variable(name, assigned),
                _ => self.name(Role::Use, name.range),
            },
            Expr::Attribute(attribute) => self.attribute_target(attribute, assigned),
            Expr::Tuple(_) | Expr::List(_) => self.sequence_target(target, assigned),
            Expr::Starred(starred) => {
                let assigned = assigned.map(|assigned| Assigned { value: None, ..*assigned });
                self.target(&starred.value, assigned.as_ref());
            }
            _ => self.visit_expr(target),
        }
    }

    fn sequence_target(&mut self, target: &'a Expr, assigned: Option<&Assigned<'a>>) {
        let value = assigned.and_then(|assigned| assigned.value);
        for (element, value) in pairs(target, value) {
            let assigned = assigned.map(|assigned| Assigned { value, ..*assigned });
            self.target(element, assigned.as_ref());
        }
    }

    /// What the names of a target hold after the assignment.
    pub fn bind(&mut self, target: &'a Expr, value: Value<'a>) {
        match target {
            Expr::Name(name) => self.scopes.set(self.word(name.range), value),
            Expr::Tuple(_) | Expr::List(_) | Expr::Starred(_) => self.bind_parts(target, None, Value::default()),
            _ => {}
        }
    }

    /// The same where each name of a sequence may have a value of its own.
    pub fn bind_parts(&mut self, target: &'a Expr, expression: Option<&'a Expr>, value: Value<'a>) {
        match target {
            Expr::Tuple(_) | Expr::List(_) => {
                // All values are taken before the first name is set: `a, b = b, a`.
                let parts: Vec<_> = pairs(target, expression)
                    .map(|(element, part)| (element, part, part.map(|part| self.value(part)).unwrap_or_default()))
                    .collect();
                for (element, part, value) in parts {
                    self.bind_parts(element, part, value);
                }
            }
            Expr::Starred(starred) => self.bind(&starred.value, Value::default()),
            _ => self.bind(target, value),
        }
    }

    fn attribute_target(&mut self, attribute: &'a ExprAttribute, assigned: Option<&Assigned<'a>>) {
        let field = assigned.and_then(|assigned| Some((self.field_object(attribute)?, assigned)));
        match field {
            Some((object, assigned)) => self.field(attribute.attr.range, object, assigned),
            None => {
                self.visit_expr(&attribute.value);
                self.member(Role::Use, &attribute.value, attribute.attr.range);
            }
        }
    }

    /// The object whose field is set here for the first time.
    fn field_object(&mut self, attribute: &ExprAttribute) -> Option<Object<'t>> {
        let object = self.object?;
        let Expr::Name(base) = &*attribute.value else { return None };
        let is_first = self.word(base.range) == object.name
            && self.defined.insert((Owner::Object(object.class), self.word(attribute.attr.range)));
        is_first.then_some(object)
    }

    fn field(&mut self, name: TextRange, object: Object<'t>, assigned: &Assigned<'a>) {
        let mut definition = Definition::new(Kind::Field, self.word(name), span(name), span(assigned.statement));
        // It stands in a method and belongs to the class around that.
        definition.container = self.path[..object.depth].iter().map(|name| (*name).into()).collect();
        definition.value_type = self.assigned_type(assigned);
        self.facts.definitions.push(definition);
    }

    /// Whether a name becomes a variable of the module or class here.
    fn defines_variable(&mut self, name: TextRange) -> bool {
        let word = self.word(name);
        self.owner().is_some_and(|owner| self.defined.insert((owner, word)))
    }

    /// From here on an assignment to this name defines nothing.
    pub fn mark_defined(&mut self, word: &'t str) {
        if let Some(owner) = self.owner() {
            self.defined.insert((owner, word));
        }
    }

    fn owner(&self) -> Option<Owner> {
        match self.place {
            EnclosingBlock::Module => Some(Owner::Module),
            EnclosingBlock::Class { class, .. } => Some(Owner::Class(class)),
            EnclosingBlock::Function => None,
        }
    }

    fn variable(&mut self, name: &ExprName, assigned: &Assigned<'a>) {
        let word = self.word(name.range);
        let kind = self.variable_kind(word, assigned);
        let mut definition = Definition::new(kind, word, span(name.range), span(assigned.statement));
        definition.value_type = self.assigned_type(assigned);
        self.facts.definitions.push(definition);
    }

    fn variable_kind(&self, word: &str, assigned: &Assigned<'a>) -> Kind {
        let is_alias = assigned.declared.and_then(last_name).is_some_and(|name| name == "TypeAlias");
        let is_value = assigned.value.is_some() && assigned.declared.is_none();
        match self.place {
            _ if is_alias || assigned.value.is_some_and(makes_type) => Kind::Type,
            EnclosingBlock::Class { is_enum: true, .. } if is_value && !word.starts_with('_') => Kind::EnumMember,
            EnclosingBlock::Class { .. } => Kind::Field,
            _ if is_constant(word) => Kind::Constant,
            _ => Kind::Variable,
        }
    }

    fn assigned_type(&self, assigned: &Assigned<'a>) -> Option<std::borrow::Cow<'t, str>> {
        match assigned.declared {
            Some(declared) if last_name(declared).is_some_and(|name| name == "TypeAlias") => None,
            Some(declared) => type_text(declared.range(), self.text),
            None => self.value(assigned.value?).definition_type(self.text),
        }
    }
}

/// `T = TypeVar("T")` and its like.
fn makes_type(value: &Expr) -> bool {
    let Expr::Call(call) = value else { return false };
    matches!(last_name(&call.func), Some("NewType" | "ParamSpec" | "TypeVar" | "TypeVarTuple"))
}

fn is_constant(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_uppercase()) && !word.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// The elements of a target, each with its value where the value is a sequence of the same length.
fn pairs<'a>(target: &'a Expr, value: Option<&'a Expr>) -> impl Iterator<Item = (&'a Expr, Option<&'a Expr>)> {
    let targets = elements(target);
    let values = value.map(elements).filter(|values| {
        values.len() == targets.len() && !values.iter().chain(targets).any(|element| element.is_starred_expr())
    });
    targets.iter().enumerate().map(move |(at, element)| (element, values.map(|values| &values[at])))
}

fn elements(expression: &Expr) -> &[Expr] {
    match expression {
        Expr::Tuple(tuple) => &tuple.elts,
        Expr::List(list) => &list.elts,
        _ => &[],
    }
}
