//! Reads the files of a workspace before any of them is chunked: who may read a block is said by several files.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::note_sources::read_file;
use super::settings::BlockSettings;
use super::{ChunkSettings, PipelineError};
use crate::chunk::blocks::Blocks;
use crate::dialect::export::{ExportFault, Trouble};
use crate::dialect::workspace::audiences::Workspace;
use crate::dialect::workspace::notion::NotionExport;
use crate::dialect::workspace::{self, WorkspaceFile, holds_rights};
use crate::record::{ProblemCode, SourceKind};
use crate::source::{self, Entry};
use crate::text::RepoPath;

/// The endings of files that may hold blocks, and what belongs to them.
const ENDINGS: [&str; 4] = [".json", ".jsonl", ".ndjson", ".csv"];

/// Whether a file may be an export that is larger than other files.
pub fn is_export(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// What a file of a workspace promises to be.
pub fn kind(path: &RepoPath, text: &str) -> Option<SourceKind> {
    let is_notion = NotionExport::is_named_so(path);
    is_notion.then_some(SourceKind::Notion).or_else(|| workspace::recognised(path, text))
}

/// Everything that the files of a workspace say.
pub fn read(
    tree: &Path,
    files: &[&Entry],
    settings: &ChunkSettings,
    blocks: &BlockSettings,
) -> Result<Blocks, PipelineError> {
    let texts = files.par_iter().map(|entry| read_text(tree, entry, settings));
    let texts = texts.filter_map(Result::transpose).collect::<Result<Vec<_>, PipelineError>>()?;
    let borrowed: Vec<(RepoPath, &str)> = texts.iter().map(|(path, text)| (path.clone(), text.as_str())).collect();
    let notion = NotionExport::new(&borrowed);
    let read = texts.par_iter().map(|(path, text)| read_one(path, text, &notion));
    let read = read.filter_map(Result::transpose).collect::<Result<Vec<_>, PipelineError>>()?;
    let facts: Vec<String> = texts.iter().map(|(path, _)| notion.facts(path)).collect();
    let workspace = Workspace::new(read, &blocks.default_read).with_facts(facts.join("\n"));
    Ok(Blocks { workspace, rules: blocks.rules() })
}

/// The text of a file that may belong to a workspace. What says who may read what has to be a text.
fn read_text(
    tree: &Path,
    entry: &Entry,
    settings: &ChunkSettings,
) -> Result<Option<(RepoPath, String)>, PipelineError> {
    let path = &entry.path;
    if !is_export(path) && !NotionExport::is_named_so(path) {
        return Ok(None);
    }
    match text(tree, entry, settings) {
        Ok(text) => Ok(Some((path.clone(), text))),
        Err(reason) if holds_rights(path) => Err(PipelineError::Permissions { path: path.clone(), reason }),
        Err(_) => Ok(None),
    }
}

/// A file that cannot be read as what it promises to be holds nothing: read as a text it would be for readers who may
/// not see it. What says who may read what has to be read.
fn read_one(
    path: &RepoPath,
    text: &str,
    notion: &NotionExport,
) -> Result<Option<(RepoPath, Arc<WorkspaceFile>)>, PipelineError> {
    if NotionExport::is_named_so(path) {
        return Ok(Some((path.clone(), Arc::new(notion.read(path, text)))));
    }
    let Some(kind) = workspace::recognised(path, text) else { return Ok(None) };
    match workspace::read(kind, text) {
        Err(fault) if holds_rights(path) => Err(PipelineError::Permissions { path: path.clone(), reason: fault.0 }),
        read => Ok(Some((path.clone(), Arc::new(read.unwrap_or_else(|fault| unread(kind, fault)))))),
    }
}

fn text(tree: &Path, entry: &Entry, settings: &ChunkSettings) -> Result<String, String> {
    let content = read_file(tree, entry, settings).map_err(|problem| problem.message)?;
    let text = source::text(content.bytes, settings.allow_secrets).ok_or("it is not text")?;
    Ok(text.text)
}

fn unread(kind: SourceKind, fault: ExportFault) -> WorkspaceFile {
    let message = format!("it looks like a file of a workspace but cannot be read as one: {}", fault.0);
    let trouble = Trouble { code: ProblemCode::ItemSource, span: None, message };
    WorkspaceFile { troubles: vec![trouble], ..WorkspaceFile::new(kind) }
}
