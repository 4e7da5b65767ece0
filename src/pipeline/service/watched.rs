//! An index that a long-running server answers from. Before every call the tree is checked, and the index is
//! refreshed if the tree has changed. Secrets are never served.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::{Refresh, Root, Secrets, build, check_rights, check_view_reader, source_date_epoch};
use crate::pipeline::views::view;
use crate::pipeline::{
    ChunkSettings, PipelineError, Principals, Progress, is_restricted, keeps_secrets, tree_state, walk_options,
};
use crate::record::pack::TreeState;
use crate::record::{Digest, Principal};
use crate::source::{Snapshot, source_date};
use crate::store::{Index, Input, StoreError};

/// The signatures of both stages. They identify the records, independently of how they are stored.
type Signatures = [Digest; 2];

pub struct Watched {
    root: Root,
    tree: std::path::PathBuf,
    /// If false, the index is used as it is.
    refresh: bool,
    /// Locked while the tree is checked and indexed, so that one call does the work for all that wait.
    seen: Mutex<Option<Seen>>,
    /// Readers hold it, so that the index is not replaced while they use it.
    gate: RwLock<()>,
}

/// The state of the tree when the index was last compared with it.
struct Seen {
    snapshot: Snapshot,
    source_date: String,
    /// The signatures of the index that was compared.
    stages: Signatures,
    tree: TreeState,
}

/// Access to an index that this server does not replace in the meantime.
pub struct Held<'w> {
    pub tree: TreeState,
    pub stale: Option<Stale>,
    stages: Signatures,
    _gate: RwLockReadGuard<'w, ()>,
}

/// Why an index may be out of date.
#[derive(Debug)]
pub enum Stale {
    TreeChanged,
    NotRefreshed(PipelineError),
}

impl Watched {
    /// Returns `None` if the root has no tree.
    pub fn new(root: Root, refresh: bool) -> Option<Self> {
        let tree = root.tree()?.to_path_buf();
        Some(Watched { root, tree, refresh, seen: Mutex::default(), gate: RwLock::default() })
    }

    pub fn tree(&self) -> &Path {
        &self.tree
    }

    pub fn index(&self) -> &Path {
        self.root.index()
    }

    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Compares the index with the tree, and builds or refreshes it if that is allowed.
    pub fn open(&self, watch: &(dyn Fn(Progress) + Sync)) -> Result<Held<'_>, PipelineError> {
        let mut seen = lock(&self.seen);
        let result = self.check_index(&mut seen, watch);
        // Taken before the other lock is released, so that no refresh can happen in between.
        let gate = self.gate.read().unwrap_or_else(PoisonError::into_inner);
        let (tree, stages, stale) = match result {
            Ok((TreeState::Changed, stages)) => (TreeState::Changed, stages, Some(Stale::TreeChanged)),
            Ok((tree, stages)) => (tree, stages, None),
            Err(error) => match self.stages() {
                Err(_) => return Err(error),
                Ok(stages) => {
                    stages.refuse_secrets()?;
                    (TreeState::Changed, stages.signatures(), Some(Stale::NotRefreshed(error)))
                }
            },
        };
        Ok(Held { tree, stale, stages, _gate: gate })
    }

    /// Makes the next call check every file again, because the index may be damaged.
    pub fn forget(&self) {
        *lock(&self.seen) = None;
    }

    /// Opens the stages. Fails if they are not those that `held` refers to.
    pub fn same(&self, held: &Held) -> Result<Stages, PipelineError> {
        let stages = self.stages()?;
        if stages.signatures() == held.stages { Ok(stages) } else { Err(PipelineError::Replaced) }
    }

    /// The view of an index for a reader, if it holds something that not everybody may read.
    pub fn view(&self, held: &Held, claimed: Option<&BTreeSet<Principal>>) -> Result<Option<PathBuf>, PipelineError> {
        let stages = self.same(held)?;
        let Some(claimed) = claimed else { return Ok(None) };
        check_rights(&self.root, &stages.0[0])?;
        check_view_reader(self.index(), Some(claimed))?;
        if !is_restricted(&stages.0[0]) {
            return Ok(None);
        }
        view(self.index(), &Principals::resolve(self.index(), claimed)?).map(Some)
    }

    /// Whether nothing in the index is restricted.
    pub fn is_for_everyone(&self) -> bool {
        self.stages().is_ok_and(|stages| !is_restricted(&stages.0[0]))
    }

    /// Stages that may be served without a check: they have no secrets and were built from this tree.
    pub fn own_stages(&self) -> Option<Stages> {
        let stages = self.stages().ok().filter(|stages| !stages.keeps_secrets())?;
        let is_own = match &*lock(&self.seen) {
            Some(seen) => seen.stages == stages.signatures(),
            // Without refreshing, the index may be older than the tree, and replies say so.
            None if !self.refresh => true,
            None => tree_state(&self.tree, self.index()).is_ok_and(|tree| tree == TreeState::Current),
        };
        is_own.then_some(stages)
    }

    /// Compares the index with the tree. If they differ, the index is refreshed where that is allowed.
    fn check_index(
        &self,
        seen: &mut Option<Seen>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<(TreeState, Signatures), PipelineError> {
        let found = if self.refresh { None } else { Some(self.stages_as_they_are()?) };
        let chunks = self.index().join("chunk");
        let snapshot = Snapshot::take(&self.tree, &walk_options(&chunks, &ChunkSettings::recorded(&chunks)))?;
        let source_date = source_date(&self.tree, source_date_epoch().as_deref())?;
        if let Some(known) = seen
            && snapshot.is_same_as(&known.snapshot)
            && known.source_date == source_date
            && self.stages().is_ok_and(|now| now.signatures() == known.stages)
        {
            return Ok((known.tree, known.stages.clone()));
        }
        *seen = None;
        let (tree, stages) = match found {
            Some(stages) => (tree_state(&self.tree, self.index())?, stages),
            None => {
                let _exclusive = self.gate.write().unwrap_or_else(PoisonError::into_inner);
                let refresh = Refresh { secrets: Secrets::Replace, watch, ..Refresh::QUIET };
                (TreeState::Current, build(&self.root, &self.tree, &refresh)?)
            }
        };
        *seen = Some(Seen { snapshot, source_date, stages: stages.clone(), tree });
        Ok((tree, stages))
    }

    fn stages_as_they_are(&self) -> Result<Signatures, PipelineError> {
        let stages = self.stages().map_err(|_| PipelineError::NothingToServe)?;
        stages.refuse_secrets()?;
        Ok(stages.signatures())
    }

    fn stages(&self) -> Result<Stages, StoreError> {
        Stages::open(self.index())
    }
}

/// Both stages as they are on disk now. Another process may replace them at any time.
pub struct Stages([Index; 2]);

impl Stages {
    pub fn open(index: &Path) -> Result<Self, StoreError> {
        Ok(Stages([Index::open(&index.join("chunk"))?, Index::open(&index.join("graph"))?]))
    }

    pub fn signatures(&self) -> Signatures {
        self.0.each_ref().map(|stage| stage.manifest().index_signature.clone())
    }

    /// The stages as inputs in the manifests of later stages.
    pub fn inputs(&self) -> Vec<Input> {
        self.0.iter().map(|stage| stage.manifest().as_input()).collect()
    }

    /// The directory that holds both.
    pub fn folder(&self) -> &Path {
        self.0[0].folder().parent().unwrap_or(Path::new(""))
    }

    pub fn graph(&self) -> &Index {
        &self.0[1]
    }

    fn keeps_secrets(&self) -> bool {
        keeps_secrets(&self.0[0])
    }

    /// The server has no permission to show secrets to its clients.
    fn refuse_secrets(&self) -> Result<(), PipelineError> {
        if self.keeps_secrets() { Err(PipelineError::HoldsSecrets) } else { Ok(()) }
    }
}

/// The state behind the lock is checked again by the next call, so a panicked holder leaves nothing inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
