//! Definitions that only TypeScript has: interfaces, enums, names for types, namespaces.

use oxc_ast::ast::*;
use oxc_span::GetSpan;

use super::binding::inside;
use super::definition::whole;
use super::object::key_span;
use super::{Finder, Visibility, span};
use crate::language::facts::Definition;
use crate::record::Kind;
use crate::text::Span;

impl<'t> Finder<'t> {
    pub(super) fn define_interface(&mut self, it: &TSInterfaceDeclaration) {
        let (export, visibility) = self.visibility_here();
        let whole = whole(export, it.span);
        let mut definition = Definition::new(Kind::Interface, self.slice(it.id.span), span(it.id.span), whole);
        definition.body = Some(span(it.body.span));
        let interface = self.define(definition, visibility);
        for signature in &it.body.body {
            self.define_signature(signature, Kind::Method, interface);
        }
    }

    fn define_signature(&mut self, signature: &TSSignature, method: Kind, of: usize) {
        let definition = match signature {
            TSSignature::TSPropertySignature(it) => {
                let mut definition = self.signature(Kind::Field, &it.key, it.span);
                definition.value_type = self.annotation(it.type_annotation.as_deref());
                definition
            }
            TSSignature::TSMethodSignature(it) => {
                let is_method = it.kind == TSMethodSignatureKind::Method;
                let mut definition = self.signature(if is_method { method } else { Kind::Field }, &it.key, it.span);
                definition.value_type = self.annotation(it.return_type.as_deref());
                definition.parameters = self.parameters(&it.params);
                definition
            }
            _ => return,
        };
        self.define(definition, Visibility::Member(of));
    }

    fn signature(&self, kind: Kind, key: &PropertyKey, at: oxc_span::Span) -> Definition<'t> {
        Definition::new(kind, self.key_text(key), span(key_span(key)), self.without_separator(at))
    }

    /// The parser counts the separator behind a member to it.
    pub(super) fn without_separator(&self, at: oxc_span::Span) -> Span {
        let end = at.start as usize + self.slice(at).trim_end_matches([';', ',']).trim_end().len();
        Span { start: at.start, end: end as u32 }
    }

    pub(super) fn define_type(&mut self, it: &TSTypeAliasDeclaration) {
        let (export, visibility) = self.visibility_here();
        let whole = whole(export, it.span);
        let mut definition = Definition::new(Kind::Type, self.slice(it.id.span), span(it.id.span), whole);
        let at = it.type_annotation.span();
        if !matches!(it.type_annotation, TSType::TSTypeLiteral(_) | TSType::TSMappedType(_)) {
            definition.value_type = self.type_text(at);
        } else if self.slice(at).contains('\n') {
            definition.body = Some(span(at));
        }
        let alias = self.define(definition, visibility);
        self.define_literal_members(&it.type_annotation, alias);
    }

    /// The members of `type A = { … }` and of the literals in `type A = B & { … }`.
    fn define_literal_members(&mut self, it: &TSType, of: usize) {
        match it.without_parenthesized() {
            // A name for a type is not cut into its members, so that all of them are fields.
            TSType::TSTypeLiteral(literal) => {
                literal.members.iter().for_each(|member| self.define_signature(member, Kind::Field, of));
            }
            TSType::TSIntersectionType(it) => {
                for part in &it.types {
                    if let TSType::TSTypeLiteral(_) = part {
                        self.define_literal_members(part, of);
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn define_enum(&mut self, it: &TSEnumDeclaration) {
        let (export, visibility) = self.visibility_here();
        let whole = whole(export, it.span);
        let mut definition = Definition::new(Kind::Enum, self.slice(it.id.span), span(it.id.span), whole);
        definition.body = Some(span(it.body.span));
        let of = self.define(definition, visibility);
        for member in &it.body.members {
            let at = match &member.id {
                TSEnumMemberName::String(name) | TSEnumMemberName::ComputedString(name) => inside(name),
                name => name.span(),
            };
            let definition = Definition::new(Kind::EnumMember, self.slice(at), span(at), span(member.span));
            self.define(definition, Visibility::Member(of));
        }
    }

    /// Defines a namespace or ambient module and walks its body as part of the module.
    pub(super) fn define_namespace(
        &mut self,
        at: oxc_span::Span,
        own: oxc_span::Span,
        body: Option<Span>,
        declare: bool,
        walk: impl FnOnce(&mut Self),
    ) {
        let (export, visibility) = self.visibility_here();
        let mut definition = Definition::new(Kind::Namespace, self.slice(at), span(at), whole(export, own));
        definition.body = body;
        let namespace = self.define(definition, visibility);
        let around = (self.namespace, self.ambient, self.is_module);
        self.namespace = Some(namespace);
        self.ambient |= declare;
        walk(self);
        self.namespace = around.0;
        self.ambient = around.1;
        // What a namespace exports does not make its file a module.
        self.is_module = around.2;
    }
}
