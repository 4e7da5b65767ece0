//! The previous output as the cache: what it knows of files that have not changed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::record::Artifact;
use crate::record::{Chunk, ChunkUid, Digest, File, Problem, ProblemCode, References, Symbol};
use crate::search::terms;
use crate::store::{AcceleratorPart, Index, Part, StoreError};
use crate::text::RepoPath;

use super::analyse::FileRecords;

/// An old index that was made by the same rules under the same settings.
pub struct Old<'i> {
    index: &'i Index,
    files: BTreeMap<RepoPath, OldFile>,
    /// How many files each old shard held.
    sizes: BTreeMap<u32, usize>,
}

struct OldFile {
    file: File,
    /// The old shard it was in.
    shard: u32,
    /// What its analysis said; what the walk says is found anew each run.
    problems: Vec<Problem>,
}

/// The lines of carried files, one buffer a file in the order of their paths.
#[derive(Default)]
pub struct Carried(BTreeMap<RepoPath, FileRecords>);

impl<'i> Old<'i> {
    /// Fails when any piece is not what the manifest says: half a cache is none.
    pub fn load(index: &'i Index) -> Result<Self, StoreError> {
        index.manifest().parts().try_for_each(|part| index.piece(part).map(drop))?;
        let terms = index.accelerator_entry(terms::NAME, terms::VERSION)?;
        terms.parts.iter().try_for_each(|part| index.accelerator_part(part).map(drop))?;
        let (mut files, mut sizes) = (BTreeMap::new(), BTreeMap::new());
        for part in parts::<File>(index) {
            sizes.insert(part.index(), part.records as usize);
            for file in index.records_of::<File>(std::slice::from_ref(part)) {
                let file = file?;
                let old = OldFile { shard: part.index(), problems: Vec::new(), file };
                files.insert(old.file.file_rel_path.clone(), old);
            }
        }
        for problem in index.records::<Problem>()? {
            let problem = problem?;
            if let Some(old) = files.get_mut(&problem.file_rel_path).filter(|_| !problem.code.is_of_the_walk()) {
                old.problems.push(problem);
            }
        }
        Ok(Old { index, files, sizes })
    }

    /// Whether a file's old records still hold. Ids that another file now has, or once had, are given anew.
    pub fn holds(&self, path: &RepoPath, digest: &Digest, taken: &BTreeSet<ChunkUid>) -> bool {
        self.files.get(path).is_some_and(|old| {
            let salted = old.problems.iter().any(|problem| problem.code == ProblemCode::UidCollision);
            old.file.digest.as_ref() == Some(digest)
                && !salted
                && old.file.chunks.iter().all(|uid| !taken.contains(uid))
        })
    }

    /// The old shard that held exactly these files, if there is one.
    pub fn shard_of(&self, paths: &[&RepoPath]) -> Option<u32> {
        let shard = self.files.get(*paths.first()?)?.shard;
        let same = paths.iter().all(|path| self.files.get(*path).is_some_and(|old| old.shard == shard));
        (same && self.sizes.get(&shard) == Some(&paths.len())).then_some(shard)
    }

    /// The old piece of one artifact in one shard; none where it had no records.
    pub fn part<A: Artifact>(&self, shard: u32) -> Option<&'i Part> {
        parts::<A>(self.index).iter().find(|part| part.index() == shard)
    }

    /// The old terms of a shard.
    pub fn terms(&self, shard: u32) -> Option<&'i AcceleratorPart> {
        let entry = self.index.manifest().accelerator(terms::NAME)?;
        entry.parts.iter().find(|part| part.index() == shard)
    }

    /// A carried file's own record and problems, without its lines.
    pub fn file(&self, path: &RepoPath) -> Option<FileRecords> {
        let old = self.files.get(path)?;
        Some(FileRecords {
            file: old.file.clone(),
            problems: old.problems.clone(),
            chunks: Vec::new(),
            symbols: Vec::new(),
            references: Vec::new(),
        })
    }

    /// The lines of some files, from whichever old shards they were in.
    pub fn carry(&self, paths: &[&RepoPath]) -> Result<Carried, StoreError> {
        let known = paths.iter().filter_map(|path| Some(((*path).clone(), self.file(path)?)));
        let mut carried = Carried(known.collect());
        let shards: BTreeSet<u32> = paths.iter().filter_map(|path| Some(self.files.get(*path)?.shard)).collect();
        for shard in shards {
            self.copy_lines::<Chunk>(shard, &mut carried, |records| &mut records.chunks)?;
            self.copy_lines::<Symbol>(shard, &mut carried, |records| &mut records.symbols)?;
            self.copy_lines::<References>(shard, &mut carried, |records| &mut records.references)?;
        }
        Ok(carried)
    }

    fn copy_lines<A: Artifact>(
        &self,
        shard: u32,
        carried: &mut Carried,
        buffer: fn(&mut FileRecords) -> &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        let Some(part) = self.part::<A>(shard) else { return Ok(()) };
        let piece = self.index.piece(part)?;
        // The lines of a file stand together: its owner is looked up once, its lines are taken whole.
        let (mut raw, mut owner, mut lines) = (Vec::new(), None, Vec::new());
        piece.for_each_line(|line| {
            let path = raw_path(line).ok_or_else(|| piece.corrupt("a record names no file"))?;
            if path != raw {
                carried.give(owner.take(), std::mem::take(&mut lines), buffer);
                let found: Owner = serde_json::from_slice(line).map_err(|fault| piece.corrupt(fault))?;
                owner = carried.0.get_key_value(&*found.file_rel_path).map(|(path, _)| path.clone());
                raw = path.to_vec();
            }
            if owner.is_some() {
                lines.extend_from_slice(line);
                lines.push(b'\n');
            }
            Ok::<(), StoreError>(())
        })?;
        carried.give(owner, lines, buffer);
        Ok(())
    }
}

impl Carried {
    fn give(&mut self, owner: Option<RepoPath>, lines: Vec<u8>, buffer: fn(&mut FileRecords) -> &mut Vec<u8>) {
        if let Some(records) = owner.and_then(|path| self.0.get_mut(&path)) {
            *buffer(records) = lines;
        }
    }

    pub fn take(&mut self, path: &RepoPath) -> Option<FileRecords> {
        self.0.remove(path)
    }
}

/// The path in a line as it is written there. The key can stand nowhere else: inside a string its
/// quotes would be escaped.
fn raw_path(line: &[u8]) -> Option<&[u8]> {
    const KEY: &[u8] = b"\"fileRelPath\":\"";
    let start = memchr::memmem::find(line, KEY)? + KEY.len();
    let mut quotes = memchr::memchr_iter(b'"', &line[start..]);
    let end =
        quotes.find(|at| line[start..start + at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0)?;
    Some(&line[start..start + end])
}

/// As much of a line as it takes to know whose it is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Owner<'l> {
    #[serde(borrow)]
    file_rel_path: Cow<'l, str>,
}

fn parts<A: Artifact>(index: &Index) -> &[Part] {
    index.manifest().artifact(A::NAME).map_or(&[], |entry| &entry.parts)
}
