//! Uses the previous output as a cache: the records of unchanged files are reused.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::record::codec::{self, projection};
use crate::record::{Artifact, Chunk, ChunkUid, Digest, File, Item, Problem, ProblemCode, References, Symbol};
use crate::search::terms::{self, Counters, Terms};
use crate::store::{AcceleratorPart, Index, Part, StoreError};
use crate::text::RepoPath;

use super::analyse::{FileRecords, LINE_ARTIFACTS, without_chunks};

/// An index that was made with the same rules and settings.
pub struct PreviousIndex<'i> {
    index: &'i Index,
    files: BTreeMap<RepoPath, PreviousFile>,
    /// How many files each shard has.
    sizes: BTreeMap<u32, usize>,
}

struct PreviousFile {
    file: File,
    shard: u32,
    /// The problems of its analysis. Problems of the walk are found again in each run.
    problems: Vec<Problem>,
}

/// The records of unchanged files, by path.
#[derive(Default)]
pub struct ReusedRecords(BTreeMap<RepoPath, FileRecords>);

impl<'i> PreviousIndex<'i> {
    /// Fails if any piece does not match the manifest: a cache with a damaged piece is not used at all.
    pub fn load(index: &'i Index) -> Result<Self, StoreError> {
        index.check_files()?;
        index.accelerator_entry(terms::NAME, terms::VERSION)?;
        let (mut files, mut sizes) = (BTreeMap::new(), BTreeMap::new());
        for part in parts(index, File::NAME) {
            sizes.insert(part.index(), part.records as usize);
            for file in index.records_of::<File>(std::slice::from_ref(part)) {
                let file = file?;
                let previous = PreviousFile { shard: part.index(), problems: Vec::new(), file };
                files.insert(previous.file.file_rel_path.clone(), previous);
            }
        }
        for problem in index.records::<Problem>()? {
            let problem = problem?;
            let previous = files.get_mut(&problem.file_rel_path).filter(|_| !problem.code.is_of_the_walk());
            if let Some(previous) = previous {
                previous.problems.push(problem);
            }
        }
        Ok(PreviousIndex { index, files, sizes })
    }

    /// Whether a file's records can be reused. A file that shares a chunk uid with another file, now or in the
    /// previous run, is analysed again.
    pub fn is_unchanged(&self, path: &RepoPath, digest: &Digest, taken: &BTreeSet<ChunkUid>) -> bool {
        self.files.get(path).is_some_and(|previous| {
            let is_salted = previous.problems.iter().any(|problem| problem.code == ProblemCode::UidCollision);
            previous.file.digest.as_ref() == Some(digest)
                && !is_salted
                && previous.file.chunks.iter().all(|uid| !taken.contains(uid))
        })
    }

    /// The shard that contains exactly these files, if there is one.
    pub fn shard_of(&self, paths: &[&RepoPath]) -> Option<u32> {
        let shard = self.files.get(*paths.first()?)?.shard;
        let is_same = |path: &&RepoPath| self.files.get(*path).is_some_and(|previous| previous.shard == shard);
        (paths.iter().all(is_same) && self.sizes.get(&shard) == Some(&paths.len())).then_some(shard)
    }

    /// The piece of one artifact in one shard; absent if the shard has no such records.
    pub fn part(&self, artifact: &str, shard: u32) -> Option<&'i Part> {
        parts(self.index, artifact).iter().find(|part| part.index() == shard)
    }

    /// The terms of a shard.
    pub fn terms(&self, shard: u32) -> Option<&'i AcceleratorPart> {
        let entry = self.index.manifest().accelerator(terms::NAME)?;
        entry.parts.iter().find(|part| part.index() == shard)
    }

    /// A file's own record and problems, without the lines of its chunks.
    pub fn file(&self, path: &RepoPath) -> Option<FileRecords> {
        let previous = self.files.get(path)?;
        Some(FileRecords { problems: previous.problems.clone(), ..without_chunks(previous.file.clone()) })
    }

    /// The lines and terms of some files, from any shard.
    pub fn reuse(&self, paths: &[&RepoPath], counters: &Counters) -> Result<ReusedRecords, StoreError> {
        let known = paths.iter().filter_map(|path| Some(((*path).clone(), self.file(path)?)));
        let mut reused = ReusedRecords(known.collect());
        let shards: BTreeSet<u32> = paths.iter().filter_map(|path| Some(self.files.get(*path)?.shard)).collect();
        for shard in shards {
            (0..LINE_ARTIFACTS.len()).try_for_each(|artifact| self.copy_lines(artifact, shard, &mut reused))?;
            self.copy_terms(shard, &mut reused, counters)?;
        }
        Ok(reused)
    }

    fn copy_terms(&self, shard: u32, reused: &mut ReusedRecords, counters: &Counters) -> Result<(), StoreError> {
        let part = self.terms(shard);
        let part = part.ok_or_else(|| StoreError::corrupt(self.index.folder(), "a shard has no terms", None))?;
        let mapped = self.index.accelerator_part(part)?;
        let terms = Terms::parse(&mapped).map_err(|fault| mapped.corrupt(fault))?;
        let (files, records): (Vec<_>, Vec<_>) =
            reused.0.iter_mut().filter_map(|(path, records)| Some((terms.file(path.as_str())?, records))).unzip();
        for (records, terms) in records.into_iter().zip(counters.reuse(&terms, &files)) {
            records.terms = terms;
        }
        Ok(())
    }

    /// Copies the lines of one of [`LINE_ARTIFACTS`].
    fn copy_lines(&self, artifact: usize, shard: u32, reused: &mut ReusedRecords) -> Result<(), StoreError> {
        let Some(part) = self.part(LINE_ARTIFACTS[artifact], shard) else { return Ok(()) };
        let piece = self.index.piece(part)?;
        // The lines of a file are adjacent, so its owner is looked up once and its lines are copied together.
        let (mut path, mut owner, mut lines) = (String::new(), None, Vec::new());
        piece.for_each_line(|line| {
            let text = std::str::from_utf8(line).map_err(|fault| piece.corrupt(fault))?;
            let row: OwnerRow = codec::read(text).map_err(|fault| piece.corrupt(fault))?;
            if row.file_rel_path != path {
                reused.append(owner.take(), artifact, std::mem::take(&mut lines));
                owner = reused.0.get_key_value(&*row.file_rel_path).map(|(path, _)| path.clone());
                path = row.file_rel_path.into_owned();
            }
            if owner.is_some() {
                lines.extend_from_slice(line);
                lines.push(b'\n');
            }
            Ok::<(), StoreError>(())
        })?;
        reused.append(owner, artifact, lines);
        Ok(())
    }
}

impl ReusedRecords {
    fn append(&mut self, owner: Option<RepoPath>, artifact: usize, lines: Vec<u8>) {
        if let Some(records) = owner.and_then(|path| self.0.get_mut(&path)) {
            records.lines[artifact] = lines;
        }
    }

    pub fn take(&mut self, path: &RepoPath) -> Option<FileRecords> {
        self.0.remove(path)
    }
}

projection! {
    /// The path of the file that a line belongs to.
    struct OwnerRow<'l> of Chunk, Symbol, References, Item {
        #[serde(borrow)]
        file_rel_path: Cow<'l, str>,
    }
}

fn parts<'i>(index: &'i Index, artifact: &str) -> &'i [Part] {
    index.manifest().artifact(artifact).map_or(&[], |entry| &entry.parts)
}
