//! Decides which index answers for a tree: where it is, with which settings and source date it is built, and how fresh
//! it has to be. The commands and the MCP server call this module instead of deciding themselves.

mod root;
mod watched;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::build::Build;
use super::chunk_stage::bare_walk_options;
use super::settings::{ChunkSection, ChunkSettings, GraphSection};
use super::views::{reader_of_kept_view, view};
use super::{
    Access, PackSource, Pipeline, PipelineError, Principals, Progress, access, is_restricted, keeps_secrets, tree_state,
};
use crate::record::pack::TreeState;
use crate::record::{Digest, Principal, Reader};
use crate::source::{self, Walk, source_date};
use crate::store::{self, Index, StoreError, WhenLocked};
use crate::{chunk, graph};

pub use root::{Root, read_pipeline, repository_name, source_date_epoch};
pub use watched::{Held, Stages, Stale, Watched};

/// How fresh an index has to be. An index that is given without its tree is always used as it is.
#[derive(Clone, Copy)]
pub enum Freshness<'r> {
    /// Build the index, or bring it up to date, before it is used.
    Refresh(&'r Refresh<'r>),
    /// Use the index as it is, and report whether the tree has changed since.
    Compare,
    /// Use the index as it is.
    AsIs,
}

/// How to bring an index up to date.
pub struct Refresh<'w> {
    /// Threads; 0 means one per core.
    pub jobs: usize,
    pub secrets: Secrets,
    /// Called with the name of another run that has to end first.
    pub waiting: &'w (dyn Fn(&str) + Sync),
    pub watch: &'w (dyn Fn(Progress) + Sync),
}

/// Whether secrets of the tree are indexed unchanged. The setting of an earlier index is never reused, because the
/// current user may not know how it was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// As `contextpack.toml` says; without it, secrets are replaced.
    Configured,
    Keep,
    Replace,
}

/// An index that can be read.
#[derive(Debug)]
pub struct Opened {
    /// The directory that contains `chunk/` and `graph/`.
    pub index: PathBuf,
    pub tree: TreeState,
    pub access: Access,
}

/// Opens the index of a root. Every command and the server use this function.
pub fn open(root: &Root, freshness: Freshness) -> Result<Opened, PipelineError> {
    let tree = match (freshness, root.tree().filter(|_| !root.is_view())) {
        (Freshness::Refresh(refresh), Some(tree)) => {
            build(root, tree, refresh)?;
            TreeState::Current
        }
        (Freshness::Refresh(Refresh { secrets: Secrets::Keep, .. }), None) => {
            return Err(PipelineError::SecretsNeedTree);
        }
        (Freshness::Compare, Some(tree)) => tree_state(tree, root.index()).map_err(|error| root.explain(error))?,
        (Freshness::Refresh(_) | Freshness::Compare, None) | (Freshness::AsIs, _) => TreeState::Unchecked,
    };
    Ok(Opened { index: root.index().to_path_buf(), tree, access: root.access() })
}

/// Why a reader is refused where nothing says what readers may read.
const NO_RIGHTS: &str = "nothing says who may read what here, so it cannot be read as somebody\n  \
    hint: `[workspace]` in contextpack.toml says that the tree is a workspace; so does --source-kind workspace";
const OTHER_VIEW: &str =
    "it is a view for another reader\n  hint: name all that its reader is, as in `--as user:7 --as team:ops`";

/// Refuses a tree of which nobody says that it is a workspace. What an earlier call wrote into the index does not count.
pub fn check_workspace(root: &Root) -> Result<(), PipelineError> {
    let is_checked = root.tree().is_none() || root.is_view() || root.is_workspace();
    if is_checked { Ok(()) } else { Err(PipelineError::Forbidden(NO_RIGHTS.to_string())) }
}

/// Refuses an index that does not say what a reader may read, or was made for other readers.
pub(super) fn check_rights(root: &Root, chunks: &Index) -> Result<(), PipelineError> {
    check_workspace(root)?;
    if ChunkSettings::of(chunks)?.workspace.is_none() {
        return Err(PipelineError::Forbidden(NO_RIGHTS.to_string()));
    }
    Ok(access::check_default_read(chunks, root.given_read())?)
}

/// Refuses an index that was made for calls with another `--default-read`.
pub fn check_default_read(root: &Root, opened: &Opened) -> Result<(), PipelineError> {
    let chunks = Index::open(&opened.index.join("chunk")).map_err(|error| root.explain(error.into()))?;
    Ok(access::check_default_read(&chunks, root.given_read())?)
}

/// Refuses a view that stays in its index, for everybody but its reader.
pub fn check_view_reader(index: &Path, claimed: Option<&BTreeSet<Principal>>) -> Result<(), PipelineError> {
    let has = |one: &Principal| *one == Principal::public() || claimed.is_some_and(|claimed| claimed.contains(one));
    let is_own = reader_of_kept_view(index).is_none_or(|reader| reader.iter().all(has));
    if is_own { Ok(()) } else { Err(PipelineError::Forbidden(OTHER_VIEW.to_string())) }
}

/// The tree and the index as a reader sees them. An index in which nothing is restricted is the same for all readers;
/// of any other one everybody but the operator gets a view.
pub fn seen_by(root: Root, reader: Option<&Reader>, freshness: Freshness) -> Result<Root, PipelineError> {
    let claimed = match reader {
        None => return Ok(root),
        Some(Reader::Operator) => return Ok(root.for_operator()),
        Some(Reader::As(claimed)) => claimed,
    };
    check_workspace(&root)?;
    let index = open(&root, freshness)?.index;
    let chunks = Index::open(&index.join("chunk")).map_err(|error| root.explain(error.into()))?;
    check_rights(&root, &chunks)?;
    if !is_restricted(&chunks) {
        check_view_reader(&index, Some(claimed))?;
        let is_kept_view = reader_of_kept_view(&index).is_some();
        return Ok(if is_kept_view { root.as_view() } else { root });
    }
    let view = view(&index, &Principals::resolve(&index, claimed)?)?;
    Ok(root.with_view(view))
}

/// Builds or refreshes the index of a tree in a directory, without output.
pub fn index_tree(tree: &Path, index: &Path) -> Result<(), PipelineError> {
    open(&Root::of_tree(Some(tree), Some(index))?, Freshness::Refresh(&Refresh::QUIET)).map(drop)
}

/// The directories of an index, one per stage, in the order in which they are built.
pub(super) const STAGES: [&str; 5] = ["chunk", "graph", "packs", "bundles", "briefs"];

/// The directories of all stages of an index. The directory of one stage, or of a share of one, is its only stage. If
/// there is none, the hint says what to do.
pub fn stages(directory: &Path) -> Result<Vec<PathBuf>, StoreError> {
    match Index::open_any(directory) {
        Err(error) if error.is_missing() => {
            let inside = STAGES.iter().map(|stage| directory.join(stage));
            let stages: Vec<PathBuf> = inside.filter(|stage| store::holds_index(stage)).collect();
            if stages.is_empty() { Err(with_build_hint(error)) } else { Ok(stages) }
        }
        // What is wrong with a stage is for its reader to say.
        _ => Ok(vec![directory.to_path_buf()]),
    }
}

/// Opens one stage of an index, or a share of one, by its directory. If it is missing, the hint says what to do.
pub fn open_stage(directory: &Path) -> Result<Index, StoreError> {
    Index::open_any(directory).map_err(with_build_hint)
}

fn with_build_hint(mut error: StoreError) -> StoreError {
    if error.is_missing() {
        error.hint.get_or_insert("run `contextpack build`".to_string());
    }
    error
}

/// The files of a tree that an index would hold.
pub fn walk_tree(tree: &Path) -> Result<Walk, PipelineError> {
    Ok(source::walk(tree, &bare_walk_options())?)
}

impl Opened {
    /// Opens the source of packs.
    pub fn packs(&self) -> Result<PackSource, StoreError> {
        PackSource::open_with(&self.index, self.tree, self.access)
    }
}

impl Refresh<'_> {
    /// Uses every core and the settings of `contextpack.toml`, without output.
    pub const QUIET: Refresh<'static> =
        Refresh { jobs: 0, secrets: Secrets::Configured, waiting: &|_| (), watch: &|_| () };
}

/// Builds or refreshes the index. Returns the signatures of both stages, because another process may replace the
/// index immediately.
fn build(root: &Root, tree: &Path, refresh: &Refresh) -> Result<[Digest; 2], PipelineError> {
    let pipeline = pipeline(root, tree, refresh.secrets)?;
    if root.pipeline().is_none()
        && let Some(signatures) = unchanged_with_scip(&pipeline)?
    {
        return Ok(signatures);
    }
    let build = Build {
        pipeline: &pipeline,
        repo_id: root.name().to_string(),
        jobs: refresh.jobs,
        when_locked: WhenLocked::Wait(refresh.waiting),
        watch: refresh.watch,
    };
    build.index(&mut |_| ())
}

/// Takes settings from `contextpack.toml`, from the existing index, or from the defaults, in this order.
fn pipeline(root: &Root, tree: &Path, secrets: Secrets) -> Result<Pipeline, PipelineError> {
    let mut pipeline = match root.pipeline() {
        Some(pipeline) => pipeline.clone(),
        None => recorded_settings(root.index())?,
    };
    pipeline.source = tree.to_path_buf();
    pipeline.index = root.index().to_path_buf();
    root.apply_notes(&mut pipeline.notes);
    root.apply_workspace(&mut pipeline);
    pipeline.chunk.allow_secrets = match secrets {
        Secrets::Configured => pipeline.chunk.allow_secrets,
        Secrets::Keep => Some(true),
        Secrets::Replace => Some(false),
    };
    Ok(pipeline)
}

/// The settings of an index that was built without `contextpack.toml`. If this program cannot read the index, the
/// defaults are used and it is rebuilt from scratch.
fn recorded_settings(index: &Path) -> Result<Pipeline, StoreError> {
    let Ok(chunks) = Index::open(&index.join("chunk")) else { return Ok(Pipeline::default()) };
    let ChunkSettings {
        exclude, max_chunk_bytes, max_file_bytes, max_shard_bytes, languages, notes, workspace, ..
    } = ChunkSettings::of(&chunks)?;
    let chunk = ChunkSection {
        max_chunk_bytes: Some(max_chunk_bytes),
        max_file_bytes: Some(max_file_bytes),
        max_shard_bytes: Some(max_shard_bytes),
        allow_secrets: None,
    };
    let graph = Index::open(&index.join("graph")).ok();
    let shard_bytes = graph.and_then(|graph| graph.manifest().settings.get("maxShardBytes")?.as_u64());
    let graph = GraphSection { scip: Vec::new(), max_shard_bytes: shard_bytes };
    let workspace = workspace.map(|settings| settings.remembered());
    Ok(Pipeline { exclude, chunk, graph, language: languages, notes, workspace, ..Pipeline::default() })
}

/// A graph that was built with SCIP files records their digests, not their paths. Without `contextpack.toml` it can
/// be used until something changes, and then it cannot be rebuilt.
fn unchanged_with_scip(pipeline: &Pipeline) -> Result<Option<[Digest; 2]>, PipelineError> {
    let Pipeline { source: tree, index, .. } = pipeline;
    let stage = |name: &str| Index::open(&index.join(name)).ok();
    let (Some(chunks), Some(graph)) = (stage("chunk"), stage("graph")) else { return Ok(None) };
    let (of_chunks, of_graph) = (chunks.manifest(), graph.manifest());
    if of_graph.settings.get("scip").is_none() {
        return Ok(None);
    }
    let is_current = of_chunks.ruleset_version == chunk::RULESET_VERSION
        && of_graph.ruleset_version == graph::RULESET_VERSION
        && of_graph.inputs.iter().any(|input| input.digest == of_chunks.digest)
        && keeps_secrets(&chunks) == pipeline.chunk_settings().allow_secrets
        && ChunkSettings::of(&chunks)?.workspace == pipeline.chunk_settings().workspace
        && of_chunks.source_date == source_date(tree, source_date_epoch().as_deref())?
        && tree_state(tree, index)? == TreeState::Current;
    if !is_current {
        return Err(PipelineError::UnknownScip { index: index.clone() });
    }
    Ok(Some([of_chunks, of_graph].map(|manifest| manifest.index_signature.clone())))
}
