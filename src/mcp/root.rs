//! A tree that was named at start-up: what a call gets of its index, and the packs that were made from it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::fault::Fault;
use super::recent_packs::RecentPacks;
use super::startup::{INDEXING, Startup};
use crate::pipeline::service::{Held, Stages, Stale, Watched};
use crate::pipeline::session::Sessions;
use crate::pipeline::{
    Access, Disk, GraphView, KeptPacks, PackSource, Pipeline, PipelineError, Progress as Indexed, StoreError,
    VIEW_SOURCE, WhenLocked, WorkspaceSource, keep_pack,
};
use crate::record::pack::{ContextPack, PackId, TreeState};
use crate::record::{ErrorCode, Principal, Reader};

/// Receives how far a call is: per cent, and what it does.
pub type Progress<'t> = &'t (dyn Fn(u32, &str) + Sync);

/// Packs that are kept in the index.
const MAX_KEPT: usize = 128;

/// A tree to serve.
pub struct Root {
    /// What calls name it by; no two roots have the same one.
    pub name: String,
    /// The directory's name, which stands at the top of packs.
    pub repo_id: String,
    pub watched: Arc<Watched>,
    /// Absent if there is no directory for them.
    pub sessions: Option<Sessions>,
    /// Who calls, as the one who started the server says; no call can say anything else.
    claimed: Option<BTreeSet<Principal>>,
    startup: Startup,
    recent: Mutex<RecentPacks>,
    /// The last one: to read all nodes takes longer than to look around.
    graph: Mutex<Option<Arc<GraphView>>>,
    source: Mutex<Option<Arc<PackSource>>>,
    /// The last one, with what was searched for in it.
    workspace: Mutex<Option<Arc<WorkspaceSource>>>,
    /// The signature of the index whose packs were kept last; those of others are gone.
    kept: Mutex<String>,
    /// The view that was opened last, of an index of which calls see only a part.
    view: Mutex<Option<PathBuf>>,
}

/// An index that stays as it is while this is held.
pub struct Opened<'r> {
    pub held: Held<'r>,
    /// Why its answers may be out of date.
    pub stale: Option<String>,
    /// What calls may see of it, if that is not everything.
    view: Option<PathBuf>,
}

impl Root {
    pub fn new(name: String, repo_id: String, watched: Arc<Watched>, claimed: Option<BTreeSet<Principal>>) -> Self {
        Root {
            name,
            repo_id,
            sessions: watched.root().sessions().map(|folder| Sessions::new(folder, Disk::real())),
            watched,
            claimed,
            startup: Startup::default(),
            recent: Mutex::default(),
            graph: Mutex::default(),
            source: Mutex::default(),
            workspace: Mutex::default(),
            kept: Mutex::default(),
            view: Mutex::default(),
        }
    }

    /// Keeps sessions in another directory.
    pub fn with_sessions(self, folder: Option<PathBuf>) -> Self {
        match folder {
            Some(folder) => Root { sessions: Some(Sessions::new(folder, Disk::real())), ..self },
            None => self,
        }
    }

    /// Builds the index and opens it, so that calls find both done.
    pub fn prepare(&self, progress: Progress) -> Result<(), Fault> {
        let running = self.startup.begin();
        let opened = self.open_now(&|percent, what| {
            running.reach(percent);
            progress(percent, what);
        })?;
        self.source(&opened).map(drop)
    }

    /// Whether the tree has spec documents, as far as the index was read.
    pub fn has_specs(&self) -> bool {
        lock(&self.source).as_ref().is_some_and(|source| source.has_specs())
    }

    /// Whether the tree is a workspace, as far as the index was read.
    pub fn is_workspace(&self) -> bool {
        lock(&self.source).as_ref().is_some_and(|source| source.is_workspace())
    }

    /// What payloads are made from.
    pub fn workspace(&self, opened: &Opened) -> Result<Arc<WorkspaceSource>, Fault> {
        let source = self.source(opened)?;
        let mut last = lock(&self.workspace);
        if let Some(known) = last.as_ref().filter(|known| std::ptr::eq(known.packs(), &*source)) {
            return Ok(Arc::clone(known));
        }
        let default = Pipeline::default();
        let settings = self.watched.root().pipeline().unwrap_or(&default).workspace_settings();
        let settings = settings.map_err(|fault| Fault::new(ErrorCode::Source, fault.to_string()))?;
        let made = WorkspaceSource::new(source, settings)?.with_summaries_in(self.watched.index());
        Ok(Arc::clone(last.insert(Arc::new(made))))
    }

    /// Who calls, as the one who started the server says.
    pub fn reader(&self) -> Option<Reader> {
        self.claimed.clone().map(Reader::As)
    }

    /// What calls may open: what they see is settled before.
    pub fn access(&self) -> Access {
        if self.claimed.is_some() { Access::View } else { Access::Everyone }
    }

    /// Whether the tree has notes, as far as the index was read.
    pub fn has_notes(&self) -> bool {
        lock(&self.source).as_ref().is_some_and(|source| source.has_notes())
    }

    /// The index, up to date if that is allowed.
    pub fn open(&self, progress: Progress) -> Result<Opened<'_>, Fault> {
        self.startup.wait(progress);
        self.open_now(progress)
    }

    /// A reader who may not see everything is not told how much there is, nor what has changed.
    fn open_now(&self, progress: Progress) -> Result<Opened<'_>, Fault> {
        if self.claimed.is_none() {
            return self.open_whole(progress);
        }
        let mut opened = self.open_whole(&|_, _| ())?;
        if let Some(view) = self.watched.view(&opened.held, self.claimed.as_ref())? {
            *lock(&self.view) = Some(view.clone());
            opened.held.tree = TreeState::Unchecked;
            opened.stale = None;
            opened.view = Some(view);
        }
        Ok(opened)
    }

    fn open_whole(&self, progress: Progress) -> Result<Opened<'_>, Fault> {
        progress(1, "looking at the tree");
        let (total, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let watch = |indexed| match indexed {
            Indexed::Found { bytes, .. } => total.store(bytes, Ordering::Relaxed),
            Indexed::Done { bytes, .. } => {
                let done = done.fetch_add(bytes, Ordering::Relaxed) + bytes;
                let share = done.saturating_mul(80) / total.load(Ordering::Relaxed).max(1);
                progress(5 + share.min(80) as u32, INDEXING);
            }
        };
        let mut held = self.watched.open(&watch)?;
        let stale = held.stale.take().map(|stale| match stale {
            Stale::TreeChanged => "the tree has changed since it was indexed".to_string(),
            Stale::NotRefreshed(error) => format!("the index could not be refreshed: {}", Fault::from(error).message),
        });
        Ok(Opened { held, stale, view: None })
    }

    /// The stages that calls see.
    fn stages(&self, opened: &Opened) -> Result<Stages, Fault> {
        let whole = self.watched.same(&opened.held)?;
        match &opened.view {
            None => Ok(whole),
            Some(view) => Ok(Stages::open(view)?),
        }
    }

    /// The index that calls see, as it was opened last. Absent if there is nothing yet that they may see.
    pub fn seen_index(&self) -> Option<PathBuf> {
        match (&self.claimed, lock(&self.view).clone()) {
            (_, Some(view)) => Some(view),
            (None, None) => Some(self.watched.index().to_path_buf()),
            (Some(_), None) => self.watched.is_for_everyone().then(|| self.watched.index().to_path_buf()),
        }
    }

    /// The tree that calls see.
    pub fn seen_tree(&self, opened: &Opened) -> PathBuf {
        opened.view.as_ref().map_or_else(|| self.watched.tree().to_path_buf(), |view| view.join(VIEW_SOURCE))
    }

    /// Makes the next call look at every file, and at what was kept of the index: it may be damaged.
    pub fn forget(&self) {
        self.watched.forget();
        *lock(&self.graph) = None;
        *lock(&self.source) = None;
    }

    /// The graph of the index that was opened.
    pub fn graph(&self, opened: &Opened) -> Result<Arc<GraphView>, Fault> {
        let stages = self.stages(opened)?;
        let graph = stages.graph();
        let open = || GraphView::open(graph.folder(), self.access());
        last_or_new(&self.graph, |known| *known.digest() == graph.manifest().digest, open)
    }

    /// What packs are made from.
    pub fn source(&self, opened: &Opened) -> Result<Arc<PackSource>, Fault> {
        let stages = self.stages(opened)?;
        let (inputs, tree) = (stages.inputs(), opened.held.tree);
        last_or_new(
            &self.source,
            |known| known.receipt().tree == tree && known.inputs() == inputs,
            || PackSource::open_with(stages.folder(), tree, self.access()),
        )
    }

    /// Keeps a pack for calls that name it: here, and in the index for later sessions and the command line.
    pub fn keep(&self, source: &PackSource, pack: &Arc<ContextPack>) -> Result<(), StoreError> {
        let recent = lock(&self.recent).add(pack);
        let is_wanted = |id: &str| recent.iter().any(|recent| recent.as_str() == id);
        keep_pack(source.folder(), source, pack, MAX_KEPT, is_wanted, WhenLocked::Wait(&|_| ()))?;
        lock(&self.kept).clone_from(&pack.index_signature);
        Ok(())
    }

    /// A pack of this index that need not be kept again.
    pub fn kept(&self, source: &PackSource, id: &PackId) -> Option<Arc<ContextPack>> {
        let kept = *lock(&self.kept) == source.signature();
        lock(&self.recent).find(id).filter(|pack| kept && pack.receipt == *source.receipt())
    }

    pub fn pack(&self, id: &PackId) -> Option<Arc<ContextPack>> {
        let written = || self.written()?.pack(id.as_str()).ok().flatten().map(Arc::new);
        let recent = lock(&self.recent).find(id);
        recent.or_else(written)
    }

    /// Ids and queries of all packs that a client can get, by id.
    pub fn packs(&self) -> Vec<(PackId, String)> {
        let mut packs = self.written().and_then(|written| written.all().ok()).unwrap_or_default();
        packs.extend(lock(&self.recent).all());
        packs.sort();
        packs.dedup_by(|a, b| a.0 == b.0);
        packs
    }

    /// The packs in the index, if they were made from its stages, and these may be served.
    fn written(&self) -> Option<KeptPacks> {
        let index = self.seen_index()?;
        let written = KeptPacks::open(&index, self.access()).ok()?;
        let is_whole = index == self.watched.index();
        let stages = if is_whole { self.watched.own_stages()? } else { Stages::open(&index).ok()? };
        (*written.inputs() == stages.inputs()).then_some(written)
    }
}

/// What was opened last if it is what the index holds now, else a new one.
fn last_or_new<T>(
    last: &Mutex<Option<Arc<T>>>,
    is_current: impl Fn(&T) -> bool,
    open: impl FnOnce() -> Result<T, StoreError>,
) -> Result<Arc<T>, Fault> {
    let mut last = lock(last);
    if let Some(known) = last.as_ref().filter(|known| is_current(known)) {
        return Ok(Arc::clone(known));
    }
    let opened = Arc::new(open()?);
    if !is_current(&opened) {
        return Err(PipelineError::Replaced.into());
    }
    Ok(Arc::clone(last.insert(opened)))
}

/// A call that panicked while it held the lock left nothing half done that the next one does not check again.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
