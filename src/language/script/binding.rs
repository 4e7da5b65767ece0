//! What a file imports and what it gives away.

use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::value::unwrapped;
use super::{Finder, span};
use crate::language::facts::Mention;
use crate::record::{Binding, Role};

/// The parts of one import or export; the place is where the bound name stands.
#[derive(Default)]
pub struct Bound<'t> {
    pub module: Option<&'t str>,
    pub name: Option<&'t str>,
    pub alias: Option<&'t str>,
    pub style: Option<&'static str>,
}

impl<'t> Finder<'t> {
    pub(super) fn bind_import(&mut self, role: Role, at: oxc_span::Span, bound: Bound<'t>) {
        self.is_module = true;
        let Bound { module, name, alias, style } = bound;
        let alias = alias.filter(|alias| Some(*alias) != name);
        let known = alias.or(name.filter(|name| *name != "*"));
        let known = known.or(module.map(last_part)).or(name).unwrap_or_default();
        let [module, name, alias, style] = [module, name, alias, style].map(|part| part.map(str::to_string));
        let mention = Mention::new(role, known, span(at)).with_binding(Binding { module, name, alias, style });
        self.facts.mentions.push(mention);
    }

    pub(super) fn import_declaration(&mut self, it: &ImportDeclaration) {
        let module = Some(self.literal(&it.source));
        let style = style(it.import_kind);
        let Some(specifiers) = &it.specifiers else {
            let bound = Bound { module, style: Some("effect"), ..Bound::default() };
            return self.bind_import(Role::Import, inside(&it.source), bound);
        };
        self.import_source(Role::Import, &it.source);
        for specifier in specifiers {
            let (name, local, own_style) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => {
                    (self.export_name(&it.imported), it.local.span, self::style(it.import_kind))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => ("default", it.local.span, None),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => ("*", it.local.span, None),
            };
            let bound = Bound { module, name: Some(name), alias: Some(self.slice(local)), style: style.or(own_style) };
            self.bind_import(Role::Import, local, bound);
        }
    }

    /// The module that names are taken from. It binds none itself.
    fn import_source(&mut self, role: Role, source: &StringLiteral) {
        let bound = Bound { module: Some(self.literal(source)), style: Some(Binding::SOURCE), ..Bound::default() };
        self.bind_import(role, inside(source), bound);
    }

    /// `import x = require("m")`, or `import x = a.b` for a namespace's member.
    pub(super) fn import_equals(&mut self, it: &TSImportEqualsDeclaration) {
        let local = it.id.span;
        let alias = Some(self.slice(local));
        let bound = match &it.module_reference {
            TSModuleReference::ExternalModuleReference(reference) => {
                let module = Some(self.literal(&reference.expression));
                Bound { module, name: None, alias, style: style(it.import_kind).or(Some("require")) }
            }
            TSModuleReference::IdentifierReference(name) => {
                Bound { name: Some(self.slice(name.span)), alias, style: Some("alias"), ..Bound::default() }
            }
            TSModuleReference::QualifiedName(name) => Bound {
                module: Some(self.slice(name.left.span())),
                name: Some(self.slice(name.right.span)),
                alias,
                style: Some("alias"),
            },
        };
        if self.exporting.take().is_some() {
            self.exported_names.insert(self.slice(local));
            self.bind_import(Role::Export, local, Bound { name: alias, ..Bound::default() });
        }
        self.bind_import(Role::Import, local, bound);
    }

    pub(super) fn export_list(&mut self, it: &ExportNamedDeclaration) {
        self.is_module = true;
        for specifier in &it.specifiers {
            let name = self.export_name(&specifier.local);
            self.exported_names.insert(name);
            let style = style(it.export_kind).or(style(specifier.export_kind));
            self.export_specifier(specifier, None, style);
        }
    }

    pub(super) fn export_from(&mut self, it: &ExportFromDeclaration) {
        let module = Some(self.literal(&it.source));
        self.is_module = true;
        self.import_source(Role::Export, &it.source);
        for specifier in &it.specifiers {
            let style = style(it.export_kind).or(style(specifier.export_kind));
            self.export_specifier(specifier, module, style);
        }
    }

    fn export_specifier(&mut self, it: &ExportSpecifier, module: Option<&'t str>, style: Option<&'static str>) {
        let (name, alias) = (Some(self.export_name(&it.local)), Some(self.export_name(&it.exported)));
        self.bind_import(Role::Export, it.exported.span(), Bound { module, name, alias, style });
    }

    pub(super) fn export_all(&mut self, it: &ExportAllDeclaration) {
        let module = Some(self.literal(&it.source));
        let alias = it.exported.as_ref().map(|name| self.export_name(name));
        let at = it.exported.as_ref().map_or(inside(&it.source), GetSpan::span);
        self.bind_import(Role::Export, at, Bound { module, name: Some("*"), alias, style: style(it.export_kind) });
    }

    /// The place of the word `default` in `export default`.
    pub(super) fn default_word(&self, it: &ExportDefaultDeclaration) -> oxc_span::Span {
        let start = it.span.start as usize;
        let found = self.text[start..it.declaration.span().start.max(it.span.start) as usize].rfind("default");
        // A decorator before the class makes the declaration start first.
        let at = found.or_else(|| self.text[start..].find("default")).map_or(start, |at| start + at);
        oxc_span::Span::new(at as u32, (at + "default".len()) as u32)
    }

    pub(super) fn export_default_name(&mut self, at: oxc_span::Span, name: &'t str) {
        self.exported_names.insert(name);
        let bound = Bound { name: Some(name), alias: Some("default"), ..Bound::default() };
        self.bind_import(Role::Export, at, bound);
    }

    /// `export = a`
    pub(super) fn export_assignment(&mut self, it: &TSExportAssignment) {
        let name = match &it.expression {
            Expression::Identifier(name) => self.slice(name.span),
            _ => "default",
        };
        self.exported_names.insert(name);
        let bound = Bound { name: Some(name), alias: Some("default"), style: Some("assign"), ..Bound::default() };
        self.bind_import(Role::Export, it.expression.span(), bound);
    }

    /// `export as namespace a`: to scripts, all of the module has one name.
    pub(super) fn export_namespace(&mut self, at: oxc_span::Span) {
        let alias = Some(self.slice(at));
        self.bind_import(
            Role::Export,
            at,
            Bound { name: Some("*"), alias, style: Some("namespace"), ..Bound::default() },
        );
    }

    /// `import("m").A` in a type's place.
    pub(super) fn import_type(&mut self, it: &TSImportType) {
        let last = it.qualifier.as_ref().map(|qualifier| match qualifier {
            TSImportTypeQualifier::Identifier(name) => name.span,
            TSImportTypeQualifier::QualifiedName(name) => name.right.span,
        });
        let name = last.map(|last| self.slice(last));
        let bound = Bound { module: Some(self.literal(&it.source)), name, alias: None, style: Some("type") };
        self.bind_import(Role::Import, last.unwrap_or(inside(&it.source)), bound);
    }

    /// `const a = require("m")`, `const { b: c } = await import("m")`, `const d = require("m").e`.
    pub(super) fn import_declarator(&mut self, it: &VariableDeclarator) -> bool {
        let Some(call) = it.init.as_ref().and_then(import_call) else { return false };
        let module = Some(self.literal(call.source));
        let style = Some(call.style);
        match &it.id {
            BindingPattern::BindingIdentifier(local) => {
                let whole = (call.style == "dynamic").then_some("*");
                let name = call.member.map(|member| self.slice(member)).or(whole);
                let alias = Some(self.slice(local.span));
                self.bind_import(Role::Import, local.span, Bound { module, name, alias, style });
            }
            BindingPattern::ObjectPattern(pattern) => {
                for property in &pattern.properties {
                    let name = property.key.static_name().map(|_| self.key_text(&property.key));
                    super::hoist::each_name(&property.value, &mut |local, _| {
                        let alias = Some(self.slice(local.span));
                        self.bind_import(Role::Import, local.span, Bound { module, name, alias, style });
                    });
                }
            }
            _ => self.bind_import(Role::Import, inside(call.source), Bound { module, style, ..Bound::default() }),
        }
        true
    }

    pub(super) fn import_expression(&mut self, source: &StringLiteral, style: &'static str) {
        let bound = Bound { module: Some(self.literal(source)), style: Some(style), ..Bound::default() };
        self.bind_import(Role::Import, inside(source), bound);
    }

    fn export_name(&self, name: &ModuleExportName) -> &'t str {
        match name {
            ModuleExportName::StringLiteral(it) => self.literal(it),
            name => self.slice(name.span()),
        }
    }

    pub(super) fn literal(&self, literal: &StringLiteral) -> &'t str {
        self.slice(inside(literal))
    }
}

/// A string without its quotes.
pub fn inside(literal: &StringLiteral) -> oxc_span::Span {
    let at = literal.span;
    if at.size() < 2 { at } else { oxc_span::Span::new(at.start + 1, at.end - 1) }
}

fn style(kind: ImportOrExportKind) -> Option<&'static str> {
    kind.is_type().then_some("type")
}

fn last_part(module: &str) -> &str {
    module.trim_end_matches('/').rsplit('/').next().unwrap_or(module)
}

/// A call that loads a module, and the one member that is taken of it.
pub struct ImportCall<'e, 'a> {
    pub source: &'e StringLiteral<'a>,
    pub style: &'static str,
    pub member: Option<oxc_span::Span>,
}

pub fn is_import_call(expression: &Expression) -> bool {
    import_call(expression).is_some()
}

pub fn import_call<'e, 'a>(expression: &'e Expression<'a>) -> Option<ImportCall<'e, 'a>> {
    match unwrapped(expression) {
        Expression::CallExpression(it) => {
            let source = required(it)?;
            Some(ImportCall { source, style: "require", member: None })
        }
        Expression::ImportExpression(it) => match &it.source {
            Expression::StringLiteral(source) => Some(ImportCall { source, style: "dynamic", member: None }),
            _ => None,
        },
        Expression::StaticMemberExpression(it) => {
            let whole = import_call(&it.object).filter(|call| call.member.is_none())?;
            Some(ImportCall { member: Some(it.property.span), ..whole })
        }
        _ => None,
    }
}

/// The module of `require("m")`.
pub fn required<'e, 'a>(call: &'e CallExpression<'a>) -> Option<&'e StringLiteral<'a>> {
    match (&call.callee, call.arguments.as_slice()) {
        (Expression::Identifier(callee), [Argument::StringLiteral(source)]) if callee.name.as_str() == "require" => {
            Some(source)
        }
        _ => None,
    }
}
