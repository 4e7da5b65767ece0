//! What no record can know alone: that the chunks which a chunk stage's records name exist, once.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::verify::Fault;
use super::{Index, Records, StoreError};
use crate::record::{Artifact, Chunk, ChunkUid, Edge, Evidence, EvidenceId, Item, NodeId, References, Symbol};
use crate::text::RepoPath;

/// Checks that chunk uids are unique, that every symbol, reference and item names a chunk of its file, and that every
/// parent of an item is an item.
pub fn check_links(index: &Index) -> Result<(), Fault> {
    check_unique(index)?;
    check_owners(index, Symbol::NAME)?;
    check_owners(index, References::NAME)?;
    check_owners(index, Item::NAME)?;
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

/// A sorted list instead of a set: an index may hold ten million chunks.
fn check_unique(index: &Index) -> Result<(), Fault> {
    let parts = &index.artifact(Chunk::NAME)?.parts;
    let mut uids: Vec<(ChunkUid, usize)> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        for_each_row(index, part, |link: Link| {
            uids.extend(link.chunk_uid.map(|uid| (uid, at)));
            Ok(())
        })?;
    }
    uids.sort_unstable();
    let twice = uids.windows(2).filter(|pair| pair[0].0 == pair[1].0).min_by_key(|pair| pair[1].1);
    match twice {
        None => Ok(()),
        Some(pair) => {
            let uid = pair[0].0;
            Err(Fault::new(&parts[pair[1].1].path, format!("its chunk `{uid}` is not the only one of this uid")))
        }
    }
}

fn check_owners(index: &Index, artifact: &str) -> Result<(), Fault> {
    let mut owners = Owners { chunks: index.records::<Chunk>()?, ahead: None, file: None, uids: BTreeSet::new() };
    for part in &index.artifact(artifact)?.parts {
        for_each_row(index, part, |link: Link| {
            let Link { file_rel_path: file, chunk_uid: Some(uid) } = link else { return Ok(()) };
            if owners.contains(&file, uid)? {
                return Ok(());
            }
            Err(Fault::new(&part.path, format!("it names a chunk `{uid}` that `{file}` does not have")))
        })?;
    }
    Ok(())
}

fn check_parents(index: &Index) -> Result<(), Fault> {
    let parts = &index.artifact(Item::NAME)?.parts;
    let mut known: Vec<NodeId> = Vec::new();
    for part in parts {
        for_each_row(index, part, |item: Item| {
            known.push(item.node_id);
            Ok(())
        })?;
    }
    known.sort_unstable();
    for part in parts {
        for_each_row(index, part, |item: Item| match item.parent.filter(|id| known.binary_search(id).is_err()) {
            None => Ok(()),
            Some(id) => Err(Fault::new(&part.path, format!("it names a parent `{id}` that is no item"))),
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

/// Checks that every piece of evidence that an edge names is there. Its ends are nodes if the adjacency can
/// be made of them.
pub fn check_evidence(index: &Index) -> Result<(), Fault> {
    #[derive(Deserialize)]
    struct Ids {
        evidence: Vec<EvidenceId>,
    }
    let mut known: Vec<EvidenceId> = Vec::new();
    for part in &index.artifact(Evidence::NAME)?.parts {
        for_each_row(index, part, |row: Evidence| {
            known.extend(row.places.iter().map(|place| place.evidence_id));
            Ok(())
        })?;
    }
    known.sort_unstable();
    for part in &index.artifact(Edge::NAME)?.parts {
        for_each_row(index, part, |row: Ids| {
            let missing = row.evidence.iter().find(|id| known.binary_search(id).is_err());
            missing
                .map_or(Ok(()), |id| Err(Fault::new(&part.path, format!("it names evidence `{id}` that is not there"))))
        })?;
    }
    Ok(())
}

/// The chunks of one file at a time. All artifacts of the stage are sorted by path, so asking in
/// that order walks the chunks once.
struct Owners<'i> {
    chunks: Records<'i, Chunk>,
    ahead: Option<Chunk>,
    file: Option<RepoPath>,
    uids: BTreeSet<ChunkUid>,
}

impl Owners<'_> {
    fn contains(&mut self, wanted: &RepoPath, uid: ChunkUid) -> Result<bool, StoreError> {
        while self.file.as_ref().is_none_or(|file| file < wanted) {
            if !self.load_file()? {
                return Ok(false);
            }
        }
        Ok(self.file.as_ref() == Some(wanted) && self.uids.contains(&uid))
    }

    /// Moves on to the next file that has chunks; false behind the last.
    fn load_file(&mut self) -> Result<bool, StoreError> {
        let Some(first) = self.next_chunk()? else {
            return Ok(false);
        };
        self.uids = BTreeSet::from([first.chunk_uid]);
        while let Some(chunk) = self.next_chunk()? {
            if chunk.file_rel_path != first.file_rel_path {
                self.ahead = Some(chunk);
                break;
            }
            self.uids.insert(chunk.chunk_uid);
        }
        self.file = Some(first.file_rel_path);
        Ok(true)
    }

    fn next_chunk(&mut self) -> Result<Option<Chunk>, StoreError> {
        match self.ahead.take() {
            Some(chunk) => Ok(Some(chunk)),
            None => self.chunks.next().transpose(),
        }
    }
}
