//! Computes every audience again for `verify --deep`: from the grants in the index, not from what its records say.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{ChunkSettings, is_restricted};
use crate::dialect::workspace::audiences::Workspace;
use crate::dialect::workspace::{Block, GivenGrant, Grant, WorkspaceFile};
use crate::record::{
    Artifact, Audience, BlockType, Chunk, ChunkUid, Coverage, Edge, Evidence, File, Item, Node, NodeId, Problem,
    References, SourceKind, Symbol,
};
use crate::store::{Fault, Index};
use crate::text::{RepoPath, Span};

/// Checks a chunk index: every record has the audience that the grants give it.
pub fn check_chunks(chunks: &Index) -> Result<(), Fault> {
    let world = World::read(chunks)?;
    if world.workspace.is_restricted() != is_restricted(chunks) {
        return Err(Fault::new("manifest.json", "it does not say whether everybody may read everything"));
    }
    let of_chunks = world.check_items(chunks)?;
    let of_file = |path: &RepoPath| world.workspace.audience_of_file(path);
    let of_chunk = |uid: &ChunkUid, path: &RepoPath| of_chunks.get(uid).cloned().unwrap_or_else(|| of_file(path));
    check::<Chunk>(chunks, |chunk| (&chunk.audience, of_chunk(&chunk.chunk_uid, &chunk.file_rel_path)))?;
    check::<Symbol>(chunks, |symbol| (&symbol.audience, of_chunk(&symbol.chunk_uid, &symbol.file_rel_path)))?;
    check::<References>(chunks, |references| {
        let is_of_block = of_chunks.contains_key(&references.chunk_uid);
        (&references.audience, if is_of_block { Audience::nobody() } else { of_file(&references.file_rel_path) })
    })?;
    let of_files = nobody_if(is_restricted(chunks));
    check::<File>(chunks, |file| (&file.audience, of_files.clone()))?;
    // Problems of blocks are for nobody, whoever may read the blocks.
    check::<Problem>(chunks, |problem| {
        (&problem.audience, if of_files.is_everyone() { problem.audience.clone() } else { of_files.clone() })
    })
}

/// Checks a graph index: nodes of blocks are for those who may read the blocks, edges for those who may read both ends.
pub fn check_graph(graph: &Index, chunks: &Index) -> Result<(), Fault> {
    let is_restricted = is_restricted(chunks);
    let mut of_nodes: FxHashMap<NodeId, Audience> = FxHashMap::default();
    for item in chunks.records::<Item>()? {
        let item = item?;
        if is_restricted && BlockType::named(&item.kind).is_some() {
            let known = of_nodes.entry(item.node_id).or_default();
            *known = known.and(&item.audience);
        }
    }
    let of_others = nobody_if(is_restricted);
    let of_node = |id: &NodeId| of_nodes.get(id).unwrap_or(&of_others).clone();
    check::<Node>(graph, |node| (&node.audience, of_node(&node.node_id)))?;
    check::<Edge>(graph, |edge| (&edge.audience, of_node(&edge.from).and(&of_node(&edge.to))))?;
    check::<Evidence>(graph, |evidence| (&evidence.audience, of_others.clone()))?;
    check::<Coverage>(graph, |_| (&EVERYONE, Audience::default()))
}

static EVERYONE: std::sync::LazyLock<Audience> = std::sync::LazyLock::new(Audience::default);

fn nobody_if(is_restricted: bool) -> Audience {
    if is_restricted { Audience::nobody() } else { Audience::default() }
}

/// Compares what each record of an artifact says with what it should say.
fn check<A: Artifact>(index: &Index, both: impl for<'r> Fn(&'r A) -> (&'r Audience, Audience)) -> Result<(), Fault> {
    for record in index.records::<A>()? {
        let record = record?;
        let (said, wanted) = both(&record);
        if *said != wanted {
            return Err(other(A::NAME, &record.key()));
        }
    }
    Ok(())
}

fn other(artifact: &str, key: &impl serde::Serialize) -> Fault {
    let key = serde_json::to_string(key).unwrap_or_default();
    Fault::new(artifact, format!("the record {key} has another audience than the grants give it"))
}

/// The workspace as its records describe it.
struct World {
    workspace: Workspace,
}

impl World {
    fn read(chunks: &Index) -> Result<Self, Fault> {
        let mut files: BTreeMap<RepoPath, WorkspaceFile> = BTreeMap::new();
        for file in chunks.records::<File>()? {
            let file = file?;
            if let Some(kind) = file.source_kind.filter(|kind| SourceKind::is_workspace(*kind)) {
                files.insert(file.file_rel_path, WorkspaceFile::new(kind));
            }
        }
        for item in chunks.records::<Item>()? {
            let item = item?;
            if let Some(file) = files.get_mut(&item.file_rel_path) {
                add(file, &item);
            }
        }
        let settings = ChunkSettings::of(chunks)?.workspace;
        // Without settings of a workspace everybody may read everything.
        let default_read = settings.map_or_else(|| vec!["public".to_string()], |settings| settings.default_read);
        let files = files.into_iter().map(|(path, file)| (path, Arc::new(file))).collect();
        Ok(World { workspace: Workspace::new(files, &default_read) })
    }

    /// Checks the items. Returns the audience of each chunk that an item has.
    fn check_items(&self, chunks: &Index) -> Result<FxHashMap<ChunkUid, Audience>, Fault> {
        let mut of_chunks = FxHashMap::default();
        let mut place = Place::default();
        for item in chunks.records::<Item>()? {
            let item = item?;
            let wanted = self.audience(&item, &mut place);
            if item.audience != wanted {
                return Err(other(Item::NAME, &item.key()));
            }
            if self.workspace.file(&item.file_rel_path).is_some() {
                of_chunks.extend(item.chunk_uid.map(|uid| (uid, wanted)));
            }
        }
        Ok(of_chunks)
    }

    fn audience(&self, item: &Item, place: &mut Place) -> Audience {
        let path = &item.file_rel_path;
        let Some(file) = self.workspace.file(path) else { return self.workspace.audience_of_file(path) };
        match item.kind.as_str() {
            kind if BlockType::named(kind).is_some() => {
                place.next_block(path);
                self.workspace.audiences_of(path)[place.block].clone()
            }
            Item::ROW_LABELS => {
                let own = &self.workspace.audiences_of(path)[place.block];
                let databases = self.workspace.databases_of(path, &file.blocks[place.block]);
                let database = databases.get(place.labels).map(|(_, audience)| (*audience).clone());
                place.labels += 1;
                own.and(&database.unwrap_or_else(Audience::nobody))
            }
            Item::ACTIVITY => {
                let user = format!("user:{}", item.word("user")).try_into();
                let user = user.map_or_else(|_| Audience::nobody(), |user| Audience::new(vec![vec![user]]));
                self.workspace.audience_of_id(&item.source_id).and(&user)
            }
            _ => Audience::nobody(),
        }
    }
}

/// Which block of which file the last item was of.
#[derive(Default)]
struct Place {
    path: Option<RepoPath>,
    block: usize,
    /// How many labelled forms of it were seen.
    labels: usize,
}

impl Place {
    fn next_block(&mut self, path: &RepoPath) {
        let is_same = self.path.as_ref() == Some(path);
        *self = Place { path: Some(path.clone()), block: if is_same { self.block + 1 } else { 0 }, labels: 0 };
    }
}

/// Adds what an item says of who may read what.
fn add(file: &mut WorkspaceFile, item: &Item) {
    let none = Span::new(0, 0);
    match item.kind.as_str() {
        Item::STRUCTURE => {
            let Some(block) = file.blocks.last_mut() else { return };
            block.parent = item.texts("parent").into_iter().next();
            block.children = item.texts("children");
            block.database = item.texts("database").into_iter().next();
            block.grants = grants(item);
            if item.field(Item::IS_ROOT).is_some() {
                file.roots.push(block.id.clone());
            }
        }
        Item::GRANT if item.source_id.is_empty() => {
            file.default_grants.push(Grant { read: item.texts(Item::DEFAULT), replaces: false });
        }
        Item::GRANT => {
            let given = grants(item).into_iter();
            file.grants.extend(given.map(|grant| GivenGrant { block: item.source_id.clone(), grant, span: none }));
        }
        kind => {
            let block_type = BlockType::named(kind);
            file.blocks.extend(block_type.map(|block_type| Block::new(item.source_id.clone(), block_type, none)));
        }
    }
}

fn grants(item: &Item) -> Vec<Grant> {
    let fields = item.fields.iter().filter(|field| [Item::NARROW, Item::REPLACE].contains(&field.name.as_str()));
    fields.map(|field| Grant { read: field.texts(), replaces: field.name == Item::REPLACE }).collect()
}
