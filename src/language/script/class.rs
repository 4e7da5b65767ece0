//! Definitions of classes and their members.

use oxc_ast::ast::*;

use super::definition::{Callable, Named, whole};
use super::object::key_span;
use super::{Finder, Visibility, span};
use crate::language::facts::Definition;
use crate::record::Kind;
use crate::text::Span;

impl<'t> Finder<'t> {
    pub(super) fn define_class_declaration(&mut self, it: &Class) {
        let (export, visibility) = self.visibility_here();
        let Some(id) = &it.id else { return };
        let whole = with_decorators(whole(export, it.span), &it.decorators);
        let named = Named {
            name: self.slice(id.span),
            at: id.span,
            whole,
            kind: Kind::Class,
            container: Vec::new(),
            visibility,
        };
        self.define_class(it, named);
    }

    pub(super) fn define_class(&mut self, it: &Class, named: Named<'t>) -> usize {
        let whole = with_decorators(named.whole, &it.decorators);
        let mut definition = Definition::new(Kind::Class, named.name, span(named.at), whole);
        definition.container = named.container;
        definition.body = Some(span(it.body.span));
        let class = self.define(definition, named.visibility);
        for element in &it.body.body {
            self.define_element(element, class);
        }
        for element in &it.body.body {
            if let ClassElement::MethodDefinition(method) = element
                && method.kind.is_constructor()
            {
                self.define_constructor_fields(&method.value, class);
            }
        }
        class
    }

    fn define_element(&mut self, element: &ClassElement, class: usize) {
        match element {
            ClassElement::MethodDefinition(it) => {
                let kind = match it.kind {
                    MethodDefinitionKind::Constructor => Kind::Constructor,
                    MethodDefinitionKind::Method => Kind::Method,
                    MethodDefinitionKind::Get | MethodDefinitionKind::Set => Kind::Property,
                };
                let mut definition = self.element(kind, &it.key, it.span, &it.decorators, it.accessibility);
                self.fill_callable(&mut definition, Callable::Function(&it.value));
                self.define(definition, Visibility::Member(class));
            }
            ClassElement::PropertyDefinition(it) => {
                let mut definition = self.element(Kind::Field, &it.key, it.span, &it.decorators, it.accessibility);
                match it.value.as_ref().and_then(Callable::of) {
                    Some(callable) => {
                        definition.kind = Kind::Method;
                        self.fill_callable(&mut definition, callable);
                    }
                    None => definition.value_type = self.value_type(it.type_annotation.as_deref(), it.value.as_ref()),
                }
                self.define(definition, Visibility::Member(class));
            }
            ClassElement::AccessorProperty(it) => {
                let mut definition = self.element(Kind::Field, &it.key, it.span, &it.decorators, it.accessibility);
                definition.value_type = self.value_type(it.type_annotation.as_deref(), it.value.as_ref());
                self.define(definition, Visibility::Member(class));
            }
            ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => {}
        }
    }

    fn element(
        &self,
        kind: Kind,
        key: &PropertyKey,
        at: oxc_span::Span,
        decorators: &[Decorator],
        accessibility: Option<TSAccessibility>,
    ) -> Definition<'t> {
        let whole = with_decorators(self.without_separator(at), decorators);
        let mut definition = Definition::new(kind, self.key_text(key), span(key_span(key)), whole);
        definition.private = key.is_private_identifier() || accessibility == Some(TSAccessibility::Private);
        definition
    }

    /// Fields that only the constructor shows: `constructor(private store: Store)`, and `this.store = …`
    /// where nothing else declares it.
    fn define_constructor_fields(&mut self, it: &Function, class: usize) {
        for item in it.params.items.iter().filter(|item| item.has_modifier()) {
            if let BindingPattern::BindingIdentifier(id) = &item.pattern {
                let mut field = Definition::new(Kind::Field, self.slice(id.span), span(id.span), span(item.span));
                field.private = item.accessibility == Some(TSAccessibility::Private);
                field.value_type = self.value_type(item.type_annotation.as_deref(), item.initializer.as_deref());
                self.define(field, Visibility::Member(class));
            }
        }
        for statement in it.body.iter().flat_map(|body| &body.statements) {
            self.define_assigned_field(statement, class);
        }
    }

    fn define_assigned_field(&mut self, statement: &Statement, class: usize) {
        let Statement::ExpressionStatement(statement) = statement else { return };
        let Expression::AssignmentExpression(it) = &statement.expression else { return };
        let at = match &it.left {
            AssignmentTarget::StaticMemberExpression(left) if is_this(&left.object) => left.property.span,
            AssignmentTarget::PrivateFieldExpression(left) if is_this(&left.object) => left.field.span,
            _ => return,
        };
        let name = self.slice(at);
        let is_known = |definition: &Definition| definition.name == name;
        if it.operator.is_assign() && !self.facts.definitions[class..].iter().any(is_known) {
            let mut field = Definition::new(Kind::Field, name, span(at), span(statement.span));
            field.value_type = self.value_type(None, Some(&it.right));
            self.define(field, Visibility::Member(class));
            self.claimed.insert(at.start);
        }
    }
}

fn is_this(expression: &Expression) -> bool {
    matches!(expression, Expression::ThisExpression(_))
}

/// Decorators may stand before the `export` that starts the definition.
fn with_decorators(whole: Span, decorators: &[Decorator]) -> Span {
    let start = decorators.first().map_or(whole.start, |first| first.span.start.min(whole.start));
    Span { start, end: whole.end }
}
