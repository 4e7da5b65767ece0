//! Pipeline files (`pipelines/*.toml`): each describes one run, with the names of the command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::service::source_date_epoch;
use super::{ChunkStage, GraphStage, PipelineError};
use crate::dialect::note_tree::{GivenKind, NoteRoot};
use crate::dialect::workspace::RowRules;
use crate::door::brief::{LensTable, Lenses};
use crate::door::workspace::{SettingsFault, WorkspaceSettings};
use crate::language::LanguageRule;
use crate::record::Principal;
use crate::store::{Index, StoreError};
use crate::text::PathPatterns;

/// A pipeline file. Missing keys have defaults; unknown keys are errors.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pipeline {
    /// The tree to read. Like all paths here, it is relative to the directory of the pipeline file.
    pub source: PathBuf,
    /// The directory for `chunk/`, `graph/`, `packs/`, `bundles/` and `briefs/`.
    pub index: PathBuf,
    /// Patterns of files that are not indexed, as in `.gitignore` without negation.
    pub exclude: Vec<String>,
    pub chunk: ChunkSection,
    pub graph: GraphSection,
    pub pack: PackSection,
    pub spec: SpecSection,
    pub brief: BriefSection,
    pub frame: FrameSection,
    pub notes: NoteSettings,
    /// What a workspace is read with, and what its payloads are made with.
    pub workspace: Option<toml::Table>,
    /// Who may read roots that nobody gives a grant, in place of `default_read` of the workspace. Of one call.
    #[serde(skip)]
    pub given_read: Vec<String>,
    /// Lenses for briefs, by name.
    pub lens: BTreeMap<String, LensTable>,
    /// User-defined languages, and additions to built-in ones.
    pub language: Vec<LanguageRule>,
    /// What words of queries stand for in this tree. They become part of every request for a pack.
    pub words: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameSection {
    /// A file of the tree with what features are called in its code.
    pub synonyms: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkSection {
    pub max_chunk_bytes: Option<usize>,
    pub max_file_bytes: Option<u64>,
    pub max_shard_bytes: Option<u64>,
    pub allow_secrets: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphSection {
    /// SCIP indexes of the tree, from any indexer.
    #[serde(default)]
    pub scip: Vec<PathBuf>,
    pub max_shard_bytes: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackSection {
    /// A file of requests, one JSON object per line. Without it no packs are made.
    pub requests: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BriefSection {
    /// A file of requests for briefs, one JSON object per line. Without it no briefs are made.
    pub requests: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecSection {
    /// A file of requests for bundles, one JSON object per line. Without it no bundles are made.
    pub requests: Option<PathBuf>,
    /// The section schema to use, instead of the tree's own.
    pub schema: Option<PathBuf>,
}

/// How notes are found and read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NoteSettings {
    /// What directories hold, where the tree does not show it itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<NoteRoot>,
    /// Larger exports are listed but not read.
    pub max_export_bytes: u64,
    /// Where the dates of notes come from that give none themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<DatesFrom>,
}

/// How the blocks of a workspace are read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BlockSettings {
    /// Who may read roots that nobody gives a grant. Empty: nobody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub default_read: Vec<String>,
    /// Whether one call said so. Then it holds for that call alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_given: bool,
    /// Columns that are computed from other rows; they are not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived_columns: Vec<String>,
    /// Words in the names of columns that say when something is due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_words: Option<Vec<String>>,
    /// Larger files of blocks are listed but not read. Absent: as for notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_file_bytes: Option<u64>,
}

impl BlockSettings {
    const KEYS: [&str; 4] = ["default_read", "derived_columns", "due_words", "max_file_bytes"];
    /// Keys of `[workspace]` that messages about payloads do not list.
    const UNLISTED: &str = "`default_read`, `derived_columns`, `due_words`, `max_file_bytes`, `intents`, `types`";

    /// Who may read is not guessed: a name that is no principal would admit nobody.
    fn check_readers(&self) -> Result<(), String> {
        let bad = |one: &&String| Principal::try_from((*one).clone()).is_err();
        self.default_read.iter().find(bad).map_or(Ok(()), |one| {
            Err(format!("`{one}` of `default_read` in [workspace] is not `public`, or `user:`, `team:` or `workspace:` and an id"))
        })
    }

    /// What later calls keep, as `[workspace]` says it. Who may read is not remembered.
    pub fn remembered(&self) -> toml::Table {
        let kept = BlockSettings { default_read: Vec::new(), is_given: false, ..self.clone() };
        toml::Table::try_from(kept).unwrap_or_default()
    }

    /// The rules by which rows are read.
    pub fn rules(&self) -> RowRules {
        let mut rules = RowRules::default();
        rules.derived_columns.extend(self.derived_columns.iter().cloned());
        if let Some(words) = &self.due_words {
            rules.due_words.clone_from(words);
        }
        rules
    }
}

/// A source of dates besides the notes themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DatesFrom {
    /// The commits of the tree's repository.
    Git,
}

impl Default for NoteSettings {
    fn default() -> Self {
        NoteSettings { roots: Vec::new(), max_export_bytes: 512 << 20, dates: None }
    }
}

impl NoteSettings {
    fn is_default(&self) -> bool {
        *self == NoteSettings::default()
    }
}

/// Settings that the records depend on, besides the tree and the program. The manifest records them, together with
/// other values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ChunkSettings {
    /// Whether secrets of the tree are indexed unchanged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_secrets: bool,
    /// See [`Pipeline::exclude`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    pub max_chunk_bytes: usize,
    pub max_file_bytes: u64,
    pub max_shard_bytes: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<LanguageRule>,
    #[serde(skip_serializing_if = "NoteSettings::is_default")]
    pub notes: NoteSettings,
    /// Absent: the tree is no workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<BlockSettings>,
    /// See [`crate::chunk::Config::uid_mask`].
    #[serde(skip_serializing_if = "is_whole")]
    pub uid_mask: u64,
}

impl Default for ChunkSettings {
    fn default() -> Self {
        ChunkSettings {
            allow_secrets: false,
            exclude: Vec::new(),
            max_chunk_bytes: 4096,
            max_file_bytes: 8 << 20,
            max_shard_bytes: 24 << 20,
            languages: Vec::new(),
            notes: NoteSettings::default(),
            workspace: None,
            uid_mask: u64::MAX,
        }
    }
}

impl ChunkSettings {
    /// The settings of the chunk index in a directory; the defaults if it cannot be read.
    pub fn recorded(chunks: &Path) -> Self {
        Index::open(chunks).and_then(|chunks| Self::of(&chunks)).unwrap_or_default()
    }

    /// The settings that a chunk index was built with.
    pub fn of(chunks: &Index) -> Result<Self, StoreError> {
        let settings = &chunks.manifest().settings;
        Self::deserialize(settings).map_err(|error| {
            StoreError::corrupt(chunks.folder(), format!("its settings cannot be read: {error}"), None)
        })
    }
}

impl Default for Pipeline {
    fn default() -> Self {
        Pipeline {
            source: PathBuf::from("."),
            index: PathBuf::from("index"),
            exclude: Vec::new(),
            chunk: ChunkSection::default(),
            graph: GraphSection::default(),
            pack: PackSection::default(),
            spec: SpecSection::default(),
            brief: BriefSection::default(),
            frame: FrameSection::default(),
            notes: NoteSettings::default(),
            workspace: None,
            given_read: Vec::new(),
            lens: BTreeMap::new(),
            language: Vec::new(),
            words: BTreeMap::new(),
        }
    }
}

impl Pipeline {
    /// The name of the file that commands look for in a tree.
    pub const FILE_NAME: &str = "contextpack.toml";

    /// Parses a pipeline file and makes its paths relative to the current directory.
    pub fn parse(path: &Path, text: &str) -> Result<Self, PipelineError> {
        let mut pipeline: Pipeline =
            toml::from_str(text).map_err(|error| PipelineError::settings(path, error.to_string().trim_end()))?;
        PathPatterns::new(&pipeline.exclude).map_err(|error| PipelineError::settings(path, error))?;
        let blocks = pipeline.block_settings().map_err(|error| PipelineError::settings(path, error.message()))?;
        blocks.check_readers().map_err(|error| PipelineError::settings(path, error))?;
        pipeline.workspace_settings().map_err(|error| PipelineError::settings(path, error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let Pipeline { source, index, graph, pack, spec, brief, .. } = &mut pipeline;
        let named = [source, index].into_iter().chain(&mut graph.scip);
        let requests = [&mut pack.requests, &mut spec.requests, &mut spec.schema, &mut brief.requests];
        for path in named.chain(requests.into_iter().flatten()) {
            // `components` turns `shop/.` into `shop`.
            *path = folder.join(&*path).components().collect();
        }
        Ok(pipeline)
    }

    /// The built-in lenses, and those of this file.
    pub fn lenses(&self) -> Lenses {
        let mut lenses = Lenses::builtin();
        lenses.add(self.lens.clone());
        lenses
    }

    /// Whether the tree, or a part of it, is a workspace.
    pub fn has_workspace(&self) -> bool {
        self.workspace.is_some() || self.notes.roots.iter().any(|root| root.kind == GivenKind::Workspace)
    }

    /// What is said about files; with `[workspace]` what nothing else is said about is a workspace.
    fn note_settings(&self) -> NoteSettings {
        let mut notes = self.notes.clone();
        if self.has_workspace() && !notes.roots.iter().any(|root| root.kind == GivenKind::Workspace) {
            // The last one counts: a workspace that is read as code would be readable as a whole.
            notes.roots.push(NoteRoot { kind: GivenKind::Workspace, path: String::new() });
        }
        notes
    }

    /// How blocks are read.
    fn block_settings(&self) -> Result<BlockSettings, toml::de::Error> {
        let own = |(key, _): &(&String, &toml::Value)| BlockSettings::KEYS.contains(&key.as_str());
        let table: toml::Table =
            self.workspace.iter().flatten().filter(own).map(|(k, v)| (k.clone(), v.clone())).collect();
        let settings: BlockSettings = toml::Value::Table(table).try_into()?;
        Ok(match self.given_read.as_slice() {
            [] => settings,
            given => BlockSettings { default_read: given.to_vec(), is_given: true, ..settings },
        })
    }

    /// How payloads are made.
    pub fn workspace_settings(&self) -> Result<WorkspaceSettings, SettingsFault> {
        let other = |(key, _): &(&String, &toml::Value)| !BlockSettings::KEYS.contains(&key.as_str());
        let table = self.workspace.iter().flatten().filter(other).map(|(k, v)| (k.clone(), v.clone())).collect();
        WorkspaceSettings::new(&table).map_err(|fault| self.with_all_keys(fault))
    }

    /// The keys of a table of which a part is read elsewhere.
    fn with_all_keys(&self, fault: SettingsFault) -> SettingsFault {
        let is_of_top = |message: &str| {
            let keys = || self.workspace.iter().flatten().map(|(key, _)| key);
            keys().any(|key| message.starts_with(&format!("unknown field `{key}`")))
        };
        match fault {
            SettingsFault::Shape(message) if is_of_top(&message) => SettingsFault::Shape(message.replacen(
                "expected one of ",
                &format!("expected one of {}, ", BlockSettings::UNLISTED),
                1,
            )),
            fault => fault,
        }
    }

    /// The settings of the chunk stage, with defaults for missing values.
    pub fn chunk_settings(&self) -> ChunkSettings {
        let (section, default) = (&self.chunk, ChunkSettings::default());
        ChunkSettings {
            allow_secrets: section.allow_secrets.unwrap_or(default.allow_secrets),
            exclude: self.exclude.clone(),
            max_chunk_bytes: section.max_chunk_bytes.unwrap_or(default.max_chunk_bytes),
            max_file_bytes: section.max_file_bytes.unwrap_or(default.max_file_bytes),
            max_shard_bytes: section.max_shard_bytes.unwrap_or(default.max_shard_bytes),
            languages: self.language.clone(),
            notes: self.note_settings(),
            workspace: self.has_workspace().then(|| self.block_settings()).transpose().unwrap_or_default(),
            uid_mask: default.uid_mask,
        }
    }

    pub fn chunk_stage(&self, jobs: usize) -> ChunkStage {
        ChunkStage {
            source: self.source.clone(),
            out: self.index.join("chunk"),
            settings: self.chunk_settings(),
            jobs,
            epoch: source_date_epoch(),
            shuffle: None,
        }
    }

    pub fn graph_stage(&self, jobs: usize) -> GraphStage {
        GraphStage {
            index: self.index.clone(),
            scip: self.graph.scip.clone(),
            max_shard_bytes: self.graph.max_shard_bytes.unwrap_or(GraphStage::SHARD_BYTES),
            jobs,
        }
    }
}

/// Whether a chunk index was made with [`ChunkSettings::allow_secrets`].
pub fn keeps_secrets(chunks: &Index) -> bool {
    chunks.manifest().settings.get("allowSecrets").is_some_and(|allowed| *allowed != false)
}

fn is_whole(mask: &u64) -> bool {
    *mask == u64::MAX
}
