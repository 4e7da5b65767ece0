//! Compares two indexes record by record: which records were added or removed, and which files changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Access;
use super::diff_packs::{PacksDiff, diff_packs};
use super::tree_state::file_digests;
use crate::store::{Index, Part, StoreError};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexDiff {
    /// Paths of files, by kind of change.
    pub files_added: Vec<String>,
    pub files_removed: Vec<String>,
    pub files_changed: Vec<String>,
    /// By stage and artifact.
    pub artifacts: BTreeMap<String, ArtifactDiff>,
    /// Differences in settings or rules. Because of them, records of unchanged files may differ.
    pub other_rules: Vec<String>,
    #[serde(skip_serializing_if = "PacksDiff::is_empty")]
    pub packs: PacksDiff,
}

/// Counts of records that only one of the two indexes has.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactDiff {
    pub added: u64,
    pub removed: u64,
    /// How many of them belong to changed files. The others follow from changes elsewhere or in the rules.
    pub of_changed_files: u64,
}

impl IndexDiff {
    pub fn is_empty(&self) -> bool {
        *self == IndexDiff::default()
    }
}

/// Compares the stages that both directories contain.
pub fn diff_indexes(a: &Path, b: &Path, access: Access) -> Result<IndexDiff, StoreError> {
    let mut diff = IndexDiff::default();
    let mut changed = BTreeSet::new();
    for stage in ["chunk", "graph"] {
        let (a, b) = match (Index::open(&a.join(stage)), Index::open(&b.join(stage))) {
            // A stage that is missing from both is not a difference.
            (Err(a), Err(b)) if stage == "graph" && a.is_missing() && b.is_missing() => continue,
            (a, b) => (a?, b?),
        };
        access.check(&a)?;
        access.check(&b)?;
        if stage == "chunk" {
            changed = diff.compare_files(&a, &b)?;
        }
        diff.compare_rules(&a, &b);
        diff.compare_artifacts(stage, &a, &b, &changed)?;
    }
    diff.packs = diff_packs(a, b)?;
    Ok(diff)
}

impl IndexDiff {
    /// Compares files and returns the paths of all that differ.
    fn compare_files(&mut self, a: &Index, b: &Index) -> Result<BTreeSet<String>, StoreError> {
        let (before, after) = (file_digests(a)?, file_digests(b)?);
        for (path, digest) in &after {
            match before.get(path) {
                None => self.files_added.push(path.clone()),
                Some(old) if old != digest => self.files_changed.push(path.clone()),
                Some(_) => {}
            }
        }
        self.files_removed = before.keys().filter(|path| !after.contains_key(*path)).cloned().collect();
        let all = self.files_added.iter().chain(&self.files_removed).chain(&self.files_changed);
        Ok(all.cloned().collect())
    }

    fn compare_rules(&mut self, a: &Index, b: &Index) {
        let (a, b) = (a.manifest(), b.manifest());
        if a.ruleset_version != b.ruleset_version {
            self.other_rules.push(format!("{}: rules {} and {}", a.stage, a.ruleset_version, b.ruleset_version));
        }
        if a.settings != b.settings {
            self.other_rules.push(format!("{}: settings {} and {}", a.stage, a.settings, b.settings));
        }
    }

    fn compare_artifacts(
        &mut self,
        stage: &str,
        a: &Index,
        b: &Index,
        changed: &BTreeSet<String>,
    ) -> Result<(), StoreError> {
        for entry in &b.manifest().artifacts {
            let old = a.artifact(&entry.name)?;
            let (before, after) = (lines(a, &old.parts, &entry.parts)?, lines(b, &entry.parts, &old.parts)?);
            let mut diff = ArtifactDiff::default();
            for line in after.difference(&before).chain(before.difference(&after)) {
                diff.of_changed_files += u64::from(path_of(line).is_some_and(|path| changed.contains(&path)));
            }
            diff.added = after.difference(&before).count() as u64;
            diff.removed = before.difference(&after).count() as u64;
            if diff != ArtifactDiff::default() {
                self.artifacts.insert(format!("{stage}/{}", entry.name), diff);
            }
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PathRow {
    file_rel_path: Option<String>,
}

/// The file that a record belongs to; edges have no file.
fn path_of(line: &[u8]) -> Option<String> {
    serde_json::from_slice::<PathRow>(line).ok()?.file_rel_path
}

/// The lines of the parts that the other index does not have.
fn lines(index: &Index, parts: &[Part], other: &[Part]) -> Result<BTreeSet<Vec<u8>>, StoreError> {
    let mut lines = BTreeSet::new();
    for part in parts.iter().filter(|part| !other.iter().any(|other| other.digest == part.digest)) {
        index.piece(part)?.for_each_line(|line| {
            lines.insert(line.to_vec());
            Ok::<(), StoreError>(())
        })?;
    }
    Ok(lines)
}
