//! A tree and its index: their locations, and the name of the tree.

#![expect(clippy::disallowed_methods, reason = "reads contextpack.toml and the environment")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::dialect::note_tree::{GivenKind, NoteRoot};
use crate::door::brief::Lenses;
use crate::door::frame::Synonyms;
use crate::pipeline::settings::{DatesFrom, NoteSettings};
use crate::pipeline::views::SOURCE;
use crate::pipeline::{Access, Pipeline, PipelineError};
use crate::record::request::PackRequest;
use crate::record::{Principal, is_hex};
use crate::source::SourceError;
use crate::store::is_written_to;
use crate::text::shell_word;

/// The subdirectory of the user's cache directory that contains indexes.
const CACHE_NAME: &str = "contextpack";
/// The name of a tree whose path has no last component, such as `/`.
const UNNAMED: &str = "repository";

/// A tree with its index, or an index alone.
#[derive(Clone, Debug)]
pub struct Root {
    tree: Option<PathBuf>,
    index: PathBuf,
    name: String,
    /// The tree's `contextpack.toml`.
    pipeline: Option<Pipeline>,
    /// The directory where it was found, if that is a parent of the current one.
    found_above: Option<PathBuf>,
    is_index_named: bool,
    /// What the user says about directories with notes; empty: as configured.
    note_roots: Vec<NoteRoot>,
    note_dates: Option<DatesFrom>,
    /// Present: the user says that the tree is a workspace, and who may read what nobody grants.
    given_read: Option<Vec<String>>,
    access: Access,
    /// Whether the index is a view for one reader, and the tree that which it was made from.
    is_view: bool,
}

impl Root {
    /// Uses `repo` as the tree if it is given. Otherwise the tree is the nearest directory, from the current one
    /// upwards, with a `contextpack.toml` or a `.git`, or else the current one. With an index and no tree, only the
    /// index is used.
    pub fn find(repo: Option<&Path>, index: Option<&Path>) -> Result<Self, PipelineError> {
        match (repo, index) {
            (None, Some(index)) => Ok(Root::of_index(index)),
            _ => Root::of_tree(repo, index),
        }
    }

    /// Like [`Root::find`], for callers that need the tree even if an index is given.
    pub fn of_tree(repo: Option<&Path>, index: Option<&Path>) -> Result<Self, PipelineError> {
        if let (Some(repo), None) = (repo, index)
            && !repo.exists()
        {
            return Err(SourceError::Missing { root: repo.to_path_buf() }.into());
        }
        let found_above = if repo.is_none() { root_above() } else { None };
        let directory = repo.or(found_above.as_deref()).unwrap_or(Path::new("."));
        let pipeline = own_pipeline(directory)?;
        let tree = pipeline.as_ref().map_or_else(|| directory.to_path_buf(), |pipeline| pipeline.source.clone());
        let is_index_named = index.is_some();
        let index = match (index, &pipeline) {
            (Some(index), _) => index.to_path_buf(),
            (None, Some(pipeline)) => pipeline.index.clone(),
            (None, None) => default_index(&tree),
        };
        Ok(Root {
            name: repository_name(&tree),
            tree: Some(tree),
            index,
            pipeline,
            found_above,
            is_index_named,
            note_roots: Vec::new(),
            note_dates: None,
            given_read: None,
            access: Access::default(),
            is_view: false,
        })
    }

    /// The tree that `contextpack build` indexes. Without `contextpack.toml` its index goes into the tree.
    pub fn to_build() -> Result<Self, PipelineError> {
        let directory = root_above().unwrap_or_else(|| PathBuf::from("."));
        match own_pipeline(&directory)? {
            Some(_) => Root::of_tree(None, None),
            None => Root::of_tree(None, Some(&inside(&directory, Pipeline::default().index))),
        }
    }

    fn of_index(index: &Path) -> Self {
        Root {
            tree: None,
            index: index.to_path_buf(),
            name: name_of_index(index),
            pipeline: None,
            found_above: None,
            is_index_named: true,
            note_roots: Vec::new(),
            note_dates: None,
            given_read: None,
            access: Access::default(),
            is_view: false,
        }
    }

    /// For readers who may not see secrets. If `contextpack.toml` keeps secrets in the tree's index, they get a
    /// separate index, so that the two do not replace each other.
    pub fn without_secrets(mut self) -> Self {
        if let (Some(tree), Some(pipeline)) = (&self.tree, &self.pipeline)
            && pipeline.chunk_settings().allow_secrets
            && pipeline.index == self.index
            && let Some(index) = cached_index(tree)
        {
            self.index = index;
        }
        self
    }

    /// The built-in lenses, and those of `contextpack.toml`.
    pub fn lenses(&self) -> Lenses {
        self.pipeline.as_ref().map_or_else(Lenses::builtin, Pipeline::lenses)
    }

    /// Reads notes in this way instead of that of `contextpack.toml`, as far as it says anything.
    pub fn with_notes(self, roots: &[NoteRoot], dates: Option<DatesFrom>) -> Self {
        Root { note_roots: roots.to_vec(), note_dates: dates, ..self }
    }

    /// Reads the tree as a workspace. `default_read` is for roots that nobody grants to anybody, in this call alone; empty:
    /// as configured.
    pub fn with_workspace(self, default_read: &[Principal]) -> Self {
        Root { given_read: Some(default_read.iter().map(ToString::to_string).collect()), ..self }
    }

    /// Makes a pipeline one of a workspace, if the user says so.
    pub fn apply_workspace(&self, pipeline: &mut Pipeline) {
        if let Some(given) = &self.given_read {
            pipeline.workspace.get_or_insert_default();
            pipeline.given_read.clone_from(given);
        }
    }

    /// Who this call alone lets read roots that nobody grants to anybody.
    pub fn given_read(&self) -> &[String] {
        self.given_read.as_deref().unwrap_or_default()
    }

    /// Whether somebody says that the tree is a workspace. What an earlier call said does not count.
    pub fn is_workspace(&self) -> bool {
        let is_configured = || self.pipeline.as_ref().is_some_and(Pipeline::has_workspace);
        self.given_read.is_some()
            || self.note_roots.iter().any(|root| root.kind == GivenKind::Workspace)
            || is_configured()
    }

    /// Sets how notes are read, as far as the user says it.
    pub fn apply_notes(&self, settings: &mut NoteSettings) {
        if !self.note_roots.is_empty() {
            settings.roots.clone_from(&self.note_roots);
        }
        settings.dates = self.note_dates.or(settings.dates);
    }

    /// Opens what not everybody may read, too.
    pub fn for_operator(self) -> Self {
        Root { access: Access::Operator, ..self }
    }

    /// The same tree as a reader sees it, in an index of its own.
    pub fn with_view(self, view: PathBuf) -> Self {
        Root { tree: Some(view.join(SOURCE)), index: view, access: Access::View, is_view: true, ..self }
    }

    /// The index itself, which is a view for its reader.
    pub fn as_view(self) -> Self {
        Root { access: Access::View, ..self }
    }

    /// Whether the index is a view for one reader. It is never brought up to date by itself.
    pub fn is_view(&self) -> bool {
        self.is_view
    }

    pub fn access(&self) -> Access {
        self.access
    }

    /// The tree that the index is built from; absent if only an index was given.
    pub fn tree(&self) -> Option<&Path> {
        self.tree.as_deref()
    }

    /// A path of the tree as a user may type it, absolute or relative to the current directory, as paths of the index
    /// are written. Any other text stays as it is.
    pub fn read_path(&self, typed: &str) -> String {
        let is_path = typed.starts_with(['/', '.']);
        let inside = || {
            let typed = std::path::absolute(typed).ok()?;
            let tree = self.tree()?.canonicalize().ok()?;
            // The parent exists even if the text ends in `:12` or names a file that is gone.
            let parent = typed.parent()?.canonicalize().ok()?;
            let whole = typed.canonicalize().ok().or_else(|| Some(parent.join(typed.file_name()?)))?;
            let inside = whole.strip_prefix(&tree).ok()?;
            Some(if inside.as_os_str().is_empty() { ".".to_string() } else { to_text(inside.as_os_str()) })
        };
        if is_path { inside().unwrap_or_else(|| typed.to_string()) } else { typed.to_string() }
    }

    /// The directory for `chunk/` and `graph/`.
    pub fn index(&self) -> &Path {
        &self.index
    }

    /// The directory of the tree's sessions; none without a tree or a home.
    pub fn sessions(&self) -> Option<PathBuf> {
        sessions_folder(self.tree()?)
    }

    /// The built-in synonyms, and those of `[frame]` in `contextpack.toml`.
    pub fn synonyms(&self) -> Result<Synonyms, PipelineError> {
        let mut synonyms = Synonyms::default();
        let named = self.pipeline.as_ref().and_then(|pipeline| pipeline.frame.synonyms.as_ref());
        let Some((named, tree)) = named.zip(self.tree()) else { return Ok(synonyms) };
        let path = tree.join(named);
        let text = fs::read_to_string(&path).map_err(|error| PipelineError::settings(&path, error))?;
        synonyms.add_file(&text).map_err(|error| PipelineError::settings(&path, error))?;
        Ok(synonyms)
    }

    /// The name of the tree in packs.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn pipeline(&self) -> Option<&Pipeline> {
        self.pipeline.as_ref()
    }

    /// Completes a request: the name of the tree, and the words of `contextpack.toml`.
    pub fn complete(&self, request: &mut PackRequest) {
        if request.repo_id.is_empty() {
            request.repo_id.clone_from(&self.name);
        }
        self.pipeline.iter().for_each(|pipeline| request.add_words(&pipeline.words));
    }

    /// The pipeline of `contextpack.toml`, or one with the default settings.
    pub fn into_pipeline(self) -> Pipeline {
        let source = self.tree.unwrap_or_else(|| PathBuf::from("."));
        self.pipeline.unwrap_or_else(|| Pipeline { source, index: self.index, ..Pipeline::default() })
    }

    /// The directory found by searching upwards, unless it is the current one.
    pub fn found_above(&self) -> Option<&Path> {
        self.found_above.as_deref()
    }

    /// The indexes that may contain packs of the tree: its index, and the one that it may have in the cache.
    pub fn indexes(&self) -> Vec<PathBuf> {
        let cached = self.tree.as_deref().filter(|_| !self.is_view).and_then(cached_index);
        let mut indexes = vec![self.index.clone()];
        indexes.extend(cached.filter(|cached| *cached != self.index && has_index(cached)));
        indexes
    }

    /// Adds the command that builds the index if the error is a missing index.
    pub fn explain(&self, error: PipelineError) -> PipelineError {
        match error {
            PipelineError::Store(error) if error.is_missing() => {
                PipelineError::NoIndex { index: self.index.clone(), cause: error.cause, command: self.command() }
            }
            error => error,
        }
    }

    /// A single command that builds the index.
    fn command(&self) -> String {
        let index = shell_word(&self.index);
        if has_index(&self.index) {
            return format!("contextpack graph --index {index}");
        }
        let tree = self.tree.as_deref().unwrap_or(Path::new("."));
        let is_here = tree == Path::new(".") || self.found_above.is_some();
        match (self.is_index_named, is_here) {
            (true, _) => format!("contextpack pack --repo {} --index {index} --query \"…\"", shell_word(tree)),
            (false, true) => "contextpack build".to_string(),
            (false, false) => format!("contextpack pack --repo {} --query \"…\"", shell_word(tree)),
        }
    }
}

/// `SOURCE_DATE_EPOCH`, if it is set.
pub fn source_date_epoch() -> Option<String> {
    std::env::var("SOURCE_DATE_EPOCH").ok()
}

pub fn read_pipeline(path: &Path) -> Result<Pipeline, PipelineError> {
    let text = fs::read_to_string(path).map_err(|error| PipelineError::settings(path, error))?;
    Pipeline::parse(path, &text)
}

/// The last component of the directory's path, never the whole path.
pub fn repository_name(tree: &Path) -> String {
    let name = tree.canonicalize().ok().and_then(|tree| tree.file_name().map(to_text));
    name.unwrap_or_else(|| UNNAMED.to_string())
}

/// The name of the tree that an index belongs to, derived from its location: the nearest parent directory with a
/// `contextpack.toml` or a `.git`, or else the directory that contains the index.
fn name_of_index(index: &Path) -> String {
    let index = index.canonicalize().unwrap_or_else(|_| index.to_path_buf());
    let Some(parent) = index.parent() else { return UNNAMED.to_string() };
    if let Some(name) = name_of_cached(&index) {
        return name;
    }
    let directory = parent.ancestors().find(|directory| is_root(directory)).unwrap_or(parent);
    match own_pipeline(directory) {
        Ok(Some(pipeline)) => repository_name(&pipeline.source),
        _ => repository_name(directory),
    }
}

/// The nearest root directory upwards, unless it is the current directory.
fn root_above() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let root = here.ancestors().find(|directory| is_root(directory))?;
    (root != here).then(|| root.to_path_buf())
}

fn is_root(directory: &Path) -> bool {
    directory.join(Pipeline::FILE_NAME).is_file() || directory.join(".git").exists()
}

fn own_pipeline(directory: &Path) -> Result<Option<Pipeline>, PipelineError> {
    let path = inside(directory, Pipeline::FILE_NAME);
    path.is_file().then(|| read_pipeline(&path)).transpose()
}

/// The index that `contextpack build` wrote into the tree, if it exists; otherwise the one in the cache. Without a
/// cache directory, the index is in the tree.
fn default_index(tree: &Path) -> PathBuf {
    let own = inside(tree, Pipeline::default().index);
    if has_index(&own) { own } else { cached_index(tree).unwrap_or(own) }
}

/// Joins paths, without a `./` prefix for the current directory.
fn inside(directory: &Path, name: impl AsRef<Path>) -> PathBuf {
    if directory == Path::new(".") { name.as_ref().to_path_buf() } else { directory.join(name) }
}

fn has_index(directory: &Path) -> bool {
    is_written_to(&directory.join("chunk"))
}

/// An index in the user's cache directory, named after the tree and a hash of its path.
fn cached_index(tree: &Path) -> Option<PathBuf> {
    Some(user_folder("XDG_CACHE_HOME", ".cache")?.join(CACHE_NAME).join(name_with_hash(tree)?))
}

/// The directory of a tree's sessions, in the user's directory for state.
fn sessions_folder(tree: &Path) -> Option<PathBuf> {
    let state = user_folder("XDG_STATE_HOME", ".local/state")?;
    Some(state.join(CACHE_NAME).join("sessions").join(name_with_hash(tree)?))
}

/// The directory that a variable names, or that one below the user's home.
fn user_folder(variable: &str, below_home: &str) -> Option<PathBuf> {
    let read_variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    read_variable(variable).or_else(|| read_variable("HOME").map(|home| home.join(below_home)))
}

fn name_with_hash(tree: &Path) -> Option<String> {
    let place = tree.canonicalize().ok()?;
    let name = place.file_name().map(to_text).unwrap_or_default();
    let hash = xxhash_rust::xxh64::xxh64(place.as_os_str().as_encoded_bytes(), 0);
    Some(format!("{name}-{hash:016x}"))
}

/// The tree's name in the name of an index that [`cached_index`] chose.
fn name_of_cached(index: &Path) -> Option<String> {
    let name = index.file_name().map(to_text)?;
    let (name, hash) = name.rsplit_once('-')?;
    let is_cached = index.parent()?.file_name()? == CACHE_NAME && is_hex(hash, 16);
    is_cached.then(|| name.to_string())
}

fn to_text(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}
