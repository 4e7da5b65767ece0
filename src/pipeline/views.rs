//! Views: for one reader of a restricted index an index that holds only what they may read. Every door opens it as it
//! opens any other index, so nothing that is hidden can have an influence on what it answers.
//!
//! A view is made from the records of the whole index: what the reader may see is written out as a tree, and the tree
//! is indexed. It is kept in the index, and made again when the index has changed.

#![expect(clippy::disallowed_methods, reason = "writes the trees that views are made from")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::members::Principals;
use super::settings::BlockSettings;
use super::{Access, ChunkSettings, ChunkStage, GraphStage, PackSource, Pipeline, PipelineError, run_chunk, run_graph};
use crate::assemble::blocks::WrittenBlocks;
use crate::chunk::blocks::LANGUAGE;
use crate::dialect::note_tree::{GivenKind, NoteRoot};
use crate::record::pack::TreeState;
use crate::record::{Chunk, Digest, Field, FieldValue, FileLines, Item, Lines, Principal, Reader};
use crate::store::{self, Disk, Index, Lock, StoreError, VIEW_FILE, VIEW_SCHEMA, WhenLocked};
use crate::text::RepoPath;
use crate::{chunk, graph};

/// The directory of an index that holds its views.
pub const VIEWS: &str = "views";
/// The directory of a view that holds the tree it is made from.
pub const SOURCE: &str = "source";
/// The directory of such a tree that holds blocks.
const BLOCKS: &str = "workspace";
/// What was read once is read again, however long its lines have become.
const MAX_WRITTEN_BYTES: u64 = 1 << 50;

/// What a directory says of itself that is a view. It is written first, so that no tree takes a view for its source,
/// however far it got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mark {
    /// Whether it stays in its index. Its records do not say whose they are.
    is_kept: bool,
    /// What it was made from. Absent in a view that is not finished, and in one that is given away.
    #[serde(skip_serializing_if = "Option::is_none")]
    made_from: Option<MadeFrom>,
    principals: Vec<Principal>,
    schema: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct MadeFrom {
    chunk: Digest,
    graph: Digest,
    rulesets: [u32; 2],
}

/// Who may read the records of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readable {
    /// Whoever can open its directory. For views that stay in their index.
    ByEveryone,
    /// Only a reader who has all principals of its reader. For views that are given away.
    ByItsReader,
}

/// The view of an index for a reader, made now if there is none or the index has changed since.
pub fn view(index: &Path, principals: &Principals) -> Result<PathBuf, PipelineError> {
    let words: Vec<&str> = principals.all().iter().map(Principal::as_str).collect();
    let views = index.join(VIEWS);
    let folder = views.join(Digest::sha256(words.join("\n").as_bytes()).hex());
    // The names of views tell who has one.
    Disk::real().private().create_folder(&views)?;
    Disk::real().private().create_folder(&folder)?;
    let _lock = Lock::acquire(&folder, &Disk::real().private(), WhenLocked::Wait(&|_| ()))?;
    let begun = Mark::begun(principals, true);
    let mark = Mark { made_from: Some(MadeFrom::of(index)?), ..begun.clone() };
    if Mark::read(&folder).as_ref() != Some(&mark) {
        begun.write(&folder)?;
        write_view(index, principals, Readable::ByEveryone, &folder)?;
        mark.write(&folder)?;
    }
    Ok(folder)
}

/// Makes the view of an index for a reader, to be given away. Refuses a directory that holds anything else than a view.
pub fn give_view(index: &Path, principals: &Principals, folder: &Path) -> Result<(), PipelineError> {
    let disk = Disk::real().private();
    store::check_view(folder)?;
    disk.create_folder(folder)?;
    let _lock = Lock::acquire(folder, &disk, WhenLocked::Wait(&|_| ()))?;
    Mark::begun(principals, false).write(folder)?;
    write_view(index, principals, Readable::ByItsReader, folder)
}

/// Whose view a directory is, if it is one that stays in its index.
pub fn reader_of_kept_view(folder: &Path) -> Option<Vec<Principal>> {
    Mark::read(folder).filter(|mark| mark.is_kept).map(|mark| mark.principals)
}

/// Makes the view of an index for a reader in a directory.
fn write_view(index: &Path, principals: &Principals, readable: Readable, folder: &Path) -> Result<(), PipelineError> {
    let source = PackSource::open_with(index, TreeState::Unchecked, Access::Operator)?;
    let reader = Reader::As(principals.all().clone());
    let written = source.with_blocks(&reader, |blocks| blocks.written(principals.user()))?.unwrap_or_default();
    let chunks = Index::open(&index.join("chunk"))?;
    let tree = folder.join(SOURCE);
    let files = files(&chunks, &reader, written, principals, readable)?;
    write_tree(&tree, &files)?;
    let stage = ChunkStage {
        source: tree,
        out: folder.join("chunk"),
        settings: settings(&ChunkSettings::of(&chunks)?, readable),
        jobs: 0,
        epoch: Some(epoch(source.source_date())),
        shuffle: None,
    };
    run_chunk(&stage, Disk::real().private(), WhenLocked::Wait(&|_| ()), &|_| ())?;
    let stage =
        GraphStage { index: folder.to_path_buf(), scip: Vec::new(), max_shard_bytes: GraphStage::SHARD_BYTES, jobs: 0 };
    run_graph(&stage, Disk::real().private(), WhenLocked::Wait(&|_| ()))?;
    Ok(())
}

impl Mark {
    fn begun(principals: &Principals, is_kept: bool) -> Self {
        let principals = principals.all().iter().cloned().collect();
        Mark { is_kept, made_from: None, principals, schema: VIEW_SCHEMA.to_string() }
    }

    fn read(folder: &Path) -> Option<Self> {
        let mark: Mark = serde_json::from_slice(&fs::read(folder.join(VIEW_FILE)).ok()?).ok()?;
        (mark.schema == VIEW_SCHEMA).then_some(mark)
    }

    fn write(&self, folder: &Path) -> Result<(), StoreError> {
        let text = serde_json::to_vec(self).expect("a mark is JSON");
        Disk::real().private().replace(&folder.join(VIEW_FILE), &text)
    }
}

impl MadeFrom {
    fn of(index: &Path) -> Result<Self, StoreError> {
        let digest = |stage: &str| Ok::<_, StoreError>(Index::open(&index.join(stage))?.manifest().digest.clone());
        let rulesets = [chunk::RULESET_VERSION, graph::RULESET_VERSION];
        Ok(MadeFrom { chunk: digest("chunk")?, graph: digest("graph")?, rulesets })
    }
}

/// As the whole index was read, but for what is known already: secrets are replaced, and files are chosen.
fn settings(of_index: &ChunkSettings, readable: Readable) -> ChunkSettings {
    let default_read = match readable {
        Readable::ByEveryone => vec!["public".to_string()],
        Readable::ByItsReader => Vec::new(),
    };
    let mut settings = ChunkSettings {
        allow_secrets: true,
        exclude: Vec::new(),
        workspace: Some(BlockSettings { default_read, ..BlockSettings::default() }),
        ..of_index.clone()
    };
    settings.notes.roots.push(NoteRoot { kind: GivenKind::Workspace, path: BLOCKS.to_string() });
    settings.notes.max_export_bytes = MAX_WRITTEN_BYTES;
    settings.notes.dates = None;
    settings
}

/// The source date of an index, as a number of seconds.
fn epoch(date: &str) -> String {
    let seconds = date.parse::<jiff::Timestamp>().map_or(0, |date| date.as_second());
    seconds.to_string()
}

/// The files of the tree of a view.
fn files(
    chunks: &Index,
    reader: &Reader,
    written: WrittenBlocks,
    principals: &Principals,
    readable: Readable,
) -> Result<BTreeMap<String, String>, StoreError> {
    let mut files = plain_files(chunks, reader)?;
    let numbered = (1..).zip(written.blocks);
    files.extend(numbered.map(|(number, lines)| (format!("{BLOCKS}/blocks-{number:05}.jsonl"), lines)));
    files.insert(format!("{BLOCKS}/activity.jsonl"), written.activity);
    if readable == Readable::ByItsReader {
        files.insert(format!("{BLOCKS}/permissions.jsonl"), default_lines(principals));
        files.extend(principals.member_line().map(|line| (format!("{BLOCKS}/members.jsonl"), line)));
    }
    files.retain(|_, text| !text.is_empty());
    Ok(files)
}

/// One clause for each principal, so that all of them are needed.
fn default_lines(principals: &Principals) -> String {
    let line = |principal: &Principal| serde_json::json!({ "default": [principal] }).to_string() + "\n";
    principals.all().iter().map(line).collect()
}

/// The files that are no blocks, from the chunks that a reader may see. What was made from other words, such as the
/// nodes of an export, cannot be put together again and is left out. So are the settings: they say who may read what.
fn plain_files(chunks: &Index, reader: &Reader) -> Result<BTreeMap<String, String>, StoreError> {
    let mut by_file: BTreeMap<RepoPath, Vec<Chunk>> = BTreeMap::new();
    for chunk in chunks.records::<Chunk>()? {
        let chunk = chunk?;
        let is_content = chunk.language_id.as_str() != LANGUAGE && chunk.file_rel_path.as_str() != Pipeline::FILE_NAME;
        if is_content && reader.may_read(&chunk.audience) {
            by_file.entry(chunk.file_rel_path.clone()).or_default().push(chunk);
        }
    }
    by_file.retain(|_, chunks| !chunks.iter().any(|chunk| chunk.derived));
    let mut files = BTreeMap::new();
    for (path, of_file) in by_file {
        let items = chunks.find_records::<Item>(&[path.as_str().into()])?;
        files.insert(path.to_string(), text_of(&of_file, &items));
    }
    Ok(files)
}

fn text_of(chunks: &[Chunk], items: &[Item]) -> String {
    let white: Vec<FieldValue> =
        items.iter().filter_map(|item| item.field(Field::WHITE_LINES)).flatten().cloned().collect();
    let last = chunks.iter().map(|chunk| chunk.lines.end).max().unwrap_or(1);
    FileLines::new(chunks, &white).text(Lines { start: 1, end: last })
}

fn write_tree(tree: &Path, files: &BTreeMap<String, String>) -> Result<(), PipelineError> {
    let disk = Disk::real().private();
    disk.remove_folder(tree)?;
    disk.create_folder(tree)?;
    for (path, text) in files {
        let path = tree.join(path);
        disk.create_folder(path.parent().unwrap_or(tree))?;
        disk.replace(&path, text.as_bytes())?;
    }
    Ok(())
}
