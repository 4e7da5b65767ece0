//! The spec documents of an index, and the schema of their sections.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{ChunkSettings, PackSource, PipelineError};
use crate::assemble::{IndexView, ReadError};
use crate::dialect::spec::{SCHEMA_FILE_NAME, SectionSchema};
use crate::door::spec::{self, Library, SpecIndex};
use crate::record::Digest;
use crate::record::pack::TreeState;
use crate::source::{self, Entry};
use crate::store::StoreError;
use crate::text::RepoPath;

pub struct SpecSource {
    source: Arc<PackSource>,
    schema: SectionSchema,
    tree: PathBuf,
}

impl SpecSource {
    /// The documents of the index of a tree. Without a given schema, uses the tree's own (the first by path), or else
    /// the built-in one.
    pub fn open(tree: &Path, index: &Path, schema: Option<SectionSchema>) -> Result<Self, PipelineError> {
        SpecSource::new(tree, Arc::new(PackSource::open(index, TreeState::Unchecked)?), schema)
    }

    /// The documents of an open index.
    pub fn new(tree: &Path, source: Arc<PackSource>, schema: Option<SectionSchema>) -> Result<Self, PipelineError> {
        let schema = match schema {
            Some(schema) => schema,
            None => {
                let files = source.with(|view| Ok(files_named(view, SCHEMA_FILE_NAME)))?;
                own_schema(tree, &files, false)?.unwrap_or_else(SectionSchema::builtin)
            }
        };
        Ok(SpecSource { source, schema, tree: tree.to_path_buf() })
    }

    /// Calls `work` with the documents.
    pub fn with<R>(&self, work: impl FnOnce(&Library) -> Result<R, ReadError>) -> Result<R, StoreError> {
        self.source.with(|view| work(&Library::new(view, &self.schema)?))
    }

    /// Calls `work` with the spec index. Hashes are those of the files that are in the tree now.
    pub fn with_index<R>(&self, work: impl FnOnce(&SpecIndex) -> R) -> Result<R, StoreError> {
        let hash = |path: &RepoPath| {
            let entry = Entry { path: path.clone(), bytes: 0 };
            let content = source::read(&self.tree, &entry, ChunkSettings::default().max_file_bytes).ok()?;
            Some(Digest::sha256(&content.bytes))
        };
        self.with(|library| Ok(work(&spec::index(library, &hash)?)))
    }

    /// The index that its bundles are made from.
    pub fn packs(&self) -> &PackSource {
        &self.source
    }
}

/// The files of an index with this name, sorted by path.
fn files_named(view: &IndexView, name: &str) -> Vec<Entry> {
    let paths = view.corpus().paths().filter_map(|(_, path)| RepoPath::try_from(path.to_string()).ok());
    let mut files: Vec<Entry> =
        paths.filter(|path| path.file_name() == name).map(|path| Entry { path, bytes: 0 }).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The tree's own section schema: the first by path.
pub fn own_schema(tree: &Path, files: &[Entry], allow_secrets: bool) -> Result<Option<SectionSchema>, PipelineError> {
    let own = files.iter().find(|entry| entry.path.file_name() == SCHEMA_FILE_NAME);
    let Some(entry) = own else { return Ok(None) };
    let path = entry.path.clone();
    let unread = |reason: String| PipelineError::SchemaUnreadable { path: path.clone(), reason };
    let content = source::read(tree, entry, ChunkSettings::default().max_file_bytes);
    let content = content.map_err(|problem| unread(problem.message))?;
    let read = source::text(content.bytes, allow_secrets).ok_or_else(|| unread("it is not text".to_string()))?;
    SectionSchema::parse(&read.text).map(Some).map_err(|fault| PipelineError::Schema { path: path.clone(), fault })
}
