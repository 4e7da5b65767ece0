//! The spec documents of an index, and their sections by rule.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::assemble::{Document, Documents, IndexView, ReadError};
use crate::dialect::spec::{Section, SectionSchema, match_sections};
use crate::language::modules::ModuleMap;
use crate::record::SpecRole;
use crate::text::RepoPath;

/// How many lines of a section a summary of a document keeps.
const MAX_SUMMARY_LINES: usize = 5;

pub struct Library<'v> {
    pub documents: Documents<'v>,
    pub schema: &'v SectionSchema,
    /// Resolves paths of links.
    pub modules: ModuleMap<'v>,
}

/// Links between documents do not need package manifests.
static NO_MANIFESTS: BTreeMap<String, String> = BTreeMap::new();

/// What several answers say about a document.
#[derive(Debug, Serialize)]
pub struct Header<'v> {
    pub id: &'v str,
    pub file: &'v str,
    pub kind: &'v str,
    pub scope: &'v str,
    pub role: SpecRole,
}

impl<'v> Library<'v> {
    pub fn new(view: &'v IndexView<'v>, schema: &'v SectionSchema) -> Result<Self, ReadError> {
        let documents = Documents::new(view, "spec", |item| item.word("id"))?;
        let modules = ModuleMap::new(view.paths()?.iter().map(RepoPath::as_str).collect(), &NO_MANIFESTS);
        Ok(Library { documents, schema, modules })
    }

    /// The sections of a document that match a rule.
    pub fn sections(&self, document: &Document<'v>) -> Vec<Section<'v>> {
        match_sections(document.item.word("kind"), &document.parts, self.schema)
    }

    /// The first lines of the first section whose rule's id ends with `rule`.
    pub fn summary(&self, document: &Document<'v>, rule: &str) -> Result<Option<String>, ReadError> {
        let sections = self.sections(document);
        let found = sections.iter().find(|section| section.rule.id.ends_with(rule) && !section.again);
        let body = found.map(|section| document.body(section.item)).transpose()?;
        Ok(body.map(|body| body.lines().take(MAX_SUMMARY_LINES).collect::<Vec<_>>().join("\n")))
    }
}

impl<'v> Header<'v> {
    pub fn new(document: &Document<'v>) -> Self {
        let Document { id, item, .. } = *document;
        let (kind, scope) = (item.word("kind"), item.word("scope"));
        Header { id, file: document.file(), kind, scope, role: SpecRole::of_id(id) }
    }
}
