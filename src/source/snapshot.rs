//! A cheap look at a tree, to tell whether anything of it may have changed since the last one. It holds times and
//! inodes, so it is kept in memory and never in an artifact.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::{SourceError, WalkOptions, walk};

/// Longer than the steps in which file systems count time.
const TICK: Duration = Duration::from_millis(100);

/// Names, sizes, times and inodes of all files, without reading one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    hash: blake3::Hash,
    settled: bool,
}

impl Snapshot {
    /// Lists the tree as the chunk stage does.
    pub fn take(root: &Path, options: &WalkOptions) -> Result<Self, SourceError> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let walk = walk(root, options)?;
        let mut hash = blake3::Hasher::new();
        let mut newest = Duration::ZERO;
        for entry in &walk.files {
            let path = entry.path.to_bytes();
            let metadata = std::fs::symlink_metadata(root.join(OsStr::from_bytes(&path))).ok();
            newest = newest.max(metadata.as_ref().map(change_time).unwrap_or_default());
            hash.update(&path).update(b"\0");
            for number in metadata.as_ref().map(numbers).unwrap_or_default() {
                hash.update(&number.to_le_bytes());
            }
        }
        for problem in &walk.problems {
            hash.update(format!("{}\0{}\0", problem.file_rel_path, problem.code).as_bytes());
        }
        Ok(Snapshot { hash: hash.finalize(), settled: newest + TICK < now })
    }

    /// Whether the tree is surely what it was then. A file that was written while the earlier one was taken could
    /// have been written again within the same tick, so such a snapshot vouches for nothing.
    pub fn is_same_as(&self, earlier: &Snapshot) -> bool {
        earlier.settled && self.hash == earlier.hash
    }
}

/// When the system last noted a change, which no program can set back. Whole seconds may be all that a file system
/// counts, so they are taken for the end of theirs.
fn change_time(metadata: &Metadata) -> Duration {
    let seconds = u64::try_from(metadata.ctime()).unwrap_or_default();
    match u32::try_from(metadata.ctime_nsec()) {
        Ok(0) | Err(_) => Duration::from_secs(seconds + 1),
        Ok(nanos) => Duration::new(seconds, nanos),
    }
}

fn numbers(metadata: &Metadata) -> [u64; 7] {
    let times = [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()];
    let [modified, modified_nanos, changed, changed_nanos] = times.map(i64::cast_unsigned);
    [metadata.dev(), metadata.ino(), metadata.len(), modified, modified_nanos, changed, changed_nanos]
}
