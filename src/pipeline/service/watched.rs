//! An index that a server answers from for a long time. The tree is looked at before every call, and the index is
//! brought up to date if the tree has changed. Secrets are never served.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::{Refresh, Root, Secrets, ServiceError, build, source_date_epoch};
use crate::pipeline::{Progress, keeps_secrets, tree_state, walk_options};
use crate::record::Digest;
use crate::record::pack::TreeState;
use crate::source::{Snapshot, source_date};
use crate::store::{Index, Input, StoreError};

/// What the records of both stages are, however and wherever they are stored.
type Signatures = [Digest; 2];

pub struct Watched {
    root: Root,
    tree: std::path::PathBuf,
    /// Otherwise the index is used as it is.
    refresh: bool,
    /// Locked while the tree is looked at and indexed, so that one call does it for all that wait.
    seen: Mutex<Option<Seen>>,
    /// Readers keep the index from being replaced under them.
    gate: RwLock<()>,
}

/// The tree when the index was last compared with it.
struct Seen {
    snapshot: Snapshot,
    source_date: String,
    /// Of the index that it was compared with.
    stages: Signatures,
    tree: TreeState,
}

/// An index that this server does not replace while this is held.
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
    NotRefreshed(ServiceError),
}

impl Watched {
    /// The root has to have a tree.
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

    /// Compares the index with the tree, and builds or refreshes it if that is allowed.
    pub fn open(&self, watch: &(dyn Fn(Progress) + Sync)) -> Result<Held<'_>, ServiceError> {
        let mut seen = lock(&self.seen);
        let looked = if self.refresh { self.refreshed(&mut seen, watch) } else { self.compared(&mut seen) };
        // Taken before the other lock is released, so that no refresh comes in between.
        let gate = self.gate.read().unwrap_or_else(PoisonError::into_inner);
        let (tree, stages, stale) = match looked {
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

    /// Makes the next call look at every file again: the index may be damaged.
    pub fn forget(&self) {
        *lock(&self.seen) = None;
    }

    /// The stages, which have to be those that a call was given.
    pub fn same(&self, held: &Held) -> Result<Stages, ServiceError> {
        let stages = self.stages()?;
        if stages.signatures() == held.stages { Ok(stages) } else { Err(ServiceError::Replaced) }
    }

    /// Stages that may be served as they are: without secrets, and built from this tree.
    pub fn own_stages(&self) -> Option<Stages> {
        let stages = self.stages().ok().filter(|stages| !stages.keeps_secrets())?;
        let is_own = match &*lock(&self.seen) {
            Some(seen) => seen.stages == stages.signatures(),
            // An index that is used as it is may be of an older tree, and replies say so.
            None if !self.refresh => true,
            None => tree_state(&self.tree, self.index()).is_ok_and(|tree| tree == TreeState::Current),
        };
        is_own.then_some(stages)
    }

    fn refreshed(
        &self,
        seen: &mut Option<Seen>,
        watch: &(dyn Fn(Progress) + Sync),
    ) -> Result<(TreeState, Signatures), ServiceError> {
        let (snapshot, source_date) = self.look()?;
        if let Some(known) = self.known(seen.as_ref(), &snapshot, &source_date) {
            return Ok(known);
        }
        *seen = None;
        let _alone = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        let refresh = Refresh { secrets: Secrets::Replace, watch, ..Refresh::QUIET };
        let stages = build(&self.root, &self.tree, &refresh)?;
        *seen = Some(Seen { snapshot, source_date, stages: stages.clone(), tree: TreeState::Current });
        Ok((TreeState::Current, stages))
    }

    fn compared(&self, seen: &mut Option<Seen>) -> Result<(TreeState, Signatures), ServiceError> {
        let found = self.stages().map_err(|_| ServiceError::NothingToServe)?;
        found.refuse_secrets()?;
        let (snapshot, source_date) = self.look()?;
        if let Some(known) = self.known(seen.as_ref(), &snapshot, &source_date) {
            return Ok(known);
        }
        let (tree, stages) = (tree_state(&self.tree, self.index())?, found.signatures());
        *seen = Some(Seen { snapshot, source_date, stages: stages.clone(), tree });
        Ok((tree, stages))
    }

    fn look(&self) -> Result<(Snapshot, String), ServiceError> {
        let options = walk_options(&self.index().join("chunk"));
        Ok((Snapshot::take(&self.tree, &options)?, source_date(&self.tree, source_date_epoch().as_deref())?))
    }

    /// What was found of this very tree, if the index is still the one that it was compared with.
    fn known(&self, seen: Option<&Seen>, snapshot: &Snapshot, source_date: &str) -> Option<(TreeState, Signatures)> {
        let seen = seen.filter(|seen| snapshot.is_same_as(&seen.snapshot) && seen.source_date == source_date)?;
        let now = self.stages().ok()?.signatures();
        (now == seen.stages).then_some((seen.tree, now))
    }

    fn stages(&self) -> Result<Stages, StoreError> {
        Stages::open(self.index())
    }
}

/// Both stages as they are on the disk at this moment. Any other process may replace them at the next.
pub struct Stages([Index; 2]);

impl Stages {
    fn open(index: &Path) -> Result<Self, StoreError> {
        Ok(Stages([Index::open(&index.join("chunk"))?, Index::open(&index.join("graph"))?]))
    }

    pub fn signatures(&self) -> Signatures {
        self.0.each_ref().map(|stage| stage.manifest().index_signature.clone())
    }

    /// As whatever is made from them names them.
    pub fn inputs(&self) -> Vec<Input> {
        let manifests = self.0.iter().map(Index::manifest);
        manifests.map(|stage| Input { stage: stage.stage.clone(), digest: stage.digest.clone() }).collect()
    }

    pub fn graph(&self) -> &Index {
        &self.0[1]
    }

    fn keeps_secrets(&self) -> bool {
        keeps_secrets(&self.0[0])
    }

    /// Who started the server never said that its clients may see them.
    fn refuse_secrets(&self) -> Result<(), ServiceError> {
        if self.keeps_secrets() { Err(ServiceError::HoldsSecrets) } else { Ok(()) }
    }
}

/// A call that panicked while it held the lock left nothing half done that the next one does not check again.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
