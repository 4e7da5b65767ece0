//! The walk over the tree, in the order of the text. The other files decide what a node means;
//! here is only which nodes mean something and which scopes they open.

use std::cell::Cell;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::{ScopeFlags, ScopeId};

use super::apart::Whole;
use super::binding::required;
use super::locals::Meaning;
use super::{Finder, span};
use crate::record::Role;

impl<'a> Visit<'a> for Finder<'_> {
    fn enter_scope(&mut self, _: ScopeFlags, _: &Cell<Option<ScopeId>>) {
        self.scopes.push(self.locals.mark());
    }

    fn leave_scope(&mut self) {
        let mark = self.scopes.pop().expect("scopes are left as often as entered");
        self.locals.leave(mark);
    }

    fn visit_program(&mut self, it: &Program<'a>) {
        self.walk_statements(it.span, &it.body);
    }

    // Statements

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        self.inside_block(|finder| {
            finder.bind_block(&it.body);
            finder.walk_statements(it.span, &it.body);
        });
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        self.visit_expression(&it.discriminant);
        self.inside_block(|finder| {
            it.cases.iter().for_each(|case| finder.bind_block(&case.consequent));
            let starts = it.cases.iter().map(|case| case.span.start);
            finder.walk_list(it.span, starts, |finder| finder.visit_switch_cases(&it.cases));
        });
    }

    fn visit_switch_case(&mut self, it: &SwitchCase<'a>) {
        if let Some(test) = &it.test {
            self.visit_expression(test);
        }
        self.walk_statements(it.span, &it.consequent);
    }

    /// A chain of `else if` is as long as it likes, so it is followed and not descended into.
    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        let mut branch = it;
        loop {
            self.visit_expression(&branch.test);
            self.visit_statement(&branch.consequent);
            match &branch.alternate {
                Some(Statement::IfStatement(next)) => branch = next,
                Some(alternate) => return self.visit_statement(alternate),
                None => return,
            }
        }
    }

    fn visit_for_statement_init(&mut self, it: &ForStatementInit<'a>) {
        self.block_depth += 1;
        if let ForStatementInit::VariableDeclaration(variables) = it
            && !variables.kind.is_var()
        {
            self.bind_variables(variables);
        }
        walk::walk_for_statement_init(self, it);
        self.block_depth -= 1;
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.turn = Some(self.turn(&it.right));
        walk::walk_for_of_statement(self, it);
    }

    fn visit_for_statement_left(&mut self, it: &ForStatementLeft<'a>) {
        self.block_depth += 1;
        let turn = self.turn.take();
        if let ForStatementLeft::VariableDeclaration(variables) = it
            && !variables.kind.is_var()
        {
            self.bind_variables(variables);
        }
        walk::walk_for_statement_left(self, it);
        if let (ForStatementLeft::VariableDeclaration(variables), Some(turn)) = (it, turn) {
            variables.declarations.iter().for_each(|declarator| self.take_apart(&declarator.id, &turn));
        }
        self.block_depth -= 1;
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        walk::walk_return_statement(self, it);
        if let Some(value) = &it.argument {
            self.put_together(value, &Whole::of_type(self.returns.clone()));
        }
    }

    fn visit_catch_parameter(&mut self, it: &CatchParameter<'a>) {
        self.bind_pattern(&it.pattern, Meaning::Value);
        walk::walk_catch_parameter(self, it);
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        if let Expression::AssignmentExpression(assignment) = &it.expression {
            self.assigned(it.span, assignment);
        }
        self.visit_expression(&it.expression);
    }

    // Declarations

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        let in_module = self.in_module();
        let (export, visibility) = self.visibility_here();
        if in_module {
            self.define_variables(it, export, visibility);
        }
        let starts = it.declarations.iter().skip(1).map(|declarator| declarator.span.start);
        self.walk_list(it.span, starts, |finder| {
            it.declarations.iter().for_each(|declarator| finder.walk_declarator(declarator));
        });
    }

    fn visit_function(&mut self, it: &Function<'a>, _: ScopeFlags) {
        if it.is_declaration() || it.is_ts_declare_function() {
            self.define_function(it);
        }
        self.inside_function(|finder| {
            if let Some(id) = it.id.as_ref().filter(|_| it.is_expression()) {
                finder.locals.bind(finder.slice(id.span), Meaning::Value);
            }
            if let Some(parameters) = &it.type_parameters {
                finder.visit_ts_type_parameter_declaration(parameters);
            }
            if let Some(this) = &it.this_param {
                finder.visit_ts_this_parameter(this);
            }
            finder.visit_formal_parameters(&it.params);
            if let Some(return_type) = &it.return_type {
                finder.visit_ts_type_annotation(return_type);
            }
            finder.returns = finder.annotation(it.return_type.as_deref());
            if let Some(body) = &it.body {
                finder.walk_body(body.span, &body.statements);
            }
        });
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.inside_function(|finder| {
            if let Some(parameters) = &it.type_parameters {
                finder.visit_ts_type_parameter_declaration(parameters);
            }
            finder.visit_formal_parameters(&it.params);
            if let Some(return_type) = &it.return_type {
                finder.visit_ts_type_annotation(return_type);
            }
            finder.returns = finder.annotation(it.return_type.as_deref());
            match &it.body {
                ArrowFunctionBody::FunctionBody(body) => finder.walk_body(body.span, &body.statements),
                body => {
                    let value = body.to_expression();
                    finder.visit_expression(value);
                    finder.put_together(value, &Whole::of_type(finder.returns.clone()));
                }
            }
        });
    }

    fn visit_formal_parameters(&mut self, it: &FormalParameters<'a>) {
        for item in &it.items {
            self.bind_parameter(&item.pattern, item.type_annotation.as_deref(), item.initializer.as_deref());
        }
        if let Some(rest) = &it.rest {
            self.bind_parameter(&rest.rest.argument, rest.type_annotation.as_deref(), None);
        }
        self.turn = None;
        walk::walk_formal_parameters(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        if it.is_declaration() {
            self.define_class_declaration(it);
        }
        self.visit_decorators(&it.decorators);
        let mark = self.locals.mark();
        if let Some(id) = it.id.as_ref().filter(|_| it.is_expression()) {
            self.locals.bind(self.slice(id.span), Meaning::Value);
        }
        if let Some(parameters) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(parameters);
        }
        if let Some(heritage) = &it.heritage {
            self.visit_class_heritage(heritage);
        }
        self.visit_ts_class_implements_list(&it.implements);
        let starts = it.body.body.iter().map(|element| element.span().start);
        self.walk_list(it.body.span, starts, |finder| finder.visit_class_elements(&it.body.body));
        self.locals.leave(mark);
    }

    fn visit_class_heritage(&mut self, it: &ClassHeritage<'a>) {
        match &it.expression {
            Expression::Identifier(name) => self.use_name(Role::Inherit, name.span),
            Expression::StaticMemberExpression(member) => {
                self.visit_expression(&member.object);
                self.use_member(Role::Inherit, &member.object, member.property.span);
            }
            other => self.visit_expression(other),
        }
        self.walk_type_arguments(it.type_arguments.as_deref());
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        self.inside_function(|finder| finder.walk_body(it.span, &it.body));
    }

    // Modules

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.import_declaration(it);
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.is_module = true;
        self.exporting = Some(span(it.span));
        self.visit_declaration(&it.declaration);
        self.exporting = None;
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.export_list(it);
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.export_from(it);
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.export_all(it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.define_default(it);
        match &it.declaration {
            ExportDefaultDeclarationKind::Identifier(_) => {}
            declaration => self.visit_export_default_declaration_kind(declaration),
        }
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.export_assignment(it);
        if !matches!(it.expression, Expression::Identifier(_)) {
            self.visit_expression(&it.expression);
        }
    }

    fn visit_ts_namespace_export_declaration(&mut self, it: &TSNamespaceExportDeclaration<'a>) {
        self.export_namespace(it.id.span);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.import_equals(it);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        match &it.source {
            Expression::StringLiteral(source) => self.import_expression(source, "dynamic"),
            source => self.visit_expression(source),
        }
    }

    // Names

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.use_name(Role::Use, it.span);
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        self.visit_expression(&it.object);
        self.use_member(Role::Use, &it.object, it.property.span);
    }

    fn visit_private_field_expression(&mut self, it: &PrivateFieldExpression<'a>) {
        self.visit_expression(&it.object);
        self.use_member(Role::Use, &it.object, it.field.span);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.visit_assignment_target(&it.left);
        self.visit_expression(&it.right);
        if let AssignmentTarget::AssignmentTargetIdentifier(left) = &it.left
            && it.operator.is_assign()
        {
            let held = self.held(&it.right);
            self.locals.assign(self.slice(left.span), held);
        }
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Some(source) = required(it) {
            return self.import_expression(source, "require");
        }
        match &it.callee {
            Expression::Super(callee) => self.call_super(callee.span, &it.arguments),
            callee => self.call(callee, Some(&it.arguments)),
        }
        self.walk_type_arguments(it.type_arguments.as_deref());
        let is_function =
            |first: &Argument| matches!(first, Argument::ArrowFunctionExpression(_) | Argument::FunctionExpression(_));
        self.turn = it.arguments.first().filter(|first| is_function(first)).and_then(|_| self.visited(it));
        self.visit_arguments(&it.arguments);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.call(&it.callee, Some(&it.arguments));
        self.walk_type_arguments(it.type_arguments.as_deref());
        self.visit_arguments(&it.arguments);
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.call(&it.tag, None);
        self.walk_type_arguments(it.type_arguments.as_deref());
        self.visit_template_literal(&it.quasi);
    }

    fn visit_jsx_opening_element(&mut self, it: &JSXOpeningElement<'a>) {
        self.call_element(&it.name);
        self.walk_type_arguments(it.type_arguments.as_deref());
        self.visit_jsx_attribute_items(&it.attributes);
    }

    fn visit_jsx_closing_element(&mut self, _: &JSXClosingElement<'a>) {}

    // Lists that may be too long

    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        let starts = it.properties.iter().map(|property| property.span().start);
        self.walk_list(it.span, starts, |finder| finder.visit_object_property_kinds(&it.properties));
    }

    fn visit_array_expression(&mut self, it: &ArrayExpression<'a>) {
        let starts = it.elements.iter().filter(|element| !element.is_elision()).map(|element| element.span().start);
        self.walk_list(it.span, starts, |finder| finder.visit_array_expression_elements(&it.elements));
    }

    fn visit_sequence_expression(&mut self, it: &SequenceExpression<'a>) {
        let starts = it.expressions.iter().map(|expression| expression.span().start);
        self.walk_list(it.span, starts, |finder| finder.visit_expressions(&it.expressions));
    }

    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        self.visit_jsx_opening_element(&it.opening_element);
        self.walk_list(it.span, children(&it.children), |finder| finder.visit_jsx_children(&it.children));
    }

    fn visit_jsx_fragment(&mut self, it: &JSXFragment<'a>) {
        self.walk_list(it.span, children(&it.children), |finder| finder.visit_jsx_children(&it.children));
    }

    fn visit_ts_union_type(&mut self, it: &TSUnionType<'a>) {
        let starts = it.types.iter().skip(1).map(|part| part.span().start);
        self.walk_list(it.span, starts, |finder| finder.visit_ts_types(&it.types));
    }

    fn visit_ts_type_literal(&mut self, it: &TSTypeLiteral<'a>) {
        let starts = it.members.iter().map(|member| member.span().start);
        self.walk_list(it.span, starts, |finder| finder.visit_ts_signatures(&it.members));
    }

    // Types

    fn visit_ts_interface_declaration(&mut self, it: &TSInterfaceDeclaration<'a>) {
        self.define_interface(it);
        walk::walk_ts_interface_declaration(self, it);
    }

    fn visit_ts_interface_body(&mut self, it: &TSInterfaceBody<'a>) {
        let starts = it.body.iter().map(|member| member.span().start);
        self.walk_list(it.span, starts, |finder| finder.visit_ts_signatures(&it.body));
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        self.define_type(it);
        walk::walk_ts_type_alias_declaration(self, it);
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        self.define_enum(it);
        let starts = it.body.members.iter().map(|member| member.span.start);
        self.walk_list(it.span, starts, |finder| finder.visit_ts_enum_members(&it.body.members));
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        let body = Some(span(it.body.span()));
        self.define_namespace(it.id.span, it.span, body, it.declare, |finder| {
            // `namespace a.b` exports b from a.
            if let TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) = &it.body {
                finder.exporting = Some(span(inner.span));
            }
            finder.visit_ts_namespace_declaration_body(&it.body);
        });
    }

    fn visit_ts_external_module_declaration(&mut self, it: &TSExternalModuleDeclaration<'a>) {
        // An ambient module is there for other files alone.
        self.exporting.get_or_insert(span(it.span));
        let body = it.body.as_ref().map(|body| span(body.span));
        self.define_namespace(super::binding::inside(&it.id), it.span, body, true, |finder| {
            it.body.iter().for_each(|body| finder.visit_ts_module_block(body));
        });
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        self.exporting.get_or_insert(span(it.span));
        self.define_namespace(it.global_span, it.span, Some(span(it.body.span)), true, |finder| {
            finder.visit_ts_module_block(&it.body);
        });
    }

    fn visit_ts_module_block(&mut self, it: &TSModuleBlock<'a>) {
        self.walk_statements(it.span, &it.body);
    }

    fn visit_ts_type_reference(&mut self, it: &TSTypeReference<'a>) {
        self.use_type_name(Role::Type, &it.type_name);
        self.walk_type_arguments(it.type_arguments.as_deref());
    }

    fn visit_ts_class_implements(&mut self, it: &TSClassImplements<'a>) {
        self.use_type_name(Role::Inherit, &it.expression);
        self.walk_type_arguments(it.type_arguments.as_deref());
    }

    fn visit_ts_interface_heritage(&mut self, it: &TSInterfaceHeritage<'a>) {
        self.use_type_name(Role::Inherit, &it.type_name);
        self.walk_type_arguments(it.type_arguments.as_deref());
    }

    fn visit_ts_type_query(&mut self, it: &TSTypeQuery<'a>) {
        match &it.expr_name {
            TSTypeQueryExprName::TSImportType(it) => self.visit_ts_import_type(it),
            name => self.use_type_name(Role::Use, name.to_ts_type_name()),
        }
        self.walk_type_arguments(it.type_arguments.as_deref());
    }

    fn visit_ts_import_type(&mut self, it: &TSImportType<'a>) {
        self.import_type(it);
        self.walk_type_arguments(it.type_arguments.as_deref());
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        for parameter in &it.params {
            self.locals.bind(self.slice(parameter.name.span), Meaning::Type);
        }
        walk::walk_ts_type_parameter_declaration(self, it);
    }

    fn visit_ts_infer_type(&mut self, it: &TSInferType<'a>) {
        self.locals.bind(self.slice(it.type_parameter.name.span), Meaning::Type);
        walk::walk_ts_infer_type(self, it);
    }

    fn visit_ts_mapped_type(&mut self, it: &TSMappedType<'a>) {
        let mark = self.locals.mark();
        self.locals.bind(self.slice(it.key.span), Meaning::Type);
        walk::walk_ts_mapped_type(self, it);
        self.locals.leave(mark);
    }
}

/// Text between elements is mostly white space, and no place to cut.
fn children<'e>(children: &'e [JSXChild]) -> impl Iterator<Item = u32> + 'e {
    children.iter().filter(|child| !matches!(child, JSXChild::Text(_))).map(|child| child.span().start)
}
