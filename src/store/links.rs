//! What no record can know alone: that the chunks which a chunk stage's records name exist, once.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh64::xxh64;

use super::Index;
use super::verify::Fault;
use crate::record::{Artifact, Chunk, ChunkUid, Edge, Evidence, EvidenceId, Item, NodeId, References, Symbol};
use crate::text::RepoPath;

/// Checks that chunk uids are unique, that every symbol, reference and item names a chunk of its file, and that every
/// parent of an item is an item.
pub fn check_links(index: &Index) -> Result<(), Fault> {
    let known = known_chunks(index)?;
    [Symbol::NAME, References::NAME, Item::NAME].iter().try_for_each(|name| check_owners(index, name, &known))?;
    check_parents(index)
}

/// What every record of the chunk stage that points at a chunk has.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Link {
    file_rel_path: RepoPath,
    /// Absent for an item without a text.
    chunk_uid: Option<ChunkUid>,
}

/// A chunk that the index has. Its path is a hash, because an index may hold ten million chunks.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct KnownChunk {
    uid: ChunkUid,
    part: usize,
    path: u64,
}

/// All chunks, sorted by uid. Fails if two have the same one.
fn known_chunks(index: &Index) -> Result<Vec<KnownChunk>, Fault> {
    let parts = &index.artifact(Chunk::NAME)?.parts;
    let mut known = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        for_each_row(index, part, |link: Link| {
            let path = hash(&link.file_rel_path);
            known.extend(link.chunk_uid.map(|uid| KnownChunk { uid, part: at, path }));
            Ok(())
        })?;
    }
    known.sort_unstable();
    let twice = known.windows(2).filter(|pair| pair[0].uid == pair[1].uid).min_by_key(|pair| pair[1].part);
    if let Some([first, second]) = twice {
        let reason = format!("its chunk `{}` is not the only one of this uid", first.uid);
        return Err(Fault::new(&parts[second.part].path, reason));
    }
    Ok(known)
}

fn check_owners(index: &Index, artifact: &str, known: &[KnownChunk]) -> Result<(), Fault> {
    for part in &index.artifact(artifact)?.parts {
        for_each_row(index, part, |link: Link| {
            let Link { file_rel_path: file, chunk_uid: Some(uid) } = link else { return Ok(()) };
            match known.binary_search_by_key(&uid, |chunk| chunk.uid) {
                Ok(at) if known[at].path == hash(&file) => Ok(()),
                _ => Err(Fault::new(&part.path, format!("it names a chunk `{uid}` that `{file}` does not have"))),
            }
        })?;
    }
    Ok(())
}

fn hash(path: &RepoPath) -> u64 {
    xxh64(path.as_str().as_bytes(), 0)
}

fn check_parents(index: &Index) -> Result<(), Fault> {
    let wrong = |id: &NodeId| format!("it names a parent `{id}` that is no item");
    check_known(index, |item: Item| vec![item.node_id], |item: Item| item.parent.into_iter().collect(), wrong)
}

/// Checks that every piece of evidence that an edge names is there. Its ends are nodes if the adjacency can
/// be made of them.
pub fn check_evidence(index: &Index) -> Result<(), Fault> {
    let ids = |row: Evidence| row.places.iter().map(|place| place.evidence_id).collect();
    let wrong = |id: &EvidenceId| format!("it names evidence `{id}` that is not there");
    check_known(index, ids, |edge: Edge| edge.evidence, wrong)
}

/// Checks that the ids which records of one type name are among those that records of another have.
fn check_known<K: Artifact, N: Artifact, Id: Ord>(
    index: &Index,
    ids: impl Fn(K) -> Vec<Id>,
    named: impl Fn(N) -> Vec<Id>,
    wrong: impl Fn(&Id) -> String,
) -> Result<(), Fault> {
    let mut known = Vec::new();
    for record in index.records::<K>()? {
        known.extend(ids(record?));
    }
    known.sort_unstable();
    for part in &index.artifact(N::NAME)?.parts {
        for_each_row(index, part, |row: N| match named(row).iter().find(|id| known.binary_search(id).is_err()) {
            None => Ok(()),
            Some(id) => Err(Fault::new(&part.path, wrong(id))),
        })?;
    }
    Ok(())
}

fn for_each_row<R: DeserializeOwned>(
    index: &Index,
    part: &super::Part,
    mut each: impl FnMut(R) -> Result<(), Fault>,
) -> Result<(), Fault> {
    index.piece(part)?.for_each_line(|line| {
        let row = serde_json::from_slice(line).map_err(|error| Fault::new(&part.path, error.to_string()))?;
        each(row)
    })
}
