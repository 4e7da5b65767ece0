//! The spec documents of a tree, read anew: they are small, and what they say is what the files say now.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use super::{ChunkSettings, code_of};
use crate::dialect::spec::{Document, SCHEMA_FILE_NAME, SectionSchema};
use crate::document::yaml::YamlFault;
use crate::language::Languages;
use crate::record::bundle::BundleRequest;
use crate::record::{Digest, Problem};
use crate::source::{self, Entry, SourceError, WalkOptions};
use crate::spec::Catalog;
use crate::store::{self, StoreError};
use crate::text::RepoPath;

#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("cannot use the section schema `{path}`\n  because {fault}")]
    Schema { path: RepoPath, fault: YamlFault },
    #[error("cannot read the section schema `{path}`\n  because {reason}")]
    Unread { path: RepoPath, reason: String },
}

/// A tree's documents and the schema of their sections.
pub struct SpecSource {
    pub catalog: Catalog,
    pub schema: SectionSchema,
    /// What of the tree's markdown could not be read.
    pub problems: Vec<Problem>,
}

impl SpecSource {
    /// Without a schema that is given, the tree's own is used: the first by its path; else the built-in one.
    pub fn read(tree: &Path, schema: Option<SectionSchema>) -> Result<Self, SpecError> {
        SpecSource::read_with(tree, schema, false)
    }

    /// With the secrets of the documents, if so wanted.
    pub fn read_with(tree: &Path, schema: Option<SectionSchema>, allow_secrets: bool) -> Result<Self, SpecError> {
        let walk = source::walk(tree, &WalkOptions::new(store::holds_index))?;
        let schema = match schema {
            Some(schema) => schema,
            None => own_schema(tree, &walk.files, allow_secrets)?.unwrap_or_else(SectionSchema::builtin),
        };
        let languages = Languages::builtin();
        let read: Vec<Result<Option<Document>, Problem>> =
            walk.files.par_iter().map(|entry| document(tree, entry, &languages, allow_secrets)).collect();
        let (mut documents, mut problems) = (Vec::new(), Vec::new());
        for document in read {
            match document {
                Ok(document) => documents.extend(document),
                Err(problem) => problems.push(problem),
            }
        }
        let files: BTreeSet<_> = walk.files.into_iter().map(|entry| entry.path).collect();
        Ok(SpecSource { catalog: Catalog::new(documents, &files), schema, problems })
    }

    /// With the code of the documents by an index of the tree, if any of the requests wants it.
    pub fn with_code_for(self, requests: &[BundleRequest], index: &Path) -> Result<Self, StoreError> {
        if !requests.iter().any(|request| request.with_code) {
            return Ok(self);
        }
        let code = code_of(index, &self.catalog)?;
        Ok(SpecSource { catalog: self.catalog.with_code(code), ..self })
    }
}

/// The path alone says whether a file is markdown, so that no other is read.
fn document(
    tree: &Path,
    entry: &Entry,
    languages: &Languages,
    allow_secrets: bool,
) -> Result<Option<Document>, Problem> {
    let language = languages.detect(&entry.path, "");
    if language.is_none_or(|language| language.id() != "markdown") {
        return Ok(None);
    }
    Ok(text(tree, entry, allow_secrets)?.and_then(|(text, hash)| Document::read(entry.path.clone(), text, hash)))
}

/// A file's text, if it is one, and the hash of the file.
fn text(tree: &Path, entry: &Entry, allow_secrets: bool) -> Result<Option<(String, Digest)>, Problem> {
    let content = source::read(tree, entry, ChunkSettings::default().max_file_bytes)?;
    let hash = Digest::sha256(&content.bytes);
    Ok(source::text(content.bytes, allow_secrets).map(|read| (read.text, hash)))
}

/// The tree's own section schema: the first by its path.
pub fn own_schema(tree: &Path, files: &[Entry], allow_secrets: bool) -> Result<Option<SectionSchema>, SpecError> {
    let own = files.iter().find(|entry| entry.path.file_name() == SCHEMA_FILE_NAME);
    let Some(entry) = own else { return Ok(None) };
    let path = entry.path.clone();
    match text(tree, entry, allow_secrets) {
        Ok(Some((text, _))) => SectionSchema::parse(&text).map(Some).map_err(|fault| SpecError::Schema { path, fault }),
        Ok(None) => Err(SpecError::Unread { path, reason: "it is not text".to_string() }),
        Err(problem) => Err(SpecError::Unread { path, reason: problem.message }),
    }
}
