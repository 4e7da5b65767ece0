//! A tree that was named at start-up, with its index: looked at before every call, brought up to date if it changed.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::fault::Fault;
use super::stages::{Signatures, Stages, replaced};
use crate::pipeline::{
    GraphView, IndexTree, KeptPacks, PackSource, PackStage, Progress, keep_pack, tree_state, walk_options,
};
use crate::record::pack::{ContextPack, PackId, TreeState};
use crate::source::{Snapshot, source_date};
use crate::store::{StoreError, WhenLocked};

/// Whom to tell how far a call is: per cent, and of what.
pub type Tell<'t> = &'t (dyn Fn(u32, &str) + Sync);

/// Packs of this session that are at hand, also when the tree has changed since: so many, of so many characters.
const MAX_AT_HAND: usize = 64;
const MAX_CHARS_AT_HAND: u64 = 16 << 20;
/// Packs that are kept in the index.
const MAX_KEPT: usize = 128;
/// Packs beyond these go to another shard.
const SHARD_BYTES: u64 = 24 << 20;

/// A tree and where its index lies.
#[derive(Clone, Debug)]
pub struct RootSettings {
    /// What calls name it by: one of a kind among the roots.
    pub name: String,
    /// The folder's name, which packs are headed with.
    pub repo_id: String,
    pub tree: PathBuf,
    pub index: PathBuf,
}

pub struct Root {
    pub name: String,
    pub repo_id: String,
    pub tree: PathBuf,
    pub index: PathBuf,
    refresh: bool,
    epoch: Option<String>,
    /// Held while the tree is looked at and indexed, so that one call does it for all that wait.
    seen: Mutex<Option<Seen>>,
    /// Readers keep the index from being replaced under them.
    gate: RwLock<()>,
    at_hand: Mutex<VecDeque<Arc<ContextPack>>>,
    /// The last one: to read all nodes takes longer than to look around.
    graph: Mutex<Option<Arc<GraphView>>>,
    source: Mutex<Option<(TreeState, Arc<PackSource>)>>,
    /// The signature of the index whose packs were kept last; those of others are gone.
    kept: Mutex<String>,
}

/// The tree when the index was last compared with it.
struct Seen {
    snapshot: Snapshot,
    source_date: String,
    /// Of the index that it was compared with.
    stages: Signatures,
    tree: TreeState,
}

/// An index that stays as it is while this is held.
pub struct Opened<'r> {
    pub tree: TreeState,
    /// Why what it says may be out of date.
    pub stale: Option<String>,
    stages: Signatures,
    _gate: RwLockReadGuard<'r, ()>,
}

impl Root {
    pub fn new(settings: RootSettings, refresh: bool, epoch: Option<String>) -> Self {
        Root {
            name: settings.name,
            repo_id: settings.repo_id,
            tree: settings.tree,
            index: settings.index,
            refresh,
            epoch,
            seen: Mutex::default(),
            gate: RwLock::default(),
            at_hand: Mutex::default(),
            graph: Mutex::default(),
            source: Mutex::default(),
            kept: Mutex::default(),
        }
    }

    /// Compares the index with the tree, and makes or refreshes it if that is allowed.
    pub fn open(&self, tell: Tell) -> Result<Opened<'_>, Fault> {
        tell(1, "looking at the tree");
        let mut seen = lock(&self.seen);
        let looked = if self.refresh { self.refreshed(&mut seen, tell) } else { self.compared(&mut seen) };
        // Taken before the other is let go, so that no refresh comes in between.
        let gate = self.gate.read().unwrap_or_else(PoisonError::into_inner);
        match looked {
            Ok((TreeState::Changed, stages)) => {
                let stale = Some("the tree has changed since it was indexed".to_string());
                Ok(Opened { tree: TreeState::Changed, stale, stages, _gate: gate })
            }
            Ok((tree, stages)) => Ok(Opened { tree, stale: None, stages, _gate: gate }),
            Err(fault) => {
                let stages = self.stages().map_err(|_| fault.clone())?;
                stages.refuse_secrets()?;
                let stale = Some(format!("the index could not be refreshed: {}", fault.message));
                Ok(Opened { tree: TreeState::Changed, stale, stages: stages.signatures(), _gate: gate })
            }
        }
    }

    /// Makes the next call look at every file, and at what was kept of the index: it may be damaged.
    pub fn forget(&self) {
        *lock(&self.seen) = None;
        *lock(&self.graph) = None;
        *lock(&self.source) = None;
    }

    fn refreshed(&self, seen: &mut Option<Seen>, tell: Tell) -> Result<(TreeState, Signatures), Fault> {
        let (snapshot, source_date) = self.look()?;
        if let Some(known) = self.known(seen.as_ref(), &snapshot, &source_date) {
            return Ok(known);
        }
        *seen = None;
        let _alone = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        let stages = self.run_index(tell)?;
        *seen = Some(Seen { snapshot, source_date, stages: stages.clone(), tree: TreeState::Current });
        Ok((TreeState::Current, stages))
    }

    fn compared(&self, seen: &mut Option<Seen>) -> Result<(TreeState, Signatures), Fault> {
        let Ok(found) = self.stages() else {
            let fault = Fault::new("POC_E_INDEX_MISSING", "there is no index and none may be made");
            return Err(fault.hint("start `contextpack mcp` without --no-refresh"));
        };
        found.refuse_secrets()?;
        let (snapshot, source_date) = self.look()?;
        if let Some(known) = self.known(seen.as_ref(), &snapshot, &source_date) {
            return Ok(known);
        }
        let (tree, stages) = (tree_state(&self.tree, &self.index)?, found.signatures());
        *seen = Some(Seen { snapshot, source_date, stages: stages.clone(), tree });
        Ok((tree, stages))
    }

    fn look(&self) -> Result<(Snapshot, String), Fault> {
        let options = walk_options(&self.index.join("chunk"));
        Ok((Snapshot::take(&self.tree, &options)?, source_date(&self.tree, self.epoch.as_deref())?))
    }

    /// What was found of this very tree, if the index is still the one that it was compared with.
    fn known(&self, seen: Option<&Seen>, snapshot: &Snapshot, source_date: &str) -> Option<(TreeState, Signatures)> {
        let seen = seen.filter(|seen| snapshot.is_same_as(&seen.snapshot) && seen.source_date == source_date)?;
        let now = self.stages().ok()?.signatures();
        (now == seen.stages).then_some((seen.tree, now))
    }

    fn stages(&self) -> Result<Stages, StoreError> {
        Stages::open(&self.index)
    }

    /// The stages, which still have to be those that a call was told of.
    pub fn same(&self, opened: &Opened) -> Result<Stages, Fault> {
        let stages = self.stages()?;
        if stages.signatures() == opened.stages { Ok(stages) } else { Err(replaced()) }
    }

    fn run_index(&self, tell: Tell) -> Result<Signatures, Fault> {
        let (total, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let watch = |progress| match progress {
            Progress::Found { bytes, .. } => total.store(bytes, Ordering::Relaxed),
            Progress::Done { bytes, .. } => {
                let done = done.fetch_add(bytes, Ordering::Relaxed) + bytes;
                let share = done.saturating_mul(80) / total.load(Ordering::Relaxed).max(1);
                tell(5 + share.min(80) as u32, "indexing");
            }
        };
        let made =
            IndexTree { jobs: 0, allow_secrets: false, epoch: self.epoch.clone(), when_locked: &|_| (), watch: &watch };
        Ok(made.run_signed(&self.tree, &self.index)?)
    }

    /// The graph of the index that was opened.
    pub fn graph(&self, opened: &Opened) -> Result<Arc<GraphView>, Fault> {
        let stages = self.same(opened)?;
        let is_now = |graph: &GraphView| *graph.digest() == stages.graph().manifest().digest;
        let mut last = lock(&self.graph);
        if let Some(graph) = last.as_ref().filter(|graph| is_now(graph)) {
            return Ok(Arc::clone(graph));
        }
        let graph = Arc::new(GraphView::open(stages.graph().folder())?);
        if !is_now(&graph) {
            return Err(replaced());
        }
        Ok(Arc::clone(last.insert(graph)))
    }

    /// What packs are made from.
    pub fn source(&self, opened: &Opened) -> Result<Arc<PackSource>, Fault> {
        let inputs = self.same(opened)?.inputs();
        let mut last = lock(&self.source);
        if let Some((then, source)) = &*last
            && *then == opened.tree
            && source.inputs() == inputs
        {
            return Ok(Arc::clone(source));
        }
        let source = Arc::new(PackSource::open(&self.index, opened.tree)?);
        if source.inputs() != inputs {
            return Err(replaced());
        }
        *last = Some((opened.tree, Arc::clone(&source)));
        Ok(source)
    }

    /// Keeps a pack for `context_pack.get`: here, and in the index for later sessions and the command line.
    pub fn keep(&self, source: &PackSource, pack: &Arc<ContextPack>) -> Result<(), StoreError> {
        let recent = self.take_at_hand(pack);
        let stage = PackStage { index: self.index.clone(), max_shard_bytes: SHARD_BYTES, keep: true, jobs: 0 };
        keep_pack(&stage, source, pack, MAX_KEPT, |id| recent.contains(id), WhenLocked::Wait(&|_| ()))?;
        lock(&self.kept).clone_from(&pack.index_signature);
        Ok(())
    }

    /// A pack of this index that needs no keeping any more.
    pub fn kept(&self, source: &PackSource, id: &PackId) -> Option<Arc<ContextPack>> {
        let kept = *lock(&self.kept) == source.signature();
        self.at_hand(id).filter(|pack| kept && pack.receipt == *source.receipt())
    }

    /// The newest is the last; gives all that are at hand now.
    fn take_at_hand(&self, pack: &Arc<ContextPack>) -> Vec<PackId> {
        let mut at_hand = lock(&self.at_hand);
        at_hand.retain(|kept| kept.pack_id != pack.pack_id);
        at_hand.push_back(Arc::clone(pack));
        let chars = |packs: &VecDeque<Arc<ContextPack>>| -> u64 {
            packs.iter().map(|pack| u64::from(pack.stats.rendered_chars.largest())).sum()
        };
        while at_hand.len() > MAX_AT_HAND || at_hand.len() > 1 && chars(&at_hand) > MAX_CHARS_AT_HAND {
            at_hand.pop_front();
        }
        at_hand.iter().map(|pack| pack.pack_id.clone()).collect()
    }

    fn at_hand(&self, id: &PackId) -> Option<Arc<ContextPack>> {
        lock(&self.at_hand).iter().find(|pack| pack.pack_id == *id).map(Arc::clone)
    }

    pub fn pack(&self, id: &PackId) -> Option<Arc<ContextPack>> {
        let written = || self.written()?.pack(id.as_str()).ok().flatten().map(Arc::new);
        self.at_hand(id).or_else(written)
    }

    /// Ids and queries of all that can be had, by id.
    pub fn packs(&self) -> Vec<(PackId, String)> {
        let mut packs = self.written().and_then(|written| written.all().ok()).unwrap_or_default();
        packs.extend(lock(&self.at_hand).iter().map(|pack| (pack.pack_id.clone(), pack.request.query.clone())));
        packs.sort();
        packs.dedup_by(|a, b| a.0 == b.0);
        packs
    }

    /// The packs in the index, if they were made from its stages, without secrets, and these from this tree.
    fn written(&self) -> Option<KeptPacks> {
        let written = KeptPacks::open(&self.index).ok()?;
        let stages = self.stages().ok()?;
        let is_shown = !stages.keeps_secrets() && *written.inputs() == stages.inputs() && self.is_own(&stages);
        is_shown.then_some(written)
    }

    fn is_own(&self, stages: &Stages) -> bool {
        match &*lock(&self.seen) {
            Some(seen) => seen.stages == stages.signatures(),
            // An index that is used as it is may be of an older tree, and calls say so.
            None if !self.refresh => true,
            None => tree_state(&self.tree, &self.index).is_ok_and(|tree| tree == TreeState::Current),
        }
    }
}

/// A call that died holding it left nothing half done that the next does not look at again.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
